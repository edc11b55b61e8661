//! Presenting to a room: by the clicker alone, large enough, nothing cut off, nothing given away.

use crate::harness::{
    Drawn, Window, act, check_says, check_silent, drawn, focus, idle, make_tokens, n_steps, open_bundled, open_shell,
    press, readable, ready, says, state, step_until, type_text,
};
use egui::{Key, vec2};
use strum::IntoEnumIterator as _;
use tokenscope::app::lessons::{glossary, lessons, parse};
use tokenscope::app::{
    Action, Asking, Beat, Chart, LessonAction, PredictionAction, Preferences, PresentAction, RunAction, SettingsAction,
    Shown, ThemeChoice, asking, beat, shown,
};
use tokenscope::engine::ModelSource;
use tokenscope::message::Language;
use tokenscope::ui::shell::Opening;

/// A small projector.
const PROJECTOR: egui::Vec2 = vec2(1280.0, 720.0);

#[track_caller]
fn check_legible(window: &Window, place: &str) {
    let texts = drawn(window);
    assert!(!texts.is_empty(), "{place}: nothing is on the screen");
    // A picture shortens the names of tokens that stand in the row above it.
    let whole: Vec<String> = texts.iter().filter(|drawn| !drawn.elided).map(|drawn| drawn.text.clone()).collect();
    for Drawn { text, pixels, rect, clip, elided } in texts {
        assert!(pixels >= 20.0, "{place}: {text:?} has only {pixels:.1} pixels");
        let fits = rect.left() >= clip.left() - 1.0 && rect.right() <= clip.right() + 1.0;
        // Trees are as wide as their branches are long, and scroll sideways.
        let scrolls = matches!(state(window).view.chart, Chart::Branches | Chart::Rollouts);
        // The boxes of the map are as many as the model has parts, and have less room each on a projector.
        let is_map = state(window).view.chart == Chart::Map;
        let is_whole = !elided || whole.contains(&text) || is_map;
        assert!((fits || scrolls) && is_whole, "{place}: {text:?} at {rect:?} is cut off by {clip:?}");
    }
}

/// The window on a projector.
fn projected() -> Window {
    let mut window = open_bundled();
    project(&mut window);
    window
}

fn project(window: &mut Window) {
    press(window, Key::F5);
    window.run_steps(2);
    let scale = window.ctx.zoom_factor();
    window.set_size(PROJECTOR / scale);
    window.run_steps(3);
}

fn settled(window: &mut Window) {
    step_until("the beat is there", window, |window| {
        let state = state(window);
        let waits = state.predict.given_at.is_some() && state.predict.answer.is_none();
        let taking = state.lessons.taking.as_ref();
        let waits = waits || state.inside.awaits_answers();
        idle(window) && !waits && state.job.is_none() && taking.is_none_or(|taking| taking.queue.is_empty())
    });
    window.run_steps(3);
}

/// Presents a lesson with nothing but a clicker.
fn present(window: &mut Window, id: &str) {
    act(window, Action::Lesson(LessonAction::Open(id.to_owned())));
    settled(window);
    for n_pressed in 0.. {
        let Some(taking) = &state(window).lessons.taking else { break };
        let place = format!("{id}, scene {}, {:?}", taking.scene + 1, beat(state(window)));
        check_legible(window, &place);
        assert!(n_pressed < 100, "{place}: it does not go on");
        press(window, Key::PageDown);
        settled(window);
    }
    assert!(state(window).lessons.finished.contains(&id.to_owned()), "{id} has no end");
}

#[test]
fn every_lesson_is_presented_by_the_clicker_alone_and_legibly() {
    let mut window = projected();
    for lesson in lessons(Language::English) {
        present(&mut window, &lesson.id);
    }
}

/// A lesson that hides the samplers and locks the KV cache, with a task that its solution does not do and a quiz.
const HELD_UP: &str = r#"+++
id = "held-up"
title = "Held up?"
minutes = 1
hide = ["samplers"]
lock = ["kv_cache"]
[[scene]]
id = "one"
setup = [{ prompt = "The cat" }, { make = 1 }]
point = ["samplers", "kv_cache"]
check = { made = 3 }
solution = [{ go_to = 1 }]
[[scene.quiz]]
question = "Why?"
answers = [{ text = "Because", right = true }, { text = "For fun", why = "No" }]
+++
## one
Words.
"#;

