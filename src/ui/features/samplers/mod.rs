//! The sampler chain: its stages, what each did to the shown step, the seed and the limit.

mod panel;
mod stage_details;
mod stage_row;

pub use panel::sampler_panel_ui;
