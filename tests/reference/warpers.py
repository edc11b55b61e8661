"""Sampler chains in f64, built of Hugging Face's own logits processors, and of the definitions of what they lack."""

import math
from dataclasses import dataclass

from common import torch
from transformers import (
    MinPLogitsWarper,
    NoRepeatNGramLogitsProcessor,
    RepetitionPenaltyLogitsProcessor,
    SequenceBiasLogitsProcessor,
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


@dataclass(frozen=True)
class Step:
    """What a step has besides ids and scores: the length of the prompt, XTC's coin, and Mirostat's mu (None: at its start)."""

    n_prompt: int = 0
    xtc_coin: float = 0.0
    mu: float | None = None


def count_penalty(step, loss):
    """OpenAI's penalties: `loss` of how often each token was generated comes off its score."""

    def apply(history, scores):
        counts = torch.zeros_like(scores[0])
        for i in history[0, step.n_prompt :].tolist():
            counts[i] += 1
        return scores - loss(counts)

    return apply


def only(scores, kept):
    return torch.where(kept, scores, -torch.inf)


def top_n_sigma(n):
    """max - n * sigma, sigma over the finite scores (Tang et al. 2024; population deviation, as llama.cpp has it)."""

    def apply(_history, scores):
        finite = scores[~scores.isneginf()]
        sigma = ((finite - finite.mean()) ** 2).mean().sqrt()
        return only(scores, scores >= finite.max() - n * sigma)

    return apply


def xtc(step, threshold, probability):
    """At or above the threshold all go but the least probable, if the coin says so (p-e-w 2024, llama.cpp)."""

    def apply(_history, scores):
        probs = scores.softmax(-1)
        top = probs >= threshold
        if step.xtc_coin >= probability or int(top.sum()) < 2:
            return scores
        return only(scores, ~top | (probs == probs[top].min()))

    return apply


def mirostat(step, tau):
    """What surprises by at most mu bits, mu beginning at 2 tau, and at least the best (Basu et al. 2020, llama.cpp)."""

    def apply(_history, scores):
        mu = 2 * tau if step.mu is None else step.mu
        kept = -scores.softmax(-1).log2() <= mu
        return only(scores, kept) if bool(kept.any()) else greedy(None, scores)

    return apply


def processor(kind, value, step=Step()):
    """The processor for a stage by our name of it."""
    if kind == "greedy" or (kind == "temperature" and value == 0):
        return greedy
    return {
        "repetition_penalty": lambda: RepetitionPenaltyLogitsProcessor(float(value)),
        "temperature": lambda: TemperatureLogitsWarper(float(value)),
        "top_k": lambda: TopKLogitsWarper(int(value)),
        "top_p": lambda: TopPLogitsWarper(float(value)),
        "min_p": lambda: MinPLogitsWarper(float(value)),
        "typical": lambda: TypicalLogitsWarper(float(value)),
        "presence_penalty": lambda: count_penalty(step, lambda counts: value * (counts > 0)),
        "frequency_penalty": lambda: count_penalty(step, lambda counts: value * counts),
        "no_repeat_ngram": lambda: NoRepeatNGramLogitsProcessor(int(value)),
        "logit_bias": lambda: SequenceBiasLogitsProcessor({(i,): float(b) for i, b in value}),
        "top_n_sigma": lambda: top_n_sigma(value),
        "xtc": lambda: xtc(step, *value),
        "mirostat": lambda: mirostat(step, value[0]),
    }[kind]()


def stage_text(kind, value):
    """The stage as the command line writes it."""
    if kind == "logit_bias":
        return f"{kind}=" + ";".join(f"{i}:{b}" for i, b in value)
    if kind == "greedy":
        return kind
    return f"{kind}=" + (":".join(map(str, value)) if isinstance(value, tuple) else str(value))


def entropy_bits(probs):
    """Shannon entropy in bits; 0·log 0 is 0."""
    left = probs[probs > 0]
    # + 0.0 turns the -0.0 of a certain outcome into 0.0.
    return float(-(left * left.log2()).sum()) + 0.0


@dataclass
class Stage:
    """What one stage did; `before` and `after` are scores in f64, -inf where dropped."""

    kind: str
    value: float | tuple | None
    before: torch.Tensor
    after: torch.Tensor
    step: Step = Step()

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
            "value": self.value if isinstance(self.value, (int, float)) else None,
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
        if self.kind == "top_n_sigma":
            sigma = scores.std(correction=0)
            return around(scores.sort().values, float(scores.max() - self.value * sigma))
        if self.kind == "xtc":
            return around(scores.softmax(-1).sort().values, self.value[0])
        if self.kind == "mirostat":
            mu = 2 * self.value[0] if self.step.mu is None else self.step.mu
            return around((-scores.log_softmax(-1) / math.log(2)).sort().values, mu)
        return math.inf, math.inf


def around(ascending, threshold):
    """The distance of `threshold` from the nearest of the values, and the gap it lies in."""
    above = int((ascending < threshold).sum())
    low = float(ascending[above - 1]) if above > 0 else -math.inf
    high = float(ascending[above]) if above < len(ascending) else math.inf
    return min(threshold - low, high - threshold), high - low


def run_chain(logits, history, stages, step=Step()):
    """Applies `stages`, pairs of kind and value, in the order given.

    `logits` is one row; computing is in f64 from the first operation. Returns a list of Stage.
    """
    scores = logits.double()[None]
    ids = torch.tensor([history], dtype=torch.int64)
    done = []
    for kind, value in stages:
        # A processor may write into what it is given.
        after = processor(kind, value, step)(ids, scores.clone())
        done.append(Stage(kind, value, scores[0], after[0], step))
        scores = after
    return done
