"""Holds a trace of the program against transformers: every number of every step is computed again.

    check_trace.py --binary target/release/tokenscope "Once upon a time" -n 20 -- --temperature 0.8 --seed 7
    check_trace.py --trace trace.json
    check_trace.py --self-test

What follows `--` goes to the program as it is. The trace must have been made with `--top 0`, with the
model in f32 (the default on the CPU). Prints a table of the largest errors, and fails if one is too large.

Logits are held against one pass of transformers over the whole text. The samplers are held against
Hugging Face's processors in f64 on the logits that the trace itself has, so that a difference in the
last digit of a logit cannot push a token over a threshold.
"""

import argparse
import copy
import json
import math
import subprocess
import sys
from pathlib import Path

from common import BUNDLED, forward, load_model, load_tokenizer, torch
from warpers import Step, entropy_bits, run_chain

# What each kind of number may be off by. The first three are against transformers' logits, all others
# against the trace's own; 0 means exactly.
TOLERANCES = {
    "logit (transformers)": 1e-4,
    "prob (transformers)": 1e-4,
    "entropy_bits (transformers)": 1e-3,
    "prob": 1e-6,
    "entropy_bits": 1e-5,
    "final_prob": 1e-6,
    "mass_kept": 1e-6,
    "stage entropy": 1e-5,
    "low, high": 1e-9,
    "mu": 1e-9,
    "tail": 1e-9,
}
UNCHECKED = ("regex", "json_schema")
BYTES = {"f32": 4, "float32": 4, "f16": 2, "float16": 2, "bf16": 2, "bfloat16": 2}


class Report:
    """The largest error of every kind, and every fault that is no matter of degree."""

    def __init__(self):
        self.worst = {}
        self.faults = []

    def close(self, kind, got, want, where):
        """Notes by how much two numbers, or two tensors, differ."""
        got, want = torch.as_tensor(got, dtype=torch.float64), torch.as_tensor(want, dtype=torch.float64)
        if got.shape != want.shape or not bool(torch.isfinite(got).all()):
            self.faults.append(f"{where}: {kind} has another shape, or is no number")
            return
        error = float((got - want).abs().max())
        count, largest, place = self.worst.get(kind, (0, -1.0, ""))
        self.worst[kind] = (count + got.numel(), *max((largest, place), (error, where)))

    def same(self, what, got, want, where):
        """Notes a fault unless both are equal."""
        if got != want:
            self.faults.append(f"{where}: {what} is {short(got)}, should be {short(want)}")

    def failed(self):
        """The kinds that are off by too much."""
        return [kind for kind, (_, error, _) in self.worst.items() if not error <= TOLERANCES[kind]]

    def print(self):
        failed = self.failed()
        print(f"{'number':28} {'compared':>10} {'largest error':>14} {'allowed':>9}  where")
        for kind, (count, error, place) in self.worst.items():
            mark = "  <-- too large" if kind in failed else ""
            print(f"{kind:28} {count:10} {error:14.2e} {TOLERANCES[kind]:9.0e}  {place}{mark}")
        for fault in self.faults[:20]:
            print(f"FAULT {fault}")
        if len(self.faults) > 20:
            print(f"… and {len(self.faults) - 20} more")
        print("FAILED" if failed or self.faults else "ok")

    def exit_status(self):
        return 1 if self.failed() or self.faults else 0


def short(value):
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "…"


