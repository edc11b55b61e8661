//! Inside the model: how the prompt became tokens, and what the pass of the shown step computed.

mod attention;
mod attribution;
mod cache;
mod embeddings;
mod generate_on;
mod heads;
mod heat;
mod interventions;
mod lens;
mod map;
mod merges;
mod patching;
mod presets;
mod room;
mod rows;
mod second_text;
mod second_tokenizer;
mod stations;
mod strip;
mod tokens;

pub(in crate::ui) use merges::merges_ui;
pub(in crate::ui) use room::inside_ui;
pub(in crate::ui) use stations::{stage_card_ui, tokenize_ui};
