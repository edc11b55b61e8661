//! Follows a text through a regular expression or a JSON schema, and tells which tokens may come next.
//!
//! The automata are those of the crate llguidance; a token is allowed when some text that matches begins with all that
//! was generated and then that token's bytes. The prompt is no part of it.

use super::{Constraint, Masks, SamplingError};
use crate::message::{Message, msg};
use crate::trace::{Stage, TokenId, Vocabulary};
use llguidance::api::StopReason;
use llguidance::toktrie::{ApproximateTokEnv, InferenceCapabilities, TokEnv, TokRxInfo, TokTrie};
use llguidance::{Matcher, ParserFactory};
use std::fmt::{Debug, Formatter};
use std::sync::{Arc, OnceLock};

/// A model's tokens as the automata read them; built when it is first needed.
pub struct TokenTrie {
    vocabulary: Arc<Vocabulary>,
    eos_ids: Vec<TokenId>,
    env: OnceLock<TokEnv>,
}

impl TokenTrie {
    /// Of this vocabulary; what ends a text is allowed where the text matches. Ids outside the vocabulary end nothing.
    pub fn new(vocabulary: Arc<Vocabulary>, mut eos_ids: Vec<TokenId>) -> Self {
        eos_ids.retain(|id| (*id as usize) < vocabulary.len());
        Self { vocabulary, eos_ids, env: OnceLock::new() }
    }

    fn env(&self) -> &TokEnv {
        self.env.get_or_init(|| {
            let ids = 0..self.vocabulary.len() as TokenId;
            let mut words: Vec<Vec<u8>> = ids
                .map(|id| {
                    let bytes = self.vocabulary.bytes(id);
                    // Special tokens are no text: behind this byte they match nothing.
                    let mark: &[u8] =
                        if self.vocabulary.is_special(id) { &[TokTrie::SPECIAL_TOKEN_MARKER] } else { &[] };
                    [mark, bytes].concat()
                })
                .collect();
            // Without a token that ends a text, one that the model does not have.
            let eos = self.eos_ids.first().copied().unwrap_or_else(|| {
                words.push([&[TokTrie::SPECIAL_TOKEN_MARKER], &b"<end>"[..]].concat());
                words.len() as TokenId - 1
            });
            let info = TokRxInfo::new(words.len() as u32, eos);
            Arc::new(ApproximateTokEnv::new(TokTrie::from(&info, &words)))
        })
    }
}

impl Debug for TokenTrie {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "TokenTrie of {} tokens", self.vocabulary.len())
    }
}

/// One constraint, and how far the text has gone through it.
struct FollowedConstraint {
    stage: Stage,
    start: Matcher,
    now: Matcher,
    consumed: Vec<TokenId>,
}

/// Follows one text, or several by turns: what they begin with is not read twice in a row.
pub struct Guide {
    trie: Arc<TokenTrie>,
    followed: Vec<FollowedConstraint>,
}

impl Debug for Guide {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "Guide through {} constraints", self.followed.len())
    }
}

impl Guide {
    /// Follows nothing yet.
    pub fn new(trie: Arc<TokenTrie>) -> Self {
        Self { trie, followed: Vec::new() }
    }

    /// What the constraints of a chain with these stages allow after `generated`.
    pub fn masks(&mut self, stages: &[Stage], generated: &[TokenId]) -> Result<Masks, SamplingError> {
        let constraints = stages.iter().filter_map(|stage| Some((stage, stage.kind().spec().constraint()?)));
        let masks = constraints.map(|(stage, constraint)| Ok((stage.key, self.mask(stage, constraint, generated)?)));
        let masks = masks.collect::<Result<Vec<_>, SamplingError>>()?;
        let possible = |id: usize| masks.iter().all(|(_, mask)| mask[id]);
        if !(0..self.trie.vocabulary.len()).any(possible) {
            return Err(SamplingError::Contradiction);
        }
        Ok(Masks(masks))
    }

