//! The panels of the run, as they are drawn.

use crate::app::calculator::Calculator;
use crate::app::core::{
    Chart, Core, Cursor, DistributionView, KvCells, Lock, LoopStage, Scale, SceneShown, Status, TextStyle, TextView,
    Tint,
};
use crate::engine::{Activity, most_fed};
use crate::text::TextError;
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
    /// `lock` is that of running.
    pub(in crate::app) fn of(
        core: &'a Core,
        text: TextView<'a>,
        step: Option<DistributionView<'a>>,
        scene: SceneShown,
        lock: Lock,
    ) -> Self {
        Self {
            text: StripView::of(core, text),
            transport: TransportView::of(core, lock),
            times: TimingView::of(core),
            cache: CacheView { kv: KvView::of(core), overflow: core.overflow, calculator: Calculator::of(core) },
            step: step.map(|step| StepView::of(core, step, scene)),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct StripView<'a> {
    pub tokens: TextView<'a>,
    pub cells: KvCells,
    pub style: TextStyle,
    pub tint: Tint,
    /// The model that read them.
    pub model: Option<&'a ModelIdentity>,
    pub problem: Option<&'a TextError>,
    pub status: Status,
    /// Whether the end is to be kept in sight.
    pub follows: bool,
    pub tree: Option<&'a Tree>,
}

impl<'a> StripView<'a> {
    fn of(core: &'a Core, text: TextView<'a>) -> Self {
        let run = core.current_run();
        Self {
            tokens: text,
            cells: KvCells::of(core),
            style: core.view.text,
            tint: core.view.tint,
            model: core.shown_model().map(|model| &**model),
            problem: core.prompt.problem.as_ref(),
            status: Status::of(core),
            follows: core.activity().goes_on(),
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
}

impl<'a> StepView<'a> {
    fn of(core: &'a Core, distribution: DistributionView<'a>, scene: SceneShown) -> Self {
        Self {
            distribution,
            fed: Fed::of(core, distribution.step),
            chart: core.view.chart,
            scale: core.view.scale,
            query: &core.query,
            scene,
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
    fn of(core: &Core, step: &StepRecord) -> Self {
        let n = step.forward.input.len();
        let position = step.forward.positions.start;
        match step.forward.phase {
            Phase::Prefill => {
                let most = core.step_model().map_or(n, |model| most_fed(model.card.vocab_size));
                Self::Prefill { n, part: (n > most && !step.prompt.is_empty()).then_some(most) }
            }
            Phase::Decode if has_slid(core, step) => Self::Slid(n),
            Phase::Decode if n > 1 => Self::Again { n, position },
            Phase::Decode => Self::Decode(position),
        }
    }
}

/// Whether the window slid for this step.
fn has_slid(core: &Core, step: &StepRecord) -> bool {
    let before = step.index.checked_sub(1).and_then(|before| core.steps().get(before));
    step.kv.positions_before == 0 && before.is_some_and(|before| before.kv.forgotten < step.kv.forgotten)
}

/// The random number on the cumulative distribution.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DrawView {
    /// (token, low, high) in the order of the draw, from 0 upwards; what is missing up to 1 is the tail.
    pub intervals: Vec<(TokenId, f64, f64)>,
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
    pub kv: &'a crate::trace::KvRecord,
    /// Bytes that were filled before the pass.
    pub filled_before: u64,
    /// The model's dimensions, for the formula.
    pub card: &'a ModelCard,
}

impl<'a> KvView<'a> {
    /// The KV cache at the shown step, if one is recorded.
    pub fn of(core: &'a Core) -> Option<Self> {
        let kv = &core.current_step()?.kv;
        // Each position has as many bytes, and not all that the step before had filled need be there still.
        let filled_before = kv.filled_bytes() / kv.positions_after.max(1) as u64 * kv.positions_before as u64;
        Some(Self { kv, filled_before, card: &core.step_model()?.card })
    }
}

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
    pub fn of(core: &'a Core) -> Option<Self> {
        let first = core.steps().first()?;
        Some(Self {
            prefill_ms: core.prefill_ms()?,
            n_prompt: first.forward.input.len(),
            decode_ms: core.decode_ms(),
            steps_ms: core.steps().iter().map(|step| (step.forward.total_secs * 1e3, step.sample_secs * 1e3)).collect(),
            current: core.cursor.step,
            step: core.current_step().map(|step| &**step),
        })
    }
}

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
    pub fn of(core: &Core, lock: Lock) -> Self {
        let run = core.current_run();
        let n_steps = run.map_or(0, |run| run.trace().steps().len());
        let activity = core.activity();
        let ready = core.can_go_on();
        let within =
            core.current_step().is_some() && (core.cursor.step + 1 < n_steps || core.cursor.stage < LoopStage::Append);
        let open = core.ended().is_none();
        Self {
            can_step: within || (ready && open && activity != Activity::Stepping),
            can_back: run.is_some() && core.cursor != Cursor::START,
            can_forward: within,
            running: activity.goes_on(),
            busy: activity != Activity::Idle,
            can_restart: run.is_some(),
            speed: core.speed,
            status: Status::of(core),
            stage: run.map(|_| core.cursor.stage),
            lock,
        }
    }
}
