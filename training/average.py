"""Averages the weights of two models that come from one another, which keeps something of both (Wortsman et al. 2022).

    python average.py A.pt B.pt SHARE OUT.pt      SHARE: how much of B
"""

import sys
from pathlib import Path

import torch

from train import load, save


def main() -> None:
    a, b = (load(Path(path)) for path in sys.argv[1:3])
    share, of_b = float(sys.argv[3]), b.state_dict()
    a.load_state_dict({name: torch.lerp(weight, of_b[name], share) for name, weight in a.state_dict().items()})
    save(Path(sys.argv[4]), a)


if __name__ == "__main__":
    main()
