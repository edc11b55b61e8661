//! The thread "preview": answers what the window asks while a learner types or drags, latest question wins.
//!
//! Pure code over what is already recorded: no model runs here, and the window never waits for an answer.

use super::protocol::Waker;
use crate::sampling::{
    Chain, Comparison, Detail, Guide, ManyDraws, Masks, SamplerSettings, SamplingError, Side, StepContext, TokenTrie,
    compare,
};
use crate::text::Tokenizer;
use crate::trace::{
    Candidate, CandidateOutcome, Merges, ModelIdentity, PassId, Piece, SamplingRecord, TokenId, Vocabulary,
};
use crate::words::{self, Language, say};
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
    /// The model, for what constraints allow.
    pub model: Arc<ModelIdentity>,
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

    /// The tokens that were generated before it.
    pub fn generated(&self) -> &[TokenId] {
        &self.history[self.n_prompt.min(self.history.len())..]
    }
}

/// A question.
#[derive(Clone, Debug)]
pub enum Question {
    /// No question: say in this language from now on what goes wrong.
    Speak(Language),
    /// What tokens is this text?
    Tokenize {
        /// Returned with the answer, so that an old one can be told from the latest.
        serial: u64,
        /// The text.
        text: String,
        /// The model's tokenizer.
        tokenizer: Arc<Tokenizer>,
    },
    /// How does this text become tokens, merge by merge?
    Merges {
        /// Returned with the answer, as for the tokens.
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
    /// How far apart are two steps, each with the samplers that ran there?
    Compare {
        /// The steps.
        steps: [Recorded; 2],
    },
    /// Where did this token stand at that step, and what became of it?
    Place {
        /// The step.
        step: Recorded,
        /// The token.
        id: TokenId,
    },
    /// What did the model give at that step to the first token of each of these words?
    Foretell {
        /// The step.
        step: Recorded,
        /// The words, as somebody would say them.
        words: Vec<String>,
        /// The model's tokenizer.
        tokenizer: Arc<Tokenizer>,
    },
    /// Where in that step's distribution are the tokens of this text or id?
    Search {
        /// The step.
        step: StepInput,
        /// The settings whose outcomes to show.
        settings: SamplerSettings,
        /// Text or id.
        query: String,
        /// The model's vocabulary.
        vocabulary: Arc<Vocabulary>,
    },
}

/// A step as it was made: what it drew from, and how.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What it drew from.
    pub input: StepInput,
    /// The stages that ran.
    pub chain: Chain,
    /// XTC's random number, if it ran.
    pub xtc_coin: f64,
}

impl Recorded {
    fn side<'a>(&'a self, masks: &'a Masks) -> Side<'a> {
        Side { logits: &self.input.logits, chain: &self.chain, context: self.context().with_masks(masks) }
    }

    /// What it had besides the logits; the coin of the draw, which is not asked about here, is 0.
    fn context(&self) -> StepContext<'_> {
        let StepInput { history, n_prompt, mu, .. } = &self.input;
        StepContext { history, n_prompt: *n_prompt, coin: 0.0, xtc_coin: self.xtc_coin, mu: *mu, masks: None }
    }
}

/// Two steps held against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The steps.
    pub keys: [StepKey; 2],
    /// How far apart they are, or why that cannot be said.
    pub result: Result<Comparison, String>,
}

/// Where a token stood at a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The step.
    pub key: StepKey,
    /// The token.
    pub id: TokenId,
    /// Its place, and what the stages that ran there made of it.
    pub result: Result<(Candidate, CandidateOutcome), String>,
}

/// The first token of a word, and what the model gave it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstToken {
    /// Its place in the model's own distribution.
    pub candidate: Candidate,
    /// What the stages that ran there made of it.
    pub outcome: CandidateOutcome,
    /// Whether it is the whole word.
    pub whole: bool,
}

