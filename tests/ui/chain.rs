//! The sampler chain as a person builds it: add, switch, move, look inside, remove.

use crate::harness::{
    Window, act, check_says, check_silent, click, focus, make_tokens, n_steps, open_bundled, press, readable, says,
    set_value, state, step_until, type_text,
};
use egui::accesskit::Role;
use egui::{Key, PointerButton, Pos2};
use egui_kittest::Node;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use tokenscope::app::{Action, DistributionView, PromptAction, RunAction, SamplersAction};
use tokenscope::sampling::{SamplerSettings, Stage, StageKind, presets};
use tokenscope::words::Words;

fn kinds(window: &Window) -> Vec<StageKind> {
    state(window).sampler.slots.iter().map(|link| link.stage.kind()).collect()
}

fn acting(window: &Window) -> Vec<Stage> {
    state(window).sampler.chain().0
}

/// Clicks the name of a stage, a button that also labels the slider beside it.
fn click_name(window: &mut Window, name: &str) {
    let is_name = |node: &Node<'_>| {
        node.accesskit_node().role() == Role::Button && node.accesskit_node().label().as_deref() == Some(name)
    };
    window.root().children_recursive().find(is_name).unwrap().click();
    window.step();
    window.remove_cursor();
    // The details come into view in the frames after.
    window.run_steps(4);
}

/// Adds the stage of this name from the menu.
fn add(window: &mut Window, name: &str) {
    click(window, "Add");
    click(window, name);
}

#[test]
fn a_stage_is_added_switched_off_and_removed() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    check_silent(&window, "Locally typical");
    add(&mut window, "Locally typical");
    assert_eq!(acting(&window), [Stage::typical(0.9)]);
    step_until("the what-if is there", &mut window, |window| says(window, "What if"));
    let dropped = |window: &Window| readable(window).iter().any(|text| text.contains("dropped by locally typical"));
    assert!(dropped(&window));
    set_value(&mut window, "Locally typical", 0.5);
    assert_eq!(acting(&window), [Stage::typical(0.5)]);
    click(&mut window, "Locally typical on");
    assert_eq!(acting(&window), []);
    check_says(&window, "switched off");
    click(&mut window, "Locally typical on");
    assert_eq!(acting(&window), [Stage::typical(0.5)], "the value was kept");
    click_name(&mut window, "Locally typical");
    click(&mut window, "Remove locally typical");
    assert!(!kinds(&window).contains(&StageKind::Typical));
    check_silent(&window, "Locally typical");
}

#[test]
fn a_chain_that_bans_everything_says_so() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    let best = state(&window).current_run().unwrap().trace().steps()[0].sampling.raw.head[0].id;
    let stages = [Stage::top_k(1), Stage::logit_bias([(best, f64::NEG_INFINITY)])];
    act(&mut window, Action::Samplers(SamplersAction::Set(SamplerSettings::of(stages))));
    step_until("the what-if says it", &mut window, |window| says(window, "◆ all of it is banned"));
    make_tokens(&mut window, 1);
    check_silent(&window, "all of it is banned");
}

#[test]
fn values_finer_than_the_sliders_stay_as_they_are() {
    let mut window = open_bundled();
    let stages = [
        Stage::temperature(0.123_456),
        Stage::min_p(0.0004),
        Stage::top_p(0.9996),
        Stage::xtc(0.7, 0.123),
        Stage::mirostat(3.0, 1.5),
        Stage::logit_bias([(5, 250.0)]),
    ];
    for stage in stages {
        let settings = SamplerSettings::of([stage.clone()]).with_seed(1_760_000_000_123_456_789);
        act(&mut window, Action::Samplers(SamplersAction::Set(settings.clone())));
        act(&mut window, Action::Samplers(SamplersAction::ToggleStage(stage.kind())));
        window.run_steps(3);
        for _ in 0..40 {
            window.key_press(Key::Tab);
            window.step();
        }
        assert_eq!(state(&window).sampler, settings, "looking at it is no change");
    }
}

/// Types a number into the field of this name and leaves it.
fn type_number(window: &mut Window, name: &str, text: &str) {
    let nodes: Vec<_> = window.get_all_by_label(name).collect();
    nodes.iter().find(|node| node.accesskit_node().role() == Role::SpinButton).unwrap().focus();
    drop(nodes);
    window.run_steps(2);
    type_text(window, text);
    press(window, Key::Enter);
    window.run_steps(2);
}

