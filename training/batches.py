"""Windows of tokens, drawn from the sources by weight."""

from pathlib import Path

import numpy as np
import torch

from corpus import SOURCES


class Batches:
    """Draws windows of length + 1 tokens from the `split` files of a folder.

    Most windows begin where a document begins, since a prompt always does; the others begin anywhere.
    """

    def __init__(self, folder: Path, weights: dict[str, float], seed: int, split: str = "train"):
        self.names = [n for n, w in weights.items() if w > 0]
        w = np.array([weights[n] for n in self.names])
        self.weights = w / w.sum()
        self.tokens = [np.fromfile(folder / f"{n}.{split}.bin", dtype=np.uint16) for n in self.names]
        self.starts = [np.flatnonzero(t == 0) for t in self.tokens]
        self.rng = np.random.default_rng(seed)

    def window(self, length: int) -> np.ndarray:
        source = self.rng.choice(len(self.names), p=self.weights)
        tokens, starts = self.tokens[source], self.starts[source]
        at = int(self.rng.integers(0, len(tokens) - length - 1))
        if self.rng.random() < 0.75:
            at = int(starts[np.searchsorted(starts, at, side="right") - 1])
        return tokens[at : at + length + 1]

    def draw(self, batch: int, length: int) -> torch.Tensor:
        """[batch, length + 1] token ids."""
        return torch.from_numpy(np.stack([self.window(length) for _ in range(batch)]).astype(np.int64))


def phase_weights(phase: int) -> dict[str, float]:
    """Each source's share of the tokens in phase 1 or 2."""
    return {n: (s.first, s.second)[phase - 1] for n, s in SOURCES.items()}
