"""The Llama architecture for training: RMSNorm, RoPE, SwiGLU, grouped-query attention, tied embeddings.

Checked against Hugging Face transformers' LlamaForCausalLM by check.py. Shapes: B batch, T time, D width, H heads,
K key/value heads, E head width, V vocabulary.
"""

import json
import math
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from torch import nn


@dataclass
class Config:
    width: int
    layers: int
    heads: int
    kv_heads: int
    feed_forward: int
    vocabulary: int = 4096
    context: int = 512
    rope_theta: float = 10_000.0
    norm_eps: float = 1e-5


TARGET = Config(width=256, layers=6, heads=8, kv_heads=4, feed_forward=1024)
DRAFT = Config(width=128, layers=2, heads=4, kv_heads=2, feed_forward=352)


class RMSNorm(nn.Module):
    def __init__(self, width: int, eps: float):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):  # [B, T, D]
        x32 = x.float()
        return (x32 * torch.rsqrt(x32.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight).to(x.dtype)


def rotate(x, cos, sin):  # [B, H, T, E], halves as in Hugging Face's Llama
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x.dtype)


class Block(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        self.c, self.e = c, c.width // c.heads
        self.norm1, self.norm2 = RMSNorm(c.width, c.norm_eps), RMSNorm(c.width, c.norm_eps)
        self.q = nn.Linear(c.width, c.heads * self.e, bias=False)
        self.k = nn.Linear(c.width, c.kv_heads * self.e, bias=False)
        self.v = nn.Linear(c.width, c.kv_heads * self.e, bias=False)
        self.o = nn.Linear(c.heads * self.e, c.width, bias=False)
        self.gate = nn.Linear(c.width, c.feed_forward, bias=False)
        self.up = nn.Linear(c.width, c.feed_forward, bias=False)
        self.down = nn.Linear(c.feed_forward, c.width, bias=False)

    def forward(self, x, cos, sin):  # [B, T, D]
        b, t, _ = x.shape
        h = self.norm1(x)
        q = self.q(h).view(b, t, self.c.heads, self.e).transpose(1, 2)  # [B, H, T, E]
        k = self.k(h).view(b, t, self.c.kv_heads, self.e).transpose(1, 2)  # [B, K, T, E]
        v = self.v(h).view(b, t, self.c.kv_heads, self.e).transpose(1, 2)  # [B, K, T, E]
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        group = self.c.heads // self.c.kv_heads
        k, v = k.repeat_interleave(group, 1), v.repeat_interleave(group, 1)  # [B, H, T, E]
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)  # [B, H, T, E]
        x = x + self.o(a.transpose(1, 2).reshape(b, t, -1))
        h = self.norm2(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class Model(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        self.c = c
        self.embedding = nn.Embedding(c.vocabulary, c.width)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.norm = RMSNorm(c.width, c.norm_eps)
        e = c.width // c.heads
        frequency = 1.0 / (c.rope_theta ** (torch.arange(0, e, 2).float() / e))
        angle = torch.outer(torch.arange(c.context).float(), frequency)  # [T, E/2]
        self.register_buffer("cos", angle.cos(), persistent=False)
        self.register_buffer("sin", angle.sin(), persistent=False)
        for name, p in self.named_parameters():
            if p.dim() == 2:
                into_residual = name.endswith(("o.weight", "down.weight"))
                nn.init.normal_(p, std=0.02 / (math.sqrt(2 * c.layers) if into_residual else 1))

    def forward(self, ids, targets=None):
        """ids [B, T] -> logits [B, T, V], or with targets [B, T] the mean cross-entropy in nats per token."""
        x = self.embedding(ids)  # [B, T, D]
        cos, sin = self.cos[: ids.shape[1]], self.sin[: ids.shape[1]]
        for block in self.blocks:
            x = block(x, cos, sin)
        logits = F.linear(self.norm(x), self.embedding.weight)  # [B, T, V]
        if targets is None:
            return logits
        return F.cross_entropy(logits.float().view(-1, self.c.vocabulary), targets.reshape(-1))


PARTS = {"q": "self_attn.q_proj", "k": "self_attn.k_proj", "v": "self_attn.v_proj", "o": "self_attn.o_proj",
         "gate": "mlp.gate_proj", "up": "mlp.up_proj", "down": "mlp.down_proj",
         "norm1": "input_layernorm", "norm2": "post_attention_layernorm"}


def hugging_face_names(layers: int) -> dict[str, str]:
    """Each weight's name here -> its name in Hugging Face's layout."""
    names = {"embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    return names | {f"blocks.{i}.{ours}.weight": f"model.layers.{i}.{theirs}.weight"
                    for i in range(layers) for ours, theirs in PARTS.items()}


def read_folder(folder: Path) -> Model:
    """The model of a folder that export.py wrote, to be trained further."""
    c = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model = Model(Config(c["hidden_size"], c["num_hidden_layers"], c["num_attention_heads"], c["num_key_value_heads"],
                         c["intermediate_size"], c["vocab_size"], c["max_position_embeddings"], c["rope_theta"], c["rms_norm_eps"]))
    weights = load_file(folder / "model.safetensors")
    model.load_state_dict({ours: weights[theirs].float() for ours, theirs in hugging_face_names(model.c.layers).items()})
    return model
