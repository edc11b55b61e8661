"""Looks inside the bundled target and four fixtures, and reaches in: the lens, attribution, patching, ablation.

Writes tests/golden/inside.json. Activations are taken out of transformers' pass and changed in it by hooks; what is
computed from them is computed in f64.
"""

import contextlib

from common import BUNDLED, FIXTURES, GOLDEN, load_model, load_tokenizer, save_json, torch
from safetensors.torch import load_file

CLEAN = "Lily saw a red bird. The bird was"
CORRUPTED = "Lily saw a big dog. The dog was"
NAMES = ["gqa", "qkv_bias", "qk_norm", "sliding_window"]
# The fixtures' texts: more than a window of 8. The tokens before this one stand in both.
N_TOKENS, N_SAME = 12, 3
# So many logits are kept, evenly over the vocabulary.
N_LOGITS = 32
# Tokens of a continuation.
N_NEW = 6


class Model:
    """A model whose blocks are watched, and changed where that is asked for."""

    def __init__(self, model):
        self.model = model
        self.layers = model.model.layers
        self.head_dim = self.layers[0].self_attn.head_dim
        self.n_heads = model.config.num_attention_heads

    @torch.no_grad()
    def run(self, ids, changes=()):
        """All logits, and what flowed through the sites by (site, layer); a change is (site, layer, function)."""
        seen = {}

        def take(site, layer, tensor):
            tensor = tensor.clone()
            for at, where, change in changes:
                if (at, where) == (site, layer):
                    tensor[0] = change(tensor[0])
            seen[site, layer] = tensor[0].clone()
            return tensor

        def after(site, layer):
            def hook(_module, _inputs, output):
                if isinstance(output, tuple):
                    return (take(site, layer, output[0]), *output[1:])
                return take(site, layer, output)

            return hook

        with contextlib.ExitStack() as stack:

            def hooked(handle):
                stack.callback(handle.remove)

            hooked(self.model.model.embed_tokens.register_forward_hook(after("embed", None)))
            for n, block in enumerate(self.layers):
                hooked(block.self_attn.o_proj.register_forward_pre_hook(lambda _, x, n=n: (take("z", n, x[0]),)))
                hooked(block.self_attn.register_forward_hook(after("attn_out", n)))
                hooked(block.mlp.register_forward_hook(after("mlp_out", n)))
                hooked(block.register_forward_hook(after("resid_post", n)))
            logits = self.model(input_ids=torch.tensor([ids]), use_cache=False).logits[0]
        seen["embed"] = seen.pop(("embed", None))
        return logits.double(), seen

    def head(self, head):
        """The columns of z that are a head's."""
        return slice(head * self.head_dim, (head + 1) * self.head_dim)


def residuals(model, seen):
    """The residual stream in the order of the lens."""
    yield seen["embed"]
    before = seen["embed"]
    for n in range(len(model.layers)):
        yield before + seen["attn_out", n]
        before = seen["resid_post", n]
        yield before


@torch.no_grad()
def lens(model, seen, target):
    """Of the last position, for each row: the best token, its probability, the target's, its rank, the entropy."""
    rows = []
    for residual in residuals(model, seen):
        logits = model.model.lm_head(model.model.model.norm(residual[-1:]))[0].double()
        probs = logits.softmax(dim=0)
        entropy = -(probs * probs.log2()).nan_to_num().sum()
        rank = int((logits > logits[target]).sum()) + 1
        best = int(logits.argmax())
        rows.append([best, probs[best].item(), probs[target].item(), rank, entropy.item(), logits[target].item()])
    return rows


@torch.no_grad()
def head_outputs(model, layer, z):
    """What each head adds to the residual stream; shape (heads, hidden)."""
    weight = model.layers[layer].self_attn.o_proj.weight.double()
    return torch.stack([weight[:, model.head(head)] @ z[model.head(head)].double() for head in range(model.n_heads)])


@torch.no_grad()
def attribution(model, seen, token, against):
    """Each part times what the final norm and the head make of it, with the norm's scale as it is."""
    norm = model.model.model.norm
    residual = seen["resid_post", len(model.layers) - 1][-1].double()
    scale = (residual.square().mean() + norm.variance_epsilon).rsqrt()
    head = model.model.lm_head.weight.double()
    direction = (head[token] - head[against]) * norm.weight.double() * scale
    parts = {"embed": (seen["embed"][-1].double() @ direction).item(), "heads": [], "biases": [], "mlps": []}
    for n, block in enumerate(model.layers):
        parts["heads"].append((head_outputs(model, n, seen["z", n][-1]) @ direction).tolist())
        bias = block.self_attn.o_proj.bias
        parts["biases"].append(0.0 if bias is None else (bias.double() @ direction).item())
        parts["mlps"].append((seen["mlp_out", n][-1].double() @ direction).item())
    return parts


def replaced(rows, columns, positions):
    """A change that puts in these rows."""

    def change(tensor):
        tensor[positions, columns] = rows[positions, columns]
        return tensor

    return change


def patches(model, clean, corrupted, answers):
    """Every place of the clean run put into the corrupted one."""
    (clean_logits, source), (logits, _) = model.run(clean), model.run(corrupted)

    def diff(logits):
        return (logits[-1, answers[0]] - logits[-1, answers[1]]).item()

    def patched(site, layer, columns, positions):
        return diff(model.run(corrupted, [(site, layer, replaced(source[site, layer], columns, positions))])[0])

    maps = {"clean": diff(clean_logits), "corrupted": diff(logits)}
    layers, everything = range(len(model.layers)), slice(None)
    for name, site in {"residual": "resid_post", "attention": "attn_out", "mlp": "mlp_out"}.items():
        maps[name] = [[patched(site, n, everything, p) for p in range(len(clean))] for n in layers]
    maps["heads"] = [[patched("z", n, model.head(h), everything) for h in range(model.n_heads)] for n in layers]
    return maps


