"""Averages the weights of two checkpoints of one run, which keeps something of both (Wortsman et al. 2022).

    python average.py A.pt B.pt SHARE OUT.pt      SHARE: how much of B
"""

import sys
from pathlib import Path

import torch


def main() -> None:
    a, b = (torch.load(path, map_location="cpu") for path in sys.argv[1:3])
    share = float(sys.argv[3])
    a["model"] = {name: torch.lerp(weight, b["model"][name], share) for name, weight in a["model"].items()}
    del a["optimizers"]
    torch.save(a, Path(sys.argv[4]))


if __name__ == "__main__":
    main()