#[test]
fn what_is_typed_counts_as_it_stands_there() {
    let mut window = open_bundled();
    let mirostat = |tau| SamplerSettings::of([Stage::mirostat(tau, 0.1), Stage::top_p(1.0), Stage::top_k(0)]);
    act(&mut window, Action::Samplers(SamplersAction::Set(mirostat(3.0))));
    window.run_steps(2);
    // On the way there stands a 0, which Mirostat does not take.
    type_number(&mut window, "Mirostat 2", "0.5");
    type_number(&mut window, "Top-p", "0.9995");
    type_number(&mut window, "Top-k", "1,000");
    type_number(&mut window, "Seed", "1760000000123456789");
    assert_eq!(
        (acting(&window)[2].value(), &acting(&window)[..2]),
        (0.5, &[Stage::top_p(0.9995), Stage::top_k(1000)][..])
    );
    assert_eq!(state(&window).sampler.seed, 1_760_000_000_123_456_789);
}

#[test]
fn values_that_are_typed_one_after_the_other_are_undone_so() {
    let mut window = open_bundled();
    let temperature = |window: &Window| state(window).sampler.slot(StageKind::Temperature).unwrap().stage.clone();
    let before = temperature(&window);
    type_number(&mut window, "Temperature", "0.5");
    type_number(&mut window, "Temperature", "1.4");
    assert_eq!(temperature(&window), Stage::temperature(1.4));
    for earlier in [Stage::temperature(0.5), before] {
        act(&mut window, Action::Run(RunAction::Undo));
        assert_eq!(temperature(&window), earlier);
    }
}

#[test]
fn what_top_p_added_up_reaches_it_where_the_cut_is() {
    let mut window = open_bundled();
    act(&mut window, Action::Prompt(PromptAction::Edit("Once upon a time, there was a little".to_owned())));
    act(
        &mut window,
        Action::Samplers(SamplersAction::Set(SamplerSettings::of([Stage::temperature(1.6), Stage::top_p(0.9)]))),
    );
    make_tokens(&mut window, 1);
    let view = DistributionView::of(state(&window)).unwrap();
    let (sums, n_kept) = (view.added_up_by_top_p().unwrap(), view.sampling.last().n_candidates);
    assert!((65..=256).contains(&n_kept), "more than are recorded of a stage, and no more than of all: {n_kept}");
    assert_eq!(sums.len(), n_kept);
    // Kept are as few as reach it.
    assert!(sums[n_kept - 1].1 >= 0.9 - 1e-6 && sums[n_kept - 2].1 < 0.9, "{:?}", &sums[n_kept - 2..]);
}

#[test]
fn a_long_value_moves_nothing() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    let places = |window: &Window| ["Top-p", "Reset", "Max tokens"].map(|name| place_of(window, name));
    let before = places(&window);
    for (name, value) in [("Temperature", "99.123456"), ("Min-p", "0.0005"), ("Repetition penalty", "1.123456")] {
        type_number(&mut window, name, value);
    }
    assert_eq!(places(&window), before);
    // As a slider has it whose vocabulary is large.
    type_number(&mut window, "Top-k", "99999");
    assert_eq!(places(&window), before);
}

/// Where the first control of this name begins.
fn place_of(window: &Window, name: &str) -> egui::Pos2 {
    window.get_all_by_label(name).next().unwrap().rect().min
}

#[test]
fn a_stage_with_two_parameters_has_two_sliders() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    add(&mut window, "XTC");
    set_value(&mut window, "chance", 1.0);
    set_value(&mut window, "XTC", 0.0);
    assert_eq!(acting(&window), [Stage::xtc(0.0, 1.0)]);
    add(&mut window, "Mirostat 2");
    set_value(&mut window, "speed η", 0.5);
    assert_eq!(acting(&window)[1], Stage::mirostat(3.0, 0.5));
}

#[test]
fn a_stage_is_moved_by_the_arrows() {
    let mut window = open_bundled();
    let before = kinds(&window);
    focus(&mut window, "Move Top-k");
    press(&mut window, Key::ArrowUp);
    press(&mut window, Key::ArrowUp);
    assert_eq!(kinds(&window)[0], StageKind::TopK);
    for _ in 0..9 {
        press(&mut window, Key::ArrowDown);
    }
    assert_eq!(kinds(&window)[4], StageKind::TopK);
    assert_eq!(before.len(), kinds(&window).len());
}

