//! egui draws the application: each feature draws its view; [`layout`] puts them together.
//!
//! Panels compute no probability; what they show stands in the records. Colours are in [`theme`], number formats in
//! [`format`], keys in [`keys`], and [`shell`] alone touches threads and the clock.

pub mod anchors;
mod edits;
mod features;
pub mod format;
mod html;
pub mod keys;
mod layout;
mod pictures;
pub mod shell;
mod speech;
mod theme;
mod widgets;
