//! Lessons through the window, from the first scene to the last, by keyboard alone.

use crate::harness::{
    Window, act, check_says, chosen_ids, click, idle, make_tokens, open, open_bundled, open_shell, press, readable,
    ready, says, state, step_until, text_of,
};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, TouchPhase, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::fmt::Write as _;
use strum::IntoEnumIterator as _;
use tokenscope::app::Section::{KvCache, Samplers, Text, Timing};
use tokenscope::app::lessons::{ANCHORS, Taking, glossary, parse};
use tokenscope::app::{
    Action, Chart, Cursor, EmbeddingsAction, EmbeddingsPart, ExploreAction, InsideAction, LessonAction, LoopStage,
    ModelsAction, PredictionAction, Preferences, PromptAction, Room, RunAction, SamplersAction, Scale, ScreenAction,
    SettingsAction, Tint, copied_scene,
};
use tokenscope::engine::ModelSource;
use tokenscope::message::Language;
use tokenscope::sampling::{SamplerSettings, Stage, StageKind};
use tokenscope::ui::shell::Opening;

fn taking(window: &Window) -> Option<&Taking> {
    state(window).lessons.taking.as_ref()
}

fn n_tokens(window: &Window) -> usize {
    state(window).current_run().map_or(0, |run| run.trace().steps().len())
}

fn settled(window: &mut Window) {
    step_until("the scene is set up", window, |window| {
        let state = state(window);
        let answered = !state.settings_differ() || state.current_input().is_none() || state.current_what_if().is_some();
        idle(window)
            && answered
            && state.prompt.is_tokenized()
            && state.job.is_none()
            && !state.inside.awaits_answers()
            && taking(window).is_none_or(|taking| taking.queue.is_empty())
    });
    window.run_steps(3);
}

/// Goes with Tab to the button of this name and presses it.
#[track_caller]
fn press_button(window: &mut Window, name: &str) {
    for _ in 0..2000 {
        window.key_press(Key::Tab);
        window.step();
        let focused = window.root().children_recursive().find(|node| node.accesskit_node().is_focused());
        let is_it = focused
            .is_some_and(|node| node.accesskit_node().role() != Role::Label && text_of(&node).as_deref() == Some(name));
        if is_it {
            window.key_press(Key::Enter);
            window.run_steps(3);
            return;
        }
    }
    panic!("Tab never comes to {name:?} in\n{}", readable(window).join("\n"));
}

/// Makes five tokens with two chains, one of them taken, and looks at them in an unusual way.
fn make_a_moment(window: &mut Window) {
    act(window, Action::Prompt(PromptAction::Edit("Once \"upon\" a\ntime, é".to_owned())));
    act(
        window,
        Action::Samplers(SamplersAction::Set(
            SamplerSettings::of([Stage::temperature(1.3), Stage::min_p(0.01)]).with_seed(7),
        )),
    );
    window.run_steps(2);
    make_tokens(window, 2);
    let fifth = state(window).current_run().unwrap().trace().steps()[1].sampling.raw.head[4].id;
    act(window, Action::Explore(ExploreAction::TakeToken { step: 1, id: fifth }));
    window.run_steps(2);
    make_tokens(window, 3);
    act(
        window,
        Action::Samplers(SamplersAction::Set(
            SamplerSettings::of([Stage::top_k(5), Stage::temperature(1.5)]).with_seed(7),
        )),
    );
    make_tokens(window, 5);
    let mut sampler = state(window).sampler.clone();
    sampler.slot_mut(StageKind::TopK).unwrap().on = false;
    act(window, Action::Samplers(SamplersAction::Set(sampler)));
    act(window, Action::Run(RunAction::SetMaxNewTokens(33)));
    act(window, Action::Run(RunAction::GoTo(Cursor { step: 3, stage: LoopStage::Softmax })));
    act(window, Action::Screen(ScreenAction::SetChart(Chart::Bars)));
    act(window, Action::Screen(ScreenAction::SetScale(Scale::Log)));
    act(window, Action::Screen(ScreenAction::SetTint(Tint::Rank)));
}

