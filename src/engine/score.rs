//! Reads a text once and records how probable each of its tokens was.

use super::RunError;
use crate::model::{LanguageModel, LogitRows, ModelError, NoProbe, Want};
use crate::sampling::expectation;
use crate::trace::{ModelCard, Piece, ScoreRecord, TokenId, TokenScore};

/// The most bytes of logits that are made at once.
const LOGITS_BUDGET: usize = 64 << 20;

/// However large the vocabulary, so many tokens are fed at once: fewer would be slow.
const LEAST_FED: usize = 32;

/// How many tokens are fed in one pass at most where the logits of all of them are wanted.
pub fn most_fed(vocab_size: usize) -> usize {
    (LOGITS_BUDGET / (4 * vocab_size).max(1)).max(LEAST_FED)
}

/// Scores every token of a text under the model itself, T = 1.
pub fn score(model: &dyn LanguageModel, text: &[Piece]) -> Result<ScoreRecord, RunError> {
    let context_length = model.card().context_length;
    if text.is_empty() {
        return Err(RunError::EmptyPrompt);
    }
    if text.len() > context_length {
        return Err(RunError::PromptTooLong { n_tokens: text.len(), context_length });
    }
    let mut cache = model.new_cache()?;
    let ids: Vec<_> = text.iter().map(|piece| piece.id).collect();
    let mut forward = |ids: &[TokenId]| model.feed(ids, Want::All, &mut cache, &mut NoProbe);
    let (tokens, _logits) = read(model.card(), &ids, &mut forward)?;
    Ok(ScoreRecord::new(tokens.into()))
}

/// Feeds some tokens and wants the logits of all of them.
type Forward<'a> = &'a mut dyn FnMut(&[TokenId]) -> Result<LogitRows, ModelError>;

/// Feeds a whole text, in pieces if its logits are too many, and scores its tokens; `forward` wants all positions.
///
/// Returns the scores and the logits after the last token. After an error the KV cache may hold some of the text.
pub(super) fn read(
    card: &ModelCard,
    ids: &[TokenId],
    forward: Forward<'_>,
) -> Result<(Vec<TokenScore>, Vec<f32>), RunError> {
    let n_fed = most_fed(card.vocab_size);
    let mut tokens = Vec::with_capacity(ids.len());
    let mut last = Vec::new();
    for piece in ids.chunks(n_fed) {
        let rows = forward(piece)?;
        for (logits, &id) in rows.rows().zip(piece) {
            let expected = if last.is_empty() { None } else { Some(expectation(&last, id)?) };
            tokens.push(TokenScore { id, expected });
            logits.clone_into(&mut last);
        }
    }
    Ok((tokens, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ToyConfig, ToyModel};

    fn pieces(n: usize) -> Vec<Piece> {
        (0..n).map(|id| Piece { id: id as u32 % 16, bytes: [].into(), special: false }).collect()
    }

    #[test]
    fn every_token_but_the_first_was_expected_somehow() {
        let model = ToyModel::new(ToyConfig { context_length: 100, ..ToyConfig::default() });
        let text = pieces(70);
        let record = score(&model, &text).unwrap();
        assert!(record.tokens.iter().map(|token| token.id).eq(text.iter().map(|piece| piece.id)));
        assert!(record.tokens[0].expected.is_none());
        let expected: Vec<_> = record.tokens[1..].iter().map(|token| token.expected.clone().unwrap()).collect();
        for (place, expected) in expected.iter().enumerate() {
            assert_eq!(expected.token.id as usize, (place + 1) % 16);
            assert!((expected.log_prob - expected.token.prob.ln()).abs() < 1e-9);
            assert!(expected.best[0].prob >= expected.token.prob && expected.best[0].rank == 1);
        }
        let sum: f64 = expected.iter().map(|expected| expected.log_prob).sum();
        assert!((record.log_prob - sum).abs() < 1e-9);
        assert!((record.perplexity.unwrap() - (-sum / 69.0).exp()).abs() < 1e-6);
        // Fed one by one, the same.
        let mut cache = model.new_cache().unwrap();
        for (place, expected) in expected.iter().enumerate() {
            let logits = model.feed(&[place as u32 % 16], Want::Last, &mut cache, &mut NoProbe).unwrap().data;
            assert!((f64::from(logits[(place + 1) % 16]) - expected.token.logit).abs() < 1e-4);
        }
    }

    #[test]
    fn a_large_vocabulary_is_read_in_pieces() {
        let config = ToyConfig { vocab_size: 1 << 20, context_length: 100, ..ToyConfig::default() };
        let model = ToyModel::new(config);
        let mut cache = model.new_cache().unwrap();
        let mut n_passes = 0;
        let ids: Vec<_> = (0..40).collect();
        let mut forward = |ids: &[TokenId]| {
            n_passes += 1;
            model.feed(ids, Want::All, &mut cache, &mut NoProbe)
        };
        let (tokens, last) = read(model.card(), &ids, &mut forward).unwrap();
        assert_eq!((n_passes, tokens.len(), cache.len()), (2, 40, 40));
        let mut cache = model.new_cache().unwrap();
        let whole = model.feed(&ids, Want::Last, &mut cache, &mut NoProbe).unwrap();
        assert_eq!(last, whole.data);
    }

    #[test]
    fn a_text_has_to_fit() {
        let model = ToyModel::new(ToyConfig { context_length: 8, ..ToyConfig::default() });
        assert!(matches!(score(&model, &pieces(0)), Err(RunError::EmptyPrompt)));
        assert!(matches!(score(&model, &pieces(9)), Err(RunError::PromptTooLong { .. })));
        let one = score(&model, &pieces(1)).unwrap();
        assert_eq!((one.log_prob, one.perplexity), (0.0, None));
        assert_eq!(score(&model, &pieces(8)).unwrap().tokens.len(), 8);
    }
}
