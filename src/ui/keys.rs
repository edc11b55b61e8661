//! The keyboard: one table, from which shortcuts, tooltips and the help overlay all come.

use crate::app::{
    Action, Cursor, ExploreAction, Export, LessonAction, LoopStage, PredictionAction, Preferences, PresentAction, Room,
    RunAction, SamplersAction, ScreenAction, SessionsAction, SettingsAction, Views, ZOOM_STEP,
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
    label: fn(Words) -> &'static str,
    what: fn(Words) -> &'static str,
    action: fn(&Views<'_>) -> Action,
}

/// Steps one token.
pub const STEP_TOKEN: Shortcut = Shortcut {
    command: false,
    key: Key::Space,
    label: |words| say!(words, "key-space"),
    what: |words| say!(words, "keys-step-token"),
    action: |_| Action::Run(RunAction::StepToken),
};
/// Runs or pauses.
pub const RUN: Shortcut = Shortcut {
    command: false,
    key: Key::R,
    label: |_| "R",
    what: |words| say!(words, "keys-run"),
    action: |_| Action::Run(RunAction::Toggle),
};
/// Starts over.
pub const RESTART: Shortcut = Shortcut {
    command: false,
    key: Key::Home,
    label: |words| say!(words, "key-home"),
    what: |words| say!(words, "keys-restart"),
    action: |_| Action::Run(RunAction::Restart),
};
/// One token back.
pub const BACK: Shortcut = Shortcut {
    command: false,
    key: Key::ArrowLeft,
    label: |_| "←",
    what: |words| say!(words, "keys-back"),
    action: |_| Action::Run(RunAction::Back),
};
/// One recorded token forward.
pub const FORWARD: Shortcut = Shortcut {
    command: false,
    key: Key::ArrowRight,
    label: |_| "→",
    what: |words| say!(words, "keys-forward"),
    action: |_| Action::Run(RunAction::Forward),
};
/// One stage on.
pub const STEP_STAGE: Shortcut = Shortcut {
    command: false,
    key: Key::ArrowDown,
    label: |_| "↓",
    what: |words| say!(words, "keys-step-stage"),
    action: |_| Action::Run(RunAction::StepStage),
};
/// One stage back.
pub const BACK_STAGE: Shortcut = Shortcut {
    command: false,
    key: Key::ArrowUp,
    label: |_| "↑",
    what: |words| say!(words, "keys-back-stage"),
    action: |_| Action::Run(RunAction::BackStage),
};
/// Stops within one layer.
pub const STOP: Shortcut = Shortcut {
    command: false,
    key: Key::S,
    label: |_| "S",
    what: |words| say!(words, "keys-stop"),
    action: |_| Action::Run(RunAction::Stop),
};
/// Toggles greedy.
pub const GREEDY: Shortcut = Shortcut {
    command: false,
    key: Key::G,
    label: |_| "G",
    what: |words| say!(words, "keys-greedy"),
    action: |views| {
        let mut settings = views.samplers.settings.clone();
        settings.toggle_greedy();
        Action::Samplers(SamplersAction::Set(settings))
    },
};
/// Goes to the last recorded token.
pub const END: Shortcut = Shortcut {
    command: false,
    key: Key::End,
    label: |words| say!(words, "key-end"),
    what: |words| say!(words, "keys-end"),
    action: |_| Action::Run(RunAction::GoTo(Cursor { step: usize::MAX, stage: LoopStage::Append })),
};
/// Shows the branch before.
pub const PREVIOUS_BRANCH: Shortcut = Shortcut {
    command: false,
    key: Key::PageUp,
    label: |words| say!(words, "key-page-up"),
    what: |words| say!(words, "keys-previous-branch"),
    action: |_| Action::Explore(ExploreAction::PreviousBranch),
};
/// Shows the next branch.
pub const NEXT_BRANCH: Shortcut = Shortcut {
    command: false,
    key: Key::PageDown,
    label: |words| say!(words, "key-page-down"),
    what: |words| say!(words, "keys-next-branch"),
    action: |_| Action::Explore(ExploreAction::NextBranch),
};
/// Takes the last change of the branches back.
pub const UNDO: Shortcut = Shortcut {
    command: true,
    key: Key::Z,
    label: |words| say!(words, "key-ctrl-z"),
    what: |words| say!(words, "keys-undo"),
    action: |_| Action::Run(RunAction::Undo),
};
/// Makes it again.
pub const REDO: Shortcut = Shortcut {
    command: true,
    key: Key::Y,
    label: |words| say!(words, "key-ctrl-y"),
    what: |words| say!(words, "keys-redo"),
    action: |_| Action::Run(RunAction::Redo),
};
/// Saves the session.
pub const SAVE: Shortcut = Shortcut {
    command: true,
    key: Key::S,
    label: |words| say!(words, "key-ctrl-s"),
    what: |words| say!(words, "keys-save"),
    action: |views| match &views.sessions.files.file {
        Some(path) => Action::Sessions(SessionsAction::Export(Export::Session, path.clone())),
        None => Action::Sessions(SessionsAction::ToggleDialog(Some(Export::Session))),
    },
};
/// Opens another one.
pub const OPEN: Shortcut = Shortcut {
    command: true,
    key: Key::O,
    label: |words| say!(words, "key-ctrl-o"),
    what: |words| say!(words, "keys-open"),
    action: |_| Action::Sessions(SessionsAction::ToggleDialog(None)),
};
/// Opens or closes the lessons.
pub const LESSONS: Shortcut = Shortcut {
    command: true,
    key: Key::L,
    label: |words| say!(words, "key-ctrl-l"),
    what: |words| say!(words, "keys-lessons"),
    action: |_| Action::Lesson(LessonAction::ToggleList),
};
/// The next scene of the lesson.
pub const NEXT_SCENE: Shortcut = Shortcut {
    command: false,
    key: Key::N,
    label: |_| "N",
    what: |words| say!(words, "keys-next-scene"),
    // A lesson that is hidden comes back first: what its next scene sets up would take the run away unseen.
    action: |views| {
        let hidden = views.lessons.state.taking.is_some() && !views.lessons.state.open;
        Action::Lesson(if hidden { LessonAction::ToggleList } else { LessonAction::Next })
    },
};
/// Shows the step.
pub const STEP_ROOM: Shortcut = Shortcut {
    command: false,
    key: Key::F2,
    label: |_| "F2",
    what: |words| say!(words, "keys-step-room"),
    action: |_| Action::Screen(ScreenAction::Enter(Room::Step)),
};
/// Shows what else could have come.
pub const EXPLORE_ROOM: Shortcut = Shortcut {
    command: false,
    key: Key::F3,
    label: |_| "F3",
    what: |words| say!(words, "keys-explore-room"),
    action: |_| Action::Screen(ScreenAction::Enter(Room::Explore)),
};
/// Opens or closes the inspector.
pub const INSPECTOR: Shortcut = Shortcut {
    command: false,
    key: Key::I,
    label: |_| "I",
    what: |words| say!(words, "keys-inspector"),
    action: |_| Action::Screen(ScreenAction::ToggleInspector),
};
/// Asks for a prediction before each token, or no more.
pub const PREDICT: Shortcut = Shortcut {
    command: false,
    key: Key::P,
    label: |_| "P",
    what: |words| say!(words, "keys-predict"),
    action: |views| Action::Predict(PredictionAction::Ask(!views.predict.prediction.asked)),
};
/// Begins or ends presenting.
pub const PRESENT: Shortcut = Shortcut {
    command: false,
    key: Key::F5,
    label: |_| "F5",
    what: |words| say!(words, "keys-present"),
    action: |_| Action::Present(PresentAction::Toggle),
};
/// Opens the glossary.
pub const GLOSSARY: Shortcut = Shortcut {
    command: false,
    key: Key::F1,
    label: |_| "F1",
    what: |words| say!(words, "keys-glossary"),
    action: |_| Action::Lesson(LessonAction::LookUp(Some(String::new()))),
};
/// Everything a step larger.
pub const LARGER: Shortcut = Shortcut {
    command: true,
    key: Key::Plus,
    label: |words| say!(words, "key-ctrl-plus"),
    what: |words| say!(words, "keys-larger"),
    action: |views| zoomed(views, ZOOM_STEP),
};
/// Everything a step smaller.
pub const SMALLER: Shortcut = Shortcut {
    command: true,
    key: Key::Minus,
    label: |words| say!(words, "key-ctrl-minus"),
    what: |words| say!(words, "keys-smaller"),
    action: |views| zoomed(views, -ZOOM_STEP),
};
/// Opens or closes this list.
pub const HELP: Shortcut = Shortcut {
    command: false,
    key: Key::Questionmark,
    label: |_| "?",
    what: |words| say!(words, "keys-help"),
    action: |_| Action::Screen(ScreenAction::ToggleHelp),
};

/// All shortcuts, in the order of the help overlay.
pub const ALL: [Shortcut; 27] = [
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
    EXPLORE_ROOM,
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
