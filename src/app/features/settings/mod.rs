//! What is kept from start to start.

mod view;

pub use view::SettingsView;
