//! The composition root: drains the engine's news, draws the panels, performs the effects.
//!
//! The only place where the window meets threads. It never waits: every channel is asked with `try_…`.

use super::panels;
use super::{keys, theme};
use crate::app::{self, Action, AppState, Effect, ThemeChoice};
use crate::engine::{Command, EngineGone, EngineHandle, LoadRequest, ModelSource, PreviewHandle, Question, Waker};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Instant;

/// The application with its window.
pub struct Shell {
    state: AppState,
    engine: EngineHandle,
    preview: PreviewHandle,
    waker: Waker,
    /// Commands and questions that found a full queue; sent first in the next frame.
    pending: VecDeque<Effect>,
    picked: (SyncSender<Option<PathBuf>>, Receiver<Option<PathBuf>>),
    timing: Option<Timing>,
}

/// What `--timing` prints, each once.
struct Timing {
    started: Instant,
    n_frames: usize,
    model_ready: bool,
}

impl Shell {
    /// Starts the engine and the preview thread, and dresses the window.
    pub fn new(ctx: &egui::Context, request: LoadRequest, prompt: Option<String>) -> std::io::Result<Self> {
        theme::install(ctx);
        let waker = waker(ctx);
        let mut state = AppState::new(request.clone());
        if let Some(prompt) = prompt {
            state.prompt.text = prompt;
        }
        Ok(Self {
            state,
            engine: EngineHandle::spawn(request, std::sync::Arc::clone(&waker))?,
            preview: PreviewHandle::spawn(std::sync::Arc::clone(&waker))?,
            waker,
            pending: VecDeque::new(),
            picked: sync_channel(1),
            timing: None,
        })
    }

    /// Prints to standard error how long after `started` the first frame was painted and the model was ready.
    pub fn timed_from(self, started: Option<Instant>) -> Self {
        Self { timing: started.map(|started| Timing { started, n_frames: 0, model_ready: false }), ..self }
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
        let mut effects: Vec<Effect> = self.pending.drain(..).collect();
        while !self.state.engine_dead {
            match self.engine.try_recv() {
                Ok(Some(event)) => effects.extend(app::receive(&mut self.state, event)),
                Ok(None) => break,
                Err(EngineGone) => app::engine_gone(&mut self.state),
            }
        }
        while let Some(answer) = self.preview.try_recv() {
            app::receive_answer(&mut self.state, answer);
        }
        if let Ok(Some(folder)) = self.picked.1.try_recv() {
            effects.extend(app::update(&mut self.state, Action::LoadModel(ModelSource::Folder(folder))));
        }
        self.perform(effects);
    }

    /// Draws everything and carries out what the user did.
    pub fn draw(&mut self, ui: &mut egui::Ui) {
        let mut actions = Vec::new();
        let ctx = ui.ctx().clone();
        if !self.state.view.help && !self.state.view.model_dialog {
            keys::pressed(&ctx, &self.state, &mut actions);
        } else if ctx.input(|input| input.key_pressed(egui::Key::Questionmark)) && self.state.view.help {
            actions.push(Action::ToggleHelp);
        }
        dropped_folder(&ctx, &mut actions);
        super::layout::layout_ui(ui, &self.state, &mut actions);
        panels::help_window_ui(&ctx, &self.state, &mut actions);
        panels::model_window_ui(&ctx, &self.state, &mut actions);
        for action in actions {
            self.act(&ctx, action);
        }
    }

    /// Carries out one action, as if the user had done it.
    pub fn act(&mut self, ctx: &egui::Context, action: Action) {
        if let Action::SetTheme(choice) = action {
            set_theme(ctx, choice);
        }
        let effects = app::update(&mut self.state, action);
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
                Effect::PickFolder => self.pick_folder(),
                Effect::SpawnEngine(request) => self.spawn_engine(request),
            }
        }
        if !self.pending.is_empty() {
            (self.waker)();
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

    fn ask(&mut self, question: Question) {
        if let Err(question) = self.preview.try_ask(question) {
            self.pending.push_back(Effect::Ask(question));
        }
    }

    fn spawn_engine(&mut self, request: LoadRequest) {
        self.pending.clear();
        match EngineHandle::spawn(request, std::sync::Arc::clone(&self.waker)) {
            Ok(engine) => self.engine = engine,
            Err(error) => {
                self.state.engine_dead = true;
                self.state.notice = Some(format!("no thread could be started for the engine: {error}"));
            }
        }
    }

    /// The system's dialog waits for the user, so it waits on a thread of its own.
    fn pick_folder(&mut self) {
        let sender = self.picked.0.clone();
        let waker = std::sync::Arc::clone(&self.waker);
        let dialog = move || {
            let folder = rfd::FileDialog::new().set_title("Choose a model folder").pick_folder();
            let _gone = sender.send(folder);
            waker();
        };
        if let Err(error) = std::thread::Builder::new().name("dialog".to_owned()).spawn(dialog) {
            self.state.notice = Some(format!("the dialog could not be opened: {error}; drop the folder on the window"));
        }
    }
}

impl eframe::App for Shell {
    fn logic(&mut self, _ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.drain();
        let model_ready = self.state.model.loaded.is_some();
        if let Some(timing) = &mut self.timing {
            let ms = timing.started.elapsed().as_secs_f64() * 1e3;
            if timing.n_frames == 1 {
                eprintln!("first frame painted after {ms:.0} ms");
            }
            if model_ready && !std::mem::replace(&mut timing.model_ready, model_ready) {
                eprintln!("model ready after {ms:.0} ms, seen by the window");
            }
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.draw(ui);
        if let Some(timing) = &mut self.timing {
            timing.n_frames += 1;
            if timing.n_frames == 1 {
                // The next call of `logic` comes once this frame is on the screen.
                (self.waker)();
            }
        }
    }
}

fn waker(ctx: &egui::Context) -> Waker {
    let ctx = ctx.clone();
    #[expect(clippy::disallowed_methods, reason = "this is the place that decides when to repaint")]
    std::sync::Arc::new(move || ctx.request_repaint())
}

fn set_theme(ctx: &egui::Context, choice: ThemeChoice) {
    ctx.set_theme(match choice {
        ThemeChoice::System => egui::ThemePreference::System,
        ThemeChoice::Dark => egui::ThemePreference::Dark,
        ThemeChoice::Light => egui::ThemePreference::Light,
    });
}

/// A folder that was dropped on the window, or the folder of a file that was.
fn dropped_folder(ctx: &egui::Context, out: &mut Vec<Action>) {
    let dropped = ctx.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_path_buf()));
    if let Some(path) = dropped {
        let is_file = path.extension().is_some_and(|extension| extension == "json" || extension == "safetensors");
        let folder = if is_file { path.parent().map(std::path::Path::to_path_buf).unwrap_or(path) } else { path };
        out.push(Action::LoadModel(ModelSource::Folder(folder)));
    }
}
