//! One panel per file: a borrowed view in, actions out.

mod beams;
mod bottom;
mod branches;
mod calculator;
mod candidate_list;
mod charts;
mod compare;
mod dialogs;
mod distribution;
mod draw_strip;
mod draws;
mod inspector;
mod kv_cache;
mod lesson;
mod rollouts;
mod sampler;
mod session;
mod stage_cards;
mod stage_details;
mod stage_row;
mod text;
mod text_numbers;
mod timing;
mod top;

pub use bottom::bottom_panel_ui;
pub use calculator::calculator_window_ui;
pub use dialogs::{help_window_ui, model_window_ui, notice_ui};
pub use distribution::distribution_panel_ui;
pub use inspector::inspector_panel_ui;
pub use lesson::{glossary_window_ui, lesson_panel_ui};
pub use session::session_window_ui;
pub use text::text_panel_ui;
pub use top::top_panel_ui;
