//! Work on the model besides the run: each job takes all of one poll, and leaves the run as it was.

use super::{Driver, Engine, Event, JobId, RunError, RunId, TokenPath};
use crate::engine::intervention::Intervention;
use crate::engine::jobs::{InsideAnswer, InsideQuestion, RollOut, SearchBeams, answer_inside, roll_out, search_beams};
use crate::model::{KvCache, LanguageModel, ModelError};
use crate::sampling::{Guide, SamplerSettings, TokenTrie};
use crate::trace::{BeamSearch, Rollouts, TokenId};
use std::sync::Arc;
use std::time::Duration;

/// The least time between two pieces of news of one job.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(30);

/// What a job works with besides the model.
struct Tools<'a> {
    /// Holds a part of the text.
    cache: KvCache,
    eos_ids: Vec<TokenId>,
    trie: Arc<TokenTrie>,
    cancelled: &'a dyn Fn() -> bool,
    /// Is given a way to make news, and tells some of it.
    progress: &'a mut dyn FnMut(&dyn Fn() -> Event),
}

impl Engine {
    pub(super) fn roll_out(
        &mut self,
        job: JobId,
        path: TokenPath,
        (n, len): (usize, usize),
        settings: SamplerSettings,
        driver: &dyn Driver,
    ) {
        self.work(job, &path.clone(), driver, |model, Tools { cache, eos_ids, trie, cancelled, progress }| {
            let request = RollOut { path, n, len, settings, eos_ids };
            let mut on_progress = |tree: &Rollouts| progress(&|| Event::Rollouts(job, Arc::new(tree.clone())));
            let tree = roll_out(model, cache, request, Guide::new(trie), cancelled, &mut on_progress)?;
            Ok(Event::Rollouts(job, Arc::new(tree)))
        });
    }

    pub(super) fn search_beams(
        &mut self,
        job: JobId,
        path: TokenPath,
        (width, length_penalty, len): (usize, f64, usize),
        driver: &dyn Driver,
    ) {
        self.work(job, &path.clone(), driver, |model, Tools { cache, eos_ids, cancelled, progress, .. }| {
            let request = SearchBeams { path, width, length_penalty, len, eos_ids };
            let mut on_progress = |search: &BeamSearch| progress(&|| Event::Beams(job, Arc::new(search.clone())));
            let search = search_beams(model, cache, &request, cancelled, &mut on_progress)?;
            Ok(Event::Beams(job, Arc::new(search)))
        });
    }

    /// Is wanted as long as its job is, or the run that it stands beside.
    pub(super) fn look_inside(
        &mut self,
        job: JobId,
        question: InsideQuestion,
        beside: Option<RunId>,
        driver: &dyn Driver,
    ) {
        let number = beside.map_or(job.0, |run| run.0);
        let cancelled = || !driver.wants(number);
        self.work(job, &TokenPath::default(), driver, |model, Tools { progress, .. }| {
            let mut so_far = |answer: &dyn Fn() -> InsideAnswer| progress(&|| Event::Inside(job, answer()));
            Ok(Event::Inside(job, answer_inside(model, question, &cancelled, &mut so_far)?))
        });
    }

    /// Does a job on this text.
    fn work(
        &mut self,
        job: JobId,
        path: &TokenPath,
        driver: &dyn Driver,
        work: impl FnOnce(&dyn LanguageModel, Tools<'_>) -> Result<Event, RunError>,
    ) {
        let error = match self.result_of(job, path, driver, work) {
            Ok(event) => {
                self.outbox.push_back(event);
                None
            }
            Err(RunError::Model(ModelError::Cancelled)) => None,
            Err(error) => Some(Arc::new(error)),
        };
        self.outbox.push_back(Event::JobEnded(job, error));
    }

    /// The job is given a copy of the run's KV cache, cut back to what means the same to its text; and an empty one where
    /// it has to find a mean over its tokens.
    fn result_of(
        &self,
        job: JobId,
        path: &TokenPath,
        driver: &dyn Driver,
        work: impl FnOnce(&dyn LanguageModel, Tools<'_>) -> Result<Event, RunError>,
    ) -> Result<Event, RunError> {
        let loaded = self.loaded.as_ref().ok_or(RunError::NoModel)?;
        let cache = match &self.run {
            Some(run) if Intervention::new(Arc::clone(&path.edits)).n_mean() == 0 => {
                run.session.shared_with(&path.history, &path.edits)
            }
            _ => loaded.model.new_cache()?,
        };
        let cancelled = || !driver.wants(job.0);
        let (clock, mut last) = (self.clock, (self.clock)());
        let mut progress = |event: &dyn Fn() -> Event| {
            if clock() - last > PROGRESS_INTERVAL {
                last = clock();
                driver.tell(event());
            }
        };
        let (eos_ids, trie) = (loaded.public.eos_ids.clone(), Arc::clone(&loaded.trie));
        work(&*loaded.model, Tools { cache, eos_ids, trie, cancelled: &cancelled, progress: &mut progress })
    }
}
