//! Everything that the screen depends on.

use super::{
    Action, Calculator, CompareState, Cursor, History, KeepingState, LessonState, Prediction, Preferences, Presenter,
    Scale, WorkState,
};
use crate::engine::{
    Activity, Found, LoadProgress, LoadRequest, LoadedModel, Many, ModelSource, RunId, StepInput, StepKey, TokenPath,
    WhatIf,
};
use crate::sampling::{SamplerSettings, StageKind, is_of_seed};
use crate::trace::{
    BranchId, DEFAULT_MAX_NEW_TOKENS, Merges, ModelIdentity, Overflow, PassId, Piece, RawLogits, StepRecord,
    StopReason, TokenId, Trace, Tree,
};
use crate::words::say;
use std::sync::Arc;

/// The example prompts, one click away.
pub const EXAMPLES: [&str; 4] =
    ["The capital of France is", "What is gravity?", "The cat sat on the", "Once upon a time"];

/// The slowest and the fastest paced run; above it the model runs freely.
pub const SPEED_RANGE: std::ops::RangeInclusive<f64> = 0.2..=100.0;

/// Pictures of the distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Chart {
    /// One row per candidate, with all its numbers.
    #[default]
    List,
    /// One bar per candidate.
    Bars,
    /// The running sum.
    Cumulative,
    /// The step drawn many times.
    Draws,
    /// What was drawn and what was taken in its place.
    Branches,
    /// Many continuations from the step.
    Rollouts,
    /// The most probable continuations.
    Beams,
    /// The shown branch beside another one.
    Compare,
}

impl Chart {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::List,
        Self::Bars,
        Self::Cumulative,
        Self::Draws,
        Self::Rollouts,
        Self::Beams,
        Self::Branches,
        Self::Compare,
    ];

    /// Its name in lessons.
    pub fn key(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Bars => "bars",
            Self::Cumulative => "cumulative",
            Self::Draws => "draws",
            Self::Rollouts => "rollouts",
            Self::Beams => "beams",
            Self::Branches => "branches",
            Self::Compare => "compare",
        }
    }
}

/// How the text is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextStyle {
    /// As tokens.
    #[default]
    Tokens,
    /// As one reads it.
    Reading,
}

/// What the colours of the text say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tint {
    /// How probable each token was.
    #[default]
    Probability,
    /// At which rank it stood.
    Rank,
    /// How open the choice was.
    Entropy,
    /// How surprising the token was.
    Surprisal,
}

/// Sections of the inspector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The text by its numbers.
    Text,
    /// The sampler chain.
    Samplers,
    /// The KV cache.
    KvCache,
    /// The time.
    Timing,
}

/// What is open and how it is drawn.
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that is open or not")]
#[derive(Clone, Debug)]
pub struct ViewState {
    /// Tokens or text.
    pub text: TextStyle,
    /// Bars or sums.
    pub chart: Chart,
    /// How probabilities become lengths.
    pub scale: Scale,
    /// Sections of the inspector that are open.
    pub open_sections: Vec<Section>,
    /// The sampler stage whose details are open.
    pub open_stage: Option<StageKind>,
    /// Whether the inspector is open.
    pub inspector: bool,
    /// Whether the list of keys is open.
    pub help: bool,
    /// Whether the choice of models is open.
    pub model_dialog: bool,
    /// Whether the choice of session files is open.
    pub session_dialog: bool,
    /// What the colours of the text say.
    pub tint: Tint,
    /// The calculator, if it is open.
    pub calculator: Option<Calculator>,
    /// Whether the settings are open.
    pub settings: bool,
}

impl Default for ViewState {
    fn default() -> Self {
        Self {
            text: TextStyle::default(),
            chart: Chart::default(),
            scale: Scale::default(),
            open_sections: vec![Section::Samplers, Section::KvCache, Section::Timing],
            open_stage: None,
            inspector: true,
            help: false,
            model_dialog: false,
            session_dialog: false,
            tint: Tint::default(),
            calculator: None,
            settings: false,
        }
    }
}

/// The prompt field.
#[derive(Clone, Debug, Default)]
pub struct PromptState {
    /// What is typed.
    pub text: String,
    /// Its tokens, of the latest text that an answer came for.
    pub tokens: Vec<Piece>,
    /// Why it has none.
    pub problem: Option<String>,
    /// How they came about, or why that cannot be shown; of the latest text that an answer came for.
    pub merges: Option<Result<Arc<Merges>, String>>,
    /// The word whose merges were chosen to be shown.
    pub word: Option<usize>,
    /// Number of the latest question.
    pub serial: u64,
    /// Number of the question that was answered last.
    pub answered: u64,
    /// What was asked for that needs the tokens, until they are there.
    pub awaited: Option<Action>,
}