def byte_of_letter():
    """The table of byte-level BPE: which letter stands for which byte."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(b): b for b in printable} | {chr(256 + n): b for n, b in enumerate(others)}


class Model:
    """The checkpoint as transformers and its own files have it."""

    def __init__(self, folder):
        self.config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.hf = load_model(folder)
        self.tokenizer = load_tokenizer(folder)
        added = self.tokenizer.get_added_tokens_decoder()
        self.special = {id for id, token in added.items() if token.special}
        generation = folder / "generation_config.json"
        eos = json.loads(generation.read_text(encoding="utf-8")) if generation.exists() else self.config
        eos = eos.get("eos_token_id", self.config.get("eos_token_id"))
        self.eos = set(eos if isinstance(eos, list) else [] if eos is None else [eos])
        table = byte_of_letter()
        self.bytes = []
        for id in range(self.config["vocab_size"]):
            piece = self.tokenizer.id_to_token(id)
            self.bytes.append(piece.encode() if id in added else bytes(table[letter] for letter in piece))

    def text(self, id):
        """The piece as text, None where its bytes are not UTF-8."""
        try:
            return self.bytes[id].decode()
        except UnicodeDecodeError:
            return None

    def card(self):
        """What the trace's header should say."""
        config = self.config
        return {
            "architecture": config["architectures"][0],
            "parameters": sum(p.numel() for p in self.hf.parameters()),
            "vocab_size": config["vocab_size"],
            "context_length": config["max_position_embeddings"],
            "layers": config["num_hidden_layers"],
            "heads": config["num_attention_heads"],
            "kv_heads": config["num_key_value_heads"],
            "head_dim": self.hf.config.head_dim,
        }


def is_greedy(stages):
    """Whether one candidate alone is left, and nothing is drawn."""
    return any(kind == "greedy" or (kind, value) == ("temperature", 0) for kind, value in stages)


def setting(entry):
    """(kind, value) of a stage as the trace writes it, the value as the processors take it."""
    kind = entry["kind"]
    if kind == "xtc":
        return kind, (entry["threshold"], entry["probability"])
    if kind == "mirostat":
        return kind, (entry["tau"], entry["eta"])
    if kind == "logit_bias":
        return kind, [(id, -math.inf if bias is None else bias) for id, bias in entry["entries"]]
    return kind, entry["value"]


def step_of(entries, n_prompt, last):
    """What the stages of a step had to go by besides ids and scores: XTC's coin as the trace has it, and Mirostat's mu,
    which must be the one that the step before came to."""
    coin = next((entry["numbers"]["coin"] for entry in entries if entry["kind"] == "xtc"), 0.0)
    numbers = next((entry["numbers"] for entry in last if entry["kind"] == "mirostat"), None)
    # A forced token that Mirostat had dropped leaves it where it was.
    mu = numbers and numbers.get("mu_after", numbers["mu"])
    return Step(n_prompt, coin, mu)


def by_value(values):
    """Indices by value descending, ties by the smaller index."""
    return torch.argsort(-values, stable=True)


def check(trace, model, report):
    """Goes through the whole trace."""
    check_header(trace, model, report)
    prompt = [token["id"] for token in trace["prompt"]["tokens"]]
    chosen = [step["chosen"]["id"] for step in trace["steps"]]
    if not chosen:
        report.faults.append("trace: no steps")
        return
    logits, _ = forward(model.hf, prompt + chosen[:-1])
    logits = logits[len(prompt) - 1 :].double()
    wanted = [setting(stage) for stage in trace["sampler"]["stages"] if stage["kind"] not in UNCHECKED]
    if len(wanted) < len(trace["sampler"]["stages"]) or any(step["kv_cache"].get("forgotten") for step in trace["steps"]):
        report.faults.append("trace: constraints and a window that has slid are not checked here")
        return
    # Without a draw everywhere, the choice was greedy, whether or not a stage says so; a forced token says nothing.
    if all(step["draw"] is None and not step["chosen"]["forced"] for step in trace["steps"]) and not is_greedy(wanted):
        wanted.append(("greedy", None))
    for idx, step in enumerate(trace["steps"]):
        context = prompt + chosen[:idx]
        try:
            check_pass(trace, model, step, idx, len(prompt), context, report)
            last = trace["steps"][idx - 1]["stages"] if idx else []
            known = step_of(step["stages"], len(prompt), last)
            check_choice(wanted, model, step, f"step {idx}", context, logits[idx], known, report)
            check_mu(step, known.mu, f"step {idx}", report)
        except (KeyError, TypeError, IndexError) as error:
            report.faults.append(f"step {idx}: cannot be read, {type(error).__name__} {error}")
    check_end(trace, model, len(prompt), chosen, report)


