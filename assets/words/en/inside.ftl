# What the room Inside says.

room-inside = Inside
keys-inside-room = Inside the model: tokens, embeddings, attention, layers
charts-tokens = Tokens
charts-tokens-hint = How the prompt became tokens
charts-embeddings = Embeddings
charts-embeddings-hint = How ids become vectors, and which vectors are near each other
charts-map = Map
charts-map-hint = The model, layer by layer, with what flows through it
charts-attention = Attention
charts-attention-hint = Which tokens each token reads
charts-cache = Cache
charts-cache-hint = What the KV cache holds of a token, and which heads read it
charts-lens = Lens
charts-lens-hint = What the model would say if it stopped within its layers
charts-attribution = Attribution
charts-attribution-hint = What each part of the model added to a logit
charts-interventions = Interventions
charts-interventions-hint = Switch parts of the model off, scale them, or put in what another text computed
inside-no-step = Press Step first: then you see how the model computed the token
inside-other-model = Another model made this step. Open that model to look inside it
inside-under-way = Reading the text once more…
inside-not-recorded = What the model computed inside was not recorded. Reading the { $n } tokens once more takes a moment
inside-earlier = Of step { $n }: pause the run, or let it go slower, to see the newest
inside-made-changed = ◆ This step was made with { $n ->
    [one] one change
   *[other] { $n } changes
    } of the model
inside-unchanged = ◆ The model as it is: this step was made with changes
inside-changed = ◆ The model with { $n ->
    [one] one change
   *[other] { $n } changes
 }, not as it is
inside-look = Read the text again
inside-token = Token { $n }: { $token }
inside-drawn = Drawn next: { $token }

# The picture of attention.

heat-legend = Colours from 0 to 100 %: { $what }
attention-reads = “{ $token }” ({ $n }) reads “{ $of }” ({ $m }): { $share }
attention-legend = Share of attention
attention-legend-axes = Rows read columns · L, H count from 0 · lines from 1 %
attention-merged = pixels: the greatest of ≤ { $n } × { $n } shares (large: ≤ { $m } × { $m })
attention-first = rows begin at token { $n }: those before it would take too much memory
attention-heads = All heads, { $layers } layers by { $heads } heads; chosen: { $name }. The arrow keys choose another one
attention-head-is = { $name }: { $what } { $value }
attention-one-hint = The pattern of this head alone
attention-average = Average
attention-of-layer = The mean over all heads of layer { $layer }
attention-average-of = The average over the heads of layer { $layer }
attention-maximum = Maximum
attention-maximum-hint = The greatest share of any head of the layer, token by token: its rows do not sum to 100 %
attention-maximum-of = The maximum over the heads of layer { $layer }
attention-pattern = Attention, { $of }: { $n } tokens. “{ $token }” ({ $m }) reads most of: { $each }. The arrow keys choose another row
heads-under-way = Measuring the heads…
heads-this-token = this token
heads-all-tokens = all tokens
heads-entropy = Entropy
heads-entropy-about = How evenly a token reads: 0 bits where it reads one token alone, more the more tokens share its attention.
heads-distance = Distance
heads-distance-about = How many tokens back it reads on average, each weighted by its share.
heads-previous = Previous token
heads-previous-about = Share of attention on the token just before.
heads-first = First token (sink)
heads-first-about = Share on the first token of the text. Many heads put there what they have no use for.
heads-same = Same token earlier
heads-same-about = Share on earlier occurrences of the same token, where there are any.
heads-induction = Induction
heads-induction-about = Share on the tokens that followed earlier occurrences of the same token: what such a head finds can be copied as a continuation.
heads-over = The mean is over { $n ->
    [one] the one token for which it is defined.
   *[other] the { $n } tokens for which it is defined.
}
heads-row = { $name }: this token { $row }, all tokens { $mean }
heads-most = Heads with the most: { $what }
heads-none = The text has no token that occurs twice
heads-ranked = { $n }. { $name } { $value }

# One cell of the KV cache.

cache-cells = KV cache, { $n } positions; chosen: { $at }, “{ $token }”. { $cell }. The arrow keys choose another one
cache-prefill = filled by the prefill
cache-decode = filled by decode
cache-read-strip = below each cell: how much { $head } reads from it now, for “{ $token }”
cache-at = Position { $n }
cache-bytes = · { $each } here in all layers, { $all } in { $n ->
    [one] the one cell
   *[other] { $n } cells
 }
