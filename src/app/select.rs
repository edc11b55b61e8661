//! From the state to what one panel needs: borrowed views, built anew for each frame.

use super::{Activity, AppState, LoopStage, RunState};
use crate::sampling::{Stage, StageKind};
use crate::trace::{
    Branch, Candidate, CandidateOutcome, Draw, ModelCard, Overflow, Piece, SamplingRecord, StageRecord, StepRecord,
    StopReason, Tail, TokenId, TokenScore, Vocabulary,
};
use crate::words::say;
use std::sync::Arc;

/// One token of the text strip.
#[derive(Clone, Copy, Debug)]
pub struct TextToken<'a> {
    /// Its place in the text, from 0.
    pub position: usize,
    /// The token.
    pub id: TokenId,
    /// Its piece, where it came from the prompt.
    pub piece: Option<&'a Piece>,
    /// The step that chose it; `None` for the prompt.
    pub step: Option<&'a StepRecord>,
    /// What the prefill made of it, where it came from a prompt that was read.
    pub score: Option<&'a TokenScore>,
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
    state: &'a AppState,
    prompt: &'a [Piece],
    steps: &'a [std::sync::Arc<StepRecord>],
    /// Position that is shown: tokens behind it are later.
    n_shown: usize,
    /// How many tokens at the beginning the shown step no longer saw.
    n_forgotten: usize,
}

impl<'a> TextView<'a> {
    /// The text that belongs to the prompt as it is typed.
    pub fn of(state: &'a AppState) -> Self {
        let run = state.current_run();
        let prompt = run
            .filter(|run| !run.trace().prompt.is_empty())
            .map_or(&state.prompt.tokens[..], |run| &run.trace().prompt);
        let steps = run.map_or(&[][..], |run| run.trace().steps());
        let appended = usize::from(state.cursor.stage == LoopStage::Append && state.current_step().is_some());
        let n_shown = prompt.len() + state.cursor.step + appended;
        let forgotten = run.and_then(|_| state.current_step()).map_or(0, |step| step.kv.forgotten);
        // A damaged file may say more than there is.
        Self { state, prompt, steps, n_shown, n_forgotten: forgotten.min(n_shown) }
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
        let slides = self.state.overflow == Overflow::Slide || self.n_forgotten > 0;
        !slides && self.context_length().is_some_and(|context_length| self.len() > context_length)
    }

    /// The token at `position`, which is less than `len()`.
    pub fn token(&self, position: usize) -> TextToken<'a> {
        let later = position >= self.n_shown;
        let forgotten = position < self.n_forgotten;
        if let Some(piece) = self.prompt.get(position) {
            // Of a prompt that is longer than the window, the prefill has read the end.
            let read = |first: &'a StepRecord| first.prompt.get(position.checked_sub(first.kv.forgotten)?);
            let score = self.steps.first().and_then(|first| read(first));
            let (piece, id) = (Some(piece), piece.id);
            return TextToken { position, id, piece, step: None, score, later: false, current: false, forgotten };
        }
        let index = position - self.prompt.len();
        let step: &StepRecord = &self.steps[index];
        let current = index == self.state.cursor.step && !later;
        TextToken {
            position,
            id: step.sampling.chosen_id(),
            piece: None,
            step: Some(step),
            score: None,
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

    /// The most tokens that the model takes; `None` while there is no model.
    pub fn context_length(&self) -> Option<usize> {
        self.state.shown_model().map(|model| model.card.context_length)
    }
}

/// One candidate with all its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidateRow {
    /// Its numbers in the model's own distribution.
    pub candidate: Candidate,
    /// What the samplers made of it.
    pub outcome: CandidateOutcome,
    /// The stage that dropped it.
    pub dropped_by: Option<StageKind>,
    /// Whether it was drawn.
    pub chosen: bool,
}

