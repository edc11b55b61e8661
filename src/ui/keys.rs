//! The keyboard: one table, from which shortcuts, tooltips and the help overlay all come.

use crate::app::{Action, AppState, Cursor, Export, LessonAction, LoopStage};
use egui::Key;

/// One shortcut.
#[derive(Clone, Copy, Debug)]
pub struct Shortcut {
    /// The key.
    pub key: Key,
    /// With Ctrl, or Cmd on a Mac; other modifiers are never held.
    pub command: bool,
    /// The key's name on the screen.
    pub label: &'static str,
    /// What it does.
    pub what: &'static str,
    action: fn(&AppState) -> Action,
}

/// Steps one token.
pub const STEP_TOKEN: Shortcut =
    Shortcut { command: false, key: Key::Space, label: "Space", what: "Step one token", action: |_| Action::StepToken };
/// Runs or pauses.
pub const RUN: Shortcut =
    Shortcut { command: false, key: Key::R, label: "R", what: "Run or pause", action: |_| Action::ToggleRun };
/// Starts over.
pub const RESTART: Shortcut = Shortcut {
    command: false,
    key: Key::Home,
    label: "Home",
    what: "Restart with the same prompt",
    action: |_| Action::Restart,
};
/// One token back.
pub const BACK: Shortcut =
    Shortcut { command: false, key: Key::ArrowLeft, label: "←", what: "Back one token", action: |_| Action::Back };
/// One recorded token forward.
pub const FORWARD: Shortcut = Shortcut {
    command: false,
    key: Key::ArrowRight,
    label: "→",
    what: "Forward one recorded token",
    action: |_| Action::Forward,
};
/// One stage on.
pub const STEP_STAGE: Shortcut = Shortcut {
    command: false,
    key: Key::ArrowDown,
    label: "↓",
    what: "Step one stage of the loop",
    action: |_| Action::StepStage,
};
/// One stage back.
pub const BACK_STAGE: Shortcut =
    Shortcut { command: false, key: Key::ArrowUp, label: "↑", what: "Back one stage", action: |_| Action::BackStage };
/// Stops within one layer.
pub const STOP: Shortcut =
    Shortcut { command: false, key: Key::S, label: "S", what: "Stop at once", action: |_| Action::Stop };
/// Toggles greedy.
pub const GREEDY: Shortcut = Shortcut {
    command: false,
    key: Key::G,
    label: "G",
    what: "Greedy on or off",
    action: |state| {
        let mut settings = state.sampler.clone();
        settings.toggle_greedy();
        Action::SetSampler(settings)
    },
};
/// Goes to the last recorded token.
pub const END: Shortcut = Shortcut {
    command: false,
    key: Key::End,
    label: "End",
    what: "To the last recorded token",
    action: |_| Action::GoTo(Cursor { step: usize::MAX, stage: LoopStage::Append }),
};
/// Shows the branch before.
pub const PREVIOUS_BRANCH: Shortcut = Shortcut {
    command: false,
    key: Key::PageUp,
    label: "Page Up",
    what: "The branch above",
    action: |_| Action::PreviousBranch,
};
/// Shows the next branch.
pub const NEXT_BRANCH: Shortcut = Shortcut {
    command: false,
    key: Key::PageDown,
    label: "Page Down",
    what: "The branch below",
    action: |_| Action::NextBranch,
};
/// Takes the last change of the branches back.
pub const UNDO: Shortcut = Shortcut {
    command: true,
    key: Key::Z,
    label: "Ctrl Z",
    what: "Undo the last change of branches or samplers",
    action: |_| Action::Undo,
};
/// Makes it again.
pub const REDO: Shortcut =
    Shortcut { command: true, key: Key::Y, label: "Ctrl Y", what: "Redo it", action: |_| Action::Redo };
/// Saves the session.
pub const SAVE: Shortcut = Shortcut {
    command: true,
    key: Key::S,
    label: "Ctrl S",
    what: "Save the session",
    action: |state| match &state.keeping.file {
        Some(path) => Action::Export(Export::Session, path.clone()),
        None => Action::ToggleSessionDialog(Some(Export::Session)),
    },
};
/// Opens another one.
pub const OPEN: Shortcut = Shortcut {
    command: true,
    key: Key::O,
    label: "Ctrl O",
    what: "Open a session",
    action: |_| Action::ToggleSessionDialog(None),
};
/// Opens or closes the lessons.
pub const LESSONS: Shortcut = Shortcut {
    command: true,
    key: Key::L,
    label: "Ctrl L",
    what: "Show or hide the lessons",
    action: |_| Action::Lesson(LessonAction::ToggleList),
};
/// The next scene of the lesson.
pub const NEXT_SCENE: Shortcut = Shortcut {
    command: false,
    key: Key::N,
    label: "N",
    what: "Next scene of the lesson, once what it asks for is done",
    action: |_| Action::Lesson(LessonAction::Next),
};
/// Opens or closes the inspector.
pub const INSPECTOR: Shortcut = Shortcut {
    command: false,
    key: Key::I,
    label: "I",
    what: "Show or hide the inspector",
    action: |_| Action::ToggleInspector,
};
/// Opens or closes this list.
pub const HELP: Shortcut = Shortcut {
    command: false,
    key: Key::Questionmark,
    label: "?",
    what: "Show or hide this list",
    action: |_| Action::ToggleHelp,
};

/// All shortcuts, in the order of the help overlay.
pub const ALL: [Shortcut; 20] = [
    STEP_TOKEN,
    STEP_STAGE,
    BACK_STAGE,
    BACK,
    FORWARD,
    END,
    RUN,
    STOP,
    RESTART,
    PREVIOUS_BRANCH,
    NEXT_BRANCH,
    UNDO,
    REDO,
    SAVE,
    OPEN,
    LESSONS,
    NEXT_SCENE,
    GREEDY,
    INSPECTOR,
    HELP,
];

impl Shortcut {
    /// The tooltip of a button that does the same.
    pub fn tooltip(&self) -> String {
        format!("{} ({})", self.what, self.label)
    }

    /// Whether this event is its key going down, by the modifiers of that moment: they may be up again by now.
    fn is(&self, event: &egui::Event) -> bool {
        let &egui::Event::Key { key, pressed: true, modifiers, .. } = event else {
            return false;
        };
        // Some keyboards report the question mark as shifted slash.
        let meant = key == self.key || (self.key == Key::Questionmark && modifiers.shift && key == Key::Slash);
        meant && !modifiers.alt && (modifiers.ctrl || modifiers.command) == self.command
    }
}

/// The actions of the keys pressed in this frame, none while a text field has the keyboard.
///
/// A focused button keeps Space and Enter, a focused slider the arrows: there, a shortcut does not act.
pub fn pressed(ctx: &egui::Context, state: &AppState, out: &mut Vec<Action>) {
    if ctx.text_edit_focused() {
        return;
    }
    let focused = ctx.memory(egui::Memory::focused).is_some();
    ctx.input(|input| {
        for shortcut in &ALL {
            let widget_uses_it = focused
                && matches!(
                    shortcut.key,
                    Key::Space
                        | Key::ArrowLeft
                        | Key::ArrowRight
                        | Key::ArrowUp
                        | Key::ArrowDown
                        | Key::Home
                        | Key::End
                        | Key::PageUp
                        | Key::PageDown
                );
            let pressed = input.events.iter().any(|event| shortcut.is(event));
            if pressed && !widget_uses_it {
                out.push((shortcut.action)(state));
            }
        }
    });
}
