"""Muon (Jordan et al. 2024) for many matrices of few shapes: all of one shape at once.

The same numbers as torch.optim.Muon, which takes one matrix after the other: a GPU then waits for the next most of the time.
"""

import math
from collections import defaultdict

import torch


def orthogonal(m: torch.Tensor) -> torch.Tensor:
    """[N, R, C] -> the same with all singular values near 1, by five Newton-Schulz steps in bf16."""
    wide = m.bfloat16() if m.shape[1] <= m.shape[2] else m.bfloat16().mT
    wide = wide / wide.norm(dim=(1, 2), keepdim=True).clamp(min=1e-7)
    for _ in range(5):
        gram = wide @ wide.mT
        wide = torch.baddbmm(wide, torch.baddbmm(gram, gram, gram, beta=-4.7750, alpha=2.0315), wide, beta=3.4445)
    return wide if m.shape[1] <= m.shape[2] else wide.mT


class Muon(torch.optim.Optimizer):
    def __init__(self, matrices: list[torch.nn.Parameter], lr: float, weight_decay: float, momentum: float = 0.95):
        super().__init__(matrices, {"lr": lr, "weight_decay": weight_decay, "momentum": momentum})
        shapes = defaultdict(list)
        for matrix in self.param_groups[0]["params"]:
            shapes[matrix.shape].append(matrix)
        self.alike = [(same, torch.zeros_like(torch.stack([m.data for m in same]))) for same in shapes.values()]

    @torch.no_grad()
    def step(self) -> None:
        group = self.param_groups[0]
        lr, decay, momentum = group["lr"], group["weight_decay"], group["momentum"]
        for matrices, average in self.alike:
            gradient = torch.stack([m.grad for m in matrices])  # [N, R, C]
            average.lerp_(gradient, 1 - momentum)
            update = orthogonal(gradient.lerp(average, momentum)).to(average.dtype)
            rows, columns = matrices[0].shape
            torch._foreach_mul_(matrices, 1 - lr * decay)
            torch._foreach_add_(matrices, list(update.unbind()), alpha=-lr * math.sqrt(max(1, rows / columns)))
