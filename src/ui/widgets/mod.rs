//! Things that several panels draw. Each gives itself an accessible name.

mod chip;
mod segmented;

pub use chip::{Chip, drawable, taken_mark};
pub use segmented::{segmented, segmented_with};