/// The distribution of the shown step, recorded or what-if.
#[derive(Clone, Copy, Debug)]
pub struct DistributionView<'a> {
    /// The shown step.
    pub step: &'a StepRecord,
    /// What to draw: the counterfactual where there is one, else what happened.
    pub sampling: &'a SamplingRecord,
    /// Whether `sampling` is a counterfactual.
    pub is_what_if: bool,
    /// The settings have changed and their counterfactual is still on its way or impossible.
    pub what_if_missing: Option<&'a str>,
    /// Every token's bytes.
    pub vocabulary: &'a Vocabulary,
    /// How far into the step the screen is.
    pub stage: LoopStage,
    /// What was searched for and found in this step.
    pub found: Option<&'a crate::engine::Found>,
}

impl<'a> DistributionView<'a> {
    /// The distribution of the step that is shown, if one is recorded.
    pub fn of(state: &'a AppState) -> Option<Self> {
        let step = state.current_step()?;
        let vocabulary = &state.shown_model()?.vocabulary;
        let mut sampling = &step.sampling;
        let mut is_what_if = false;
        let mut what_if_missing = None;
        if state.settings_differ() {
            match state.current_what_if().map(|what_if| &what_if.result) {
                Some(Ok(counterfactual)) => (sampling, is_what_if) = (counterfactual, true),
                Some(Err(problem)) => what_if_missing = Some(problem.as_str()),
                None if state.current_input().is_none() => {
                    what_if_missing = Some(say!("text-what-if-no-logits"));
                }
                None => {}
            }
        }
        let found = state.found.as_deref().filter(|found| {
            Some(found.key) == state.current_key() && found.query == state.query && !state.query.trim().is_empty()
        });
        Some(Self { step, sampling, is_what_if, what_if_missing, vocabulary, stage: state.cursor.stage, found })
    }

    /// How many candidates have a row of their own.
    pub fn n_rows(&self) -> usize {
        self.sampling.raw.head.len()
    }

    /// The row at `idx`, best first; a chosen token of low rank stands last.
    pub fn row(&self, idx: usize) -> CandidateRow {
        let outcome = self.sampling.outcomes[idx];
        self.row_of(self.sampling.raw.head[idx], outcome, self.sampling.dropped_by(&outcome).map(Stage::kind))
    }

