//! The text that the next generation begins with.

mod view;

pub use view::PromptView;
