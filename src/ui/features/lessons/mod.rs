//! The lessons: the list, the one that is taken, and the glossary.

mod glossary;
mod panel;
mod scene;

pub use glossary::glossary_window_ui;
pub use panel::lesson_panel_ui;
pub use scene::quiz_question_ui;
