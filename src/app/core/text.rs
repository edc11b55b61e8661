//! The text so far, token by token.

use super::{Core, LoopStage};
use crate::trace::{Edit, Overflow, Piece, StepRecord, TokenId, TokenScore, Vocabulary};
use std::sync::Arc;

/// One token of the text strip.
#[derive(Clone, Copy, Debug)]
pub struct TextToken<'a> {
    /// Its place in the text, from 0.
    pub position: usize,
    pub id: TokenId,
    /// Its piece, where it came from the prompt.
    pub piece: Option<&'a Piece>,
    /// The step that chose it; `None` for the prompt.
    pub step: Option<&'a StepRecord>,
    /// What the prefill made of it, where it came from a prompt that was read.
    pub score: Option<&'a TokenScore>,
    /// The changes of the model under which its numbers were computed.
    pub edits: &'a [Edit],
    /// Whether it lies after the place that is shown.
    pub later: bool,
    /// Whether it is the token of the place that is shown.
    pub current: bool,
    /// Whether the shown step no longer saw it, since the context window had slid past it.
    pub forgotten: bool,
}

/// The text so far.
#[derive(Clone, Copy, Debug)]
pub struct TextView<'a> {
    prompt: &'a [Piece],
    steps: &'a [Arc<StepRecord>],
    /// The most tokens that the model takes; `None` while there is no model.
    pub context_length: Option<usize>,
    /// Whether the window slides where the text is longer.
    slides: bool,
    /// The step that is shown.
    shown: usize,
    /// Position that is shown: tokens behind it are later.
    n_shown: usize,
    /// How many tokens at the beginning the shown step no longer saw.
    n_forgotten: usize,
}

impl<'a> TextView<'a> {
    /// The text that belongs to the prompt as it is typed.
    pub fn of(core: &'a Core) -> Self {
        let (prompt, steps) = (core.prompt_tokens(), core.steps());
        let appended = usize::from(core.cursor.stage == LoopStage::Append && core.current_step().is_some());
        let n_shown = prompt.len() + core.cursor.step + appended;
        let forgotten = core.current_step().map_or(0, |step| step.kv.forgotten);
        // A damaged file may say more than there is.
        Self {
            prompt,
            steps,
            context_length: core.shown_model().map(|model| model.card.context_length),
            slides: core.overflow == Overflow::Slide,
            shown: core.cursor.step,
            n_shown,
            n_forgotten: forgotten.min(n_shown),
        }
    }

    /// How many tokens there are.
    pub fn len(&self) -> usize {
        self.prompt.len() + self.steps.len()
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many of them came from the prompt.
    pub fn n_prompt(&self) -> usize {
        self.prompt.len()
    }

    /// How many tokens at the beginning the shown step no longer saw.
    pub fn n_forgotten(&self) -> usize {
        self.n_forgotten
    }

    /// Whether the text has more tokens than the model takes, and nothing will be done about it.
    pub fn is_too_long(&self) -> bool {
        let slides = self.slides || self.n_forgotten > 0;
        !slides && self.context_length.is_some_and(|context_length| self.len() > context_length)
    }

    /// The token at `position`, which is less than `len()`.
    pub fn token(&self, position: usize) -> TextToken<'a> {
        let later = position >= self.n_shown;
        let forgotten = position < self.n_forgotten;
        if let Some(piece) = self.prompt.get(position) {
            // Of a prompt that is longer than the window, the prefill has read the end.
            let read = |first: &'a StepRecord| first.prompt.get(position.checked_sub(first.kv.forgotten)?);
            let score = self.steps.first().and_then(|first| read(first));
            let edits = self.steps.first().filter(|_| score.is_some()).map_or(&[][..], |first| &first.edits);
            let (piece, id) = (Some(piece), piece.id);
            return TextToken {
                position,
                id,
                piece,
                step: None,
                score,
                edits,
                later: false,
                current: false,
                forgotten,
            };
        }
        let index = position - self.prompt.len();
        let step: &StepRecord = &self.steps[index];
        let current = index == self.shown && !later;
        TextToken {
            position,
            id: step.sampling.chosen_id(),
            piece: None,
            step: Some(step),
            score: None,
            edits: &step.edits,
            later,
            current,
            forgotten,
        }
    }

    /// What each token adds to the text as one reads it; see [`Vocabulary::written`].
    pub fn written(&self, vocabulary: &Vocabulary) -> Vec<String> {
        let ids: Vec<_> = (0..self.len()).map(|position| self.token(position).id).collect();
        vocabulary.written(&ids)
    }
}
