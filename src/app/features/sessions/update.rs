//! What each action means for files and links.

use super::{SessionsAction, SessionsState};
use crate::app::core::{Core, Effect, Export, Notice};
use crate::engine::Keep;
use crate::export::{Link, LinkError};
use std::path::PathBuf;
use std::sync::Arc;

pub(in crate::app) fn update(
    state: &mut SessionsState,
    core: &mut Core,
    action: SessionsAction,
    effects: &mut Vec<Effect>,
) {
    match action {
        SessionsAction::ToggleDialog(what) => {
            let same = state.export == what;
            core.view.session_dialog = !(core.view.session_dialog && same);
            if !same {
                // What was typed for one kind of file would be written over by another.
                state.typed.clear();
            }
            state.export = what;
        }
        SessionsAction::EditPath(path) => state.typed = path,
        SessionsAction::Export(what, path) => {
            core.view.session_dialog = false;
            export(state, core, what, path, effects);
        }
        SessionsAction::ChooseTarget(what) => effects.push(Effect::PickTarget(what)),
        SessionsAction::Open(path) => open_path(core, path, effects),
        SessionsAction::Choose => effects.push(Effect::PickSession),
        SessionsAction::Recover(path) => effects.push(Effect::Keep(Keep::Recover(path))),
        SessionsAction::Forget(path) => {
            state.left.orphans.retain(|orphan| orphan.path != path);
            effects.push(Effect::Keep(Keep::Forget(path)));
        }
        SessionsAction::DismissSetAside => state.left.set_aside.clear(),
        SessionsAction::CopyLink => {
            effects.push(Effect::Copy(core.link().to_string()));
            let is_changed = core.current_run().is_some_and(|run| run.tree.current().is_changed());
            core.report = Some(Notice::CopiedLink { is_changed });
        }
        SessionsAction::OpenLink(link) => open_link(state, core, *link, effects),
    }
}

/// Writes something to a file. A picture is taken by the window, which knows its pixels, and so is a coloured text.
fn export(state: &SessionsState, core: &mut Core, what: Export, path: PathBuf, effects: &mut Vec<Effect>) {
    // What was opened under another name is saved under it.
    let opened = what == Export::Session && state.file.as_ref() == Some(&path);
    let path = if opened { path } else { with_extension(path, what.extension()) };
    let recording = core.recording().map(Arc::new);
    match (what, recording) {
        (Export::Picture(part), _) => effects.push(Effect::TakePicture(part, path)),
        (_, None) => core.notice = Some(Notice::NothingToSave),
        (Export::Session, Some(recording)) => {
            let serial = core.run.as_ref().map_or(0, |run| run.serial);
            effects.push(Effect::Keep(Keep::Save(path, serial, recording)));
        }
        (Export::Steps(format), Some(recording)) => {
            effects.push(Effect::Keep(Keep::Steps(path, format, recording)));
        }
        (Export::Text, Some(_)) => effects.push(Effect::WriteText(path)),
    }
}

/// The path with this ending: what stands behind a dot may belong to the name, as in `T=0.8`.
fn with_extension(path: PathBuf, extension: &str) -> PathBuf {
    if path.extension().is_some_and(|end| end.eq_ignore_ascii_case(extension)) {
        return path;
    }
    let mut path = path.into_os_string();
    path.push(format!(".{extension}"));
    path.into()
}

/// Opens a session file; a link that was meant and has a mistake is no file, and says what is wrong with it.
fn open_path(core: &mut Core, path: PathBuf, effects: &mut Vec<Effect>) {
    match path.to_string_lossy().parse::<Link>() {
        Err(error) if !matches!(error, LinkError::Scheme) => {
            core.notice = Some(Notice::NoLink(error));
        }
        _ => effects.push(Effect::Keep(Keep::Open(path))),
    }
}

/// Restores what a link says: the prompt, the samplers, the seed.
fn open_link(state: &mut SessionsState, core: &mut Core, link: Link, effects: &mut Vec<Effect>) {
    let Link { prompt, settings, max_new_tokens, overflow, model } = link;
    if !core.prompt.take(prompt) {
        return;
    }
    core.leave_run(effects);
    if settings.validate().is_ok() {
        core.change_sampler(settings, effects);
    }
    (core.max_new_tokens, core.overflow) = (max_new_tokens, overflow);
    core.tokenize(effects);
    state.link_model = model;
    state.look_at_link_model(core);
}

impl SessionsState {
    /// Says that a link was made with another model, once there is one.
    pub(in crate::app) fn look_at_link_model(&mut self, core: &mut Core) {
        let Some(loaded) = core.model.loaded.as_ref().map(|model| model.card.id.clone()) else { return };
        if let Some(wanted) = self.link_model.take().filter(|wanted| *wanted != loaded) {
            core.notice = Some(Notice::LinkModel { wanted, loaded });
        }
    }
}
