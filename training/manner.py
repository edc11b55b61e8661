"""Says a telling in another manner: contractions, who speaks before or after what is said, whom it is said to.

None of it changes what is told, and it multiplies the ways of telling it: fewer runs of words are read twice, so that less is
learned by heart.
"""

import random
import re

WHO = r"(?:[Tt]he [a-z]+(?: [a-z]+)?|[A-Z][a-z]+(?: [A-Z][a-z]+)?)"
SAID = "said|asked|called|cried|shouted|whispered"
NEXT = r"(?= [a-z])"  # nothing is contracted at an end: "Yes, I will."
SHORT = [
    (re.compile(rf"\b(I|[Yy]ou|[Ww]e|[Tt]hey|[Hh]e|[Ss]he|[Ii]t) will{NEXT}(?! not)"), r"\1'll"),
    (re.compile(rf"\bI am{NEXT}"), "I'm"),
    (re.compile(rf"\b([Yy]ou|[Ww]e|[Tt]hey) are{NEXT}"), r"\1're"),
    (re.compile(rf"(?<!ow )(?<!re )(?<!hat )\b([Ii]t|[Tt]hat|[Hh]e|[Ss]he) is{NEXT}"), r"\1's"),
    (re.compile(rf"\b([Dd]o|[Dd]oes|[Dd]id|[Cc]ould|[Ww]ould|[Ii]s|[Ww]as|[Aa]re|[Ww]ere|[Hh]ad) not{NEXT}"), r"\1n't"),
    (re.compile(rf"\b([Cc])an ?not{NEXT}"), r"\1an't"),
    (re.compile(rf"\b([Ww])ill not{NEXT}"), r"\1on't"),
    (re.compile(rf"\b([Ll])et us{NEXT}(?! (?:in|out|through|up|down|all|have)\b)"), r"\1et's"),
]
SPEECH = re.compile(rf'(?m)(^|[.!?]"? )"([^"]+)([,!?])" ({SAID}) ({WHO})\.(?: "([^"]+[.!?])"(?! (?:{SAID})\b))?(?! "[^"]+" (?:{SAID})\b)')
TAG = re.compile(rf'(?<=[,!?]" )(said|asked|called) ({WHO})(?=\.|,| and )')
HOW = ["softly", "quietly", "at once", "after a moment"]
CALLED = re.compile(rf'"([A-Z][^".!?]*), ({WHO}|[a-z]+(?: [a-z]+)?)([,.!?])(?=["\s])')


def capital(text: str) -> str:
    return text[0].upper() + text[1:]


def in_another_manner(text: str, names: set[str], rng: random.Random) -> str:
    """The text, said otherwise in some places; `names` are those by which people are called and that keep their capital."""
    short, front, swapped, first = (rng.choice(chances) for chances in ((0, 0.5, 1), (0, 0.3, 0.6), (0, 0.3, 0.6), (0, 0.3, 0.6)))

    def called(m: re.Match) -> str:
        said, name, end = m.groups()
        word = said.split()[0]
        if name not in names or rng.random() >= first or "," in said:
            return m[0]
        kept = word == "I" or word.startswith("I'") or any(word.removesuffix("'s") in n.split() for n in names)
        return f'"{capital(name)}, {said if kept else said[0].lower() + said[1:]}{end}'

    def speech(m: re.Match) -> str:
        before, said, end, verb, who, more = m.groups()
        if rng.random() >= front:
            return m[0]
        return f'{before}{capital(who)} {verb}, "{said}{"." if end == "," else end}{f" {more}" if more else ""}"'

    def tag(m: re.Match) -> str:
        told = f"{m[2]} {m[1]}" if rng.random() < swapped else m[0]
        return f"{told} {rng.choice(HOW)}" if rng.random() < 0.08 and m[1] != "called" else told

    text = CALLED.sub(called, text)
    text = SPEECH.sub(speech, text)
    text = TAG.sub(tag, text)
    for pattern, contracted in SHORT:
        text = pattern.sub(lambda m: m.expand(contracted) if rng.random() < short else m[0], text)
    return text
