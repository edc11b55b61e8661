//! The laboratory through the window: rollouts, beams, two runs side by side, the text by its numbers, constraints, and
//! sessions that are saved, opened, replayed and recovered.

use crate::harness::{
    Window, act, check_says, check_silent, chosen_ids, click, drawn, idle, make_tokens, n_steps, notice, open_bundled,
    open_shell, press, readable, ready, says, state, step_until, text_of, toy,
};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Node;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::path::{Path, PathBuf};
use strum::IntoEnumIterator as _;
use tokenscope::app::{
    Action, BeamOptions, Chart, CompareView, CompareWith, ExploreAction, Export, LessonAction, ModelsAction, Part,
    Preferences, PromptAction, RolloutOptions, RunAction, SamplersAction, ScreenAction, Section, SessionsAction,
    SettingsAction, Tint,
};
use tokenscope::engine::ModelSource;
use tokenscope::export::StepFormat;
use tokenscope::message::Language;
use tokenscope::recording;
use tokenscope::sampling::{SamplerSettings, Stage, StageKind};
use tokenscope::ui::shell::Opening;

/// Clicks the first widget whose name begins so.
#[track_caller]
fn click_first(window: &mut Window, start: &str) {
    let found = |node: &Node<'_>| {
        node.accesskit_node().role() != Role::Label && text_of(node).is_some_and(|text| text.starts_with(start))
    };
    window.root().children_recursive().find(found).expect(start).click();
    window.step();
    window.remove_cursor();
    window.run_steps(2);
}

fn settled(window: &mut Window) {
    step_until("the engine rests", window, |window| {
        idle(window) && state(window).job.is_none() && state(window).explore.asked_path.is_none()
    });
    window.run_steps(2);
}

fn n_branches(window: &Window) -> usize {
    state(window).current_run().unwrap().tree.branches().len()
}

fn set_sampler(window: &mut Window, settings: SamplerSettings) {
    act(window, Action::Samplers(SamplersAction::Set(settings)));
}