    fn mask(
        &mut self,
        stage: &Stage,
        constraint: &'static Constraint,
        generated: &[TokenId],
    ) -> Result<Vec<bool>, SamplingError> {
        let name = || constraint.called.clone();
        let n_tokens = self.trie.vocabulary.len();
        let eos_ids = self.trie.eos_ids.clone();
        let followed = self.followed_mut(stage, constraint)?;
        if !generated.starts_with(&followed.consumed) {
            followed.now = followed.start.deep_clone();
            followed.consumed.clear();
        }
        let new = &generated[followed.consumed.len()..];
        // What ends a text is no part of it.
        let text: Vec<TokenId> = new.iter().copied().filter(|id| !eos_ids.contains(id)).collect();
        // Whether all of it fits, and what may come behind what does.
        let result = followed.now.try_consume_tokens(&text).map(|n_fitting| n_fitting == text.len());
        let result = result.and_then(|fits| Ok((fits, followed.now.compute_mask_or_eos()?)));
        let allowed = match result {
            Ok((true, allowed)) => allowed,
            failed => {
                // The next question begins anew.
                followed.now = followed.start.deep_clone();
                followed.consumed.clear();
                return Err(match failed {
                    Ok(_) => SamplingError::OffTheConstraint { name: name() },
                    Err(error) => SamplingError::Constraint { name: name(), reason: why_it_failed(&error.to_string()) },
                });
            }
        };
        followed.consumed.extend_from_slice(new);
        let mut mask: Vec<bool> = (0..n_tokens as TokenId).map(|id| allowed.is_allowed(id)).collect();
        let ends = eos_ids.first().is_some_and(|eos| mask[*eos as usize]);
        for eos in eos_ids {
            mask[eos as usize] = ends;
        }
        if mask.contains(&true) { Ok(mask) } else { Err(SamplingError::ConstraintMet { name: name() }) }
    }

    fn followed_mut(
        &mut self,
        stage: &Stage,
        constraint: &'static Constraint,
    ) -> Result<&mut FollowedConstraint, SamplingError> {
        if let Some(idx) = self.followed.iter().position(|followed| followed.stage == *stage) {
            return Ok(&mut self.followed[idx]);
        }
        let broken = |reason: Message| SamplingError::Constraint { name: constraint.called.clone(), reason };
        let grammar = (constraint.grammar)(stage.text()).map_err(broken)?;
        let factory = ParserFactory::new(self.trie.env(), InferenceCapabilities::default(), &[]);
        let parser = factory.and_then(|mut factory| factory.quiet().create_parser(grammar));
        let parser = parser.map_err(|error| match error.to_string() {
            text if text.contains("lookarounds not supported") => broken(msg!("constraint-anchors")),
            text if text.contains("coerce_one_of") => broken(msg!("constraint-one-of")),
            text => broken(one_line(&text)),
        })?;
        let start = Matcher::new(Ok(parser));
        if let Some(reason) = start.get_error() {
            return Err(broken(one_line(&reason)));
        }
        // Of a kind only one stands in a chain, so the text before an edit is not asked for again.
        self.followed.retain(|followed| followed.stage.kind() != stage.kind());
        let now = start.deep_clone();
        self.followed.push(FollowedConstraint { stage: stage.clone(), start, now, consumed: Vec::new() });
        let last = self.followed.len() - 1;
        Ok(&mut self.followed[last])
    }
}

/// Why the automaton could not go on, which it says in text alone.
fn why_it_failed(text: &str) -> Message {
    // Behind the reason stand its state and its grammar, each in a tag.
    let reason: Vec<_> = text.lines().take_while(|line| !line.starts_with('<')).collect();
    match reason.join("\n") {
        name if name == StopReason::NoExtensionBias.to_string() => msg!("constraint-nothing"),
        reason => one_line(&reason),
    }
}

