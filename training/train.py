"""Trains the target model in two phases.

    python train.py DATA OUT.pt --phase 1 --steps N [--from START] [--peak SHARE]
    python train.py DATA OUT.pt --phase 2 --steps N --from START [--peak SHARE]

START is a checkpoint, or a folder with a trained model (see export.py), which needs a lower peak of the learning rate.
Phase 1 reads the corpus at a constant learning rate. Phase 2 brings in the tales and, after its first third, lowers
the rate linearly to zero (a trapezoid over both).
Windows have 256 tokens, and the whole context in the last 40 % of phase 2.
Matrices are trained by Muon (Jordan et al. 2024, torch.optim.Muon), the embedding and the norms by AdamW.
"""

import argparse
import time
from dataclasses import asdict
from pathlib import Path

import torch

from batches import Batches, phase_weights
from model import TARGET, Config, Model, read_folder

TOKENS_A_STEP = 8192
DECAY_FROM = 0.33
WIDE_FROM = 0.6


def optimizers(model: Model, matrices: float, others: float) -> list[torch.optim.Optimizer]:
    """Muon for the blocks' matrices and AdamW for the rest, at these peak learning rates."""
    is_matrix = lambda n, p: p.dim() == 2 and "embedding" not in n
    named = list(model.named_parameters())
    return [
        torch.optim.Muon([p for n, p in named if is_matrix(n, p)], lr=matrices, momentum=0.95, weight_decay=0.05),
        torch.optim.AdamW([p for n, p in named if not is_matrix(n, p)], lr=others, betas=(0.9, 0.95),
                          weight_decay=0.0, fused=True),
    ]


def set_rate(opts: list[torch.optim.Optimizer], factor: float) -> None:
    """Sets every group to its peak rate times `factor`."""
    for o in opts:
        for group in o.param_groups:
            group.setdefault("peak", group["lr"])
            group["lr"] = group["peak"] * factor


def step(loss: torch.Tensor, model: Model, opts: list[torch.optim.Optimizer]) -> None:
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for o in opts:
        o.step()
        o.zero_grad(set_to_none=True)


def save(path: Path, model: Model, opts: list[torch.optim.Optimizer], done: int) -> None:
    part = path.with_suffix(".part")
    torch.save({"config": asdict(model.c), "model": model.state_dict(), "steps": done,
                "optimizers": [o.state_dict() for o in opts]}, part)
    part.rename(path)


def load(path: Path) -> tuple[Model, dict]:
    """The model of a checkpoint or of an exported folder, and what else stands in the checkpoint."""
    if path.is_dir():
        return read_folder(path), {}
    checkpoint = torch.load(path, map_location="cpu")
    model = Model(Config(**checkpoint["config"]))
    model.load_state_dict(checkpoint["model"])
    return model, checkpoint


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--phase", type=int, choices=(1, 2), required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--from", dest="start", type=Path)
    parser.add_argument("--peak", type=float, default=1.0, help="the highest learning rate, as a share of the usual one")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    a = parser.parse_args()
    torch.manual_seed(a.phase)
    model, checkpoint = load(a.start) if a.start else (Model(TARGET), {})
    model.to(a.device)
    opts = optimizers(model, 0.02, 3e-3)
    if "optimizers" in checkpoint:
        for o, state in zip(opts, checkpoint["optimizers"]):
            o.load_state_dict(state)
    print(f"{sum(p.numel() for p in model.parameters())} parameters on {a.device}", flush=True)
    batches = Batches(a.data, phase_weights(a.phase), seed=a.phase)
    loss_of = torch.compile(model, dynamic=False)
    began, smooth, saved = time.time(), None, time.time()
    for i in range(a.steps):
        left = (a.steps - i) / a.steps
        falling = a.phase == 2 and left / (1 - DECAY_FROM) or 1.0
        set_rate(opts, a.peak * min(1.0, falling, (i + 1) / 50 if a.phase == 1 else 1.0))
        wide = a.phase == 2 and i >= WIDE_FROM * a.steps
        length = TARGET.context if wide else TARGET.context // 2
        ids = batches.draw(TOKENS_A_STEP // length, length).to(a.device)
        with torch.autocast(a.device, dtype=torch.bfloat16):
            loss = loss_of(ids[:, :-1], ids[:, 1:])
        step(loss, model, opts)
        smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
        if (i + 1) % 25 == 0:
            spent = time.time() - began
            print(f"step {i + 1}/{a.steps} {spent / 60:.1f} min loss {smooth:.3f} "
                  f"{(i + 1) * TOKENS_A_STEP / spent:.0f} tokens/s", flush=True)
        if time.time() - saved > 240:
            save(a.out, model, opts, i + 1)
            saved = time.time()
    save(a.out, model, opts, a.steps)


if __name__ == "__main__":
    main()
