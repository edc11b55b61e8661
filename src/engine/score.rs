//! Reads a text once and records how probable each of its tokens was; nothing is generated.

use super::session::RunError;
use crate::model::{LanguageModel, NoTap, Want};
use crate::sampling::Candidates;
use crate::trace::{Candidate, Expectation, Piece, ScoreRecord, TokenScore};

/// Tokens that are fed at once: their logits are that many times the vocabulary.
const CHUNK_LEN: usize = 32;

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
    let mut tokens = vec![TokenScore { id: ids[0], expected: None }];
    // What follows the last token is not asked.
    for (chunk_idx, chunk) in ids[..ids.len() - 1].chunks(CHUNK_LEN).enumerate() {
        let rows = model.forward(chunk, Want::All, &mut NoTap)?;
        let vocab_size = rows.data.len() / chunk.len();
        for (idx, logits) in rows.data.chunks_exact(vocab_size).enumerate() {
            let id = ids[chunk_idx * CHUNK_LEN + idx + 1];
            tokens.push(TokenScore { id, expected: Some(expectation(&Candidates::from_logits(logits)?, id)) });
        }
    }
    let log_probs: Vec<f64> = tokens.iter().filter_map(|token| Some(token.expected?.log_prob)).collect();
    let log_prob = log_probs.iter().sum::<f64>() + 0.0;
    let perplexity = (!log_probs.is_empty()).then(|| (-log_prob / log_probs.len() as f64).exp());
    Ok(ScoreRecord { tokens, log_prob, perplexity })
}

fn expectation(candidates: &Candidates, id: crate::trace::TokenId) -> Expectation {
    let place = |idx: usize| Candidate {
        id: candidates.ids()[idx],
        logit: candidates.logits()[idx],
        prob: candidates.probs()[idx],
        rank: idx as u32 + 1,
    };
    // Every id of the text is in the vocabulary that the tokenizer was checked against.
    let idx = candidates.ids().iter().position(|other| *other == id).unwrap_or(candidates.len() - 1);
    let best = place(0);
    // From the logits, since a probability may be too small for f64.
    let log_prob = candidates.logits()[idx] - best.logit + best.prob.ln();
    Expectation { token: place(idx), log_prob, best, entropy_bits: candidates.entropy_bits() }
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
        let expected: Vec<_> = record.tokens[1..].iter().map(|token| token.expected.unwrap()).collect();
        for (place, expected) in expected.iter().enumerate() {
            assert_eq!(expected.token.id as usize, (place + 1) % 16);
            assert!((expected.log_prob - expected.token.prob.ln()).abs() < 1e-9);
            assert!(expected.best.prob >= expected.token.prob && expected.best.rank == 1);
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
    fn a_text_has_to_fit() {
        let mut model = ToyModel::new(ToyConfig { context_length: 8, ..ToyConfig::default() });
        assert!(matches!(score(&mut model, &pieces(0)), Err(RunError::EmptyPrompt)));
        assert!(matches!(score(&mut model, &pieces(9)), Err(RunError::PromptTooLong { .. })));
        let one = score(&mut model, &pieces(1)).unwrap();
        assert_eq!((one.log_prob, one.perplexity), (0.0, None));
        assert_eq!(score(&mut model, &pieces(8)).unwrap().tokens.len(), 8);
    }
}
