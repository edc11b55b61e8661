//! Tokenscope: reads the command line, then opens the window or stays on the terminal.

use std::process::ExitCode;
use std::time::Instant;
use tokenscope::cli::{self, Open, Start};
use tokenscope::engine::LoadRequest;
use tokenscope::recording;
use tokenscope::signals;
use tokenscope::ui::shell::{Opening, Shell};
use tokenscope::words::Language;

fn main() -> ExitCode {
    let started = Instant::now();
    match cli::parse() {
        Ok(Start::Window { request, prompt, open, timing }) => {
            open_window(request, prompt, open, timing.then_some(started))
        }
        Ok(Start::Command(command)) => cli::run(command, started),
        Err(status) => status,
    }
}

/// Shows the window until it is closed. With `started` the first frame and the model's readiness are timed from then.
fn open_window(request: LoadRequest, prompt: Option<String>, open: Option<Open>, started: Option<Instant>) -> ExitCode {
    let opening = open.map(|open| match open {
        Open::Link(link) => Opening::Link(link),
        // The path of a lesson was read by now, or refused.
        Open::File(path) | Open::LessonFile(path) => Opening::File(path),
        Open::Lesson(id) => Opening::Lesson(id),
        Open::OwnLesson(lesson, path) => Opening::OwnLesson(lesson, path),
    });
    let viewport = egui::ViewportBuilder::default()
        .with_title("Tokenscope")
        .with_app_id("tokenscope")
        .with_inner_size([1280.0, 800.0])
        .with_min_inner_size([1000.0, 680.0]);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let create: eframe::AppCreator<'_> = Box::new(move |creation| {
        let language = sys_locale::get_locale().as_deref().map(Language::of_locale).unwrap_or_default();
        let shell = Shell::new(&creation.egui_ctx, request, prompt)?.speaking(language);
        let shell = shell.keeping_in(recording::autosave_folder())?.opening(opening);
        let close = shell.closer();
        signals::on_end(move |_signal| close());
        Ok(Box::new(shell.timed_from(started)))
    });
    match eframe::run_native("tokenscope", options, create) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let text = error.to_string();
            // winit puts the place in its own source first and the reason behind the last colon.
            let reason = text.rsplit_once(".rs:").map_or(&*text, |(_place, reason)| reason);
            let reason = reason.split_once(": ").map_or(reason, |(_line, reason)| reason).trim_end_matches('.');
            cli::fail(&format!(
                "no window could be opened ({reason}): check the display and the graphics driver, or use `tokenscope trace`, which needs neither"
            ))
        }
    }
}