#[test]
fn a_presentation_is_held_up_by_nothing_and_hides_what_its_lesson_hides() {
    let (lesson, problems) = parse(HELD_UP, glossary(Language::English));
    assert!(problems.is_empty(), "{problems:?}");
    let opening = Opening::OwnLesson(lesson.unwrap().into(), "held.md".into());
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(opening))));
    project(&mut window);
    settled(&mut window);
    check_silent(&window, "Samplers");
    check_says(&window, "KV cache");
    press(&mut window, Key::PageDown);
    settled(&mut window);
    assert_eq!((beat(state(&window)), shown(state(&window))), (Some(Beat::Look), Shown::KvCache));
    act(&mut window, Action::Present(PresentAction::Show(Shown::Samplers)));
    assert_eq!(shown(state(&window)), Shown::KvCache, "it is not there");
    for _ in 0..3 {
        press(&mut window, Key::PageDown);
        settled(&mut window);
    }
    assert_eq!(beat(state(&window)), Some(Beat::Answer(0)));
    // Somebody asks why the other one is wrong.
    act(&mut window, Action::Lesson(LessonAction::Answer { question: 0, answer: 1 }));
    press(&mut window, Key::PageDown);
    settled(&mut window);
    assert!(state(&window).lessons.finished.contains(&"held-up".to_owned()));
}

#[test]
fn it_is_legible_in_german_and_light_too() {
    let mut window = projected();
    let preferences =
        Preferences { language: Some(Language::German), theme: ThemeChoice::Light, ..Preferences::default() };
    act(&mut window, Action::Settings(SettingsAction::Prefer(preferences)));
    window.run_steps(3);
    for id in ["press-send", "tokens", "logits-and-softmax"] {
        present(&mut window, id);
    }
    check_says(&window, "Nächstes Token");
}

#[test]
fn every_panel_is_legible() {
    let mut window = projected();
    for _ in 0..3 {
        press(&mut window, Key::Space);
        settled(&mut window);
    }
    for shown in Shown::iter().filter(|shown| *shown != Shown::Scene) {
        act(&mut window, Action::Present(PresentAction::Show(shown)));
        window.run_steps(3);
        check_legible(&window, &format!("{shown:?}"));
    }
}

#[test]
fn what_is_longer_than_the_screen_is_read_to_its_end_before_anything_else_comes() {
    let words = (1..=40).map(|n| format!("This is paragraph {n}.\n\n")).collect::<Vec<_>>().concat();
    let text = format!(
        "+++\nid = \"long\"\ntitle = \"Long?\"\nminutes = 1\n[[scene]]\nid = \"a\"\n[[scene]]\nid = \"b\"\n+++\n## a\n{words}\n## b\nEnd.\n"
    );
    let (lesson, problems) = parse(&text, glossary(Language::English));
    assert!(problems.is_empty(), "{problems:?}");
    let opening = Opening::OwnLesson(lesson.unwrap().into(), "long.md".into());
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(opening))));
    project(&mut window);
    let sees = |window: &Window, n: usize| {
        let wanted = format!("This is paragraph {n}.");
        let mut texts = drawn(window).into_iter().filter(|drawn| drawn.text == wanted);
        texts.any(|drawn| drawn.clip.expand(1.0).contains_rect(drawn.rect))
    };
    let mut seen = vec![false; 40];
    let mut n_pressed = 0;
    loop {
        for (at, seen) in seen.iter_mut().enumerate() {
            *seen |= sees(&window, at + 1);
        }
        if sees(&window, 40) {
            break;
        }
        check_says(&window, "Read on ▼");
        press(&mut window, Key::Space);
        settled(&mut window);
        n_pressed += 1;
        assert_eq!(state(&window).lessons.taking.as_ref().unwrap().scene, 0, "the end was never seen");
    }
    assert!(n_pressed > 1 && seen.iter().all(|seen| *seen), "{n_pressed} presses, {seen:?}");
    check_silent(&window, "Read on ▼");
    for _ in 0..n_pressed {
        press(&mut window, Key::PageUp);
        settled(&mut window);
    }
    assert!(sees(&window, 1));
    for _ in 0..=n_pressed {
        press(&mut window, Key::PageDown);
        settled(&mut window);
    }
    check_says(&window, "End.");
}

