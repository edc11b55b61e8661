//! The settings that the next token is drawn with.

mod view;

pub(crate) use view::SamplersView;
