# The distribution of the next token and the pictures of it.

# What stands above the pictures
distribution-question = What comes next?
distribution-press-step = Press Step: the model reads the prompt once and gives every token of its vocabulary a probability
distribution-examples = Or begin with one of these
distribution-step = Step { $n }
distribution-changed = ◆ model changed
distribution-prefill = { $n ->
    [one] prefill: 1 prompt token fed
   *[other] prefill: { $n } prompt tokens fed at once
    }
distribution-prefill-parts = prefill: { $n } prompt tokens fed, { $most } at a time
distribution-decode = decode: one token fed at position { $position }
distribution-refed = decode: { $n } tokens fed at once from position { $position }, which the cache did not hold
distribution-slid = decode: the window has slid, { $n } tokens fed afresh
distribution-what-if = ◆ What if: these settings did not make this token
distribution-what-if-hint = The bars show what the present settings would make of this step. They count from the next token on
distribution-took = step: { $took }
distribution-took-hint = The time that this step took
distribution-no-what-if = ◆ No what-if: { $problem }
distribution-replay = Replay
distribution-replay-hint = Makes all steps of this branch once more, which gives their logits back

# The token in the largest type
hero-logits = { $n } logits, one for each token of the vocabulary
hero-probabilities = { $n } probabilities that sum to 100 %, entropy { $entropy }
hero-left = { $n_left ->
    [one] 1 of { $n } tokens is left, entropy { $before } → { $after }
   *[other] { $left } of { $n } tokens are left, entropy { $before } → { $after }
    }
hero-chosen = Chosen token { $token }
hero-greedy = taken greedily
hero-drawn = drawn with u = { $u }
hero-forced = taken by you
hero-would = would be { $how }
hero-rank = { $how } · rank { $rank } of { $n }

# The rooms of the centre
room-step = This step
room-explore = Explore
room-explore-empty = Press Step first: what else could have come is explored from a token on

# Which picture, its scale, and the search
charts-list = List
charts-list-hint = One row per candidate with all its numbers
charts-bars = Bars
charts-bars-hint = One bar per candidate by rank
charts-cumulative = Cumulative
charts-cumulative-hint = The running sum of probability by rank
charts-draws = Draws
charts-draws-hint = This step drawn 1,000 times: does each token come as often as it should?
charts-rollouts = Rollouts
charts-rollouts-hint = Many continuations from this step, and the tree that they make
charts-beams = Beams
charts-beams-hint = Beam search: the most probable continuations from this step
charts-branches = Branches
charts-branches-hint = What was drawn, and what you took in its place
charts-compare = Compare
charts-compare-hint = This run beside another one: texts and distributions
charts-linear = Linear
charts-linear-hint = Lengths in proportion
charts-log = Log
charts-log-hint = Each sixth of the length is a factor of ten, down to 0.0001 %
charts-log-ranks-hint = Each power of ten of the rank is equally far from the next
charts-search = Find a token or id
charts-search-name = Find a token
charts-search-stop = Stop searching

# The list of candidates
candidates-no-logits = The logits of this step are no longer held, and only they say where every token stands: Replay makes them again
candidates-searching = Searching…
candidates-none = No token of the vocabulary has this text or id
candidates-rank = rank
candidates-token = token
candidates-logit = logit
candidates-id = id
candidates-model = model, T = 1
candidates-after = after samplers
candidates-dropped = dropped by { $stage }
candidates-would = would be drawn
candidates-would-take = would be taken
candidates-taken = taken
candidates-drawn = drawn
candidates-row = Rank { $rank }, { $token }, { $prob } by the model, { $after } after the samplers, { $fate }
candidates-take = Click to take this token instead: the text goes on from here as a branch
candidates-take-dropped = Click to take this token all the same: the text goes on from here as a branch
candidates-chip = Candidate { $rank } { $token }
candidates-more = … { $n } more
candidates-more-after = { $prob } after the samplers
candidates-more-hint = All tokens without a row of their own, counted exactly. Search for any of them

# Bars by rank, and the running sum
plot-model = the model, T = 1
plot-after = after the samplers
plot-added-up = what top-p added up
plot-bars = Bars of the distribution by rank
plot-cumulative = Cumulative probability by rank
plot-top-p = top-p { $p }
plot-left = { $n_left ->
    [one] 1 token is left
   *[other] { $n } tokens are left
    }
plot-ranks = rank (drag to see more)

# The random number on the line of the candidates
strip-title = The draw
strip-greedy = greedy: nothing is drawn, “{ $token }” is the best
strip-coin = u = { $u } falls in [{ $low }, { $high }), the interval of { $token }
strip-forced = nothing was drawn: you took { $token }
strip-hint = The candidates share the line from 0 to 1 by their probability after the samplers; a random number u picks one
strip-name-greedy = The draw: greedy, { $token }
strip-name-coin = The draw: u { $u } in { $low } to { $high }, { $token }
strip-name-forced = The draw: none, { $token } was taken by you
strip-interval = { $token }: { $prob } from { $low } to { $high }
strip-small = Candidates that are not drawn one by one