#[test]
fn nothing_is_given_away_before_it_is_revealed() {
    let mut window = projected();
    let lesson = lessons(Language::English).iter().find(|lesson| lesson.scenes[0].predict.is_some()).unwrap();
    act(&mut window, Action::Lesson(LessonAction::Open(lesson.id.clone())));
    settled(&mut window);
    let n_before = n_steps(&window);
    assert_eq!(beat(state(&window)), Some(Beat::Words));
    press(&mut window, Key::PageDown);
    settled(&mut window);
    assert_eq!((beat(state(&window)), n_steps(&window)), (Some(Beat::Look), n_before));
    for action in [
        PredictionAction::TypeRow(0, "mat".to_owned()),
        PredictionAction::Vote(0, 12),
        PredictionAction::TypeRow(1, "dog".to_owned()),
        PredictionAction::Vote(1, 5),
    ] {
        act(&mut window, Action::Predict(action));
    }
    window.run_steps(2);
    assert!(state(&window).predict.parts(state(&window)).is_none());
    check_silent(&window, "said by the class");
    press(&mut window, Key::PageDown);
    settled(&mut window);
    assert_eq!((beat(state(&window)), n_steps(&window)), (Some(Beat::Reveal), n_before + 1));
    let parts = state(&window).predict.parts(state(&window)).unwrap();
    assert_eq!((parts.len(), parts[0].said), (3, 13.0 / 20.0));
    check_says(&window, "said by the class");
    // What was said stays said while the panels are looked at.
    for _ in 0..2 {
        press(&mut window, Key::F5);
        window.run_steps(3);
    }
    // The scene is presented from its words on, which may take more than a page.
    for _ in 0..4 {
        if beat(state(&window)) != Some(Beat::Reveal) {
            press(&mut window, Key::PageDown);
            settled(&mut window);
        }
    }
    assert_eq!((beat(state(&window)), n_steps(&window)), (Some(Beat::Reveal), n_before + 1));
    check_says(&window, "said by the class");
    assert_eq!(state(&window).predict.parts(state(&window)).unwrap().len(), 3);
    // And back, as far as one can go.
    for _ in 0..3 {
        press(&mut window, Key::PageUp);
        settled(&mut window);
    }
    assert_eq!(beat(state(&window)), Some(Beat::Words));
}

#[test]
fn the_screen_goes_blank_and_comes_back() {
    let mut window = projected();
    for key in [Key::B, Key::Period] {
        press(&mut window, key);
        window.run_steps(2);
        assert!(drawn(&window).is_empty(), "{:?}", readable(&window));
        check_says(&window, "The screen is blank");
        press(&mut window, if key == Key::B { Key::Space } else { key });
        window.run_steps(2);
        check_legible(&window, "after the blank screen");
    }
    assert_eq!(state(&window).current_run().map_or(0, |run| run.trace().steps().len()), 0, "nothing else happened");
    press(&mut window, Key::Escape);
    window.run_steps(2);
    assert!(state(&window).present.is_none() && says(&window, "Samplers"));
}

#[test]
fn the_notes_have_a_window_of_their_own() {
    let mut window = projected();
    let lesson = lessons(Language::English).iter().find(|lesson| !lesson.scenes[0].teacher.trim().is_empty());
    let (lesson, scene) = match lesson {
        Some(lesson) => (lesson, 0),
        None => lessons(Language::English)
            .iter()
            .find_map(|l| l.scenes.iter().position(|s| !s.teacher.trim().is_empty()).map(|at| (l, at)))
            .unwrap(),
    };
    act(&mut window, Action::Lesson(LessonAction::Open(lesson.id.clone())));
    settled(&mut window);
    while state(&window).lessons.taking.as_ref().unwrap().scene < scene {
        press(&mut window, Key::PageDown);
        settled(&mut window);
    }
    let words: String = lesson.scenes[scene].teacher.trim().split(['.', '*', '[', '{']).next().unwrap().to_owned();
    check_silent(&window, &words);
    press(&mut window, Key::N);
    window.run_steps(3);
    check_says(&window, &words);
    check_says(&window, "Next: ");
    press(&mut window, Key::N);
    window.run_steps(2);
    check_silent(&window, &words);
}

