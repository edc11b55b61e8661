//! The thread "preview": answers what the window asks while a learner types or drags, latest question wins.
//!
//! Pure code over what is already recorded: no model runs here, and the window never waits for an answer.

use super::protocol::Waker;
use crate::sampling::{Keep, ManyDraws, SamplerSettings, StepContext};
use crate::text::Tokenizer;
use crate::trace::{Candidate, Fate, PassId, Piece, SamplingRecord, TokenId, Vocabulary};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// How often a step is drawn when it is drawn many times.
pub const N_DRAWS: u32 = 1000;

/// How many tokens a search shows.
pub const SEARCH_LIMIT: usize = 50;

/// Names a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepKey {
    /// The forward pass that gave its logits.
    pub pass: PassId,
    /// Its place in the text.
    pub index: usize,
}

/// What a step drew from, so that the draw can be thought through again.
#[derive(Clone, Debug)]
pub struct StepInput {
    /// Which step.
    pub key: StepKey,
    /// The model's logits by token id.
    pub logits: Arc<[f32]>,
    /// The tokens before, for the penalties.
    pub history: Arc<[TokenId]>,
    /// How many of them the prompt has.
    pub n_prompt: usize,
    /// Where Mirostat's μ stood before, if it ran.
    pub mu: Option<f64>,
}

impl StepInput {
    /// What the step has besides the logits, under a seed.
    pub fn context(&self, seed: u64) -> StepContext<'_> {
        StepContext::of(seed, self.key.index as u64, &self.history, self.n_prompt, self.mu)
    }
}

/// A question.
#[derive(Clone, Debug)]
pub enum Question {
    /// What tokens is this text?
    Tokenize {
        /// Returned with the answer, so that an old one can be told from the latest.
        serial: u64,
        /// The text.
        text: String,
        /// The model's tokenizer.
        tokenizer: Arc<Tokenizer>,
    },
    /// What would these settings have made of that step?
    WhatIf {
        /// The step.
        step: StepInput,
        /// The settings to try.
        settings: SamplerSettings,
    },
    /// How often does each token come when that step is drawn many times?
    Many {
        /// The step.
        step: StepInput,
        /// The settings to draw with.
        settings: SamplerSettings,
    },
    /// Where in that step's distribution are the tokens of this text or id?
    Search {
        /// The step.
        step: StepInput,
        /// The settings whose fates to show.
        settings: SamplerSettings,
        /// Text or id.
        query: String,
        /// The model's vocabulary.
        vocabulary: Arc<Vocabulary>,
    },
}

/// What would have been: never to be mistaken for what was.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIf {
    /// The step that it is about.
    pub key: StepKey,
    /// The settings that were tried.
    pub settings: SamplerSettings,
    /// What they would have made, or why they could not.
    pub result: Result<SamplingRecord, String>,
}

/// Many draws from one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Many {
    /// The step that it is about.
    pub key: StepKey,
    /// The settings that it was drawn with.
    pub settings: SamplerSettings,
    /// How often each token came, or why nothing could be drawn.
    pub result: Result<ManyDraws, String>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The step that it is about.
    pub key: StepKey,
    /// The settings that the fates belong to.
    pub settings: SamplerSettings,
    /// What was searched for.
    pub query: String,
    /// At most [`SEARCH_LIMIT`] tokens.
    pub candidates: Vec<(Candidate, Fate)>,
}

/// An answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The tokens of the text, or why there are none.
    Tokens(u64, Result<Vec<Piece>, String>),
    /// The counterfactual.
    WhatIf(Arc<WhatIf>),
    /// The draws.
    Many(Arc<Many>),
    /// The tokens that were looked for.
    Found(Arc<Found>),
}

/// The window's end of the thread. Dropping it ends the thread.
#[derive(Debug)]
pub struct PreviewHandle {
    questions: SyncSender<Question>,
    answers: Receiver<Answer>,
}

impl PreviewHandle {
    /// Starts the thread.
    pub fn spawn(waker: Waker) -> std::io::Result<Self> {
        let (questions, inbox) = sync_channel::<Question>(64);
        let (outbox, answers) = sync_channel(64);
        std::thread::Builder::new().name("preview".to_owned()).spawn(move || {
            while let Ok(first) = inbox.recv() {
                for question in latest(first, &inbox) {
                    if outbox.send(answer(question)).is_err() {
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
    let mut slots = [None, None, None, None];
    for question in std::iter::once(first).chain(inbox.try_iter()) {
        let slot = match question {
            Question::Tokenize { .. } => 0,
            Question::WhatIf { .. } => 1,
            Question::Search { .. } => 2,
            Question::Many { .. } => 3,
        };
        slots[slot] = Some(question);
    }
    slots.into_iter().flatten()
}

fn answer(question: Question) -> Answer {
    match question {
        Question::Tokenize { serial, text, tokenizer } => {
            Answer::Tokens(serial, tokenizer.encode(&text).map_err(|error| error.to_string()))
        }
        Question::WhatIf { step, settings } => {
            let result = settings
                .chain()
                .run(&step.logits, &step.context(settings.seed), Keep::Head(super::HEAD_LEN))
                .map_err(|error| error.to_string());
            Answer::WhatIf(Arc::new(WhatIf { key: step.key, settings, result }))
        }
        Question::Many { step, settings } => {
            let (context, index) = (step.context(settings.seed), step.key.index as u64);
            let result = settings.chain().draw_many(&step.logits, &context, settings.seed, index, N_DRAWS);
            let result = result.map_err(|error| error.to_string());
            Answer::Many(Arc::new(Many { key: step.key, settings, result }))
        }
        Question::Search { step, settings, query, vocabulary } => {
            let ids = vocabulary.search(&query, SEARCH_LIMIT);
            // The step was sampled from these very logits, so they are finite.
            let candidates =
                settings.chain().inspect(&step.logits, &step.context(settings.seed), &ids).unwrap_or_default();
            Answer::Found(Arc::new(Found { key: step.key, settings, query, candidates }))
        }
    }
}

#[cfg(test)]
mod tests;
