//! Presenting to a room.

mod view;

pub(crate) use view::PresentView;
