//! Presets, second texts and second tokenizers: a preset sets up all that its sentence says, a second text is chosen by
//! a click or typed, a direction leads from one typed text to another, and the prompt is shown under a second tokenizer.

use crate::harness::{
    Window, act, check_says, check_silent, click, focus, idle, make_tokens, open_bundled, says, state, step_until,
    type_text,
};
use tokenscope::app::{Action, Chart, InsideAction, PromptAction, ScreenAction, TokenizerAction};
use tokenscope::engine::TokenizerSource;
use tokenscope::trace::TokenId;

fn show(window: &mut Window, chart: Chart) {
    act(window, Action::Screen(ScreenAction::SetChart(chart)));
    step_until("all is computed", window, |window| says(window, "Try") && idle(window));
    window.run_steps(4);
}

/// Presses a preset and waits until what it sets up is computed.
fn preset(window: &mut Window, name: &str, sentence: &str) {
    click(window, name);
    step_until("the preset is set up", window, |window| says(window, sentence));
    step_until("nothing is under way", window, |window| idle(window) && !says(window, "place by place…"));
    window.run_steps(4);
}

/// The most probable tokens without and with the changes.
fn best(window: &Window) -> [String; 2] {
    let inside = &state(window).inside;
    let effect = inside.interventions.effect.as_ref().unwrap().as_ref().unwrap();
    let vocabulary = &state(window).model.loaded.as_ref().unwrap().vocabulary;
    let first = |side: usize| effect.tokens.iter().find(|token| token.ranks[side] == 1).unwrap().id;
    [0, 1].map(|side| vocabulary.display(first(side) as TokenId))
}

fn n_edits(window: &Window) -> usize {
    state(window).inside.edits(state(window)).len()
}

/// Of the changes that are made: the effect before it stays on the screen until it is there.
fn has_effect(window: &Window) -> bool {
    state(window).inside.current_look(state(window)).is_some()
        && state(window).inside.current_effect(state(window)).is_some()
}

#[test]
fn presets_of_interventions_show_their_effect_from_any_prompt() {
    let mut window = open_bundled();
    make_tokens(&mut window, 2);
    show(&mut window, Chart::Interventions);
    for (name, sentence, expected) in [
        ("Copying", "The model completes the name", ["ill", "ick"]),
        ("Opposite", "In layer 7 the MLP turns hot into cold", ["␣cold", "␣hot"]),
        ("France to Italy", "turns Paris into Rome", ["␣Paris", "␣Rome"]),
        ("First MLP", "The first MLP writes into the vector", ["␣Paris", "␣is"]),
    ] {
        preset(&mut window, name, sentence);
        step_until("its effect is there", &mut window, has_effect);
        assert_eq!(best(&window), expected, "{name}");
        assert_eq!((n_edits(&window), state(&window).cursor.step), (1, 0));
    }
    click(&mut window, "Take all back");
    window.run_steps(4);
    check_silent(&window, "The first MLP writes into the vector");
}

#[test]
fn a_direction_leads_from_one_typed_text_to_another() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    show(&mut window, Chart::Interventions);
    focus(&mut window, "From");
    type_text(&mut window, "The capital of France");
    focus(&mut window, "to");
    type_text(&mut window, "A baby cat is called a");
    click(&mut window, "Add after L0");
    step_until("it is added", &mut window, |window| n_edits(window) == 1 && idle(window));
    step_until("its effect is there", &mut window, has_effect);
    window.run_steps(4);
    check_says(&window, "A baby cat is called a − The capital of France");
    check_says(&window, "Strength");
}

#[test]
fn a_second_text_is_one_click_away_or_typed() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    show(&mut window, Chart::Patching);
    act(&mut window, Action::Inside(InsideAction::ChoosePosition(Some(4))));
    step_until("neighbours are there", &mut window, |window| says(window, "Replace it by ␣Germany") && idle(window));
    window.run_steps(4);
    click(&mut window, "Replace it by ␣Italy");
    step_until("the map is whole", &mut window, |window| says(window, "␣Paris against ␣Rome") && idle(window));
    click(&mut window, "Another text");
    window.run_steps(4);

    focus(&mut window, "or type the whole second prompt:");
    type_text(&mut window, "The capital of");
    step_until("it is tokenized", &mut window, |window| says(window, "The first prompt has 6 tokens, this one 4"));
    type_text(&mut window, " Japan is");
    step_until("it fits", &mut window, |window| !says(window, "The first prompt has"));
    click(&mut window, "Use it");
    step_until("the map is whole", &mut window, |window| says(window, "␣Paris against ␣Tokyo") && idle(window));
}

#[test]
fn presets_of_patching_set_up_both_texts_and_a_place() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    show(&mut window, Chart::Patching);
    for (name, sentence, answers, place) in [
        ("France / Italy", "Up to layer 4 the country", "␣Paris against ␣Rome", "L8 at ␣is"),
        ("Dog / cat", "attention carries dog to the last token", "␣puppy against ␣kitten", "L8 attention at ␣a"),
        ("Quilla / Quorra", "Heads 4 and 5 of layer 5", "ill against or", "L5 H4"),
    ] {
        preset(&mut window, name, sentence);
        step_until(answers, &mut window, |window| says(window, answers) && idle(window));
        check_says(&window, place);
        step_until("the place is looked at", &mut window, |window| says(window, "◆ the other text, patched"));
        click(&mut window, "Another text");
    }
}

#[test]
fn the_prompt_stands_under_a_second_tokenizer_with_both_counts() {
    let mut window = open_bundled();
    let begin = |window: &mut Window, prompt: &str| {
        act(window, Action::Prompt(PromptAction::Edit(prompt.to_owned())));
        step_until("it is tokenized", window, |window| state(window).prompt.is_tokenized());
        make_tokens(window, 1);
        act(window, Action::Screen(ScreenAction::SetChart(Chart::Tokens)));
    };
    begin(&mut window, "a b ab");
    let choose = |window: &mut Window, path: &str| {
        let source = TokenizerSource::Path(path.into());
        act(window, Action::Inside(InsideAction::Tokenizer(TokenizerAction::Use(source))));
    };
    choose(&mut window, "tests/hunt/corpus/tokenizer/wordpiece.json");
    step_until("it is read", &mut window, |window| {
        says(window, "wordpiece.json: 3 tokens · 2.00 characters per token")
    });
    // With a special token before the text.
    let n = state(&window).prompt.tokens.len();
    check_says(&window, &format!(": {n} tokens · {:.2} characters per token", 6.0 / (n - 1) as f64));
    begin(&mut window, "a");
    step_until("it follows the prompt", &mut window, |window| says(window, "wordpiece.json: 1 token · 1.00"));
    choose(&mut window, "tests/hunt/corpus/tokenizer/dropout.json");
    step_until("it is refused by name", &mut window, |window| says(window, "dropout"));
    choose(&mut window, "tests/hunt/corpus/tokenizer");
    step_until("it is missing", &mut window, |window| says(window, "tokenizer.json is missing"));
    click(&mut window, "Remove");
    window.run_steps(4);
    check_silent(&window, "characters per token");
}
