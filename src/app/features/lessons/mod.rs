//! Lessons: what they are, how they are read, what they look at, and how one is taken.
//!
//! A lesson is data. It can do only what a user can do, and it looks only at what is on the screen.

mod action;
mod check;
mod directive;
mod glossary;
mod library;
mod names;
mod parse;
mod state;
mod taking;
#[cfg(test)]
mod tests;
mod update;
mod values;
mod view;

pub use action::LessonAction;
pub(crate) use check::Check;
pub use directive::Directive;
pub(in crate::app) use directive::settings;
pub(crate) use glossary::{Glossary, Term};
pub(crate) use library::files;
pub use library::{glossary, lessons};
pub use names::ANCHORS;
pub(crate) use names::is_anchor;
pub(in crate::app) use names::{head, part, stage};
pub use parse::parse;
pub(crate) use parse::{Problem, links};
pub(crate) use state::LessonState;
pub use taking::Taking;
pub(in crate::app) use update::update;
pub(crate) use values::Value;
pub(crate) use values::Values;
pub(crate) use view::LessonsView;

use crate::app::core::Control;
use crate::message::Language;
use serde::Deserialize;
use std::sync::Arc;

/// One lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Its name among its like.
    pub id: String,
    /// A question.
    pub title: String,
    /// How long it takes.
    pub minutes: u32,
    /// Lessons that should come before.
    pub needs: Vec<String>,
    /// What to read or watch.
    pub sources: Vec<String>,
    /// What is there and cannot be used while it is taken.
    pub lock: Vec<Control>,
    /// What is not there while it is taken.
    pub hide: Vec<Control>,
    /// Its scenes; never empty.
    pub scenes: Vec<Scene>,
}

/// One scene: a text, what it sets up, and what the learner does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Its name within the lesson.
    pub id: String,
    /// The text, in Markdown.
    pub text: String,
    /// Notes for the teacher, in Markdown; empty where there are none.
    pub teacher: String,
    /// Carried out when it begins.
    pub setup: Vec<Directive>,
    /// What is lit up.
    pub point: Vec<String>,
    /// The question about the next token.
    pub predict: Option<String>,
    /// What is to be done.
    pub check: Option<Check>,
    /// Shown one after the other.
    pub hints: Vec<String>,
    /// What fulfils the check.
    pub solution: Vec<Directive>,
    /// Questions.
    pub quiz: Vec<QuizQuestion>,
}

/// A question with its answers.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct QuizQuestion {
    /// What is asked.
    pub question: String,
    /// What can be answered.
    pub answers: Vec<QuizAnswer>,
}

/// One answer.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct QuizAnswer {
    /// The answer.
    pub text: String,
    /// Whether it is the right one.
    #[serde(default)]
    pub right: bool,
    /// Why it is wrong.
    #[serde(default)]
    pub why: String,
}

impl Lesson {
    /// The program's lesson of this id.
    pub fn find(id: &str, language: Language) -> Option<Arc<Self>> {
        lessons(language).iter().find(|lesson| lesson.id == id).map(Arc::clone)
    }

    /// Whether it types this prompt somewhere, and can do so again.
    pub fn sets_up(&self, prompt: &str) -> bool {
        let mut directives = self.scenes.iter().flat_map(|scene| scene.setup.iter().chain(&scene.solution));
        directives.any(|directive| matches!(directive, Directive::Prompt(text) if text == prompt))
    }
}