cache-forgotten = { $n ->
    [one] The first token of the text is forgotten: its cell is gone.
   *[other] The first { $n } tokens of the text are forgotten: their cells are gone.
 }
cache-unseen = In layer { $layer }, “{ $token }” looks back no further than { $n ->
    [one] itself
   *[other] { $n } tokens
 }: no head of the layer reads this cell.
cache-no-chip = The row of tokens above starts at position { $n }. The keys and values of the tokens before it are known too.
cache-shared = { $n ->
    [one] Key/value head { $kv }, read by { $heads } alone
   *[other] Key/value head { $kv }, shared by { $heads }
 }
cache-shared-about = Each key/value head has a key and a value of its own in the KV cache. Where several heads share one (grouped-query attention), the KV cache is smaller
cache-key = Key
cache-key-about = As it is stored: rotated by its position. A token's query is multiplied by it, number by number; the sum is the score, which decides how much is read from this cell
cache-value = Value
cache-value-about = What a head takes over from this cell, multiplied by the share of its attention
cache-length = of length { $n }
cache-strip = { $name } at position { $at }: { $n } numbers, of length { $length }
cache-group = How much the heads that share it read from this cell, for “{ $token }”:
cache-read = { $head } gives this cell { $share } of its attention
cache-readers = What each head reads from this cell now
cache-best = Most: { $head } with { $share }
cache-grid = What { $layers } layers by { $heads } heads read of position { $at }. { $best }; chosen: { $chosen } with { $share }. The arrow keys choose another head

# The map.

keys-zoom-out = Out of the part of the map that is shown
map-model = Model
map-layer = Layer { $n }
map-head = Head { $n }
map-number = Number
map-hint = Click a part to go into it; Esc leads out again
map-model-hint = Click a layer to go into it; Esc leads out again
map-layer-hint = n tokens go through at once, strips show the chosen one; click a head or a framed box
map-head-hint = What the chosen token reads through { $name }; click a row to work its score out
map-embed = Embed
map-embed-about = The embedding of “{ $token }”: { $n } numbers, length { $size }
map-head-card = Head
map-final-norm = final norm
map-logits = logits
map-head-about = The final norm and the head make { $n } logits of the last position. Drawn: { $token }, logit { $logit }
map-layer-card = Layer { $n }: attention adds a vector of length { $attention }, the MLP one of length { $mlp }
map-layer-lens = Here the lens would say { $token }, { $share }
map-model-legend = Pictures: attention, the mean over the heads. A, M: length of what attention and the MLP add to the chosen token. Below: the stream after the layer, and its lens.
map-no-lens = Open Lens once to see it here.
map-resid-pre = Residual stream before the layer
map-resid-mid = Residual stream after attention
map-resid-post = Residual stream after the layer
map-norm-about = Divides the vector by its root mean square and multiplies each number by a weight
map-projection-about = A matrix makes { $name } of the normed vector: { $size } numbers for each of { $n } heads
map-rotated = Rotated by position
map-rotation = Rotate
map-rotation-about = RoPE turns pairs of numbers by an angle that grows with the position, so that a score depends on how far apart two tokens are
map-scores-about = The query of each token with the key of each other: their dot product, divided by the root of the head's size. Click to see one worked out
map-mask = Mask
map-mask-about = No token reads those after it: their scores become −∞
map-window-about = No token reads those after it, nor those more than { $n } tokens back: their scores become −∞
map-softmax-about = Makes shares of the scores that sum to 100 %. Click to see one row worked out
map-sum = Σ share
    × V