def check_header(trace, model, report):
    """Everything outside the steps that is known before them."""
    report.same("format", trace["format"], "tokenscope-trace", "header")
    report.same("version", trace["version"], 1, "header")
    for key, want in model.card().items():
        got = trace["model"][key]
        if key == "architecture" and str(got).lower() in (want.lower(), model.config["model_type"]):
            continue
        report.same(f"model.{key}", got, want, "header")
    report.same("limits.eos_ids", set(trace["limits"]["eos_ids"]), model.eos, "header")
    report.same("limits.overflow is a choice", trace["limits"]["overflow"] in ("stop", "slide"), True, "header")
    tokens = trace["prompt"]["tokens"]
    report.same("ids of the prompt", [t["id"] for t in tokens], model.tokenizer.encode(trace["prompt"]["text"]).ids, "prompt")
    for place, token in enumerate(tokens):
        report.same("bytes", token["bytes"].lower(), model.bytes[token["id"]].hex(), f"prompt token {place}")
        report.same("text", token["text"], model.text(token["id"]), f"prompt token {place}")


def check_pass(trace, model, step, idx, n_prompt, context, report):
    """What went into the model, and what the cache holds after it."""
    where = f"step {idx}"
    card = trace["model"]
    report.same("index", step["index"], idx, where)
    report.same("phase", step["phase"], "decode" if idx else "prefill", where)
    report.same("input_tokens", step["input_tokens"], context if idx == 0 else context[-1:], where)
    start = 0 if idx == 0 else n_prompt + idx - 1
    report.same("positions", step["positions"], [start, n_prompt + idx], where)
    held = n_prompt + idx
    report.same("kv_cache.positions", step["kv_cache"]["positions"], held, where)
    size = BYTES[card["dtype"].lower()]
    formula = 2 * model.config["num_hidden_layers"] * model.config["num_key_value_heads"] * model.hf.config.head_dim * held * size
    report.same("kv_cache.bytes", step["kv_cache"]["bytes"], formula, where)
    for part in ("forward", "sample"):
        report.same(f"timing_ms.{part} is a time", step["timing_ms"][part] >= 0, True, where)


def check_choice(wanted, model, step, where, context, reference, known, report):
    """From the logits to the chosen token."""
    top = step["top"]
    vocab = model.config["vocab_size"]
    if sorted(entry["id"] for entry in top) != list(range(vocab)):
        report.faults.append(f"{where}: top does not hold every id once; was the trace made with --top 0?")
        return
    ids = torch.tensor([entry["id"] for entry in top])

    def by_id(key, dtype=torch.float64):
        return torch.zeros(vocab, dtype=dtype).scatter(0, ids, torch.tensor([entry[key] for entry in top], dtype=dtype))

    logits, probs, final = by_id("logit"), by_id("prob"), by_id("final_prob")
    kept = by_id("kept", torch.bool)
    dropped_by = {entry["id"]: entry["dropped_by"] for entry in top}
    report.close("logit (transformers)", logits, reference, where)
    report.close("prob (transformers)", probs, reference.softmax(-1), where)
    report.close("entropy_bits (transformers)", step["entropy_bits"], entropy_bits(reference.softmax(-1)), where)
    own = logits.softmax(-1)
    report.close("prob", probs, own, where)
    report.close("entropy_bits", step["entropy_bits"], entropy_bits(own), where)
    report.same("order of top", ids.tolist(), by_value(logits).tolist(), where)
    report.same("tail.count", step["tail"]["count"], 0, where)
    report.close("tail", step["tail"]["prob"], 0.0, where)
    for entry in top:
        if entry["text"] != model.text(entry["id"]):
            report.same(f"text of {entry['id']}", entry["text"], model.text(entry["id"]), where)

    stages = run_chain(logits, context, wanted, known)
    last = stages[-1].after if stages else logits
    report.close("final_prob", final, last.softmax(-1), where)
    check_kept(stages, kept, final, last.softmax(-1), dropped_by, report, where)
    check_stages(step["stages"], stages, is_greedy(wanted), report, where)
    forced = step["chosen"]["forced"]
    report.same("draw is null", step["draw"] is None, is_greedy(wanted) or forced, where)
    check_draw(step, logits, probs, final, last, model, report, where)


