"""Runs of tokens that stand in the training text, by which one knows what was learned by heart."""

from collections.abc import Iterable

import numpy as np

RUN = 20  # tokens; a run of so many that stands in the training text counts as learned by heart


def runs(ids: np.ndarray, length: int = RUN) -> np.ndarray:
    """A 64-bit hash of every run of so many tokens."""
    if len(ids) < length:
        return np.zeros(0, dtype=np.uint64)
    h = np.zeros(len(ids) - length + 1, dtype=np.uint64)
    for k in range(length):
        h = h * np.uint64(0x9E3779B97F4A7C15) + ids[k : len(ids) - length + 1 + k].astype(np.uint64) + np.uint64(1)
    return h


def among(values: np.ndarray, ordered: np.ndarray) -> np.ndarray:
    """Which of the values are in a sorted array."""
    at = np.searchsorted(ordered, values).clip(max=len(ordered) - 1)
    return ordered[at] == values


def known_runs(texts: Iterable[np.ndarray]) -> np.ndarray:
    """The runs of all texts, ordered."""
    return np.sort(np.concatenate([runs(text) for text in texts]))
