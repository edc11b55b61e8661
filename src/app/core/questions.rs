//! What the preview thread is asked once the shown step, the settings, the search or the picture have changed.

use super::{Chart, Core, Effect};
use crate::engine::{Question, StepKey};
use crate::sampling::SamplerSettings;
use std::sync::Arc;

/// What the questions are about. The step with whether its logits are held, since a replay gives them back, and whether
/// the settings differ from those it was made with: a sibling of the same pass may have another token. And the step
/// that it is held against.
#[derive(PartialEq)]
pub(in crate::app) struct AskedAbout {
    shown: Option<(StepKey, bool, bool)>,
    settings: SamplerSettings,
    query: String,
    chart: Chart,
    other: Option<StepKey>,
}

impl Core {
    /// What the questions would be about now; `other` is the step that the shown one is held against.
    pub(in crate::app) fn asked_about(&self, other: Option<StepKey>) -> AskedAbout {
        AskedAbout {
            shown: self.current_key().map(|key| (key, self.holds_logits(key), self.settings_differ())),
            settings: self.sampler.clone(),
            query: self.query.clone(),
            chart: self.view.chart,
            other,
        }
    }

    /// What has to be asked now that something has changed; `compare` says what is asked of the two steps.
    pub(in crate::app) fn questions(
        &self,
        before: &AskedAbout,
        now: AskedAbout,
        compare: impl FnOnce() -> Option<Question>,
    ) -> Vec<Effect> {
        if now == *before {
            return Vec::new();
        }
        let Some(step) = self.current_input() else {
            return Vec::new();
        };
        let stale_answer = (now.shown, &now.settings) != (before.shown, &before.settings);
        let mut questions: Vec<Question> = compare().into_iter().collect();
        if stale_answer && self.settings_differ() {
            questions.push(Question::WhatIf { step: step.clone(), settings: now.settings.clone() });
        }
        if now.chart == Chart::Draws {
            questions.push(Question::Many { step: step.clone(), settings: now.settings.clone() });
        }
        if let Some(model) = self.shown_model().filter(|_| !now.query.trim().is_empty()) {
            let vocabulary = Arc::clone(&model.vocabulary);
            questions.push(Question::Search { step, settings: now.settings, query: now.query, vocabulary });
        }
        questions.into_iter().map(Effect::Ask).collect()
    }
}