def check_kept(stages, kept, final, wanted_final, dropped_by, report, where):
    """Which candidates are left, and which stage took the others."""
    fate = {}
    for stage in stages:
        name = "greedy" if (stage.kind, stage.value) == ("temperature", 0) else stage.kind
        fate |= dict.fromkeys(stage.dropped.nonzero()[:, 0].tolist(), name)
    report.same("ids dropped", (~kept).nonzero()[:, 0].tolist(), sorted(fate), where)
    # At a very low temperature what is kept may be less probable than an f64 can say.
    too_small = kept & (wanted_final < 1e-300)
    report.same("ids with final_prob 0", ((final == 0) & ~too_small).nonzero()[:, 0].tolist(), sorted(fate), where)
    wrong = {id: got for id, got in dropped_by.items() if got != fate.get(id)}
    if wrong:
        id = min(wrong)
        report.same(f"dropped_by of {id} (and {len(wrong) - 1} more)", wrong[id], fate.get(id), where)


def check_stages(got, stages, may_lack_last, report, where):
    """The summary of every stage. That of greedy may be left out."""
    if may_lack_last and len(got) == len(stages) - 1:
        stages = stages[:-1]
    report.same("number of stages", len(got), len(stages), where)
    for entry, stage in zip(got, stages):
        want = stage.summary()
        at = f"{where}, {stage.kind}"
        if entry["kind"] != "greedy":
            report.same("kind", entry["kind"], want["kind"], at)
            report.same("value", setting(entry)[1], stage.value, at)
        for key in ("candidates_before", "candidates_after"):
            report.same(key, entry[key], want[key], at)
        if want["candidates_before"] == want["candidates_after"]:
            report.same("mass_kept of a stage that drops nothing", entry["mass_kept"], 1, at)
        report.close("mass_kept", entry["mass_kept"], want["mass_kept"], at)
        for key in ("entropy_bits_before", "entropy_bits_after"):
            report.close("stage entropy", entry[key], want[key], at)


def check_mu(step, before, where, report):
    """Where Mirostat's mu stood, and where the drawn token moved it (Basu et al. 2020, algorithm 2)."""
    for entry in (entry for entry in step["stages"] if entry["kind"] == "mirostat"):
        numbers, tau = entry["numbers"], entry["tau"]
        mu = 2 * tau if before is None else before
        report.close("mu", numbers["mu"], mu, where)
        prob = step["chosen"]["final_prob"]
        if prob > 0:
            surprise = -math.log2(prob)
            wanted = [surprise, mu - entry["eta"] * (surprise - tau)]
            report.close("mu", [numbers["surprise"], numbers["mu_after"]], wanted, where)
        else:
            # A forced token that Mirostat had dropped leaves it where it was.
            report.same("mu_after", "mu_after" in numbers, False, where)


