//! Two runs side by side: the shown branch and another one, or one that was pinned before everything was changed.

use super::update::{drop_run, set_sampler, toggle_run};
use super::{AppState, Chart, Effect, path_to};
use crate::engine::{Compared, Question, Recorded, StepInput, StepKey};
use crate::message::{Message, msg};
use crate::sampling::{Chain, SamplerSettings, is_of_seed};
use crate::trace::{Branch, BranchId, ModelIdentity, RawLogits, StepRecord, Trace};
use std::sync::Arc;

/// A branch that is kept for comparison, whatever becomes of its run.
#[derive(Clone, Debug)]
pub struct Pinned {
    /// What it is called.
    pub name: Message,
    /// The branch.
    pub branch: Arc<Branch>,
    /// The model that made it.
    pub model: Arc<ModelIdentity>,
    /// The run that it is of.
    pub serial: u64,
    /// Its logits as far as they are held.
    pub logits: RawLogits,
}

/// What the shown branch is held against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompareWith {
    /// The run that was pinned.
    #[default]
    Pinned,
    /// Another branch of the same run.
    Branch(BranchId),
}

/// All that belongs to the comparison.
#[derive(Clone, Debug, Default)]
pub struct CompareState {
    /// The run that was pinned.
    pub pinned: Option<Pinned>,
    /// What is held against the shown branch.
    pub with: CompareWith,
    /// The latest answer.
    pub answer: Option<Arc<Compared>>,
}

/// The two sides, the shown one second.
#[derive(Clone, Debug)]
pub struct CompareView<'a> {
    /// Their names.
    pub names: [Message; 2],
    /// Their models.
    pub models: [&'a ModelIdentity; 2],
    /// What was recorded of them.
    pub traces: [&'a Trace; 2],
    /// How many tokens behind the prompt they have in common.
    pub n_common: usize,
    /// The step that is shown, on both sides if it is there.
    pub step: usize,
    /// How far apart the two steps are, or why that cannot be said; `None` while it is being found out.
    pub answer: Option<&'a Compared>,
}

impl<'a> CompareView<'a> {
    /// The comparison, if there is something to compare with.
    pub fn of(state: &'a AppState) -> Option<Self> {
        let run = state.current_run()?;
        let (name, model, trace) = other(state)?;
        let shown = run.tree.current();
        let traces = [trace, &shown.trace];
        let tokens = |trace: &'a Trace| trace.steps().iter().map(|step| step.sampling.chosen_id());
        let n_common = tokens(trace).zip(tokens(&shown.trace)).take_while(|(a, b)| a == b).count();
        let keys = keys(state);
        let answer = state.compare.answer.as_deref().filter(|answer| Some(answer.keys) == keys);
        let (names, models) = ([name, Message::verbatim(&shown.name)], [model, &*run.model]);
        Some(Self { names, models, traces, n_common, step: state.cursor.step, answer })
    }

    /// Whether the logits of the other side's step are held.
    pub fn is_other_held(state: &AppState) -> bool {
        other_held(state).is_some()
    }

    /// Why the two cannot be compared, if they cannot.
    pub fn problem(&self) -> Option<Message> {
        let [a, b] = self.traces;
        if self.models[0].vocabulary != self.models[1].vocabulary {
            Some(msg!("compare-other-tokens"))
        } else if a.prompt != b.prompt {
            Some(msg!("compare-other-prompts"))
        } else {
            None
        }
    }

    /// The shown step on both sides, as far as it is there.
    pub fn steps(&self) -> [Option<&'a Arc<StepRecord>>; 2] {
        self.traces.map(|trace| trace.steps().get(self.step))
    }
}

/// Name, model and records of the other side.
fn other(state: &AppState) -> Option<(Message, &ModelIdentity, &Trace)> {
    let run = state.current_run()?;
    match state.compare.with {
        CompareWith::Pinned => {
            let pinned = state.compare.pinned.as_ref()?;
            Some((pinned.name.clone(), &pinned.model, &pinned.branch.trace))
        }
        CompareWith::Branch(id) => {
            let branch = run.tree.get(id)?;
            Some((Message::verbatim(&branch.name), &run.model, &branch.trace))
        }
    }
}

/// The names of the two steps.
pub(super) fn keys(state: &AppState) -> Option<[StepKey; 2]> {
    let index = state.cursor.step;
    let (_, _, trace) = other(state)?;
    Some([StepKey { pass: trace.pass(index)?, index }, state.current_key()?])
}

/// The model of a side, what was recorded of it, and the logits of the step.
type Held<'a> = (&'a Arc<ModelIdentity>, &'a Trace, &'a Arc<[f32]>);

