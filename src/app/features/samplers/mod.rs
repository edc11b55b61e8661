//! The settings that the next token is drawn with.

mod view;

pub use view::SamplersView;
