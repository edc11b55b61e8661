# The samplers: what the stages and presets are called and do, the sampler section, and the stages before the logits.

# The stages by name
stage-repetition = Repetition penalty
stage-presence = Presence penalty
stage-frequency = Frequency penalty
stage-ngram = No repeated n-gram
stage-bias = Logit bias
stage-regex = Regex
stage-json = JSON schema
stage-temperature = Temperature
stage-top-k = Top-k
stage-top-p = Top-p
stage-min-p = Min-p
stage-typical = Locally typical
stage-top-n-sigma = Top-nσ
stage-xtc = XTC
stage-mirostat = Mirostat 2
stage-greedy = Greedy

# What each is for
stage-repetition-what = Makes tokens that stand in the prompt or the text already less probable
stage-presence-what = Takes the same from every token that was generated, to bring up something new
stage-frequency-what = Takes more from a token the more often it was generated
stage-ngram-what = Forbids writing the same n tokens in a row a second time, unless nothing else is left
stage-bias-what = Lifts, lowers or bans the tokens of your choice
stage-regex-what = Lets the text only be one that matches this regular expression from its first character to its last
stage-json-what = Lets the text only be JSON that this schema describes, its keys in the schema's order and plainly spaced
stage-temperature-what = Sharpens the distribution below 1 and flattens it above; 0 is greedy
stage-top-k-what = Lets only the k most probable tokens play; 0 is off
stage-top-p-what = Keeps the fewest tokens whose probabilities sum to p; 1 is off
stage-min-p-what = Keeps tokens with at least this share of the best one's probability; 0 is off
stage-typical-what = Keeps the tokens that are about as surprising as the model expects to be; 1 is off
stage-top-n-sigma-what = Keeps the logits that stand out from the crowd, whatever the temperature; 0 is off
stage-xtc-what = Now and then takes the obvious choices away, for more original text
stage-mirostat-what = Keeps the surprise of the text near a target, by cutting more or less at each token
stage-greedy-what = Always takes the most probable token

# Their formulas: l are logits, p probabilities
stage-repetition-formula = seen tokens: l > 0 → l / r, l < 0 → l × r
stage-presence-formula = generated tokens: l → l − a
stage-frequency-formula = generated tokens: l → l − a × count
stage-ngram-formula = drop what would repeat a run of n tokens
stage-bias-formula = chosen tokens: l → l + b
stage-constraint-formula = drop what no matching text goes on with
stage-temperature-formula = p = softmax(l / T)
stage-top-k-formula = keep rank ≤ k
stage-top-p-formula = keep the fewest best with Σ p ≥ P
stage-min-p-formula = keep p ≥ m × the best p
stage-typical-formula = keep the fewest with least |−log₂ p − H| and Σ p ≥ P
stage-top-n-sigma-formula = keep l ≥ max l − n × σ
stage-xtc-formula = if coin < chance: drop p ≥ t, but not the last of them
stage-mirostat-formula = keep −log₂ p ≤ μ; then μ → μ − η × (surprise − τ)
stage-greedy-formula = keep rank 1

# Their formulas with the numbers of a step
stage-penalty-at = { $n ->
    [one] 1 different token was generated so far
   *[other] { $n } different tokens were generated so far
    }
stage-constraint-at = { $n ->
    [one] 1 token still matches
   *[other] { $n } tokens still match
    }
stage-ngram-at = { $n ->
    [one] 1 token would repeat a run
   *[other] { $n } tokens would repeat a run
    }
stage-all-banned = all of it is banned: the best stays
stage-temperature-at = best logit { $before } / { $value } = { $after }
stage-top-k-at = { $n ->
    [one] rank 1 holds Σ p = { $mass }
   *[other] ranks 1 to { $n } hold Σ p = { $mass }
    }
stage-top-p-at = { $n ->
    [one] the best holds Σ p = { $mass } ≥ { $value }
   *[other] the best { $n } hold Σ p = { $mass } ≥ { $value }
    }
