//! Two runs side by side: the shown branch and another one, or one that was pinned before everything was changed.

use crate::app::core::{Chart, Core, Effect, path_to, recorded};
use crate::engine::{Compared, Question, StepInput, StepKey};
use crate::message::{Message, msg};
use crate::sampling::{SamplerSettings, is_of_seed};
use crate::trace::{Branch, BranchId, ModelIdentity, RawLogits, StepRecord, Trace};
use std::sync::Arc;

/// A branch that is kept for comparison, whatever becomes of its run.
#[derive(Clone, Debug)]
pub struct Pinned {
    pub name: Message,
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
    pub fn of(state: &'a CompareState, core: &'a Core) -> Option<Self> {
        let run = core.current_run()?;
        let (name, model, trace) = state.other(core)?;
        let shown = run.tree.current();
        let traces = [trace, &shown.trace];
        let tokens = |trace: &'a Trace| trace.steps().iter().map(|step| step.sampling.chosen_id());
        let n_common = tokens(trace).zip(tokens(&shown.trace)).take_while(|(a, b)| a == b).count();
        let keys = state.keys(core);
        let answer = state.answer.as_deref().filter(|answer| Some(answer.keys) == keys);
        let (names, models) = ([name, Message::verbatim(shown.label())], [model, &*run.model]);
        Some(Self { names, models, traces, n_common, step: core.cursor.step, answer })
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

/// The model of a side, its branch, and the logits of the step.
type Held<'a> = (&'a Arc<ModelIdentity>, &'a Branch, &'a Arc<[f32]>);

impl CompareState {
    /// Name, model and records of the other side.
    fn other<'a>(&'a self, core: &'a Core) -> Option<(Message, &'a ModelIdentity, &'a Trace)> {
        let run = core.current_run()?;
        match self.with {
            CompareWith::Pinned => {
                let pinned = self.pinned.as_ref()?;
                Some((pinned.name.clone(), &pinned.model, &pinned.branch.trace))
            }
            CompareWith::Branch(id) => {
                let branch = run.tree.get(id)?;
                Some((Message::verbatim(branch.label()), &run.model, &branch.trace))
            }
        }
    }

    /// The names of the two steps.
    pub(in crate::app) fn keys(&self, core: &Core) -> Option<[StepKey; 2]> {
        let index = core.cursor.step;
        let (_, _, trace) = self.other(core)?;
        Some([StepKey { pass: trace.pass(index)?, index }, core.current_key()?])
    }

    /// Whether the logits of the other side's step are held.
    pub fn is_other_held(&self, core: &Core) -> bool {
        self.other_held(core).is_some()
    }

    /// The other side of the step with its model and its logits, if they are held.
    fn other_held<'a>(&'a self, core: &'a Core) -> Option<Held<'a>> {
        let [key, _] = self.keys(core)?;
        let run = core.current_run()?;
        Some(match self.with {
            CompareWith::Pinned => {
                let pinned = self.pinned.as_ref()?;
                // A replay gives logits back to the run. In another run the same name of a pass means another one.
                let again = || run.logits.get(key.pass).filter(|_| pinned.serial == run.serial);
                (&pinned.model, &pinned.branch, pinned.logits.get(key.pass).or_else(again)?)
            }
            CompareWith::Branch(id) => (&run.model, run.tree.get(id)?, run.logits.get(key.pass)?),
        })
    }

    /// What the preview thread is asked about the two sides, if their logits are held.
    pub(in crate::app) fn question(&self, core: &Core) -> Option<Question> {
        if core.view.chart != Chart::Compare {
            return None;
        }
        let [key, _] = self.keys(core)?;
        let (model, branch, logits) = self.other_held(core)?;
        let path = path_to(branch, key.index);
        let input = StepInput {
            key,
            model: Arc::clone(model),
            logits: Arc::clone(logits),
            history: path.history.into(),
            n_prompt: path.n_prompt,
            mu: path.mu,
        };
        let steps = [
            recorded(input, branch.trace.steps().get(key.index)?),
            recorded(core.current_input()?, core.current_step()?),
        ];
        Some(Question::Compare { steps })
    }
}

/// Keeps the shown branch, to be held against what comes.
pub(super) fn pin(state: &mut CompareState, core: &Core) {
    let Some(run) = core.current_run().filter(|run| !run.trace().steps().is_empty()) else {
        return;
    };
    let branch = run.tree.current();
    let pinned = Pinned {
        name: pinned_name(branch, core.sampler.seed),
        branch: Arc::new(branch.clone()),
        model: Arc::clone(&run.model),
        serial: run.serial,
        logits: run.logits.clone(),
    };
    *state = CompareState { pinned: Some(pinned), with: CompareWith::Pinned, answer: None };
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
        msg!("compare-pinned-name", branch = branch.label(), seed = seed.to_string(), settings = settings)
    } else {
        msg!("compare-pinned-seedless", branch = branch.label(), settings = settings)
    }
}

/// Pins the shown branch and runs the same prompt again with other settings.
pub(super) fn run_beside(
    state: &mut CompareState,
    core: &mut Core,
    settings: SamplerSettings,
    effects: &mut Vec<Effect>,
) {
    if core.current_step().is_none() || settings.validate().is_err() || !core.must_go_on() {
        return;
    }
    pin(state, core);
    effects.push(Effect::CancelStep);
    core.drop_run();
    core.change_sampler(settings, effects);
    core.toggle_run(effects);
}
