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
inside-look = Read the text again
inside-token = Token { $n }: { $token }

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
part-attention = L{ $layer } attention
part-mlp = L{ $layer } MLP
part-layer = L{ $layer }, all of it
part-residual = Residual stream after L{ $layer }
part-embed = Embeddings
interventions-layer = Layer
interventions-head = Head
interventions-off = Switch off
interventions-off-hint = What this part adds is set to zero, and the text is read again
interventions-direction = Add { $to } − { $from } after L{ $layer }
interventions-direction-hint = Adds the difference of two residual vectors at every token: that of the last token minus that of the chosen one
interventions-none = The model runs as it is. Switch a part off and watch the next token's distribution
interventions-all = every token
interventions-all-hint = The change applies at every position
interventions-only = only { $token }
interventions-only-hint = The change applies at the chosen position only
interventions-remove = Take this change back
interventions-clear = Take all back
interventions-strength = Strength
interventions-scale = scaled
interventions-scale-hint = Multiplied by a factor; 0 switches it off
interventions-mean = mean
interventions-mean-hint = Replaced by its mean over the text (mean ablation): what is the same for every token stays
interventions-factor-hint = 0 switches the part off, 1 leaves it as it is
interventions-replaced = replaced by what another text computed
interventions-effect-none = Here you see what a change does to the next token: both distributions, bar by bar
interventions-apart = { $kl } of KL divergence, { $apart } of the probability moved
interventions-apart-hint = Between the model's own distributions, without and with the changes, before any sampler
interventions-before = the model as it is
interventions-after = ◆ with the changes
interventions-token = { $token }: { $before } as it is, { $after } with the changes
interventions-ranks = Rank { $before } as it is, { $after } with the changes

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
patching-about = Choose a token above and replace it, such as France by Italy: the map then shows where the model keeps what makes the difference
patching-under-way = Patching place by place…
patching-other-text = In the other text
patching-swap = In the other text, { $token } becomes
patching-search = a token's text or id
patching-swap-for = Replace it by { $token }
patching-clear = Another token
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
