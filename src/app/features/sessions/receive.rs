//! What the keeper says of sessions and files.

use super::SessionsState;
use crate::app::core::{Core, Cursor, Effect, LoopStage, Notice, OpenedSession, RunState};
use crate::engine::{Activity, RunId};
use crate::message::msg;
use crate::recording::{LeftBehind, Opened, Orphan, Recording};
use crate::trace::RawLogits;
use std::path::PathBuf;

impl SessionsState {
    /// What lies where sessions are kept.
    pub(in crate::app) fn receive_left(&mut self, left: LeftBehind, last: Vec<PathBuf>) {
        self.left = left;
        let mut last = last.into_iter();
        (self.last, self.last_of_others) = (last.next(), last.collect());
    }

    /// The session of this number was written.
    pub(in crate::app) fn receive_saved(&mut self, core: &mut Core, path: PathBuf, serial: u64) {
        core.report = Some(Notice::Saved(path.clone()));
        // What was begun while the disk was busy has no file yet.
        if core.run.as_ref().is_some_and(|run| run.serial == serial) {
            self.file = Some(path);
        }
    }

    /// Shows a session that was read, in place of the run, which was left for it.
    pub(in crate::app) fn receive_opened(
        &mut self,
        core: &mut Core,
        path: PathBuf,
        opened: Opened,
        effects: &mut Vec<Effect>,
    ) {
        let Opened { recording, mut problems, n_steps, .. } = opened;
        let orphans = &mut self.left.orphans;
        let orphan = orphans.iter().position(|orphan| orphan.path == path).map(|place| orphans.remove(place));
        let recovered = orphan.is_some();
        let rest = orphan.as_ref().and_then(Orphan::rest);
        show(core, recording, effects);
        self.recovered = core.run.as_ref().map(|run| run.serial).zip(orphan);
        core.view.session_dialog = false;
        // What could not be read of a file would be lost if the rest were saved to it.
        let whole = problems.is_empty();
        // That a program that died left no end is no news.
        let is_told = !whole && (!recovered || rest.is_some());
        problems.extend(rest.map(|rest| msg!("session-rest", path = rest.display().to_string())));
        core.notice = is_told.then_some(Notice::Damaged(problems));
        // Which model it will be is not known while the first one is still on its way.
        let is_coming = core.model.loaded.is_none() && core.model.loading.is_some();
        let is_missing = !core.can_go_on() && !is_coming;
        let missing_model = core.run.as_ref().filter(|_| is_missing).map(|run| run.model.card.id.clone());
        core.report = Some(Notice::Opened(OpenedSession { recovered, n_steps, missing_model }));
        let mut kept = self.last.iter().chain(&self.before).chain(&self.last_of_others);
        let is_kept_anyway = recovered || kept.any(|kept| *kept == path);
        self.file = (whole && !is_kept_anyway).then_some(path);
    }
}

/// Shows what was recorded, with the settings that it was made with.
fn show(core: &mut Core, recording: Recording, effects: &mut Vec<Effect>) {
    let Recording { model, formats, prompt, tree, settings, max_new_tokens, overflow, shown_step } = recording;
    let serial = core.new_number();
    let last_pass = tree.last_pass().map_or(0, |pass| pass.0);
    core.last_pass = core.last_pass.max(last_pass);
    core.prompt.text.clone_from(&prompt);
    core.prompt.tokens = tree.current().trace.prompt.to_vec();
    core.prompt.problem = None;
    // What is still on its way about the text before is not about this one.
    core.prompt.serial += 1;
    core.prompt.answered = core.prompt.serial;
    (core.max_new_tokens, core.overflow) = (max_new_tokens, overflow);
    core.change_sampler(settings, effects);
    let n_shown = tree.current().trace.steps().len();
    core.cursor = match n_shown.checked_sub(1) {
        Some(last) => Cursor { step: shown_step.min(last), stage: LoopStage::Append },
        None => Cursor::START,
    };
    core.run = Some(RunState {
        id: RunId(serial),
        serial,
        model,
        formats,
        of_lesson: false,
        prompt,
        tree,
        under_way: None,
        overflow,
        logits: RawLogits::default(),
        said: Activity::Idle,
        asked: None,
    });
    if core.can_go_on() {
        core.goes_on_with_loaded();
        core.tokenize(effects);
    }
}