# The step drawn many times
draws-no-logits = This step's logits are no longer held: Replay makes them again
draws-drawing = Drawing…
draws-one-left = { $n } draws: one token is left, so it always comes
draws-too-few = { $n } draws: too few tokens are expected often enough for χ²
draws-fit = { $degrees ->
    [one] { $n } draws: χ² = { $chi } at 1 degree of freedom, p = { $p }
   *[other] { $n } draws: χ² = { $chi } at { $degrees } degrees of freedom, p = { $p }
    }
draws-fit-hint = χ² sums (count − expected)² / expected; p is how often honest draws deviate at least so far. Tokens of which fewer than five are expected are counted together
draws-more = { $n_more ->
    [one] 1 more token
   *[other] { $n } more tokens
    }
draws-bar = { $n ->
    [one] { $token }: came once, { $expected } expected
   *[other] { $token }: came { $n } times, { $expected } expected
    }
draws-axis = rank after the samplers; filled: drawn, outline: expected
draws-axis-more = rank after the samplers; filled: drawn, outline: expected; last bar: { $n } more
draws-came = came
draws-expected = expected
draws-count = times drawn
draws-name = How often each token came in { $n } draws: { $best }

# Many continuations and their tree
rollouts-intro = Roll out draws the rest of the text many times from this step on. Where continuations begin alike they share a cell, as high as there are many of them
rollouts-running = Rolling out…
rollouts-other-samplers = Drawn with the samplers as they were: press Roll out for those of now
rollouts-elsewhere = These began at step { $n }: press Roll out for the step that is shown
rollouts-n = Continuations
rollouts-length = of at most
rollouts-tokens = {" "}tokens
rollouts-stop = Stop rolling out
rollouts-start = Roll out
rollouts-start-hint = With the samplers as they are set; continuation i is what the seed plus i gives
rollouts-done = { $done } of { $n } done · { $drawn } tokens drawn, { $fed } fed
rollouts-done-hint = What several continuations begin with goes through the model once
rollouts-through = { $n ->
    [one] 1 of { $all } continuations goes through it
   *[other] { $n } of { $all } continuations go through it
    }
rollouts-node = Continuation token { $n }, { $token }: { $came }, { $prob }
rollouts-node-hint = { $token }: { $came }; { $prob } under the model itself, log p up to here { $log_prob }. Click to go on with it

# Beam search
beams-intro = Search goes on with several texts at once, the beams, and at each step keeps the most probable. It uses the model's own distribution: no sampler and no chance
beams-searching = Searching…
beams-elsewhere = This began at step { $n }: press Search for the step that is shown
beams-width = Beams
beams-penalty = Length penalty
beams-penalty-hint = A finished beam scores log p / length ^ penalty: 0 favours short texts, above 0 longer ones
beams-length = at most
beams-tokens = {" "}tokens
beams-stop = Stop searching
beams-start = Search
beams-start-hint = Search from this step on
beams-done = { $steps ->
    [one] done after 1 step · { $finished } finished · log p in nats
   *[other] done after { $steps } steps · { $finished } finished · log p in nats
    }
beams-so-far = { $steps ->
    [one] searching after 1 step · { $finished } finished · log p in nats
   *[other] searching after { $steps } steps · { $finished } finished · log p in nats
    }
beams-stopped = { $steps ->
    [one] stopped after 1 step · { $finished } finished · log p in nats
   *[other] stopped after { $steps } steps · { $finished } finished · log p in nats
    }
beams-keep = Keep
beams-keep-hint = Go on with this beam
beams-keep-name = Keep finished beam { $n }
beams-score = score { $score } · log p { $log_prob }
beams-score-hint = log p / { $n } ^ length penalty; log p is the natural logarithm of the joint probability
beams-token = token { $n }
beams-kept = kept
beams-finished = finished
beams-dropped = dropped
beams-cell = Beam at token { $n }, { $fate } { $row }: { $token }, log p { $log_prob }
beams-cell-hint = { $fate }: { $prob } behind its beam, log p { $log_prob } together
beams-cell-click = Click to go on with it

softmax-divided = ÷ T = { $t }
softmax-shifted = − max
softmax-exp = exp
softmax-prob = ÷ Σ = probability
softmax-own = at T = 1
softmax-logit-hint = What the model gave this token: any number. Only differences between logits matter
softmax-divided-hint = The temperature comes first: every logit is divided by T. Above 1 the differences shrink, below 1 they grow
softmax-shifted-hint = The largest logit is subtracted from all. That changes no probability, and keeps exp from growing beyond what a computer can hold
softmax-exp-hint = e to the power of that: never negative, 1 for the best, and each unit less divides it by 2.718…
softmax-prob-hint = exp divided by the sum of all: together they are 100 %
softmax-own-hint = What the model’s own distribution says, with no temperature
softmax-max-hint = The largest of { $n } logits
softmax-sum-hint = All { $n } powers of e added up, also those without a row of their own
softmax-over = over { $n } tokens
softmax-row = Rank { $rank }: { $token }, logit { $logit }, minus the maximum { $shifted }, exp { $exp }, probability { $prob }
softmax-tail = { $name }: exp { $exp }, probability { $prob }
softmax-tail-hint = All tokens without a row of their own, summed exactly
