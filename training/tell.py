"""Lets teachers tell stories, which the target then reads beside the text itself.

    python tell.py DATA OUT.bin MINUTES TEACHER.pt...

Each story goes on from the first few tokens of a document, at temperature 0.8, until the teacher ends it. Left out are
stories without an end, those that say ten tokens twice in the same order, those with an unwanted word, and those with a
run of 20 tokens of the training text.
"""

import sys
import time
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from corpus import unwanted
from runs import among, known_runs, runs
from train import teacher

TEMPERATURE = 0.8
LONGEST, SHORTEST = 288, 50
AT_ONCE = 6144
SAID_TWICE = 10
OPENINGS = {"tinystories": 0.2, "tinystories renamed": 0.3, "tales": 0.12, "open tales": 0.34, "picture books": 0.04}


@torch.no_grad()
def tell(model, prompts: torch.Tensor, random: torch.Generator) -> torch.Tensor:
    """prompts [B, P] -> [B, LONGEST] token ids, with more than the story after its end."""
    c, (batch, n) = model.c, prompts.shape
    e = c.width // c.heads
    caches = [torch.empty(2, batch, c.kv_heads, LONGEST, e, device=prompts.device, dtype=torch.bfloat16) for _ in model.blocks]
    text = torch.zeros(batch, LONGEST, dtype=torch.long, device=prompts.device)
    text[:, :n] = prompts
    at, new = 0, prompts
    while at + new.shape[1] < LONGEST:
        logits = model.continued(new, caches, at).float()  # [B, V]
        at += new.shape[1]
        new = torch.multinomial((logits / TEMPERATURE).softmax(-1), 1, generator=random)  # [B, 1]
        text[:, at : at + 1] = new
    return text


def good(rows: np.ndarray, known: np.ndarray) -> list[np.ndarray]:
    """The stories in rows [B, LONGEST] that end, turn in no circle and are not learned by heart."""
    ends = np.where((rows[:, 1:] == 0).any(1), (rows[:, 1:] == 0).argmax(1) + 1, 0)  # [B]
    row_runs = np.stack([runs(row) for row in rows])  # [B, LONGEST - RUN + 1]
    learned = among(row_runs.ravel(), known).reshape(row_runs.shape)
    short = np.stack([runs(row, SAID_TWICE) for row in rows])  # [B, LONGEST - SAID_TWICE + 1]
    kept = []
    for row, end, heart, said in zip(rows, ends, learned, short):
        said = said[: max(end - SAID_TWICE + 1, 0)]
        if end >= SHORTEST and not heart[: end - 19].any() and len(np.unique(said)) == len(said):
            kept.append(row[:end])
    return kept


def main() -> None:
    data, out, seconds = Path(sys.argv[1]), Path(sys.argv[2]), 60 * float(sys.argv[3])
    began = time.time()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    teachers = [teacher(Path(path), device) for path in sys.argv[4:]]
    tokenizer, bad = Tokenizer.from_file(str(data / "tokenizer.json")), unwanted()
    sources = {name: np.fromfile(data / f"{name}.train.bin", dtype=np.uint16) for name in OPENINGS}
    starts = {name: np.flatnonzero(tokens == 0)[:-1] for name, tokens in sources.items()}
    known = known_runs(sources.values())
    rng, random = np.random.default_rng(9), torch.Generator(device).manual_seed(9)
    kept, size, told = [], 0, 0
    while time.time() - began < seconds:
        n = int(rng.integers(2, 13))
        names = rng.choice(list(OPENINGS), size=AT_ONCE, p=list(OPENINGS.values()))
        prompts = np.stack([sources[k][at : at + n] for k in names for at in [rng.choice(starts[k])]]).astype(np.int64)
        teller = teachers[told // AT_ONCE % len(teachers)]
        rows = tell(teller, torch.from_numpy(prompts).to(device), random).cpu().numpy().astype(np.uint16)
        spoken = time.time() - began
        stories = good(rows, known)
        stories = [s for s, text in zip(stories, tokenizer.decode_batch([s.tolist() for s in stories])) if not bad.search(text)]
        told += AT_ONCE
        kept += stories
        size += sum(map(len, stories))
        print(f"{spoken:.0f} s, {time.time() - began:.0f} s: {len(kept)} of {told} stories kept, {size} tokens", flush=True)
    np.concatenate(kept).tofile(out)
    for story in kept[:6]:
        print("---\n" + tokenizer.decode(story.tolist()), flush=True)


if __name__ == "__main__":
    main()
