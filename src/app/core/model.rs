//! The model that runs, and whether it is the one that made what is shown.

use super::{Core, Notice};
use crate::engine::{LoadProgress, LoadRequest, LoadedModel, ModelSource};
use crate::trace::{ModelIdentity, PassId};
use std::sync::Arc;

/// The model, and the load under way.
#[derive(Debug, Default)]
pub struct ModelState {
    pub loaded: Option<LoadedModel>,
    /// What was asked for last.
    pub request: LoadRequest,
    pub loading: Option<LoadProgress>,
}

impl ModelState {
    pub(super) fn loading(request: LoadRequest) -> Self {
        Self { loaded: None, request, loading: Some(LoadProgress::default()) }
    }

    /// No load is under way any more: what was asked for is again the model that is there.
    pub(in crate::app) fn load_ended(&mut self) {
        self.loading = None;
        if let Some(model) = &self.loaded {
            self.request = model.request.clone();
        }
    }
}

impl Core {
    /// The model of the generation that is shown, else the one that is loaded.
    pub fn shown_model(&self) -> Option<&Arc<ModelIdentity>> {
        let of_run = self.current_run().map(|run| &run.model);
        of_run.or_else(|| self.model.loaded.as_ref().map(|model| &model.identity))
    }

    /// Whether that is the bundled model, for which the program's lessons are written; while there is none, it may come.
    pub fn has_bundled(&self) -> bool {
        self.shown_model().is_none_or(|model| model.card.id == ModelSource::BUNDLED)
    }

    /// The model as it was when the shown step was made.
    pub fn step_model(&self) -> Option<&Arc<ModelIdentity>> {
        let before = self
            .current_run()
            .zip(self.current_key())
            .and_then(|(run, key)| run.formats.iter().find(|(last, _)| key.pass <= *last).map(|(_, model)| model));
        before.or_else(|| self.shown_model())
    }

    /// The run goes on with the same weights as they are loaded now, perhaps on another device or in another format.
    pub(in crate::app) fn goes_on_with_loaded(&mut self) {
        if let (Some(run), Some(loaded)) = (&mut self.run, &self.model.loaded)
            && run.model.sha256 == loaded.sha256
            && *run.model.card != *loaded.card
        {
            let before = std::mem::replace(&mut run.model, Arc::clone(&loaded.identity));
            run.formats.push((PassId(self.last_pass), before));
        }
    }

    /// Whether the model of the generation that is shown is loaded, so that it can go on.
    pub fn can_go_on(&self) -> bool {
        let loaded = self.model.loaded.as_ref().filter(|_| !self.engine_dead);
        loaded.is_some_and(|model| self.current_run().is_none_or(|run| run.model.sha256 == model.sha256))
    }

    /// The same; where not, a notice says which model is needed.
    pub(in crate::app) fn must_go_on(&mut self) -> bool {
        let can = self.can_go_on();
        if !can {
            let name = self.shown_model().map_or_else(String::new, |model| model.card.id.clone());
            self.notice = Some(Notice::OtherModel(name));
        }
        can
    }
}
