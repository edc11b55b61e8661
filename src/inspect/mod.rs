//! What can be measured and worked out on the records of a pass: pure maths, without a model.

mod heads;
mod patterns;
mod worked;

pub use heads::HeadMeasure;
pub(crate) use heads::{HeadTable, THUMBNAIL, measure, measure_row};
pub use patterns::HeadChoice;
pub(crate) use patterns::{pattern, pattern_row, pooled, readers};
pub(crate) use worked::{length, norm, score, seen, softmax_row, weighted_sum};
