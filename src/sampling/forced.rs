//! A token that the user takes in place of the one that was drawn.

use super::StageKind;
use super::stages::mirostat;
use crate::trace::{Candidate, CandidateOutcome, Draw, SamplingRecord};
use std::sync::Arc;

/// The same step with this token taken, whatever the samplers made of it.
///
/// `candidate` is its place in the model's own distribution, and `outcome` what the stages of the record made of it. The
/// stages stay as they ran; Mirostat's μ goes on as if the token had been drawn, unless it had been dropped.
pub fn forced(record: &SamplingRecord, candidate: Candidate, outcome: CandidateOutcome) -> SamplingRecord {
    let mut forced = SamplingRecord {
        draw: Draw::Forced,
        chosen: candidate,
        chosen_final_prob: outcome.final_prob,
        ..record.clone()
    };
    if forced.raw.find(candidate.id).is_none() {
        let raw = Arc::make_mut(&mut forced.raw);
        raw.head.push(candidate);
        raw.tail.n -= 1;
        raw.tail.mass = (raw.tail.mass - candidate.prob).max(0.0);
        forced.outcomes.push(outcome);
    }
    if let Some(last) = forced.stages.last_mut()
        && let (StageKind::Mirostat, Some(mu)) = (last.stage.kind(), last.number("mu"))
    {
        last.numbers.retain(|(name, _)| *name == "mu");
        forced.mu = Some(mu);
        if outcome.final_prob > 0.0 {
            let (after, surprise) = mirostat::after_draw(&last.stage, mu, outcome.final_prob);
            last.numbers.extend([("surprise", surprise), ("mu_after", after)]);
            forced.mu = Some(after);
        }
    }
    forced
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::{Chain, Detail, Stage, StepContext};

    #[test]
    fn any_token_can_be_taken() {
        let logits: Vec<f32> = (0..100).map(|id| -0.1 * id as f32).collect();
        let context = StepContext { history: &[], n_prompt: 0, coin: 0.3, xtc_coin: 0.3, mu: None, masks: None };
        let chain = Chain(vec![Stage::top_k(30), Stage::mirostat(3.0, 0.5)]);
        let record = chain.run(&logits, &context, Detail::Head(8)).unwrap();
        for id in [0, 5, 20, 99] {
            let (candidate, outcome) = chain.inspect(&logits, &context, &[id]).unwrap()[0];
            let taken = forced(&record, candidate, outcome);
            assert_eq!(
                (taken.chosen_id(), taken.draw, taken.chosen_final_prob),
                (id, Draw::Forced, outcome.final_prob)
            );
            assert_eq!(taken.raw.find(id), Some(&taken.chosen));
            assert_eq!(taken.outcomes.len(), taken.raw.head.len());
            let head: f64 = taken.raw.head.iter().map(|candidate| candidate.prob).sum();
            assert!((head + taken.raw.tail.mass - 1.0).abs() < 1e-9);
            assert_eq!(taken.raw.head.len() + taken.raw.tail.n, 100);
            let mu = if outcome.final_prob > 0.0 { 6.0 - 0.5 * (-outcome.final_prob.log2() - 3.0) } else { 6.0 };
            assert!((taken.mu.unwrap() - mu).abs() < 1e-9, "token {id}");
        }
        assert_eq!(
            forced(&record, record.chosen, CandidateOutcome { final_prob: record.chosen_final_prob, dropped_by: None })
                .mu,
            record.mu
        );
    }
}