#[test]
fn a_copied_moment_is_the_same_moment_in_a_lesson() {
    let mut window = open_bundled();
    make_a_moment(&mut window);
    act(&mut window, Action::Lesson(LessonAction::CopyScene));
    check_says(&window, "Copied: this moment as a scene");
    let scene = copied_scene(state(&window));
    assert!(!scene.contains("another seed") && scene.contains("take = "), "{scene}");
    let text = format!("+++\nid = \"x\"\ntitle = \"X?\"\nminutes = 1\n{scene}+++\n## copied\nHere.\n");
    let (lesson, problems) = parse(&text, glossary(Language::English));
    assert!(problems.is_empty(), "{problems:?} in\n{text}");
    let opening = Opening::OwnLesson(lesson.unwrap().into(), "lesson.md".into());
    let mut other = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(opening))));
    settled(&mut other);
    let moment = |window: &Window| {
        let state = state(window);
        let view = &state.view;
        let seen = (state.cursor, view.chart, view.scale, view.text, view.tint);
        (state.prompt.text.clone(), chosen_ids(window), state.sampler.clone(), state.max_new_tokens, seen)
    };
    assert_eq!(moment(&other), moment(&window));
    assert_eq!(copied_scene(state(&other)), scene);
    // Another seed afterwards cannot be told apart by any set-up, and that is said.
    act(&mut window, Action::Samplers(SamplersAction::Set(SamplerSettings::default().with_seed(8))));
    assert!(copied_scene(state(&window)).contains("# Step 1 was drawn with another seed"));
}

const OWN: &str = "+++
id = \"own\"
title = \"Why?\"
minutes = 1
[[scene]]
id = \"one\"
setup = [{ prompt = \"The cat\" }, { make = 2 }]
[[scene]]
id = \"two\"
setup = [{ make = 4 }]
+++
## one
First words.
## two
Second words.
";

#[test]
fn a_lesson_that_is_edited_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.md");
    std::fs::write(&path, OWN).unwrap();
    let opening = Opening::OwnLesson(parse(OWN, glossary(Language::English)).0.unwrap().into(), path.clone());
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(opening))));
    settled(&mut window);
    act(&mut window, Action::Lesson(LessonAction::Next));
    settled(&mut window);
    check_says(&window, "Second words.");
    let made = chosen_ids(&window);
    assert_eq!(made.len(), 4);
    let edit = |window: &mut Window, text: &str, shown: &str| {
        std::fs::write(&path, text).unwrap();
        step_until(shown, window, |window| says(window, shown));
    };
    // Other words: the learner stays where they are, with all that was made.
    edit(&mut window, &OWN.replace("Second words", "Better words"), "Better words.");
    assert_eq!((taking(&window).unwrap().scene, chosen_ids(&window)), (1, made.clone()));
    // A mistake: told with its line, and nothing is lost.
    edit(&mut window, &OWN.replace("make = 4", "mak = 4"), "own.md, line 10: this scene cannot be read");
    check_says(&window, "Better words.");
    // Something else is set up: it is, in the scene of this id, wherever it stands now.
    let more = OWN.replace("[[scene]]\nid = \"one\"", "[[scene]]\nid = \"zero\"\n[[scene]]\nid = \"one\"");
    let more = more.replace("make = 4", "make = 6").replace("## one", "## zero\nNothing.\n## one");
    edit(&mut window, &more, "Second words.");
    settled(&mut window);
    assert_eq!((taking(&window).unwrap().scene, chosen_ids(&window).len()), (2, 6));
    assert_eq!(chosen_ids(&window)[..4], made);
    assert_eq!(state(&window).notice, None);
    // Gone for a moment, as some editors do it.
    std::fs::remove_file(&path).unwrap();
    window.run_steps(3);
    edit(&mut window, &OWN.replace("Second words", "Last words"), "Last words.");
}

/// The same with something to do in the first scene, another picture in the second, and a third with a prompt of its own.
fn three_scenes() -> String {
    let two = OWN.replace("{ make = 2 }]", "{ make = 2 }]\ncheck = { made = 4 }\nsolution = [{ make = 4 }]");
    let third = "[[scene]]\nid = \"three\"\nsetup = [{ prompt = \"The dog\" }, { make = 1 }]";
    let three = two.replace("\nsetup = [{ make = 4 }]", &format!("\nsetup = [{{ chart = \"bars\" }}]\n{third}"));
    three + "## three\nThird words.\n"
}

