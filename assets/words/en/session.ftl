# The session and its files, two runs side by side, the branches, and what is said about work on the model.

# The session menu
session-menu = Session ▾
session-menu-hint = Save, open, export, replay
session-open = Open…
session-open-last = Open the last session
session-open-last-hint = What was under way when the program was closed last
session-open-last-other = Open the last session of another window
session-open-last-other-hint = What was under way when another window was closed
session-open-before = Open the session before
session-open-before-hint = What was under way until another text was begun or opened
session-save = Save
session-save-as = Save as…
session-save-as-hint = To another file
session-json = Steps as JSON…
session-json-hint = All numbers of the shown branch
session-csv = Steps as CSV…
session-csv-hint = A row for each candidate of each step
session-html = Text as HTML…
session-html-hint = The shown text with its colours
session-png = Picture as PNG
session-copy-link = Copy link
session-copy-link-hint = Prompt, samplers and seed as a line for `tokenscope --open`
session-copy-scene = Copy as a lesson scene
session-copy-scene-hint = What brings the screen here, as the set-up of a lesson's scene
session-replay = Replay
session-replay-hint = Makes all steps of the shown branch once more, which gives their logits back

# The dialog for a file
session-save-title = Save: { $what }
session-choose-place = Choose a place…
session-save-path = File to save to
session-save-path-hint = path of the file, ending in .{ $ending }
session-note-session = Prompt, settings, all branches and steps; it opens without the model too. Raw logits are not kept
session-note-steps = The shown branch, each step with all candidates that were recorded
session-note-text = The text of the shown branch, coloured as it is here; opens in any browser
session-note-picture = As it is on the screen
session-open-title = Open a session
session-open-verb = Open
session-choose-file = Choose a file…
session-open-path = File or link
session-open-path-hint = path of a .tokenscope file, or tokenscope:…
session-open-note = What is open now is kept, and Open the session before brings it back; a file may also be dropped on the window

# What can be written
session-part-window = Window
session-part-text = Text
session-part-distribution = Distribution
session-part-inspector = Inspector
session-part-transport = Loop and transport
session-export-session = The session
session-export-json = The steps as JSON
session-export-csv = The steps as CSV
session-export-html = The text with its colours as HTML
session-export-png = { $part } as PNG

# What became of a file or a link
session-nothing = there is nothing to save yet: make a token first
session-link-model = this was copied with the model { $wanted }; the one here is { $loaded }
session-saved = Saved: { $path }
session-copied-link = Copied: prompt, samplers and seed as a line for `tokenscope --open`
session-copied-link-changed = Copied: prompt, samplers and seed as a line for `tokenscope --open`. It cannot say that the model was changed in this branch: save the session to keep that
session-copied-scene = Copied: this moment as a scene, for the header of a lesson's file
session-opened = Opened
session-is-back = The session is back
session-steps = { $n ->
    [one] 1 step
   *[other] { $n } steps
  }
session-report = { $what }: { $steps }; { $hint }
session-problems = { $all }; { $next }
session-rest = the file stays as it was, in { $path }
session-no-logits = raw logits are not saved: Replay makes them again
session-other-model = made with { $model }, which is not loaded: it can be looked at, and goes on once that model is

# Two runs side by side
compare-empty = Pin this run, then change the samplers, the seed or the model and run again; or choose another branch. Both stand side by side here
compare-no-step = { $name } has no step { $step }
compare-no-logits-of = The logits of this step of “{ $name }” are no longer held: show that run again, from its file if need be, let Replay make them again, and pin it again
compare-no-logits = The logits of this step are no longer held: Replay makes them again
compare-busy = Comparing…
compare-other-tokens = the two models have different tokens, so nothing can be compared
compare-other-prompts = the two runs have different prompts
compare-nothing-pinned = nothing pinned yet
compare-branch-gone = a branch that is gone
compare-with-hint = What the shown branch is compared with: { $name }
compare-shown-hint = The branch that is shown
compare-pin = Pin this run
compare-pin-hint = Keep it as A, whatever you change then
compare-beside = Pin and run again ▾
compare-beside-hint = Keep this run as A, and run the same prompt with other settings as B
compare-beside-seed = With seed { $seed }
compare-beside-model = With another model…
compare-beside-model-hint = One that has the same tokens; then run again
compare-beside-preset = With “{ $name }”
compare-no-sampler = no sampler
compare-pinned-name = { $branch }, seed { $seed }, { $settings } (pinned)
compare-pinned-seedless = { $branch }, { $settings } (pinned)
compare-both = both
compare-token = Compared token { $n } of { $side }: { $token }, { $prob }
compare-token-hint = { $token }: { $prob } under its model itself
compare-step = Step { $step }: { $before }
compare-behind-same = behind the same text
compare-behind-others = the texts part at token { $n }, so A and B follow different texts
compare-moved = { $moved ->
    [one] · 1 of the { $n } tokens below has another rank
   *[other] · { $moved } of the { $n } tokens below have another rank
    }
compare-raw = the models' own:
compare-last = after the samplers:
compare-distance = KL(A, B) = { $ab }   KL(B, A) = { $ba }   { $apart } of draws must differ
compare-distance-hint = Kullback-Leibler divergence KL(A, B) = Σ a log₂ (a / b), over the whole vocabulary; infinite where the other rules out a token. Of draws, half of Σ |a − b| must differ
compare-column-token = token
compare-column-bar = after samplers: B filled, A outlined up to the upright line
compare-column-ranks = model's rank, A → B
compare-candidate = Compared candidate { $token }: A { $a }, B { $b }, rank { $ranks }
compare-candidate-hint = { $token }: { $a } and { $b } under the models themselves

# The branches
branches-one = One branch: click a candidate in the list to take it instead, and a second one begins
branches-several = { $n } branches · log p is that of the whole continuation under the model itself, in nats
branches-any-changed = ◆ changed: each step's log p is under the model that made it
branches-undo = Undo
branches-redo = Redo
branches-token = { $branch }: step { $step }, { $token }, { $prob }{ $how }
branches-token-hint = { $token }: { $prob } under the model itself{ $how }
branches-taken = , taken by you
branches-changed = , generated by a changed model: { $edits }
branches-name-hint = Show this branch; double-click to rename it
branches-sum = { $n_tokens ->
    [one] 1 token · log p { $log_prob } nats
   *[other] { $n } tokens · log p { $log_prob } nats
    }
branches-sum-hint = The natural logarithm of the joint probability of all its tokens, each under the model itself at T = 1
branches-rename = Rename
branches-new-name = New name of { $name }
branches-delete = Delete
branches-delete-hint = Delete { $name } and all that part from it

# Work on the model
work-other-model = this was made with another model, { $model }: load that one to go on from here
work-limit = not all of it fits: Max tokens ends the text after { $n ->
    [one] 1 token
   *[other] { $n } tokens
    }
work-other-branch = this began in another branch: show that one first
work-replayed = Replayed: { $how }; recorded logits differ by { $deviation } at most
work-replay-same = { $n ->
    [one] the one token came out the same
   *[other] all { $n } tokens came out the same
    }
work-replay-differs = { $same } of { $n } tokens came out the same: another device or number format rounds otherwise
