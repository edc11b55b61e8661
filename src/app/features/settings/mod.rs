//! What is kept from start to start.

mod view;

pub(crate) use view::SettingsView;
