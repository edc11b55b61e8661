//! What a user has set once and finds again at the next start.

mod view;

pub(crate) use view::SettingsView;

use crate::app::core::{Core, Effect};
use crate::engine::Keep;
use crate::message::Language;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How many times as large as usual everything may be.
pub const ZOOM_RANGE: std::ops::RangeInclusive<f32> = 0.8..=3.0;

/// From one zoom to the next by the keyboard.
pub const ZOOM_STEP: f32 = 0.1;

/// Dark or light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ThemeChoice {
    /// As the system has it.
    #[default]
    System,
    /// Always dark.
    Dark,
    /// Always light.
    Light,
}

/// All that is kept. What a file does not say is as usual, and what it says too much is passed over.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(default)]
pub struct Preferences {
    /// Dark or light.
    pub theme: ThemeChoice,
    /// The language of the window; `None` for the system's.
    pub language: Option<Language>,
    /// How many times as large as usual everything is.
    pub zoom: f32,
    /// Whether nothing glides or fades.
    pub still: bool,
    /// Where lessons of one's own lie.
    pub lesson_folder: Option<PathBuf>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { theme: ThemeChoice::default(), language: None, zoom: 1.0, still: false, lesson_folder: None }
    }
}

impl Preferences {
    fn sound(self) -> Self {
        let zoom = if self.zoom.is_finite() { self.zoom.clamp(*ZOOM_RANGE.start(), *ZOOM_RANGE.end()) } else { 1.0 };
        Self { zoom, ..self }
    }
}

/// What is done with the settings.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingsAction {
    /// Open or close the settings.
    Toggle,
    /// Dark, light, or as the system.
    SetTheme(ThemeChoice),
    /// Set this, and find it again at the next start.
    Prefer(Preferences),
    /// Let the user choose a folder of lessons.
    PickLessons,
}

impl Preferences {
    pub(in crate::app) fn update(&mut self, core: &mut Core, action: SettingsAction, effects: &mut Vec<Effect>) {
        match action {
            SettingsAction::Toggle => core.view.settings = !core.view.settings,
            SettingsAction::SetTheme(theme) => self.set(Self { theme, ..self.clone() }, effects),
            SettingsAction::Prefer(preferences) => self.set(preferences, effects),
            SettingsAction::PickLessons => effects.push(Effect::PickLessons),
        }
    }

    fn set(&mut self, preferences: Self, effects: &mut Vec<Effect>) {
        let preferences = preferences.sound();
        if preferences == *self {
            return;
        }
        let before = toml::to_string(&*self);
        self.take(preferences, effects);
        // Paths that are no text cannot be written; all else can.
        if let (Ok(before), Ok(now)) = (before, toml::to_string(&*self)) {
            effects.push(Effect::Keep(Keep::Preferences(before, now)));
        }
    }

    /// Takes in what was kept; a file that cannot be read is as good as none.
    pub(in crate::app) fn receive(&mut self, text: &str, effects: &mut Vec<Effect>) {
        if let Ok(preferences) = toml::from_str::<Self>(text) {
            self.take(preferences.sound(), effects);
        }
    }

    fn take(&mut self, preferences: Self, effects: &mut Vec<Effect>) {
        let before = std::mem::replace(self, preferences);
        if before.lesson_folder != self.lesson_folder {
            effects.push(Effect::Keep(Keep::FollowFolder(self.lesson_folder.clone())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_again() {
        let mut preferences = Preferences::default();
        let wanted = Preferences {
            theme: ThemeChoice::Light,
            language: Some(Language::German),
            zoom: 1.5,
            still: true,
            lesson_folder: Some("/lessons".into()),
        };
        let mut effects = Vec::new();
        preferences.set(wanted.clone(), &mut effects);
        let kept = effects.iter().find_map(|effect| match effect {
            Effect::Keep(Keep::Preferences(_, text)) => Some(text.clone()),
            _ => None,
        });
        let followed = |effects: &[Effect]| {
            effects.iter().any(|effect| matches!(effect, Effect::Keep(Keep::FollowFolder(Some(_)))))
        };
        assert!(followed(&effects));
        let (mut other, mut effects) = (Preferences::default(), Vec::new());
        other.receive(&kept.unwrap(), &mut effects);
        assert_eq!(other, wanted);
        assert!(followed(&effects));
    }

    #[test]
    fn a_strange_file_does_no_harm() {
        for (text, zoom) in [
            ("zoom = 99.0", 3.0),
            ("zoom = nan", 1.0),
            ("zoom = \"big\"", 1.0),
            ("unknown = 1\nzoom = 2.0", 2.0),
            ("language = \"klingon\"", 1.0),
            ("[[[", 1.0),
        ] {
            let mut preferences = Preferences::default();
            preferences.receive(text, &mut Vec::new());
            assert_eq!(preferences.zoom, zoom, "{text}");
        }
    }
}