stage-min-p-at = p ≥ { $value } × { $best } = { $limit }
stage-typical-at = H = { $entropy } bits; within { $limit } bits of it
stage-top-n-sigma-at = l ≥ { $best } − { $value } × { $sigma } = { $limit }
stage-xtc-at = { $n ->
    [one] coin { $coin } { $sign } { $chance }; 1 token reaches { $value }
   *[other] coin { $coin } { $sign } { $chance }; { $n } tokens reach { $value }
    }
stage-mirostat-at = μ = { $mu } bits; taken at { $surprise } bits, so μ → { $after }
stage-mirostat-at-dropped = μ = { $mu } bits, which stays: the token taken had been dropped

# The presets
preset-own = The model's own
preset-own-what = No sampler changes anything: tokens are drawn from the model's own distribution
preset-greedy-what = Always the most probable token: no chance at all
preset-precise = Precise
preset-precise-what = Little chance, for facts and code
preset-balanced = Balanced
preset-balanced-what = Some chance, for most texts
preset-creative = Creative
preset-creative-what = Much chance, with the improbable cut off first so that the heat cannot bring it up
preset-transformers-what = What generate(do_sample=True) does when nothing else is said
preset-llama-cpp-what = What llama-cli does when nothing else is said: here the temperature comes last

# The sampler section
sampler-presets = Presets
sampler-presets-what = Chains to begin from
sampler-add = Add
sampler-add-what = Add a stage to the chain
sampler-reset = Reset
sampler-reset-what = All samplers off, temperature 1
sampler-empty = No stage: tokens are drawn from the model's own distribution
sampler-seed = Seed
sampler-seed-what = The same seed, prompt and settings give the same text on every run
sampler-max-tokens = Max tokens
sampler-max-tokens-what = Where the text ends at the latest; one that ended there goes on when it is raised

# The row of a stage
row-switch = { $stage } on
row-switch-what = Switch the stage on or off; it keeps its value
row-drag = Drag to another place in the chain
row-move = Move { $stage }
row-click = Click for the numbers
row-bias = { $n ->
    [0] no token yet
    [one] 1 token
   *[other] { $n } tokens
    }
row-constraint = Enter takes it over. What is generated must match, spaces included
row-chance = chance
row-chance-what = How often it happens
row-speed = speed η
row-speed-what = How fast μ follows
row-acts = from the next token on
row-switched-off = switched off
row-off = off at this value
row-off-empty = off while it is empty
row-overruled = greedy overrules it
row-outcome = Entropy and candidates before and after { $stage }: { $before } → { $after } tokens, { $kept } of the probability kept

# What is behind a stage
details-empty = The numbers and the curves of a step are here once a token is made with this stage
details-remove = Remove { $stage }
details-before = before
details-after = after
details-curves = Probability by rank, before (grey) and after: { $before } → { $after } tokens
details-ban = ban
details-ban-what = The token cannot be drawn, unless nothing else is left
details-unbias = Leave { $token } alone
details-token-hint = token or id
details-token = Token or id to add
details-add = Add
details-add-token = Add { $token }

# The stations before the logits
card-tokenize = Text becomes ids
card-embed = Ids become vectors
card-layers = The vectors pass block by block
card-ids = { $n ->
    [one] 1 id
   *[other] { $n } ids
    } for { $bytes ->
    [one] 1 byte
   *[other] { $bytes } bytes
    } of text
card-position = position
card-token = token
card-id = id
card-bytes = bytes
card-chip = Position { $n } { $token }
card-special = special: no part of the text
card-in = goes in
card-out = comes out
card-in-and-out = goes in and comes out
card-token-ids = { $n ->
    [one] 1 token id
   *[other] { $n } token ids
    }
card-numbers = { $n } × { $size } numbers ({ $dtype })
card-embedding = embedding matrix
card-took = took
card-attends = attends to at most
card-cache = { $n ->
    [one] 1 position in the KV cache
   *[other] { $n } positions in the KV cache
    }
card-block-has = each block has
card-heads = { $n } query heads, { $kv } key/value heads, { $size } numbers each
card-blocks-took = { $ms } for { $n } blocks
card-block = block { $n }
