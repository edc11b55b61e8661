//! What a room sees and what the teacher's notes say, as they are drawn.

use crate::app::AppState;
use crate::app::lesson::{Lock, Taking, Values, lock};
use crate::app::presenter::{self, Asking, Beat, Presenter, Shown};
use crate::message::Message;

/// A presentation.
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
    pub fn of(state: &'a AppState, values: Values<'a>) -> Option<Self> {
        let shown = presenter::shown(state);
        Some(Self {
            presenter: state.presenter.as_ref()?,
            shown,
            lock: shown.control().map(|control| lock(state, control)),
            things: Shown::ALL.into_iter().filter(|thing| presenter::is_there(state, *thing)).collect(),
            taking: state.lessons.taking.as_ref(),
            beat: presenter::beat(state),
            next_beat: presenter::next_beat(state),
            asking: presenter::asking(state),
            question: presenter::polled(state),
            is_given: state.prediction.given_at.is_some(),
            is_asked: state.prediction.asked,
            prompt: &state.prompt.text,
            values,
        })
    }
}