/// The other side of the step with its model and its logits, if they are held.
fn other_held(state: &AppState) -> Option<Held<'_>> {
    let [key, _] = keys(state)?;
    let run = state.current_run()?;
    Some(match state.compare.with {
        CompareWith::Pinned => {
            let pinned = state.compare.pinned.as_ref()?;
            // A replay gives logits back to the run. In another run the same name of a pass means another one.
            let again = || run.logits.get(key.pass).filter(|_| pinned.serial == run.serial);
            (&pinned.model, &pinned.branch.trace, pinned.logits.get(key.pass).or_else(again)?)
        }
        CompareWith::Branch(id) => (&run.model, &run.tree.get(id)?.trace, run.logits.get(key.pass)?),
    })
}

/// What the preview thread is asked about the two sides, if their logits are held.
pub(super) fn question(state: &AppState) -> Option<Question> {
    if state.view.chart != Chart::Compare {
        return None;
    }
    let [key, _] = keys(state)?;
    let (model, trace, logits) = other_held(state)?;
    let path = path_to(trace, key.index);
    let input = StepInput {
        key,
        model: Arc::clone(model),
        logits: Arc::clone(logits),
        history: path.history.into(),
        n_prompt: path.n_prompt,
        mu: path.mu,
    };
    let steps =
        [recorded(input, trace.steps().get(key.index)?), recorded(state.current_input()?, state.current_step()?)];
    Some(Question::Compare { steps })
}

/// A step with the stages that ran there.
pub(super) fn recorded(input: StepInput, step: &StepRecord) -> Recorded {
    let stages = &step.sampling.stages;
    let xtc_coin = stages.iter().find_map(|record| record.number("coin")).unwrap_or_default();
    Recorded { input, chain: Chain(stages.iter().map(|record| record.stage.clone()).collect()), xtc_coin }
}

/// Keeps the shown branch, to be held against what comes.
pub(super) fn pin(state: &mut AppState) {
    let Some(run) = state.current_run().filter(|run| !run.trace().steps().is_empty()) else {
        return;
    };
    let branch = run.tree.current();
    let pinned = Pinned {
        name: pinned_name(branch, state.sampler.seed),
        branch: Arc::new(branch.clone()),
        model: Arc::clone(&run.model),
        serial: run.serial,
        logits: run.logits.clone(),
    };
    state.compare.pinned = Some(pinned);
    state.compare.with = CompareWith::Pinned;
    state.compare.answer = None;
}

/// What a pinned branch is called: whatever is changed next, the settings that made its last token tell it from what
/// comes.
fn pinned_name(branch: &Branch, seed: u64) -> Message {
    let last = branch.trace.steps().last();
    let stages: Vec<_> =
        last.iter().flat_map(|step| &step.sampling.stages).map(|record| record.stage.to_string()).collect();
    let settings = if stages.is_empty() { msg!("compare-no-sampler") } else { Message::Verbatim(stages.join(" ")) };
    // A record has the random number and not the seed: the seed of now may be another.
    let has_seed = branch.trace.steps().iter().all(|step| is_of_seed(&step.sampling, seed, step.index as u64));
    if has_seed {
        msg!("compare-pinned-name", branch = &*branch.name, seed = seed.to_string(), settings = settings)
    } else {
        msg!("compare-pinned-seedless", branch = &*branch.name, settings = settings)
    }
}

/// Pins the shown branch and runs the same prompt again with other settings.
pub(super) fn run_beside(state: &mut AppState, settings: SamplerSettings, effects: &mut Vec<Effect>) {
    if state.current_step().is_none() || settings.validate().is_err() {
        return;
    }
    if !state.must_go_on() {
        return;
    }
    pin(state);
    effects.push(Effect::CancelStep);
    drop_run(state);
    state.history.remember_settings(&state.sampler, &settings);
    state.history.end_drag();
    set_sampler(state, settings, effects);
    toggle_run(state, effects);
}
