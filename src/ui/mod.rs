//! egui draws the application: each panel a free function, a borrowed view in, actions out.
//!
//! Panels compute no probability; what they show stands in the records. Colours are in [`theme`], number formats in
//! [`format`], keys in [`keys`], and [`shell`] alone touches threads and the clock.

pub mod anchors;
pub mod format;
mod html;
pub mod keys;
mod layout;
pub mod panels;
mod pictures;
pub mod shell;
mod speech;
pub mod theme;
pub mod widgets;
