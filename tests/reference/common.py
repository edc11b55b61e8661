"""What the scripts of this folder share: where things lie, and how transformers is asked for numbers."""

import json
import os
from pathlib import Path

# No script reaches for the network, and the numbers do not depend on the number of cores.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")

import torch  # noqa: E402
import transformers  # noqa: E402
from safetensors.torch import save_file  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402
from transformers import AutoModelForCausalLM  # noqa: E402

torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)
transformers.logging.disable_progress_bar()

REPO = Path(__file__).resolve().parents[2]
GOLDEN = REPO / "tests" / "golden"
FIXTURES = GOLDEN / "fixtures"
BUNDLED = REPO / "assets" / "model"


def load_model(folder):
    """The folder as transformers understands it, computing in f32 with its plain attention."""
    model = AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager", local_files_only=True
    )
    assert all(p.dtype == torch.float32 for p in model.parameters())
    return model.eval()


def load_tokenizer(folder):
    """The folder's tokenizer.json and nothing else."""
    return Tokenizer.from_file(str(Path(folder) / "tokenizer.json"))


@torch.no_grad()
def forward(model, ids):
    """Runs `ids` once, without a cache.

    Returns the logits of every position and the named hidden states: `embed`, the residual stream
    after each block as `block_0`, `block_1`, …, and `final_norm`.
    """
    seen = {}

    def keep(name):
        def hook(_module, _inputs, output):
            tensor = output[0] if isinstance(output, tuple) else output
            seen[name] = tensor[0].detach().clone()

        return hook

    handles = [model.model.embed_tokens.register_forward_hook(keep("embed"))]
    for idx, block in enumerate(model.model.layers):
        handles.append(block.register_forward_hook(keep(f"block_{idx}")))
    handles.append(model.model.norm.register_forward_hook(keep("final_norm")))
    try:
        logits = model(input_ids=torch.tensor([ids]), use_cache=False).logits[0]
    finally:
        for handle in handles:
            handle.remove()
    return logits, seen


def save_tensors(path, tensors, metadata=None):
    """Writes a safetensors file that anyone may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path, metadata=metadata)
    path.chmod(0o644)


def save_json(path, value, indent=2):
    """Writes JSON that ends with a newline; floats in their shortest form that reads back equal."""
    path.parent.mkdir(parents=True, exist_ok=True)
    separators = None if indent else (",", ":")
    text = json.dumps(value, indent=indent, ensure_ascii=False, separators=separators)
    path.write_text(text + "\n", encoding="utf-8")
