//! Presenting to a room: one thing at a time, large; and the teacher's notes in a window of their own.

mod bars;
mod keys;
mod notes;
mod page;

pub use bars::{blank_ui, foot_ui, title_ui};
pub use keys::pressed;
pub use notes::notes_window_ui;
pub use page::{no_page, paged_ui};