/// Presses the button of the mouse there, or lets it go.
fn button(window: &mut Window, pos: Pos2, pressed: bool) {
    let (button, modifiers) = (PointerButton::Primary, egui::Modifiers::NONE);
    window.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
    window.step();
}

#[test]
fn what_is_typed_holds_for_the_step_that_is_clicked_next() {
    let mut window = open_bundled();
    act(&mut window, Action::Samplers(SamplersAction::Set(SamplerSettings::of([Stage::regex("")]))));
    window.run_steps(2);
    let click = |window: &mut Window, role: Role, name: &str| {
        let place = window.get_by_role_and_label(role, name).rect().center();
        window.event(egui::Event::PointerMoved(place));
        window.step();
        button(window, place, true);
        button(window, place, false);
    };
    click(&mut window, Role::TextInput, "Regex");
    window.event(egui::Event::Text(" (yes|no)".to_owned()));
    window.step();
    click(&mut window, Role::Button, "Step");
    step_until("the token is there", &mut window, |window| n_steps(window) == 1);
    let step = state(&window).current_step().unwrap().clone();
    assert_eq!(step.sampling.stages[0].stage, Stage::regex(" (yes|no)"));
}

#[test]
fn a_stage_is_moved_by_the_mouse() {
    let mut window = open_bundled();
    let place = |window: &Window, name: &str| window.get_by_label(name).rect().center();
    let (from, to) = (place(&window, "Move Min-p"), place(&window, "Move Temperature"));
    window.event(egui::Event::PointerMoved(from));
    window.step();
    button(&mut window, from, true);
    for share in [0.2, 0.5, 1.0] {
        window.event(egui::Event::PointerMoved(from.lerp(to, share)));
        window.step();
    }
    button(&mut window, to, false);
    window.step();
    let expected =
        [StageKind::RepetitionPenalty, StageKind::MinP, StageKind::Temperature, StageKind::TopK, StageKind::TopP];
    assert_eq!(kinds(&window), expected);
}

#[test]
fn the_details_have_the_formula_with_the_numbers_of_the_step() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    set_value(&mut window, "Min-p", 0.25);
    click_name(&mut window, "Min-p");
    check_says(&window, "keep p ≥ m × the best p");
    step_until("the numbers are there", &mut window, |window| says(window, "◆ p ≥ 0.25 × "));
    check_says(&window, "Probability by rank, before (grey) and after: 4,096 → ");
    click_name(&mut window, "Min-p");
    check_silent(&window, "Probability by rank, before");
}

#[test]
fn a_token_is_banned() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    let best = state(&window).current_step().unwrap().sampling.raw.head[0].id;
    add(&mut window, "Logit bias");
    check_says(&window, "no token yet");
    click_name(&mut window, "Logit bias");
    focus(&mut window, "Token or id to add");
    type_text(&mut window, &best.to_string());
    press(&mut window, Key::Enter);
    assert_eq!(acting(&window), [Stage::logit_bias([(best, f64::NEG_INFINITY)])]);
    step_until("the what-if is there", &mut window, |window| says(window, "What if"));
    assert!(
        readable(&window).iter().any(|text| text.starts_with("Rank 1, ") && text.contains("dropped by logit bias"))
    );
    make_tokens(&mut window, 3);
    click(&mut window, "ban");
    assert_eq!(acting(&window), [Stage::logit_bias([(best, 0.0)])], "not banned any more, to be lifted or lowered");
}

#[test]
fn presets_keep_the_seed() {
    let mut window = open_bundled();
    set_value(&mut window, "Seed", 7.0);
    for preset in presets() {
        click(&mut window, "Presets");
        // Greedy is also the name of the switch.
        let name = Words::ENGLISH.render(&preset.name);
        let items: Vec<_> = window.get_all_by_label(&name).collect();
        items.last().unwrap().click();
        drop(items);
        window.step();
        window.remove_cursor();
        window.step();
        assert_eq!(state(&window).sampler, preset.settings(7), "{name}");
    }
}
