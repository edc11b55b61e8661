"""Trains a model from nothing on the text.

    python train.py DATA OUT.pt --size teacher --steps N --seed S

The learning rate is constant for the first half and then falls linearly to zero (a trapezoid); with the fall the shares
of the sources change from those of the first phase to those of the second (see corpus.py).
Matrices are trained by Muon (see muon.py), the embedding and the norms by AdamW.
--minutes M in place of --steps takes as many steps as fit into that time.
"""

import argparse
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from batches import Batches
from model import SIZES, Config, Model
from muon import Muon

FALL_FROM = 0.5
WARM_UP = 50
SHOWN = ("tinystories", "tales", "open tales", "picture books")


def optimizers(model: Model, matrices: float = 0.02, others: float = 3e-3, decay: float = 0.05) -> list[torch.optim.Optimizer]:
    """Muon for the blocks' matrices and AdamW for the rest, at these peak learning rates."""
    is_matrix = lambda n, p: p.dim() == 2 and "embedding" not in n
    named = list(model.named_parameters())
    return [
        Muon([p for n, p in named if is_matrix(n, p)], lr=matrices, weight_decay=decay),
        torch.optim.AdamW([p for n, p in named if not is_matrix(n, p)], lr=others, betas=(0.9, 0.95),
                          weight_decay=0.0, fused=True),
    ]


def trapezoid(done: int, steps: int, fall: float = 1 - FALL_FROM) -> float:
    """The learning rate as a share of its peak; it falls over the last `fall` of all steps."""
    return min(1.0, (done + 1) / WARM_UP, (steps - done) / steps / fall)


def step(loss: torch.Tensor, model: Model, opts: list[torch.optim.Optimizer], rate: float) -> None:
    """One step of all optimizers, at a share of their peak learning rates."""
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for o in opts:
        for group in o.param_groups:
            group.setdefault("peak", group["lr"])
            group["lr"] = group["peak"] * rate
        o.step()
        o.zero_grad(set_to_none=True)


def phase(done: int, steps: int) -> int:
    return 1 if done < FALL_FROM * steps else 2


def save(path: Path, model: Model) -> None:
    torch.save({"config": asdict(model.c), "model": model.state_dict()}, path)


def load(path: Path) -> Model:
    checkpoint = torch.load(path, map_location="cpu")
    model = Model(Config(**checkpoint["config"]))
    model.load_state_dict(checkpoint["model"])
    return model


def compiled(model: Model) -> Model:
    """With every block compiled, which takes less time than the whole at once: they are alike."""
    for block in model.blocks:
        block.compile(dynamic=False)
    return model


@torch.no_grad()
@torch.compiler.set_stance("force_eager")
def held_out(model: Model, data: Path, device: str) -> str:
    """Losses in nats per token on windows of held-out text, and on as much of the training text."""
    model.eval()
    found = []
    for source in SHOWN:
        for split in ("held", "train"):
            flat = np.fromfile(data / f"{source}.{split}.bin", dtype=np.uint16)[:12_000].astype(np.int64)
            length = min(model.c.context, len(flat) - 1)
            n = (len(flat) - 1) // length
            ids = torch.from_numpy(flat[: n * length]).view(n, length).to(device)
            with torch.autocast(device, dtype=torch.bfloat16):
                logits = model(ids[:, :-1]).float()  # [N, T, V]
            found.append(f"{source} {split} {F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten()).item():.3f}")
    model.train()
    return ", ".join(found)


def arguments(parser: argparse.ArgumentParser) -> argparse.Namespace:
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--size", choices=SIZES, required=True)
    length = parser.add_mutually_exclusive_group(required=True)
    length.add_argument("--steps", type=int)
    length.add_argument("--minutes", type=float)
    parser.add_argument("--windows", type=int, default=64, help="in a step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    a = parser.parse_args()
    torch.manual_seed(a.seed)
    torch.set_float32_matmul_precision("high")
    return a


class Course:
    """The steps of a training, and how it goes."""

    def __init__(self, a: argparse.Namespace, model: Model):
        self.a, self.model, self.began = a, model, time.time()
        self.steps = a.steps or 10**9
        print(f"{sum(p.numel() for p in model.parameters())} parameters on {a.device}", flush=True)

    def __iter__(self):
        """How many steps are done, before each step."""
        done = 0
        while done < self.steps:
            if self.a.minutes and done in (20, 60):
                if self.a.device == "cuda":
                    torch.cuda.synchronize()
                now = time.time()
                if done == 60:
                    self.steps = 60 + int((self.a.minutes * 60 - (now - self.began)) / (now - compiled_at) * 40)
                compiled_at = now
            yield done
            done += 1

    def show(self, done: int, **figures: torch.Tensor) -> None:
        if done % 200 and done != self.steps:
            return
        values = " ".join(f"{name} {value.item():.3f}" for name, value in figures.items())
        spent = time.time() - self.began
        speed = done * self.a.windows * self.model.c.context / spent
        print(f"step {done}/{self.steps} {spent / 60:.1f} min {values} {speed:.0f} tokens/s", flush=True)
        if done % 2000 == 0 or done == self.steps:
            print(held_out(self.model, self.a.data, self.a.device), flush=True)


def main() -> None:
    a = arguments(argparse.ArgumentParser())
    model = compiled(Model(SIZES[a.size]).to(a.device))
    opts = optimizers(model)
    batches = Batches(a.data, a.device, a.seed)
    course = Course(a, model)
    for i in course:
        ids = batches.draw(phase(i, course.steps), a.windows, model.c.context)
        with torch.autocast(a.device, dtype=torch.bfloat16):
            loss = model(ids[:, :-1], ids[:, 1:])
        step(loss, model, opts, trapezoid(i, course.steps))
        course.show(i + 1, loss=loss)
    save(a.out, model)


if __name__ == "__main__":
    main()