#[test]
fn a_scene_begins_at_once_and_going_back_brings_its_text_back() {
    let opening =
        Opening::OwnLesson(parse(&three_scenes(), glossary(Language::English)).0.unwrap().into(), "own.md".into());
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(opening))));
    settled(&mut window);
    let lesson = |window: &mut Window, action| {
        act(window, Action::Lesson(action));
        window.run_steps(2);
    };
    // A run that would take a minute gives way to what the next scene sets up, and not to another picture of it.
    act(&mut window, Action::Run(RunAction::SetSpeed(2.0)));
    act(&mut window, Action::Run(RunAction::Toggle));
    step_until("the check holds", &mut window, |window| taking(window).unwrap().done);
    lesson(&mut window, LessonAction::Next);
    assert!(!idle(&window) && state(&window).view.chart == Chart::Bars);
    lesson(&mut window, LessonAction::Next);
    settled(&mut window);
    assert_eq!((state(&window).prompt.text.as_str(), n_tokens(&window)), ("The dog", 1));
    lesson(&mut window, LessonAction::Previous);
    settled(&mut window);
    assert_eq!((state(&window).prompt.text.as_str(), n_tokens(&window)), ("The cat", 4));
    assert_eq!((taking(&window).unwrap().scene, state(&window).view.chart), (1, Chart::Bars));
}

#[test]
fn going_back_brings_the_settings_back_and_leaves_what_was_made() {
    let header = "+++\nid = \"own\"\ntitle = \"Why?\"\nminutes = 1\n";
    let one =
        "[[scene]]\nid = \"one\"\nsetup = [{ prompt = \"The cat\" }, { stages = \"temperature=1\" }, { make = 1 }]\n";
    let two =
        "[[scene]]\nid = \"two\"\n[[scene]]\nid = \"asks\"\npredict = \"And now?\"\n[[scene]]\nid = \"last\"\n+++\n";
    let text = format!("{header}{one}{two}## one\nA.\n## two\nB.\n## asks\nC.\n## last\nD.\n");
    let (lesson, problems) = parse(&text, glossary(Language::English));
    assert!(problems.is_empty(), "{problems:?}");
    let opening = Opening::OwnLesson(lesson.unwrap().into(), "own.md".into());
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(opening))));
    settled(&mut window);
    let go = |window: &mut Window, action| {
        act(window, Action::Lesson(action));
        settled(window);
    };
    go(&mut window, LessonAction::Next);
    let before = state(&window).sampler.clone();
    go(&mut window, LessonAction::Next);
    // The forecast is left out, and settings are changed; the scene before asks anew, and what it asks for is gone.
    make_tokens(&mut window, 1);
    step_until("it may go on", &mut window, |window| taking(window).unwrap().can_go_on());
    act(&mut window, Action::Samplers(SamplersAction::Set(SamplerSettings::of([Stage::temperature(0.5)]))));
    go(&mut window, LessonAction::Next);
    assert_eq!(n_tokens(&window), 2);
    go(&mut window, LessonAction::Previous);
    assert_eq!((n_tokens(&window), taking(&window).unwrap().predicted), (1, false));
    assert_eq!(state(&window).sampler, before);
    // What the learner made stays where nothing is asked.
    make_tokens(&mut window, 3);
    act(&mut window, Action::Samplers(SamplersAction::Set(SamplerSettings::of([Stage::temperature(0.5)]))));
    go(&mut window, LessonAction::Previous);
    assert_eq!((n_tokens(&window), taking(&window).unwrap().scene), (4, 1));
    assert_eq!(state(&window).sampler, before);
}

#[test]
fn a_lesson_says_that_it_was_written_for_another_model() {
    let mut window = open(ModelSource::BundledDraft);
    let lesson = &tokenscope::app::lessons::lessons(Language::English)[0];
    act(&mut window, Action::Lesson(LessonAction::Open(lesson.id.clone())));
    window.run_steps(3);
    check_says(&window, "was written for the bundled model");
    click(&mut window, "Load the bundled model");
    step_until("it is gone", &mut window, |window| !says(window, "was written for the bundled model"));
    assert!(state(&window).has_bundled());
    // What the scene had set up with the other model is set up again.
    act(&mut window, Action::Models(ModelsAction::Load(ModelSource::BundledDraft)));
    act(&mut window, Action::Lesson(LessonAction::Open("kv-memory".to_owned())));
    let has_step = |window: &Window| idle(window) && n_tokens(window) > 0 && taking(window).unwrap().queue.is_empty();
    step_until("the scene is set up", &mut window, |window| !state(window).has_bundled() && has_step(window));
    click(&mut window, "Load the bundled model");
    step_until("the scene is set up again", &mut window, |window| state(window).has_bundled() && has_step(window));
}