fn text(window: &Window) -> String {
    let vocabulary = &state(window).shown_model().unwrap().vocabulary;
    let bytes: Vec<u8> = chosen_ids(window).iter().flat_map(|id| vocabulary.bytes(*id).to_vec()).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn continuations_make_a_tree_and_any_becomes_a_branch() {
    let mut window = open_bundled();
    act(&mut window, Action::Prompt(PromptAction::Edit("Once upon a time, there was a little".to_owned())));
    window.run_steps(3);
    make_tokens(&mut window, 2);
    let before = chosen_ids(&window);
    press(&mut window, Key::ArrowLeft);
    act(&mut window, Action::Explore(ExploreAction::SetRolloutOptions(RolloutOptions { n: 12, len: 4 })));
    click(&mut window, "Explore");
    click(&mut window, "Rollouts");
    click(&mut window, "Roll out");
    settled(&mut window);
    check_says(&window, "12 of 12 done · 48 tokens drawn");
    let tree = state(&window).explore.rollouts.as_ref().unwrap().result.clone().unwrap();
    assert_eq!(tree.nodes.iter().filter(|node| node.parent.is_none()).map(|node| node.n).sum::<usize>(), 12);
    // The run is as it was, and goes on as if nothing had been.
    assert_eq!(chosen_ids(&window), before);
    let other = |node: usize| tree.nodes[node].depth == 2 && tree.ids(node)[0] != before[0];
    let node = (0..tree.nodes.len()).find(|node| other(*node)).unwrap();
    act(&mut window, Action::Explore(ExploreAction::KeepRollout(node)));
    settled(&mut window);
    assert_eq!(chosen_ids(&window), tree.ids(node));
    assert_eq!(n_branches(&window), 2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    window.run_steps(2);
    assert_eq!((n_branches(&window), chosen_ids(&window)), (1, before));
}

#[test]
fn beams_are_searched_kept_and_made_a_branch() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    click(&mut window, "Explore");
    click(&mut window, "Beams");
    act(
        &mut window,
        Action::Explore(ExploreAction::SetBeamOptions(BeamOptions { width: 3, length_penalty: 1.0, len: 6 })),
    );
    click(&mut window, "Search");
    settled(&mut window);
    check_says(&window, "done after 6 steps · 3 finished");
    let search = state(&window).explore.beams.as_ref().unwrap().result.clone().unwrap();
    for kind in ["kept 1", "finished", "dropped"] {
        assert!(
            readable(&window).iter().any(|text| text.starts_with("Beam at token") && text.contains(kind)),
            "{kind}"
        );
    }
    click(&mut window, "Keep finished beam 2");
    settled(&mut window);
    assert_eq!(chosen_ids(&window), search.finished[1].ids);
    // Stopping ends it within a layer.
    act(
        &mut window,
        Action::Explore(ExploreAction::SetBeamOptions(BeamOptions { width: 8, length_penalty: 1.0, len: 100 })),
    );
    click(&mut window, "Search");
    act(&mut window, Action::Explore(ExploreAction::StopJob));
    settled(&mut window);
    make_tokens(&mut window, 1);
}

#[test]
fn two_runs_stand_side_by_side() {
    let mut window = open_bundled();
    act(&mut window, Action::Prompt(PromptAction::Edit("Once upon a time, there was a little".to_owned())));
    act(&mut window, Action::Run(RunAction::SetMaxNewTokens(6)));
    act(&mut window, Action::Run(RunAction::SetSpeed(f64::INFINITY)));
    window.run_steps(3);
    click(&mut window, "▶ Run");
    step_until("it has run", &mut window, |window| idle(window) && n_steps(window) == 6);
    click(&mut window, "Explore");
    click(&mut window, "Compare");
    check_says(&window, "Pin this run, then change");
    let settings = SamplerSettings::of([Stage::temperature(0.5)]).with_seed(9);
    act(&mut window, Action::Explore(ExploreAction::RunBeside(settings)));
    settled(&mut window);
    assert_eq!(n_steps(&window), 6);
    act(
        &mut window,
        Action::Run(RunAction::GoTo(tokenscope::app::Cursor { step: 0, stage: tokenscope::app::LoopStage::Append })),
    );
    step_until("they are compared", &mut window, |window| says(window, "KL(A, B) = "));
    let view = CompareView::of(&state(&window).explore.compare, state(&window)).unwrap();
    let comparison = view.answer.unwrap().result.clone().unwrap();
    // The same model behind the same text, and T = 0.5 against T = 1.
    assert_eq!(comparison.raw.total_variation, 0.0);
    assert!(comparison.last.kl_bits.iter().all(|bits| (0.1..10.0).contains(bits)), "{comparison:?}");
    assert!(view.n_common < 6);
    check_says(&window, "Step 1: behind the same text");
    check_says(&window, "Compared token 1 of B");
    // Against another branch of the same run.
    let rank = usize::from(state(&window).current_step().unwrap().sampling.chosen.rank == 1);
    let id = state(&window).current_step().unwrap().sampling.raw.head[rank].id;
    act(&mut window, Action::Explore(ExploreAction::TakeToken { step: 0, id }));
    let first = state(&window).current_run().unwrap().tree.branches()[0].id;
    act(&mut window, Action::Explore(ExploreAction::CompareWith(CompareWith::Branch(first))));
    step_until("they are compared", &mut window, |window| says(window, "0 % of draws must differ"));
    // A smaller model behind the same text.
    act(&mut window, Action::Explore(ExploreAction::CompareWith(CompareWith::Pinned)));
    act(&mut window, Action::Models(ModelsAction::Load(ModelSource::BundledDraft)));
    step_until("the draft is there", &mut window, |window| state(window).current_run().is_none());
    window.run_steps(2);
    make_tokens(&mut window, 1);
    step_until("they are compared", &mut window, |window| says(window, "KL(A, B) = "));
    let raw = CompareView::of(&state(&window).explore.compare, state(&window))
        .unwrap()
        .answer
        .unwrap()
        .result
        .as_ref()
        .unwrap()
        .raw;
    assert!(raw.kl_bits[0] > 0.01 && raw.total_variation > 0.01, "{raw:?}");
    check_says(&window, "of the 40 tokens below have another rank");
    // A model with other tokens cannot be held against it.
    act(&mut window, Action::Models(ModelsAction::Load(toy(|config| config.vocab_size = 4100))));
    step_until("the toy is there", &mut window, |window| state(window).current_run().is_none());
    window.run_steps(2);
    make_tokens(&mut window, 1);
    check_says(&window, "different tokens");
}

#[test]
fn the_text_is_coloured_and_summed_up_by_its_numbers() {
    let mut window = open_bundled();
    make_tokens(&mut window, 3);
    act(&mut window, Action::Screen(ScreenAction::ToggleSection(Section::Samplers)));
    act(&mut window, Action::Screen(ScreenAction::ToggleSection(Section::Text)));
    window.run_steps(2);
    check_says(&window, "Prompt: perplexity");
    check_says(&window, "Generated: perplexity");
    assert_eq!(readable(&window).iter().filter(|text| text.starts_with("Least expected: token")).count(), 8);
    let step = state(&window).current_run().unwrap().trace().steps()[0].clone();
    assert_eq!(step.prompt.len(), 6, "every token of the prompt was read in the prefill");
    for tint in Tint::iter() {
        act(&mut window, Action::Screen(ScreenAction::SetTint(tint)));
        window.run_steps(2);
        assert!(window.unnamed_widgets().is_empty());
    }
    window.get_by_label_contains("Prompt token 5").hover();
    window.run_steps(40);
    check_says(&window, "The model gave it");
    check_says(&window, "Surprisal");
}

#[test]
fn a_constraint_is_typed_holds_and_shows_what_it_dropped() {
    let mut window = open_bundled();
    let mut settings = SamplerSettings::default();
    settings.set(Stage::regex(" (yes|no)!"));
    set_sampler(&mut window, settings.clone());
    make_tokens(&mut window, 1);
    assert!(says(&window, "dropped by regex"), "{:?}", readable(&window));
    act(&mut window, Action::Run(RunAction::SetSpeed(f64::INFINITY)));
    press(&mut window, Key::R);
    settled(&mut window);
    let text = text(&window);
    assert!(text.starts_with(" yes!") || text.starts_with(" no!"), "{text:?}");
    check_says(&window, "the model chose its end-of-text token");
    settings.set(Stage::regex("(unclosed"));
    set_sampler(&mut window, settings);
    step_until("the mistake is told", &mut window, |window| says(window, "the regular expression cannot be used"));
    press(&mut window, Key::Home);
    press(&mut window, Key::Space);
    settled(&mut window);
    assert!(notice(&window).contains("cannot be used"));
    assert_eq!(n_steps(&window), 0);
}

#[test]
fn the_samplers_are_undone_too() {
    let mut window = open_bundled();
    let before = state(&window).sampler.clone();
    for tenths in 1..5 {
        set_sampler(&mut window, before.clone().with(Stage::temperature(f64::from(tenths) / 10.0)));
    }
    set_sampler(&mut window, SamplerSettings::of([Stage::greedy()]));
    let with_ctrl = |window: &mut Window, key| {
        window.key_press_modifiers(Modifiers::COMMAND, key);
        window.run_steps(2);
    };
    with_ctrl(&mut window, Key::Z);
    assert_eq!(state(&window).sampler.slot(StageKind::Temperature).unwrap().stage, Stage::temperature(0.4));
    with_ctrl(&mut window, Key::Z);
    assert_eq!(state(&window).sampler, before, "a slider that was dragged is one change");
    with_ctrl(&mut window, Key::Y);
    with_ctrl(&mut window, Key::Y);
    assert!(state(&window).sampler.is_greedy());
}

fn saved(window: &mut Window, what: Export, path: &Path) -> Vec<u8> {
    act(window, Action::Screen(ScreenAction::DismissReport));
    act(window, Action::Sessions(SessionsAction::Export(what, path.to_path_buf())));
    step_until("it is saved", window, |window| state(window).report.is_some() || state(window).notice.is_some());
    assert_eq!(state(window).notice, None);
    check_says(window, "Saved: ");
    std::fs::read(path).unwrap()
}

fn open_file(source: ModelSource, path: PathBuf) -> Window {
    let mut window = ready(open_shell(source, |shell| shell.opening(Some(Opening::File(path)))));
    step_until("the session is open", &mut window, |window| state(window).report.is_some());
    window.run_steps(2);
    window
}

#[test]
fn a_session_is_saved_opened_replayed_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tokenscope");
    let mut window = open_bundled();
    set_sampler(&mut window, SamplerSettings::of([Stage::temperature(0.9), Stage::mirostat(3.0, 0.2)]));
    make_tokens(&mut window, 4);
    // Far down the list, but not the token that ends the text.
    let head = state(&window).current_run().unwrap().trace().steps()[1].sampling.raw.head.clone();
    let id = head.iter().skip(30).map(|entry| entry.id).find(|id| *id != 0).unwrap();
    act(&mut window, Action::Explore(ExploreAction::TakeToken { step: 1, id }));
    make_tokens(&mut window, 2);
    let made = chosen_ids(&window);
    let bytes = saved(&mut window, Export::Session, &path);
    drop(window);

    let mut window = open_file(ModelSource::Bundled, path.clone());
    assert_eq!((chosen_ids(&window), n_branches(&window)), (made.clone(), 2));
    check_says(&window, "Opened: 7 steps");
    assert!(saved(&mut window, Export::Session, &path) == bytes, "saved again: other bytes");
    // What needs the logits says so, and gets them back.
    set_sampler(&mut window, SamplerSettings::of([Stage::top_k(3)]));
    window.run_steps(2);
    check_says(&window, "no longer held");
    act(&mut window, Action::Screen(ScreenAction::DismissReport));
    click_first(&mut window, "Replay");
    settled(&mut window);
    check_says(&window, "Replayed: all 4 tokens came out the same");
    step_until("there is a what-if", &mut window, |window| says(window, "◆ What if"));
    make_tokens(&mut window, 1);
    assert_eq!(&chosen_ids(&window)[..4], &made[..]);
    drop(window);

    // Without its model it can be looked at, and no more.
    let mut window = open_file(toy(|_| ()), path);
    assert_eq!(chosen_ids(&window), made);
    check_says(&window, "which is not loaded");
    press(&mut window, Key::ArrowLeft);
    check_says(&window, "Rank 1, ");
    press(&mut window, Key::End);
    press(&mut window, Key::Space);
    window.run_steps(3);
    assert_eq!(n_steps(&window), 4);
    act(&mut window, Action::Models(ModelsAction::Load(ModelSource::Bundled)));
    step_until("the model is there", &mut window, |window| state(window).can_go_on());
    make_tokens(&mut window, 1);
    assert_eq!(n_steps(&window), 5);
}