impl PromptState {
    /// Whether the tokens are those of the text, not of one that stood there before.
    pub fn is_tokenized(&self) -> bool {
        self.answered == self.serial
    }
}

/// The model, and the load under way.
#[derive(Debug, Default)]
pub struct ModelState {
    /// The model that runs.
    pub loaded: Option<LoadedModel>,
    /// What was asked for last.
    pub request: LoadRequest,
    /// The load under way.
    pub loading: Option<LoadProgress>,
    /// The hub id being typed.
    pub hub_id: String,
}

impl ModelState {
    /// No load is under way any more: what was asked for is again the model that is there.
    pub(super) fn load_ended(&mut self) {
        self.loading = None;
        if let Some(model) = &self.loaded {
            self.request = model.request.clone();
        }
    }
}

/// One generation.
#[derive(Debug)]
pub struct RunState {
    /// Its name.
    pub id: RunId,
    /// The first of its names, which it keeps whatever branch is gone on with.
    pub serial: u64,
    /// The model that made it, which need not be the one that is loaded.
    pub model: Arc<ModelIdentity>,
    /// The same weights on other devices or in other formats that it began with, each up to this pass.
    pub formats: Vec<(PassId, Arc<ModelIdentity>)>,
    /// Whether a lesson has begun it.
    pub of_lesson: bool,
    /// The prompt that it started from.
    pub prompt: String,
    /// All that was recorded, in all its branches.
    pub tree: Tree,
    /// The branch that the engine goes on with under this run's name; another one has to be taken up first.
    pub under_way: Option<BranchId>,
    /// What the engine does for it when the context window is full; another choice has to be told first.
    pub overflow: Overflow,
    /// The logits that are still held.
    pub logits: RawLogits,
    /// What the engine says that it does for it.
    pub(super) said: Activity,
    /// What it was asked to do, until it says what it does.
    pub(super) asked: Option<Activity>,
}

impl RunState {
    /// What the engine does for it, as far as it has been asked or has said so.
    pub fn activity(&self) -> Activity {
        self.asked.unwrap_or(self.said)
    }

    /// The engine knows it by another name from now on, and does nothing for it yet.
    pub(super) fn rename(&mut self, id: RunId) {
        (self.id, self.said, self.asked) = (id, Activity::Idle, None);
    }

    /// What was recorded of the branch that is shown.
    pub fn trace(&self) -> &Trace {
        &self.tree.current().trace
    }

    /// The model as it was when the latest step was made.
    pub fn made_by(&self) -> &Arc<ModelIdentity> {
        let last = self.tree.last_pass();
        let before = self.formats.iter().find(|(until, _)| last.is_some_and(|pass| pass <= *until));
        before.map_or(&self.model, |(_, model)| model)
    }

    /// Why the branch that is shown ended, if it did; whether it can go on says [`AppState::ended`].
    pub fn ended(&self) -> Option<StopReason> {
        self.tree.current().ended
    }
}

/// Everything that the screen depends on.
#[derive(Debug, Default)]
pub struct AppState {
    /// The model.
    pub model: ModelState,
    /// What the report said of the run that is there; it goes with it.
    pub said_of_run: Option<String>,
    /// What the notice said when the run could not go on; the next step shows that it can.
    pub failure: Option<String>,
    /// Whether the engine's thread has died.
    pub engine_dead: bool,
    /// The prompt field.
    pub prompt: PromptState,
    /// The generation, from the first step on.
    pub run: Option<RunState>,
    /// The place that is shown.
    pub cursor: Cursor,
    /// The station at which a step that is on its way will be shown.
    pub awaited_stage: Option<super::LoopStage>,
    /// The samplers that the next token will be drawn with.
    pub sampler: SamplerSettings,
    /// The most tokens of the next generation.
    pub max_new_tokens: usize,
    /// What is done when the context window is full, from the next token that is asked for.
    pub overflow: Overflow,
    /// Tokens a second when running; infinite for as fast as the model goes.
    pub speed: f64,
    /// The latest counterfactual.
    pub what_if: Option<Arc<WhatIf>>,
    /// The latest answer of many draws.
    pub many: Option<Arc<Many>>,
    /// What is looked for.
    pub query: String,
    /// What was found.
    pub found: Option<Arc<Found>>,
    /// What is open.
    pub view: ViewState,
    /// What can be undone.
    pub history: History,
    /// A token that is to be taken once it is known where it stood: step, token, and those to take behind it.
    pub taking: Option<(StepKey, TokenId, Vec<TokenId>)>,
    /// What the engine does besides the run.
    pub work: WorkState,
    /// Two runs side by side.
    pub compare: CompareState,
    /// Files.
    pub keeping: KeepingState,
    /// Lessons.
    pub lessons: LessonState,
    /// What is kept from start to start.
    pub preferences: Preferences,
    /// What is said of the next token.
    pub prediction: Prediction,
    /// The presentation, if there is one.
    pub presenter: Option<Presenter>,
    /// Something that was done.
    pub report: Option<String>,
    /// Something that went wrong and what to do about it.
    pub notice: Option<String>,
    /// The last number given to a run.
    pub last_run: u64,
    /// The last number given to a forward pass.
    pub last_pass: u64,
}

