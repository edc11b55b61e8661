"""Lets transformers' own `generate` search with beams, in f32 on the bundled target.

Writes tests/golden/beams.json: for prompts, widths and length penalties the best sequences and their scores. Only
searches are kept along which the beams that are kept and the best that is dropped are never so close that rounding could
swap them; each is made twice, in f32 and in f64, and must come out the same.
"""

from common import BUNDLED, GOLDEN, load_model, load_tokenizer, save_json, torch

PROMPTS = ["Once upon a time", "The capital of France is", "What is gravity?", "The dog ran after the ball", "Monday,"]
CASES = [(2, 1.0, 12), (4, 1.0, 20), (4, 0.0, 30), (8, 2.0, 16), (3, -0.5, 40), (5, 0.6, 60)]


@torch.no_grad()
def search(model, ids, width, penalty, n_new):
    out = model.generate(
        input_ids=torch.tensor([ids]),
        attention_mask=torch.ones(1, len(ids), dtype=torch.int64),
        do_sample=False,
        temperature=None,
        top_p=None,
        num_beams=width,
        num_return_sequences=width,
        length_penalty=penalty,
        early_stopping=False,
        max_new_tokens=n_new,
        pad_token_id=0,
        eos_token_id=0,
        return_dict_in_generate=True,
        output_scores=True,
    )
    found = []
    for sequence, score in zip(out.sequences.tolist(), out.sequences_scores.tolist()):
        new = sequence[len(ids):]
        # What stands behind the end of a shorter one is padding.
        if 0 in new:
            new = new[: new.index(0) + 1]
        found.append({"ids": new, "score": score})
    return found


def main():
    tokenizer = load_tokenizer(BUNDLED / "target")
    model = load_model(BUNDLED / "target")
    exact = load_model(BUNDLED / "target").double()
    cases = []
    for prompt in PROMPTS:
        ids = tokenizer.encode(prompt).ids
        for width, penalty, n_new in CASES:
            found = search(model, ids, width, penalty, n_new)
            again = search(exact, ids, width, penalty, n_new)
            if [beam["ids"] for beam in found] != [beam["ids"] for beam in again]:
                print(f"left out, too close: {prompt!r} {width} {penalty}")
                continue
            cases.append(
                {"prompt": prompt, "prompt_ids": ids, "beams": width, "length_penalty": penalty,
                 "max_new_tokens": n_new, "found": again}
            )
    assert len(cases) >= 25
    assert any(beam["ids"][-1] == 0 for case in cases for beam in case["found"]), "none ended by itself"
    save_json(GOLDEN / "beams.json", cases, indent=None)


if __name__ == "__main__":
    main()
