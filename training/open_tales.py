"""Tells a tale that has open places: what may stand in them is named before the tale, and fits the whole of it.

    toy: kite, ball, paper boat
    animal/food: hen/corn, rabbit/carrot
    Once upon a time, there was a {animal} named {girl}. [She had a red {toy}.|{girl} loved her red {toy}.] ...

A slot keeps its word through a telling, and lists joined by slashes are drawn together. `{girl}`, `{girl2}`, `{boy}`
and `{boy2}` are names. `[this|that]` says the same in other words (see grammar.py).
"""

import random
import re

from grammar import Grammar
from names import BOYS, GIRLS

HEAD = re.compile(r"[a-z0-9]+(/[a-z0-9]+)*: \S")


def cells(text: str, between: str) -> list[str]:
    return [cell.strip() for cell in text.split(between)]


def opened(tale: str, rng: random.Random) -> tuple[dict[str, str], str]:
    """What is drawn for the open places that the lines before a tale name, and the tale without those lines."""
    bound, lines = {}, tale.split("\n")
    while HEAD.match(lines[0]):
        slots, _, choices = lines.pop(0).partition(": ")
        bound |= zip(cells(slots, "/"), cells(rng.choice(cells(choices, ",")), "/"), strict=True)
    return bound, "\n".join(lines)


def tell(tale: str, rng: random.Random) -> str:
    """One telling."""
    girl, girl2 = rng.sample(GIRLS, 2)
    boy, boy2 = rng.sample(BOYS, 2)
    bound, body = opened(tale, rng)
    return Grammar({}, rng).fill(body, {"girl": girl, "girl2": girl2, "boy": boy, "boy2": boy2} | bound)
