//! Calls into the `tokenizers` crate, which panics on some damaged files.

use crate::message::{Message, msg};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether this thread is inside [`guarded`], where a panic is an answer and nothing to report.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}
static HOOK: Once = Once::new();

/// What a call gives, or why it failed. A panic inside is told in the same way, and prints nothing.
pub(super) fn guarded<T>(call: impl FnOnce() -> tokenizers::Result<T>) -> Result<T, Message> {
    HOOK.call_once(|| {
        let report = take_hook();
        set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                report(panic);
            }
        }));
    });
    QUIET.set(true);
    let result = catch_unwind(AssertUnwindSafe(call));
    QUIET.set(false);
    match result {
        Ok(result) => result.map_err(Message::verbatim),
        Err(_panic) => Err(msg!("error-tokenizer-fault")),
    }
}
