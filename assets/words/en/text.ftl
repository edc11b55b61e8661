# The text: its tokens, their colours and numbers, its page for a browser, and where the generation stands.

# Above the text
text-tokens = Tokens
text-tokens-hint = Every token as a chip with its id, white space visible
text-reading = Text
text-reading-hint = The text as one reads it
text-n-prompt = ■ { $n } from the prompt
text-n-generated = ■ { $n } generated
text-window = { $n } / { $most } tokens
text-window-hint = Tokens so far against the context window
text-first-forgotten = { $n ->
    [one] The first token is forgotten: it no longer fits into the context window
   *[other] The first { $n } tokens are forgotten: they no longer fit into the context window
  }
text-branch-hint = The branch that is shown ({ $keys }); Branches, in Explore, draws them all

# The colours
text-tint = coloured by
text-tint-probability = probability
text-tint-rank = rank
text-tint-entropy = entropy
text-tint-surprisal = surprisal
text-tint-hint = A strong colour: { $means }
text-strong-probability = the model thought the token likely
text-strong-rank = the token was among the model's first choices
text-strong-entropy = the model found many tokens possible here
text-strong-surprisal = the model did not expect the token

# In place of the text
text-no-prompt = This model puts no start token in front of a text, so it needs a prompt: type one above

# A token
text-name = Text: { $text }
text-chip-prompt = Prompt token { $n }, { $token }, id { $id }
text-chip = Token { $n }, { $token }, { $prob }
text-chip-changed = { $name }, made with the model changed
text-changed = ◆ Made with the model changed: { $edits }
text-of-prompt = id { $id } · position { $position } · from the prompt
text-of-step = id { $id } · position { $position } · step { $step }
text-special = A special token: it marks the text and is no part of it
text-own-prob = { $prob } of the model's own distribution, rank { $rank }
text-final-prob = { $prob } after the samplers
text-greedy = Taken greedily
text-drawn = Drawn with u = { $u }
text-take-no-logits = This token's numbers are no longer held: Replay makes them again; or take a token that has a row
text-taken = Taken by you: a branch begins here
text-go = Click to go to this step
text-forgotten = Forgotten: the model no longer sees this token
text-chip-forgotten = { $name }, forgotten
text-prompt-prob = The model gave it { $prob }, rank { $rank }
text-surprisal = Surprisal { $surprisal }, entropy of the choice { $entropy }

# The text summed up
text-nothing-read = Nothing has been read yet
text-perplexity-prompt = Prompt: perplexity
text-perplexity-generated = Generated: perplexity
text-perplexity-hint = exp of the mean of −ln p over its tokens, each under the model itself at T = 1: as unsure as if it chose among so many equally likely tokens
text-log-prob = the log p of all of it
text-least-expected = Least expected tokens
text-least-expected-token = Least expected: token { $n }, { $token }, { $prob }
text-prob-rank = { $prob } · rank { $rank }
text-prob-rank-hint = { $bits } of surprisal at position { $position }; the model expected { $best }

# The page for a browser
text-page-token = id { $id }
text-page-numbers = { $prob }, rank { $rank }, entropy { $entropy }, surprisal { $surprisal }
text-page-foot = Coloured by { $tint }: strong where { $means }. Underlined: the prompt. Model: { $model }. Made with Tokenscope.
text-page-changed = Line above: made with the model changed.

# What would change
text-what-if-no-logits = this step's logits are no longer held: Replay makes them again, and then you see what would change

# Where the generation stands
status-engine-dead = The engine stopped
status-loading = Loading the model…
status-no-model = No model: choose one
status-ready = Ready: press Step
status-other-model = Made with { $model }, which is not loaded: load it to go on, or Restart
status-replaying = Replaying: { $made } of { $n } tokens
status-working = Working on it…
status-tokens = { $n ->
    [one] 1 token
   *[other] { $n } tokens
  }
status-ended-eos = Ended after { $tokens }: the model chose its end-of-text token
status-ended-max = Ended after { $tokens }: the maximum is set to { $max }
status-ended-full = Ended after { $tokens }: the context window is full
status-running = Running: { $tokens } so far
status-stepping = Making a token…
status-stopped = Stopped by you after { $tokens }
status-tokenized = The prompt is tokenized: press Step
status-paused = Paused after { $tokens }
