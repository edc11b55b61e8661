//! Where the generation stands, in one line.

use super::Core;
use crate::engine::Activity;
use crate::message::{Message, Tell, msg};
use crate::trace::StopReason;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// The engine's thread has died.
    EngineDead,
    /// The first model is on its way.
    Loading,
    NoModel,
    /// There is a model and no run.
    Ready,
    /// The shown run was made by this model, which is not loaded.
    OtherModel(String),
    /// Recorded steps are made once more.
    Replaying {
        /// How many of them were made.
        made: usize,
        /// How many there are.
        n: usize,
    },
    /// Rollouts or a beam search are under way.
    Working,
    /// The shown branch has ended.
    Ended {
        why: StopReason,
        /// How many steps it has.
        n_steps: usize,
        /// The most tokens, as set now.
        max_new_tokens: usize,
    },
    /// It goes on by itself.
    Running(usize),
    /// One token is being made.
    Stepping,
    /// It was stopped within a token.
    Stopped(usize),
    /// The tokens of the prompt are there.
    Tokenized,
    Paused(usize),
}

impl Status {
    /// Where the generation that is shown stands.
    pub fn of(core: &Core) -> Self {
        if core.engine_dead {
            return Self::EngineDead;
        }
        if core.model.loaded.is_none() {
            return if core.model.loading.is_some() { Self::Loading } else { Self::NoModel };
        }
        let Some(run) = core.current_run() else {
            return Self::Ready;
        };
        if !core.can_go_on() {
            return Self::OtherModel(run.model.card.id.clone());
        }
        if let Some(replay) = core.replay.as_ref().filter(|replay| replay.is_under_way()) {
            return Self::Replaying { made: replay.n_made, n: replay.n };
        }
        if core.job.is_some() {
            return Self::Working;
        }
        let n_steps = run.trace().steps().len();
        match (core.ended(), run.activity()) {
            (Some(why), _) => Self::Ended { why, n_steps, max_new_tokens: core.max_new_tokens },
            (None, Activity::Running | Activity::Following) => Self::Running(n_steps),
            (None, Activity::Stepping) => Self::Stepping,
            (None, Activity::Idle) if run.tree.current().stopped => Self::Stopped(n_steps),
            (None, Activity::Idle) if n_steps == 0 => Self::Tokenized,
            (None, Activity::Idle) => Self::Paused(n_steps),
        }
    }
}

impl Tell for Status {
    fn message(&self) -> Message {
        let tokens = |n: &usize| msg!("status-tokens", n = n);
        match self {
            Self::EngineDead => msg!("status-engine-dead"),
            Self::Loading => msg!("status-loading"),
            Self::NoModel => msg!("status-no-model"),
            Self::Ready => msg!("status-ready"),
            Self::OtherModel(model) => msg!("status-other-model", model = model),
            Self::Replaying { made, n } => msg!("status-replaying", made = made, n = n),
            Self::Working => msg!("status-working"),
            Self::Ended { why: StopReason::Eos, n_steps, .. } => msg!("status-ended-eos", tokens = tokens(n_steps)),
            Self::Ended { why: StopReason::MaxNewTokens, n_steps, max_new_tokens } => {
                msg!("status-ended-max", tokens = tokens(n_steps), max = max_new_tokens)
            }
            Self::Ended { why: StopReason::ContextFull, n_steps, .. } => {
                msg!("status-ended-full", tokens = tokens(n_steps))
            }
            Self::Running(n) => msg!("status-running", tokens = tokens(n)),
            Self::Stepping => msg!("status-stepping"),
            Self::Stopped(n) => msg!("status-stopped", tokens = tokens(n)),
            Self::Tokenized => msg!("status-tokenized"),
            Self::Paused(n) => msg!("status-paused", tokens = tokens(n)),
        }
    }
}