def check_draw(step, logits, probs, final, last, model, report, where):
    """The random number, where it fell, and what was chosen by it."""
    chosen, draw = step["chosen"], step["draw"]
    # By the trace's own final probabilities, so that the order of near ones is the program's.
    order = by_value(final)
    if chosen["forced"]:
        pass  # whoever took it took it from all tokens
    elif draw is None:
        report.same("id of the greedy choice", chosen["id"], int(by_value(last)[0]), where)
        report.same("final_prob of the greedy choice", chosen["final_prob"], 1, where)
    else:
        high = final[order].cumsum(0)
        place = int((order == chosen["id"]).nonzero()[0])
        low = float(high[place - 1]) if place else 0.0
        report.close("low, high", [draw["low"], draw["high"]], [low, float(high[place])], where)
        report.same("u in [low, high)", draw["low"] <= draw["u"] < draw["high"], True, where)
        report.same("u in [0, 1)", 0 <= draw["u"] < 1, True, where)
    report.same("chosen.text", chosen["text"], model.text(chosen["id"]), where)
    report.same("chosen.prob", chosen["prob"], float(probs[chosen["id"]]), where)
    report.same("chosen.final_prob", chosen["final_prob"], float(final[chosen["id"]]), where)
    rank = int((by_value(logits) == chosen["id"]).nonzero()[0]) + 1
    report.same("chosen.rank", chosen["rank"], rank, where)


def check_end(trace, model, n_prompt, chosen, report):
    """The text as a whole, and why it ended."""
    max_new_tokens = trace["limits"]["max_new_tokens"]
    text = b"".join(model.bytes[id] for id in chosen if id not in model.special).decode(errors="replace")
    report.same("text", trace["text"], text, "end")
    report.same("text by the tokenizer", text, model.tokenizer.decode(chosen, skip_special_tokens=True), "end")
    early = [idx for idx, id in enumerate(chosen[:-1]) if id in model.eos]
    report.same("steps after an end-of-text token", early, [], "end")
    if chosen[-1] in model.eos:
        want = "eos"
    elif trace["limits"]["overflow"] == "stop" and n_prompt + len(chosen) > model.config["max_position_embeddings"]:
        want = "context_full"
    elif len(chosen) == max_new_tokens:
        want = "max_new_tokens"
    else:
        want = f"none: {len(chosen)} of {max_new_tokens} tokens"
    report.same("stop_reason", trace["stop_reason"], want, "end")


def synthetic(model, prompt, n_new, stages, seed):
    """A trace as the program should write it, made by transformers alone with its own KV cache."""
    ids = model.tokenizer.encode(prompt).ids
    coins = torch.Generator().manual_seed(seed)
    config, cache, fed, chosen, steps = model.config, None, list(ids), [], []
    piece = lambda id: {"id": id, "text": model.text(id)}
    for idx in range(n_new):
        with torch.no_grad():
            out = model.hf(input_ids=torch.tensor([fed]), past_key_values=cache, use_cache=True)
        cache = out.past_key_values
        logits = out.logits[0, -1].double()
        probs = logits.softmax(-1)
        done = run_chain(logits, ids + chosen, stages)
        final = (done[-1].after if done else logits).softmax(-1)
        fate = {id: s for s in done for id in s.dropped.nonzero()[:, 0].tolist()}
        greedy = is_greedy(stages)
        name = lambda s: None if s is None else "greedy" if (s.kind, s.value) == ("temperature", 0) else s.kind
        order = by_value(final)
        high = final[order].cumsum(0)
        u = float(torch.rand(1, generator=coins, dtype=torch.float64))
        place = 0 if greedy else min(int((high <= u).sum()), int((final > 0).sum()) - 1)
        id = int(order[place])
        ranks = by_value(logits).tolist()
        held = len(ids) + idx
        per_position = 2 * config["num_hidden_layers"] * config["num_key_value_heads"] * model.hf.config.head_dim * 4
        steps.append(
            {
                "index": idx,
                "phase": "decode" if idx else "prefill",
                "input_tokens": fed,
                "positions": [held - len(fed), held],
                "top": [
                    {
                        **piece(i),
                        "logit": float(logits[i]),
                        "prob": float(probs[i]),
                        "final_prob": float(final[i]),
                        "kept": i not in fate,
                        "dropped_by": name(fate.get(i)),
                    }
                    for i in ranks
                ],
                "tail": {"count": 0, "prob": 0.0},
                "entropy_bits": entropy_bits(probs),
                "stages": [s.summary() for s in done],
                "draw": None if greedy else {"u": u, "low": float(high[place - 1]) if place else 0.0, "high": float(high[place])},
                "chosen": {**piece(id), "prob": float(probs[id]), "final_prob": float(final[id]), "rank": ranks.index(id) + 1, "forced": False},
                "kv_cache": {"positions": held, "bytes": per_position * held},
                "timing_ms": {"forward": 1.0, "sample": 0.1},
            }
        )
        chosen.append(id)
        fed = [id]
        if id in model.eos:
            break
    return {
        "format": "tokenscope-trace",
        "version": 1,
        "model": {"id": "synthetic", **model.card(), "dtype": "f32", "device": "cpu"},
        "sampler": {"seed": seed, "stages": [{"kind": kind, "value": value} for kind, value in stages]},
        "prompt": {"text": prompt, "tokens": [{**piece(i), "bytes": model.bytes[i].hex()} for i in model.tokenizer.encode(prompt).ids]},
        "limits": {"max_new_tokens": n_new, "overflow": "stop", "eos_ids": sorted(model.eos)},
        "steps": steps,
        "text": model.tokenizer.decode(chosen, skip_special_tokens=True),
        "stop_reason": "eos" if chosen[-1] in model.eos else "max_new_tokens",
    }