impl Default for Cursor {
    fn default() -> Self {
        Self::START
    }
}

impl AppState {
    /// The state at the start of the program, with an example in the prompt field.
    pub fn new(request: LoadRequest) -> Self {
        Self {
            model: ModelState { request, loading: Some(LoadProgress::default()), ..ModelState::default() },
            prompt: PromptState { text: EXAMPLES[0].to_owned(), ..PromptState::default() },
            max_new_tokens: DEFAULT_MAX_NEW_TOKENS,
            speed: 5.0,
            ..Self::default()
        }
    }

    /// The lesson that is being taken, where it is on the screen: beside the panels, or presented.
    pub fn shown_lesson(&self) -> Option<&super::lesson::Taking> {
        self.lessons.taking.as_ref().filter(|_| self.lessons.open || self.presenter.is_some())
    }

    /// Reports something of the run that is there.
    pub(super) fn report_of_run(&mut self, text: String) {
        self.said_of_run = Some(text.clone());
        self.report = Some(text);
    }

    /// The run is gone, or what was reported of it is not so any more.
    pub(super) fn forget_report_of_run(&mut self) {
        take_back(&mut self.said_of_run, &mut self.report);
    }

    /// Says why the run cannot go on, for as long as it cannot.
    pub(super) fn say_failure(&mut self, message: String) {
        self.failure = Some(message.clone());
        self.notice = Some(message);
    }

    /// What was said of it is not so any more.
    pub(super) fn forget_failure(&mut self) {
        take_back(&mut self.failure, &mut self.notice);
    }

    /// The generation and the scene of a lesson that are shown: each begins with what is at the top of the lists.
    pub fn scene_shown(&self) -> (Option<u64>, Option<usize>) {
        (self.current_run().map(|run| run.serial), self.shown_lesson().map(|taking| taking.scene))
    }

    /// The generation that belongs to the prompt as it is typed now.
    pub fn current_run(&self) -> Option<&RunState> {
        self.run.as_ref().filter(|run| run.prompt == self.prompt.text)
    }

    /// The model of the generation that is shown, else the one that is loaded.
    pub fn shown_model(&self) -> Option<&Arc<ModelIdentity>> {
        let of_run = self.current_run().map(|run| &run.model);
        of_run.or_else(|| self.model.loaded.as_ref().map(|model| &model.identity))
    }

    /// Whether that is the bundled model, for which the program's lessons are written; while there is none, it may come.
    pub fn has_bundled(&self) -> bool {
        self.shown_model().is_none_or(|model| model.card.id == ModelSource::BUNDLED)
    }

    /// The model as it was when the shown step was made.
    pub fn step_model(&self) -> Option<&Arc<ModelIdentity>> {
        let before = self
            .current_run()
            .zip(self.current_key())
            .and_then(|(run, key)| run.formats.iter().find(|(last, _)| key.pass <= *last).map(|(_, model)| model));
        before.or_else(|| self.shown_model())
    }

    /// The run goes on with the same weights as they are loaded now, perhaps on another device or in another format.
    pub(super) fn goes_on_with_loaded(&mut self) {
        if let (Some(run), Some(loaded)) = (&mut self.run, &self.model.loaded)
            && run.model.sha256 == loaded.sha256
            && *run.model.card != *loaded.card
        {
            let before = std::mem::replace(&mut run.model, Arc::clone(&loaded.identity));
            run.formats.push((PassId(self.last_pass), before));
        }
    }

    /// Whether the model of the generation that is shown is loaded, so that it can go on.
    pub fn can_go_on(&self) -> bool {
        let loaded = self.model.loaded.as_ref().filter(|_| !self.engine_dead);
        loaded.is_some_and(|model| self.current_run().is_none_or(|run| run.model.sha256 == model.sha256))
    }

    /// Whether there is no run yet and the tokens that one would begin with are still on their way.
    pub(super) fn awaits_tokens(&self) -> bool {
        let can_begin = self.model.loaded.is_some() && !self.engine_dead && self.current_run().is_none();
        can_begin && !self.prompt.is_tokenized()
    }

