//! The settings, as they are drawn.

use crate::app::lesson::Shelved;
use crate::app::{AppState, Preferences};

/// The settings and what came of them.
#[derive(Clone, Copy, Debug)]
pub struct SettingsView<'a> {
    /// What is set.
    pub preferences: &'a Preferences,
    /// Whether the settings are open.
    pub is_open: bool,
    /// The lessons of the chosen folder that can be taken.
    pub n_lessons: usize,
    /// The files of that folder.
    pub shelf: &'a [Shelved],
}

impl<'a> SettingsView<'a> {
    /// The settings of now.
    pub fn of(state: &'a AppState) -> Self {
        Self {
            preferences: &state.preferences,
            is_open: state.view.settings,
            n_lessons: state.lessons.shelf.iter().filter(|(_, lesson)| lesson.is_ok()).count(),
            shelf: &state.lessons.shelf,
        }
    }
}
