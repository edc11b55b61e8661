//! Work on the model besides a run, each in a file: what is made of a text without going on with it.

mod beams;
mod inside;
mod rollouts;

pub use beams::{SearchBeams, search_beams};
pub use inside::{
    InsideAnswer, InsideQuestion, Patch, answer_inside, attribute, direction, lens, look, most_probable, patch,
};
pub use rollouts::{RollOut, roll_out};
