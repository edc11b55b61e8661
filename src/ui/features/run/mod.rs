//! The run: its text, the shown step, the loop and the transport, the times and the KV cache.

mod candidate_list;
mod charts;
mod draw_strip;
mod kv_cache;
mod kv_strip;
mod softmax;
mod step;
mod text;
mod text_header;
mod text_numbers;
mod time_strip;
mod timeline;
mod timing;
mod transport;

pub use draw_strip::{HEIGHT as DRAW_HEIGHT, draw_strip_ui};
pub use kv_cache::kv_cache_panel_ui;
pub use step::{candidates_ui, hero_ui, scale_and_search_ui, title_ui};
pub use text::text_panel_ui;
pub use text_numbers::text_numbers_panel_ui;
pub use timeline::timeline_ui;
pub use timing::timing_panel_ui;
pub use transport::{loop_ui, transport_ui};
