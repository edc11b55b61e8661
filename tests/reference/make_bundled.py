"""Runs the bundled target and draft in transformers.

Writes tests/golden/logits/{target,draft}_{short,long,unicode}.safetensors and
tests/golden/prompts.json (the prompts and their ids).
"""

from common import BUNDLED, GOLDEN, forward, load_model, load_tokenizer, save_json, save_tensors, torch

PROMPTS = {
    "short": "The capital of France is",
    "long": (
        "Once upon a time there was a little girl named Lily. She lived with her mother in a small house near the"
        " forest. One morning she found a red ball in the garden. \"Whose ball is this?\" she asked. Her friend Ben"
        " came to the gate and said, \"It is mine, but we can play with it together.\" They ran to the park and threw"
        " the ball up and down until the sun went behind the trees. Then it began to rain, and the ball rolled into"
        " the river.\n\nBen was sad, but Lily"
    ),
    # Two, three and four bytes a letter, a joined emoji, a letter with a combining mark, tabs and line ends.
    "unicode": "Zoë’s naïve café — “¿qué?” Привет, 世界! 👩‍🚀🎈 e\u0301\t1+1=2\r\n",
}
# Of the longer prompts every so manyth position is kept, and the last.
EVERY = {"target": 8, "draft": 16}


def main():
    prompts = {}
    for name in ["target", "draft"]:
        model = load_model(BUNDLED / name)
        tokenizer = load_tokenizer(BUNDLED / name)
        for key, text in PROMPTS.items():
            ids = tokenizer.encode(text).ids
            assert ids[0] == 0 and tokenizer.decode(ids) == text, key
            prompts.setdefault(key, {"text": text, "ids": ids})
            assert prompts[key]["ids"] == ids, "the draft has another tokenizer"
            logits, hidden = forward(model, ids)
            tensors = {"input_ids": torch.tensor(ids, dtype=torch.int64)}
            if key == "short":
                positions = list(range(len(ids)))
                tensors |= hidden
            else:
                positions = sorted({*range(0, len(ids), EVERY[name]), len(ids) - 1})
            tensors["positions"] = torch.tensor(positions, dtype=torch.int64)
            tensors["logits"] = logits[positions]
            save_tensors(GOLDEN / "logits" / f"{name}_{key}.safetensors", tensors)
            best = tokenizer.decode([int(logits[-1].argmax())])
            print(f"{name:6} {key:7} {len(ids):4} positions, {len(positions)} kept, then {best!r}")
    save_json(GOLDEN / "prompts.json", prompts)


if __name__ == "__main__":
    main()
