//! The panels of the run, as they are drawn.

use crate::app::lesson::{Control, Lock, lock};
use crate::app::{
    Activity, AppState, Calculator, Chart, Cursor, DistributionView, LoopStage, Scale, SceneShown, Status, TextStyle,
    TextView, Tint,
};
use crate::engine::most_fed;
use crate::trace::{Draw, ModelCard, ModelIdentity, Overflow, Phase, SamplingRecord, StepRecord, TokenId, Tree};

/// All that is drawn of the run.
#[derive(Clone, Debug)]
pub(crate) struct RunView<'a> {
    pub text: StripView<'a>,
    pub transport: TransportView,
    /// How long things took, once a step is recorded.
    pub times: Option<TimingView<'a>>,
    pub cache: CacheView<'a>,
    /// The shown step, if it is recorded.
    pub step: Option<StepView<'a>>,
}

impl<'a> RunView<'a> {
    pub fn of(
        state: &'a AppState,
        text: TextView<'a>,
        step: Option<DistributionView<'a>>,
        times: Option<TimingView<'a>>,
    ) -> Self {
        Self {
            text: StripView::of(state, text),
            transport: TransportView::of(state),
            times,
            cache: CacheView { kv: KvView::of(state), overflow: state.overflow, calculator: Calculator::of(state) },
            step: step.map(|step| StepView::of(state, step)),
        }
    }
}

/// The text strip.
#[derive(Clone, Debug)]
pub(crate) struct StripView<'a> {
    pub tokens: TextView<'a>,
    pub style: TextStyle,
    pub tint: Tint,
    /// The model that read them.
    pub model: Option<&'a ModelIdentity>,
    pub problem: Option<&'a str>,
    pub status: Status,
    /// Whether the end is to be kept in sight.
    pub follows: bool,
    pub tree: Option<&'a Tree>,
}

impl<'a> StripView<'a> {
    fn of(state: &'a AppState, text: TextView<'a>) -> Self {
        let run = state.current_run();
        Self {
            tokens: text,
            style: state.view.text,
            tint: state.view.tint,
            model: state.shown_model().map(|model| &**model),
            problem: state.prompt.problem.as_deref(),
            status: Status::of(state),
            follows: run.is_some_and(|run| run.activity == Activity::Running),
            tree: run.map(|run| &run.tree),
        }
    }
}

/// The KV cache, and what is done when the window is full.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheView<'a> {
    pub kv: Option<KvView<'a>>,
    pub overflow: Overflow,
    pub calculator: Calculator,
}

/// A step as the distribution shows it: the draw, how it came, and how it is drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepView<'a> {
    pub distribution: DistributionView<'a>,
    pub fed: Fed,
    pub chart: Chart,
    pub scale: Scale,
    pub query: &'a str,
    /// What begins with the top of the list.
    pub scene: SceneShown,
    pub lock: Lock,
}

impl<'a> StepView<'a> {
    fn of(state: &'a AppState, distribution: DistributionView<'a>) -> Self {
        Self {
            distribution,
            fed: Fed::of(state, distribution.step),
            chart: state.view.chart,
            scale: state.view.scale,
            query: &state.query,
            scene: state.scene_shown(),
            lock: lock(state, Control::Charts),
        }
    }
}

/// What was fed to the model for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fed {
    /// The prompt, at once or in parts of at most so many tokens.
    Prefill {
        n: usize,
        /// The most of a part, where there are several.
        part: Option<usize>,
    },
    /// All that was left when the window had slid.
    Slid(usize),
    /// What the cache no longer held, from a position on: a branch or a file was taken up.
    Again { n: usize, position: usize },
    /// The token before, at this position.
    Decode(usize),
}

impl Fed {
    fn of(state: &AppState, step: &StepRecord) -> Self {
        let n = step.forward.input.len();
        let position = step.forward.positions.start;
        match step.forward.phase {
            Phase::Prefill => {
                let most = state.step_model().map_or(n, |model| most_fed(model.card.vocab_size));
                Self::Prefill { n, part: (n > most).then_some(most) }
            }
            Phase::Decode if has_slid(state, step) => Self::Slid(n),
            Phase::Decode if n > 1 => Self::Again { n, position },
            Phase::Decode => Self::Decode(position),
        }
    }
}

/// Whether the window slid for this step.
fn has_slid(state: &AppState, step: &StepRecord) -> bool {
    let steps = state.current_run().map_or(&[][..], |run| run.trace().steps());
    let before = step.index.checked_sub(1).and_then(|before| steps.get(before));
    step.kv.positions_before == 0 && before.is_some_and(|before| before.kv.forgotten < step.kv.forgotten)
}

