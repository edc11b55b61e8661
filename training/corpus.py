"""Reads the sources: clean documents, split into training and held-out text, before anything is tokenized."""

import random
import re
from dataclasses import dataclass
from pathlib import Path

END = "<|endoftext|>"
HERE = Path(__file__).parent
# A long text is cut at paragraph ends into documents of about this many characters (some 350 tokens), so that a
# window of 512 tokens mostly begins where a text or a paragraph begins.
CUT = 1400


@dataclass(frozen=True)
class Source:
    """One source: its files, and its shares of the tokens: in both phases of a teacher's training (train.py), in the
    training of those that imitate (distill.py), in the steps that open the target (finish.py), and in what it keeps while
    it learns plots (learn_plots.py)."""

    files: tuple[str, ...]
    first: float
    second: float
    third: float
    last: float
    kept: float
    retold: int = 0  # so many copies, each with other names and other words, stand for the text itself (see reword.py)
    renamed: int = 0  # so many copies, with other names only, stand beside it (see names.py)
    told: int = 0  # so many tellings stand for each text, which has open places (see open_tales.py and plots.py)


SOURCES = {
    "tinystories": Source(("tinystories.txt",), 0.12, 0.06, 0.02, 0.26, 0.07, retold=6),
    "tinystories renamed": Source(("tinystories.txt",), 0.26, 0.26, 0.14, 0.02, 0.13, renamed=5),
    "picture books": Source(("pratham_books_en.txt", "african_storybook_en.txt"), 0.08, 0.04, 0.02, 0.05, 0.04, retold=3),
    "fairy tales": Source(("fairytale_stories.txt",), 0.02, 0.01, 0.005, 0.01, 0.02),
    "children's books": Source(("children_short_and_long.txt", "childrens_novels.txt"), 0.04, 0.01, 0.01, 0.02, 0.04),
    "sentences": Source(("tatoeba_english_sentences.txt",), 0.02, 0.01, 0.01, 0.02, 0.03),
    "dictionary": Source(("wordnet_common_qa.txt",), 0.02, 0.015, 0.015, 0.02, 0.05),
    "factbook": Source(("world_factbook_qa.txt",), 0.005, 0.005, 0.005, 0.01, 0.02),
    # Written for this project: the tales by hand, the others by the generators of this folder.
    "tales": Source(("tales.txt",), 0.08, 0.08, 0.04, 0.1, 0.06, retold=8),
    "open tales": Source(("open_tales.txt",), 0.24, 0.36, 0.16, 0.32, 0.14, told=12),
    "plots": Source(("plots.txt",), 0, 0, 0, 0, 0, told=160),
    "made facts": Source(("made_facts.txt",), 0.08, 0.09, 0.09, 0.1, 0.24),
    "made dialogues": Source(("made_dialogues.txt",), 0.03, 0.03, 0.03, 0.03, 0.06),
    "made repeats": Source(("made_repeats.txt",), 0.02, 0.025, 0.025, 0.04, 0.1),
}
STORIES = ("tinystories", "tinystories renamed", "picture books", "fairy tales", "tales", "open tales")  # that others tell
SENTENCES = 8  # so many sentences are one document: by itself each would teach that a text ends at its first full stop

PLAIN = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-",
                       "\u2026": "...", "\u00a0": " ", "\t": " ", "\u00ad": "", "\ufeff": "", "_": ""})


def unwanted(path: Path = HERE / "unwanted_words.txt") -> re.Pattern:
    """The words of the committed list as one pattern of whole words."""
    words = [w.strip() for w in path.read_text(encoding="utf-8").splitlines() if w.strip() and not w.startswith("#")]
    return re.compile(r"\b(" + "|".join(map(re.escape, words)) + r")\b", re.IGNORECASE)


def plain(text: str) -> str:
    """Straight quotes, single spaces, no trailing blanks: one way to write a thing."""
    text = text.translate(PLAIN).replace("``", '"').replace("''", '"')
    text = re.sub(r" +", " ", text)
    return re.sub(r" ?\n ?", "\n", text).strip()


def pieces(text: str) -> list[str]:
    """A text cut at line ends into documents of about CUT characters."""
    if len(text) <= 1.6 * CUT:
        return [text]
    out, now = [], ""
    for line in text.split("\n"):
        if now and len(now) + len(line) > CUT:
            out.append(now.strip())
            now = ""
        now += line + "\n"
    return out + [now.strip()]


def question_and_answer(text: str) -> str:
    """Dictionary and factbook entries without the words `Question:` and `Answer:`, as our own facts are written."""
    return text.replace("Question: ", "").replace("\nAnswer: ", " ")


def together(lines: list[str]) -> list[str]:
    """So many lines to a document."""
    return ["\n".join(lines[i : i + SENTENCES]) for i in range(0, len(lines), SENTENCES)]


def read(folder: Path, name: str) -> tuple[list[str], list[str]]:
    """(training documents, held-out documents) of one source; one in a hundred is held out, always the same."""
    train, held = [], []
    bad = unwanted()
    for file in SOURCES[name].files:
        raw = (folder / file).read_text(encoding="utf-8", errors="replace")
        documents = raw.split("\n") if name == "sentences" else raw.split(END)
        if name in ("dictionary", "factbook"):
            documents = map(question_and_answer, documents)
        documents = [d for d in map(plain, documents) if len(d) > 1 and "\ufffd" not in d]
        random.Random(file).shuffle(documents)
        cut = (lambda d: [d]) if SOURCES[name].told else pieces  # with its wordings a text is much longer than a telling
        for i, piece in enumerate(p for d in documents for p in cut(d) if p and not bad.search(p)):
            (held if i % 100 == 99 else train).append(piece)
    return (together(train), together(held)) if name == "sentences" else (train, held)
