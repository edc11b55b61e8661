"""Makes tiny checkpoints with random weights, one for each thing that a Llama-like model may do differently.

Writes tests/golden/fixtures/<name>/ (a folder in Hugging Face's layout) and
tests/golden/logits/<name>.safetensors (what transformers computes from that very folder).
"""

import math
import shutil
from dataclasses import dataclass, field

import numpy as np

from common import FIXTURES, GOLDEN, forward, load_model, save_json, save_tensors, torch
from transformers import AutoConfig, AutoModelForCausalLM

VOCAB = 128
HIDDEN = 32
STORED = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


@dataclass
class Fixture:
    """One checkpoint: what its config.json says, and how many positions its golden file has."""

    name: str
    config: dict
    seq: int = 40
    shards: int = 1
    # Settings of which each, put in place of the fixture's own, must change the logits: proof that the fixture tests it.
    matters: list = field(default_factory=list)
    # Settings that must not change the logits at all.
    idle: list = field(default_factory=list)


def llama(**changes):
    """A config.json in the form that most checkpoints on the hub have (transformers 4)."""
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": VOCAB,
        "hidden_size": HIDDEN,
        "intermediate_size": 56,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 64,
        "rope_theta": 10000.0,
        "rms_norm_eps": 1e-5,
        "hidden_act": "silu",
        "tie_word_embeddings": False,
        "attention_bias": False,
        "mlp_bias": False,
        "bos_token_id": 0,
        "eos_token_id": 1,
        "torch_dtype": "float16",
    }
    return changed(config, changes)


def other(architecture, model_type, **changes):
    """The same for another family, which knows no switches for biases."""
    config = llama(architectures=[architecture], model_type=model_type)
    del config["attention_bias"], config["mlp_bias"]
    return changed(config, changes)


def changed(config, changes):
    """`config` with `changes`; a change to None takes the key out."""
    merged = {**config, **changes}
    return {key: value for key, value in merged.items() if value is not None}


# The wavelengths of the eight pairs of a head of 16 are 6, 20, 63, 199, … positions:
# shorter than 64 / 4, between, and longer than 64 / 1.
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 4.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}

ALL = [
    Fixture("mha", llama(num_key_value_heads=4)),
    # No num_key_value_heads in config.json: as many as there are heads.
    Fixture("mha_implicit", llama(num_key_value_heads=None, num_hidden_layers=1), seq=12),
    Fixture(
        "gqa",
        llama(num_hidden_layers=3, tie_word_embeddings=True, rms_norm_eps=1e-6, torch_dtype="float32"),
        matters=[{"rope_theta": 500000.0}],
    ),
    Fixture("qkvo_bias", llama(attention_bias=True)),
    Fixture("mlp_bias", llama(mlp_bias=True)),
    # A window stands in config.json, and is switched off, as in Qwen2's own checkpoints.
    Fixture(
        "qkv_bias",
        other(
            "Qwen2ForCausalLM",
            "qwen2",
            tie_word_embeddings=True,
            rope_theta=1000000.0,
            rms_norm_eps=1e-6,
            use_sliding_window=False,
            sliding_window=8,
            max_window_layers=1,
        ),
        idle=[{"sliding_window": 64}],
        matters=[{"use_sliding_window": True}],
    ),
    Fixture(
        "qk_norm",
        other(
            "Qwen3ForCausalLM",
            "qwen3",
            head_dim=12,
            tie_word_embeddings=True,
            rope_theta=1000000.0,
            rms_norm_eps=1e-6,
            use_sliding_window=False,
            torch_dtype="float32",
        ),
    ),
    Fixture(
        "llama3_rope",
        llama(num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=256, rope_scaling=LLAMA3),
        seq=200,
        matters=[{"rope_scaling": None}, {"rope_scaling": {**LLAMA3, "low_freq_factor": 0.25}}, {"rope_scaling": {**LLAMA3, "high_freq_factor": 32.0}}],
    ),
    # The same settings in the form that transformers 5 writes.
    Fixture(
        "llama3_rope_v5",
        llama(
            num_attention_heads=2,
            num_key_value_heads=1,
            max_position_embeddings=256,
            rope_theta=None,
            rope_parameters={"rope_theta": 10000.0, **LLAMA3},
            torch_dtype=None,
            dtype="float16",
        ),
        seq=96,
        matters=[{"rope_parameters": {"rope_theta": 10000.0, "rope_type": "default"}}],
    ),
    Fixture(
        "sliding_window",
        other("MistralForCausalLM", "mistral", sliding_window=8),
        matters=[{"sliding_window": 64}, {"sliding_window": 7}, {"sliding_window": 9}],
    ),
    Fixture("sharded", llama(tie_word_embeddings=True), shards=2),
    Fixture("bf16", llama(torch_dtype="bfloat16")),
    Fixture("gelu", llama(hidden_act="gelu"), matters=[{"hidden_act": "silu"}, {"hidden_act": "gelu_pytorch_tanh"}]),
    Fixture("gelu_tanh", llama(hidden_act="gelu_pytorch_tanh"), matters=[{"hidden_act": "silu"}, {"hidden_act": "gelu"}]),
]