/// What the model gave to words that somebody said would come.
#[derive(Clone, Debug, PartialEq)]
pub struct Foretold {
    /// The step.
    pub key: StepKey,
    /// For each word its first token, or why there are none.
    pub result: Result<Vec<FirstToken>, String>,
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
    /// The settings that the outcomes belong to.
    pub settings: SamplerSettings,
    /// What was searched for.
    pub query: String,
    /// At most [`SEARCH_LIMIT`] tokens, or why nothing can be said of them under these settings.
    pub candidates: Result<Vec<(Candidate, CandidateOutcome)>, String>,
}

/// An answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The tokens of the text, or why there are none.
    Tokens(u64, Result<Vec<Piece>, String>),
    /// The merges of the text, or why there are none.
    Merges(u64, Result<Arc<Merges>, String>),
    /// The counterfactual.
    WhatIf(Arc<WhatIf>),
    /// The draws.
    Many(Arc<Many>),
    /// The comparison.
    Compared(Arc<Compared>),
    /// The token's place.
    Placed(Placed),
    /// What the words had.
    Foretold(Arc<Foretold>),
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
    /// Starts the thread. It speaks what this thread speaks.
    pub fn spawn(waker: Waker) -> std::io::Result<Self> {
        let (questions, inbox) = sync_channel::<Question>(64);
        let (outbox, answers) = sync_channel(64);
        let language = words::spoken();
        std::thread::Builder::new().name("preview".to_owned()).spawn(move || {
            words::speak(language);
            let mut thinker = Thinker::default();
            while let Ok(first) = inbox.recv() {
                for question in latest(first, &inbox) {
                    let Some(answer) = thinker.answer(question) else { continue };
                    if outbox.send(answer).is_err() {
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

/// Of all the questions that wait, the last of each kind; in which language to answer comes first.
fn latest(first: Question, inbox: &Receiver<Question>) -> impl Iterator<Item = Question> {
    let mut slots = [const { None }; 9];
    for question in std::iter::once(first).chain(inbox.try_iter()) {
        let slot = match question {
            Question::Speak(_) => 0,
            Question::Tokenize { .. } => 1,
            Question::WhatIf { .. } => 2,
            Question::Search { .. } => 3,
            Question::Many { .. } => 4,
            Question::Compare { .. } => 5,
            Question::Place { .. } => 6,
            Question::Foretell { .. } => 7,
            Question::Merges { .. } => 8,
        };
        slots[slot] = Some(question);
    }
    slots.into_iter().flatten()
}

/// Thinks, and remembers how far it followed the text through the constraints.
#[derive(Default)]
struct Thinker {
    guide: Option<(Arc<ModelIdentity>, Guide)>,
}

impl Thinker {
    /// What the constraints of a chain allow at a step.
    fn masks(&mut self, chain: &Chain, step: &StepInput) -> Result<Masks, SamplingError> {
        let same = self.guide.take().filter(|(model, _)| Arc::ptr_eq(model, &step.model));
        let (_, guide) = self.guide.insert(same.unwrap_or_else(|| {
            let trie = TokenTrie::new(Arc::clone(&step.model.vocabulary), step.model.eos_ids.clone());
            (Arc::clone(&step.model), Guide::new(Arc::new(trie)))
        }));
        guide.masks(chain, step.generated())
    }

    /// The answer; none where nothing was asked.
    fn answer(&mut self, question: Question) -> Option<Answer> {
        Some(match question {
            Question::Speak(language) => {
                words::speak(language);
                return None;
            }
            Question::Tokenize { serial, text, tokenizer } => {
                Answer::Tokens(serial, tokenizer.encode(&text).map_err(|error| error.to_string()))
            }
            Question::Merges { serial, text, tokenizer } => {
                let merges = tokenizer.merges(&text).map(Arc::new);
                Answer::Merges(serial, merges.map_err(|error| error.to_string()))
            }
            Question::WhatIf { step, settings } => {
                let result = self.what_if(&step, &settings).map_err(|error| error.to_string());
                Answer::WhatIf(Arc::new(WhatIf { key: step.key, settings, result }))
            }
            Question::Many { step, settings } => {
                let result = self.many(&step, &settings).map_err(|error| error.to_string());
                Answer::Many(Arc::new(Many { key: step.key, settings, result }))
            }
            Question::Compare { steps } => {
                let result = self.compare(&steps).map_err(|error| error.to_string());
                Answer::Compared(Arc::new(Compared { keys: steps.map(|step| step.input.key), result }))
            }
            Question::Place { step, id } => {
                let result = self.place(&step, id).map_err(|error| error.to_string());
                Answer::Placed(Placed { key: step.input.key, id, result })
            }
            Question::Foretell { step, words, tokenizer } => {
                let result = words.iter().map(|word| self.first_token(&step, word, &tokenizer)).collect();
                Answer::Foretold(Arc::new(Foretold { key: step.input.key, result }))
            }
            Question::Search { step, settings, query, vocabulary } => {
                let ids = vocabulary.search(&query, SEARCH_LIMIT);
                let candidates = self.inspect(&step, &settings, &ids).map_err(|error| error.to_string());
                Answer::Found(Arc::new(Found { key: step.key, settings, query, candidates }))
            }
        })
    }

    fn what_if(&mut self, step: &StepInput, settings: &SamplerSettings) -> Result<SamplingRecord, SamplingError> {
        let chain = settings.chain();
        let masks = self.masks(&chain, step)?;
        chain.run(&step.logits, &step.context(settings.seed).with_masks(&masks), Detail::Head(super::HEAD_LEN))
    }

    fn many(&mut self, step: &StepInput, settings: &SamplerSettings) -> Result<ManyDraws, SamplingError> {
        let chain = settings.chain();
        let masks = self.masks(&chain, step)?;
        let context = step.context(settings.seed).with_masks(&masks);
        chain.draw_many(&step.logits, &context, settings.seed, step.key.index as u64, N_DRAWS)
    }

    fn inspect(
        &mut self,
        step: &StepInput,
        settings: &SamplerSettings,
        ids: &[TokenId],
    ) -> Result<Vec<(Candidate, CandidateOutcome)>, SamplingError> {
        let chain = settings.chain();
        let masks = self.masks(&chain, step)?;
        chain.inspect(&step.logits, &step.context(settings.seed).with_masks(&masks), ids)
    }

    fn place(&mut self, step: &Recorded, id: TokenId) -> Result<(Candidate, CandidateOutcome), SamplingError> {
        let masks = self.masks(&step.chain, &step.input)?;
        let places = step.chain.inspect(&step.input.logits, &step.context().with_masks(&masks), &[id])?;
        let vocab_size = step.input.logits.len();
        places.first().copied().ok_or(SamplingError::NoSuchToken { id, vocab_size })
    }

    /// A word goes on behind a space or without one: whichever the model thinks likelier is meant.
    fn first_token(&mut self, step: &Recorded, word: &str, tokenizer: &Tokenizer) -> Result<FirstToken, String> {
        let mut best: Option<FirstToken> = None;
        for ids in tokenizer.ways_to_go_on(word).map_err(|error| error.to_string())? {
            let Some(first) = ids.first() else { continue };
            let (candidate, outcome) = self.place(step, *first).map_err(|error| error.to_string())?;
            if best.is_none_or(|best| candidate.prob > best.candidate.prob) {
                best = Some(FirstToken { candidate, outcome, whole: ids.len() == 1 });
            }
        }
        best.ok_or_else(|| say!("error-no-token", word = word))
    }

    fn compare(&mut self, steps: &[Recorded; 2]) -> Result<Comparison, SamplingError> {
        let [a, b] = steps;
        let masks = [self.masks(&a.chain, &a.input)?, self.masks(&b.chain, &b.input)?];
        compare([a.side(&masks[0]), b.side(&masks[1])])
    }
}

/// What the thread would answer, for tests without one.
#[cfg(test)]
pub(crate) fn answer(question: Question) -> Answer {
    Thinker::default().answer(question).expect("a question")
}

#[cfg(test)]
mod tests;
