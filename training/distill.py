"""Trains a model to imitate the mean of the distributions of one or more teachers on the same text.

    python distill.py DATA OUT.pt --size target --steps N --teachers TEACHER.pt...
    python distill.py DATA OUT.pt --size draft --steps N --teachers TARGET.pt --accept

The loss is KL(p‖q), p the teachers' and q the student's distribution (Hinton et al. 2015); with --accept and 1 − Σ min(p, q)
beside it, the chance that speculative sampling rejects a token of the draft (Leviathan et al. 2023; Zhou et al. 2024 train
on it). With --temperature below 1 the teachers' distributions are sharpened before they are averaged, and the student's logits
multiplied by as much in the end. The text is drawn with the shares of the third phase throughout; with --plots some of
every step's windows are tellings of plots instead. With --start the student goes on from a checkpoint.
"""

import argparse
from functools import partial
from pathlib import Path

import torch

from batches import Batches
from model import SIZES, Model
from train import Course, arguments, compiled, load, optimizers, save, step, trapezoid


def teacher(path: Path, device: str) -> Model:
    """A trained model to learn from, its weights in bf16."""
    model = load(path).to(device).eval().requires_grad_(False)
    for p in model.parameters():
        p.data = p.data.bfloat16()
    return model


@partial(torch.compile, dynamic=False)
def mean_probabilities(logits, temperature: float):  # of each teacher [B, T, V]
    return sum((l.float() / temperature).softmax(-1) for l in logits) / len(logits)  # [B, T, V]


@partial(torch.compile, dynamic=False)
def losses(logits, p):  # [B, T, V] both
    q = logits.float().log_softmax(-1)  # [B, T, V]
    kl = (p * (p.clamp_min(1e-10).log() - q)).sum(-1).mean()
    return kl, torch.minimum(p, q.exp()).sum(-1).mean()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--teachers", type=Path, nargs="+", required=True)
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--plots", type=int, default=0, help="so many of the windows are tellings of plots")
    a = arguments(parser)
    teachers = [compiled(teacher(path, a.device)) for path in a.teachers]
    model = compiled((load(a.start) if a.start else Model(SIZES[a.size])).to(a.device))
    opts = optimizers(model)
    batches = Batches(a.data, a.device, a.seed)

    course = Course(a, model)
    for i in course:
        windows = batches.draw(3, a.windows - a.plots, model.c.context), batches.of("plots", a.plots, model.c.context)
        ids = torch.cat(windows)[:, :-1]
        with torch.no_grad():
            p = mean_probabilities([t(ids) for t in teachers], a.temperature)
        with torch.autocast(a.device, dtype=torch.bfloat16):
            kl, accepted = losses(model(ids), p)
        step(kl + (1 - accepted) * a.accept, model, opts, trapezoid(i, course.steps))
        course.show(i + 1, kl=kl, accepted=accepted)
    model.norm.weight.data *= a.temperature  # so that what was sharpened to be learned is given at temperature 1
    save(a.out, model)


if __name__ == "__main__":
    main()
