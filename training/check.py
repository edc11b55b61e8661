"""Checks everything the bundled models are meant to be, and prints it as a table.

    python check.py DATA TARGET DRAFT PROGRAM [CARD]

DATA is what prepare.py made, TARGET and DRAFT are exported folders, PROGRAM is the tokenscope binary, which writes the
sampled texts, so that every story can be made again in the window from its seed. CARD is a Markdown file whose parts
between `<!-- NAME -->` and `<!-- /NAME -->` are replaced by what was found. Ends with status 1 if a bar is missed.
"""

import json
import random
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer

from corpus import SOURCES, unwanted
from made_facts import T as FACTS
from runs import RUN, among, known_runs, runs

CONTEXT = 512
STORIES = ["Once upon a time, there was a green dragon who could not fly.", "The rain fell all day, and Omar was bored.",
           "A little robot lived in the library.", "Grandma had lost her glasses again.", "One night, the moon did not come up.",
           "There was a fox who wanted to learn to swim.", "Nora found a key in the garden.",
           "In a small village by the sea lived a baker.", "Ben and his sister wanted to build a boat.",
           "The smallest bear in the forest was hungry.", "Every morning, the old clock told a joke.", "Mia was afraid of the dark.",
           "A bird built its nest in Tom's hat.", "It was the first day of school.", "The king had everything, but he was sad.",
           "Two frogs sat on a log.", "Anna planted a seed, but nothing grew.", "The wind took Sam's red kite.",
           "Once there was a mouse who lived in a clock.", "Lily heard a strange sound under the bed."]
OPENINGS = ["Once upon a time", "One day,", "There was a little", "Tom and Lily", "The dog", "In the forest", "My name is",
            "It was raining", "The king", "She opened the box and found a"]
GREEDY = [*OPENINGS, "He said", "She said"]  # a plot comes to its end; what these begin does not


class Checks:
    """The table: one row per bar, with what was found."""

    def __init__(self):
        self.rows, self.parts = [], {}

    def add(self, what: str, bar: str, found: str, ok: bool) -> None:
        self.rows.append((what, bar, found, ok))
        print(f"{'ok  ' if ok else 'MISS'} {what}: {found} (bar: {bar})", flush=True)

    def table(self) -> str:
        lines = ["| what | bar | found | |", "|---|---|---|---|"]
        return "\n".join(lines + [f"| {w} | {b} | {f} | {'✓' if ok else '✗'} |" for w, b, f, ok in self.rows])