fn take(window: &mut Window, id: &str) {
    let lesson = tokenscope::app::lessons::Lesson::find(id, Language::English).unwrap();
    press_button(window, &lesson.title);
    for (place, scene) in lesson.scenes.iter().enumerate() {
        settled(window);
        assert_eq!(taking(window).map(|taking| taking.scene), Some(place), "{id}");
        assert!(window.unnamed_widgets().is_empty(), "{:?}", window.unnamed_widgets());
        if scene.predict.is_some() {
            press_button(window, "Leave it out");
        }
        if scene.check.is_some() {
            assert!(!says(window, "✓ Done"), "{id}, {}", scene.id);
            for _ in &scene.hints {
                press_button(window, "Hint");
            }
            press_button(window, "Show me");
            settled(window);
            check_says(window, "✓ Done");
        }
        for (question, asked) in scene.quiz.iter().enumerate() {
            // A wrong answer says why, and can be mended.
            for right in [false, true] {
                let answer = asked.answers.iter().position(|answer| answer.right == right).unwrap();
                act(window, Action::Lesson(LessonAction::Answer { question, answer }));
                window.run_steps(2);
                check_says(window, if right { "Right" } else { &asked.answers[answer].why });
            }
        }
        let last = place + 1 == lesson.scenes.len();
        // The button or its key: with hundreds of tokens on the screen the key is nearer.
        if last && n_tokens(window) < 100 {
            press_button(window, "Finish");
        } else {
            window.key_press(Key::Escape);
            window.run_steps(2);
            press(window, Key::N);
        }
    }
    assert!(taking(window).is_none() && state(window).lessons.finished.contains(&lesson.id), "{id}");
}

#[test]
fn every_lesson_is_taken_from_its_first_scene_to_its_last() {
    for lessons in tokenscope::app::lessons::lessons(Language::English).chunks(4) {
        let mut window = open_bundled();
        // A lesson types an emoji, which the program leaves to the fonts of the system.
        window.ctx.set_missing_glyph_policy(egui::MissingGlyphPolicy::Tofu);
        window.key_press_modifiers(Modifiers::COMMAND, Key::L);
        window.run_steps(3);
        check_says(&window, "Lessons");
        for lesson in lessons {
            if state(&window).speed.is_finite() {
                act(&mut window, Action::Run(RunAction::SetSpeed(f64::INFINITY)));
            }
            window.run_steps(2);
            take(&mut window, &lesson.id);
        }
    }
}

/// What the lessons say of the bundled model without a task that shows it: the prompt, what is set up, and what holds.
const CLAIMS: [(&str, &str, &str); 8] = [
    ("The cat sat on the", "chart = 'attention' }, { head = 'L8 H3'", "measure = { name = 'first', at_least = 0.9 }"),
    ("The cat sat on the", "chart = 'attention' }, { head = 'L5 H5'", "reads = { position = 2, at_least = 0.95 }"),
    ("The cat sat on the", "chart = 'interventions' }, { off = 'L5 H5'", "effect = { at_least = 0.9 }"),
    (" dog cat bird fish dog cat bird", "chart = 'interventions' }, { off = 'L5 H5'", "effect = { at_least = 0.1 }"),
    (" dog cat bird fish dog cat bird", "chart = 'interventions' }, { off = 'L4 H3'", "effect = { at_most = 0.8 }"),
    ("The capital of France is", "chart = 'interventions' }, { off = 'L8 H3'", "effect = { at_least = 0.99 }"),
    ("The capital of France is", "chart = 'interventions' }, { off = 'L0 MLP'", "effect = { at_most = 0.01 }"),
    (
        "Once upon a time, there was a little",
        "chart = 'interventions' }, { off = 'L9 MLP'",
        "effect = { at_least = 0.7 }",
    ),
];

