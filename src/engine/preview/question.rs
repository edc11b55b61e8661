//! What can be asked of the preview thread, and its answers: plain data.

use crate::engine::protocol::JobId;
use crate::message::{Message, Tell, holds, msg};
use crate::sampling::{Chain, Comparison, ManyDraws, Masks, SamplerSettings, SamplingError, Side, StepContext};
use crate::text::{TextError, Tokenizer};
use crate::trace::{
    Candidate, CandidateOutcome, Merges, ModelIdentity, PassId, Piece, SamplingRecord, TokenId, Vocabulary,
};
use std::sync::Arc;

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

/// A text and the tokenizer that it is for.
#[derive(Clone, Debug)]
pub struct TextFor {
    pub text: String,
    pub tokenizer: Arc<Tokenizer>,
}

impl PartialEq for TextFor {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && Arc::ptr_eq(&self.tokenizer, &other.tokenizer)
    }
}

#[derive(Clone, Debug)]
pub enum Question {
    /// What tokens is this text?
    Tokenize {
        /// Returned with the answer, so that an old one can be told from the latest.
        serial: u64,
        text: String,
        tokenizer: Arc<Tokenizer>,
    },
    /// How does this text become tokens, merge by merge?
    Merges {
        /// Returned with the answer, as for the tokens.
        serial: u64,
        text: String,
        tokenizer: Arc<Tokenizer>,
    },
    /// What tokens are these texts, which stand beside the prompt?
    Texts {
        /// Returned with the answer, as for the tokens.
        serial: u64,
        texts: Vec<TextFor>,
    },
    /// What would these settings have made of that step?
    WhatIf { step: StepInput, settings: SamplerSettings },
    /// How often does each token come when that step is drawn many times?
    Many {
        step: StepInput,
        /// The settings to draw with.
        settings: SamplerSettings,
    },
    /// How far apart are two steps, each with the samplers that ran there?
    Compare { steps: [Recorded; 2] },
    /// How far is a step from the same step of a changed model? The answer is named by the job that made the latter.
    Effect { job: JobId, steps: [Recorded; 2] },
    /// Where did this token stand at that step, and what became of it?
    Place { step: Recorded, id: TokenId },
    /// What did the model give at that step to the first token of each of these words?
    Foretell {
        step: Recorded,
        /// The words, as somebody would say them.
        words: Vec<String>,
        tokenizer: Arc<Tokenizer>,
    },
    /// Where in that step's distribution are the tokens of this text or id?
    Search {
        step: StepInput,
        /// The settings whose fates to show.
        settings: SamplerSettings,
        query: String,
        vocabulary: Arc<Vocabulary>,
    },
}

/// A step as it was made: what it drew from, and how.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// What it drew from.
    pub input: StepInput,
    pub chain: Chain,
    /// XTC's random number, if it ran.
    pub xtc_coin: f64,
}

impl Recorded {
    pub(super) fn side<'a>(&'a self, masks: &'a Masks) -> Side<'a> {
        Side { logits: &self.input.logits, chain: &self.chain, context: self.context().with_masks(masks) }
    }

    /// What it had besides the logits; the coin of the draw, which is not asked about here, is 0.
    pub(super) fn context(&self) -> StepContext<'_> {
        let StepInput { history, n_prompt, mu, .. } = &self.input;
        StepContext { history, n_prompt: *n_prompt, coin: 0.0, xtc_coin: self.xtc_coin, mu: *mu, masks: None }
    }
}

/// Two steps held against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    pub keys: [StepKey; 2],
    /// How far apart they are, or why that cannot be said.
    pub result: Result<Comparison, SamplingError>,
}

/// Where a token stood at a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub key: StepKey,
    pub id: TokenId,
    /// Its place, and what the stages that ran there made of it.
    pub result: Result<(Candidate, CandidateOutcome), SamplingError>,
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

/// Why a word has no first token to look at.
#[derive(Clone, Debug, PartialEq)]
pub enum NoFirstToken {
    /// It has no tokens at all.
    NoToken(String),
    Text(TextError),
    Sampling(SamplingError),
}

impl Tell for NoFirstToken {
    fn message(&self) -> Message {
        match self {
            Self::NoToken(word) => msg!("error-no-token", word = word),
            Self::Text(error) => error.message(),
            Self::Sampling(error) => error.message(),
        }
    }
}

holds!(NoFirstToken: Text(TextError) Sampling(SamplingError));

/// What the model gave to words that somebody said would come.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstTokens {
    pub key: StepKey,
    /// For each word its first token, or why there are none.
    pub result: Result<Vec<FirstToken>, NoFirstToken>,
}

/// What would have been: never to be mistaken for what was.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIf {
    /// The step that it is about.
    pub key: StepKey,
    /// The settings that were tried.
    pub settings: SamplerSettings,
    /// What they would have made, or why they could not.
    pub result: Result<SamplingRecord, SamplingError>,
}

/// Many draws from one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Many {
    /// The step that it is about.
    pub key: StepKey,
    /// The settings that it was drawn with.
    pub settings: SamplerSettings,
    /// How often each token came, or why nothing could be drawn.
    pub result: Result<ManyDraws, SamplingError>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct SearchHits {
    /// The step that it is about.
    pub key: StepKey,
    /// The settings that the fates belong to.
    pub settings: SamplerSettings,
    pub query: String,
    /// The first 50 tokens, or why nothing can be said of them under these settings.
    pub candidates: Result<Vec<(Candidate, CandidateOutcome)>, SamplingError>,
}

#[derive(Clone, Debug)]
pub enum Answer {
    /// The tokens of the text, or why there are none.
    Tokens(u64, Result<Vec<Piece>, TextError>),
    /// The merges of the text, or why there are none.
    Merges(u64, Result<Arc<Merges>, TextError>),
    /// The tokens of each text, or why it has none.
    Texts(u64, Vec<Result<Vec<Piece>, TextError>>),
    WhatIf(Arc<WhatIf>),
    Many(Arc<Many>),
    Compared(Arc<Compared>),
    Effect(JobId, Result<Comparison, SamplingError>),
    Placed(Placed),
    FirstTokens(Arc<FirstTokens>),
    /// The tokens that were looked for.
    SearchHits(Arc<SearchHits>),
}
