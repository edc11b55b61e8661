//! The stations before the logits, as they are drawn.

use super::{
    AttentionView, AttributionView, CellView, EmbeddingsView, InsidePass, InsideState, InterventionsView, LensView,
    MapState, MergesView, PatchingView, PresetsView, TokenizersView,
};
use crate::app::core::{Chart, Core, Lock, LoopStage, SceneShown, TextView};
use crate::text::TextError;
use crate::trace::{ModelCard, StepRecord};

/// What is known of tokenizing, embedding and the layers.
#[derive(Clone, Debug)]
pub(crate) struct InsideView<'a> {
    /// How the prompt became tokens, or why that cannot be shown.
    pub merges: Option<Result<MergesView<'a>, &'a TextError>>,
    /// The prompt under the model's tokenizer and another one.
    pub tokenizers: TokenizersView<'a>,
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
    pub lens: Option<LensView<'a>>,
    pub embeddings: EmbeddingsView<'a>,
    /// The parts of a logit.
    pub attribution: Option<AttributionView<'a>>,
    /// One text's run put into another's.
    pub patching: Option<PatchingView<'a>>,
    /// The chosen cell of the KV cache.
    pub cell: Option<CellView<'a>>,
    /// What can be set up at once; none where a lesson holds the prompt.
    pub presets: Option<PresetsView>,
    /// What is changed on the way, and what comes of it.
    pub interventions: Option<InterventionsView<'a>>,
    /// The layer and the head that are chosen, from 0.
    pub head: (usize, usize),
    pub attention: AttentionView<'a>,
    pub map: MapState,
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

impl<'a> InsideView<'a> {
    pub(in crate::app) fn of(
        own: &'a InsideState,
        core: &'a Core,
        text: TextView<'a>,
        scene: SceneShown,
        prompt: Lock,
    ) -> Self {
        let step = core.current_step().zip(core.step_model());
        let look = LookView::of(own, core);
        let pass = match &look {
            LookView::Recorded(pass) => Some(*pass),
            _ => None,
        };
        let at = |chart| pass.filter(|_| core.view.chart == chart);
        let lens = at(Chart::Lens).or(at(Chart::Map)).and_then(|pass| LensView::of(own, core, &pass));
        let attribution = at(Chart::Attribution).and_then(|pass| AttributionView::of(own, core, &pass));
        let patching = at(Chart::Patching).map(|pass| PatchingView::of(own, core, &pass));
        let interventions = at(Chart::Interventions).map(|pass| InterventionsView::of(own, core, &pass));
        let cell = at(Chart::Cache).and_then(|pass| CellView::of(own, core, pass.look));
        Self {
            merges: MergesView::of(own, core),
            tokenizers: TokenizersView::of(own, core),
            text,
            has_tokens: core.current_run().is_some() && !core.prompt.tokens.is_empty(),
            n_bytes: core.prompt.text.len(),
            stage: core.cursor.stage,
            chart: core.view.chart,
            step: step.map(|(step, model)| (&**step, &*model.card)),
            look,
            lens,
            embeddings: EmbeddingsView::of(own, core),
            attribution,
            patching,
            cell,
            presets: (prompt == Lock::Free).then(|| PresetsView::of(own, core)),
            interventions,
            head: (own.layer, own.head),
            attention: AttentionView::of(own, core),
            map: own.map,
            scene,
        }
    }
}

impl<'a> LookView<'a> {
    fn of(own: &'a InsideState, core: &'a Core) -> Self {
        let Some(step) = core.current_step() else { return Self::NoStep };
        if let Some(pass) = own.pass(core) {
            return Self::Recorded(pass);
        }
        if !core.can_go_on() {
            return Self::OtherModel;
        }
        if InsideState::is_under_way(core) {
            return Self::UnderWay;
        }
        Self::NotRecorded { n_tokens: step.forward.positions.end }
    }
}
