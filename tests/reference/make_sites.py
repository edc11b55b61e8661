"""Writes down every site inside the fixtures' blocks, from the embedding to the logits.

Writes tests/golden/sites/<name>.safetensors for each fixture that computes something of its own. The numbers are
taken out of transformers' pass while it runs; nothing is computed again, except to check that the right place was taken.
"""

import sys
from unittest.mock import patch

from make_fixtures import ALL

from common import FIXTURES, GOLDEN, load_model, save_tensors, torch
from safetensors.torch import load_file

# The first tokens of the fixture's golden logits: more than a window of 8, and few enough to keep the files small.
N_TOKENS = 12
# These differ from another fixture in their files alone.
STORED_OTHERWISE = {"mha_implicit", "llama3_rope_v5", "sharded", "bf16"}
# What transformers adds to a masked score: the least f32, beside which the score is lost in rounding.
MASKED = torch.finfo(torch.float32).min


class Sites:
    """What was taken on the way, by its key, with the batch of one taken off."""

    def __init__(self, model):
        self.model = model
        self.seen = {}
        self.layer = None

    def keep(self, name, tensor):
        key = name if self.layer is None else f"blocks.{self.layer}.{name}"
        assert key not in self.seen, f"{key} was seen twice"
        self.seen[key] = tensor[0].detach().clone()

    def before(self, module, name):
        """Keeps what goes into a module."""
        return module.register_forward_pre_hook(lambda _module, inputs: self.keep(name, inputs[0]))

    def after(self, module, name):
        """Keeps what a module gives; attention gives its pattern besides."""

        def hook(_module, _inputs, output):
            self.keep(name, output[0] if isinstance(output, tuple) else output)

        return module.register_forward_hook(hook)

    def hooks(self):
        """Hooks on all modules. What runs outside of a block belongs to no layer."""

        def enter(layer):
            return lambda _module, _inputs: setattr(self, "layer", layer)

        model = self.model.model
        yield self.after(model.embed_tokens, "embed")
        for layer, block in enumerate(model.layers):
            yield block.register_forward_pre_hook(enter(layer))
            yield self.before(block.self_attn.o_proj, "z")
            yield self.after(block.self_attn, "attn_out")
            yield self.before(block.post_attention_layernorm, "resid_mid")
            yield self.before(block.mlp, "mlp_in")
            yield self.after(block.mlp, "mlp_out")
            yield self.after(block, "resid_post")
            yield block.register_forward_hook(lambda *_: setattr(self, "layer", None))
        yield self.after(model.norm, "final_norm")

    def rotate(self, theirs):
        """Around transformers' `apply_rotary_pos_emb`: q and k as they go in and as they come out."""

        def wrapped(q, k, *rest, **named):
            rotated = theirs(q, k, *rest, **named)
            for name, tensor in zip(("q", "k", "rot_q", "rot_k"), (q, k, *rotated), strict=True):
                # transformers has the heads before the tokens.
                self.keep(name, tensor.transpose(1, 2))
            return rotated

        return wrapped

    def attend(self, theirs):
        """Around transformers' `eager_attention_forward`: the values, and the scores as its softmax takes them."""
        softmax = torch.nn.functional.softmax

        def kept_softmax(scores, *rest, **named):
            # Masked is −∞ for us and the least number for transformers.
            self.keep("attn_scores", scores.masked_fill(scores <= MASKED / 2, -torch.inf))
            return softmax(scores, *rest, **named)

        def wrapped(module, query, key, value, *rest, **named):
            self.keep("v", value.transpose(1, 2))
            with patch.object(torch.nn.functional, "softmax", kept_softmax):
                return theirs(module, query, key, value, *rest, **named)

        return wrapped

    @torch.no_grad()
    def run(self, ids):
        """Runs `ids` once, without a cache; returns every site by its key."""
        source = sys.modules[type(self.model).__module__]
        handles = list(self.hooks())
        try:
            with (
                patch.object(source, "apply_rotary_pos_emb", self.rotate(source.apply_rotary_pos_emb)),
                patch.object(source, "eager_attention_forward", self.attend(source.eager_attention_forward)),
            ):
                output = self.model(input_ids=ids[None], use_cache=False, output_attentions=True)
        finally:
            for handle in handles:
                handle.remove()
        for layer, pattern in enumerate(output.attentions):
            self.seen[f"blocks.{layer}.pattern"] = pattern[0]
            # One row for all heads in transformers, as the output projection takes it.
            self.seen[f"blocks.{layer}.z"] = self.seen[f"blocks.{layer}.z"].view(self.seen[f"blocks.{layer}.q"].shape)
        self.seen["logits"] = output.logits[0]
        return self.seen


