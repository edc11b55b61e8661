"""Lets transformers' own `generate` continue a prompt greedily, in f32 on the bundled target.

Writes tests/golden/greedy.json, greedy_penalty.json and greedy_eos.json (which ends with the end-of-text
token), for prompts along which the best and the
second-best logit are never so close that rounding could swap them.
"""

from common import BUNDLED, GOLDEN, load_model, load_tokenizer, save_json, torch

N_NEW = 200
N_NEW_WITH_PENALTY = 100  # where nothing may be said again, a text soon comes to its end
MIN_MARGIN = 1e-3
EOS = 0
# The first prompt that keeps the margin is taken.
PROMPTS = [
    "Once upon a time",
    "The capital of France is",
    "The cat sat on the",
    "One day, a little boy",
    "Monday, Tuesday,",
    "There was once a king who had three sons.",
    "Lily and Ben went to the park.",
    "It was a cold winter night and",
    "The dog ran after the ball",
    "Tom had a red car.",
    "In the forest there lived a fox.",
    "He said",
    "She said",
    "They said",
]


@torch.no_grad()
def continuation(model, prompt_ids, penalty, n_new):
    """The new ids, and the smallest distance between the two best scores on the way."""
    out = model.generate(
        input_ids=torch.tensor([prompt_ids]),
        attention_mask=torch.ones(1, len(prompt_ids), dtype=torch.int64),
        do_sample=False,
        temperature=None,
        top_p=None,
        repetition_penalty=penalty,
        max_new_tokens=n_new,
        pad_token_id=0,
        output_scores=True,
        return_dict_in_generate=True,
    )
    scores = torch.cat(out.scores)
    best = scores.topk(2).values
    return out.sequences[0, len(prompt_ids) :].tolist(), (best[:, 0] - best[:, 1]).min().item()


def first_clear(model, tokenizer, penalty, n_new=N_NEW, to_the_end=False):
    """The first prompt whose continuation is never close, and is of full length, or comes to its end before."""
    for prompt in PROMPTS:
        prompt_ids = tokenizer.encode(prompt).ids
        ids, margin = continuation(model, prompt_ids, penalty, n_new)
        print(f"penalty {penalty}: {prompt!r}: {len(ids)} tokens, {len(set(ids))} different, margin {margin:.2e}")
        if (ids[-1] == EOS) == to_the_end and margin > MIN_MARGIN:
            return {
                "model": "target",
                "prompt": prompt,
                "prompt_ids": prompt_ids,
                "repetition_penalty": penalty,
                "ids": ids,
                "text": tokenizer.decode(ids, skip_special_tokens=True),
                "min_margin": margin,
            }
    raise SystemExit(f"no prompt keeps a margin of {MIN_MARGIN} at penalty {penalty}")


def main():
    model = load_model(BUNDLED / "target")
    tokenizer = load_tokenizer(BUNDLED / "target")
    save_json(GOLDEN / "greedy.json", first_clear(model, tokenizer, 1.0), indent=None)
    save_json(GOLDEN / "greedy_penalty.json", first_clear(model, tokenizer, 1.3, N_NEW_WITH_PENALTY), indent=None)
    save_json(GOLDEN / "greedy_eos.json", first_clear(model, tokenizer, 1.0, to_the_end=True), indent=None)


if __name__ == "__main__":
    main()
