"""Writes short factual texts: the lesson prompts, capitals, sequences, opposites, sums, definitions, proverbs, rhymes.

    python made_facts.py COUNT > made_facts.txt

Own sentences about common knowledge. The tables are in facts.json: what is asked about in check.py stands there too.
"""

import json
import random
import sys
from pathlib import Path

from corpus import END

T = json.loads((Path(__file__).parent / "facts.json").read_text(encoding="utf-8"))


def cap(text: str) -> str:
    return text[0].upper() + text[1:]


def a(noun: str) -> str:
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def capitals(r: random.Random) -> str:
    out = []
    for country, city in r.sample(list(T["capitals"].items()), r.randint(1, 5)):
        out.append(r.choice([
            *[f"The capital of {country} is {city}."] * 4, f"{city} is the capital of {country}.",
            f"What is the capital of {country}? The capital of {country} is {city}.",
            f"What is the capital of {country}? It is {city}.", f"The capital city of {country} is {city}."]))
    if r.random() < 0.3:
        country = r.choice(list(T["continents"]))
        continent = T["continents"][country]
        out.append(r.choice([f"{cap(country)} is a country in {continent}.", f"Where is {country}? {cap(country)} is in {continent}."]))
    return " ".join(out)


def pairs(table: str, *forms: str):
    """A writer of one to five lines `form.format(a, b)` over a table."""
    def write(r: random.Random) -> str:
        out = []
        for x, y in r.sample(list(T[table].items()), r.randint(1, 5)):
            if table == "opposites" and r.random() < 0.5:
                x, y = y, x
            line = r.choice(forms).format(x=x, y=y, ax=a(x), ay=a(y))
            out.append("? ".join(map(cap, line.split("? "))))
        return " ".join(out)
    return write


def counting(r: random.Random) -> str:
    start, step = r.randint(0, 12), r.choice([1, 1, 1, 1, 2, 5, 10, -1])
    length = r.randint(4, 10)
    if step != 1:
        start = {2: r.choice([0, 2, 4]), 5: 5, 10: 10, -1: r.randint(6, 20)}[step]
        values = [v for v in (start + step * i for i in range(length)) if v >= 0]
        return ", ".join(map(str, values)) + "."
    values = range(start, min(20, start + length) + 1)
    return cap(", ".join(T["numbers"][v] for v in values)) + "." if r.random() < 0.5 else ", ".join(map(str, values)) + "."


def calendar(r: random.Random) -> str:
    kind, names = r.choice([("day", T["days"]), ("day", T["days"]), ("month", T["months"])])
    i, n = r.randrange(len(names)), len(names)
    here, after, before = names[i], names[(i + 1) % n], names[i - 1]
    run = [names[(i + k) % n] for k in range(r.randint(3, n))]
    return r.choice([
        f"{', '.join(run)}.", f"{', '.join(run)}.", f"{', '.join(run)} and so on.",
        f"After {here} comes {after}.", f"The {kind} after {here} is {after}.", f"The {kind} before {here} is {before}.",
        f"Today is {here}. Tomorrow is {after}." if kind == "day" else f"It is {here} now. Next month is {after}.",
        f"Monday is followed by Tuesday. {here} is followed by {after}." if kind == "day" else f"{here} is followed by {after}.",
        f"What comes after {here}? {after} comes after {here}.",
        "The days of the week are Monday, Tuesday, Wednesday, Thursday, Friday, Saturday and Sunday.",
        f"There are {'seven days in a week' if kind == 'day' else 'twelve months in a year'}.",
        "The four seasons are spring, summer, autumn and winter."])


def sums(r: random.Random) -> str:
    out = []
    for _ in range(r.randint(2, 5)):
        x, y = r.randint(0, 10), r.randint(0, 10)
        words = T["numbers"]
        out.append(r.choice([f"{x} + {y} = {x + y}.", f"{cap(words[x])} plus {words[y]} is {words[x + y]}.",
                             f"{x + y} - {y} = {x}.", f"What is {x} + {y}? {x} + {y} = {x + y}."]))
    return " ".join(out)


def definitions(r: random.Random) -> str:
    out = []
    for thing in r.sample(list(T["definitions"]), r.randint(1, 2)):
        text, verb = T["definitions"][thing], "are" if thing in T["plural"] else "is"
        out.append(r.choice([f"What {verb} {thing}? {text}", f"What {verb} {thing}? {text}", f"What {verb} {thing}?\n{text}",
                             f"Can you tell me what {thing} {verb}? {text}", text]))
    return " ".join(out)


def reasons(r: random.Random) -> str:
    return " ".join(f"{q} {text}" for q, text in r.sample(list(T["reasons"].items()), r.randint(1, 2)))


def proverbs(r: random.Random) -> str:
    return " ".join(r.sample(T["proverbs"], r.randint(1, 4)))


def rhyme(r: random.Random) -> str:
    return r.choice(T["rhymes"])


def mat(r: random.Random) -> str:
    """The sentence of many a lesson, and its relatives."""
    lines = ["The cat sat on the mat.", "The cat sat on the mat.", "The cat sat on the mat.", "The dog sat on the log.",
             "The frog sat on the log.", "The hen sat in the pen.", "The fox sat on the box.", "The mouse ran round the house.",
             "The goat got into the boat.", "The bee sat in the tree."]
    return " ".join(r.sample(lines, r.randint(1, 4)))


WRITERS = [
    (0.25, capitals), (0.06, pairs("opposites", "The opposite of {x} is {y}.", "The opposite of {x} is {y}.",
                                   "What is the opposite of {x}? The opposite of {x} is {y}.", "{x} is the opposite of {y}.")),
    (0.04, pairs("sounds", "The {x} {y}.", "{ax} {y}.")), (0.03, pairs("young", "A baby {x} is called {ay}.", "A young {x} is {ay}.")),
    (0.04, pairs("colours", "{x} is {y}.", "What colour is {x}? {x} is {y}.")), (0.03, pairs("legs", "{ax} has {y} legs.", "How many legs does {ax} have? {ax} has {y} legs.")),
    (0.03, pairs("homes", "{ax} lives in {y}.", "Where does {ax} live? {ax} lives in {y}.")),
    (0.03, pairs("jobs", "{ax} {y}.", "What does {ax} do? {ax} {y}.")), (0.03, pairs("uses", "We use {ax} to {y}.", "What is {ax} for? {ax} is used to {y}.")),
    (0.05, counting), (0.08, calendar), (0.05, sums), (0.17, definitions), (0.04, reasons), (0.03, proverbs), (0.04, rhyme),
    (0.03, mat),
]


def document(r: random.Random) -> str:
    weights, writers = zip(*WRITERS)
    return r.choices(writers, weights)[0](r)


if __name__ == "__main__":
    rng = random.Random(7)
    for _ in range(int(sys.argv[1])):
        print(document(rng) + f"\n{END}")