def shapes(config, n_tokens):
    """The shape that each site must have."""
    heads, kv_heads = config.num_attention_heads, config.num_key_value_heads
    head_dim = getattr(config, "head_dim", None) or config.hidden_size // heads
    row = (n_tokens, config.hidden_size)
    q, kv, square = (n_tokens, heads, head_dim), (n_tokens, kv_heads, head_dim), (heads, n_tokens, n_tokens)
    block = {"q": q, "k": kv, "v": kv, "rot_q": q, "rot_k": kv, "attn_scores": square, "pattern": square, "z": q}
    block |= dict.fromkeys(("attn_out", "resid_mid", "mlp_in", "mlp_out", "resid_post"), row)
    all_blocks = {f"blocks.{n}.{name}": shape for n in range(config.num_hidden_layers) for name, shape in block.items()}
    return {"embed": row, **all_blocks, "final_norm": row, "logits": (n_tokens, config.vocab_size)}


@torch.no_grad()
def check(name, model, window, sites, golden):
    """Asserts that each number was taken where its key says."""
    config = model.config

    def same(one, other, what, tolerance=0.0):
        by = (one - other).abs().max().item()
        assert by <= tolerance, f"{name}: {what} differs by {by:.1e}"

    n_tokens = len(sites["logits"])
    assert {key: tuple(tensor.shape) for key, tensor in sites.items()} == shapes(config, n_tokens), name
    same(sites["embed"], golden["embed"][:n_tokens], "embed", 1e-6)
    same(sites["final_norm"], golden["final_norm"][:n_tokens], "final_norm", 1e-5)
    same(sites["logits"], golden["logits"][:n_tokens], "logits", 1e-5)
    distance = torch.arange(n_tokens)[:, None] - torch.arange(n_tokens)
    visible = (distance >= 0) & (distance < (window or n_tokens))
    resid = sites["embed"]
    for layer, block in enumerate(model.model.layers):
        site = {key.split(".")[2]: tensor for key, tensor in sites.items() if key.startswith(f"blocks.{layer}.")}
        for one in ("q", "k"):
            # The rotation leaves position 0 as it is and turns all others, without making them longer.
            same(site[one][0], site[f"rot_{one}"][0], f"{one} at position 0")
            assert (site[one][1:] - site[f"rot_{one}"][1:]).abs().amax(dim=(1, 2)).min() > 0.01, name
            same(site[one].norm(dim=-1), site[f"rot_{one}"].norm(dim=-1), f"the length of {one}", 1e-5)
        shared = config.num_attention_heads // config.num_key_value_heads
        keys, values = (site[one].repeat_interleave(shared, dim=1) for one in ("rot_k", "v"))
        scores = torch.einsum("qhd,khd->hqk", site["rot_q"], keys) / keys.shape[-1] ** 0.5
        assert torch.equal(site["attn_scores"].isfinite(), visible.expand_as(scores)), f"{name}: the mask"
        same(site["attn_scores"][:, visible], scores[:, visible], "attn_scores", 1e-5)
        same(site["attn_scores"].softmax(dim=-1), site["pattern"], "pattern")
        same(torch.einsum("hqk,khd->qhd", site["pattern"], values), site["z"], "z", 1e-5)
        same(block.self_attn.o_proj(site["z"].flatten(1)), site["attn_out"], "attn_out", 1e-5)
        same(resid + site["attn_out"], site["resid_mid"], "resid_mid")
        same(block.mlp(site["mlp_in"]), site["mlp_out"], "mlp_out", 1e-5)
        same(site["resid_mid"] + site["mlp_out"], site["resid_post"], "resid_post")
        same(site["resid_post"], golden[f"block_{layer}"][:n_tokens], "resid_post", 1e-5)
        resid = site["resid_post"]


def main():
    for fixture in ALL:
        if fixture.name in STORED_OTHERWISE:
            continue
        model = load_model(FIXTURES / fixture.name)
        golden = load_file(GOLDEN / "logits" / f"{fixture.name}.safetensors")
        ids = golden["input_ids"][:N_TOKENS]
        sites = Sites(model).run(ids)
        window = fixture.config.get("sliding_window") if fixture.config.get("use_sliding_window", True) else None
        check(fixture.name, model, window, sites, golden)
        save_tensors(GOLDEN / "sites" / f"{fixture.name}.safetensors", {"tokens": ids, **sites})
        print(f"{fixture.name:16} {len(ids):4} positions, {len(sites)} sites")


if __name__ == "__main__":
    main()
