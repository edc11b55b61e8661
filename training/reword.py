"""Says a text again in other words: a small corpus seen many times is learned by heart more slowly so."""

import random
import re
from pathlib import Path

from grammar import article
from names import rename

AGAIN = 0.5  # chance that a place where another word fits gets one drawn from its class

FIRST_WORDS = {
    "Once upon a time,": ["Once upon a time,"] * 6 + ["Once,", "Long ago,", "Many years ago,", "In a land far away,", "One summer,", "Not so long ago,",
                          "Once upon a time, far from here,", "A long, long time ago,"],
    "One day,": ["One day,", "One morning,", "One afternoon,", "One sunny day,", "One fine day,", "One windy morning,", "One bright morning,", "One quiet day,",
                 "One Saturday,", "One Sunday,", "One warm day,", "One cool morning,", "One spring day,", "One summer day,", "Then, one day,", "It was on a Monday that",
                 "One cloudy day,", "On a fresh morning,", "On a Tuesday,", "On a lazy afternoon,"],
    "Then,": ["Then,", "After that,", "Next,", "A little later,", "A moment later,"],
    "Suddenly,": ["Suddenly,", "All at once,", "All of a sudden,", "Just then,", "At that very moment,", "In the middle of this,"],
    "Finally,": ["Finally,", "At last,", "In the end,", "At long last,"],
    "Later,": ["Later,", "A while later,", "Some time later,", "Later that day,"],
    "Wow,": ["Wow,", "Oh,", "Goodness,", "My goodness,", "Oh my,"],
    "Wow!": ["Wow!", "Oh!", "Goodness!", "My goodness!", "Oh my!", "Just look!"],
    "Hello": ["Hello", "Hi", "Good day", "Hey"],
    "Okay,": ["Okay,", "All right,", "Very well,", "Good,"],
    "Thank you,": ["Thank you,", "Thanks,", "Thank you so much,", "Many thanks,", "Oh, thank you,"],
    "Thank you!": ["Thank you!", "Thanks!", "Thank you so much!", "Many thanks!"],
    "The next day,": ["The next day,", "The following day,", "The day after,", "The next morning,", "A day later,", "The morning after,"],
}
HOW = """softly quietly kindly gently slowly calmly warmly again at_once at_last with_a_smile with_a_laugh with_a_nod with_a_sigh with_a_grin
after_a_moment in_a_small_voice out_of_breath""".split()
GIRL_OR_BOY = """kind curious clever brave shy funny quiet busy gentle cheerful lively proud careful lonely friendly patient stubborn sleepy playful honest jolly
red-haired curly-haired tall freckled dreamy merry noisy thoughtful bold""".split()
COLOURS = "red blue green yellow purple pink".split()
BY_NATURE = r"(?! (?:sky|grass|leaves|leaf|water|sea|apple|apples|tomato|banana|sun|ocean|light))"


def classes(path: Path = Path(__file__).parent / "same_meaning.txt") -> dict[str, tuple[list[str], bool]]:
    """Each word or phrase that can be replaced -> (what may stand for it, the same choice through a text?)."""
    out = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            replaced, _, also = line.lstrip("=").partition(" > ")
            keys = replaced.split("|")
            for key in keys:
                out.setdefault(key, (keys + [a for a in also.split("|") if a], line.startswith("=")))
    return out


CLASSES = classes()
WORDS = re.compile(r"(?<![\w-])(?<!as )(?<!too )(?<!so )(?<!how )(?<!years )(" + "|".join(sorted(map(re.escape, CLASSES), key=len, reverse=True)) + r")(?![\w'-])", re.IGNORECASE)
STARTS = re.compile("|".join(rf"(?<![\w])({re.escape(k)})" for k in FIRST_WORDS))
VERY = re.compile(r"\bvery (?!much|well|first|last|same|far|long|soon)")
SAID = re.compile(r'(?<=")( (?:said|asked|replied|answered|shouted|cried) (?:[A-Z][a-z]+|he|she|the [a-z]+))(?=[.,])')
CHILD = re.compile(r"\b([Aa]) (?:little |young |small )?(girl|boy)\b")
COLOUR = re.compile(r"(?<!turned )(?<!went )(?<!grew )(?<!became )\b(" + "|".join(COLOURS) + r")\b" + BY_NATURE)


def like(old: str, new: str) -> str:
    """`new` with the capital of `old`."""
    return new[0].upper() + new[1:] if old[0].isupper() else new


def reword(text: str, rng: random.Random) -> str:
    """The text with other words for the same things, other adverbs, and the colours of things exchanged."""
    fixed: dict[str, str] = {}

    def other(m: re.Match) -> str:
        key = m[0] if m[0] in CLASSES else m[0].lower()
        if key not in CLASSES:
            return m[0]
        choices, throughout = CLASSES[key]
        if throughout:
            return like(m[0], fixed.setdefault(key, rng.choice(choices)))
        return like(m[0], rng.choice(choices)) if rng.random() < AGAIN else m[0]

    colours = dict(zip(COLOURS, rng.sample(COLOURS, len(COLOURS))))
    text = COLOUR.sub(lambda m: colours[m[0]], text)
    text = STARTS.sub(lambda m: rng.choice(FIRST_WORDS[m[0]]), text)
    text = WORDS.sub(other, text)
    text = VERY.sub(lambda m: rng.choice(["very ", "very ", "really ", "quite "]), text)
    text = SAID.sub(lambda m: m[1] + (" " + rng.choice(HOW).replace("_", " ") if rng.random() < 0.2 else ""), text)
    text = CHILD.sub(lambda m: m[0] if rng.random() < 0.4 else f"{m[1]} {rng.choice(['', '', 'little ', 'young ', 'small '])}{rng.choice(GIRL_OR_BOY)} {m[2]}", text)
    return article(text)


def retell(text: str, rng: random.Random) -> str:
    """Other people, other words."""
    return reword(rename(text, rng), rng)