    /// The rows of the search, if one is on and could be carried out.
    pub fn found_rows(&self) -> Option<impl Iterator<Item = CandidateRow> + 'a> {
        let view = *self;
        let found = self.found.and_then(|found| Some((found.candidates.as_ref().ok()?, &found.settings)));
        found.map(move |(candidates, settings)| {
            // The outcomes count the stages of the settings that were asked about, which may have changed since.
            let kinds: Vec<_> = settings.chain().0.iter().map(Stage::kind).collect();
            candidates.iter().map(move |(candidate, outcome)| {
                view.row_of(*candidate, *outcome, outcome.dropped_by.and_then(|idx| kinds.get(idx).copied()))
            })
        })
    }

    fn row_of(&self, candidate: Candidate, outcome: CandidateOutcome, dropped_by: Option<StageKind>) -> CandidateRow {
        let chosen = candidate.id == self.sampling.chosen_id();
        CandidateRow { candidate, outcome, dropped_by, chosen }
    }

    /// Every candidate without a row of its own, in the model's own distribution.
    pub fn tail(&self) -> Tail {
        self.sampling.raw.tail
    }

    /// The probability after the samplers that no row shows.
    pub fn final_tail(&self) -> f64 {
        // Rounding would leave a little where nothing is.
        if self.sampling.outcomes.iter().filter(|outcome| outcome.dropped_by.is_none()).count()
            == self.sampling.last().n_candidates
        {
            return 0.0;
        }
        let shown: f64 = self.sampling.outcomes.iter().map(|outcome| outcome.final_prob).sum();
        (1.0 - shown).max(0.0)
    }

    /// The running sum of probability over the recorded rows by rank, as (rank, before, after the samplers).
    pub fn cumulative(&self) -> impl Iterator<Item = (u32, f64, f64)> + 'a {
        let sampling = self.sampling;
        let mut sums = (0.0, 0.0);
        let contiguous = sampling.raw.head.iter().enumerate().take_while(|(idx, c)| c.rank as usize == idx + 1);
        contiguous.map(move |(idx, candidate)| {
            sums.0 += candidate.prob;
            sums.1 += sampling.outcomes[idx].final_prob;
            (candidate.rank, sums.0, sums.1)
        })
    }

    /// What top-p added up, as (rank, running sum) over the recorded rows; `None` where that is the model's own distribution.
    pub fn added_up_by_top_p(&self) -> Option<Vec<(u32, f64)>> {
        let top_p = stage_of(self.sampling, StageKind::TopP)?;
        let mut before = self.sampling.stages.iter().take_while(|record| record.stage.kind() != StageKind::TopP);
        if before.all(|record| Arc::ptr_eq(&record.before, &record.after)) {
            return None;
        }
        let ranked = top_p.before.head.iter().zip(1..).take_while(|(candidate, rank)| candidate.rank == *rank);
        let mut probs: Vec<f64> = ranked.map(|(candidate, _)| candidate.prob).collect();
        // Of a stage few candidates are recorded; of what the last one left, more are: each had this share of it.
        let is_last = self.sampling.stages.last().is_some_and(|record| record.stage.kind() == StageKind::TopP);
        let kept = self.sampling.outcomes.iter().filter(|outcome| outcome.dropped_by.is_none());
        let mut kept: Vec<f64> = kept.map(|outcome| outcome.final_prob * top_p.mass_kept).collect();
        if is_last && kept.len() == top_p.after.n_candidates {
            kept.sort_by(|a, b| b.total_cmp(a));
            probs.extend(kept.into_iter().skip(probs.len()));
        }
        let sums = (1..).zip(probs).scan(0.0, |sum, (rank, prob)| {
            *sum += prob;
            Some((rank, *sum))
        });
        Some(sums.collect())
    }

    /// Whether the tokens that are left are the best ones; a penalty or a constraint may have dropped better ones.
    pub fn are_best_left(&self) -> bool {
        let n_kept = self.sampling.last().n_candidates;
        self.sampling.outcomes.iter().take(n_kept).all(|outcome| outcome.dropped_by.is_none())
    }
}

/// The random number on the cumulative distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawView {
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

/// The stage record of a kind within a step, if that stage was set.
pub fn stage_of(sampling: &SamplingRecord, kind: StageKind) -> Option<&StageRecord> {
    sampling.stages.iter().find(|record| record.stage.kind() == kind)
}

/// One branch in the picture.
#[derive(Clone, Copy, Debug)]
pub struct Lane<'a> {
    /// The branch.
    pub branch: &'a Branch,
    /// The lane that it parts from.
    pub parent: Option<usize>,
    /// The first of its steps that the shown text does not have: what lies before is part of it.
    pub leaves_at: usize,
    /// Whether it is the one that is shown.
    pub shown: bool,
}

impl Lane<'_> {
    /// Its own steps, from the one where the user took another token.
    pub fn own_steps(&self) -> &[std::sync::Arc<StepRecord>] {
        &self.branch.trace.steps()[self.branch.parts_at.min(self.branch.trace.steps().len())..]
    }
}

/// The branches in the order of the picture, from above.
pub fn lanes(state: &AppState) -> Vec<Lane<'_>> {
    let Some(run) = state.current_run() else {
        return Vec::new();
    };
    let order = run.tree.in_order();
    let shown = run.tree.current();
    order
        .iter()
        .map(|branch| {
            let steps = branch.trace.steps().iter().zip(shown.trace.steps());
            Lane {
                branch,
                parent: order.iter().position(|other| Some(other.id) == branch.parent),
                leaves_at: steps.take_while(|(a, b)| std::sync::Arc::ptr_eq(a, b)).count(),
                shown: branch.id == shown.id,
            }
        })
        .collect()
}