#[test]
fn everything_can_be_exported() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open_bundled();
    act(&mut window, Action::Sessions(SessionsAction::Export(Export::Session, folder.path().join("x"))));
    assert!(notice(&window).contains("nothing to save yet"));
    act(&mut window, Action::Screen(ScreenAction::DismissNotice));
    make_tokens(&mut window, 3);
    let json = saved(&mut window, Export::Steps(StepFormat::Json), &folder.path().join("a.json"));
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["steps"].as_array().unwrap().len(), 3);
    assert_eq!(json["steps"][0]["top"].as_array().unwrap().len(), 256);
    let csv = saved(&mut window, Export::Steps(StepFormat::Csv), &folder.path().join("a.csv"));
    assert!(csv.starts_with(b"step,phase,rank"));
    let html = saved(&mut window, Export::Text, &folder.path().join("a.html"));
    let html = String::from_utf8(html).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("&lt;|endoftext|&gt;") && html.contains("> France<"));
    assert_eq!(html.matches("class=\"generated\"").count(), 3);
    // A picture needs a screen; the real window's is taken in the checks of the whole program.
    act(
        &mut window,
        Action::Sessions(SessionsAction::Export(Export::Picture(Part::Window), folder.path().join("a.png"))),
    );
    let nowhere = folder.path().join("no/such/folder/a");
    act(&mut window, Action::Sessions(SessionsAction::Export(Export::Session, nowhere)));
    step_until("it fails", &mut window, |window| state(window).notice.is_some());
    check_says(&window, "Saving failed");
    act(&mut window, Action::Sessions(SessionsAction::ToggleDialog(Some(Export::Session))));
    window.run_steps(2);
    check_says(&window, "Save: The session");
    assert!(window.unnamed_widgets().is_empty());
    // A window that has become smaller or gets more to say has room for it.
    let nowhere = folder.path().join("no such session");
    act(&mut window, Action::Sessions(SessionsAction::Open(nowhere)));
    step_until("it is not there", &mut window, |window| says(window, "no such session"));
    window.run_steps(3);
    for text in drawn(&window).iter().filter(|text| text.text.contains("no such session") || text.text == "Close") {
        assert!(text.clip.contains_rect(text.rect), "{:?} at {:?} is cut off by {:?}", text.text, text.rect, text.clip);
    }
    press(&mut window, Key::Escape);
    assert!(!state(&window).view.session_dialog);
}

