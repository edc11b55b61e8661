"""Writes lists that are said again: only looking back to the first time tells how they go on (induction).

    python made_repeats.py COUNT CORPUS > made_repeats.txt      CORPUS: the folder whose stories lend their words
"""

import random
import re
import sys
from collections import Counter
from pathlib import Path

from corpus import END, unwanted


def document(r: random.Random, words: list[str]) -> str:
    """Three to thirty words in an order without sense, two to five times."""
    line = r.choice([" ", " ", ", "]).join(r.choices(words, k=r.randint(3, r.choice([6, 12, 30]))))
    return r.choice([". ", ".\n", " "]).join([line] * r.randint(2, 5)) + "."


if __name__ == "__main__":
    rng, bad = random.Random(17), unwanted()
    text = (Path(sys.argv[2]) / "tinystories.txt").read_text(encoding="utf-8")
    counted = Counter(re.findall(r"\b[A-Za-z][a-z]{2,}\b", text))
    lexicon = sorted(w for w, n in counted.items() if n >= 20 and not bad.fullmatch(w))
    for _ in range(int(sys.argv[1])):
        print(document(rng, lexicon) + f"\n{END}")