/// The KV cache at the shown step.
#[derive(Clone, Copy, Debug)]
pub struct KvView<'a> {
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
pub struct TimingView {
    /// (forward, sampling) in milliseconds for every step.
    pub steps_ms: Vec<(f64, f64)>,
    /// Milliseconds of the prefill: from the prompt's ids to the first token.
    pub prefill_ms: f64,
    /// Tokens that the prefill read.
    pub n_prompt: usize,
    /// Mean milliseconds of a decode step, once there is one.
    pub decode_ms: Option<f64>,
    /// The step that is shown.
    pub current: usize,
}

impl TimingView {
    /// The times of the run, once a step is recorded.
    pub fn of(state: &AppState) -> Option<Self> {
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
        })
    }
}

/// What the transport offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one button that can or cannot be pressed")]
pub struct TransportView {
    /// A next token can be shown or made.
    pub can_step: bool,
    /// There is a place before.
    pub can_back: bool,
    /// There is a recorded token after.
    pub can_forward: bool,
    /// It runs by itself.
    pub running: bool,
    /// A token is being made.
    pub busy: bool,
    /// There is something to start over from.
    pub can_restart: bool,
}

impl TransportView {
    /// What can be pressed now.
    pub fn of(state: &AppState) -> Self {
        let run = state.current_run();
        let n_steps = run.map_or(0, |run| run.trace().steps().len());
        let activity = run.map_or(Activity::Idle, RunState::activity);
        let ready = state.can_go_on();
        let within = state.current_step().is_some()
            && (state.cursor.step + 1 < n_steps || state.cursor.stage < LoopStage::Append);
        let open = state.ended().is_none();
        Self {
            can_step: within || (ready && open && activity != Activity::Stepping),
            can_back: run.is_some() && state.cursor != super::Cursor::START,
            can_forward: within,
            running: activity.goes_on(),
            busy: activity != Activity::Idle,
            can_restart: run.is_some(),
        }
    }
}

/// Where the generation stands, in words.
pub fn status_line(state: &AppState) -> String {
    if state.engine_dead {
        return say!("status-engine-dead").to_owned();
    }
    if state.model.loaded.is_none() {
        return match state.model.loading {
            Some(_) => say!("status-loading").to_owned(),
            None => say!("status-no-model").to_owned(),
        };
    }
    let Some(run) = state.current_run() else {
        return say!("status-ready").to_owned();
    };
    if !state.can_go_on() {
        return say!("status-other-model", model = &*run.model.card.id);
    }
    if let Some(replay) = state.work.replay.as_ref().filter(|replay| replay.is_under_way()) {
        return say!("status-replaying", made = replay.n_made, n = replay.n);
    }
    if state.work.is_running() {
        return say!("status-working").to_owned();
    }
    let tokens = say!("status-tokens", n = run.trace().steps().len());
    match (state.ended(), run.activity()) {
        (Some(StopReason::Eos), _) => say!("status-ended-eos", tokens = tokens),
        (Some(StopReason::MaxNewTokens), _) => say!("status-ended-max", tokens = tokens, max = state.max_new_tokens),
        (Some(StopReason::ContextFull), _) => say!("status-ended-full", tokens = tokens),
        (None, Activity::Running | Activity::Following) => say!("status-running", tokens = tokens),
        (None, Activity::Stepping) => say!("status-stepping").to_owned(),
        (None, Activity::Idle) if run.tree.current().stopped => say!("status-stopped", tokens = tokens),
        (None, Activity::Idle) if run.trace().steps().is_empty() => say!("status-tokenized").to_owned(),
        (None, Activity::Idle) => say!("status-paused", tokens = tokens),
    }
}
