"""Finishes a target: opens what it is too sure of, and takes it out of circles.

    python finish.py DATA IN.pt OUT.pt STEPS

A small model that is sampled below temperature 1 says the same again. It reads text at a low learning rate, with the
fourth shares of the sources (see corpus.py), and beside it stories that it tells itself, in which every token that ends
a run of six it has said before is made less likely (unlikelihood training, Welleck et al. 2020).
"""

import sys
from pathlib import Path

import numpy as np
import torch

from batches import Batches
from train import FALL_FROM, compiled, load, optimizers, save, step

WINDOWS, LENGTH = 8, 256
TOLD_AT_ONCE, TOLD_LENGTH = 64, 160
RUN = 6
WEIGHT = 1 / 40  # of a token said before, beside a mean token of the text
WARM_UP = 20
# From the first tokens of what the stories go on.
OPENINGS = {"tinystories": 0.2, "tinystories renamed": 0.3, "tales": 0.12, "open tales": 0.34, "picture books": 0.04}


@torch.no_grad()
@torch.compiler.set_stance("force_eager")
def tell(model, prompts: torch.Tensor) -> torch.Tensor:
    """prompts [B, P] -> [B, TOLD_LENGTH] token ids, at temperature 0.8 and top-p 0.95; what follows an end is no story."""
    c, (batch, n) = model.c, prompts.shape
    caches = [torch.empty(2, batch, c.kv_heads, TOLD_LENGTH, c.width // c.heads) for _ in model.blocks]
    text = torch.zeros(batch, TOLD_LENGTH, dtype=torch.long)
    text[:, :n] = prompts
    at, new = 0, prompts
    while at + new.shape[1] < TOLD_LENGTH:
        p, order = (model.continued(new, caches, at) / 0.8).softmax(-1).topk(256)  # [B, 256]
        p[p.cumsum(-1) - p > 0.95] = 0
        at += new.shape[1]
        new = order.gather(1, torch.multinomial(p, 1))  # [B, 1]
        text[:, at : at + 1] = new
    return text


def said_before(text: torch.Tensor) -> torch.Tensor:
    """[B, T] -> [B, T] which tokens end a run of RUN tokens that stands earlier in their story."""
    marks = torch.zeros_like(text, dtype=torch.bool)
    for row, ids in enumerate(text.tolist()):
        seen = set()
        for end in range(RUN, len(ids)):
            if ids[end] == 0:
                break
            run = tuple(ids[end - RUN + 1 : end + 1])
            marks[row, end] = run in seen
            seen.add(run)
    return marks


def main() -> None:
    data, start, out, steps = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
    torch.manual_seed(4)
    model = compiled(load(start))
    opts = optimizers(model, matrices=1e-3, others=2e-4, decay=0.0)
    batches = Batches(data, "cpu", seed=4)
    sources = {name: np.fromfile(data / f"{name}.train.bin", dtype=np.uint16) for name in OPENINGS}
    starts = {name: np.flatnonzero(tokens == 0)[:-1] for name, tokens in sources.items()}
    rng = np.random.default_rng(4)
    smooth = None
    for done in range(steps):
        if done % (TOLD_AT_ONCE // WINDOWS) == 0:
            n = int(rng.integers(4, 16))
            names = rng.choice(list(OPENINGS), size=TOLD_AT_ONCE, p=list(OPENINGS.values()))
            prompts = np.stack([sources[k][at : at + n] for k in names for at in [rng.choice(starts[k])]]).astype(np.int64)
            told = tell(model, torch.from_numpy(prompts))
            marks = said_before(told)
        k = done % (TOLD_AT_ONCE // WINDOWS) * WINDOWS
        stories, marked = told[k : k + WINDOWS], marks[k : k + WINDOWS]
        ids = batches.draw(4, WINDOWS, LENGTH)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = model(ids[:, :-1], ids[:, 1:])
            logits = model(stories[:, :-1])  # [B, T - 1, V]
        p = logits.float().softmax(-1).gather(2, stories[:, 1:, None])[..., 0]  # [B, T - 1]
        again = -(1 - p).clamp_min(1e-4).log()[marked[:, 1:]].sum() / len(marked) * WEIGHT
        step(loss + again, model, opts, min(1.0, (done + 1) / WARM_UP, (1 - done / steps) / (1 - FALL_FROM)))
        now = torch.tensor([loss.item(), again.item(), marks.float().mean().item()])
        smooth = now if smooth is None else 0.95 * smooth + 0.05 * now
        if (done + 1) % 10 == 0:
            print(f"step {done + 1}/{steps} loss {smooth[0]:.3f} again {smooth[1]:.4f} said before {100 * smooth[2]:.1f} %", flush=True)
    save(out, model)


if __name__ == "__main__":
    main()