/// The random number on the cumulative distribution.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DrawView {
    /// (token, low, high) in the order of the draw, from 0 upwards; what is missing up to 1 is the tail.
    pub intervals: Vec<(TokenId, f64, f64)>,
    /// The draw itself.
    pub draw: Draw,
    /// The token that was picked.
    pub chosen: TokenId,
}

impl DrawView {
    /// The draw of this record, with as many intervals as are recorded and at least `min_width` wide.
    pub fn of(sampling: &SamplingRecord, min_width: f64) -> Self {
        let mut sum = 0.0;
        let intervals = sampling
            .last()
            .head
            .iter()
            .enumerate()
            .take_while(|(idx, candidate)| candidate.rank as usize == idx + 1 && candidate.prob >= min_width)
            .map(|(_, candidate)| {
                let low = sum;
                sum += candidate.prob;
                (candidate.id, low, sum)
            })
            .collect();
        Self { intervals, draw: sampling.draw, chosen: sampling.chosen_id() }
    }
}

/// The KV cache at the shown step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KvView<'a> {
    /// The cache as recorded.
    pub kv: &'a crate::trace::KvRecord,
    /// Bytes that were filled before the pass.
    pub filled_before: u64,
    /// The model's dimensions, for the formula.
    pub card: &'a ModelCard,
}

impl<'a> KvView<'a> {
    /// The KV cache at the shown step, if one is recorded.
    pub fn of(state: &'a AppState) -> Option<Self> {
        let kv = &state.current_step()?.kv;
        // Each position has as many bytes, and not all that the step before had filled need be there still.
        let filled_before = kv.filled_bytes() / kv.positions_after.max(1) as u64 * kv.positions_before as u64;
        Some(Self { kv, filled_before, card: &state.step_model()?.card })
    }
}

/// How long things took.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimingView<'a> {
    /// (forward, sampling) in milliseconds for every step.
    pub steps_ms: Vec<(f64, f64)>,
    /// Milliseconds of the prefill: from the prompt's ids to the first token.
    pub prefill_ms: f64,
    /// Tokens that the prefill read.
    pub n_prompt: usize,
    /// Mean milliseconds of a decode step, once there is one.
    pub decode_ms: Option<f64>,
    pub current: usize,
    /// Its record; `None` before it is made.
    pub step: Option<&'a StepRecord>,
}

impl<'a> TimingView<'a> {
    /// The times of the run, once a step is recorded.
    pub fn of(state: &'a AppState) -> Option<Self> {
        let run = state.current_run()?;
        let first = run.trace().steps().first()?;
        let steps_ms: Vec<_> =
            run.trace().steps().iter().map(|step| (step.forward.total_secs * 1e3, step.sample_secs * 1e3)).collect();
        // A step that read more than its one token again, for a branch or a file that was taken up, measures no decoding.
        let decode: Vec<f64> = run.trace().steps()[1..]
            .iter()
            .filter(|step| step.forward.input.len() == 1)
            .map(|step| step.total_secs() * 1e3)
            .collect();
        let decode_ms = (!decode.is_empty()).then(|| decode.iter().sum::<f64>() / decode.len() as f64);
        Some(Self {
            prefill_ms: first.total_secs() * 1e3,
            n_prompt: first.forward.input.len(),
            decode_ms,
            steps_ms,
            current: state.cursor.step,
            step: state.current_step().map(|step| &**step),
        })
    }
}

/// What the transport offers.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one button that can or cannot be pressed")]
pub(crate) struct TransportView {
    /// A next token can be shown or made.
    pub can_step: bool,
    pub can_back: bool,
    pub can_forward: bool,
    pub running: bool,
    /// A token is being made.
    pub busy: bool,
    /// There is something to start over from.
    pub can_restart: bool,
    pub speed: f64,
    pub status: Status,
    pub stage: Option<LoopStage>,
    pub lock: Lock,
}

impl TransportView {
    pub fn of(state: &AppState) -> Self {
        let run = state.current_run();
        let n_steps = run.map_or(0, |run| run.trace().steps().len());
        let activity = run.map_or(Activity::Idle, |run| run.activity);
        let ready = state.can_go_on();
        let within = state.current_step().is_some()
            && (state.cursor.step + 1 < n_steps || state.cursor.stage < LoopStage::Append);
        let open = state.ended().is_none();
        Self {
            can_step: within || (ready && open && activity != Activity::Stepping),
            can_back: run.is_some() && state.cursor != Cursor::START,
            can_forward: within,
            running: activity == Activity::Running,
            busy: activity != Activity::Idle,
            can_restart: run.is_some(),
            speed: state.speed,
            status: Status::of(state),
            stage: run.map(|_| state.cursor.stage),
            lock: lock(state, Control::Run),
        }
    }
}
