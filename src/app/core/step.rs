//! The step that is shown: what it drew from, what it would have drawn under the settings of now.

use super::{Core, path_to};
use crate::engine::{Many, Recorded, StepInput, StepKey, TokenPath, WhatIf};
use crate::sampling::{Chain, StageKind, is_of_seed};
use crate::trace::{SamplingRecord, StageRecord, StepRecord};
use std::sync::Arc;

impl Core {
    /// The step that is shown.
    pub fn current_step(&self) -> Option<&Arc<StepRecord>> {
        self.steps().get(self.cursor.step)
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
        let TokenPath { history, n_prompt, mu, edits: _ } = path_to(run.tree.current(), index);
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

    /// What was drawn in the shown step; or what would have been, where the settings differ and that is known.
    pub fn shown_sampling(&self) -> Option<&SamplingRecord> {
        let step = self.current_step()?;
        let what_if = self.current_what_if().filter(|_| self.settings_differ());
        let what_if = what_if.and_then(|what_if| what_if.result.as_ref().ok());
        Some(what_if.unwrap_or(&step.sampling))
    }
}

/// A step with the stages that ran there.
pub fn recorded(input: StepInput, step: &StepRecord) -> Recorded {
    let stages = &step.sampling.stages;
    let xtc_coin = stages.iter().find_map(|record| record.number("coin")).unwrap_or_default();
    Recorded { input, chain: Chain(stages.iter().map(|record| record.stage.clone()).collect()), xtc_coin }
}

/// The stage record of a kind within a step, if that stage was set.
pub fn stage_of(sampling: &SamplingRecord, kind: StageKind) -> Option<&StageRecord> {
    sampling.stages.iter().find(|record| record.stage.kind() == kind)
}
