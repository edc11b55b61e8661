//! From a question to its answer.

use super::question::{
    Answer, Compared, FirstToken, FirstTokens, Many, NoFirstToken, Placed, Question, Recorded, SearchHits, StepInput,
    TextFor, WhatIf,
};
use crate::sampling::{
    Chain, Comparison, Detail, Guide, ManyDraws, Masks, SamplerSettings, SamplingError, TokenTrie, compare,
};
use crate::text::Tokenizer;
use crate::trace::{Candidate, CandidateOutcome, ModelIdentity, SamplingRecord, TokenId};
use std::sync::Arc;

/// How often a step is drawn when it is drawn many times.
pub const N_DRAWS: u32 = 1000;

/// How many tokens a search shows.
const SEARCH_LIMIT: usize = 50;

/// Thinks, and remembers how far it followed the text through the constraints.
#[derive(Default)]
pub(super) struct Thinker {
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
        guide.masks(&chain.0, step.generated())
    }

    pub(super) fn answer(&mut self, question: Question) -> Answer {
        match question {
            Question::Tokenize { serial, text, tokenizer } => Answer::Tokens(serial, tokenizer.encode(&text)),
            Question::Merges { serial, text, tokenizer } => {
                Answer::Merges(serial, tokenizer.merges(&text).map(Arc::new))
            }
            Question::Texts { serial, texts } => {
                Answer::Texts(serial, texts.iter().map(|TextFor { text, tokenizer }| tokenizer.encode(text)).collect())
            }
            Question::WhatIf { step, settings } => {
                let result = self.what_if(&step, &settings);
                Answer::WhatIf(Arc::new(WhatIf { key: step.key, settings, result }))
            }
            Question::Many { step, settings } => {
                let result = self.many(&step, &settings);
                Answer::Many(Arc::new(Many { key: step.key, settings, result }))
            }
            Question::Compare { steps } => {
                let result = self.compare(&steps);
                Answer::Compared(Arc::new(Compared { keys: steps.map(|step| step.input.key), result }))
            }
            Question::Effect { job, steps } => Answer::Effect(job, self.compare(&steps)),
            Question::Place { step, id } => {
                let result = self.place(&step, id);
                Answer::Placed(Placed { key: step.input.key, id, result })
            }
            Question::Foretell { step, words, tokenizer } => {
                let result = words.iter().map(|word| self.first_token(&step, word, &tokenizer)).collect();
                Answer::FirstTokens(Arc::new(FirstTokens { key: step.input.key, result }))
            }
            Question::Search { step, settings, query, vocabulary } => {
                let ids = vocabulary.search(&query, SEARCH_LIMIT);
                let candidates = self.inspect(&step, &settings, &ids);
                Answer::SearchHits(Arc::new(SearchHits { key: step.key, settings, query, candidates }))
            }
        }
    }

    fn what_if(&mut self, step: &StepInput, settings: &SamplerSettings) -> Result<SamplingRecord, SamplingError> {
        let chain = settings.chain();
        let masks = self.masks(&chain, step)?;
        chain.run(&step.logits, &step.context(settings.seed).with_masks(&masks), Detail::Head(crate::engine::HEAD_LEN))
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
    fn first_token(&mut self, step: &Recorded, word: &str, tokenizer: &Tokenizer) -> Result<FirstToken, NoFirstToken> {
        let mut best: Option<FirstToken> = None;
        for ids in tokenizer.ways_to_go_on(word)? {
            let Some(first) = ids.first() else { continue };
            let (candidate, outcome) = self.place(step, *first)?;
            if best.is_none_or(|best| candidate.prob > best.candidate.prob) {
                best = Some(FirstToken { candidate, outcome, whole: ids.len() == 1 });
            }
        }
        best.ok_or_else(|| NoFirstToken::NoToken(word.to_owned()))
    }

    fn compare(&mut self, steps: &[Recorded; 2]) -> Result<Comparison, SamplingError> {
        let [a, b] = steps;
        let masks = [self.masks(&a.chain, &a.input)?, self.masks(&b.chain, &b.input)?];
        compare([a.side(&masks[0]), b.side(&masks[1])])
    }
}
