//! Loads the model for a command, and says so on standard error where somebody waits for it.

use super::{in_words, printable, say};
use crate::engine::{LoadFailure, LoadRequest, Loaded, load};
use std::io::{IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A shorter wait needs no words where standard error is no terminal.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often a line on a terminal changes.
const PERIOD: Duration = Duration::from_millis(100);

pub(super) fn load_with_progress(request: &LoadRequest) -> Result<Loaded, LoadFailure> {
    let started = Instant::now();
    let mut line = ProgressLine::new();
    let mut said = String::new();
    let loaded = load(request, &mut |progress| {
        let what = in_words(&progress.what);
        if line.is_shown() {
            let share =
                (progress.done * 100).checked_div(progress.total).map_or_else(String::new, |p| format!(" {p} %"));
            line.show(&format!("{what}{share}"));
        } else if started.elapsed() > PATIENCE && said != what {
            say(&what);
            said = what;
        }
        ControlFlow::Continue(())
    });
    line.clear();
    if let Some(setting) = loaded.as_ref().ok().and_then(|loaded| loaded.public.neglected.as_ref()) {
        say(&in_words(setting));
    }
    loaded
}

/// One line that changes, on a terminal; nothing elsewhere.
pub(super) struct ProgressLine {
    shown: bool,
    width: usize,
    last: Option<Instant>,
}

impl ProgressLine {
    /// A line on standard error, if that is a terminal.
    pub(super) fn new() -> Self {
        Self { shown: std::io::stderr().is_terminal(), width: 0, last: None }
    }

    /// Such a line where standard output is no terminal, for what would show up there by itself.
    pub(super) fn beside_output() -> Self {
        let line = Self::new();
        Self { shown: line.shown && !std::io::stdout().is_terminal(), ..line }
    }

    pub(super) fn is_shown(&self) -> bool {
        self.shown
    }

    /// Replaces the line, if the last time is long enough ago.
    pub(super) fn show(&mut self, text: &str) {
        if self.shown && self.last.is_none_or(|last| last.elapsed() >= PERIOD) {
            self.put(&printable(text));
            self.last = Some(Instant::now());
        }
    }

    pub(super) fn clear(&mut self) {
        if self.width > 0 {
            self.put("");
        }
    }

    fn put(&mut self, text: &str) {
        let mut stderr = std::io::stderr().lock();
        // If nobody listens there is nobody to tell.
        let _unheard = write!(stderr, "\r{:1$}\r{text}", "", self.width).and_then(|()| stderr.flush());
        self.width = text.chars().count();
    }
}
