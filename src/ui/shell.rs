//! The composition root: drains the engine's news, draws the panels, performs the effects.
//!
//! The only place where the window meets threads. It never waits: every channel is asked with `try_…`.

mod dialogs;
mod timing;

use self::dialogs::{Dialogs, Picked};
use self::timing::StartTiming;
use super::layout::Parts;
use super::pictures::Pictures;
use super::theme::Look;
use super::{anchors, features, html, keys, layout, theme, widgets};
use crate::app::{
    self, Action, AppState, Core, Effect, InsideAction, LessonAction, ModelsAction, Notice, Preferences,
    SamplersAction, ScreenAction, SessionsAction, SettingsAction, TokenizerAction, Views,
};
use crate::engine::{
    Command, EngineGone, EngineHandle, Keep, KeeperHandle, LoadRequest, ModelSource, PreviewHandle, Question,
    TokenizerSource, Waker,
};
use crate::export::Link;
use crate::recording::EXTENSION;
use crate::sampling::SamplerSettings;
use crate::trace::{BranchId, Overflow};
use crate::words::{Language, Speaks, Words, say};
use egui_commonmark::CommonMarkCache;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The application with its window.
pub struct Shell {
    state: AppState,
    engine: EngineHandle,
    preview: PreviewHandle,
    waker: Waker,
    /// Commands and questions that found a full queue; sent first in the next frame.
    pending: VecDeque<Effect>,
    keeper: KeeperHandle,
    /// The session and the state of its branches that the keeper was given last.
    kept: Option<KeptNow>,
    pictures: Pictures,
    parts: Parts,
    /// How the window is dressed, and what the system speaks.
    look: Look,
    system_language: Language,
    /// What the Markdown of lessons was laid out to.
    markdown: CommonMarkCache,
    dialogs: Dialogs,
    timing: Option<StartTiming>,
    /// Whether the window is to close.
    closing: Arc<AtomicBool>,
}

/// Run, revision of its branches, samplers, and the most tokens, what a full window does, and the shown branch and step.
type KeptNow = (u64, u64, SamplerSettings, (usize, Overflow, BranchId, usize));

/// What the window begins with besides a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Opening {
    /// What a link says.
    Link(Box<Link>),
    /// A session file.
    File(PathBuf),
    /// A lesson by its id.
    Lesson(String),
    /// A lesson from a file, which is read again when it changes.
    OwnLesson(Arc<app::Lesson>, PathBuf),
}

impl Speaks for Shell {
    fn words(&self) -> Words {
        Words::of(self.state.settings.language.unwrap_or(self.system_language))
    }
}

impl Shell {
    /// Starts the threads, which speak what this one speaks, and dresses the window.
    pub fn new(ctx: &egui::Context, request: LoadRequest, prompt: Option<String>) -> std::io::Result<Self> {
        let look = Look::default();
        theme::install(ctx);
        look.dress(ctx);
        let waker = waker(ctx);
        let mut state = AppState::new(request.clone());
        if let Some(prompt) = prompt {
            state.prompt.text = prompt;
        }
        Ok(Self {
            state,
            engine: EngineHandle::spawn(request, Arc::clone(&waker))?,
            preview: PreviewHandle::spawn(Arc::clone(&waker))?,
            keeper: KeeperHandle::spawn(None, Arc::clone(&waker))?,
            dialogs: Dialogs::new(Arc::clone(&waker)),
            waker,
            kept: None,
            pictures: Pictures::default(),
            parts: Parts::new(),
            look,
            system_language: Language::English,
            markdown: CommonMarkCache::default(),
            pending: VecDeque::new(),
            timing: None,
            closing: Arc::default(),
        })
    }

    /// Keeps the session under way in this folder, so that it outlives a crash, and offers what is there already.
    pub fn keeping_in(mut self, folder: Option<PathBuf>) -> std::io::Result<Self> {
        self.keeper = KeeperHandle::spawn(folder, Arc::clone(&self.waker))?;
        Ok(self)
    }

