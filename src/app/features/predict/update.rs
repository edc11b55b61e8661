//! What each action means for the forecast.

use super::{MOST_WORDS, Prediction, PredictionAction, SAID_RANGE, Voted};

impl Prediction {
    /// Carries out what is done about the next token; in a scene of a lesson that asks for it, or not.
    pub(in crate::app) fn update(&mut self, action: PredictionAction, in_scene: bool) {
        let open = self.given_at.is_none();
        match action {
            PredictionAction::Ask(asked) => {
                // What is said in a scene of a lesson belongs to it.
                if !in_scene {
                    self.clear();
                }
                self.asked = asked;
            }
            PredictionAction::SetClass(class) if open => self.class = class,
            PredictionAction::Type(word) if open => self.word = word,
            PredictionAction::SetPercent(percent) if open => {
                self.percent = percent.clamp(*SAID_RANGE.start(), *SAID_RANGE.end());
            }
            PredictionAction::TypeRow(row, word) if open => {
                if let Some(voted) = self.poll.get_mut(row) {
                    voted.word = word;
                }
            }
            PredictionAction::Vote(row, more) if open => {
                if let Some(voted) = self.poll.get_mut(row) {
                    voted.votes = voted.votes.saturating_add_signed(more).min(999);
                }
            }
            PredictionAction::AddRow if open && self.poll.len() < MOST_WORDS => {
                self.poll.push(Voted::default());
            }
            PredictionAction::Clear => self.clear(),
            // What is given is given; giving it makes a token, which is up to the run.
            _ => {}
        }
    }
}