/// What a library says, in one line.
pub(super) fn one_line(text: &str) -> Message {
    Message::Verbatim(text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EOS: TokenId = 0;

    /// The end, every byte of ASCII, some words, one id without a name.
    fn trie() -> Arc<TokenTrie> {
        let bytes = (0u8..128).map(|byte| (vec![byte], false));
        let words = ["12", "345", "ab", "true", "\": ", "}", ""].map(|word| (word.as_bytes().to_vec(), false));
        let all = std::iter::once((b"<|end|>".to_vec(), true)).chain(bytes).chain(words);
        Arc::new(TokenTrie::new(Arc::new(Vocabulary::from_pieces(all)), vec![EOS]))
    }

    fn ids(text: &str) -> Vec<TokenId> {
        text.bytes().map(|byte| TokenId::from(byte) + 1).collect()
    }

    /// What may come behind `text`, as strings; `.` for the end.
    fn allowed(stage: &Stage, text: &str) -> Result<Vec<String>, SamplingError> {
        let trie = trie();
        let masks = Guide::new(Arc::clone(&trie)).masks(std::slice::from_ref(stage), &ids(text))?;
        let mask = masks.get(stage.key).unwrap();
        let words = mask.iter().zip(0..).filter(|(allowed, _)| **allowed).map(|(_, id)| match id {
            EOS => ".".to_owned(),
            id => String::from_utf8_lossy(trie.vocabulary.bytes(id)).into_owned(),
        });
        Ok(words.collect())
    }

    fn regex(text: &str) -> Stage {
        Stage::regex(text)
    }

    #[test]
    fn a_regular_expression_allows_what_can_still_match() {
        let digits = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let first = allowed(&regex("[0-9]{2,3}"), "").unwrap();
        assert_eq!(first, [&digits[..], &["12", "345"]].concat(), "tokens of several characters too");
        assert_eq!(allowed(&regex("[0-9]{2,3}"), "1").unwrap(), [&digits[..], &["12"]].concat());
        assert_eq!(allowed(&regex("[0-9]{2,3}"), "12").unwrap(), [&["."], &digits[..]].concat());
        assert_eq!(allowed(&regex("[0-9]{2,3}"), "123").unwrap(), ["."], "all of it is there: only the end is left");
        assert_eq!(allowed(&regex("(yes|no)"), "y").unwrap(), ["e"]);
        assert!(matches!(allowed(&regex("(yes|no)"), "x"), Err(SamplingError::OffTheConstraint { .. })));
        // Where no text at all matches, the one that is there is not to blame.
        assert!(matches!(allowed(&regex("[a&&b]"), ""), Err(SamplingError::Constraint { .. })));
        assert!(matches!(allowed(&regex("[a&&b]"), "x"), Err(SamplingError::Constraint { .. })));
        assert_eq!(allowed(&regex("a|<.*>"), "").unwrap(), ["<", "a"], "a special token is no text");
    }

    #[test]
    fn what_cannot_be_used_is_told_in_words_of_its_own() {
        let reason = |stage: Stage| match allowed(&stage, "") {
            Err(SamplingError::Constraint { reason, .. }) => reason,
            other => panic!("{other:?}"),
        };
        for (text, place) in [("a\\", 2), ("x{,3}", 3), (" (open", 2)] {
            let reason = reason(regex(text));
            let Message::Keyed("constraint-at", gaps) = &reason else { panic!("{text}: {reason}") };
            assert!(gaps.contains(&("n", place.into())), "{text}: {reason}");
        }
        for text in ["\\bword", " ^abc", "a$b"] {
            assert_eq!(reason(regex(text)), msg!("constraint-anchors"), "{text}");
        }
        let either = r#"{"oneOf":[{"const":1,"title":"one"},{"const":2}]}"#;
        assert_eq!(reason(Stage::json_schema(either)), msg!("constraint-one-of"));
    }

    #[test]
    fn a_schema_with_settings_of_its_own_is_spaced_plainly_too() {
        let schema = r#"{"x-guidance":{"coerce_one_of":true},"type":"object","properties":{"a":{"type":"boolean"}},
            "required":["a"],"additionalProperties":false}"#;
        assert_eq!(allowed(&Stage::json_schema(schema), "{\"a\":").unwrap(), [" "]);
    }

    #[test]
    fn a_json_schema_allows_what_can_still_match() {
        let schema =
            r#"{"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"],"additionalProperties":false}"#;
        let schema = || Stage::json_schema(schema);
        assert_eq!(allowed(&schema(), "").unwrap(), ["{"]);
        assert_eq!(allowed(&schema(), "{\"a\":").unwrap(), [" "]);
        assert!(allowed(&schema(), "{\"a\": ").unwrap().contains(&"true".to_owned()));
        assert_eq!(allowed(&schema(), "{\"a\": true}").unwrap(), ["."]);
        assert!(matches!(allowed(&schema(), "[]"), Err(SamplingError::OffTheConstraint { .. })));
    }

    #[test]
    fn what_is_no_constraint_says_why() {
        for stage in [regex("(unclosed"), Stage::json_schema("{"), Stage::json_schema("{\"type\":\"nothing\"}")] {
            let error = allowed(&stage, "").unwrap_err();
            let SamplingError::Constraint { reason, .. } = &error else { panic!("{error}") };
            assert!(!reason.to_string().is_empty(), "{error}");
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }

    #[test]
    fn what_the_automaton_fails_on_is_told_and_not_guessed() {
        // More ways to go on at once than llguidance follows.
        let arrays: Vec<_> = (0..3000).map(|n| format!("[{n}]")).collect();
        let schema = Stage::json_schema(format!(r#"{{"enum":[{}]}}"#, arrays.join(",")));
        assert_eq!(allowed(&schema, "").unwrap(), ["["]);
        let Err(SamplingError::Constraint { reason: Message::Verbatim(reason), .. }) = allowed(&schema, "[") else {
            panic!("{:?}", allowed(&schema, "["))
        };
        assert!(reason.contains("3000 items") && !reason.contains(['\n', '<']), "{reason}");
    }

    /// Whether this text, JSON and all, is one that the schema describes.
    #[track_caller]
    fn check_json(schema: &str, text: &str, expected: bool) {
        let ends = allowed(&Stage::json_schema(schema), text).is_ok_and(|next| next.contains(&".".to_owned()));
        assert_eq!(ends, expected, "{text} of {schema}");
    }

    #[test]
    fn only_leap_years_have_a_29_february() {
        for (date, is_one) in [
            ("2024-02-29", true),
            ("2000-02-29", true),
            ("0000-02-29", true),
            ("2023-02-29", false),
            ("1900-02-29", false),
            ("2023-02-28", true),
            ("2023-12-31", true),
            ("2023-02-30", false),
            ("2024-04-31", false),
        ] {
            check_json(r#"{"type":"string","format":"date"}"#, &format!("\"{date}\""), is_one);
            let time = format!("\"{date}T12:30:00Z\"");
            check_json(r#"{"type":["string","null"],"format":"date-time","maxLength":25}"#, &time, is_one);
            let also = r##"{"$ref":"#/$defs/day","$defs":{"day":{"type":"string","format":"date","pattern":"^2"}}}"##;
            check_json(also, &format!("\"{date}\""), is_one && date.starts_with('2'));
        }
    }

    #[test]
    fn bounds_are_exact_as_far_as_they_are_taken() {
        const MOST: i64 = (1 << 53) - 1;
        let bounded = |keyword: &str, n: i64| format!(r#"{{"type":"integer","{keyword}":{n}}}"#);
        for (n, keyword, expected) in [
            (MOST, "maximum", true),
            (MOST + 1, "maximum", false),
            (MOST, "exclusiveMaximum", false),
            (MOST - 1, "exclusiveMaximum", true),
            (MOST, "exclusiveMinimum", false),
            (MOST + 1, "exclusiveMinimum", true),
        ] {
            check_json(&bounded(keyword, MOST), &n.to_string(), expected);
        }
        let refused = allowed(&Stage::json_schema(bounded("minimum", MOST + 1)), "");
        let Err(SamplingError::Constraint { reason: Message::Keyed("constraint-large-number", _), .. }) = refused
        else {
            panic!("{refused:?}")
        };
    }

    #[test]
    fn bounded_numbers_are_plain_and_only_what_must_be_is_escaped() {
        let number = r#"{"type":"number","minimum":0,"maximum":1000}"#;
        let string = r#"{"type":"string"}"#;
        for (schema, text, expected) in [
            (number, "100", true),
            (number, "1e2", false),
            (r#"{"type":"number"}"#, "1e2", true),
            (string, r#""a\n\u0001""#, true),
            (string, r#""\u0061""#, false),
            (string, r#""\u000a""#, true),
            (string, r#""\/""#, false),
        ] {
            check_json(schema, text, expected);
        }
    }

    #[test]
    fn texts_may_take_turns() {
        let mut guide = Guide::new(trie());
        let stages = [regex("(ab|ac)d*")];
        let mut n_allowed = |text: &str| {
            let masks = guide.masks(&stages, &ids(text)).unwrap();
            masks.get(stages[0].key).unwrap().iter().filter(|allowed| **allowed).count()
        };
        assert_eq!([n_allowed("a"), n_allowed("ab"), n_allowed(""), n_allowed("acd"), n_allowed("a")], [2, 2, 2, 2, 2]);
        assert_eq!(Guide::new(trie()).masks(&[Stage::top_k(3)], &[]), Ok(Masks::default()));
    }

    #[test]
    fn what_one_constraint_allows_another_must_not_rule_out() {
        let masks = |regex_text: &str| {
            let stages = [regex(regex_text), Stage::json_schema("{\"type\":\"boolean\"}")];
            Guide::new(trie()).masks(&stages, &[])
        };
        assert!(masks("[a-z]*").is_ok());
        assert_eq!(masks("[0-9]*"), Err(SamplingError::Contradiction));
    }

    #[test]
    fn without_an_end_of_text_a_full_match_is_an_end() {
        let trie = TokenTrie::new(Arc::clone(&trie().vocabulary), Vec::new());
        let mut guide = Guide::new(Arc::new(trie));
        let stages = [regex("a")];
        assert!(guide.masks(&stages, &[]).is_ok());
        assert!(matches!(guide.masks(&stages, &ids("a")), Err(SamplingError::ConstraintMet { .. })));
    }
}
