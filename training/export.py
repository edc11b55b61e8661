"""Writes a checkpoint as a folder in Hugging Face's layout, weights in f16.

    python export.py CHECKPOINT.pt DATA FOLDER [SHARPEN]

DATA: the folder that holds tokenizer.json. SHARPEN: what the logits are multiplied by.
"""

import json
import shutil
import sys
from pathlib import Path

from safetensors.torch import save_file

from corpus import END
from model import hugging_face_names
from train import load

def main() -> None:
    checkpoint, data, folder = map(Path, sys.argv[1:4])
    model = load(checkpoint)
    model.norm.weight.data *= float(sys.argv[4]) if len(sys.argv) > 4 else 1.0
    c, weights = model.c, model.state_dict()
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {theirs: weights[ours] for ours, theirs in hugging_face_names(c.layers).items()}
    save_file({k: v.half().contiguous() for k, v in tensors.items()}, folder / "model.safetensors", {"format": "pt"})

    def write(name: str, content: dict) -> None:
        (folder / name).write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")

    write("config.json", {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": c.vocabulary,
        "hidden_size": c.width, "intermediate_size": c.feed_forward, "num_hidden_layers": c.layers,
        "num_attention_heads": c.heads, "num_key_value_heads": c.kv_heads, "head_dim": c.width // c.heads,
        "max_position_embeddings": c.context, "rope_theta": c.rope_theta, "rms_norm_eps": c.norm_eps,
        "hidden_act": "silu", "tie_word_embeddings": True, "attention_bias": False, "mlp_bias": False,
        "bos_token_id": 0, "eos_token_id": 0, "torch_dtype": "float16"})
    write("generation_config.json",
          {"bos_token_id": 0, "eos_token_id": 0, "do_sample": True, "temperature": 0.8, "top_p": 0.95})
    write("tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": END, "eos_token": END,
                                    "add_bos_token": True, "model_max_length": c.context})
    shutil.copy(data / "tokenizer.json", folder / "tokenizer.json")


if __name__ == "__main__":
    main()