map-sum-about = Adds up the values of all tokens that are read, each times its share. Click to see one number worked out
map-z = Output of the heads
map-output-about = Adds up what the heads put out, each through its own part of a matrix
map-into-head = { $name }, reads keys and values of group { $kv }: go in
map-mlp-in = Normed input of the MLP
map-mlp-out = Output of the MLP
map-gate-about = The gate: which of the inner numbers get through
map-up-about = The inner numbers
map-activation-about = The non-linearity, number by number
map-times-about = Each inner number times its gate
map-down-about = Back to the width of the residual stream
map-query = Query of “{ $token }” ({ $n })
map-row = Row of the pattern
map-token = Token
map-key = Key
map-share = Share
map-key-row = “{ $token }” ({ $n }): score { $score }, share { $share }. Work it out
map-others = the other { $n }
number-score = Score
number-score-hint = The dot product of a query and a key, term by term
number-softmax-hint = From scores to shares
number-sum = Weighted sum
number-sum-hint = One number of what the head puts out
number-norm-hint = The norm before the MLP
number-score-formula = Σ q · k = { $dot },  ÷ √{ $size } = { $score }
number-score-said = The query of “{ $token }” with the key of “{ $of }”, both rotated. The softmax makes { $share } of it.
number-products = q × k
number-term = Dimension { $n }: { $q } × { $k } = { $product }
number-softmax-formula = share = exp(score − { $max }) ÷ { $sum }
number-softmax-said = What “{ $token }” makes of its scores with { $n ->
    [one] one token
   *[other] { $n } tokens
}. The largest score is subtracted first, so that no exponential is too large.
number-minus-max = − max
number-sum-formula = Σ share × value = { $sum }  (dimension { $n }; the model computed { $recorded })
number-dims-z = Output of the head, dimension by dimension; click one
number-dims = { $name }: dimension { $n } is chosen
number-value = Value
number-product = Product
number-norm-formula = √(mean square { $square } + { $eps }) = { $root }
number-norm-said = RMSNorm of “{ $token }” before the MLP of layer { $layer }: all { $n } numbers are divided by this root, then each is multiplied by its weight.
number-norm-before = Residual stream; click a dimension
number-norm-after = Normed, as the model computed it
number-norm-dim = Dimension { $n }
number-norm-x = Residual stream
number-norm-scaled = ÷ root
number-norm-weight = × weight (from what the model computed)
number-norm-out = Normed

# The lens
lens-under-way = Reading the residual stream…
lens-colours = Colour
lens-probability = Probability
lens-probability-about = stronger: the best token is more probable
lens-entropy = Entropy
lens-entropy-about = stronger: the choice is more open
lens-rank = Rank
lens-rank-about = stronger: the next token of the text ranks higher
lens-row-embed = embedding
lens-row-mid = L{ $layer } attention
lens-row-post = L{ $layer } MLP
lens-reads = token read
lens-next = next in the text
lens-name = Logit lens: { $rows } places in the model, { $n } positions
lens-cell =
    { $row }
    Best: { $best } { $prob }
    Entropy: { $entropy }
    Next in the text: { $target } { $target_prob }, rank { $rank }
lens-target = { $token } here
lens-target-about = How probable { $token }, which follows the chosen token in the text, would be if the model stopped at this row, and its rank among all tokens
lens-added = Size added
lens-added-about = Euclidean norm of the vector that attention or the MLP adds to the residual stream at the chosen token
lens-residual = Residual size
lens-residual-about = Euclidean norm of the residual stream at the chosen token
lens-target-row = { $prob }, rank { $rank }
lens-side-name = { $token } through the layers. { $rows }

