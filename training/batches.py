"""Windows of tokens, drawn from the sources by weight."""

from pathlib import Path

import numpy as np
import torch

from corpus import SOURCES

BEGIN = 0.75  # most windows begin where a document begins, since a prompt always does; the others begin anywhere


class Batches:
    """Draws windows of length + 1 tokens from the `train` files of a folder, on the device that trains."""

    def __init__(self, folder: Path, device: str, seed: int):
        shares = [(s.first, s.second, s.third, s.last, s.kept) for s in SOURCES.values()]
        self.shares = torch.tensor(shares, device=device).T  # [phase, source]
        parts = [np.fromfile(folder / f"{n}.train.bin", dtype=np.uint16).astype(np.int32) for n in SOURCES]
        sizes = torch.tensor([len(p) for p in parts], device=device)
        self.tokens = torch.from_numpy(np.concatenate(parts)).to(device)  # [N], every source one after the other
        self.starts = (self.tokens == 0).nonzero()[:, 0]  # where documents begin, as each source does
        self.sizes, self.offsets = sizes, sizes.cumsum(0) - sizes
        self.random = torch.Generator(device).manual_seed(seed)

    def draw(self, phase: int, batch: int, length: int) -> torch.Tensor:
        """[batch, length + 1] token ids, with the shares of phase 1 to 5."""
        return self.windows(self.sources(phase, batch), length)

    def sources(self, phase: int, batch: int) -> torch.Tensor:
        """[batch] numbers of sources, drawn with the shares of a phase."""
        return torch.multinomial(self.shares[phase - 1], batch, replacement=True, generator=self.random)

    def of(self, source: str, batch: int, length: int) -> torch.Tensor:
        """[batch, length + 1] token ids of one source."""
        return self.windows(torch.full((batch,), list(SOURCES).index(source), device=self.tokens.device), length)

    def windows(self, source: torch.Tensor, length: int, begin: float | torch.Tensor = BEGIN) -> torch.Tensor:
        """One window from each of these sources [B]: [B, length + 1]; `begin`, one or [B]: how often where a document begins."""
        device = self.tokens.device
        chance, where = torch.rand(2, len(source), device=device, generator=self.random)
        at = self.offsets[source] + (where * (self.sizes[source] - length - 1)).long()
        start = self.starts[torch.searchsorted(self.starts, at, right=True) - 1]
        at = torch.where(chance < begin, start, at)
        return self.tokens[at[:, None] + torch.arange(length + 1, device=device)].long()
