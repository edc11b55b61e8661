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
embeddings-score-axis = Score before softmax
embeddings-curve = The score at distances from 0 to { $n }
