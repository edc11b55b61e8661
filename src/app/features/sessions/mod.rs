//! Sessions to files and back, links, exports.

mod view;

pub use view::SessionsView;