#[test]
fn what_the_lessons_say_of_the_model_is_so() {
    let mut header = "+++\nid = 'claims'\ntitle = 'So?'\nminutes = 1\n".to_owned();
    let mut body = String::from("+++\n");
    for (n, (prompt, setup, check)) in CLAIMS.into_iter().enumerate() {
        let begin = format!("{{ intact = true }}, {{ prompt = '{prompt}' }}, {{ stages = 'greedy' }}, {{ make = 1 }}");
        _ = writeln!(header, "[[scene]]\nid = 'c{n}'\nsetup = [{begin}, {{ {setup} }}]");
        _ = writeln!(header, "check = {{ {check} }}\nsolution = [{{ pin = true }}]");
        _ = writeln!(body, "## c{n}\nSo.");
    }
    let (lesson, problems) = parse(&(header + &body), glossary(Language::English));
    assert!(problems.is_empty(), "{problems:?}");
    let opening = Opening::OwnLesson(lesson.unwrap().into(), "claims.md".into());
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(opening))));
    for claim in CLAIMS {
        settled(&mut window);
        assert!(taking(&window).unwrap().done, "{claim:?}");
        act(&mut window, Action::Lesson(LessonAction::Next));
    }
}

#[test]
fn a_prediction_is_held_against_the_model() {
    let mut window = open_bundled();
    let lesson = tokenscope::app::lessons::lessons(Language::English)
        .iter()
        .find(|lesson| lesson.scenes.iter().any(|s| s.predict.is_some()))
        .unwrap();
    let lesson_act = |window: &mut Window, action| {
        act(window, Action::Lesson(action));
        window.run_steps(2);
    };
    lesson_act(&mut window, LessonAction::Open(lesson.id.clone()));
    let place = lesson.scenes.iter().position(|scene| scene.predict.is_some()).unwrap();
    for scene in &lesson.scenes[..place] {
        settled(&mut window);
        if scene.check.is_some() {
            lesson_act(&mut window, LessonAction::ShowMe);
            settled(&mut window);
        }
        for (question, asked) in scene.quiz.iter().enumerate() {
            let answer = asked.answers.iter().position(|answer| answer.right).unwrap();
            lesson_act(&mut window, LessonAction::Answer { question, answer });
        }
        lesson_act(&mut window, LessonAction::Next);
    }
    settled(&mut window);
    for action in
        [PredictionAction::Type("zebra crossing".to_owned()), PredictionAction::SetPercent(20), PredictionAction::Give]
    {
        act(&mut window, Action::Predict(action));
        window.run_steps(2);
    }
    foretold(&mut window);
    check_says(&window, "zebra crossing (␣");
    check_says(&window, "One prediction so far");
    assert_eq!(state(&window).predict.scores.len(), 1);
    assert!(taking(&window).unwrap().predicted);
}

fn foretold(window: &mut Window) {
    step_until("the prediction is held against the model", window, |window| {
        idle(window) && state(window).predict.answer.is_some()
    });
    window.run_steps(2);
}

