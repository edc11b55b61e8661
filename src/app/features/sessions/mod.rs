//! Sessions to files and back, links, exports.

mod view;

pub(crate) use view::SessionsView;
