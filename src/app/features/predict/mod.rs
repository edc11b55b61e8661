//! What a learner or a class says comes next.

mod view;

pub use view::PredictView;
