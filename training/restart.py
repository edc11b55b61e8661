"""Reads an exported folder back as a checkpoint, so that a training can go on from it.

    python restart.py FOLDER SIZE OUT.pt [SHARPEN]

SHARPEN: what the logits were multiplied by when it was exported (see export.py).
"""

import sys
from pathlib import Path

from safetensors.torch import load_file

from model import SIZES, Model, hugging_face_names
from train import save


def main() -> None:
    folder, size, out = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    model = Model(SIZES[size])
    weights = load_file(folder / "model.safetensors")
    names = hugging_face_names(model.c.layers)
    model.load_state_dict({ours: weights[theirs].float() for ours, theirs in names.items()})
    model.norm.weight.data /= float(sys.argv[4]) if len(sys.argv) > 4 else 1.0
    save(out, model)


if __name__ == "__main__":
    main()
