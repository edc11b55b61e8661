//! A lesson as it is taken: its scene, what is still to be set up, and what the learner has done.

use super::{Directive, Lesson, Scene};
use crate::engine::RunId;
use std::collections::VecDeque;
use std::sync::Arc;

/// The lesson that is being taken.
#[derive(Clone, Debug)]
pub struct Taking {
    /// The lesson.
    pub lesson: Arc<Lesson>,
    /// Which scene.
    pub scene: usize,
    /// What is still to be set up or shown.
    pub queue: VecDeque<Directive>,
    /// Whether the check of the scene has held.
    pub done: bool,
    /// How many hints are shown.
    pub n_hints: usize,
    /// The last answer to each question of the quiz.
    pub answers: Vec<Option<usize>>,
    /// Whether the scene's question is answered or left out.
    pub predicted: bool,
    /// How many tokens were wanted and there when the last one was asked for, since the directive began.
    pub(in crate::app) tried: Option<(usize, usize)>,
    /// How many tokens there were once the scene was set up.
    pub(in crate::app) n_set_up: Option<usize>,
    /// The run that was stopped for the set-up, until the engine says that it has stopped.
    pub(in crate::app) halting: Option<RunId>,
    /// Whether the learner has been shown what is asked for.
    pub(in crate::app) shown: bool,
}

impl Taking {
    pub(super) fn new(lesson: Arc<Lesson>) -> Self {
        let mut taking = Self {
            lesson,
            scene: 0,
            queue: VecDeque::new(),
            done: false,
            n_hints: 0,
            answers: Vec::new(),
            predicted: false,
            tried: None,
            n_set_up: None,
            halting: None,
            shown: false,
        };
        taking.show(0);
        taking
    }

    /// The scene that is shown.
    pub fn current(&self) -> &Scene {
        &self.lesson.scenes[self.scene]
    }

    pub(super) fn show(&mut self, scene: usize) {
        self.scene = scene.min(self.lesson.scenes.len() - 1);
        let now = &self.lesson.scenes[self.scene];
        self.queue = now.setup.iter().cloned().collect();
        self.done = now.check.is_none();
        self.n_hints = 0;
        self.answers = vec![None; now.quiz.len()];
        self.predicted = now.predict.is_none();
        self.n_set_up = None;
        self.shown = false;
    }

    /// Goes back a scene, to the settings that lead to it. The text is made again where the scene that is left typed a
    /// prompt of its own, and where what the earlier one asks for has come; otherwise what the learner made stays.
    pub(super) fn back(&mut self) {
        let typed = types(self.current());
        self.show(self.scene.saturating_sub(1));
        self.lead_to();
        if !typed && self.current().predict.is_none() {
            let own = self.queue.split_off(self.queue.len() - self.current().setup.len());
            self.queue.retain(|directive| !directive.is_of_the_text());
            self.queue.extend(own);
        }
    }

    /// Sets up again all that leads from the latest prompt to the scene.
    pub(super) fn lead_to(&mut self) {
        let (scenes, at) = (&self.lesson.scenes, self.scene);
        let first = (0..=at).rev().find(|place| types(&scenes[*place])).unwrap_or(at);
        let mut n_made = 0;
        self.queue.clear();
        for scene in &scenes[first..at] {
            self.queue.extend(scene.setup.iter().chain(&scene.solution).cloned());
            n_made = self.queue.iter().rev().find_map(Directive::n_made).unwrap_or(n_made);
            if scene.predict.is_some() && scene.solution.is_empty() {
                // What was asked for came.
                n_made += 1;
                self.queue.push_back(Directive::Make(n_made));
            }
        }
        self.queue.extend(scenes[at].setup.iter().cloned());
    }

    /// Goes on in a lesson that was edited, in the scene of the same id. What is to be done in it begins anew only where
    /// that has changed.
    /// While it is put away nothing is set up, since nobody would see by what.
    pub(super) fn edited(&mut self, lesson: Arc<Lesson>, shown: bool) {
        let before = self.current().clone();
        let place = lesson.scenes.iter().position(|scene| scene.id == before.id);
        self.lesson = lesson;
        self.scene = place.unwrap_or(self.scene).min(self.lesson.scenes.len() - 1);
        let text_only = Scene {
            text: before.text.clone(),
            teacher: before.teacher.clone(),
            point: before.point.clone(),
            ..self.current().clone()
        };
        if text_only != before {
            self.show(self.scene);
            if !shown {
                self.queue.clear();
            }
        }
    }

    /// All that the scene asks for counts as done: whoever presents is held up by no gate of the learners.
    pub(in crate::app) fn pass(&mut self) {
        let quiz = &self.lesson.scenes[self.scene].quiz;
        self.answers = quiz.iter().map(|question| question.answers.iter().position(|answer| answer.right)).collect();
        (self.predicted, self.done) = (true, true);
    }

    /// Whether all that the scene asks for was done.
    pub fn can_go_on(&self) -> bool {
        let right = |(place, answer): (usize, &Option<usize>)| {
            answer.is_some_and(|answer| self.current().quiz[place].answers[answer].right)
        };
        self.queue.is_empty() && self.done && self.predicted && self.answers.iter().enumerate().all(right)
    }

    /// Whether this is the last scene.
    pub fn is_last(&self) -> bool {
        self.scene + 1 == self.lesson.scenes.len()
    }
}

/// Whether a scene sets a prompt up.
fn types(scene: &Scene) -> bool {
    scene.setup.iter().any(|directive| matches!(directive, Directive::Prompt(_)))
}
