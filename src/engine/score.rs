//! Reads a text once and records how probable each of its tokens was.

use super::session::RunError;
use crate::model::{LanguageModel, LogitRows, ModelError, NoTap, Want};
use crate::sampling::expectation;
use crate::trace::{Piece, ScoreRecord, TokenId, TokenScore};

/// The most bytes of logits that are made at once.
const LOGITS_BUDGET: usize = 64 << 20;

/// However large the vocabulary, so many tokens are fed at once: fewer would be slow.
const LEAST_FED: usize = 32;

/// How many tokens are fed in one pass at most where the logits of all of them are wanted.
pub fn most_fed(vocab_size: usize) -> usize {
    (LOGITS_BUDGET / (4 * vocab_size).max(1)).max(LEAST_FED)
}

/// Scores every token of a text under the model itself, T = 1; the model's KV cache holds the text afterwards.
pub fn score(model: &mut dyn LanguageModel, text: &[Piece]) -> Result<ScoreRecord, RunError> {
    let context_length = model.card().context_length;
    if text.is_empty() {
        return Err(RunError::EmptyPrompt);
    }
    if text.len() > context_length {
        return Err(RunError::PromptTooLong { n_tokens: text.len(), context_length });
    }
    model.truncate(0);
    let ids: Vec<_> = text.iter().map(|piece| piece.id).collect();
    let (tokens, _logits) = read(model, &ids, &mut |model, ids| model.forward(ids, Want::All, &mut NoTap))?;
    Ok(ScoreRecord::new(tokens.into()))
}

/// Feeds some tokens and wants the logits of all of them.
type Forward<'a> = &'a mut dyn FnMut(&mut dyn LanguageModel, &[TokenId]) -> Result<LogitRows, ModelError>;

/// Feeds a whole text, in pieces if its logits are too many, and scores its tokens; `forward` wants all positions.
///
/// Returns the scores and the logits after the last token. After an error the KV cache may hold some of the text.
pub(super) fn read(
    model: &mut dyn LanguageModel,
    ids: &[TokenId],
    forward: Forward<'_>,
) -> Result<(Vec<TokenScore>, Vec<f32>), RunError> {
    let n_fed = most_fed(model.card().vocab_size);
    let mut tokens = Vec::with_capacity(ids.len());
    let mut last = Vec::new();
    for piece in ids.chunks(n_fed) {
        let rows = forward(model, piece)?;
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
        let mut model = ToyModel::new(ToyConfig { context_length: 100, ..ToyConfig::default() });
        let text = pieces(70);
        let record = score(&mut model, &text).unwrap();
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
        model.truncate(0);
        for (place, expected) in expected.iter().enumerate() {
            let logits = model.forward(&[place as u32 % 16], Want::Last, &mut NoTap).unwrap().data;
            assert!((f64::from(logits[(place + 1) % 16]) - expected.token.logit).abs() < 1e-4);
        }
    }

    #[test]
    fn a_large_vocabulary_is_read_in_pieces() {
        let config = ToyConfig { vocab_size: 1 << 20, context_length: 100, ..ToyConfig::default() };
        let mut model = ToyModel::new(config.clone());
        let mut n_passes = 0;
        let ids: Vec<_> = (0..40).collect();
        let mut forward = |model: &mut dyn LanguageModel, ids: &[TokenId]| {
            n_passes += 1;
            model.forward(ids, Want::All, &mut NoTap)
        };
        let (tokens, last) = read(&mut model, &ids, &mut forward).unwrap();
        assert_eq!((n_passes, tokens.len(), model.kv_len()), (2, 40, 40));
        let whole = ToyModel::new(config).forward(&ids, Want::Last, &mut NoTap).unwrap();
        assert_eq!(last, whole.data);
    }

    #[test]
    fn a_text_has_to_fit() {
        let mut model = ToyModel::new(ToyConfig { context_length: 8, ..ToyConfig::default() });
        assert!(matches!(score(&mut model, &pieces(0)), Err(RunError::EmptyPrompt)));
        assert!(matches!(score(&mut model, &pieces(9)), Err(RunError::PromptTooLong { .. })));
        let one = score(&mut model, &pieces(1)).unwrap();
        assert_eq!((one.log_prob, one.perplexity), (0.0, None));
        assert_eq!(score(&mut model, &pieces(8)).unwrap().tokens.len(), 8);
    }
}