    /// The same; where not, a notice says which model is needed.
    pub(super) fn must_go_on(&mut self) -> bool {
        let can = self.can_go_on();
        if !can {
            let name = self.shown_model().map_or_else(String::new, |model| model.card.id.clone());
            self.notice = Some(say!("work-other-model", model = name));
        }
        can
    }

    /// Why the branch that is shown cannot go on, if it cannot. A full window ends it as long as the choice is to stop
    /// there, and the limit as long as it is not raised.
    pub fn ended(&self) -> Option<StopReason> {
        let run = self.current_run()?;
        let steps = run.trace().steps();
        // The limit of now holds from where the engine takes the branch up.
        let replays = self.work.replay.as_ref().is_some_and(super::work::Replay::is_under_way);
        let other_branch = run.under_way != Some(run.tree.current().id);
        let taken_up = other_branch || replays || run.overflow != self.overflow;
        let full = steps.last().is_some_and(|step| step.kv.positions_after >= run.model.card.context_length);
        match (run.ended(), self.overflow) {
            (Some(StopReason::ContextFull), Overflow::Slide) => {
                (steps.len() >= self.max_new_tokens).then_some(StopReason::MaxNewTokens)
            }
            (Some(StopReason::MaxNewTokens), _) if steps.len() < self.max_new_tokens => {
                (full && self.overflow == Overflow::Stop).then_some(StopReason::ContextFull)
            }
            (None, _) if taken_up && steps.len() >= self.max_new_tokens => Some(StopReason::MaxNewTokens),
            (None, Overflow::Stop) => full.then_some(StopReason::ContextFull),
            (ended, _) => ended,
        }
    }

    /// The step that is shown.
    pub fn current_step(&self) -> Option<&Arc<StepRecord>> {
        self.current_run()?.trace().steps().get(self.cursor.step)
    }

    /// Names the step that is shown.
    pub fn current_key(&self) -> Option<StepKey> {
        let index = self.cursor.step;
        self.current_run()?.trace().pass(index).map(|pass| StepKey { pass, index })
    }

    /// What the shown step drew from, while its logits are held.
    pub fn current_input(&self) -> Option<StepInput> {
        self.input_at(self.cursor.step)
    }

    /// What the step at `index` of the shown branch drew from, while its logits are held.
    pub fn input_at(&self, index: usize) -> Option<StepInput> {
        let run = self.current_run()?;
        let pass = run.trace().pass(index)?;
        let logits = Arc::clone(run.logits.get(pass)?);
        let TokenPath { history, n_prompt, mu } = path_to(run.trace(), index);
        let (key, model) = (StepKey { pass, index }, Arc::clone(&run.model));
        Some(StepInput { key, model, logits, history: history.into(), n_prompt, mu })
    }

    /// Whether the logits of a step of the shown run are held.
    pub fn holds_logits(&self, key: StepKey) -> bool {
        self.current_run().is_some_and(|run| run.logits.get(key.pass).is_some())
    }

    /// Whether the settings would have made another draw of the shown step than the one that happened.
    pub fn settings_differ(&self) -> bool {
        let Some(step) = self.current_step() else {
            return false;
        };
        let same_stages = self.sampler.chain().0.iter().eq(step.sampling.stages.iter().map(|record| &record.stage));
        let same_coins = is_of_seed(&step.sampling, self.sampler.seed, step.index as u64);
        !(same_stages && same_coins)
    }

    /// The many draws of the shown step under the present settings, once they are there.
    pub fn current_many(&self) -> Option<&Arc<Many>> {
        let key = self.current_key()?;
        self.many.as_ref().filter(|many| many.key == key && many.settings == self.sampler)
    }

    /// The counterfactual of the shown step under the present settings, once it is there.
    pub fn current_what_if(&self) -> Option<&Arc<WhatIf>> {
        let key = self.current_key()?;
        self.what_if.as_ref().filter(|what_if| what_if.key == key && what_if.settings == self.sampler)
    }
}

/// The text before the step at `index`.
pub fn path_to(trace: &Trace, index: usize) -> TokenPath {
    let prompt = trace.prompt.iter().map(|piece| piece.id);
    let generated = trace.steps()[..index].iter().map(|step| step.sampling.chosen_id());
    let mu = index.checked_sub(1).and_then(|before| trace.steps()[before].sampling.mu);
    TokenPath { history: prompt.chain(generated).collect(), n_prompt: trace.prompt.len(), mu }
}

/// Takes away what was said, if it is what is shown.
fn take_back(said: &mut Option<String>, shown: &mut Option<String>) {
    if let Some(said) = said.take() {
        shown.take_if(|shown| *shown == said);
    }
}