    /// Speaks this where the user has chosen no language.
    pub fn speaking(mut self, language: Language) -> Self {
        self.system_language = language;
        self
    }

    /// Begins with this.
    pub fn opening(mut self, opening: Option<Opening>) -> Self {
        let action = match opening {
            Some(Opening::Link(link)) => Action::Sessions(SessionsAction::OpenLink(link)),
            Some(Opening::File(path)) => Action::Sessions(SessionsAction::Open(path)),
            Some(Opening::Lesson(id)) => Action::Lesson(LessonAction::Open(id)),
            Some(Opening::OwnLesson(lesson, path)) => {
                self.pending.push_back(Effect::Keep(Keep::Follow(path)));
                let id = lesson.id.clone();
                self.state.lessons.own.push(lesson);
                Action::Lesson(LessonAction::Open(id))
            }
            None => return self,
        };
        let effects = app::update(&mut self.state, action);
        self.pending.extend(effects);
        self
    }

    /// Prints to standard error how long after `started` the first frame was painted and the model was ready.
    pub fn timed_from(self, started: Option<Instant>) -> Self {
        Self { timing: started.map(StartTiming::since), ..self }
    }

    /// Closes the window from any thread, as if the user had done it.
    pub fn closer(&self) -> impl Fn() + Send + use<> {
        let (closing, waker) = (Arc::clone(&self.closing), Arc::clone(&self.waker));
        move || {
            closing.store(true, Ordering::Relaxed);
            waker();
        }
    }

    /// The state, for tests.
    pub fn state(&self) -> &AppState {
        &self.state
    }

    /// The state, for tests that must draw what no run makes twice, such as times.
    #[doc(hidden)]
    pub fn state_mut(&mut self) -> &mut AppState {
        &mut self.state
    }

    /// Takes in all news that has come.
    pub fn drain(&mut self) {
        let language = self.words().language();
        if self.state.lessons.language != language {
            self.state.lessons.translate(language);
        }
        let mut effects: Vec<Effect> = self.pending.drain(..).collect();
        while !self.state.engine_dead {
            match self.engine.try_recv() {
                Ok(Some(event)) => effects.extend(app::receive(&mut self.state, event)),
                Ok(None) => break,
                Err(EngineGone) => app::engine_gone(&mut self.state),
            }
        }
        while let Some(answer) = self.preview.try_recv() {
            effects.extend(app::receive_answer(&mut self.state, answer));
        }
        while let Some(kept) = self.keeper.try_recv() {
            effects.extend(app::receive_kept(&mut self.state, kept));
        }
        if let Some(picked) = self.dialogs.picked() {
            let action = match picked {
                Picked::Folder(folder) => Action::Models(ModelsAction::Load(ModelSource::Folder(folder))),
                Picked::Lessons(folder) => {
                    let preferences = self.state.settings.clone();
                    Action::Settings(SettingsAction::Prefer(Preferences { lesson_folder: Some(folder), ..preferences }))
                }
                Picked::Tokenizer(path) => {
                    let chosen = TokenizerAction::Use(TokenizerSource::Path(path));
                    Action::Inside(InsideAction::Tokenizer(chosen))
                }
                Picked::Session(path) => Action::Sessions(SessionsAction::Open(path)),
                Picked::Target(what, path) => {
                    // The dialog has asked about a file of this very name.
                    if path.extension().is_some_and(|end| end.eq_ignore_ascii_case(what.extension())) {
                        effects.push(Effect::Keep(Keep::Replace(path.clone())));
                    }
                    Action::Sessions(SessionsAction::Export(what, path))
                }
            };
            effects.extend(app::update(&mut self.state, action));
        }
        self.perform(effects);
        self.autosave();
    }