def difference(model, clean, corrupted):
    """The residual after layer 1 at the end of a part of one text, minus that at the end of a part of the other."""
    ends = [model.run(text)[1]["resid_post", 1][-1] for text in (clean[:6], corrupted[:5])]
    return ends[1] - ends[0]


def edits(model, clean, corrupted):
    """The logits after the clean text, some of them, with something changed on the way."""
    n = len(model.layers) - 1
    _, source = model.run(clean)
    _, other = model.run(corrupted)
    towards = other["resid_post", 0][-1] - source["resid_post", 0][-1]
    between = difference(model, clean, corrupted)

    def off(columns):
        def change(tensor):
            tensor[:, columns] = 0
            return tensor

        return change

    def mean(columns, n_prompt):
        def change(tensor):
            tensor[:, columns] = tensor[:n_prompt, columns].mean(dim=0)
            return tensor

        return change

    def added(tensor):
        tensor[-1] += 1.5 * towards
        return tensor

    def added_everywhere(tensor):
        return tensor + 0.5 * between

    everything = slice(None)
    changes = {
        "none": [],
        "head_off": [("z", n, off(model.head(1)))],
        "head_mean": [("z", n, mean(model.head(1), 5))],
        "mlp_mean": [("mlp_out", 0, mean(everything, 5))],
        "layer_off": [("attn_out", 0, off(everything)), ("mlp_out", 0, off(everything))],
        "direction": [("resid_post", 0, added)],
        "difference": [("resid_post", 1, added_everywhere)],
    }
    logits = {name: model.run(clean, changes)[0][-1] for name, changes in changes.items()}
    assert all(name == "none" or (one - logits["none"]).abs().max() > 0.01 for name, one in logits.items())
    return {name: one[:: len(one) // N_LOGITS].tolist() for name, one in logits.items()}


def continuations(model, clean, corrupted):
    """The most probable tokens after the clean text, and some logits of each, with something changed in every pass.

    Each pass reads the whole text anew, so no cache has a part in it.
    """
    n = len(model.layers) - 1
    residuals = [model.run(ids)[1]["resid_post", 0][-1] for ids in (clean, corrupted)]
    towards = residuals[1] - residuals[0]

    def off(tensor):
        tensor[:, model.head(1)] = 0
        return tensor

    def mean(tensor):
        tensor[:] = tensor[: len(clean)].mean(dim=0)
        return tensor

    changes = {
        "none": [],
        "head_off": [("z", n, off), ("z", 0, off)],
        "layer_scaled": [(site, 0, lambda tensor: tensor * 0.5) for site in ("attn_out", "mlp_out")],
        "direction": [("resid_post", 0, lambda tensor: tensor + 4.0 * towards)],
        "mlp_mean": [("mlp_out", 0, mean)],
    }
    made = {}
    for name, changes in changes.items():
        ids, logits = list(clean), []
        for _ in range(N_NEW):
            logits.append(model.run(ids, changes)[0][-1])
            ids.append(int(logits[-1].argmax()))
        every = len(logits[0]) // N_LOGITS
        made[name] = {"ids": ids[len(clean) :], "logits": [one[::every].tolist() for one in logits]}
        assert name == "none" or made[name] != made["none"]
    return made


def look(model, clean, corrupted):
    """All that is kept of a model and two texts."""
    logits, seen = model.run(clean)
    answers = [int(logits[-1].argmax()), int(model.run(corrupted)[0][-1].argmax())]
    assert len(clean) == len(corrupted) and answers[0] != answers[1], answers
    parts = attribution(model, seen, *answers)
    total = parts["embed"] + sum(map(sum, parts["heads"])) + sum(parts["biases"]) + sum(parts["mlps"])
    assert abs(total - (logits[-1, answers[0]] - logits[-1, answers[1]]).item()) < 1e-4
    layer = len(model.layers) - 1
    return {
        "clean": clean,
        "corrupted": corrupted,
        "answers": answers,
        "lens": lens(model, seen, answers[0]),
        "head_outputs": head_outputs(model, layer, seen["z", layer][-1])[:, ::4].tolist(),
        "attribution": parts,
        "patches": patches(model, clean, corrupted, answers),
        "difference": difference(model, clean, corrupted)[::4].tolist(),
        "edits": edits(model, clean, corrupted),
        "continuations": continuations(model, clean, corrupted),
    }


def rounded(value):
    """Numbers to seven digits after the point, which is beyond what f32 has."""
    if isinstance(value, float):
        return round(value, 7)
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list) else value


def texts(name):
    """Two texts for a fixture, which answers them differently."""
    golden = load_file(GOLDEN / "logits" / f"{name}.safetensors")
    ids = golden["input_ids"][:N_TOKENS].tolist()
    other = ids[:N_SAME] + [(token * 7 + 3) % golden["logits"].shape[1] for token in ids[N_SAME:-1]] + ids[-1:]
    return ids, other


def main():
    golden = {}
    tokenizer = load_tokenizer(BUNDLED / "target")
    target = Model(load_model(BUNDLED / "target"))
    golden["target"] = look(target, tokenizer.encode(CLEAN).ids, tokenizer.encode(CORRUPTED).ids)
    for name in NAMES:
        golden[name] = look(Model(load_model(FIXTURES / name)), *texts(name))
    save_json(GOLDEN / "inside.json", rounded(golden), indent=None)
    for name, one in golden.items():
        maps = one["patches"]
        print(f"{name:16} {len(one['clean']):4} positions, {maps['corrupted']:.3f} patched towards {maps['clean']:.3f}")


if __name__ == "__main__":
    main()
