//! Presenting to a room.

mod view;

pub use view::PresentView;