/// Softmax of the shown step's logits, by token.
fn probabilities(window: &Window) -> Vec<f64> {
    let logits = state(window).current_input().unwrap().logits;
    let best = logits.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f64> = logits.iter().map(|logit| f64::from(logit - best).exp()).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

fn token(window: &Window, text: &str) -> usize {
    let model = state(window).shown_model().unwrap();
    (0..model.vocabulary.len()).find(|id| model.vocabulary.bytes(*id as u32) == text.as_bytes()).unwrap()
}

#[test]
fn a_prediction_on_any_prompt_is_scored_by_the_logarithmic_rule() {
    let mut window = open_bundled();
    act(
        &mut window,
        Action::Samplers(SamplersAction::Set(SamplerSettings::of([Stage::temperature(1.0)]).with_seed(3))),
    );
    press(&mut window, Key::P);
    check_says(&window, "What comes next?");
    for (n, said) in [(1, 0.9_f64), (2, 0.3)] {
        act(&mut window, Action::Predict(PredictionAction::Clear));
        act(&mut window, Action::Predict(PredictionAction::Type("Paris".to_owned())));
        act(&mut window, Action::Predict(PredictionAction::SetPercent((said * 100.0).round() as u32)));
        act(&mut window, Action::Predict(PredictionAction::Give));
        foretold(&mut window);
        let paris = token(&window, " Paris");
        let prob = probabilities(&window)[paris];
        let came = *chosen_ids(&window).last().unwrap() as usize == paris;
        let (said, prob) = if came { (said, prob) } else { (1.0 - said, 1.0 - prob) };
        let score = *state(&window).predict.scores.last().unwrap();
        assert_eq!(state(&window).predict.scores.len(), n);
        assert!((score.yours + said.log2()).abs() < 1e-9, "{score:?}");
        assert!((score.models + prob.log2()).abs() < 1e-6, "{score:?} for {prob}");
    }
    check_says(&window, "Mean of 2 predictions");
}

#[test]
fn a_class_votes_and_is_drawn_beside_the_model() {
    let mut window = open_bundled();
    act(
        &mut window,
        Action::Samplers(SamplersAction::Set(SamplerSettings::of([Stage::temperature(1.0)]).with_seed(3))),
    );
    let say = |window: &mut Window, action| {
        act(window, Action::Predict(action));
        window.run_steps(2);
    };
    say(&mut window, PredictionAction::Ask(true));
    say(&mut window, PredictionAction::SetClass(true));
    for _ in 0..9 {
        say(&mut window, PredictionAction::AddRow);
    }
    assert_eq!(state(&window).predict.poll.len(), 6, "there are six words and no more");
    for (row, (word, votes)) in [("Paris", 14), ("London", 3), ("the", 1)].into_iter().enumerate() {
        say(&mut window, PredictionAction::TypeRow(row, word.to_owned()));
        for _ in 0..votes {
            say(&mut window, PredictionAction::Vote(row, 1));
        }
    }
    check_says(&window, "18 votes");
    say(&mut window, PredictionAction::Give);
    foretold(&mut window);
    let parts = state(&window).predict.parts(state(&window)).unwrap();
    let probs = probabilities(&window);
    // One vote beforehand for each of three words and for everything else.
    for (part, (word, said)) in parts.iter().zip([(" Paris", 15.0), (" London", 4.0), (" the", 2.0)]) {
        assert!((part.said - said / 22.0).abs() < 1e-12);
        assert!((part.given - probs[token(&window, word)]).abs() < 1e-6, "{word}");
    }
    let sums = parts.iter().fold((0.0, 0.0), |(said, given), part| (said + part.said, given + part.given));
    assert!((sums.0 - 1.0).abs() < 1e-12 && (sums.1 - 1.0).abs() < 1e-9);
    assert_eq!(parts.iter().filter(|part| part.came).count(), 1);
    check_says(&window, "said by the class");
    check_says(&window, "anything else");
}

#[test]
fn all_that_can_be_pointed_at_is_somewhere_on_the_screen() {
    let mut window = open_bundled();
    for _ in 0..2 {
        press(&mut window, Key::Space);
        step_until("a token is made", &mut window, idle);
    }
    let id = state(&window).current_run().unwrap().trace().steps()[0].sampling.raw.head[40].id;
    act(&mut window, Action::Explore(ExploreAction::TakeToken { step: 0, id }));
    window.run_steps(2);
    let mut found = std::collections::BTreeSet::new();
    let mut look = |window: &Window| {
        let stages = StageKind::ALL.map(|kind| format!("stage.{}", kind.key));
        let names = ANCHORS.iter().map(|name| (*name).to_owned()).chain(stages);
        found.extend(names.filter(|name| tokenscope::ui::anchors::find(&window.ctx, name).is_some()));
    };
    look(&window);
    for section in [Samplers, Text, KvCache, Timing] {
        for other in [Samplers, Text, KvCache, Timing] {
            if state(&window).view.open_sections.contains(&other) != (other == section) {
                act(&mut window, Action::Screen(ScreenAction::ToggleSection(other)));
                window.run_steps(2);
            }
        }
        look(&window);
    }
    act(&mut window, Action::Screen(ScreenAction::ToggleSection(Samplers)));
    act(&mut window, Action::Screen(ScreenAction::ToggleSection(Timing)));
    for kind in StageKind::ALL {
        let settings = SamplerSettings::of([kind.usual()]);
        act(&mut window, Action::Samplers(SamplersAction::Set(settings)));
        window.run_steps(2);
        look(&window);
    }
    act(&mut window, Action::Run(RunAction::GoTo(Cursor::START)));
    window.run_steps(2);
    look(&window);
    act(&mut window, Action::Run(RunAction::ShowStage(LoopStage::Softmax)));
    window.run_steps(2);
    look(&window);
    for part in EmbeddingsPart::iter() {
        act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Embeddings)));
        act(&mut window, Action::Inside(InsideAction::Embeddings(EmbeddingsAction::Show(part))));
        step_until("it is there", &mut window, |window| state(window).job.is_none());
        step_until("it is drawn", &mut window, |window| !says(window, "Reading the embedding matrix"));
        look(&window);
    }
    for chart in Room::Inside.charts() {
        act(&mut window, Action::Screen(ScreenAction::SetChart(chart)));
        step_until("it is there", &mut window, |window| state(window).job.is_none());
        window.run_steps(2);
        look(&window);
    }
    let missing: Vec<_> = ANCHORS.iter().filter(|name| !found.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let missing: Vec<_> =
        StageKind::ALL.iter().filter(|kind| !found.contains(&format!("stage.{}", kind.key))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_term_opens_the_glossary() {
    let mut window = open_bundled();
    act(&mut window, Action::Lesson(LessonAction::LookUp(Some("kv-cache".to_owned()))));
    window.run_steps(3);
    check_says(&window, "KV cache");
    window.get_by_label("Close").click();
    window.run_steps(2);
    assert_eq!(state(&window).lessons.term, None);
}

#[test]
fn a_lesson_locks_and_hides_what_it_does_not_teach() {
    let text =
        OWN.replace("minutes = 1", "minutes = 1\nlock = [\"samplers\", \"run\"]\nhide = [\"session\", \"kv_cache\"]");
    let (lesson, problems) = parse(&text, glossary(Language::English));
    assert!(problems.is_empty(), "{problems:?}");
    let opening = Opening::OwnLesson(lesson.unwrap().into(), "lesson.md".into());
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(opening))));
    settled(&mut window);
    let disabled = |window: &Window, name: &str| window.get_by_label(name).accesskit_node().is_disabled();
    assert!(disabled(&window, "▶ Run") && disabled(&window, "Greedy") && !disabled(&window, "Step"));
    for hidden in ["Session ▾", "KV cache"] {
        assert!(window.query_by_label(hidden).is_none(), "{hidden}");
    }
    // What is locked is not done by the keyboard either, and the lesson says why.
    let before = state(&window).sampler.clone();
    press(&mut window, Key::G);
    window.run_steps(2);
    assert_eq!(state(&window).sampler, before);
    check_says(&window, "This lesson keeps this as it is");
    // What the lesson itself sets up is not locked, and whoever leaves it has everything back.
    assert_eq!(n_tokens(&window), 2);
    act(&mut window, Action::Lesson(LessonAction::Leave));
    window.run_steps(2);
    assert!(!disabled(&window, "▶ Run") && window.query_by_label("KV cache").is_some());
    press(&mut window, Key::G);
    assert_ne!(state(&window).sampler, before);
}

