"""Makes the tokenizer and one file of token ids per source and split.

    python prepare.py CORPUS OUT [SOURCE…] [--freely]      CORPUS: the folder with the text; OUT gets tokenizer.json and *.train.bin, *.held.bin
"""

import random
import sys
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from corpus import END, SOURCES, read
from names import rename
from open_tales import tell
from plots import tellings
from reword import retell

VOCABULARY = 4096


def train_tokenizer(texts: list[str]) -> Tokenizer:
    """Byte-level BPE (Radford et al. 2019): every byte is a piece, so any string can be written."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=[END], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False))
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{END} $A", pair=f"{END} $A $B", special_tokens=[(END, 0)])
    return tokenizer


def write(path: Path, tokenizer: Tokenizer, documents: list[str]) -> int:
    """Each document as END and its pieces, one after the other, in 16 bits. Returns how many tokens."""
    ids = [np.array(e.ids, dtype=np.uint16) for e in tokenizer.encode_batch(documents)]
    flat = np.concatenate(ids) if ids else np.zeros(0, dtype=np.uint16)
    flat.tofile(path)
    return len(flat)


def main() -> None:
    corpus, out = Path(sys.argv[1]), Path(sys.argv[2])
    only = [a for a in sys.argv[3:] if a != "--freely"]
    freely = len(only) < len(sys.argv) - 3  # so plots are told, and none is held out
    out.mkdir(parents=True, exist_ok=True)
    file = out / "tokenizer.json"
    texts = {}
    for name, source in SOURCES.items():
        if all((corpus / f).exists() for f in source.files) and (not only or name in only):
            train, held = read(corpus, name)
            rng = random.Random(name)
            if name == "plots":
                train, held = (train + held, []) if freely else (train, held)
                texts[name] = [t for d in train for t in tellings(d, source.told, freely)], [t for d in held for t in tellings(d, 1)]
                continue
            if source.told:
                texts[name] = [tell(d, rng) for _ in range(source.told) for d in train], [tell(d, rng) for d in held]
                continue
            renamed = [rename(d, rng) for _ in range(source.renamed) for d in train]
            retold = [retell(d, rng) for _ in range(source.retold) for d in train]
            texts[name] = retold or train + renamed, held
    if not file.exists():
        # A source counts by its share of the training, so that the words of the lessons are whole pieces.
        for_tokenizer, rng = [], random.Random(0)
        for name, (train, _) in texts.items():
            size, wanted = 0, 40_000_000 * SOURCES[name].first
            while size < wanted:
                d = rng.choice(train)
                for_tokenizer.append(d)
                size += len(d)
        train_tokenizer(for_tokenizer).save(str(file))
    tokenizer = Tokenizer.from_file(str(file))
    for name, (train, held) in texts.items():
        random.Random(name).shuffle(train)
        n = write(out / f"{name}.train.bin", tokenizer, train)
        h = write(out / f"{name}.held.bin", tokenizer, held)
        print(f"{name}: {len(train)} documents, {n} tokens; held out {len(held)}, {h}", flush=True)


if __name__ == "__main__":
    main()
