"""Tells a plot: a story of which every sentence stands in several wordings, with open places for people and things.

Few plots told in very many ways teach what a story hangs together by: who it is about and what is wanted stays the same
from the first sentence to the last, while hardly a word of the telling does. For the first sentence there are two lists,
each taken half of the time: beginnings as tales have them, and thirty that anybody might write.

The format is that of the open tales (see open_tales.py). Built in are `{ahero}` ("a little fox named Tom", "an old bear",
"a king") and `{hero}` afterwards ("Tom", "the bear"), `{he}` `{him}` `{his}`; the same for `{friend}` with `{fhe}`…;
`{elder}`, a relative, with `{ehe}`…; and the names `{girl}` `{girl2}` `{boy}` `{boy2}`. A capital in a slot is a capital in
the text.
"""

import random
import re
from pathlib import Path

from grammar import Grammar
from manner import in_another_manner
from names import MANY_BOYS, MANY_GIRLS
from open_tales import opened

ANIMALS = """fox bear mouse rabbit duck hedgehog frog squirrel dog cat bird owl pig lamb goat turtle beaver badger mole hen otter
deer puppy kitten hamster penguin seal donkey pony goose snail bee crab elephant lion tiger monkey panda koala raccoon wolf
robin lizard toad swan chick calf sparrow cow sheep parrot bat dragon""".split()
OTHERS = {"f": "queen princess fairy mermaid".split(), "m": "king prince giant wizard snowman knight".split(),
          "fm": "robot baker farmer elf gnome painter tailor gardener teacher miller pirate clown shepherd sailor".split()}
LOOKS = "little small young kind funny brave shy happy quiet curious clever cheerful gentle busy sleepy playful".split()
ELDERS = [("Grandma", "f"), ("Mom", "f"), ("Grandpa", "m"), ("Dad", "m"), ("Aunt {girl}", "f"), ("Uncle {boy}", "m"),
          ("Grandma {girl}", "f"), ("Grandpa {boy}", "m")]
THINGS = "teapot clock cloud train boat car tree lamp kite star leaf broom drum doll bus bell chair shoe".split()
PRONOUNS = {"f": ("she", "her", "her"), "m": ("he", "him", "his")}
A_THING, A_CHILD, AN_ANIMAL, A_NAME = 0.03, 0.4, 0.8, 0.7  # how often somebody is one; if not, the next; if no child, has a name
INTRODUCED = 0.25  # how often a telling begins with an introduction that fits any hero
INTRODUCTIONS = [line for line in (Path(__file__).parent / "introductions.txt").read_text().split("\n") if line]
FIRST = re.compile(r"\[\[([^\[\]]*)\]\|\[([^\[\]]*)\]\]")


def somebody(animal: str, girl: str, boy: str, freely: bool, rng: random.Random) -> tuple[str, str, tuple[str, str, str]]:
    """How somebody is told of at first, and afterwards, and the pronouns."""
    sex = rng.choice("fm")
    name = girl if sex == "f" else boy
    kind = animal if rng.random() < AN_ANIMAL else rng.choice(OTHERS[sex] + OTHERS["fm"])
    look = rng.choice(LOOKS) + " " if rng.random() < 0.6 else ""
    if freely and rng.random() < A_THING:
        thing, it = rng.choice(THINGS), rng.choice([PRONOUNS[sex], ("it", "it", "its")])
        return (f"a {look}{thing} named {name}", name, it) if rng.random() < 0.3 else (f"a {look}{thing}", f"the {thing}", it)
    if rng.random() < A_CHILD:
        return f"a {look}{'girl' if sex == 'f' else 'boy'} named {name}", name, PRONOUNS[sex]
    if rng.random() < A_NAME:
        return f"a {look}{kind} named {name}", name, PRONOUNS[sex]
    return f"a {look}{kind}", f"the {look if look == 'little ' else ''}{kind}", PRONOUNS[sex]


def people(freely: bool, rng: random.Random) -> dict[str, str]:
    """The words of the built-in slots for one telling, no name and no animal twice."""
    girls, boys, animals = rng.sample(MANY_GIRLS, 5), rng.sample(MANY_BOYS, 5), rng.sample(ANIMALS, 2)
    bound = dict(zip(("girl", "girl2", "boy", "boy2"), (*girls[:2], *boys[:2])))
    for k, (who, mark) in enumerate((("hero", ""), ("friend", "f"))):
        bound[f"a{who}"], bound[who], pronouns = somebody(animals[k], girls[2 + k], boys[2 + k], freely, rng)
        bound |= zip((f"{mark}he", f"{mark}him", f"{mark}his"), pronouns)
    elder, sex = rng.choice(ELDERS)
    return bound | {"elder": elder.format(girl=girls[4], boy=boys[4])} | dict(zip(("ehe", "ehim", "ehis"), PRONOUNS[sex]))


def introduced(body: str, rng: random.Random) -> str:
    """The plot with an introduction of the hero before a first sentence that already knows the hero, if it has one."""
    first = FIRST.match(body)
    knowing = [w for w in "|".join(first.groups()).split("|") if "{hero}" in w.split(". ")[0].lower() and "{ahero}" not in w.lower()
               and not w.startswith(("Once", "Long ago", "There"))] if first else []
    return f"{rng.choice(INTRODUCTIONS)} {rng.choice(knowing)}{body[first.end():]}" if knowing else body


def tell_plot(plot: str, rng: random.Random, freely: bool = False) -> str:
    """One telling; freely: the hero may be a thing or be introduced first, and is spoken of in another manner (see manner.py)."""
    bound = people(freely, rng)
    words, body = opened(plot, rng)
    if freely and rng.random() < INTRODUCED:
        body = introduced(body, rng)
    bound |= words
    bound |= {slot[0].upper() + slot[1:]: word[0].upper() + word[1:] for slot, word in bound.items()}
    text = Grammar({}, rng).fill(body, bound)
    for who in (bound["hero"], bound["friend"]):
        if who.startswith("the "):  # who is spoken to is called "fox", not "the fox"
            text = re.sub(rf"(, |\"){who}(?=[,.!?])", lambda m: m[1] + who[4:], text, flags=re.IGNORECASE)
            text = re.sub(rf"\"{who[4:]}(?=[,.!?])", lambda m: m[0][0] + m[0][1:].capitalize(), text)
    if freely:
        called = {bound[who].removeprefix("the ") for who in ("hero", "friend")} | {bound["elder"]}
        text = in_another_manner(text, called, rng)
    together = rng.choice((0.6, 0.8, 1.0))  # how often a sentence stands on the line of the one before
    text = re.sub(r" *\n+ *", lambda _: " " if rng.random() < together else "\n", text)
    return re.sub(r" +", " ", text).strip()


def tellings(plot: str, times: int, freely: bool = False) -> list[str]:
    """So many tellings, the same ones whatever other plots there are."""
    rng = random.Random(plot)
    return [tell_plot(plot, rng, freely) for _ in range(times)]