#[test]
fn a_prompt_that_a_lesson_locks_can_be_read_to_its_end() {
    let text =
        OWN.replace("minutes = 1", "minutes = 1\nlock = [\"prompt\"]").replace("The cat", &"The cat\\n".repeat(9));
    let (lesson, problems) = parse(&text, glossary(Language::English));
    assert!(problems.is_empty(), "{problems:?}");
    let opening = Opening::OwnLesson(lesson.unwrap().into(), "lesson.md".into());
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(opening))));
    settled(&mut window);
    let field = |window: &Window| window.get_by(|node| node.role() == Role::MultilineTextInput).rect();
    assert!(window.get_by(|node| node.role() == Role::MultilineTextInput).accesskit_node().is_disabled());
    let before = field(&window);
    window.event(Event::PointerMoved(before.min + vec2(60.0, 20.0)));
    window.run_steps(2);
    let (unit, source) = (MouseWheelUnit::Point, MouseWheelSource::Unknown);
    let (phase, modifiers) = (TouchPhase::Move, Modifiers::NONE);
    window.event(Event::MouseWheel { unit, delta: vec2(0.0, -60.0), phase, source, modifiers });
    step_until("the prompt is scrolled", &mut window, |window| field(window).min.y < before.min.y - 30.0);
}

#[test]
fn a_folder_of_lessons_stands_in_the_list_and_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let kept = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    file("a.md", &OWN.replace("Why?", "Why not?"));
    file("b.md", "+++\nthis is no TOML\n+++\n");
    file("c.md", &"x".repeat(10 << 20));
    file("d.md", &OWN.replace("id = \"own\"", "id = \"evil\"").replace("First words.", "[x](file:///etc/passwd)"));
    file("README.md", "not a lesson");
    let sessions = kept.path().join("sessions");
    let keeping = sessions.clone();
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.keeping_in(Some(keeping)).unwrap()));
    let preferences = Preferences { lesson_folder: Some(folder.path().to_path_buf()), ..Preferences::default() };
    act(&mut window, Action::Settings(SettingsAction::Prefer(preferences)));
    act(&mut window, Action::Lesson(LessonAction::ToggleList));
    step_until("the folder is read", &mut window, |window| state(window).lessons.shelf.len() == 4);
    window.run_steps(2);
    for part in [
        "Why not?",
        "b.md: line 2: the header cannot be read",
        "c.md: it has more than the 4194304 bytes that such a file may have",
        "d.md: line 13: a link must begin with",
        // And those of the program are all there.
        "What happens in the moments after you press send?",
    ] {
        check_says(&window, part);
    }
    act(&mut window, Action::Lesson(LessonAction::Open("own".to_owned())));
    settled(&mut window);
    check_says(&window, "First words.");
    file("a.md", &OWN.replace("First words.", "Other words."));
    step_until("the file is read again", &mut window, |window| says(window, "Other words."));
    // A mistake in between, and its mending.
    file("a.md", &OWN.replace("First words", "[First](nowhere) words"));
    let is_wrong =
        |window: &Window| state(window).lessons.shelf.iter().any(|(path, l)| path.ends_with("a.md") && l.is_err());
    step_until("the mistake is seen", &mut window, is_wrong);
    file("a.md", &OWN.replace("First words.", "Mended words."));
    step_until("the file is read again", &mut window, |window| says(window, "Mended words."));
    drop(window);
    // The next start knows the folder.
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.keeping_in(Some(sessions)).unwrap()));
    step_until("the folder is read", &mut window, |window| state(window).lessons.shelf.len() == 4);
    assert!(state(&window).lessons.own_lessons().any(|lesson| lesson.id == "own"));
    // One with the id of a lesson of the program stands in its place.
    file("a.md", &OWN.replace("\"own\"", "\"press-send\""));
    step_until("the file is read again", &mut window, |window| {
        state(window).lessons.own_lessons().any(|lesson| lesson.id == "press-send")
    });
    let listed = state(&window).lessons.listed().filter(|lesson| lesson.id == "press-send");
    assert_eq!(listed.map(|lesson| lesson.title.as_str()).collect::<Vec<_>>(), ["Why?"]);
}