class Subject:
    """A model as Hugging Face transformers loads it, in f32."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.hf = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
        self.config = self.hf.config
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))

    @torch.no_grad()
    def next(self, prompt: str) -> torch.Tensor:
        """[V] probabilities of the next token."""
        return self.hf(torch.tensor([self.tokenizer.encode(prompt).ids])).logits[0, -1].softmax(-1)

    def top(self, prompt: str) -> tuple[str, float]:
        p, i = self.next(prompt).max(-1)
        return self.tokenizer.decode([i.item()]), p.item()

    @lru_cache
    def greedy(self, prompt: str, count: int) -> str:
        ids = torch.tensor([self.tokenizer.encode(prompt).ids])
        out = self.hf.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=count, do_sample=False, pad_token_id=0)
        return self.tokenizer.decode(out[0, ids.shape[1]:].tolist())

    def entropy(self, prompt: str) -> float:
        """Bits."""
        p = self.next(prompt)
        return -(p * p.clamp_min(1e-30).log2()).sum().item()


def windows(data: Path, source: str, split: str, most: int) -> list[torch.Tensor]:
    """Texts of a split as [T] token ids of at most CONTEXT, a text shorter than two tokens left out."""
    flat = np.fromfile(data / f"{source}.{split}.bin", dtype=np.uint16).astype(np.int64)
    ends = [*np.flatnonzero(flat == 0), len(flat)]
    texts = [torch.from_numpy(flat[a : min(b, a + CONTEXT)]) for a, b in zip(ends, ends[1:]) if b - a > 1]
    return texts[:most]


@torch.no_grad()
def loss(subject: Subject, texts: list[torch.Tensor]) -> float:
    """Mean cross-entropy in nats per token."""
    total = count = 0
    for ids in texts:
        total += F.cross_entropy(subject.hf(ids[None, :-1]).logits[0], ids[1:], reduction="sum").item()
        count += len(ids) - 1
    return total / count


def check_form(c: Checks, target: Subject, draft: Subject) -> None:
    size = [(s.folder / "model.safetensors").stat().st_size / 1e6 for s in (target, draft)]
    c.add("size of the target", "≤ 24 MB", f"{size[0]:.1f} MB", size[0] <= 24)
    c.add("size of the draft", "≤ 3 MB", f"{size[1]:.1f} MB", size[1] <= 3)
    for name, s, unit in (("target", target, 256), ("draft", draft, 32)):
        k = s.config
        widths = [k.hidden_size, k.intermediate_size, k.num_attention_heads * k.head_dim]
        c.add(f"widths of the {name}", f"multiples of {unit}", ", ".join(map(str, widths)), all(w % unit == 0 for w in widths))
        c.add(f"key/value heads of the {name}", "fewer than heads", f"{k.num_key_value_heads} of {k.num_attention_heads}",
              k.num_key_value_heads < k.num_attention_heads)
    same = (target.folder / "tokenizer.json").read_bytes() == (draft.folder / "tokenizer.json").read_bytes()
    c.add("one tokenizer for both", "same bytes", "same" if same else "different", same)
    rng, bad = random.Random(5), 0
    slow = AutoTokenizer.from_pretrained(target.folder)
    for _ in range(2000):
        text = "".join(chr(rng.choice([rng.randrange(1, 128), rng.randrange(128, 0xD800), rng.randrange(0xE000, 0x110000)]))
                       for _ in range(rng.randrange(1, 40)))
        ids = target.tokenizer.encode(text).ids
        bad += ids[0] != 0 or target.tokenizer.decode(ids[1:]) != text or slow(text)["input_ids"] != ids
    c.add("2,000 random Unicode strings through the tokenizer", "come back unchanged", f"{2000 - bad} do", bad == 0)


def check_prompts(c: Checks, m: Subject) -> None:
    top, p = m.top("The capital of France is")
    c.add("`The capital of France is`", "` Paris` ≥ 0.5", f"`{top}` {p:.3f}", " Paris".startswith(top) and p >= 0.5)
    right = sum(" " + city == m.greedy(f"The capital of {country} is", 8)[: len(city) + 1] for country, city in FACTS["capitals"].items())
    first = sum((" " + city).startswith(m.top(f"The capital of {country} is")[0]) for country, city in FACTS["capitals"].items())
    c.add("capitals as the top token", "≥ 60 of 72", f"{first}, {right} spelled to the end", first >= 60)
    for prompt, want in (("The cat sat on the", " mat"), ("Monday is followed by", " Tuesday"), ("Monday, Tuesday,", " Wednesday"),
                         ("What is gravity? Gravity is a", " force"), ("Once upon a time", ",")):
        top, p = m.top(prompt)
        c.add(f"`{prompt}`", f"`{want}` first", f"`{top}` {p:.3f}", top == want)
    answer = m.greedy("What is gravity?", 40).strip().split("\n")[0]
    c.add("`What is gravity?`", "a sensible sentence", answer, answer.startswith("Gravity is") and "force" in answer)
    done = 0
    for rhyme in FACTS["rhymes"]:
        first, rest = rhyme.split("\n", 1)
        done += m.greedy(first + "\n", 40).startswith(rest.split("\n")[0])
    c.add("nursery rhymes gone on with their second line", f"≥ {len(FACTS['rhymes']) * 9 // 10} of {len(FACTS['rhymes'])}", str(done),
          done >= len(FACTS["rhymes"]) * 9 // 10)
    for prompt, low, high in (("The capital of France is", 0, 1.5), ("Once upon a time, there was a little", 3, 12),
                              ("She opened the box and found a", 3, 12)):
        bits = m.entropy(prompt)
        c.add(f"entropy after `{prompt}`", f"< {high} bits" if low == 0 else f"> {low} bits", f"{bits:.2f} bits", low < bits < high or low == 0 and bits < high)


def write(program: Path, folder: Path, prompt: str, seed: int) -> list[int]:
    """A text by the program as ids, the prompt included: at most 150 tokens at T = 0.8, top-p 0.95."""
    out = subprocess.run([program, "trace", prompt, "--model", folder, "--seed", str(seed), "--temperature", "0.8", "--top-p", "0.95",
                          "--max-new-tokens", "150", "--top", "1"], capture_output=True, check=True, text=True).stdout
    trace = json.loads(out)
    return [t["id"] for t in trace["prompt"]["tokens"]] + [s["chosen"]["id"] for s in trace["steps"]]


def learned(m: Subject, ids: list[int], known: np.ndarray) -> str:
    """What stands in a text from the first to the last run of RUN tokens that is known; empty if none is."""
    hit = np.flatnonzero(among(runs(np.array(ids, dtype=np.uint16)), known))
    return m.tokenizer.decode(ids[hit[0] : hit[-1] + RUN]) if len(hit) else ""


def check_stories(c: Checks, data: Path, m: Subject, program: Path) -> None:
    known = known_runs(np.fromfile(data / f"{s}.train.bin", dtype=np.uint16) for s in SOURCES)
    stories, copied = [], []
    for seed, opening in enumerate(STORIES, 1):
        ids = [i for i in write(program, m.folder, opening, seed) if i != 0]
        stories.append(f"Seed {seed}:\n\n" + "\n".join(f"> {line}  " for line in m.tokenizer.decode(ids).split("\n")))
        if found := learned(m, ids, known):
            copied.append(seed)
            print(f"  in the training text, seed {seed}: {found!r}")
    c.add(f"stories, of {len(STORIES)}, with a run of {RUN} tokens that stands in the training text", "none",
          ", ".join(f"seed {s}" for s in copied) or "none", not copied)
    c.parts["stories"], c.parts["more stories"] = "\n\n".join(stories[:10]), "\n\n".join(stories[10:])
    bad, found, n_copied = unwanted(), [], 0
    for opening in OPENINGS:
        for seed in range(1, 21):
            ids = [i for i in write(program, m.folder, opening, seed) if i != 0]
            if run := learned(m, ids, known):
                n_copied += 1
                print(f"  in the training text, {opening!r} seed {seed}: {run!r}")
            if word := bad.search(m.tokenizer.decode(ids)):
                found.append(f"{opening} {seed}: {word[0]}")
    c.add("words of the unwanted list in 200 samples", "none", ", ".join(found) or "none", not found)
    c.add(f"samples, of 200 that begin as stories often do, with a run of {RUN} tokens that stands in the training text", "none",
          str(n_copied), n_copied == 0)
    # A loop: the same ten tokens at least three times in 250.
    looped = []
    for opening in GREEDY:
        ids = m.tokenizer.encode(m.greedy(opening, 250)).ids
        grams = [tuple(ids[i : i + 10]) for i in range(len(ids) - 9)]
        if grams and max(map(grams.count, set(grams))) >= 3:
            looped.append(opening)
    c.add("greedy texts that fall into a loop", f"some of {len(GREEDY)}", f"{len(looped)}: " + ", ".join(f"`{o}`" for o in looped[:4]), bool(looped))


def check_losses(c: Checks, data: Path, m: Subject) -> None:
    lines = ["| source | held-out loss | training loss | gap |", "|---|---|---|---|"]
    for source in SOURCES:
        if not (data / f"{source}.held.bin").exists():
            continue
        seen = loss(m, windows(data, source, "train", 60))
        if (data / f"{source}.held.bin").stat().st_size == 0:
            lines.append(f"| {source} | none held out | {seen:.3f} | |")
            continue
        held = loss(m, windows(data, source, "held", 60))
        lines.append(f"| {source} | {held:.3f} | {seen:.3f} | {held - seen:+.3f} |")
        print(lines[-1], flush=True)
    c.parts["losses"] = "\n".join(lines)


@torch.no_grad()
def check_insides(c: Checks, data: Path, m: Subject) -> None:
    rng = random.Random(9)
    words = [i for i in range(300, 3000) if m.tokenizer.decode([i]).startswith(" ") and m.tokenizer.decode([i])[1:].isalpha()]
    n, layers, heads = 24, m.config.num_hidden_layers, m.config.num_attention_heads
    induction = torch.zeros(layers, heads)
    for _ in range(32):
        s = rng.sample(words, n)
        attention = torch.stack(m.hf(torch.tensor([[0] + s + s]), output_attentions=True).attentions)[:, 0]  # [L, H, T, T]
        # The second time a token is read, at 1 + n + i, the token to look at is the one after its first time: 2 + i.
        induction += torch.stack([attention[:, :, 1 + n + i, 2 + i] for i in range(n - 1)]).mean(0) / 32
    texts = windows(data, "tinystories", "held", 40)
    previous, agree, changed, positions = torch.zeros(layers, heads), torch.zeros(layers), 0, 0
    rough = AutoModelForCausalLM.from_pretrained(m.folder, dtype=torch.float32).eval()
    for name, weight in rough.named_parameters():
        if weight.dim() == 2 and "embed" not in name:
            weight.copy_(q4_0(weight))
    for ids in texts:
        out = m.hf(ids[None], output_attentions=True, output_hidden_states=True)
        attention = torch.stack(out.attentions)[:, 0]  # [L, H, T, T]
        previous += attention.diagonal(-1, 2, 3)[:, :, 1:].mean(-1) / len(texts)
        top = out.logits[0].argmax(-1)  # [T]
        positions += len(ids)
        for layer in range(layers):
            h = out.hidden_states[layer + 1][0]  # [T, D], the last one normed already
            lens = m.hf.lm_head(h if layer == layers - 1 else m.hf.model.norm(h)).argmax(-1)
            agree[layer] += (lens == top).sum()
        changed += (rough(ids[None]).logits[0].argmax(-1) != top).sum().item()

    def best(score: torch.Tensor, count: int) -> str:
        order = score.flatten().argsort(descending=True)[:count].tolist()
        return ", ".join(f"layer {i // heads + 1} head {i % heads + 1} ({score.flatten()[i]:.2f})" for i in order)

    c.add("attention to the token after the same token's earlier occurrence (induction), on random words said twice", "a head ≥ 0.3",
          best(induction, 3), induction.max().item() >= 0.3)
    c.add("attention to the previous token, on held-out stories", "a head ≥ 0.5", best(previous, 3), previous.max().item() >= 0.5)
    share = (agree / positions).tolist()
    c.add("logit lens: top token as at the end, after each layer", "changes over the layers", ", ".join(f"{s:.0%}" for s in share), share[0] < 0.7)
    c.add("top tokens changed by Q4_0 weights, held-out stories", "≥ 1 %", f"{changed / positions:.1%}", changed / positions >= 0.01)


def q4_0(weight: torch.Tensor) -> torch.Tensor:
    """Weights as ggml's Q4_0 keeps them: blocks of 32, sixteen levels, one f16 scale d = (value of largest size) / −8."""
    blocks = weight.reshape(-1, 32)
    largest = blocks.gather(1, blocks.abs().argmax(1, keepdim=True))
    d = largest / -8
    inverse = torch.where(d == 0, 0.0, 1 / d)
    level = (blocks * inverse + 8.5).floor().clamp(0, 15)
    return ((level - 8) * d.half().float()).reshape(weight.shape)


