//! The stations before the logits: how text becomes tokens, and what is known of the passes.

mod merges;
mod stations;

pub use merges::merges_ui;
pub use stations::{stage_card_ui, tokenize_ui};