    /// Gives the keeper what has come since the last time. What the queue has no room for now goes with the next.
    fn autosave(&mut self) {
        // What is no longer on the screen can be had back at once, before anything else is made.
        let serial = self.state.run.as_ref().map(|run| run.serial);
        let is_over = self.kept.as_ref().is_some_and(|(kept, ..)| Some(*kept) != serial);
        if is_over && self.keeper.try_ask(Keep::Over).is_ok() {
            self.kept = None;
        }
        let Some(run) = self.state.current_run() else { return };
        let Core { sampler, max_new_tokens, overflow, cursor, .. } = &self.state.core;
        let set = (*max_new_tokens, *overflow, run.tree.current().id, cursor.step);
        if self.kept.as_ref().is_some_and(|(serial, revision, before, set_before)| {
            (*serial, *revision, before, *set_before) == (run.serial, run.tree.revision(), sampler, set)
        }) {
            return;
        }
        let now = Some((run.serial, run.tree.revision(), sampler.clone(), set));
        // A file that was only looked at is there already, and what a lesson makes it makes again.
        let is_looked_at = self.state.sessions.file.is_some() && run.tree.revision() == 0;
        let is_of_lesson = run.of_lesson && self.state.shown_lesson().is_some();
        let (serial, expendable) = (run.serial, is_looked_at || is_of_lesson);
        let Some(recording) = self.state.recording() else { return };
        let instead_of = self.state.sessions.recovered(serial).cloned();
        let request = Keep::Autosave { serial, expendable, recording: Arc::new(recording), instead_of };
        if self.keeper.try_ask(request).is_ok() {
            self.kept = now;
        }
    }

    /// Draws everything and carries out what the user did.
    pub fn draw(&mut self, ui: &mut egui::Ui) {
        let mut actions = Vec::new();
        let ctx = ui.ctx().clone();
        let look = Look::of(
            &self.state.settings,
            self.state.present.is_some(),
            self.words(),
            ctx.content_rect().size() * ctx.zoom_factor(),
        );
        if look != self.look {
            look.dress(&ctx);
            self.look = look;
        }
        let views = Views::of(&self.state);
        if !views.has_dialog() && views.lessons.state.term.is_none() {
            let taken = views.present.as_ref().map(|_| features::present::pressed(&ctx, &mut actions));
            keys::pressed(&ctx, &views, &taken.unwrap_or_default(), &mut actions);
        } else if ctx.input(|input| input.key_pressed(egui::Key::Questionmark)) && views.help {
            actions.push(Action::Screen(ScreenAction::ToggleHelp));
        }
        dropped_file(&ctx, &mut actions);
        anchors::begin(&ctx);
        self.parts = layout::layout_ui(ui, &views, &mut self.markdown, &mut actions);
        layout::windows_ui(&ctx, &views, &mut self.markdown, &mut actions);
        let term = widgets::asked(&ctx).map(|term| Action::Lesson(LessonAction::LookUp(Some(term))));
        // A field hands over what was typed in the frame of the click elsewhere: it holds for what that click does.
        actions.sort_by_key(|action| {
            !matches!(action, Action::Samplers(SamplersAction::EndDrag | SamplersAction::Set(_)))
        });
        for action in actions.into_iter().chain(term) {
            self.act(&ctx, action);
        }
        let taken = self.pictures.update(&ctx, &self.parts);
        self.perform(taken.into_iter().map(Effect::Keep));
    }

    /// Carries out one action, as if the user had done it.
    pub fn act(&mut self, ctx: &egui::Context, action: Action) {
        let mut effects = app::update(&mut self.state, action);
        // What only a window can do.
        effects.retain(|effect| match effect {
            Effect::Copy(text) => {
                ctx.copy_text(text.clone());
                false
            }
            _ => true,
        });
        self.perform(effects);
    }

