//! Reading lessons, right ones and wrong ones.

use super::*;
use crate::app::core::InsideShown;
use crate::message::Language;
use crate::words::Words;
use std::path::Path;
use strum::IntoEnumIterator as _;

fn problems(text: &str) -> Vec<(usize, String)> {
    parse(text, glossary(Language::English))
        .1
        .into_iter()
        .map(|problem| (problem.line, Words::ENGLISH.render(&problem.message)))
        .collect()
}

const GOOD: &str = "+++
id = \"a\"
title = \"Why?\"
minutes = 5

[[scene]]
id = \"one\"
setup = [{ prompt = \"x\" }, { make = 1 }]
point = [\"stage.top_k\"]

[[scene]]
id = \"two\"
check = { made = 3 }
solution = [{ make = 3 }]
[[scene.quiz]]
question = \"Q?\"
answers = [{ text = \"a\", right = true }, { text = \"b\", why = \"no\" }]
+++

## one
See [this](point:samplers) and {{best.prob}} of [entropy](term:entropy).

### Teacher
Ask them.

## two
Go.
";

#[test]
fn a_good_lesson_is_read_whole() {
    let (lesson, problems) = parse(GOOD, glossary(Language::English));
    assert_eq!(problems, []);
    let lesson = lesson.unwrap();
    assert_eq!((&*lesson.id, lesson.scenes.len()), ("a", 2));
    let [one, two] = &lesson.scenes[..] else { panic!() };
    assert_eq!(one.setup, [Directive::Prompt("x".to_owned()), Directive::Make(1)]);
    assert_eq!((one.text.contains("{{best.prob}}"), one.teacher.trim()), (true, "Ask them."));
    assert_eq!(two.check, Some(Check { made: Some(3), ..Check::default() }));
    assert_eq!(two.quiz[0].answers.len(), 2);
    // A file from Windows is the same.
    assert_eq!(parse(&GOOD.replace('\n', "\r\n"), glossary(Language::English)).0.as_ref(), Some(&lesson));
    // So is one with a mark of the byte order, and with spaces behind its fences.
    assert_eq!(
        parse(&format!("\u{feff}{}", GOOD.replace("+++\n", "+++  \n")), glossary(Language::English)).0,
        Some(lesson)
    );
}

#[test]
fn every_mistake_is_told_with_its_line() {
    for (from, to, line, part) in [
        ("minutes = 5", "minutes = \"five\"", 4, "the header cannot be read"),
        ("minutes = 5", "minutes = 500", 4, "minutes must be"),
        ("minutes = 5", "minutes = 5\nlock = [\"samplers\", \"doors\"]", 5, "there is no control `doors`"),
        ("minutes = 5", "minute = 5", 4, "header cannot be read"),
        ("+++\nid", "++\nid", 1, "must begin with"),
        ("\n+++\n\n## one", "\n\n## one", 1, "the header has no end"),
        ("{ make = 1 }", "{ mak = 1 }", 8, "this scene cannot be read"),
        ("stage.top_k", "stage.top_q", 9, "nothing called `stage.top_q`"),
        ("{ prompt = \"x\" }", "{ chart = \"pie\" }", 8, "`pie` is no chart: there are list, bars"),
        ("{ prompt = \"x\" }", "{ stages = \"top_k=x\" }", 8, "top_k=40"),
        ("{ prompt = \"x\" }", "{ go_to = 0 }", 8, "count from 1"),
        ("check = { made = 3 }", "check = { maid = 3 }", 13, "this scene cannot be read"),
        ("check = { made = 3 }", "check = { }", 13, "looks at nothing"),
        ("check = { made = 3 }", "check = { stage = \"x\" }", 13, "`x` is no sampler stage"),
        ("solution = [{ make = 3 }]", "", 13, "needs a solution"),
        (", why = \"no\"", "", 16, "needs a why"),
        (", right = true", ", why = \"x\"", 16, "exactly one is right"),
        ("id = \"two\"", "id = \"one\"", 11, "two scenes `one`"),
        ("## two", "## three", 26, "no scene has the id `three`"),
        ("point:samplers", "point:nowhere", 21, "nothing called `nowhere`"),
        ("term:entropy", "term:enthalpy", 21, "no term `enthalpy`"),
        ("{{best.prob}}", "{{worst}}", 21, "no value {{worst}}"),
        ("point:samplers", "file:///etc/passwd", 21, "a link must begin with"),
        ("Go.", "![x](https://x)", 27, "no pictures"),
        ("Go.", "![x][far]\n\n[far]: https://x", 27, "no pictures"),
        ("Go.", "[x][near]\n\n[near]: file:///etc/passwd", 27, "a link must begin with"),
        ("Go.", "<file:///etc/passwd>", 27, "a link must begin with"),
        ("Go.", "[x](javascript:alert)", 27, "a link must begin with"),
        ("Go.", "<img src=\"https://x\">", 27, "no HTML"),
        ("Go.", "a <b>bold</b> word", 27, "no HTML"),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let found = problems(&GOOD.replacen(from, to, 1));
        assert!(found.iter().any(|(at, message)| *at == line && message.contains(part)), "{to}: {found:?}");
    }
    assert!(problems(&"x".repeat(2 << 20))[0].1.contains("megabyte"));
    // What cannot be read is told by its own mistake alone, and is no scene that is not there.
    let alone = "+++\nid = \"a\"\ntitle = \"A\"\nminutes = 1\n[[scene]]\nid = \"one\"\ncheck = { maid = 3 }\n+++\n## one\nGo.\n";
    let found = problems(alone);
    assert!(found.len() == 1 && found[0].0 == 7 && found[0].1.contains("maid"), "{found:?}");
}

#[test]
fn links_are_found_in_whichever_way_they_are_written() {
    let text = "[a](term:logit), [b](<term:softmax>), [c](term:entropy \"a title\"), <term:token>, [d][e], `[f](term:prefill)`\n\n[e]: point:text";
    assert_eq!(links(text), ["term:logit", "term:softmax", "term:entropy", "term:token", "point:text"]);
}

#[test]
fn whatever_is_in_a_file_it_is_read_without_harm() {
    use proptest::prelude::*;
    proptest!(ProptestConfig { cases: 300, ..ProptestConfig::default() }, |(at in 0usize..GOOD.len(), text in "[ -~\n]{0,30}")| {
        let mut changed = GOOD.to_owned();
        changed.insert_str(at, &text);
        let (lesson, problems) = parse(&changed, glossary(Language::English));
        let n_lines = changed.lines().count();
        prop_assert!(problems.iter().all(|problem| (1..=n_lines + 2).contains(&problem.line)));
        prop_assert!(lesson.is_some() || !problems.is_empty());
    });
}

#[test]
fn the_lessons_of_the_program_are_without_a_mistake() {
    let mut ids = Vec::new();
    for language in Language::iter() {
        for (name, text) in files(language) {
            assert_eq!(parse(text, glossary(language)).1, [], "{language:?}: {name}");
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lessons").join(language.code());
        let n_files = std::fs::read_dir(folder).unwrap().count();
        assert_eq!(n_files, files(language).len() + 1, "a file of {language:?} that is in no list");
    }
    for lesson in lessons(Language::English) {
        let n = lesson.scenes.len();
        assert!((6..=12).contains(&n) && (5..=10).contains(&lesson.minutes), "{}: {n} scenes", lesson.id);
        assert!(lesson.scenes.iter().any(|scene| scene.check.is_some()), "{}: nothing to do", lesson.id);
        assert!(lesson.scenes.iter().any(|scene| scene.predict.is_some()), "{}: no prediction", lesson.id);
        assert!(lesson.scenes.iter().map(|scene| scene.quiz.len()).sum::<usize>() >= 2, "{}: no quiz", lesson.id);
        assert!(lesson.needs.iter().all(|id| ids.contains(id)), "{} needs what does not come before", lesson.id);
        assert!((2..=4).contains(&lesson.sources.len()) && lesson.title.ends_with('?'), "{}", lesson.id);
        ids.push(lesson.id.clone());
    }
    assert_eq!(ids.len(), files(Language::English).len());
}

/// A lesson without its words.
fn bones(lesson: &Lesson) -> Lesson {
    let mut bones = Lesson { title: String::new(), sources: Vec::new(), ..lesson.clone() };
    for scene in &mut bones.scenes {
        scene.text = String::new();
        scene.teacher = scene.teacher.trim().is_empty().to_string();
        scene.predict = scene.predict.as_ref().map(|_| String::new());
        scene.hints = vec![String::new(); scene.hints.len()];
        for question in &mut scene.quiz {
            question.question = String::new();
            for answer in &mut question.answers {
                answer.text = String::new();
                answer.why = answer.why.is_empty().to_string();
            }
        }
    }
    bones
}

#[test]
fn a_translated_lesson_does_the_same_and_what_is_not_translated_is_there_in_english() {
    let english = lessons(Language::English);
    let german = lessons(Language::German);
    assert_eq!(german.len(), english.len());
    let mut n_translated = 0;
    for (english, german) in english.iter().zip(german) {
        assert_eq!(bones(english), bones(german), "{}", english.id);
        n_translated += usize::from(english.title != german.title);
    }
    assert_eq!(n_translated, files(Language::German).len());
    assert!(n_translated >= 3);
    let own = Glossary::parse(include_str!("../../../../lessons/de/glossary.md"));
    let english = glossary(Language::English);
    assert!(english.terms().iter().all(|term| own.find(term.key()).is_some()), "a term that is not translated");
    let keys = |glossary: &Glossary| glossary.terms().iter().map(|term| term.key().to_owned()).collect::<Vec<_>>();
    assert_eq!(keys(english), keys(&own));
}

#[test]
fn the_glossary_links_to_itself_alone() {
    for language in Language::iter() {
        check_glossary(glossary(language));
    }
}

fn check_glossary(glossary: &Glossary) {
    let terms = glossary.terms();
    assert!(terms.len() >= 50);
    for term in terms {
        assert_eq!(glossary.find(term.key()), Some(term));
        for link in term.text.split("](term:").skip(1) {
            let key = link.split(')').next().unwrap();
            assert!(glossary.find(key).is_some(), "{}: {key}", term.name);
        }
        assert!(!term.text.contains("\n\n"), "{} has more than a paragraph", term.name);
    }
}

#[test]
fn the_terms_of_a_text_are_found() {
    let keys = |text: &str| glossary(Language::English).terms_in(text).into_iter().map(Term::key).collect::<Vec<_>>();
    assert_eq!(keys("Entropy of the logits after softmax"), ["entropy", "logit", "softmax"]);
    assert_eq!(keys("the KV cache of é"), ["kv-cache"]);
    assert!(keys("Retokenize, topknot, overhead").is_empty());
}

#[test]
fn values_come_from_the_run_or_are_left_open() {
    let state = crate::app::AppState::default();
    assert_eq!(
        Values::of(&state, InsideShown::default()).filled("{{best}} and {{ kept }}, {{", |value| format!("{value:?}")),
        "… and …, {{"
    );
}

#[test]
fn what_was_typed_is_not_judged_by_the_tokens_of_the_text_before() {
    use crate::app::AppState;
    use crate::trace::Piece;
    let check: Check = toml::from_str("prompt_tokens = { at_least = 2 }").unwrap();
    let mut state = AppState::new(crate::engine::LoadRequest::default());
    let piece = Piece { id: 1, bytes: b"a"[..].into(), special: false };
    state.prompt.tokens = vec![piece.clone(), piece];
    let holds = |state: &AppState| check.holds(state, &InsideShown::default());
    assert!(holds(&state));
    state.prompt.serial += 1;
    assert!(!holds(&state), "the answer about the new text is still to come");
    state.prompt.answered = state.prompt.serial;
    assert!(holds(&state));
}
