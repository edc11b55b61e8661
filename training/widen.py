"""Gives a trained model a wider feed-forward layer, to be trained further.

    python widen.py OLD.pt NEW.pt WIDTH

The new units read the residual stream by random weights and write nothing yet (their columns of `down` are zero), so
that the wider model computes what the old one did (Chen et al. 2016, Net2Net, call this function-preserving).
"""

import sys
from dataclasses import asdict, replace
from pathlib import Path

import torch

from model import Model
from train import load


def main() -> None:
    torch.manual_seed(0)
    old, _ = load(Path(sys.argv[1]))
    new = Model(replace(old.c, feed_forward=int(sys.argv[3])))
    state, learned = new.state_dict(), old.state_dict()
    for name, weight in state.items():
        if name.endswith("down.weight"):
            weight.zero_()
        weight[tuple(slice(n) for n in learned[name].shape)] = learned[name]
    torch.save({"config": asdict(new.c), "model": state, "steps": 0}, sys.argv[2])


if __name__ == "__main__":
    main()
