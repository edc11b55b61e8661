"""Teaches a target to tell stories with a thread: it reads plots, and stays what it was on everything else.

    python learn_plots.py DATA IN.pt OUT.pt --steps N [--peak RATE] [--fall SHARE]

Of every step's windows some are tellings of plots (see plots.py), and their next tokens are learned. The others come
from all other sources, and there the model imitates itself as it was in the beginning (see corpus.py for the shares), so
that what it knows is not learned by heart and not lost either (Li & Hoiem 2017). Stories of others are kept from their
middles only: a text that begins as a story goes on as a plot, not half as this and half as that.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from batches import BEGIN, Batches
from corpus import SOURCES, STORIES
from train import compiled, load, optimizers, save, step, trapezoid

PLOTS, OTHERS, LENGTH = 12, 4, 256
SHARES_OF_OTHERS = 5  # the phase, see batches.py


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("start", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--peak", type=float, default=0.012, help="learning rate of the matrices")
    parser.add_argument("--fall", type=float, default=0.5, help="the share of the steps in which it falls to nothing")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    a = parser.parse_args()
    torch.manual_seed(5)
    model, before = (compiled(load(a.start).to(a.device)) for _ in range(2))
    opts = optimizers(model, matrices=a.peak, others=a.peak / 5)
    batches = Batches(a.data, a.device, seed=5)
    begin = torch.tensor([0.0 if name in STORIES else BEGIN for name in SOURCES], device=a.device)
    began, smooth = time.time(), None
    for done in range(a.steps):
        plots = batches.of("plots", PLOTS, LENGTH)
        sources = batches.sources(SHARES_OF_OTHERS, OTHERS)
        others = batches.windows(sources, LENGTH, begin[sources])[:, :-1]
        with torch.autocast(a.device, dtype=torch.bfloat16):
            logits = model(torch.cat([plots[:, :-1], others]))  # [B, T, V]
            with torch.no_grad():
                was = before(others)  # [OTHERS, T, V]
        told = F.cross_entropy(logits[:PLOTS].float().flatten(0, 1), plots[:, 1:].flatten())
        changed = F.kl_div(logits[PLOTS:].float().log_softmax(-1).flatten(0, 1), was.float().log_softmax(-1).flatten(0, 1),
                           log_target=True, reduction="batchmean")
        step((PLOTS * told + OTHERS * changed) / (PLOTS + OTHERS), model, opts, trapezoid(done, a.steps, a.fall))
        now = np.array([told.item(), changed.item()])
        smooth = now if smooth is None else 0.98 * smooth + 0.02 * now
        if (done + 1) % 50 == 0 or done + 1 == a.steps:
            print(f"step {done + 1}/{a.steps} {(time.time() - began) / 60:.1f} min plots {smooth[0]:.3f} KL {smooth[1]:.4f}", flush=True)
    save(a.out, model)


if __name__ == "__main__":
    main()
