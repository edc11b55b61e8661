//! The lessons that there are, the one that is being taken, and what becomes of both when a file, the model or the
//! language changes.

use super::{Lesson, Problem, Taking, glossary, lessons, parse};
use crate::app::core::{Core, Notice};
use crate::engine::RunId;
use crate::message::{Language, Message, msg};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All that belongs to lessons.
#[derive(Clone, Debug, Default)]
pub struct LessonState {
    /// Whether the lessons are shown beside the panels.
    pub open: bool,
    /// The lesson that is being taken; with none, the list is shown.
    pub taking: Option<Taking>,
    /// The ids of those that were finished.
    pub finished: Vec<String>,
    /// The lesson that the window was opened with, from a file.
    pub own: Vec<Arc<Lesson>>,
    /// The lessons of the folder that the user chose: each file with its lesson, or with what is wrong with it.
    pub shelf: Vec<(PathBuf, Result<Arc<Lesson>, Message>)>,
    /// The language of the program's lessons and of the glossary.
    pub language: Language,
    /// The term that is looked up.
    pub term: Option<String>,
    /// What was pointed at by a click in the text.
    pub pointed: Option<String>,
}

impl LessonState {
    /// The files of the folder that have mistakes, and what they are.
    pub(crate) fn problems(&self) -> impl Iterator<Item = (&Path, &Message)> {
        self.shelf.iter().filter_map(|(path, lesson)| Some((&**path, lesson.as_ref().err()?)))
    }

    /// The lessons that are not the program's own.
    pub fn own_lessons(&self) -> impl Iterator<Item = &Arc<Lesson>> {
        self.own.iter().chain(self.shelf.iter().filter_map(|(_, lesson)| lesson.as_ref().ok()))
    }

    /// The lessons of the list: those from files, and the program's, where no file has one of the same id in its place.
    pub fn listed(&self) -> impl Iterator<Item = &Arc<Lesson>> {
        let in_its_place = |lesson: &Arc<Lesson>| self.own_lessons().any(|own| own.id == lesson.id);
        self.own_lessons().chain(lessons(self.language).iter().filter(move |lesson| !in_its_place(lesson)))
    }

    /// These were finished, here or in another window.
    pub(in crate::app) fn receive_finished(&mut self, lessons: Vec<String>) {
        let more: Vec<_> = lessons.into_iter().filter(|lesson| !self.finished.contains(lesson)).collect();
        self.finished.extend(more);
    }

    /// Another model is there, and what was set up went with the one before. A lesson that was put away is over: it would
    /// set things up unseen.
    pub(in crate::app) fn begin_again(&mut self, shown: bool) {
        self.taking.take_if(|_| !shown);
        if let Some(taking) = &mut self.taking {
            taking.show(taking.scene);
            taking.lead_to();
        }
    }

    /// The engine has stopped this run.
    pub(in crate::app) fn halted(&mut self, run: RunId) {
        if let Some(taking) = &mut self.taking {
            taking.halting.take_if(|halting| *halting == run);
        }
    }

    /// Goes on in another language.
    pub fn translate(&mut self, language: Language) {
        self.language = language;
        let Some(id) = self.taking.as_ref().map(|taking| taking.lesson.id.clone()) else { return };
        let own = self.own_lessons().any(|lesson| lesson.id == id);
        let Some(taking) = self.taking.as_mut().filter(|_| !own) else { return };
        if let Some(lesson) =
            Lesson::find(&taking.lesson.id, language).filter(|lesson| lesson.scenes.len() == taking.lesson.scenes.len())
        {
            // What was done in the scene stays done.
            taking.lesson = lesson;
        }
    }

    /// The files of the folder that the user chose, as they are now.
    pub(in crate::app) fn shelve(&mut self, files: Vec<(PathBuf, Result<String, Message>)>, shown: bool) {
        let language = self.language;
        let read = |text: String| match parse(&text, glossary(language)) {
            (Some(lesson), problems) if problems.is_empty() => Ok(Arc::new(lesson)),
            (_, problems) => Err(problems.first().map_or_else(
                || msg!("wrong-no-lesson"),
                |Problem { line, message }| msg!("wrong-line", line = line, message = message),
            )),
        };
        let shelf: Vec<_> = files.into_iter().map(|(path, text)| (path, text.and_then(read))).collect();
        let before = std::mem::replace(&mut self.shelf, shelf);
        let Some(taking) = &mut self.taking else { return };
        // The one that is being taken stays as it was until its file is right again.
        let is_it =
            |lesson: &Result<Arc<Lesson>, Message>| lesson.as_ref().is_ok_and(|lesson| *lesson == taking.lesson);
        let path = before.iter().find(|(_, lesson)| is_it(lesson)).map(|(path, _)| path);
        // After a mistake in the file it is known by its name alone.
        let own = lessons(language).contains(&taking.lesson);
        let is_named = |lesson: &Result<Arc<Lesson>, Message>| {
            !own && lesson.as_ref().is_ok_and(|lesson| lesson.id == taking.lesson.id)
        };
        let now = self.shelf.iter().find(|(other, lesson)| path.map_or_else(|| is_named(lesson), |path| other == path));
        if let Some(Ok(lesson)) = now.map(|(_, lesson)| lesson)
            && *lesson != taking.lesson
        {
            taking.edited(Arc::clone(lesson), shown);
        }
    }

    /// The file of the lesson that the window was opened with has changed.
    pub(in crate::app) fn edited(&mut self, core: &mut Core, path: PathBuf, text: &str, shown: bool) {
        let (lesson, problems) = parse(text, glossary(self.language));
        if let Some(Problem { line, message: problem }) = problems.into_iter().next() {
            core.notice = Some(Notice::LessonBroken { path, line, problem });
            return;
        }
        let Some(lesson) = lesson.map(Arc::new) else { return };
        // What was wrong with it is mended.
        core.notice.take_if(|notice| matches!(notice, Notice::LessonBroken { path: broken, .. } if *broken == path));
        let own = std::mem::replace(&mut self.own, vec![Arc::clone(&lesson)]);
        if own.first() == Some(&lesson) {
            return;
        }
        if let Some(taking) = self.taking.as_mut().filter(|taking| own.contains(&taking.lesson)) {
            taking.edited(lesson, shown);
        }
        core.report = Some(Notice::LessonEdited(path));
    }
}
