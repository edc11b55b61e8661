"""Trains the draft model to imitate the target's distribution on the same text.

    python distill.py DATA TARGET.pt OUT.pt --steps N [--from DRAFT.pt]

The text is drawn as in the second phase of the target's training. The loss is KL(p‖q) + 1 − Σ min(p, q), p the target's and q
the draft's distribution: the first term teaches the whole distribution (Hinton et al. 2015), the second is the chance
that speculative sampling rejects a token of the draft (Leviathan et al. 2023; Zhou et al. 2024 train on it).
"""

import argparse
import time
from functools import partial
from pathlib import Path

import torch

from batches import Batches, phase_weights
from model import DRAFT, Model
from train import TOKENS_A_STEP, load, optimizers, save, set_rate, step

DECAY_FROM = 0.4


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--from", dest="start", type=Path)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    a = parser.parse_args()
    torch.manual_seed(3)
    teacher, _ = load(a.target)
    teacher.to(a.device).eval()
    model = (load(a.start)[0] if a.start else Model(DRAFT)).to(a.device)
    opts = optimizers(model, 0.02, 3e-3)
    print(f"{sum(p.numel() for p in model.parameters())} parameters on {a.device}", flush=True)
    batches = Batches(a.data, phase_weights(2), seed=3)

    @partial(torch.compile, dynamic=False)
    def losses(ids):  # [B, T]
        with torch.no_grad():
            p = teacher(ids).float().log_softmax(-1)  # [B, T, V]
        q = model(ids).float().log_softmax(-1)  # [B, T, V]
        kl = (p.exp() * (p - q)).sum(-1).mean()
        return kl, torch.minimum(p.exp(), q.exp()).sum(-1).mean()

    began, smooth = time.time(), None
    for i in range(a.steps):
        set_rate(opts, min(1.0, (i + 1) / 50, (a.steps - i) / a.steps / (1 - DECAY_FROM)))
        # Short windows first, which cost less; the whole context for the last third.
        length = 256 if i < a.steps * 2 // 3 else DRAFT.context
        ids = batches.draw(TOKENS_A_STEP // length, length)[:, :-1].to(a.device)
        with torch.autocast(a.device, dtype=torch.bfloat16):
            kl, accepted = losses(ids)
        step(kl + 1 - accepted, model, opts)
        now = torch.stack([kl, accepted]).detach()
        smooth = now if smooth is None else 0.98 * smooth + 0.02 * now
        if (i + 1) % 25 == 0:
            spent = time.time() - began
            print(f"step {i + 1}/{a.steps} {spent / 60:.1f} min KL {smooth[0]:.3f} accepted {smooth[1]:.3f} "
                  f"{(i + 1) * TOKENS_A_STEP / spent:.0f} tokens/s", flush=True)
    save(a.out, model, opts, a.steps)


if __name__ == "__main__":
    main()
