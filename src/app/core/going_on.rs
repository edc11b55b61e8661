//! Going on with the text: a run is begun or taken up, and the engine asked for a token, for some, or for no more.

use super::{Core, Cursor, Effect, LoopStage, Notice, RunState, SPEED_RANGE, path_to};
use crate::engine::{Activity, Command, Pace, RunId};
use crate::sampling::SamplerSettings;
use crate::trace::{Overflow, RawLogits, TokenId, Tree};
use std::sync::Arc;

impl Core {
    /// The run of the prompt as it is typed, begun now if there is none; `None` without a model.
    pub(in crate::app) fn ensure_run(&mut self, effects: &mut Vec<Effect>) -> Option<&mut RunState> {
        if self.engine_dead {
            return None;
        }
        let model = Arc::clone(&self.model.loaded.as_ref()?.identity);
        if self.current_run().is_none() {
            // The engine would refuse it, and the text that is there would be gone for nothing.
            let (n_tokens, context_length) = (self.prompt.tokens.len(), model.card.context_length);
            if let Some(problem) = &self.prompt.problem {
                self.notice = Some(Notice::NoTokens(problem.clone()));
                return None;
            }
            if n_tokens > context_length && self.overflow == Overflow::Stop {
                self.notice = Some(Notice::PromptTooLong { n_tokens, context_length });
                return None;
            }
            self.drop_run();
            let id = RunId(self.new_number());
            let tokens: Arc<[_]> = self.prompt.tokens.as_slice().into();
            let (max_new_tokens, overflow) = (self.max_new_tokens, self.overflow);
            effects.push(Effect::CancelStep);
            let prompt = Arc::clone(&tokens);
            effects.push(Effect::Engine(Command::Begin { run: id, prompt, max_new_tokens, overflow }));
            let tree = Tree::new(tokens);
            let under_way = Some(tree.current().id);
            self.run = Some(RunState {
                id,
                serial: id.0,
                model,
                formats: Vec::new(),
                of_lesson: false,
                prompt: self.prompt.text.clone(),
                tree,
                under_way,
                overflow,
                logits: RawLogits::default(),
                said: Activity::Idle,
                asked: None,
            });
            self.notice = None;
        }
        if !self.must_go_on() {
            return None;
        }
        self.take_up(effects);
        self.run.as_mut()
    }

    /// The same, if it can go on.
    fn ensure_open_run(&mut self, effects: &mut Vec<Effect>) -> Option<&mut RunState> {
        self.ensure_run(effects)?;
        if self.ended().is_some() { None } else { self.run.as_mut() }
    }

    /// Lets the engine go on with the branch that is shown, if it is on another one or would do something else at the
    /// end of the context window.
    fn take_up(&mut self, effects: &mut Vec<Effect>) {
        // Where there is nothing to take up, what the engine does besides goes on.
        if self.ended().is_some() {
            return;
        }
        self.give_up_replay();
        let (overflow, max_new_tokens) = (self.overflow, self.max_new_tokens);
        // A command that waits behind others ends no work.
        effects.extend(self.job.take().map(|_| Effect::CancelStep));
        let Some(run) = &mut self.run else { return };
        let branch = run.tree.current();
        if run.under_way == Some(branch.id) && run.overflow == overflow && branch.ended.is_none() {
            return;
        }
        let path = path_to(branch, branch.trace.steps().len());
        let is_first = branch.trace.steps().is_empty() && branch.edits.is_empty();
        let is_new = run.under_way == Some(branch.id) && is_first;
        let had_ended = branch.ended.is_some();
        run.under_way = Some(branch.id);
        run.overflow = overflow;
        self.last_run += 1;
        run.rename(self.last_run);
        if had_ended {
            // The window was full, and slides now; or the limit has been raised.
            run.tree.current_mut().ended = None;
        }
        effects.push(Effect::CancelStep);
        effects.push(Effect::Engine(if is_new {
            let prompt = Arc::clone(&run.trace().prompt);
            Command::Begin { run: run.id, prompt, max_new_tokens, overflow }
        } else {
            Command::Resume { run: run.id, path, max_new_tokens, overflow }
        }));
    }

    /// Asks the engine for one more token, to be shown at `stage` when it comes.
    pub(in crate::app) fn request_step(&mut self, stage: LoopStage, effects: &mut Vec<Effect>) {
        let settings = self.sampler.clone();
        let Some(run) = self.ensure_open_run(effects).filter(|run| run.activity() != Activity::Stepping) else {
            return;
        };
        run.asked = Some(Activity::Stepping);
        run.tree.current_mut().stopped = false;
        effects.push(Effect::Engine(Command::Step(run.id, settings)));
        self.awaited_stage = Some(stage);
    }

    /// Lets the engine make these tokens after the last one of the shown branch.
    pub(in crate::app) fn follow(&mut self, ids: Vec<TokenId>, effects: &mut Vec<Effect>) {
        if self.steps().len() + ids.len() > self.max_new_tokens {
            self.notice = Some(Notice::Limit(self.max_new_tokens));
        }
        let settings = self.sampler.clone();
        let Some(run) = self.ensure_open_run(effects) else { return };
        run.asked = Some(Activity::Following);
        run.tree.current_mut().stopped = false;
        effects.push(Effect::Engine(Command::Follow(run.id, ids, settings)));
        self.cursor = Cursor { step: self.steps().len().saturating_sub(1), stage: LoopStage::Append };
    }

    /// Runs, or pauses the run.
    pub(in crate::app) fn toggle_run(&mut self, effects: &mut Vec<Effect>) {
        if self.activity().goes_on() {
            return self.pause(effects);
        }
        let (pace, settings) = (self.pace(), self.sampler.clone());
        let Some(run) = self.ensure_open_run(effects) else {
            return;
        };
        run.asked = Some(Activity::Running);
        run.tree.current_mut().stopped = false;
        effects.push(Effect::Engine(Command::Run(run.id, pace, settings)));
        self.awaited_stage = None;
        if let Some(last) = self.steps().len().checked_sub(1) {
            self.cursor = Cursor { step: last, stage: LoopStage::Append };
        }
    }

    /// Pauses the run, if it goes on by itself.
    pub(in crate::app) fn pause(&mut self, effects: &mut Vec<Effect>) {
        let Some(run) = self.run.as_mut().filter(|run| run.activity().goes_on()) else { return };
        run.asked = Some(Activity::Idle);
        effects.push(Effect::Engine(Command::Pause(run.id)));
        self.give_up_replay();
    }

    /// How a run goes on by itself.
    fn pace(&self) -> Pace {
        if self.speed > *SPEED_RANGE.end() { Pace::Unlimited } else { Pace::TokensPerSecond(self.speed) }
    }

    /// The samplers from the next token on.
    pub(in crate::app) fn set_sampler(&mut self, settings: SamplerSettings, effects: &mut Vec<Effect>) {
        self.sampler = settings;
        self.run_on(effects);
    }

    /// Lets a run that goes on by itself do so at the pace and with the settings of now.
    pub(in crate::app) fn run_on(&self, effects: &mut Vec<Effect>) {
        if let Some(run) = self.run.as_ref().filter(|run| run.activity() == Activity::Running) {
            effects.push(Effect::Engine(Command::Run(run.id, self.pace(), self.sampler.clone())));
        }
    }

    /// The same as one change that can be undone.
    pub(in crate::app) fn change_sampler(&mut self, settings: SamplerSettings, effects: &mut Vec<Effect>) {
        self.history.remember_settings(&self.sampler, &settings);
        self.history.end_drag();
        self.set_sampler(settings, effects);
    }
}