    fn perform(&mut self, effects: impl IntoIterator<Item = Effect>) {
        for effect in effects {
            if !self.pending.is_empty() && matches!(effect, Effect::Engine(_)) {
                // Commands keep their order: behind one that waits, the next waits too.
                self.pending.push_back(effect);
                continue;
            }
            match effect {
                Effect::Engine(command) => self.send(command),
                Effect::CancelStep => self.engine.cancel_step(),
                Effect::Ask(question) => self.ask(question),
                Effect::Keep(request) => self.keep(request),
                Effect::TakePicture(part, path) => self.pictures.take(part, path),
                Effect::WriteText(path) => {
                    self.keep(Keep::Text(path, html::text_page(self.words(), &Views::of(&self.state))));
                }
                // Done where there is a window, in `act`.
                Effect::Copy(_) => {}
                Effect::PickTarget(what) => {
                    let title = self.words().render(&what.name());
                    self.dialog(|dialogs| dialogs.pick_target(what, title));
                }
                Effect::PickSession => {
                    let title = say!(self, "dialog-session");
                    self.dialog(|dialogs| dialogs.pick_session(title));
                }
                Effect::PickFolder => {
                    let title = say!(self, "dialog-folder");
                    self.dialog(|dialogs| dialogs.pick_folder(title, Picked::Folder));
                }
                Effect::PickTokenizer { folder: true } => {
                    let title = say!(self, "dialog-tokenizer-folder");
                    self.dialog(|dialogs| dialogs.pick_folder(title, Picked::Tokenizer));
                }
                Effect::PickTokenizer { folder: false } => {
                    let title = say!(self, "dialog-tokenizer");
                    self.dialog(|dialogs| dialogs.pick_tokenizer(title));
                }
                Effect::PickLessons => {
                    let title = say!(self, "dialog-lessons");
                    self.dialog(|dialogs| dialogs.pick_folder(title, Picked::Lessons));
                }
                Effect::SpawnEngine(request) => self.spawn_engine(request),
            }
        }
        if !self.pending.is_empty() {
            (self.waker)();
        }
    }

    fn dialog(&mut self, open: impl FnOnce(&Dialogs) -> std::io::Result<()>) {
        if let Err(error) = open(&self.dialogs) {
            self.state.notice = Some(Notice::NoDialog(error.to_string()));
        }
    }

    fn send(&mut self, command: Command) {
        if self.state.engine_dead {
            return;
        }
        if let Err(command) = self.engine.try_send(command) {
            self.pending.push_back(Effect::Engine(command));
        }
    }

    fn keep(&mut self, request: Keep) {
        if let Err(request) = self.keeper.try_ask(request) {
            self.pending.push_back(Effect::Keep(request));
        }
    }

    fn ask(&mut self, question: Question) {
        if let Err(question) = self.preview.try_ask(question) {
            self.pending.push_back(Effect::Ask(question));
        }
    }

    fn spawn_engine(&mut self, request: LoadRequest) {
        self.pending.clear();
        match EngineHandle::spawn(request, Arc::clone(&self.waker)) {
            Ok(engine) => self.engine = engine,
            Err(error) => {
                self.state.engine_dead = true;
                self.state.notice = Some(Notice::NoThread(error.to_string()));
            }
        }
    }
}

impl eframe::App for Shell {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.drain();
        if self.closing.swap(false, Ordering::Relaxed) {
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
        if let Some(timing) = &mut self.timing {
            timing.begin_frame(self.state.model.loaded.is_some());
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.draw(ui);
        if self.timing.as_mut().is_some_and(StartTiming::end_frame) {
            (self.waker)();
        }
    }
}

fn waker(ctx: &egui::Context) -> Waker {
    let ctx = ctx.clone();
    #[expect(clippy::disallowed_methods, reason = "this is the place that decides when to repaint")]
    Arc::new(move || ctx.request_repaint())
}

/// A session file or a folder that was dropped on the window, or the folder of a file that was.
fn dropped_file(ctx: &egui::Context, out: &mut Vec<Action>) {
    let dropped = ctx.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_path_buf()));
    let Some(path) = dropped else { return };
    if path.extension().is_some_and(|extension| extension == EXTENSION) {
        out.push(SessionsAction::Open(path).into());
        return;
    }
    let is_file = path.extension().is_some_and(|extension| extension == "json" || extension == "safetensors");
    let folder = if is_file { path.parent().map(std::path::Path::to_path_buf).unwrap_or(path) } else { path };
    out.push(ModelsAction::Load(ModelSource::Folder(folder)).into());
}
