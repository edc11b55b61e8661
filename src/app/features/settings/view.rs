//! The settings, as they are drawn.

use super::Preferences;
use crate::app::core::Core;
use crate::message::Message;
use std::path::Path;

/// The settings and what came of them.
#[derive(Clone, Debug)]
pub(crate) struct SettingsView<'a> {
    pub preferences: &'a Preferences,
    pub is_open: bool,
    /// The lessons of the chosen folder that can be taken.
    pub n_lessons: usize,
    /// What is wrong with its other files.
    pub problems: Vec<(&'a Path, &'a Message)>,
}

impl<'a> SettingsView<'a> {
    pub(in crate::app) fn of(
        preferences: &'a Preferences,
        core: &Core,
        n_lessons: usize,
        problems: Vec<(&'a Path, &'a Message)>,
    ) -> Self {
        Self { preferences, is_open: core.view.settings, n_lessons, problems }
    }
}
