//! Drives the engine in a line, for tests: every command, token and load when the test says so, with toys for models.

use crate::engine::LoadFailure;
use crate::engine::core::{Driver, Engine};
use crate::engine::load::{Loaded, load};
use crate::engine::protocol::{Command, Event, LoadProgress, LoadRequest, LoadedModel, ModelSource};
use crate::engine::{LoadError, identity};
use crate::model::{LanguageModel as _, ToyConfig, ToyModel};
use crate::sampling::TokenTrie;
use crate::trace::ModelIdentity;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// An engine, and what has come of it.
pub(crate) struct Inline {
    pub(crate) engine: Engine,
    pub(crate) driver: Desk,
    /// News that nobody has taken yet.
    pub(crate) events: VecDeque<Event>,
    started: Instant,
}

/// What the engine asks for.
pub(crate) struct Desk {
    pub(crate) wanted: u64,
    /// How often the engine may still ask whether work is wanted: then it is not.
    pub(crate) patience: Cell<usize>,
    load: Option<LoadRequest>,
    told: RefCell<Vec<Event>>,
}

impl Driver for Desk {
    fn wants(&self, number: u64) -> bool {
        let patience = self.patience.get();
        self.patience.set(patience.saturating_sub(1));
        patience > 0 && self.wanted == number
    }

    fn tell(&self, progress: Event) {
        self.told.borrow_mut().push(progress);
    }

    fn load(&mut self, request: Option<LoadRequest>) {
        let progress = request.as_ref().map(|_| Event::LoadProgress(LoadProgress::default()));
        self.told.borrow_mut().extend(progress);
        self.load = request;
    }
}

impl Inline {
    /// One that is to load this model first.
    pub(crate) fn starting(first: LoadRequest) -> Self {
        let mut driver =
            Desk { wanted: 0, patience: Cell::new(usize::MAX), load: None, told: RefCell::new(Vec::new()) };
        driver.load(Some(first));
        Self { engine: Engine::new(Instant::now), driver, events: VecDeque::new(), started: Instant::now() }
    }

    /// Hands a command over, as the window's end of the thread does.
    pub(crate) fn send(&mut self, command: Command) {
        self.driver.wanted = command.goes_on_with().unwrap_or(self.driver.wanted);
        self.engine.send(command);
    }

    /// Obeys until there is news, and makes no token that was not asked for by itself; else ends a load under way.
    /// Whether there was anything to do.
    pub(crate) fn obey(&mut self) -> bool {
        self.poll(self.started) || self.end_load()
    }

    /// The same, but makes the next token of a run that goes on by itself, however slow its pace.
    pub(crate) fn work(&mut self) -> bool {
        self.poll(Instant::now() + Duration::from_hours(1)) || self.end_load()
    }

    fn poll(&mut self, now: Instant) -> bool {
        let n_before = self.events.len();
        let event = self.engine.poll(now, &mut self.driver);
        self.events.extend(self.driver.told.take());
        self.events.extend(event);
        self.events.len() > n_before
    }

    fn end_load(&mut self) -> bool {
        let request = self.driver.load.take();
        request.is_some_and(|request| {
            self.engine.hand_over(toy(request).map(Box::new));
            true
        })
    }
}

/// What all toys share: the bundled tokenizer.
static TOY: LazyLock<(LoadedModel, Arc<TokenTrie>)> = LazyLock::new(|| {
    let source = ModelSource::Toy(ToyConfig { vocab_size: 4096, ..ToyConfig::default() });
    let loaded = load(&LoadRequest { source, ..LoadRequest::default() }, &mut |_| ControlFlow::Continue(())).unwrap();
    (loaded.public, loaded.trie)
});

/// A toy as [`load`] gives it, without reading its tokenizer each time; any other model fails.
pub(crate) fn toy(request: LoadRequest) -> Result<Loaded, LoadFailure> {
    let ModelSource::Toy(config) = &request.source else {
        return Err(LoadError::NotAFolder { path: "no/such/folder".into() }.into());
    };
    let (public, trie) = &*TOY;
    let model = ToyModel::new(config.clone());
    let card = Arc::new(model.card().clone());
    let sha256 = identity::hash_text(&format!("{config:?}"));
    let identity = Arc::new(ModelIdentity { card, sha256, ..ModelIdentity::clone(&public.identity) });
    let public = LoadedModel { request, identity, ..public.clone() };
    Ok(Loaded { public, model: Box::new(model), trie: Arc::clone(trie) })
}
