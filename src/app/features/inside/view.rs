//! The stations before the logits, as they are drawn.

use super::{EmbeddingsView, InsideState, MergesView};
use crate::app::core::{Chart, Core, LoopStage, SceneShown, TextView};
use crate::text::TextError;
use crate::trace::{Activations, Lens, ModelCard, StepRecord, TokenId, Vocabulary};

/// What is known of tokenizing, embedding and the layers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InsideView<'a> {
    /// How the prompt became tokens, or why that cannot be shown.
    pub merges: Option<Result<MergesView<'a>, &'a TextError>>,
    /// The text, of which the prompt is the beginning.
    pub text: TextView<'a>,
    /// Whether a run has begun, and the prompt has tokens.
    pub has_tokens: bool,
    pub n_bytes: usize,
    pub stage: LoopStage,
    /// The picture that is chosen.
    pub chart: Chart,
    /// The shown step, and the model as it was when that was made.
    pub step: Option<(&'a StepRecord, &'a ModelCard)>,
    /// What the shown step computed, or why that is not known.
    pub look: LookView<'a>,
    /// The lens over it.
    pub lens: Option<&'a Lens>,
    pub embeddings: EmbeddingsView<'a>,
    /// The layer and the head that are chosen, from 0.
    pub head: (usize, usize),
    /// What begins with the top of each list.
    pub scene: SceneShown,
}

/// What is known of the inside of the shown step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LookView<'a> {
    /// There is no step.
    NoStep,
    /// Its model is not loaded.
    OtherModel,
    /// It was not recorded, and the engine is free to read the text once more, so many tokens.
    NotRecorded {
        n_tokens: usize,
    },
    /// The engine is at it, or at something else that comes first.
    UnderWay,
    Recorded(InsidePass<'a>),
}

/// A recorded pass with what is chosen of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InsidePass<'a> {
    pub look: &'a Activations,
    pub vocabulary: &'a Vocabulary,
    /// The token that was drawn from the last position.
    pub drawn: TokenId,
    /// The position that is chosen, one of those that are kept.
    pub position: usize,
}

impl InsidePass<'_> {
    /// A token of the text as it is written.
    pub fn token(&self, position: usize) -> String {
        self.vocabulary.display(self.look.ids[position])
    }
}

impl<'a> InsideView<'a> {
    pub(in crate::app) fn of(own: &'a InsideState, core: &'a Core, text: TextView<'a>, scene: SceneShown) -> Self {
        let step = core.current_step().zip(core.step_model());
        Self {
            merges: MergesView::of(own, core),
            text,
            has_tokens: core.current_run().is_some() && !core.prompt.tokens.is_empty(),
            n_bytes: core.prompt.text.len(),
            stage: core.cursor.stage,
            chart: core.view.chart,
            step: step.map(|(step, model)| (&**step, &*model.card)),
            look: LookView::of(own, core),
            lens: own.current_lens(core).map(|lens| &**lens),
            embeddings: EmbeddingsView::of(own, core),
            head: (own.layer, own.head),
            scene,
        }
    }
}

impl<'a> LookView<'a> {
    fn of(own: &'a InsideState, core: &'a Core) -> Self {
        let (Some(step), Some(run)) = (core.current_step(), core.current_run()) else { return Self::NoStep };
        if let Some(look) = own.current_look(core) {
            let last = look.n_positions() - 1;
            let position = own.position.filter(|position| look.kept().contains(position)).unwrap_or(last);
            let (vocabulary, drawn) = (&*run.model.vocabulary, step.sampling.chosen_id());
            return Self::Recorded(InsidePass { look, vocabulary, drawn, position });
        }
        if !core.can_go_on() {
            return Self::OtherModel;
        }
        let is_asked = own.look.as_ref().is_some_and(|look| core.job == Some(look.job));
        if is_asked || core.activity() != crate::engine::Activity::Idle {
            return Self::UnderWay;
        }
        Self::NotRecorded { n_tokens: step.forward.positions.end }
    }
}
