//! How long a start takes, told on standard error.

use std::time::Instant;

/// What `--timing` prints, each once.
pub(super) struct StartTiming {
    started: Instant,
    n_frames: usize,
    model_ready: bool,
}

impl StartTiming {
    pub(super) fn since(started: Instant) -> Self {
        Self { started, n_frames: 0, model_ready: false }
    }

    /// Before a frame is drawn.
    pub(super) fn begin_frame(&mut self, model_ready: bool) {
        let ms = self.started.elapsed().as_secs_f64() * 1e3;
        if self.n_frames == 1 {
            eprintln!("first frame painted after {ms:.0} ms");
        }
        if model_ready && !std::mem::replace(&mut self.model_ready, model_ready) {
            eprintln!("model ready after {ms:.0} ms, seen by the window");
        }
    }

    /// After it; whether another one is wanted, which comes once this one is on the screen.
    pub(super) fn end_frame(&mut self) -> bool {
        self.n_frames += 1;
        self.n_frames == 1
    }
}
