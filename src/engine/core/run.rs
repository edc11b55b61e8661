//! A generation under way: what it does, and the next token of it.

use crate::engine::protocol::{Activity, Event, Pace, RunId};
use crate::engine::session::{Clock, Session};
use crate::engine::{HEAD_LEN, RunError};
use crate::model::{LanguageModel, ModelError};
use crate::sampling::{Detail, SamplerSettings};
use crate::trace::{StepRecord, TokenId};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) struct Run {
    pub(super) id: RunId,
    pub(super) session: Session,
    pub(super) doing: Doing,
    /// When the next token is due, where one follows the other.
    pub(super) due: Instant,
}

/// What a run does, with what it needs for it.
#[derive(Default)]
pub(super) enum Doing {
    #[default]
    Rests,
    Steps(SamplerSettings),
    Runs(Pace, SamplerSettings),
    /// With the tokens that are taken next, whatever is drawn.
    Follows(VecDeque<TokenId>, SamplerSettings),
    /// The steps that are made once more.
    Replays(VecDeque<Arc<StepRecord>>),
}

impl Pace {
    /// The least time from the beginning of one token to that of the next.
    pub(super) fn interval(self) -> Duration {
        match self {
            Self::Unlimited => Duration::ZERO,
            Self::TokensPerSecond(rate) => Duration::from_secs_f64(1.0 / rate.clamp(0.01, 1e6)),
        }
    }
}

impl Run {
    pub(super) fn activity(&self) -> Activity {
        match &self.doing {
            Doing::Rests => Activity::Idle,
            Doing::Steps(_) => Activity::Stepping,
            Doing::Runs(..) => Activity::Running,
            Doing::Follows(..) | Doing::Replays(_) => Activity::Following,
        }
    }

    pub(super) fn due(&self) -> Option<Instant> {
        self.activity().goes_on().then_some(self.due)
    }

    /// Makes the next token; a cancelled one makes no event. With the last one, and with one that is cancelled or
    /// fails, it comes to rest.
    pub(super) fn make_token(
        &mut self,
        model: &dyn LanguageModel,
        clock: Clock,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Event>, RunError> {
        let started = clock();
        match self.next_token(model, cancelled) {
            Ok(event) => {
                let is_last = match &self.doing {
                    Doing::Rests | Doing::Steps(_) => true,
                    Doing::Runs(..) => self.session.ended(),
                    Doing::Follows(ids, _) => ids.is_empty() || self.session.ended(),
                    Doing::Replays(steps) => steps.is_empty(),
                };
                match &self.doing {
                    _ if is_last => self.doing = Doing::Rests,
                    Doing::Runs(pace, _) => self.due = started + pace.interval(),
                    _ => {}
                }
                Ok(event)
            }
            Err(error) => {
                self.doing = Doing::Rests;
                self.session.unforce();
                if matches!(error, RunError::Model(ModelError::Cancelled)) { Ok(None) } else { Err(error) }
            }
        }
    }

    fn next_token(
        &mut self,
        model: &dyn LanguageModel,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Option<Event>, RunError> {
        let run = self.id;
        let settings = match &mut self.doing {
            Doing::Rests => return Ok(None),
            Doing::Steps(settings) | Doing::Runs(_, settings) => settings,
            Doing::Follows(ids, settings) => {
                ids.pop_front().into_iter().for_each(|id| self.session.force(id));
                settings
            }
            Doing::Replays(steps) => {
                let Some(record) = steps.pop_front() else { return Ok(None) };
                let again = self.session.replay(model, &record, cancelled)?;
                return Ok(Some(Event::Replayed { run, index: record.index, again }));
            }
        };
        let (record, logits) = self.session.step(model, settings, Detail::Head(HEAD_LEN), cancelled)?;
        Ok(Some(Event::Step { run, record: Arc::new(record), logits }))
    }
}