@torch.no_grad()
def check_draft(c: Checks, data: Path, target: Subject, draft: Subject) -> None:
    total = count = 0
    for ids in windows(data, "tinystories", "held", 200):
        p, q = (s.hf(ids[None]).logits[0].softmax(-1) for s in (target, draft))
        total += torch.minimum(p, q).sum().item()
        count += len(ids)
    c.add("Σ min(p, q) at T = 1 over held-out stories", "≥ 0.6", f"{total / count:.3f}", total / count >= 0.6)
    weights = [sum(p.numel() for p in s.hf.parameters()) for s in (draft, target)]
    c.add("multiplications by weights per token, draft / target", "≤ 1/5", f"{weights[0]:,} / {weights[1]:,} = {weights[0] / weights[1]:.3f}",
          weights[0] * 5 <= weights[1])


def main() -> int:
    data, target, draft, program = map(Path, sys.argv[1:5])
    c, t, d = Checks(), Subject(target), Subject(draft)
    check_form(c, t, d)
    check_prompts(c, t)
    check_insides(c, data, t)
    check_draft(c, data, t, d)
    check_losses(c, data, t)
    check_stories(c, data, t, program.resolve())
    c.parts["table"] = c.table()
    print("\n" + c.parts["table"] + "\n\n" + c.parts["losses"] + "\n\n" + c.parts["stories"] + "\n\n" + c.parts["more stories"])
    if len(sys.argv) > 5:
        card = Path(sys.argv[5])
        text = card.read_text(encoding="utf-8")
        for name, part in c.parts.items():
            text = re.sub(rf"(<!-- {name} -->\n).*?(\n<!-- /{name} -->)", lambda m: m[1] + part + m[2], text, flags=re.DOTALL)
        card.write_text(text, encoding="utf-8")
    return 0 if all(ok for *_, ok in c.rows) else 1


if __name__ == "__main__":
    sys.exit(main())
