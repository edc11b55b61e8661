# How the prompt became tokens, merge by merge.

merges-title = How the prompt becomes tokens
merges-about = The tokenizer first cuts the text into words. Byte pair encoding (BPE) takes each word as its smallest pieces and always joins the two neighbours whose merge rule was learned earliest, until no rule fits
merges-about-shown = This tokenizer does not cut the text first: byte pair encoding (BPE) takes it as its smallest pieces and always joins the two neighbours whose merge rule was learned earliest, until no rule fits. None of its rules joins anything to a space behind it, so each word can be looked at by itself
merges-about-whole = This tokenizer does not cut the text first: byte pair encoding (BPE) takes all of it as its smallest pieces and always joins the two neighbours whose merge rule was learned earliest, until no rule fits
merges-about-unigram = This tokenizer is Unigram: of all ways to cut a word into pieces of its vocabulary it takes the most probable one
merges-about-word-piece = This tokenizer is WordPiece: from the left it takes the longest piece of its vocabulary that fits, again and again
merges-word = Word { $n } of { $all }: { $word }
merges-word-hint = { $n ->
    [one] Click to see how it becomes 1 token
   *[other] Click to see how it becomes { $n } tokens
    }
merges-more = the first { $shown } of { $n } words
merges-start = the smallest pieces: bytes or characters
merges-rule = merge rule { $place } of { $n }: { $left } + { $right }
merges-tokens = { $n ->
    [one] no rule fits any more: 1 token with its id
   *[other] no rule fits any more: { $n } tokens with their ids
    }
merges-result = { $n ->
    [one] 1 token with its id
   *[other] { $n } tokens with their ids
    }
merges-whole = This word is in the vocabulary, and this tokenizer looks words up before it merges: no merge is needed
merges-added = This is a token of its own: it is never cut and never merged
merges-long = These are { $n } bytes, too many to be followed step by step
merges-row = { $what }: { $pieces }
merges-table = All tokens of the prompt
merges-best-cut = the most probable cut, sum of log-probabilities { $sum }
merges-next-cut = the next best cut, { $sum }
merges-match = “{ $rest }”: the longest piece that fits, { $n ->
    [one] one try
   *[other] { $n } tries
 }
merges-no-match = nothing fits
merges-normalizer = normalizer { $name }
merges-pre-tokenizer = pre-tokenizer { $name }
tokenizers-heading = The same text under a second tokenizer
tokenizers-folder = Model folder…
tokenizers-folder-hint = The tokenizer.json of a model folder; its weights are not read
tokenizers-file = tokenizer.json…
tokenizers-file-hint = A tokenizer.json of any model
tokenizers-bundled = Bundled
tokenizers-bundled-hint = The tokenizer of the bundled models
tokenizers-leave = Remove
tokenizers-about = Choose the tokenizer of another model: the prompt is then shown here under both, with the number of tokens each makes of it
tokenizers-reading = Reading the tokenizer…
tokenizers-count = { $n ->
    [one] { $name }: { $n } token
   *[other] { $name }: { $n } tokens
}
tokenizers-chars = { $n } characters per token
tokenizers-chars-hint = Characters of the prompt for each token that is not special: the more characters per token, the fewer passes a text needs