#[test]
fn a_link_restores_prompt_samplers_and_seed() {
    let mut window = open_bundled();
    act(&mut window, Action::Prompt(PromptAction::Edit("The cat, the dog & é=%?".to_owned())));
    set_sampler(&mut window, SamplerSettings::of([Stage::top_k(7), Stage::regex("[a-z, ]*")]).with_seed(99));
    window.run_steps(2);
    make_tokens(&mut window, 3);
    let (link, made) = (state(&window).link().to_string(), chosen_ids(&window));
    act(&mut window, Action::Sessions(SessionsAction::CopyLink));
    check_says(&window, "Copied: prompt");
    let link = Opening::Link(Box::new(link.parse().unwrap()));
    let mut other = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(link))));
    assert_eq!(state(&other).prompt.text, "The cat, the dog & é=%?");
    make_tokens(&mut other, 3);
    assert_eq!(chosen_ids(&other), made);
}

#[test]
fn what_was_open_before_another_text_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = folder.path().to_path_buf();
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.keeping_in(Some(in_folder)).unwrap()));
    make_tokens(&mut window, 5);
    let made = chosen_ids(&window);
    act(&mut window, Action::Prompt(PromptAction::Edit("The cat".to_owned())));
    window.run_steps(3);
    make_tokens(&mut window, 1);
    let before = recording::session_before(folder.path());
    step_until("it is kept", &mut window, |window| state(window).sessions.before == Some(before.clone()));
    assert!(recording::open(&before).unwrap().complete);
    // Opened, it changes places with what is under way.
    act(&mut window, Action::Sessions(SessionsAction::Open(before.clone())));
    step_until("it is open", &mut window, |window| chosen_ids(window) == made);
    let prompt = || recording::open(&before).map(|opened| opened.recording.prompt).unwrap_or_default();
    step_until("the other is kept", &mut window, |_| prompt() == "The cat");
    // What a lesson makes in between is not.
    act(&mut window, Action::Lesson(LessonAction::Open("greedy".to_owned())));
    step_until("its token is there", &mut window, |window| n_steps(window) > 0 && prompt() != "The cat");
    act(&mut window, Action::Lesson(LessonAction::Leave));
    act(&mut window, Action::Prompt(PromptAction::Edit("The dog".to_owned())));
    window.run_steps(3);
    make_tokens(&mut window, 1);
    drop(window);
    assert_eq!(recording::open(&before).unwrap().recording.tree.current().trace.steps().len(), 5);
    let last = recording::last_session(folder.path());
    assert_eq!(recording::open(&last).unwrap().recording.prompt, "The dog");
}

