"""Runs Hugging Face's logits processors in f64 over whole vocabularies.

Writes tests/golden/samplers/logits_<n>.safetensors (the rows, f32) and cases.json.
"""

from itertools import islice

import numpy as np

from common import GOLDEN, save_json, save_tensors, torch
from warpers import Step, entropy_bits, run_chain, stage_text

OUT = GOLDEN / "samplers"
# Up to so many survivors are listed one and all.
FULL = 600
# Of more, so many of the best and so many others.
BEST, OTHERS = 300, 100
# No threshold may be nearer to a value than this, or than a fifth of the gap that it lies in,
# where a vocabulary is so large that the gaps themselves are smaller.
MARGIN = 1e-6


def wide(rng, n):
    return 3.0 * rng.standard_normal(n)


def peaked(rng, n):
    row = rng.standard_normal(n)
    row[rng.choice(n, 6, replace=False)] = [13.0, 11.75, 11.5, 10.0, 9.25, 8.0] + 0.1 * rng.standard_normal(6)
    return row


def negative(rng, n):
    """Most logits below zero and some above, where a penalty works the other way."""
    return 2.0 * rng.standard_normal(n) - 3.0


ROWS = {4096: [wide, peaked, negative], 50257: [wide]}

T, K, P, M, R, Y = "temperature", "top_k", "top_p", "min_p", "repetition_penalty", "typical"
A, F, G, B = "presence_penalty", "frequency_penalty", "no_repeat_ngram", "logit_bias"
S, X, O = "top_n_sigma", "xtc", "mirostat"
# The text is the history of 40 tokens, of which so many are the prompt's.
STEP = Step(n_prompt=15, xtc_coin=0.25)
SINGLE = (
    [[(T, v)] for v in (0.3, 0.7, 1.5)]
    + [[(K, v)] for v in (1, 5, 50)]
    + [[(P, v)] for v in (0.1, 0.5, 0.9, 0.99)]
    + [[(M, v)] for v in (0.02, 0.1, 0.5)]
    + [[(Y, v)] for v in (0.2, 0.9)]
)
PENALTY = [[(R, v)] for v in (1.1, 1.3, 2.0, 0.8)]
CHAINS = [
    # Hugging Face's own order.
    [(R, 1.2), (T, 0.8), (K, 40), (P, 0.95), (M, 0.05)],
    [(T, 0.7), (K, 50), (P, 0.9)],
    [(T, 1.5), (P, 0.9), (M, 0.02)],
    # Every truncating stage sees what is left, renormalised: top-p after top-k keeps fewer than before it.
    [(K, 20), (P, 0.8)],
    [(P, 0.8), (K, 20)],
    [(K, 20), (P, 0.8), (P, 0.8)],
    # Other orders.
    [(P, 0.9), (T, 0.7)],
    [(M, 0.05), (T, 2.0), (K, 30)],
    [(M, 0.1), (P, 0.9), (T, 1.3), (R, 1.3), (K, 10)],
    [(P, 0.95), (M, 0.02), (R, 1.5), (T, 0.6), (K, 100)],
    [(K, 5), (R, 2.0), (P, 0.7)],
    [(T, 0.5), (R, 1.3), (Y, 0.9)],
    [(Y, 0.5), (P, 0.9), (T, 0.8)],
]
MORE = (
    [[(A, v)] for v in (0.7, -0.5)]
    + [[(F, v)] for v in (0.4, 1.1)]
    + [[(G, v)] for v in (1, 2)]
    + [[(S, v)] for v in (0.5, 1, 2.5)]
    + [[(X, v)] for v in ((0.1, 0.5), (0.02, 0.5), (0.02, 0.2))]
    + [[(O, v)] for v in ((1.5, 0.1), (4.0, 0.1))]
    + [[("greedy", None)]]
)
# So many random chains of five, whose stages are all of different kinds.
RANDOM, RANDOM_LEN = 40, 5


def random_stage(kind, rng, row):
    """A stage of this kind with parameters that do something."""
    best = np.argsort(-row, kind="stable")
    uniform = lambda low, high: round(float(rng.uniform(low, high)), 3)
    value = {
        R: lambda: uniform(0.8, 2),
        A: lambda: uniform(-1, 2),
        F: lambda: uniform(-1, 2),
        G: lambda: int(rng.integers(1, 4)),
        B: lambda: [(int(best[i]), float("-inf") if rng.random() < 0.4 else uniform(-4, 4)) for i in sorted(rng.choice(50, 6, replace=False))],
        T: lambda: uniform(0.3, 1.6),
        K: lambda: int(rng.integers(5, 20_000)),
        P: lambda: uniform(0.3, 0.999),
        M: lambda: uniform(0.0005, 0.1),
        Y: lambda: uniform(0.3, 0.98),
        S: lambda: uniform(1, 4),
        X: lambda: (uniform(0.001, 0.05), uniform(0.1, 1)),
        O: lambda: (uniform(1.5, 5), 0.1),
    }[kind]()
    return kind, value


