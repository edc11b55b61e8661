"""Sampler chains in f64, built of Hugging Face's own logits processors."""

import math
from dataclasses import dataclass

from common import torch
from transformers import (
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
    TypicalLogitsWarper,
)


def greedy(_history, scores):
    """The best score alone is left, of equal ones that with the smallest id."""
    masked = torch.full_like(scores, -torch.inf)
    best = int((scores[0] == scores.max()).nonzero()[0])
    masked[0, best] = scores[0, best]
    return masked


def processor(kind, value):
    """Hugging Face's processor for a stage by our name of it."""
    if kind == "greedy" or (kind == "temperature" and value == 0):
        return greedy
    return {
        "repetition_penalty": lambda: RepetitionPenaltyLogitsProcessor(float(value)),
        "temperature": lambda: TemperatureLogitsWarper(float(value)),
        "top_k": lambda: TopKLogitsWarper(int(value)),
        "top_p": lambda: TopPLogitsWarper(float(value)),
        "min_p": lambda: MinPLogitsWarper(float(value)),
        "typical": lambda: TypicalLogitsWarper(float(value)),
    }[kind]()


def entropy_bits(probs):
    """Shannon entropy in bits; 0·log 0 is 0."""
    left = probs[probs > 0]
    # + 0.0 turns the -0.0 of a certain outcome into 0.0.
    return float(-(left * left.log2()).sum()) + 0.0


@dataclass
class Stage:
    """What one stage did; `before` and `after` are scores in f64, -inf where dropped."""

    kind: str
    value: float | None
    before: torch.Tensor
    after: torch.Tensor

    @property
    def probs_before(self):
        return self.before.softmax(-1)

    @property
    def probs_after(self):
        return self.after.softmax(-1)

    @property
    def dropped(self):
        return ~self.before.isneginf() & self.after.isneginf()

    def summary(self):
        """The numbers that the program's trace has of a stage, under the same names."""
        kept = ~self.after.isneginf()
        return {
            "kind": self.kind,
            "value": self.value,
            "candidates_before": int((~self.before.isneginf()).sum()),
            "candidates_after": int(kept.sum()),
            "mass_kept": float(self.probs_before[kept].sum()) if bool(self.dropped.any()) else 1.0,
            "entropy_bits_before": entropy_bits(self.probs_before),
            "entropy_bits_after": entropy_bits(self.probs_after),
        }

    def margin(self):
        """How far the stage was from keeping other tokens, and how far it could have been at most.

        The first number is the distance of a threshold from the value nearest to it; the second the
        smaller gap of values around it. Both are infinite where nothing can be dropped.
        """
        scores = self.before[~self.before.isneginf()]
        if self.kind == "top_k" and int(self.value) < len(scores):
            best = scores.sort(descending=True).values
            gap = float(best[int(self.value) - 1] - best[int(self.value)])
            return gap, gap
        if self.kind == "top_p":
            # As the processor counts: from the smallest up, against 1 - p.
            return around(scores.sort().values.softmax(-1).cumsum(-1), 1 - self.value)
        if self.kind == "min_p":
            return around((scores - scores.max()).sort().values, math.log(self.value))
        if self.kind == "typical":
            logs = scores.log_softmax(-1)
            shifted, order = (-logs - float(-(logs.exp() * logs).sum())).abs().sort()
            cumulative = logs.exp()[order].cumsum(-1)
            last = min(int((cumulative < self.value).sum()), len(scores) - 1)
            tie = float(shifted[last + 1] - shifted[last]) if last + 1 < len(scores) else math.inf
            distance, gap = around(cumulative, self.value)
            return min(distance, tie), min(gap, tie)
        return math.inf, math.inf


def around(ascending, threshold):
    """The distance of `threshold` from the nearest of the values, and the gap it lies in."""
    above = int((ascending < threshold).sum())
    low = float(ascending[above - 1]) if above > 0 else -math.inf
    high = float(ascending[above]) if above < len(ascending) else math.inf
    return min(threshold - low, high - threshold), high - low


def run_chain(logits, history, stages):
    """Applies `stages`, pairs of kind and value, in the order given.

    `logits` is one row; computing is in f64 from the first operation. Returns a list of Stage.
    """
    scores = logits.double()[None]
    ids = torch.tensor([history], dtype=torch.int64)
    done = []
    for kind, value in stages:
        # A processor may write into what it is given.
        after = processor(kind, value)(ids, scores.clone())
        done.append(Stage(kind, value, scores[0], after[0]))
        scores = after
    return done