#[test]
fn a_text_of_ones_own_is_kept_whatever_comes_next() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = folder.path().to_path_buf();
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.keeping_in(Some(in_folder)).unwrap()));
    let before = recording::session_before(folder.path());
    let prompt = || recording::open(&before).map(|opened| opened.recording.prompt).unwrap_or_default();
    let write = |window: &mut Window, text: &str, n: usize| {
        act(window, Action::Prompt(PromptAction::Edit(text.to_owned())));
        window.run_steps(3);
        make_tokens(window, n);
    };
    // While a lesson is put away.
    act(&mut window, Action::Lesson(LessonAction::Open("greedy".to_owned())));
    act(&mut window, Action::Lesson(LessonAction::ToggleList));
    write(&mut window, "The cat", 3);
    write(&mut window, "The dog", 1);
    step_until("it is kept", &mut window, |_| prompt() == "The cat");
    // Nor does the lesson that nobody sees set anything up when another model comes.
    act(&mut window, Action::Models(ModelsAction::Load(ModelSource::BundledDraft)));
    step_until("the draft is there", &mut window, |window| state(window).model.loading.is_none());
    window.run_steps(5);
    assert_eq!(state(&window).prompt.text, "The dog");
    act(&mut window, Action::Models(ModelsAction::Load(ModelSource::Bundled)));
    step_until("the target is there", &mut window, |window| state(window).model.loading.is_none());
    act(&mut window, Action::Lesson(LessonAction::Leave));
    // While files are looked at, one after the other.
    let files = ["The sheep", "The cow"].map(|text| (folder.path().join(format!("{text}.tokenscope")), text));
    for (file, text) in &files {
        write(&mut window, text, 1);
        act(&mut window, Action::Sessions(SessionsAction::Export(Export::Session, file.clone())));
        step_until("it is saved", &mut window, |window| state(window).sessions.file.as_ref() == Some(file));
    }
    write(&mut window, "The bird", 2);
    for (file, text) in files {
        act(&mut window, Action::Sessions(SessionsAction::Open(file)));
        step_until("it is open", &mut window, |window| state(window).prompt.text == text);
        window.run_steps(5);
        // Whatever branch is looked at.
        let shown = state(&window).run.as_ref().map(|run| run.tree.current().id).unwrap();
        act(&mut window, Action::Explore(ExploreAction::SwitchBranch(shown)));
        window.run_steps(5);
    }
    // And as soon as nothing is on the screen.
    step_until("it is kept", &mut window, |_| prompt() == "The bird");
    write(&mut window, "The fish", 2);
    act(&mut window, Action::Run(RunAction::Restart));
    step_until("it is offered at once", &mut window, |_| prompt() == "The fish");
}

