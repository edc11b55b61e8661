"""A small grammar for writing text: `[this|that]` picks one, `{word}` takes a value or a draw from a list."""

import random
import re

CHOICE = re.compile(r"\[([^\[\]]*)\]")
SLOT = re.compile(r"\{(\w+)\}")
ARTICLE = re.compile(r"\b([Aa])n?(?= ([a-z][a-z-]*))")
SOUNDS_LIKE_A_VOWEL = re.compile(r"(?!uni|use|eu|one\b|once\b)[aeiou]|hono|honest|hour")
STARTS = re.compile(r"(^|[.!?] |\.\" |\n)(\"?)([a-z])")


def article(text: str) -> str:
    """`a` and `an` by the sound that follows, before words in small letters."""
    return ARTICLE.sub(lambda m: m[1] + ("n" if SOUNDS_LIKE_A_VOWEL.match(m[2]) else ""), text)


class Grammar:
    """Fills the templates of one text. A list gives another word each time; a bound slot always gives the same one."""

    def __init__(self, lists: dict[str, list[str]], rng: random.Random):
        self.lists, self.rng = lists, rng
        self.used: set[str] = set()

    def fill(self, template: str, bound: dict[str, str] | None = None) -> str:
        """The template with every choice made; `bound` holds the words that stay the same through a text."""
        text = template
        while True:
            new = CHOICE.sub(lambda m: self.rng.choice(m[1].split("|")), text)
            new = SLOT.sub(lambda m: self.word(m[1], bound or {}), new)
            if new == text:
                break
            text = new
        text = article(text)
        return STARTS.sub(lambda m: m[1] + m[2] + m[3].upper(), text)

    def word(self, slot: str, bound: dict[str, str]) -> str:
        if slot in bound:
            return bound[slot]
        fresh = [w for w in self.lists[slot] if w not in self.used] or self.lists[slot]
        word = self.rng.choice(fresh)
        self.used.add(word)
        return word