def random_weights(model, rng):
    """Weights that leave nothing at rest: attention with preferences, norms that scale, biases that shift."""
    weights = {}
    for name, param in sorted(model.state_dict().items()):
        shape = tuple(param.shape)
        noise = rng.standard_normal(shape)
        if name.endswith("norm.weight"):
            value = 1.0 + 0.3 * noise
        elif name.endswith(".bias"):
            value = 0.5 * noise
        elif "embed_tokens" in name or "lm_head" in name:
            value = noise * 3.0 / math.sqrt(shape[1])
        elif "q_proj" in name or "k_proj" in name:
            value = noise * 1.4 / math.sqrt(shape[1])
        else:
            value = noise * 1.0 / math.sqrt(shape[1])
        weights[name] = torch.from_numpy(value).float()
    return weights


def write_checkpoint(fixture, folder, seed):
    """Writes config.json and the weights."""
    shutil.rmtree(folder, ignore_errors=True)
    save_json(folder / "config.json", fixture.config)
    model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(folder))
    weights = random_weights(model, np.random.default_rng(seed))
    if fixture.config["tie_word_embeddings"]:
        del weights["lm_head.weight"]
    stored = STORED[fixture.config.get("torch_dtype") or fixture.config["dtype"]]
    weights = {name: tensor.to(stored) for name, tensor in weights.items()}
    if fixture.shards == 1:
        save_tensors(folder / "model.safetensors", weights, metadata={"format": "pt"})
        return
    names = sorted(weights)
    cut = [round(len(names) * n / fixture.shards) for n in range(fixture.shards + 1)]
    place = {}
    for shard in range(fixture.shards):
        file = f"model-{shard + 1:05}-of-{fixture.shards:05}.safetensors"
        mine = names[cut[shard] : cut[shard + 1]]
        save_tensors(folder / file, {name: weights[name] for name in mine}, metadata={"format": "pt"})
        place |= dict.fromkeys(mine, file)
    total = sum(tensor.nbytes for tensor in weights.values())
    save_json(folder / "model.safetensors.index.json", {"metadata": {"total_size": total}, "weight_map": place})


def logits_with(fixture, folder, ids, changes):
    """The logits that the same weights give under another config.json."""
    elsewhere = folder.parent / f".{fixture.name}-changed"
    shutil.copytree(folder, elsewhere, dirs_exist_ok=True)
    try:
        save_json(elsewhere / "config.json", changed(fixture.config, changes))
        return forward(load_model(elsewhere), ids)[0]
    finally:
        shutil.rmtree(elsewhere)


def check(fixture, folder, model, ids, logits):
    """Asserts that the golden numbers are worth comparing with."""
    spread = logits.std(dim=-1).min().item()
    assert spread > 1.0, f"{fixture.name}: the logits hardly spread ({spread:.2f})"
    assert all(p.abs().min() > 0 for n, p in model.named_parameters() if n.endswith("bias")), fixture.name
    # Ten times the tolerance that the logits are held to.
    for changes in fixture.matters:
        by = (logits - logits_with(fixture, folder, ids, changes)).abs().max().item()
        assert by > 1e-3, f"{fixture.name}: {changes} changes the logits by {by:.1e} alone"
    for changes in fixture.idle:
        assert torch.equal(logits, logits_with(fixture, folder, ids, changes)), f"{fixture.name}: {changes} matters"
    # Position 0 sees itself alone; what comes later must not change what came before.
    half = forward(model, ids[: len(ids) // 2])[0]
    assert (half - logits[: len(half)]).abs().max() < 1e-4, f"{fixture.name}: not causal"
    return spread


def main():
    for number, fixture in enumerate(ALL):
        folder = FIXTURES / fixture.name
        write_checkpoint(fixture, folder, seed=1000 + number)
        ids = np.random.default_rng(2000 + number).integers(0, VOCAB, fixture.seq).tolist()
        model = load_model(folder)
        logits, hidden = forward(model, ids)
        spread = check(fixture, folder, model, ids, logits)
        tensors = {"input_ids": torch.tensor(ids, dtype=torch.int64), "logits": logits, **hidden}
        save_tensors(GOLDEN / "logits" / f"{fixture.name}.safetensors", tensors)
        biases = sorted({n.split(".")[-2] for n, _ in model.named_parameters() if n.endswith("bias")})
        print(f"{fixture.name:16} {len(ids):4} positions, logits spread {spread:.2f}, biases {biases or 'none'}")


if __name__ == "__main__":
    main()