#[test]
fn all_that_crashes_left_is_told_at_once() {
    let all = tempfile::tempdir().unwrap();
    let folder = all.path().join("sessions");
    std::fs::create_dir(&folder).unwrap();
    let before = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/before");
    for (name, number) in [("plain", 1), ("branches", 2), ("mirostat", 3)] {
        let file = before.join(format!("{name}.tokenscope"));
        std::fs::copy(file, folder.join(format!("{number}-1.tokenscope"))).unwrap();
    }
    let rubbish = folder.join("4-1.tokenscope");
    std::fs::write(&rubbish, "rubbish").unwrap();
    let in_folder = folder.clone();
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.keeping_in(Some(in_folder)).unwrap()));
    step_until("they are told", &mut window, |window| says(window, "3 sessions are in"));
    let place = folder.display().to_string();
    check_says(&window, &format!("3 sessions are in {place}"));
    check_says(&window, &format!("cannot be read. It is kept in {place}"));
    let n_told = readable(&window).iter().filter(|text| text.contains("was kept.")).count();
    assert_eq!(n_told, 3);
    act(&mut window, Action::Sessions(SessionsAction::DismissSetAside));
    window.run_steps(2);
    check_silent(&window, "cannot be read");
    let preferences = Preferences { language: Some(Language::German), ..Preferences::default() };
    act(&mut window, Action::Settings(SettingsAction::Prefer(preferences)));
    window.run_steps(2);
    check_says(&window, &format!("3 Sitzungen liegen in {place}"));
    let forgotten = folder.join("1-1.tokenscope");
    act(&mut window, Action::Sessions(SessionsAction::Forget(forgotten.clone())));
    step_until("it is gone", &mut window, |_| !forgotten.exists());
    window.run_steps(2);
    check_says(&window, &format!("2 Sitzungen liegen in {place}"));
    drop(window);
    // What nobody was asked about is all there.
    assert_eq!(std::fs::read(rubbish.with_extension("tokenscope.unreadable")).unwrap(), b"rubbish");
    assert!([2, 3].iter().all(|number| folder.join(format!("{number}-1.tokenscope")).exists()));
}

#[test]
fn what_a_crash_left_is_offered_and_opened() {
    let folder = tempfile::tempdir().unwrap();
    let keeping = |folder: &Path| {
        let folder = folder.to_path_buf();
        ready(open_shell(ModelSource::Bundled, |shell| shell.keeping_in(Some(folder)).unwrap()))
    };
    let mut window = keeping(folder.path());
    check_silent(&window, "did not end as it should");
    make_tokens(&mut window, 5);
    let made = chosen_ids(&window);
    let files = || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let kept = |n: usize| {
        let has_them = |path: &PathBuf| recording::open(path).is_ok_and(|opened| opened.n_steps == n);
        files().into_iter().find(has_them)
    };
    step_until("all steps are kept", &mut window, |_| kept(5).is_some());
    // What a kill would leave: the file as it is now, unlocked.
    let left = folder.path().join("1-1.tokenscope");
    std::fs::copy(kept(5).unwrap(), &left).unwrap();
    drop(window);
    let last = recording::last_session(folder.path());
    assert!(recording::open(&last).unwrap().complete, "a window that is closed leaves its session whole");
    {
        let mut window = keeping(folder.path());
        step_until("it is known", &mut window, |window| state(window).sessions.last == Some(last.clone()));
        act(&mut window, Action::Sessions(SessionsAction::Open(last.clone())));
        step_until("it is open", &mut window, |window| state(window).current_run().is_some());
        assert_eq!(chosen_ids(&window), made);
    }

    let mut window = keeping(folder.path());
    step_until("it is offered", &mut window, |window| says(window, "did not end as it should"));
    check_says(&window, "with 5 steps was kept");
    click(&mut window, "Open it");
    step_until("it is open", &mut window, |window| state(window).current_run().is_some());
    assert_eq!(chosen_ids(&window), made);
    step_until("it is kept anew", &mut window, |_| !left.exists());
    make_tokens(&mut window, 1);
    assert_eq!(n_steps(&window), 6);
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Branches)));
}
