//! The keyboard: one table, from which shortcuts, tooltips and the help overlay all come.

use crate::app::{
    Action, Cursor, ExploreAction, Export, InsideAction, LessonAction, MapAction, PredictionAction, Preferences,
    PresentAction, Room, RunAction, SamplersAction, ScreenAction, SessionsAction, SettingsAction, Views, ZOOM_STEP,
};
use crate::words::{Words, say};
use egui::Key;

/// One shortcut.
#[derive(Clone, Copy, Debug)]
pub struct Shortcut {
    /// The key.
    pub key: Key,
    /// With Ctrl, or Cmd on a Mac; other modifiers are never held.
    pub command: bool,
    label: Say,
    what: Say,
    action: Act,
}

type Say = fn(Words) -> &'static str;
type Act = fn(&Views<'_>) -> Action;

const fn key(key: Key, label: Say, what: Say, action: Act) -> Shortcut {
    Shortcut { key, command: false, label, what, action }
}

const fn ctrl(key: Key, label: Say, what: Say, action: Act) -> Shortcut {
    Shortcut { key, command: true, label, what, action }
}

pub(super) const STEP_TOKEN: Shortcut = key(
    Key::Space,
    |words| say!(words, "key-space"),
    |words| say!(words, "keys-step-token"),
    |_| RunAction::StepToken.into(),
);
pub(super) const RUN: Shortcut = key(Key::R, |_| "R", |words| say!(words, "keys-run"), |_| RunAction::Toggle.into());
/// Starts over.
pub const RESTART: Shortcut =
    key(Key::Home, |words| say!(words, "key-home"), |words| say!(words, "keys-restart"), |_| RunAction::Restart.into());
pub(super) const BACK: Shortcut =
    key(Key::ArrowLeft, |_| "←", |words| say!(words, "keys-back"), |_| RunAction::Back.into());
pub(super) const FORWARD: Shortcut =
    key(Key::ArrowRight, |_| "→", |words| say!(words, "keys-forward"), |_| RunAction::Forward.into());
pub(super) const STEP_STAGE: Shortcut =
    key(Key::ArrowDown, |_| "↓", |words| say!(words, "keys-step-stage"), |_| RunAction::StepStage.into());
pub(super) const BACK_STAGE: Shortcut =
    key(Key::ArrowUp, |_| "↑", |words| say!(words, "keys-back-stage"), |_| RunAction::BackStage.into());
pub(super) const STOP: Shortcut = key(Key::S, |_| "S", |words| say!(words, "keys-stop"), |_| RunAction::Stop.into());
pub(super) const GREEDY: Shortcut = key(
    Key::G,
    |_| "G",
    |words| say!(words, "keys-greedy"),
    |views| {
        let mut settings = views.samplers.settings.clone();
        settings.toggle_greedy();
        Action::Samplers(SamplersAction::Set(settings))
    },
);
pub(super) const END: Shortcut = key(
    Key::End,
    |words| say!(words, "key-end"),
    |words| say!(words, "keys-end"),
    |_| RunAction::GoTo(Cursor::END).into(),
);
pub(super) const PREVIOUS_BRANCH: Shortcut = key(
    Key::PageUp,
    |words| say!(words, "key-page-up"),
    |words| say!(words, "keys-previous-branch"),
    |_| ExploreAction::PreviousBranch.into(),
);
pub(super) const NEXT_BRANCH: Shortcut = key(
    Key::PageDown,
    |words| say!(words, "key-page-down"),
    |words| say!(words, "keys-next-branch"),
    |_| ExploreAction::NextBranch.into(),
);
pub(super) const UNDO: Shortcut =
    ctrl(Key::Z, |words| say!(words, "key-ctrl-z"), |words| say!(words, "keys-undo"), |_| RunAction::Undo.into());
pub(super) const REDO: Shortcut =
    ctrl(Key::Y, |words| say!(words, "key-ctrl-y"), |words| say!(words, "keys-redo"), |_| RunAction::Redo.into());
pub(super) const SAVE: Shortcut = ctrl(
    Key::S,
    |words| say!(words, "key-ctrl-s"),
    |words| say!(words, "keys-save"),
    |views| match &views.sessions.files.file {
        Some(path) => Action::Sessions(SessionsAction::Export(Export::Session, path.clone())),
        None => Action::Sessions(SessionsAction::ToggleDialog(Some(Export::Session))),
    },
);
pub(super) const OPEN: Shortcut = ctrl(
    Key::O,
    |words| say!(words, "key-ctrl-o"),
    |words| say!(words, "keys-open"),
    |_| SessionsAction::ToggleDialog(None).into(),
);
pub(super) const LESSONS: Shortcut = ctrl(
    Key::L,
    |words| say!(words, "key-ctrl-l"),
    |words| say!(words, "keys-lessons"),
    |_| LessonAction::ToggleList.into(),
);
// A lesson that is hidden comes back first: what its next scene sets up would take the run away unseen.
pub(super) const NEXT_SCENE: Shortcut = key(
    Key::N,
    |_| "N",
    |words| say!(words, "keys-next-scene"),
    |views| {
        let hidden = views.lessons.state.taking.is_some() && !views.lessons.state.open;
        Action::Lesson(if hidden { LessonAction::ToggleList } else { LessonAction::Next })
    },
);
pub(super) const STEP_ROOM: Shortcut =
    key(Key::F2, |_| "F2", |words| say!(words, "keys-step-room"), |_| ScreenAction::Enter(Room::Step).into());
pub(super) const INSIDE_ROOM: Shortcut =
    key(Key::F3, |_| "F3", |words| say!(words, "keys-inside-room"), |_| ScreenAction::Enter(Room::Inside).into());
pub(super) const ZOOM_OUT: Shortcut = key(
    Key::Escape,
    |words| say!(words, "key-escape"),
    |words| say!(words, "keys-zoom-out"),
    |_| InsideAction::Map(MapAction::Out).into(),
);
pub(super) const EXPLORE_ROOM: Shortcut =
    key(Key::F4, |_| "F4", |words| say!(words, "keys-explore-room"), |_| ScreenAction::Enter(Room::Explore).into());
pub(super) const INSPECTOR: Shortcut =
    key(Key::I, |_| "I", |words| say!(words, "keys-inspector"), |_| ScreenAction::ToggleInspector.into());
pub(super) const PREDICT: Shortcut = key(
    Key::P,
    |_| "P",
    |words| say!(words, "keys-predict"),
    |views| PredictionAction::Ask(!views.predict.prediction.asked).into(),
);
pub(super) const PRESENT: Shortcut =
    key(Key::F5, |_| "F5", |words| say!(words, "keys-present"), |_| PresentAction::Toggle.into());
pub(super) const GLOSSARY: Shortcut =
    key(Key::F1, |_| "F1", |words| say!(words, "keys-glossary"), |_| LessonAction::LookUp(Some(String::new())).into());
pub(super) const LARGER: Shortcut = ctrl(
    Key::Plus,
    |words| say!(words, "key-ctrl-plus"),
    |words| say!(words, "keys-larger"),
    |views| zoomed(views, ZOOM_STEP),
);
pub(super) const SMALLER: Shortcut = ctrl(
    Key::Minus,
    |words| say!(words, "key-ctrl-minus"),
    |words| say!(words, "keys-smaller"),
    |views| zoomed(views, -ZOOM_STEP),
);
pub(super) const HELP: Shortcut =
    key(Key::Questionmark, |_| "?", |words| say!(words, "keys-help"), |_| ScreenAction::ToggleHelp.into());

/// All shortcuts, in the order of the help overlay.
pub const ALL: [Shortcut; 29] = [
    STEP_TOKEN,
    STEP_STAGE,
    BACK_STAGE,
    BACK,
    FORWARD,
    END,
    RUN,
    STOP,
    RESTART,
    STEP_ROOM,
    INSIDE_ROOM,
    EXPLORE_ROOM,
    ZOOM_OUT,
    PREVIOUS_BRANCH,
    NEXT_BRANCH,
    UNDO,
    REDO,
    SAVE,
    OPEN,
    LESSONS,
    NEXT_SCENE,
    PREDICT,
    PRESENT,
    GREEDY,
    INSPECTOR,
    GLOSSARY,
    LARGER,
    SMALLER,
    HELP,
];

/// Another size, by whole steps.
fn zoomed(views: &Views<'_>, by: f32) -> Action {
    let zoom = ((views.settings.preferences.zoom + by) / ZOOM_STEP).round() * ZOOM_STEP;
    Action::Settings(SettingsAction::Prefer(Preferences { zoom, ..views.settings.preferences.clone() }))
}

impl Shortcut {
    /// The key's name on the screen.
    pub fn label(&self, words: Words) -> &'static str {
        (self.label)(words)
    }

    /// What it does.
    pub fn what(&self, words: Words) -> &'static str {
        (self.what)(words)
    }

    /// The tooltip of a button that does the same.
    pub fn tooltip(&self, words: Words) -> String {
        format!("{} ({})", self.what(words), self.label(words))
    }

    /// Whether this event is its key going down, by the modifiers of that moment: they may be up again by now.
    fn is(&self, event: &egui::Event) -> bool {
        let &egui::Event::Key { key, pressed: true, repeat, modifiers, .. } = event else {
            return false;
        };
        // Held down, a key goes on only where it moves something.
        let moves = widgets_use(self.key) || matches!(self.key, Key::Z | Key::Y | Key::Plus | Key::Minus);
        if repeat && !moves {
            return false;
        }
        // Many programs make a change again by Ctrl+Shift+Z.
        let again = modifiers.shift && key == Key::Z;
        // Some keyboards report the question mark as shifted slash, and the plus as the key that it shares.
        let meant = (key == self.key && !again)
            || (again && self.key == Key::Y)
            || (self.key == Key::Questionmark && modifiers.shift && key == Key::Slash)
            || (self.key == Key::Plus && key == Key::Equals);
        meant && !modifiers.alt && (modifiers.ctrl || modifiers.command) == self.command
    }
}