# Interventions
inside-presets = Try
preset-copying = Copying
preset-copying-what = The model completes the name that it has read, Quilla. At each token, head 3 of layer 4 reads the one before. Without it, the model does not find where Qu was and writes Quick: ill falls below 1 %
preset-opposite = Opposite
preset-opposite-what = In layer 7 the MLP turns hot into cold. Without it hot is more probable than cold
preset-first-mlp = First MLP
preset-first-mlp-what = The first MLP writes into the vector of every token what the later layers work with. Without it they cannot work: Paris falls below 1 %
preset-direction = France to Italy
preset-direction-what = The residual at the end of “The capital of Italy” minus that of “The capital of France”, added at every token after layer 2, turns Paris into Rome. Move the slider to see where the answer flips
preset-capital = France / Italy
preset-capital-what = Up to layer 4 the country’s own token holds what makes the difference; in layers 5 to 7 it moves to the last token, and from layer 8 on all of it is there
preset-puppy = Dog / cat
preset-puppy-what = In layers 7 and 8 attention carries dog to the last token: these two places bring most of puppy back
preset-name = Quilla / Quorra
preset-name-what = Heads 4 and 5 of layer 5 copy what followed Qu before: no other head brings as much back
part-attention = L{ $layer } attention
part-mlp = L{ $layer } MLP
part-layer = L{ $layer }, all of it
part-residual = Residual stream after L{ $layer }
part-embed = Embeddings
edit-mean = { $part } = its mean
edit-add = { $part } + { $strength } × a direction
edit-replace = { $part } replaced
edit-from = { $change }, from position { $position } on
edit-at = { $change }, at position { $position } only
interventions-layer = Layer
interventions-head = Head
interventions-off = Switch off
interventions-off-hint = What this part adds is set to zero, and the text is read again
interventions-direction = Add { $to } − { $from } after L{ $layer }
interventions-direction-hint = Adds the difference of two residual vectors at every token: that of the last token minus that of the chosen one
interventions-direction-same = Choose a token before the last: the direction goes from there to the last
interventions-from = From
interventions-to = to
interventions-text = a text
interventions-difference = Add after L{ $layer }
interventions-difference-hint = Reads both texts, takes the residual after this layer at the last token of each, and adds the difference at every token of this text
interventions-difference-same = Type two texts: the direction leads from the end of the first to the end of the second
interventions-direction-name = { $to } − { $from }
interventions-none = The model runs as it is. Switch a part off and watch the next token's distribution
interventions-none-tried = The model as it is, tried on a step that was made with changes
interventions-generate = ◆ Continue with this change
interventions-generate-plain = Continue without changes
interventions-generate-hint = Makes a branch from this step, with the model changed like this in every pass. Its steps are marked ◆, and undo takes it back
interventions-generate-nothing = Change something first: this step was made exactly like this
interventions-made-with = ◆ This step was made with { $edits }
interventions-as-made = Back to how it was made
interventions-as-recorded = ◆ as the step was made
interventions-as-tried = as it is set here
interventions-all = every token
interventions-all-hint = The change applies at every position, and to every token that is generated later
interventions-only = only { $token }
interventions-only-hint = The change applies at the chosen position of the context window only, and to no token that is generated later
interventions-remove = Take this change back
interventions-clear = Take all back
interventions-strength = Strength
interventions-scale = scaled
interventions-scale-hint = Multiplied by a factor; 0 switches it off
interventions-mean = mean
interventions-mean-hint = Replaced by its mean over the text up to here (mean ablation): what is the same for every token stays. Tokens that are generated later get the same mean
interventions-factor-hint = 0 switches the part off, 1 leaves it as it is
interventions-replaced = replaced by what another text computed
interventions-effect-none = Here you see what a change does to the next token: both distributions, bar by bar
interventions-effect-as-made = All that is shown here is of this changed model. Change something, or take it back, and see what that does to this step
interventions-apart = { $kl } of KL divergence, { $apart } of the probability moved
interventions-apart-hint = Between the model's own distributions, without and with the changes, before any sampler
interventions-before = the model as it is
interventions-after = ◆ with the changes
interventions-token = { $token }: { $first } { $before }, { $second } { $after }
interventions-ranks = Rank: { $first } { $before }, { $second } { $after }

# Attribution
attribution-under-way = Taking the logit apart…
attribution-logit-of = Logit of
attribution-minus = minus that of
attribution-nothing = nothing
attribution-follow = Follow the text
attribution-sum = Embedding { $embed } + attention { $attention } + MLPs { $mlps } = { $sum }; the model's logit: { $logit }
attribution-sum-hint = The final norm divides by one scale for all parts. It is held at the value of this pass, so that the parts add up to the logit
attribution-strongest = Strongest
attribution-attention = attention
attribution-mlp = MLP
attribution-embed = embedding
attribution-head = { $head } added { $added } to the logit
attribution-name = Parts of the logit, the strongest first: { $parts }

