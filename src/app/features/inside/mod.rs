//! What happens inside: how text becomes tokens, and what is known of the passes.

mod merges;
mod view;

pub use merges::{MergeRow, MergeRule, MergesView};
pub(crate) use view::InsideView;
