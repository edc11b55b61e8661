//! The wish of the system or of a terminal that the program ends, as a Unix signal: SIGTERM, SIGHUP or SIGINT.
//!
//! What the program was started to ignore it goes on to ignore, as `nohup` and shells in the background want it; where
//! `/proc` does not say what that is, as on macOS, it ends. Windows has no such signals.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// Calls this on a thread of its own, once, with the number of the signal. A SIGINT after that ends the program at once;
/// of the others a terminal that is closed sends several.
///
/// Where it cannot be arranged, signals go on to end the program at once.
#[cfg(unix)]
pub fn on_end(told: impl FnOnce(i32) + Send + 'static) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    // On the thread, so that no signal is caught that nobody would hear of.
    let listen = move || {
        let ignored = ignored();
        let heeded = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| (ignored >> (signal - 1)) & 1 == 0);
        let Ok(mut signals) = Signals::new(heeded) else { return };
        let mut signals = signals.forever();
        if let Some(first) = signals.next() {
            told(first);
        }
        if let Some(again) = signals.find(|signal| *signal == SIGINT) {
            let _it_ends = signal_hook::low_level::emulate_default_handler(again);
        }
    };
    let _no_thread = std::thread::Builder::new().name("signals".to_owned()).spawn(listen);
}

/// There is nothing to listen to.
#[cfg(not(unix))]
pub fn on_end(_told: impl FnOnce(i32) + Send + 'static) {}

/// The signals that the program was started to ignore, each by its bit.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = crate::files::read_text(std::path::Path::new("/proc/self/status"), 1 << 16).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Whether the program is to end, for what looks now and then.
#[derive(Clone, Debug, Default)]
pub struct Ending(Arc<AtomicI32>);

impl Ending {
    /// Listens from now on.
    pub fn awaited() -> Self {
        let ending = Self::default();
        let signal = Arc::clone(&ending.0);
        on_end(move |number| signal.store(number, Ordering::Relaxed));
        ending
    }

    /// The number of the signal, once there was one.
    pub fn signal(&self) -> Option<i32> {
        Some(self.0.load(Ordering::Relaxed)).filter(|number| *number != 0)
    }
}
