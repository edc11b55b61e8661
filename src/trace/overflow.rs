//! What happens at the end of the context window, and which tokens a model still sees of a text that has outgrown it.

use super::TokenId;
use strum::{EnumIter, EnumString, IntoStaticStr, VariantArray};

/// What a generation does when every position of the context window is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub enum Overflow {
    /// It ends.
    #[default]
    Stop,
    /// It forgets its oldest tokens, half a window at a time, and goes on.
    Slide,
}

impl Overflow {
    /// Its name in lessons, links and session files, from which it is parsed.
    pub fn key(self) -> &'static str {
        self.into()
    }
}

/// The first token, counted from 0, that a model with a window of `context_length` positions still sees of a text of
/// `n_tokens`: those before it are forgotten, and its own position is 0.
///
/// A function of the number of tokens alone, so that a replay, a branch and the first run agree. Half a window is
/// forgotten at a time, since all that is left is fed afresh. That costs a pass over half a window now and then, and is
/// exact: a key or value of a deeper layer has looked at the tokens before it, and only feeding again takes the
/// forgotten ones out of it. The context shift of llama.cpp and StreamingLLM (Xiao et al. 2023, Efficient streaming
/// language models with attention sinks) keep the keys instead and shift their positions, which is faster and leaves
/// traces; both can keep the first tokens of the text as well, which this does not.
pub fn first_seen(n_tokens: usize, context_length: usize) -> usize {
    let at_once = (context_length / 2).max(1);
    n_tokens.saturating_sub(context_length).div_ceil(at_once) * at_once
}

/// The tokens that such a model still sees of a text.
pub fn seen(text: &[TokenId], context_length: usize) -> &[TokenId] {
    &text[first_seen(text.len(), context_length)..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use strum::IntoEnumIterator as _;

    #[test]
    fn what_is_seen_fits_into_the_window_and_moves_half_a_window_at_a_time() {
        for context_length in 1..40 {
            let at_once = (context_length / 2).max(1);
            for n_tokens in 1..10 * context_length {
                let start = first_seen(n_tokens, context_length);
                assert!((1..=context_length).contains(&(n_tokens - start)), "{n_tokens} in {context_length}");
                assert_eq!(start % at_once, 0);
                assert_eq!(start > 0, n_tokens > context_length);
                // It moves only where the text before filled the window to its last position.
                let before = first_seen(n_tokens - 1, context_length);
                assert_eq!(start != before, n_tokens - 1 - before == context_length, "{n_tokens} in {context_length}");
            }
        }
        let starts: Vec<_> = [8, 9, 12, 13, 16, 17].iter().map(|n| first_seen(*n, 8)).collect();
        assert_eq!(starts, [0, 4, 4, 8, 8, 12]);
        assert_eq!(seen(&[1, 2, 3, 4, 5, 6], 5), [3, 4, 5, 6]);
    }

    #[test]
    fn each_has_its_name() {
        assert!(Overflow::iter().all(|overflow| overflow.key().parse() == Ok(overflow)));
        assert!("roll".parse::<Overflow>().is_err());
    }
}
