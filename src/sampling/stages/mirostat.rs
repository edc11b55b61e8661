//! Mirostat 2: keeps the tokens of at most μ bits of surprise, and moves μ so that the surprise stays near τ.
//!
//! Basu et al. 2020, algorithm 2. Reference: `llama_sampler_mirostat_v2` in llama.cpp: μ begins at 2τ, the surprise of
//! the drawn token is that of its renormalised probability, and μ falls by η times what it was above τ.

use super::{Applied, Input, Parameter, Place, Range, SliderSpec, StageSpec, came_to, rounded};
use crate::message::msg;
use crate::sampling::{Candidates, StepContext};
use crate::trace::Stage;

/// The places of the parameters.
const TAU: usize = 0;
const ETA: usize = 1;

pub(super) static SPEC: StageSpec = StageSpec {
    key: "mirostat",
    name: msg!("stage-mirostat"),
    one_line: msg!("stage-mirostat-what"),
    formula: msg!("stage-mirostat-formula"),
    example: "mirostat=5:0.1",
    input: Input::Numbers(&[
        Parameter {
            name: "tau",
            called: msg!("setting-mirostat-tau"),
            label: None,
            range: Range::Positive,
            usual: 3.0,
            slider: SliderSpec::Loose(0.1..=10.0),
        },
        Parameter {
            name: "eta",
            called: msg!("setting-mirostat-eta"),
            label: Some([msg!("row-speed"), msg!("row-speed-what")]),
            range: Range::FromZero,
            usual: 0.1,
            slider: SliderSpec::Strict(0.0..=1.0, 2),
        },
    ]),
    place: Place::Last,
    numbers: &["mu", "surprise", "mu_after"],
    is_off: |_stage| false,
    apply: |candidates, stage, context| apply(candidates, mu_before(stage, context)),
    formula_at: |record| {
        let mu = came_to(record, "mu", 2);
        Some(match record.number("surprise") {
            Some(surprise) => {
                let (surprise, after) = (rounded(surprise, 2), came_to(record, "mu_after", 2));
                msg!("stage-mirostat-at", mu = mu, surprise = surprise, after = after)
            }
            None => msg!("stage-mirostat-at-dropped", mu = mu),
        })
    },
};

impl Stage {
    /// Cuts off what is too surprising, and steers the cut by the surprise of what was drawn: towards `tau` bits, above 0,
    /// as fast as `eta` says, from 0 up.
    pub fn mirostat(tau: f64, eta: f64) -> Self {
        SPEC.of([tau, eta])
    }
}

/// Where μ stands before a step, in bits.
pub(in crate::sampling) fn mu_before(stage: &Stage, context: &StepContext<'_>) -> f64 {
    context.mu.unwrap_or(2.0 * stage.number(TAU))
}

/// Where μ stands after a token of this final probability was drawn, and that token's surprise, in bits.
pub(in crate::sampling) fn after_draw(stage: &Stage, mu: f64, prob: f64) -> (f64, f64) {
    // Adding zero makes the −0 of a certain token into +0.
    let surprise = -prob.log2() + 0.0;
    (mu - stage.number(ETA) * (surprise - stage.number(TAU)), surprise)
}

fn apply(candidates: &mut Candidates, mu: f64) -> Applied {
    let n_kept = candidates.probs().partition_point(|prob| -prob.log2() <= mu);
    Applied::from(candidates.keep_best(n_kept)).with("mu", mu)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::candidates::tests::{check_left, from_probs};

    #[test]
    fn what_surprises_more_than_mu_goes() {
        for (mu, expected) in
            [(9.0, &[(0, 0.5), (1, 0.25), (2, 0.25)][..]), (1.9, &[(0, 1.0)]), (0.3, &[(0, 1.0)]), (-5.0, &[(0, 1.0)])]
        {
            let mut candidates = from_probs(&[0.5, 0.25, 0.25]);
            apply(&mut candidates, mu);
            check_left(&candidates, expected);
        }
    }

    #[test]
    fn mu_is_steered_towards_tau() {
        assert_eq!(after_draw(&Stage::mirostat(3.0, 0.1), 6.0, 0.5), (6.0 + 0.1 * 2.0, 1.0));
        assert_eq!(after_draw(&Stage::mirostat(1.0, 0.5), 4.0, 0.125), (3.0, 3.0));
        assert_eq!(after_draw(&Stage::mirostat(1.0, 0.5), 4.0, 1.0), (4.5, 0.0));
    }
}
