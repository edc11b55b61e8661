//! Lessons: the list, the one that is taken, the glossary.

mod view;

pub(crate) use view::LessonsView;
