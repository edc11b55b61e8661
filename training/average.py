"""Averages the weights of two models that come from one another, which keeps something of both (Wortsman et al. 2022).

    python average.py A B SHARE OUT.pt      A, B: checkpoints or exported folders; SHARE: how much of B
"""

import sys
from dataclasses import asdict
from pathlib import Path

import torch

from train import load


def main() -> None:
    a, b = (load(Path(path))[0] for path in sys.argv[1:3])
    share, of_b = float(sys.argv[3]), b.state_dict()
    averaged = {name: torch.lerp(weight, of_b[name], share) for name, weight in a.state_dict().items()}
    torch.save({"config": asdict(a.c), "model": averaged, "steps": 0}, sys.argv[4])


if __name__ == "__main__":
    main()
