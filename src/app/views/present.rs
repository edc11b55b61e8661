//! What a room sees and what the teacher's notes say, as they are drawn.

use crate::app::core::Lock;
use crate::app::dispatch::{asking, beat, is_there, next_beat, polled, shown};
use crate::app::features::lessons::{Taking, Values};
use crate::app::features::present::{Asking, Beat, Presenter, Shown};
use crate::app::state::AppState;
use crate::message::Message;
use strum::IntoEnumIterator as _;

#[derive(Clone, Debug)]
pub(crate) struct PresentView<'a> {
    /// Whether the screen is blank, and whether the notes are open.
    pub presenter: &'a Presenter,
    pub shown: Shown,
    /// What the lesson does with it; `None` for what no lesson locks.
    pub lock: Option<Lock>,
    /// What can be put there.
    pub things: Vec<Shown>,
    pub taking: Option<&'a Taking>,
    pub beat: Option<Beat>,
    pub next_beat: Option<Beat>,
    /// How far the room is with its forecast, without a lesson.
    pub asking: Asking,
    /// What the room is asked to predict, while that is on the screen.
    pub question: Option<Message>,
    /// Whether what it said has been given.
    pub is_given: bool,
    /// Whether it is asked before each token.
    pub is_asked: bool,
    /// The prompt, which is the title where there is no lesson.
    pub prompt: &'a str,
    /// What the texts of the lesson say of the run.
    pub values: Values<'a>,
}

impl<'a> PresentView<'a> {
    pub(super) fn of(state: &'a AppState, values: Values<'a>) -> Option<Self> {
        let shown = shown(state);
        Some(Self {
            presenter: state.present.as_ref()?,
            shown,
            lock: shown.control().map(|control| state.lock(control)),
            things: Shown::iter().filter(|thing| is_there(state, *thing)).collect(),
            taking: state.lessons.taking.as_ref(),
            beat: beat(state),
            next_beat: next_beat(state),
            asking: asking(state),
            question: polled(state),
            is_given: state.predict.given_at.is_some(),
            is_asked: state.predict.asked,
            prompt: &state.prompt.text,
            values,
        })
    }
}