/// Whether a widget that has the keyboard does something of its own with this key.
fn widgets_use(key: Key) -> bool {
    matches!(
        key,
        Key::Space
            | Key::ArrowLeft
            | Key::ArrowRight
            | Key::ArrowUp
            | Key::ArrowDown
            | Key::Home
            | Key::End
            | Key::PageUp
            | Key::PageDown
    )
}

/// The actions of the keys pressed in this frame but for those that are taken, none while a text field has the keyboard.
///
/// A focused button keeps Space and Enter, a focused slider the arrows: there, a shortcut does not act.
pub(super) fn pressed(ctx: &egui::Context, views: &Views<'_>, taken: &[Key], out: &mut Vec<Action>) {
    if ctx.text_edit_focused() {
        return;
    }
    let focused = ctx.memory(egui::Memory::focused).is_some();
    ctx.input(|input| {
        for shortcut in ALL.iter().filter(|shortcut| !taken.contains(&shortcut.key)) {
            if focused && widgets_use(shortcut.key) {
                continue;
            }
            let n_pressed = input.events.iter().filter(|event| shortcut.is(event)).count();
            // What moves does so as often as it is pressed, however long a frame takes; what switches does so once.
            let moves = widgets_use(shortcut.key) || matches!(shortcut.key, Key::Z | Key::Y);
            let n = if moves { n_pressed } else { n_pressed.min(1) };
            out.extend((0..n).map(|_| (shortcut.action)(views)));
        }
    });
}
