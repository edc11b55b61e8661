//! Things that several panels draw. Each gives itself an accessible name.

mod check;
mod chip;
mod explain;
mod flow;
mod gate;
mod segmented;

pub use check::check_ui;
pub use chip::{Chip, drawable, fitting, taken_mark};
pub use explain::{Explain, asked, name_ui, painted_term_ui};
pub use flow::Flow;
pub use gate::gate_ui;
pub use segmented::{segmented, segmented_with};
