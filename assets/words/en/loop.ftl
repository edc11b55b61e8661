# The loop with its buttons and the timeline, the keys, the inspector with KV cache and time, the calculator, units.

# The stations of the loop
loop-tokenize = tokenize
loop-embed = embed
loop-layers = layers
loop-logits = logits
loop-softmax = softmax
loop-truncate = truncate
loop-draw = draw
loop-append = append
loop-tokenize-about = The tokenizer cuts the prompt into pieces that the model has a number for
loop-embed-about = Each id looks up its row of the embedding matrix: a vector
loop-layers-about = Each transformer block reads all earlier positions through the KV cache and refines the vectors
loop-logits-about = The last vector is compared with every token of the vocabulary: one logit each
loop-softmax-about = Softmax turns all logits into probabilities that sum to one
loop-truncate-about = The samplers reshape the distribution and drop candidates
loop-draw-about = A random number falls on the cumulative distribution and picks one token
loop-append-about = The chosen token joins the text and is fed in the next step
loop-station = Station { $name }
loop-again = the chosen token is fed again

# The buttons below it
transport-restart = ⟲ Restart
transport-back = ◀ Back
transport-forward = Forward ▶
transport-step-stage = Step station
transport-step = Step
transport-run = ▶ Run
transport-pause = Pause
transport-stop = ■ Stop
speed = Speed
speed-max = max
speed-about = Tokens a second when running; all the way right as fast as the model goes

# The timeline
timeline = Timeline
timeline-empty = The timeline fills as tokens are made: one bar per step, as high as its milliseconds
timeline-step = Step { $step } of { $n }
timeline-bar = step { $step }: { $time }
timeline-name = ms per step
timeline-figure = { $n ->
    [one] Milliseconds of 1 step
   *[other] Milliseconds of { $n } steps
    }

# The names of keys
key-space = Space
key-escape = Esc
key-home = Home
key-end = End
key-page-up = Page Up
key-page-down = Page Down
key-ctrl-z = Ctrl Z
key-ctrl-y = Ctrl Y
key-ctrl-s = Ctrl S
key-ctrl-o = Ctrl O
key-ctrl-l = Ctrl L
key-ctrl-plus = Ctrl +
key-ctrl-minus = Ctrl −

# What the keys do
keys-step-token = Step one token
keys-run = Run or pause
keys-restart = Restart with the same prompt
keys-back = Back one token
keys-forward = Forward one recorded token
keys-step-stage = Step one station of the loop
keys-back-stage = Back one station
keys-stop = Stop at once
keys-greedy = Greedy on or off
keys-end = To the last recorded token
keys-step-room = This step: its distribution and its draw
keys-explore-room = Explore: what else could have come
keys-previous-branch = The branch above
keys-next-branch = The branch below
keys-undo = Undo the last change of branches or samplers
keys-redo = Redo it
keys-save = Save the session
keys-open = Open a session
keys-lessons = Show or hide the lessons
keys-next-scene = Next scene of the lesson, once what it asks for is done
keys-inspector = Show or hide the inspector
keys-predict = Predict each token before it is made
keys-present = Present, for a projector
keys-glossary = The glossary
keys-larger = Everything larger
keys-smaller = Everything smaller
keys-help = Show or hide this list

# The sections of the inspector
inspector-samplers = Samplers
inspector-text = Text
inspector-kv-cache = KV cache
inspector-time = Time

# The KV cache
kv-empty = Empty: nothing has been fed yet
kv-calculator = Calculator…
kv-calculator-about = What the cache costs for any model and any length
kv-from-prompt = ■ { $n } from the prompt
kv-from-decoding = ■ { $n } from decoding
kv-positions = Positions filled
kv-positions-of = { $filled } of { $window }
kv-filled = filled
kv-filled-about = Read off the tensors: the part that holds keys and values
kv-by-formula = by formula
kv-formula = 2 (K and V) × { $layers } layers × { $heads } key/value heads × { $numbers } numbers × { $positions ->
    [one] 1 position
   *[other] { $positions } positions
    } × { $bytes } bytes
kv-allocated = allocated
kv-allocated-about = Read off the tensors: room is made ahead, so that not every token moves the cache
kv-each-layer = Each layer
kv-first-layer = First layer
kv-all-layers = All { $n } layers
kv-this-step = This step: +{ $n }
kv-meter = KV cache, { $filled } of { $window } positions filled
kv-window-about = The context window: what this step added is outlined
kv-forgotten = { $n ->
    [one] 1 token is forgotten: position 0 holds the one behind it
   *[other] { $n } tokens are forgotten: position 0 holds the one behind them
  }
