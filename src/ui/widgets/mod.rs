//! Things that several panels draw. Each gives itself an accessible name.

mod check;
mod chip;
mod explain;
mod fact;
mod flow;
mod gate;
mod kv_cell;
mod list;
mod markdown;
mod modal;
mod numbers;
mod plot;
mod problems;
mod replay;
mod segmented;

pub use check::check_ui;
pub use chip::{Chip, drawable, fitting, taken_mark};
pub use explain::{Explain, asked, name_ui, painted_term_ui};
pub use fact::fact_ui;
pub use flow::Flow;
pub use gate::gate_ui;
pub use kv_cell::{kv_cell_text, kv_cell_ui};
pub use list::list;
pub use markdown::markdown_ui;
pub use modal::modal_ui;
pub use numbers::{greatest, numbers_ui, signed_legend_ui};
pub use plot::explain_place;
pub use problems::problems_ui;
pub use replay::replay_ui;
pub use segmented::{segmented, segmented_with};