#[test]
fn without_a_lesson_the_room_predicts_sees_and_is_asked_again() {
    let mut window = projected();
    press(&mut window, Key::Num1);
    assert_ne!(shown(state(&window)), Shown::Scene, "there is no scene without a lesson");
    for action in
        [PredictionAction::Ask(true), PredictionAction::TypeRow(0, "mat".to_owned()), PredictionAction::Vote(0, 3)]
    {
        act(&mut window, Action::Predict(action));
    }
    // Whoever presses twice loses nothing.
    press(&mut window, Key::PageDown);
    if asking(state(&window)) == Asking::Waits {
        press(&mut window, Key::PageDown);
    }
    settled(&mut window);
    assert_eq!((n_steps(&window), state(&window).predict.scores.len()), (1, 1));
    assert_eq!(asking(state(&window)), Asking::Answered);
    press(&mut window, Key::PageDown);
    settled(&mut window);
    assert_eq!((n_steps(&window), asking(state(&window))), (1, Asking::Nothing));
    press(&mut window, Key::PageDown);
    settled(&mut window);
    assert_eq!(n_steps(&window), 2);
}

#[test]
fn where_the_text_has_ended_the_room_is_told_so() {
    let mut window = projected();
    act(&mut window, Action::Run(RunAction::SetMaxNewTokens(1)));
    make_tokens(&mut window, 1);
    for action in
        [PredictionAction::Ask(true), PredictionAction::TypeRow(0, "mat".to_owned()), PredictionAction::Vote(0, 3)]
    {
        act(&mut window, Action::Predict(action));
    }
    act(&mut window, Action::Predict(PredictionAction::Give));
    window.run_steps(3);
    check_says(&window, "the maximum is set to");
}

#[test]
fn while_the_room_predicts_the_keys_show_what_does_not_tell_the_answer() {
    let mut window = projected();
    let question = "What comes next?";
    press(&mut window, Key::Num3);
    act(&mut window, Action::Predict(PredictionAction::Ask(true)));
    window.run_steps(2);
    check_says(&window, question);
    press(&mut window, Key::Num6);
    window.run_steps(2);
    assert_eq!(shown(state(&window)), Shown::KvCache);
    check_silent(&window, question);
    // Without a lesson there is no scene.
    for telling in [Key::Num3, Key::Num4, Key::Num8, Key::Num1] {
        press(&mut window, telling);
        window.run_steps(2);
        check_says(&window, question);
    }
    act(&mut window, Action::Predict(PredictionAction::TypeRow(0, "mat".to_owned())));
    act(&mut window, Action::Predict(PredictionAction::Vote(0, 3)));
    press(&mut window, Key::Num6);
    press(&mut window, Key::PageDown);
    settled(&mut window);
    check_says(&window, question);
    press(&mut window, Key::Num3);
    window.run_steps(2);
    check_silent(&window, question);
}

#[test]
fn the_clicker_acts_while_a_word_is_typed_and_escape_leaves_the_field_first() {
    let mut window = projected();
    act(&mut window, Action::Predict(PredictionAction::Ask(true)));
    window.run_steps(2);
    focus(&mut window, "Word 1 of the class");
    type_text(&mut window, "mat");
    press(&mut window, Key::Escape);
    assert!(state(&window).present.is_some(), "the field is left, not the presentation");
    focus(&mut window, "Word 1 of the class");
    press(&mut window, Key::B);
    assert!(!state(&window).present.as_ref().unwrap().blank, "a letter belongs to the field");
    press(&mut window, Key::PageDown);
    settled(&mut window);
    assert_eq!((n_steps(&window), state(&window).predict.scores.len()), (1, 1));
    press(&mut window, Key::Escape);
    press(&mut window, Key::Escape);
    assert!(state(&window).present.is_none());
}
