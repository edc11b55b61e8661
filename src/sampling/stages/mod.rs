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
mod stage;
mod temperature;
mod top_k;
mod top_n_sigma;
mod top_p;
mod typical;
mod xtc;

pub(super) use spec::{ALL_BANNED, Applied};
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
