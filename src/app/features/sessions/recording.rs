//! What of the generation goes to a file or into a link.

use crate::app::core::Core;
use crate::export::Link;
use crate::recording::Recording;
use std::sync::Arc;

impl Core {
    /// All that is worth keeping of the generation that is shown; `None` before its first step.
    pub fn recording(&self) -> Option<Recording> {
        let run = self.current_run().filter(|run| !run.tree.is_empty())?;
        // What is loaded since has made nothing yet.
        let last = run.tree.last_pass();
        let formats = run.formats.iter().filter(|(until, _)| last.is_some_and(|last| *until < last));
        Some(Recording {
            model: Arc::clone(run.made_by()),
            formats: formats.cloned().collect(),
            prompt: run.prompt.clone(),
            tree: run.tree.clone(),
            settings: self.sampler.clone(),
            max_new_tokens: self.max_new_tokens,
            overflow: self.overflow,
            shown_step: self.cursor.step,
        })
    }

    /// Prompt, settings and seed as one line.
    pub fn link(&self) -> Link {
        Link {
            prompt: self.prompt.text.clone(),
            settings: self.sampler.clone(),
            max_new_tokens: self.max_new_tokens,
            overflow: self.overflow,
            model: self.model.loaded.as_ref().map(|model| model.card.id.clone()),
        }
    }
}