# Patching
charts-patching = Patching
charts-patching-hint = Put what this text computed into the run of another text, place by place
patching-about = Choose a token above and another to replace it with, such as Italy for France, or type a second prompt: the map then shows where the model keeps what makes the difference
patching-under-way = Patching place by place…
patching-other-text = In the other text
patching-swap = In the other text, { $token } becomes
patching-search = a token's text or id
patching-swap-for = Replace it by { $token }
patching-clear = Another text
patching-more = and { $n } more
patching-typed = or type the whole second prompt:
patching-typed-hint = as many tokens as the first
patching-use = Use it
patching-counts = The first prompt has { $prompt } tokens, this one { $typed }. Add or remove words until the numbers match: the prompts are compared position by position
patching-same = This is the same prompt. Change a word
patching-slid = The window has slid over the beginning of the first prompt. Choose a token above instead
patching-residual = Residual
patching-residual-hint = The residual stream after each layer, one token at a time
patching-attention = Attention
patching-attention-hint = What attention adds in each layer, one token at a time
patching-mlp = MLP
patching-mlp-hint = What the MLP adds in each layer, one token at a time
patching-heads = Heads
patching-heads-hint = What one head puts out, at all tokens
patching-answers = { $clean } against { $corrupted }: this text { $clean_diff }, the other text { $corrupted_diff }
patching-answers-hint = The logit of { $clean }, the answer of this text, minus that of { $corrupted }, the answer of the other
patching-scale = 0 %: the other text's answer stays; 100 %: { $clean } is back
patching-progress = { $done } of { $n } places
patching-place = This text's numbers at { $place }, in the other text's run
patching-at = { $part } at { $token }
patching-cell = { $place }: { $restored } of the difference comes back
patching-map-name = Map of { $layers } layers and { $n } columns: how much of the difference comes back
patching-this-text = this text
patching-patched = ◆ the other text, patched

# Embeddings.
numbers-legend = Colours from { $least } to { $most }
embeddings-vector = Vector
embeddings-vector-hint = The row of numbers that an id looks up, and the tokens whose rows are nearest
embeddings-plane = Plane
embeddings-plane-hint = Tokens where their vectors lie, on the plane in which they differ most
embeddings-positions = Positions
embeddings-positions-hint = How the position turns queries and keys, and how a score falls with the distance
embeddings-search = Any token, by text or id
embeddings-search-name = Look for a token of the vocabulary
embeddings-none-found = No token of the vocabulary contains that
embeddings-token = { $token }, id { $id }
embeddings-asked = Reading the embedding matrix…
embeddings-look-up = Show its vector
embeddings-add = Add the vector of { $token }
embeddings-subtract = Subtract the vector of { $token }
embeddings-row-of = { $n_terms ->
    [one] The vector of
   *[other] The sum
}
embeddings-id = id { $id }
embeddings-keep = Begin a sum with this vector: then find another token and add or subtract it
embeddings-leave-out = Leave it out
embeddings-strip = { $n } numbers, the largest of size { $most }
embeddings-number = Dimension { $n }: { $value }
embeddings-nearest = Nearest of { $n } tokens
embeddings-cosine = By the cosine of the angle between two vectors: 1 points the same way, 0 has nothing in common, −1 points the opposite way. Tokens of the sum itself are left out
embeddings-neighbour = { $token }, cosine { $cosine }
embeddings-of-text = of the text
embeddings-added = added by you
embeddings-place = Put it on the plane
embeddings-take-off = Take it off the plane
embeddings-point = { $token }: { $x }, { $y }
embeddings-axis = Axis { $n }: { $share } of the variance
embeddings-plane-name = { $n } tokens on a plane; the axes explain { $first } and { $second } of the variance
embeddings-pca = Principal components of the vectors of these tokens.
embeddings-pca-hint = The two directions along which these vectors differ most. What lies apart here differs; what lies together may still differ along the other directions
embeddings-some-unnamed = { $n ->
    [one] One token has no room for its name: point at it.
   *[other] { $n } tokens have no room for their names: point at them.
}
embeddings-layer = L
embeddings-head = H
embeddings-query-of = Query of
embeddings-key-of = Key of
embeddings-key-choice = Key of { $token }
embeddings-distance = Distance
embeddings-distance-hint = How many positions the key lies before the query. Moving it changes nothing in the run: it shows what the same two vectors would score elsewhere
embeddings-real-distance = Here: { $n }
embeddings-clocks = { $n } pairs of numbers turn with the position, each at its own speed; below each, after how many positions it has gone around
embeddings-clock = Numbers { $n } and { $other }: query turned by { $query }°, key by { $key }°. Once around in { $period } positions
embeddings-score = L{ $layer } H{ $head }: at distance { $n } this query and this key score { $score }
embeddings-score-at = Distance { $n }: { $score }
embeddings-distance-axis = Distance, in positions
embeddings-score-axis = Score
embeddings-curve = The score at distances from 0 to { $n }
