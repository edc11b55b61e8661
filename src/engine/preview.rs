//! The thread "preview": answers what the window asks while a learner types or drags, latest question wins.
//!
//! Pure code over what is already recorded: no model runs here, and the window never waits for an answer.

mod question;
mod thinker;

pub use question::{
    Answer, Compared, FirstToken, FirstTokens, Many, Placed, Question, Recorded, SearchHits, StepInput, StepKey,
    TextFor, WhatIf,
};
pub use thinker::N_DRAWS;

use super::protocol::Waker;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use thinker::Thinker;

/// The window's end of the thread. Dropping it ends the thread.
#[derive(Debug)]
pub struct PreviewHandle {
    questions: SyncSender<Question>,
    answers: Receiver<Answer>,
}

impl PreviewHandle {
    pub fn spawn(waker: Waker) -> std::io::Result<Self> {
        let (questions, inbox) = sync_channel::<Question>(64);
        let (outbox, answers) = sync_channel(64);
        std::thread::Builder::new().name("preview".to_owned()).spawn(move || {
            let mut thinker = Thinker::default();
            while let Ok(first) = inbox.recv() {
                for question in latest(first, &inbox) {
                    if outbox.send(thinker.answer(question)).is_err() {
                        return;
                    }
                    waker();
                }
            }
        })?;
        Ok(Self { questions, answers })
    }

    /// Asks without waiting; gives the question back where the queue is full.
    #[expect(clippy::result_large_err, reason = "the question goes back to whoever asked")]
    pub fn try_ask(&self, question: Question) -> Result<(), Question> {
        use std::sync::mpsc::TrySendError::{Disconnected, Full};
        self.questions.try_send(question).map_err(|(Full(question) | Disconnected(question))| question)
    }

    /// The next answer, if any.
    pub fn try_recv(&self) -> Option<Answer> {
        self.answers.try_recv().ok()
    }
}

/// Of all the questions that wait, the last of each kind.
fn latest(first: Question, inbox: &Receiver<Question>) -> impl Iterator<Item = Question> {
    let mut slots = [const { None }; 10];
    for question in std::iter::once(first).chain(inbox.try_iter()) {
        let slot = match question {
            Question::Tokenize { .. } => 0,
            Question::WhatIf { .. } => 1,
            Question::Search { .. } => 2,
            Question::Many { .. } => 3,
            Question::Compare { .. } => 4,
            Question::Place { .. } => 5,
            Question::Foretell { .. } => 6,
            Question::Merges { .. } => 7,
            Question::Effect { .. } => 8,
            Question::Texts { .. } => 9,
        };
        slots[slot] = Some(question);
    }
    slots.into_iter().flatten()
}

/// What the thread would answer, for tests without one.
#[cfg(test)]
pub(crate) fn answer(question: Question) -> Answer {
    Thinker::default().answer(question)
}

#[cfg(test)]
mod tests;