def random_chain(rng, row):
    kinds = list(rng.choice([R, A, F, G, B, T, K, P, M, Y, S, X, O], RANDOM_LEN, replace=False))
    kinds.sort(key=lambda kind: kind == O)
    return [random_stage(str(kind), rng, row) for kind in kinds]


# Which chains run over which rows.
PLAN = {
    (4096, 0): SINGLE + CHAINS,
    (4096, 1): SINGLE[3:] + CHAINS,
    (4096, 2): PENALTY + CHAINS[:1] + CHAINS[8:12],
    (50257, 0): [SINGLE[i] for i in (1, 5, 7, 9, 10, 13)] + PENALTY[1:2] + CHAINS[:4] + CHAINS[8:10],
}


def history_for(row, rng):
    """Forty ids with repeats: some of the best, one of the worst, the first and the last."""
    order = np.argsort(-row, kind="stable")
    ids = [*order[:12], order[-1], 0, len(row) - 1, *rng.choice(len(row), 13, replace=False)]
    ids += [ids[0], ids[0], ids[3], *rng.choice(ids, 9)]
    return [int(i) for i in rng.permutation(ids)]


def clear(stages):
    """Whether every threshold is well away from every value."""
    for stage in stages:
        distance, gap = stage.margin()
        if distance < min(MARGIN, 0.2 * gap) or distance < 1e-9:
            return False
    return True


def draw_row(vocab, number, make):
    """The first seed whose row keeps all its cases clear."""
    for seed in range(1000):
        rng = np.random.default_rng([vocab, number, seed])
        row = make(rng, vocab).astype(np.float32)
        history = history_for(row, rng)
        results = []
        for chain in PLAN[vocab, number]:
            stages = run_chain(torch.from_numpy(row), history, chain, STEP)
            if not clear(stages):
                break
            results.append((chain, stages))
        else:
            print(f"vocabulary {vocab}, row {number}: seed {seed}, {len(results)} cases")
            return row, history, results
    raise SystemExit(f"no seed keeps the cases of row {number} of vocabulary {vocab} clear")


def clear_cases(row, history, chains):
    """Those of the chains that keep clear of every threshold on this row, and leave something of it."""
    for chain in chains:
        stages = run_chain(torch.from_numpy(row), history, chain, STEP)
        if not bool(stages[-1].after.isneginf().all()) and clear(stages):
            yield chain, stages


def case(vocab, number, history, chain, stages, rng):
    """One entry of cases.json."""
    probs = stages[-1].probs_after
    n_left = int((~stages[-1].after.isneginf()).sum())
    # By probability descending, ties by the smaller id.
    order = torch.argsort(-probs, stable=True)[:n_left]
    assert abs(float(probs.sum()) - 1) < 1e-12 and bool((probs[order] > 0).all()), (chain, float(probs.sum()), n_left)
    listed = order
    if n_left > FULL:
        others = BEST + np.sort(rng.choice(n_left - BEST, OTHERS, replace=False))
        listed = order[torch.from_numpy(np.concatenate([np.arange(BEST), others]))]
    return {
        "vocab": vocab,
        "row": number,
        "history": history if any(kind in (R, A, F, G) for kind, _ in chain) else [],
        "n_prompt": STEP.n_prompt,
        "xtc_coin": STEP.xtc_coin,
        "stages": [stage_text(kind, value) for kind, value in chain],
        "results": [stage.summary() for stage in stages],
        "n_survivors": n_left,
        "complete": n_left <= FULL,
        "ids": listed.tolist(),
        "probs": probs[listed].tolist(),
        "listed_mass": float(probs[listed].sum()),
        "smallest_prob": float(probs[order[-1]]),
        "entropy_bits": entropy_bits(probs),
    }


def main():
    cases = []
    for vocab, makers in ROWS.items():
        rows = []
        for number, make in enumerate(makers):
            row, history, results = draw_row(vocab, number, make)
            results += clear_cases(row, history, MORE)
            if vocab == 50257:
                rng = np.random.default_rng(5)
                chains = clear_cases(row, history, (random_chain(rng, row) for _ in range(1000)))
                results += islice(chains, RANDOM)
            rows.append(torch.from_numpy(row))
            rng = np.random.default_rng([vocab, number, 1 << 20])
            cases += [case(vocab, number, history, chain, stages, rng) for chain, stages in results]
        save_tensors(OUT / f"logits_{vocab}.safetensors", {"logits": torch.stack(rows)})
    # One case a line.
    save_json(OUT / "cases.json", cases, indent=None)
    text = (OUT / "cases.json").read_text(encoding="utf-8")
    (OUT / "cases.json").write_text(text.replace(',{"vocab"', ',\n{"vocab"'), encoding="utf-8")
    print(f"{len(cases)} cases")


if __name__ == "__main__":
    main()
