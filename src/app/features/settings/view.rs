//! The settings, as they are drawn.

use crate::app::lesson::Shelved;
use crate::app::{AppState, Preferences};

/// The settings and what came of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SettingsView<'a> {
    pub preferences: &'a Preferences,
    pub is_open: bool,
    /// The lessons of the chosen folder that can be taken.
    pub n_lessons: usize,
    pub shelf: &'a [Shelved],
}

impl<'a> SettingsView<'a> {
    pub fn of(state: &'a AppState) -> Self {
        Self {
            preferences: &state.preferences,
            is_open: state.view.settings,
            n_lessons: state.lessons.shelf.iter().filter(|(_, lesson)| lesson.is_ok()).count(),
            shelf: &state.lessons.shelf,
        }
    }
}
