//! Models: which one runs, on what, and what others would need.

mod view;

pub use view::ModelsView;