kv-forgotten-about = The window has slid: half a window of the oldest tokens is let go at a time, and what is left is fed afresh with positions from 0 on, which is exact for it
kv-overflow = When the window is full
kv-overflow-stop = Stop
kv-overflow-stop-about = The text ends there
kv-overflow-slide = Slide
kv-overflow-slide-about = The oldest tokens are forgotten, half a window at a time, and the text goes on: the model no longer knows how it began

# The cells of the KV cache below the text
kv-cells = { $n ->
    [one] KV cache: 1 position · { $bytes }
   *[other] KV cache: { $n } positions · { $bytes }
    }
kv-cells-short = { $n ->
    [one] 1 position · { $bytes }
   *[other] { $n } positions · { $bytes }
    }
kv-cells-about = The bar below each token is its cell of the KV cache: it holds the token's keys and values in all layers
kv-cells-prefill = striped: filled by the prefill
kv-cells-decode = solid: filled by a decode step
kv-cells-new = framed: by the shown step
kv-cells-empty = empty: not fed yet
kv-cell-empty = KV cache: not fed yet
kv-cell-prefill = KV cache: filled by the prefill, step { $step }
kv-cell-decode = KV cache: filled by decode, step { $step }
kv-cell-before = KV cache: filled before this branch began
kv-cell-open = Open cell { $n } of the KV cache
kv-cell-open-hint = Click: its keys and values, and which heads read them

# The time
timing-empty = Nothing has been measured yet
timing-prefill = { $n ->
    [one] Prefill, 1 token
   *[other] Prefill, { $n } tokens
    }
timing-prefill-about = From the prompt's ids to the first token
timing-decode = Decode
timing-decode-mean = Decode, mean per token
timing-no-token = no token yet
timing-speed-about = Of the model and the samplers, without pauses
timing-step = Step { $n }
timing-embed = Embed
timing-layers = Layers
timing-head = Final norm and logits
timing-samplers = Samplers and draw
timing-together = Together

# The strip of times
time-strip-name = { $n ->
    [one] Times of the run: prefill { $prefill }, then 1 decoded token in { $decode }, { $total } in all; step { $step } is marked
   *[other] Times of the run: prefill { $prefill }, then { $n } decoded tokens in { $decode }, { $total } in all; step { $step } is marked
    }
time-strip-prefill = { $n ->
    [one] prefill, 1 token: { $time }
   *[other] prefill, { $n } tokens: { $time }
    }
time-strip-merged = steps { $first } to { $last }: { $time } together
time-strip-phase-prefill = ■ Prefill
time-strip-phase-decode = ■ Decode
time-strip-ratio = The prompt went in { $ratio } times as fast per token

# The calculator
calculator-title = What does the KV cache cost?
calculator-layers = Layers
calculator-heads = Key/value heads
calculator-numbers = Numbers per head
calculator-loaded = The loaded model
calculator-tokens = Tokens
calculator-8-bits = 8 bits
calculator-formula = 2 (keys and values) × { $layers } layers × { $heads } heads × { $numbers } numbers × { $n_tokens ->
    [one] 1 token
   *[other] { $tokens } tokens
    } × { $bytes ->
    [one] 1 byte
   *[other] { $bytes } bytes
    }
calculator-outgrows = { $each } for each token; from { $n } tokens on it is larger than the { $weights } of weights
calculator-never-outgrows = { $each } for each token, but never larger than the { $weights } of weights
calculator-sliding = Each layer looks back { $n } positions at most: the cache lets go of older ones and grows no further
calculator-beyond = beyond this model's window of { $n }
calculator-too-long = { $bytes } (too long)
calculator-limited = { $n } with limited access
calculator-model = model
calculator-shape = layers × kv heads × dim
calculator-one-token = one token
calculator-n-tokens = { $n_tokens ->
    [one] 1 token
   *[other] { $n } tokens
    }
calculator-weights = weights
calculator-take = Take this shape
calculator-windows = Context windows, as their makers gave them then; such figures change. Bars on a log scale
calculator-here = here
calculator-config = its config.json

# Units
format-rate = { $n } tok/s
format-nats = { $n } nats
format-bits = { $n } bits
