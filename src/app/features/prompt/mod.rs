//! The text that the next generation begins with.

mod view;

pub(crate) use view::PromptView;
