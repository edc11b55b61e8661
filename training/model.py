"""The Llama architecture for training: RMSNorm, RoPE, SwiGLU, grouped-query attention, tied embeddings.

The same as Hugging Face transformers' LlamaForCausalLM, which reads what export.py writes. Shapes: B batch, T time, D width, H heads,
K key/value heads, E head width, V vocabulary.
"""

import math
from dataclasses import dataclass
from functools import partial

import torch
import torch.nn.functional as F
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
    dropout: float = 0.0  # in training: the share of each block's outputs that is left out


SIZES = {
    "teacher": Config(width=768, layers=10, heads=12, kv_heads=6, feed_forward=2048, dropout=0.2),
    "target": Config(width=256, layers=10, heads=8, kv_heads=4, feed_forward=1024),
    "draft": Config(width=128, layers=2, heads=4, kv_heads=2, feed_forward=352),
}


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
        self.leave_out = nn.Dropout(c.dropout)

    def forward(self, x, cos, sin, cache=None, at=0):
        """x [B, T, D]; cache: keys and values [2, B, K, context, E] of the `at` positions before x, which gets x's own."""
        b, t, _ = x.shape
        h = self.norm1(x)
        q = self.q(h).view(b, t, self.c.heads, self.e).transpose(1, 2)  # [B, H, T, E]
        k = self.k(h).view(b, t, self.c.kv_heads, self.e).transpose(1, 2)  # [B, K, T, E]
        v = self.v(h).view(b, t, self.c.kv_heads, self.e).transpose(1, 2)  # [B, K, T, E]
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        if cache is not None:
            cache[0, :, :, at : at + t], cache[1, :, :, at : at + t] = k, v
            k, v = cache[:, :, :, : at + t]  # [B, K, at + T, E] each
        a = F.scaled_dot_product_attention(q, k, v, is_causal=t > 1, enable_gqa=True)  # [B, H, T, E]
        x = x + self.leave_out(self.o(a.transpose(1, 2).reshape(b, t, -1)))
        h = self.norm2(x)
        return x + self.leave_out(self.down(F.silu(self.gate(h)) * self.up(h)))


@partial(torch.compile, dynamic=False)
def cross_entropy(logits, targets):  # [B, T, V], [B, T]
    return F.cross_entropy(logits.float().flatten(0, 1), targets.flatten())


class Model(nn.Module):
    def __init__(self, c: Config):
        super().__init__()
        self.c = c
        self.embedding = nn.Embedding(c.vocabulary, c.width)
        self.leave_out = nn.Dropout(c.dropout)
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
        x = self.leave_out(self.embedding(ids))  # [B, T, D]
        cos, sin = self.cos[: ids.shape[1]], self.sin[: ids.shape[1]]
        for block in self.blocks:
            x = block(x, cos, sin)
        logits = F.linear(self.norm(x), self.embedding.weight)  # [B, T, V]
        if targets is None:
            return logits
        return cross_entropy(logits, targets)

    def continued(self, ids, caches, at):
        """ids [B, T] after `at` others that are in the caches, one per block -> the last position's logits [B, V]."""
        x = self.embedding(ids)  # [B, T, D]
        cos, sin = self.cos[at : at + ids.shape[1]], self.sin[at : at + ids.shape[1]]
        for block, cache in zip(self.blocks, caches):
            x = block(x, cos, sin, cache, at)
        return F.linear(self.norm(x[:, -1]), self.embedding.weight)


PARTS = {"q": "self_attn.q_proj", "k": "self_attn.k_proj", "v": "self_attn.v_proj", "o": "self_attn.o_proj",
         "gate": "mlp.gate_proj", "up": "mlp.up_proj", "down": "mlp.down_proj",
         "norm1": "input_layernorm", "norm2": "post_attention_layernorm"}


def hugging_face_names(layers: int) -> dict[str, str]:
    """Each weight's name here -> its name in Hugging Face's layout."""
    names = {"embedding.weight": "model.embed_tokens.weight", "norm.weight": "model.norm.weight"}
    return names | {f"blocks.{i}.{ours}.weight": f"model.layers.{i}.{theirs}.weight"
                    for i in range(layers) for ours, theirs in PARTS.items()}
