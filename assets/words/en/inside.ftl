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