def self_test(model):
    """Right traces must pass, and each of many small lies in one must be found."""
    chains = [
        [],
        [("temperature", 0.8), ("top_k", 40), ("top_p", 0.95), ("min_p", 0.02)],
        [("repetition_penalty", 1.3), ("top_p", 0.9), ("temperature", 1.4)],
        [("repetition_penalty", 1.3), ("temperature", 0)],
        [("greedy", None)],
    ]
    for chain in chains:
        trace = json.loads(json.dumps(synthetic(model, "Zoë saw a 🎈 and", 12, chain, seed=7)))
        report = Report()
        check(trace, model, report)
        print(f"\n{chain or 'no stages'}: {trace['text']!r}, {trace['stop_reason']}")
        report.print()
        if report.exit_status():
            return 1

    trace = json.loads(json.dumps(synthetic(model, "The cat sat on the", 6, chains[1], seed=3)))
    middle = lambda t: t["steps"][3]
    kept_last = max(i for i, entry in enumerate(middle(trace)["top"]) if entry["kept"])

    def add(place, key, by):
        def lie(t):
            target = place(t)
            target[key] = target[key] + by

        return lie

    def put(place, key, value):
        def lie(t):
            place(t)[key] = value

        return lie

    lies = {
        "a logit": add(lambda t: middle(t)["top"][9], "logit", 2e-4),
        "a probability": add(lambda t: middle(t)["top"][0], "prob", 1e-5),
        "a final probability": add(lambda t: middle(t)["top"][0], "final_prob", 1e-5),
        "a kept token": put(lambda t: middle(t)["top"][kept_last], "kept", False),
        "who dropped it": put(lambda t: middle(t)["top"][-1], "dropped_by", "top_p"),
        "a text": put(lambda t: middle(t)["top"][5], "text", "?"),
        "the order": lambda t: middle(t)["top"].reverse(),
        "a shorter list": lambda t: middle(t)["top"].pop(),
        "the entropy": add(middle, "entropy_bits", 1e-3),
        "the mass kept": add(lambda t: middle(t)["stages"][1], "mass_kept", 1e-4),
        "the mass of temperature": put(lambda t: middle(t)["stages"][0], "mass_kept", 0.99),
        "candidates": add(lambda t: middle(t)["stages"][2], "candidates_after", 1),
        "a stage's entropy": add(lambda t: middle(t)["stages"][2], "entropy_bits_after", 1e-3),
        "a stage left out": lambda t: middle(t)["stages"].pop(),
        "the temperature": put(lambda t: t["sampler"]["stages"][0], "value", 0.81),
        "the coin": add(lambda t: middle(t)["draw"], "u", 1.0),
        "the interval": add(lambda t: middle(t)["draw"], "high", 1e-6),
        "the rank": add(lambda t: middle(t)["chosen"], "rank", 1),
        "the choice": add(lambda t: middle(t)["chosen"], "id", 1),
        "positions": add(lambda t: middle(t)["positions"], 1, 1),
        "the cache's length": add(lambda t: middle(t)["kv_cache"], "positions", 1),
        "the cache's bytes": add(lambda t: middle(t)["kv_cache"], "bytes", 4),
        "the phase": put(middle, "phase", "prefill"),
        "input tokens": put(middle, "input_tokens", []),
        "bytes": put(lambda t: t["prompt"]["tokens"][1], "bytes", "00"),
        "a missing draw": put(middle, "draw", None),
        "no draws at all": lambda t: [put(lambda t: step, "draw", None)(t) for step in t["steps"]],
        "a missing key": lambda t: middle(t).pop("tail"),
        "the text": add(lambda t: t, "text", "!"),
        "the end": put(lambda t: t, "stop_reason", "eos"),
        "parameters": add(lambda t: t["model"], "parameters", 1),
        "the version": put(lambda t: t, "version", 2),
        "what ends a text": put(lambda t: t["limits"], "eos_ids", [5]),
        "the limit": add(lambda t: t["limits"], "max_new_tokens", 1),
    }
    missed = []
    # A step of which only Mirostat is looked at: mu from 6 by a token of 1/8, with eta 0.5 and tau 3.
    steered = {"kind": "mirostat", "tau": 3, "eta": 0.5, "numbers": {"mu": 6, "surprise": 3, "mu_after": 6}}
    for key in (None, "mu", "surprise", "mu_after"):
        report, entry = Report(), copy.deepcopy(steered)
        if key:
            entry["numbers"][key] += 1e-6
        check_mu({"stages": [entry], "chosen": {"final_prob": 0.125}}, None, "Mirostat", report)
        if report.exit_status() != (key is not None):
            missed.append(f"Mirostat's {key}")
    for what, lie in lies.items():
        false = copy.deepcopy(trace)
        lie(false)
        report = Report()
        check(false, model, report)
        if not report.exit_status():
            missed.append(what)
    print(f"\n{len(lies)} false traces, of which were missed: {len(missed)}", *missed, sep="; ")
    return 1 if missed else 0