#[test]
fn a_tooltip_and_a_name_lead_to_the_glossary() {
    let mut window = open_bundled();
    press(&mut window, Key::Space);
    step_until("a token is made", &mut window, idle);
    window.run_steps(2);
    press(&mut window, Key::F1);
    window.run_steps(3);
    check_says(&window, "grouped-query attention");
    window.get_by_label("entropy").click();
    window.run_steps(3);
    assert_eq!(state(&window).lessons.term.as_deref(), Some("entropy"));
    click(&mut window, "Close");
    window.run_steps(3);
    assert_eq!(state(&window).lessons.term, None);
    // A name beside a value: the section Time has the prefill.
    let name = readable(&window).into_iter().find(|text| text.starts_with("Prefill,")).unwrap();
    window.get_by_label(&name).scroll_to_me();
    window.run_steps(3);
    click(&mut window, &name);
    window.run_steps(3);
    assert_eq!(state(&window).lessons.term.as_deref(), Some("prefill"));
    press(&mut window, Key::Escape);
    window.run_steps(3);
    assert_eq!(state(&window).lessons.term, None);
    // And a tooltip, which stays while the pointer goes to it.
    window.get_by_label("Greedy").scroll_to_me();
    window.run_steps(3);
    window.get_by_label("Greedy").hover();
    window.run_steps(40);
    window.get_by_label("▸ token").click();
    window.run_steps(3);
    assert_eq!(state(&window).lessons.term.as_deref(), Some("token"));
}

#[test]
fn what_is_pointed_at_belongs_to_its_scene_and_a_hidden_lesson_does_not_go_on() {
    let opening = Opening::OwnLesson(parse(OWN, glossary(Language::English)).0.unwrap().into(), "own.md".into());
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(opening))));
    settled(&mut window);
    act(&mut window, Action::Lesson(LessonAction::PointAt(Some("distribution".to_owned()))));
    assert!(state(&window).lessons.pointed.is_some());
    act(&mut window, Action::Lesson(LessonAction::ToggleList));
    press(&mut window, Key::N);
    assert!(state(&window).lessons.open, "the lesson is shown before it goes on");
    assert_eq!(taking(&window).unwrap().scene, 0);
    press(&mut window, Key::N);
    settled(&mut window);
    assert_eq!((taking(&window).unwrap().scene, n_tokens(&window)), (1, 4));
    assert_eq!(state(&window).lessons.pointed, None);
}
