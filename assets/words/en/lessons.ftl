# Lessons, predictions, presenting, the glossary.

# The list
lessons = Lessons
lessons-hide = Hide the lessons
lessons-finished = { $n } of { $all } finished
lesson-minutes = { $n ->
    [one] 1 minute
   *[other] { $n } minutes
    }
lesson-after = after “{ $title }”

# A lesson
lesson-back = ◀ Lessons
lesson-back-tip = Back to the list; what is on the screen stays
lesson-place = { $n } of { $all }
lesson-teacher = For the teacher
lesson-sources = To read and watch
lesson-finish = Finish
lesson-locks = This lesson keeps this as it is. Leave the lesson to turn it
lesson-other-model = This lesson was written for the bundled model: with another one its words and tasks need not fit
lesson-load-bundled = Load the bundled model
lesson-left-out = Left out
lesson-leave-out = Leave it out
scene-back = ◀ Scene
scene-next = Next ▶
scene-next-tip = On to the next scene (N)
scene-not-yet = First do what is asked above
task-done = ✓ Done
task-yours = Your turn
task-hint = Hint
task-show = Show me
task-show-tip = The lesson does it
quiz-right = Right

# What comes next
predict-me = I say
predict-me-tip = One word, and how probable you hold it to be
predict-class = We say
predict-class-tip = Up to six words, with the votes of a class for each
predict-word = Your prediction
predict-word-hint = a word
predict-percent = Its probability in percent
predict-percent-tip = How sure are you? Whoever says 99 % and is wrong pays dearly
predict-give = Say it and look
predict-give-tip = The model makes the token, and the two are compared
predict-row = Word { $n } of the class
predict-fewer = One vote less for word { $n }
predict-more = One vote more for word { $n }
predict-add = + Word
predict-votes = { $n ->
    [one] 1 vote
   *[other] { $n } votes
}
predict-stopped = No token came: press Step to let the model go on
predict-waiting = The model is at it…
predict-of-you = said by you
predict-of-class = said by the class
predict-of-model = after the samplers
predict-else = anything else
predict-begins = { $word } ({ $token }…)
predict-came = Then came { $token }, which had { $prob } after the samplers
predict-score = Your surprise { $yours }, that of the model with its samplers { $models }
predict-mean = { $n ->
    [one] One prediction so far: { $yours } for you, { $models } for the model with its samplers
   *[other] Mean of { $n } predictions: { $yours } for you, { $models } for the model with its samplers
}
predict-why = Why this score?
predict-rule = The logarithmic rule: −log₂ of the probability that was said for what came. Less is better. 50 % always costs 1 bit; 99 % costs 0.01 bits if it comes and 6.6 bits if it does not. Nobody does better than by saying what they believe. In a class each word and “anything else” has one vote beforehand, so that nothing is impossible
predict-question = What comes next?
predict-again = Next prediction
predict-stop = No more predictions

# Presenting
present = Present
present-leave = End the presentation
present-leave-tip = Back to the whole window (F5 or Esc)
present-notes = Notes
present-notes-tip = The teacher's notes, in a window of their own (N)
present-poll = Poll
present-blank = The screen is blank
present-back = Back
present-back-tip = One beat back (Page Up)
present-next-tip = Go on (Space or Page Down). B blanks the screen
present-look = Show it
present-reveal = Reveal
present-solve = Do it
present-question = Question
present-answer = Answer
present-scene = Next scene
present-more = Read on
present-step = Next token
shown-scene = Scene
shown-text = Text
shown-distribution = Distribution
shown-numbers = Numbers
shown-loop = Loop
notes-title = Tokenscope: notes
notes-no-lesson = No lesson is open: the space bar makes the next token, P asks the room first
notes-next = Next: { $what }
notes-none = No notes for this scene
notes-words = What the scene says

# The glossary
glossary = Glossary
glossary-all = All terms
glossary-look-up = Look up “{ $term }” in the glossary