def main():
    own, theirs = sys.argv[1:], []
    if "--" in own:
        cut = own.index("--")
        own, theirs = own[:cut], own[cut + 1 :]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("prompt", nargs="?", default="Once upon a time")
    parser.add_argument("--binary", type=Path, help="the program; what follows -- goes to it")
    parser.add_argument("--trace", type=Path, help="a trace that is there already")
    parser.add_argument("--self-test", action="store_true", help="check this script itself, without the program")
    parser.add_argument("--model", type=Path, default=BUNDLED / "target", help="the folder that the trace was made with")
    parser.add_argument("-n", "--max-new-tokens", type=int, default=20, help="how many tokens, with --binary")
    args = parser.parse_args(own)
    if sum([args.binary is not None, args.trace is not None, args.self_test]) != 1:
        parser.error("one of --binary, --trace, --self-test")

    if args.self_test:
        return self_test(Model(args.model))
    if args.trace:
        trace = json.loads(args.trace.read_text(encoding="utf-8"))
    else:
        command = [str(args.binary.resolve()), "trace", args.prompt, "--format", "json", "--top", "0"]
        command += ["--max-new-tokens", str(args.max_new_tokens), "--model", str(args.model), *theirs]
        trace = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    report = Report()
    check(trace, Model(args.model), report)
    print(f"{len(trace['steps'])} steps, {trace['stop_reason']}: {trace['text']!r}")
    report.print()
    return report.exit_status()


if __name__ == "__main__":
    sys.exit(main())
