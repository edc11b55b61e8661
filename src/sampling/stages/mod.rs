//! The table of all stages. Each has a file here with all there is to say of it: its maths, its key, its parameters with
//! their ranges and sliders, the keys of its words, its test.
//!
//! From its row follow the menu and the sliders of the window, what `--stages`, session files, links and lessons read and
//! write, and what is exported.

mod frequency_penalty;
mod greedy;
mod json_schema;
mod logit_bias;
mod min_p;
pub(super) mod mirostat;
mod no_repeat_ngram;
mod presence_penalty;
mod regex;
mod repetition_penalty;
mod spec;
mod temperature;
mod top_k;
mod top_n_sigma;
mod top_p;
mod typical;
mod xtc;

pub(super) use spec::Applied;
pub use spec::{Constraint, Input, Parameter, Place, Range, SliderSpec, StageSpec};
use spec::{came_to, exact, rounded, tokens};

/// The table as an enum of the kinds, each with the description in its file.
macro_rules! table {
    ($($kind:ident => $file:ident,)+) => {
        /// Which stage, without its parameters; ordered as a chain has them unless it says otherwise.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum StageKind {
            $(#[doc = concat!("As in `sampling/stages/", stringify!($file), ".rs`.")] $kind,)+
        }

        impl StageKind {
            /// Every kind, in order.
            pub const ALL: [Self; [$(Self::$kind),+].len()] = [$(Self::$kind),+];

            /// What its file says of it.
            pub fn spec(self) -> &'static StageSpec {
                match self {
                    $(Self::$kind => &$file::SPEC,)+
                }
            }
        }
    };
}

table! {
    RepetitionPenalty => repetition_penalty,
    PresencePenalty => presence_penalty,
    FrequencyPenalty => frequency_penalty,
    NoRepeatNgram => no_repeat_ngram,
    LogitBias => logit_bias,
    Regex => regex,
    JsonSchema => json_schema,
    Temperature => temperature,
    TopK => top_k,
    TopP => top_p,
    MinP => min_p,
    Typical => typical,
    TopNSigma => top_n_sigma,
    Xtc => xtc,
    Mirostat => mirostat,
    Greedy => greedy,
}

impl StageKind {
    /// The kind of this key.
    pub fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.key == key)
    }
}

impl std::ops::Deref for StageKind {
    type Target = StageSpec;

    fn deref(&self) -> &StageSpec {
        self.spec()
    }
}

#[cfg(test)]
mod tests {
    use crate::sampling::{Chain, Detail, Stage, StepContext};

    #[test]
    fn every_formula_has_its_numbers() {
        let context =
            StepContext { history: &[0, 1, 2, 1], n_prompt: 1, coin: 0.1, xtc_coin: 0.2, mu: None, masks: None };
        for stage in [
            Stage::presence_penalty(0.5),
            Stage::frequency_penalty(0.5),
            Stage::no_repeat_ngram(2),
            Stage::temperature(0.5),
            Stage::top_k(2),
            Stage::top_p(0.6),
            Stage::min_p(0.5),
            Stage::typical(0.5),
            Stage::top_n_sigma(1.0),
            Stage::xtc(0.1, 0.5),
            Stage::mirostat(1.0, 0.1),
        ] {
            let record = Chain(vec![stage]).run(&[3.0, 2.0, 1.0, 0.0], &context, Detail::All).unwrap();
            let text = crate::words::Words::ENGLISH.render(&record.stages[0].formula().unwrap());
            assert!(!text.is_empty() && !text.contains("NaN"), "{text}");
            let names: Vec<_> = record.stages[0].numbers.iter().map(|(name, _)| *name).collect();
            assert_eq!(names, record.stages[0].stage.kind().numbers);
        }
        let record = Chain(vec![Stage::min_p(0.5)]).run(&[0.0, 0.0], &context, Detail::All).unwrap();
        let text = crate::words::Words::ENGLISH.render(&record.stages[0].formula().unwrap());
        assert_eq!(text, "p ≥ 0.5 × 0.5000 = 0.25000");
    }
}
