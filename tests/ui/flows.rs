//! What a user does, from the keyboard and the mouse to what can be read in the window.

use crate::harness::{
    SIZE, Window, act, check_says, check_silent, chosen_ids, click, drawn, focus, idle, make_tokens, n_steps, notice,
    open, open_bundled, open_with, press, readable, ready, says, set_value, state, step_until, text_of, toy, type_text,
};
use egui::Key;
use egui::accesskit::{Action as NodeAction, Role, Toggled};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use strum::IntoEnumIterator as _;
use tokenscope::app::{
    Action, Chart, Cursor, EXAMPLES, LoopStage, ModelsAction, PromptAction, RunAction, Scale, ThemeChoice,
};
use tokenscope::engine::ModelSource;
use tokenscope::sampling::{Stage, StageKind};
use tokenscope::trace::{Draw, StopReason};
use tokenscope::ui::{format, keys};
use tokenscope::words::Words;

#[test]
fn the_prompt_is_shown_as_tokens_with_the_start_token() {
    let window = open_bundled();
    let tokens = &state(&window).prompt.tokens;
    assert!(tokens[0].special, "{:?}", tokens[0]);
    for (idx, piece) in tokens.iter().enumerate() {
        check_says(&window, &format!("Prompt token {}, {}, id {}", idx + 1, piece.display(), piece.id));
    }
    check_says(&window, "Ready: press Step");
    check_says(&window, "What comes next?");
}

#[test]
fn a_word_of_the_prompt_is_followed_merge_by_merge() {
    let mut window = open_bundled();
    step_until("the words are there", &mut window, |window| says(window, "Word 5 of 5: ␣is"));
    click(&mut window, "Word 4 of 5: ␣France");
    assert_eq!(state(&window).inside.word, Some(3));
    check_says(&window, "the smallest pieces: bytes or characters: ␣ F r a n c e");
    check_says(&window, "merge rule ");
    // Where the loop begins the same stands above the ids of all tokens.
    make_tokens(&mut window, 1);
    act(&mut window, Action::Run(RunAction::GoTo(Cursor::START)));
    window.run_steps(2);
    check_says(&window, "no rule fits any more");
    check_says(&window, "All tokens of the prompt");
}

#[test]
fn tokens_change_while_typing_and_bytes_are_readable() {
    // The fonts inside the program have no emoji; outside of tests those of the system help out.
    let builder = Harness::builder().with_size(SIZE).allow_missing_glyphs();
    let mut window = ready(open_with(builder, ModelSource::Bundled));
    focus(&mut window, "Prompt");
    let before = state(&window).prompt.text.clone();
    type_text(&mut window, " naïve €😀");
    assert_eq!(state(&window).prompt.text, format!("{before} naïve €😀"));
    step_until("the emoji is shown as its bytes", &mut window, |window| says(window, "⟨F0⟩"));
    let shown: Vec<u8> =
        state(&window).prompt.tokens.iter().filter(|t| !t.special).flat_map(|t| t.bytes.to_vec()).collect();
    assert!(String::from_utf8(shown).unwrap().ends_with(" naïve €😀"));
    assert_eq!(n_steps(&window), 0);
}

#[test]
fn keys_in_the_prompt_type_and_do_not_act() {
    let mut window = open_bundled();
    focus(&mut window, "Prompt");
    for key in [Key::Space, Key::R, Key::S, Key::G, Key::I] {
        press(&mut window, key);
    }
    assert!(state(&window).prompt.text.ends_with(" rsgi"), "{:?}", state(&window).prompt.text);
    assert!(state(&window).run.is_none());
    assert!(!state(&window).sampler.is_greedy() && state(&window).view.inspector);
}

#[test]
fn enter_in_the_prompt_makes_the_first_token() {
    let mut window = open_bundled();
    focus(&mut window, "Prompt");
    let before = state(&window).prompt.text.clone();
    press(&mut window, Key::Enter);
    step_until("a token is made", &mut window, |window| n_steps(window) == 1);
    assert_eq!(state(&window).prompt.text, before, "Enter types no line");
}

#[test]
fn editing_the_prompt_starts_over_and_undoing_it_brings_the_run_back() {
    let mut window = open_bundled();
    make_tokens(&mut window, 2);
    focus(&mut window, "Prompt");
    type_text(&mut window, "!");
    assert_eq!(n_steps(&window), 0);
    check_says(&window, "What comes next?");
    assert!(window.get_by_label("◀ Back").accesskit_node().is_disabled(), "there is nothing to go back to");
    press(&mut window, Key::Backspace);
    assert_eq!(n_steps(&window), 2);
    check_says(&window, "Step 2 of 2");
}

#[test]
fn rows_read_as_recorded() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    let step = Arc::clone(state(&window).current_step().unwrap());
    let vocabulary = Arc::clone(&state(&window).model.loaded.as_ref().unwrap().vocabulary);
    let shown = readable(&window);
    let rows: Vec<_> = shown.iter().filter(|text| text.starts_with("Rank ")).collect();
    assert!(rows.len() >= 4, "{shown:#?}");
    assert!(rows[0].starts_with("Rank 1, ␣Paris, "), "{}", rows[0]);
    for (idx, row) in rows.iter().enumerate() {
        let candidate = step.sampling.raw.head[idx];
        let name = vocabulary.display(candidate.id);
        let model = format::percent(Words::ENGLISH, candidate.prob);
        let after = format::percent(Words::ENGLISH, step.sampling.outcomes[idx].final_prob);
        let expected = format!("Rank {}, {name}, {model} by the model, {after} after the samplers", idx + 1);
        assert!(row.starts_with(&expected), "{row} is not {expected}");
    }
    let Draw::Coin { u, low, high } = step.sampling.draw else { panic!("{:?}", step.sampling.draw) };
    check_says(&window, &format!("The draw: u {u:.4} in {low:.4} to {high:.4}"));
    let chosen = vocabulary.display(step.sampling.chosen_id());
    check_says(&window, &format!("Chosen token {chosen}"));
    let filled = format!("KV cache, {} of ", step.kv.positions_after);
    check_says(&window, &filled);
}

#[test]
fn the_step_button_steps() {
    let mut window = open_bundled();
    for n in 1..=2 {
        click(&mut window, "Step");
        step_until("a token is made", &mut window, |window| n_steps(window) == n && idle(window));
    }
    check_says(&window, "Paused after 2 tokens");
}

#[track_caller]
fn check_lit(window: &Window, stage: LoopStage) {
    for other in LoopStage::iter() {
        let name = format!("Station {}", other.name());
        let lit = window.get_by_label(&name).accesskit_node().toggled();
        let expected = if other == stage { Toggled::True } else { Toggled::False };
        assert_eq!(lit, Some(expected), "{name} while at {stage:?}");
    }
}

#[test]
fn the_loop_is_walked_stage_by_stage_and_back() {
    let mut window = open_bundled();
    press(&mut window, Key::ArrowDown);
    check_lit(&window, LoopStage::Tokenize);
    assert_eq!(n_steps(&window), 0);
    press(&mut window, Key::ArrowDown);
    step_until("the first step is there", &mut window, |window| n_steps(window) == 1 && idle(window));
    for stage in LoopStage::iter().skip(1) {
        window.step();
        check_lit(&window, stage);
        if stage != LoopStage::Append {
            press(&mut window, Key::ArrowDown);
        }
    }
    assert_eq!(n_steps(&window), 1, "one pass for all stages");
    press(&mut window, Key::ArrowDown);
    step_until("the second step is there", &mut window, |window| n_steps(window) == 2 && idle(window));
    window.step();
    check_lit(&window, LoopStage::Embed);
    assert_eq!(state(&window).view.chart, Chart::Embeddings);
    press(&mut window, Key::ArrowUp);
    check_lit(&window, LoopStage::Append);
    assert_eq!(state(&window).cursor.step, 0);
    for stage in LoopStage::iter().rev().skip(1) {
        press(&mut window, Key::ArrowUp);
        check_lit(&window, stage);
    }
    click(&mut window, "Station logits");
    check_lit(&window, LoopStage::Logits);
    check_says(&window, "logits, one for each token of the vocabulary");
    assert_eq!(n_steps(&window), 2);
}

#[test]
fn arrows_and_the_slider_move_without_new_steps() {
    let mut window = open_bundled();
    make_tokens(&mut window, 4);
    press(&mut window, Key::ArrowLeft);
    press(&mut window, Key::ArrowLeft);
    assert_eq!(state(&window).cursor.step, 1);
    check_says(&window, "Step 2 of 4");
    press(&mut window, Key::ArrowRight);
    assert_eq!(state(&window).cursor.step, 2);
    press(&mut window, Key::End);
    assert_eq!(state(&window).cursor.step, 3);
    press(&mut window, Key::ArrowRight);
    assert_eq!(state(&window).cursor.step, 3, "there is nothing to the right of the last token");
    set_value(&mut window, "Timeline", 1.0);
    assert_eq!(state(&window).cursor.step, 0);
    focus(&mut window, "Timeline");
    press(&mut window, Key::ArrowRight);
    assert_eq!(state(&window).cursor.step, 1, "a focused slider has the arrows for itself");
    check_says(&window, "Step 2 of 4");
    assert_eq!((n_steps(&window), idle(&window)), (4, true));
}

#[test]
fn a_click_on_a_token_goes_to_its_step() {
    let mut window = open_bundled();
    make_tokens(&mut window, 3);
    let n_prompt = state(&window).current_run().unwrap().trace().prompt.len();
    let name = format!("Token {}, ", n_prompt + 2);
    window.get_by_label_contains(&name).click();
    window.step();
    assert_eq!(state(&window).cursor, Cursor { step: 1, stage: LoopStage::Append });
    // A click gives no focus, so that the keys go on working.
    press(&mut window, Key::ArrowLeft);
    assert_eq!((state(&window).cursor.step, n_steps(&window)), (0, 3));
}

/// The numbers and places of the tokens that are drawn in the strip.
fn chips(window: &Window) -> Vec<(usize, egui::Rect)> {
    let number = |text: &str| text.split_once("oken ")?.1.split_once(", ")?.0.parse().ok();
    let nodes = window.root().children_recursive().filter(|node| text_of(node).is_some_and(|text| text.contains('%')));
    nodes.filter_map(|node| Some((number(&text_of(&node)?)?, node.rect()))).collect()
}

#[test]
fn of_a_long_text_the_tokens_in_sight_are_drawn_each_in_its_place() {
    let mut window = open(toy(|config| config.context_length = 1024));
    act(&mut window, Action::Run(RunAction::SetSpeed(f64::INFINITY)));
    act(&mut window, Action::Run(RunAction::SetMaxNewTokens(600)));
    press(&mut window, Key::R);
    step_until("the run ends", &mut window, |window| n_steps(window) > 0 && idle(window));
    let n_made = n_steps(&window);
    assert!(n_made > 300, "the toy ended its text after {n_made} tokens");
    let n_prompt = state(&window).current_run().unwrap().trace().prompt.len();
    for step in [0, 150, n_made - 1] {
        act(&mut window, Action::Run(RunAction::GoTo(Cursor { step, stage: LoopStage::Append })));
        // It scrolls there and comes to rest: no further frame is wanted.
        window.run_steps(60);
        window.run();
        let drawn = chips(&window);
        let numbers: Vec<usize> = drawn.iter().map(|(number, _)| *number).collect();
        assert!(numbers.contains(&(n_prompt + step + 1)), "step {step} is not among {numbers:?}");
        assert!(numbers.len() < 200 && numbers.windows(2).all(|two| two[1] == two[0] + 1), "{numbers:?}");
        for two in drawn.windows(2) {
            let (before, after) = (two[0].1, two[1].1);
            let beside = (before.top() - after.top()).abs() < 0.1 && after.left() >= before.right();
            let below = after.top() >= before.bottom() && after.left() < before.left();
            assert!(beside || below, "step {step}: {two:?}");
        }
    }
}

#[test]
fn a_run_goes_to_its_end_and_says_why() {
    let mut window = open_bundled();
    set_value(&mut window, "Speed", 150.0);
    assert!(state(&window).speed.is_infinite());
    set_value(&mut window, "Max tokens", 5.0);
    press(&mut window, Key::R);
    let ended = |window: &Window| state(window).current_run().and_then(tokenscope::app::RunState::ended);
    step_until("the run ends", &mut window, |window| ended(window).is_some() && idle(window));
    window.step();
    check_says(&window, "Ended after 5 tokens: the maximum is set to 5");
    press(&mut window, Key::Space);
    assert_eq!(n_steps(&window), 5, "an ended run makes no more tokens");
    set_value(&mut window, "Max tokens", 400.0);
    press(&mut window, Key::Home);
    for seed in 0..20 {
        set_value(&mut window, "Seed", f64::from(seed));
        press(&mut window, Key::R);
        step_until("the run ends", &mut window, |window| ended(window).is_some() && idle(window));
        if ended(&window) == Some(StopReason::Eos) {
            break;
        }
        press(&mut window, Key::Home);
    }
    window.step();
    check_says(&window, "the model chose its end-of-text token");
    let last = *chosen_ids(&window).last().unwrap();
    assert!(state(&window).model.loaded.as_ref().unwrap().eos_ids.contains(&last));
}

#[test]
fn a_full_window_ends_the_run() {
    let mut window = open(toy(|toy| toy.context_length = 16));
    set_value(&mut window, "Speed", 150.0);
    press(&mut window, Key::R);
    step_until("the run ends", &mut window, |window| says(window, "Ended after"));
    check_says(&window, "the context window is full");
}

#[test]
fn a_run_pauses_and_goes_on() {
    let mut window = open(toy(|toy| toy.context_length = 4096));
    set_value(&mut window, "Speed", 20.0);
    click(&mut window, "▶ Run");
    step_until("the run goes", &mut window, |window| n_steps(window) >= 2);
    check_says(&window, "Running: ");
    click(&mut window, "Pause");
    step_until("the run pauses", &mut window, |window| says(window, "Paused after"));
    let paused_at = n_steps(&window);
    press(&mut window, Key::R);
    step_until("the run goes on", &mut window, |window| n_steps(window) >= paused_at + 2);
    press(&mut window, Key::R);
    step_until("the run pauses again", &mut window, |window| says(window, "Paused after"));
}

#[test]
fn stop_acts_within_a_layer() {
    let slow = |toy: &mut tokenscope::model::ToyConfig| {
        toy.n_layers = 40;
        toy.layer_time = Duration::from_millis(20);
    };
    let mut window = open(toy(slow));
    press(&mut window, Key::Space);
    check_says(&window, "Making a token…");
    click(&mut window, "■ Stop");
    let started = std::time::Instant::now();
    step_until("the step is abandoned", &mut window, idle);
    assert!(started.elapsed() < Duration::from_millis(600), "{:?}", started.elapsed());
    window.step();
    check_says(&window, "Stopped by you after 0 tokens");
    make_tokens(&mut window, 1);
}

#[test]
fn the_seed_decides_the_text() {
    let mut window = open_bundled();
    set_value(&mut window, "Speed", 150.0);
    set_value(&mut window, "Max tokens", 12.0);
    set_value(&mut window, "Temperature", 1.5);
    let mut text_of_run = || {
        press(&mut window, Key::R);
        step_until("the run ends", &mut window, |window| says(window, "Ended after"));
        let ids = chosen_ids(&window);
        press(&mut window, Key::Home);
        assert_eq!(n_steps(&window), 0);
        check_says(&window, "What comes next?");
        ids
    };
    let first = text_of_run();
    assert_eq!(text_of_run(), first, "the same seed");
    set_value(&mut window, "Seed", 7.0);
    press(&mut window, Key::R);
    step_until("the run ends", &mut window, |window| says(window, "Ended after"));
    assert_ne!(chosen_ids(&window), first, "another seed");
}

#[test]
fn a_sampler_changes_the_step_that_is_shown_without_the_model() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    let recorded = Arc::clone(state(&window).current_step().unwrap());
    check_silent(&window, "What if");
    set_value(&mut window, "Top-k", 2.0);
    step_until("the what-if is there", &mut window, |window| says(window, "What if"));
    assert!(readable(&window).iter().any(|text| text.starts_with("Rank 3, ") && text.contains("dropped by top-k")));
    let what_if = state(&window).current_what_if().unwrap().result.as_ref().unwrap().clone();
    assert_eq!(what_if.last().n_candidates, 2);
    let first = format!("{} after the samplers", format::percent(Words::ENGLISH, what_if.outcomes[0].final_prob));
    assert!(readable(&window).iter().any(|text| text.starts_with("Rank 1, ") && text.contains(&first)));
    assert!(Arc::ptr_eq(&recorded, state(&window).current_step().unwrap()), "what happened is not touched");
    assert_eq!((n_steps(&window), idle(&window)), (1, true));
    set_value(&mut window, "Temperature", 0.5);
    step_until("the what-if is there", &mut window, |window| {
        let what_if = state(window).current_what_if().and_then(|what_if| what_if.result.as_ref().ok());
        what_if.is_some_and(|record| record.stages.len() == 2)
    });
    assert_eq!((n_steps(&window), idle(&window)), (1, true));
    make_tokens(&mut window, 1);
    let next = &state(&window).current_step().unwrap().sampling;
    let stages: Vec<_> = next.stages.iter().map(|record| record.stage.clone()).collect();
    assert_eq!(stages, [Stage::temperature(0.5), Stage::top_k(2)], "the next token is drawn with them");
    check_silent(&window, "What if");
    press(&mut window, Key::ArrowLeft);
    step_until("the step before has its what-if", &mut window, |window| says(window, "What if"));
    click(&mut window, "Reset");
    window.step();
    check_silent(&window, "What if");
    assert_eq!(n_steps(&window), 2);
}

#[test]
fn a_sampler_is_moved_by_the_keyboard() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    let temperature = |window: &Window| state(window).sampler.slot(StageKind::Temperature).unwrap().stage.value();
    let before = temperature(&window);
    let sliders: Vec<_> = window.get_all_by_label("Temperature").collect();
    sliders.iter().find(|node| node.accesskit_node().role() == Role::Slider).unwrap().focus();
    drop(sliders);
    window.step();
    press(&mut window, Key::ArrowLeft);
    assert!(temperature(&window) < before);
    assert_eq!(state(&window).cursor.step, 0);
    step_until("the what-if is there", &mut window, |window| says(window, "What if"));
    assert_eq!(n_steps(&window), 1);
}

#[test]
fn a_step_is_drawn_a_thousand_times() {
    let mut window = open_bundled();
    act(&mut window, Action::Prompt(PromptAction::Edit("Once upon a time, there was a little".to_owned())));
    window.run_steps(3);
    make_tokens(&mut window, 1);
    click(&mut window, "Explore");
    click(&mut window, "Draws");
    step_until("it is drawn", &mut window, |window| says(window, "1,000 draws: χ² = "));
    let many = state(&window).current_many().unwrap().result.clone().unwrap();
    check_says(&window, &format!("came {} times", many.counts[0].n));
    // Another temperature, other draws.
    set_value(&mut window, "Temperature", 2.0);
    step_until("it is drawn anew", &mut window, |window| {
        state(window)
            .current_many()
            .is_some_and(|now| now.result.as_ref().unwrap().counts[0].prob < many.counts[0].prob)
    });
    press(&mut window, Key::G);
    step_until("it is certain", &mut window, |window| says(window, "one token is left, so it always comes"));
}

#[test]
fn greedy_takes_the_best() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    let places =
        |window: &Window| ["Reset", "Top-k", "Seed"].map(|name| window.get_all_by_label(name).next().unwrap().rect());
    let before = places(&window);
    press(&mut window, Key::G);
    assert!(state(&window).sampler.is_greedy());
    step_until("the what-if is there", &mut window, |window| says(window, "What if"));
    window.run_steps(4);
    assert_eq!(places(&window), before, "nothing jumps");
    check_says(&window, "would be taken greedily");
    make_tokens(&mut window, 1);
    let sampling = &state(&window).current_step().unwrap().sampling;
    assert_eq!((sampling.draw, sampling.chosen.rank), (Draw::Greedy, 1));
    check_says(&window, "The draw: greedy");
    press(&mut window, Key::G);
    assert!(!state(&window).sampler.is_greedy());
}

#[test]
fn tokens_are_found_by_text_and_by_id() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    focus(&mut window, "Find a token");
    type_text(&mut window, "paris");
    step_until("Paris is found", &mut window, |window| says(window, "Rank 1, ␣Paris, "));
    check_silent(&window, "more, ");
    window.get_by_label("Find a token").set_text_value_accesskit("");
    window.step();
    // A token that has no row of its own.
    let step = Arc::clone(state(&window).current_step().unwrap());
    let vocabulary = Arc::clone(&state(&window).model.loaded.as_ref().unwrap().vocabulary);
    let id = (1000..4096).find(|&id| step.sampling.raw.find(id).is_none()).unwrap();
    window.get_by_label("Find a token").set_text_value_accesskit(&id.to_string());
    let name = format!(", {}, ", vocabulary.display(id));
    step_until("the token of the tail is found", &mut window, |window| {
        readable(window).iter().any(|text| text.starts_with("Rank ") && text.contains(&name))
    });
    let found = state(&window).found.as_ref().unwrap().candidates.as_ref().unwrap()[0].0;
    assert_eq!(found.id, id);
    assert!(found.rank as usize > 200, "{found:?}");
    window.get_by_label("Find a token").set_text_value_accesskit("no such token");
    step_until("nothing is found", &mut window, |window| says(window, "No token of the vocabulary"));
    let [log, stop] = ["Log", "✕"].map(|name| window.get_by_label(name).rect());
    assert!(log.right() <= stop.left(), "{log:?} {stop:?}");
    click(&mut window, "✕");
    check_says(&window, "Rank 2, ");
    assert_eq!(n_steps(&window), 1);
}

#[test]
fn charts_and_scales_are_switched() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    click(&mut window, "Log");
    assert_eq!(state(&window).view.scale, Scale::Log);
    click(&mut window, "Bars");
    assert_eq!(state(&window).view.chart, Chart::Bars);
    check_says(&window, "Bars of the distribution by rank");
    click(&mut window, "Linear");
    assert_eq!(state(&window).view.scale, Scale::Linear);
    click(&mut window, "Cumulative");
    check_says(&window, "Cumulative probability by rank");
    click(&mut window, "List");
    check_says(&window, "Rank 1, ");
}

#[test]
fn sections_fold_and_the_inspector_hides() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    for (title, inside) in [("Samplers", "Top-k"), ("KV cache", "Positions filled"), ("Time", "Samplers and draw")] {
        check_says(&window, inside);
        click(&mut window, title);
        window.step();
        check_silent(&window, inside);
    }
    click(&mut window, "Samplers");
    window.step();
    check_says(&window, "Top-k");
    press(&mut window, Key::I);
    check_silent(&window, "Samplers");
    press(&mut window, Key::I);
    check_says(&window, "Top-k");
}

#[test]
fn the_calculator_tells_what_a_cache_costs() {
    let mut window = open_bundled();
    // Folded, so that the button below is in sight.
    click(&mut window, "Samplers");
    window.run_steps(4);
    click(&mut window, "Calculator…");
    window.run_steps(4);
    let card = state(&window).shown_model().unwrap().card.clone();
    check_says(&window, &format::bytes(Words::ENGLISH, card.kv_formula_bytes(card.context_length)));
    for text in
        drawn(&window).iter().filter(|text| text.text.ends_with(" tokens") && text.text.starts_with(char::is_numeric))
    {
        assert!(text.rect.height() < 20.0, "{:?} takes several lines", text.text);
    }
    click(&mut window, "Llama 2 7B");
    set_value(&mut window, "Tokens", 4_096.0);
    click(&mut window, "f16");
    window.run_steps(4);
    check_says(&window, &format::bytes(Words::ENGLISH, 2 << 30));
    press(&mut window, Key::Space);
    assert_eq!(n_steps(&window), 0, "no key acts behind it");
    press(&mut window, Key::Escape);
    assert!(state(&window).models.calculator.is_none());
}

#[test]
fn the_help_lists_every_key() {
    let mut window = open_bundled();
    for close in [Key::Questionmark, Key::Escape] {
        press(&mut window, Key::Questionmark);
        for shortcut in &keys::ALL {
            let shown = readable(&window);
            assert!(shown.iter().any(|text| text == shortcut.label(Words::ENGLISH)), "{shown:?}");
            assert!(shown.iter().any(|text| text == shortcut.what(Words::ENGLISH)), "{shown:?}");
        }
        press(&mut window, Key::Space);
        assert_eq!(n_steps(&window), 0, "no key acts behind the list");
        press(&mut window, close);
        assert!(!state(&window).view.help);
        check_silent(&window, keys::RESTART.what(Words::ENGLISH));
    }
}

#[test]
fn an_example_replaces_the_prompt() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    click(&mut window, "Examples ▾");
    window.step();
    click(&mut window, EXAMPLES[3]);
    assert_eq!(state(&window).prompt.text, EXAMPLES[3]);
    step_until("its tokens are shown", &mut window, |window| says(window, "␣upon"));
    assert_eq!(n_steps(&window), 0);
    click(&mut window, EXAMPLES[1]);
    assert_eq!(state(&window).prompt.text, EXAMPLES[1], "they are in the empty middle too");
}

#[test]
fn the_theme_is_switched() {
    let mut window = open_bundled();
    for (label, choice) in
        [("◐ Auto", ThemeChoice::Dark), ("◐ Dark", ThemeChoice::Light), ("◐ Light", ThemeChoice::System)]
    {
        click(&mut window, label);
        assert_eq!(state(&window).settings.theme, choice);
        match choice {
            ThemeChoice::Dark => assert_eq!(window.ctx.theme(), egui::Theme::Dark),
            ThemeChoice::Light => assert_eq!(window.ctx.theme(), egui::Theme::Light),
            ThemeChoice::System => {}
        }
    }
}

#[test]
fn a_failing_load_keeps_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    act(&mut window, Action::Models(ModelsAction::Load(ModelSource::Folder(folder.path().to_path_buf()))));
    step_until("the load fails", &mut window, |window| state(window).notice.is_some());
    window.step();
    check_says(&window, "config.json");
    make_tokens(&mut window, 1);
    assert_eq!(n_steps(&window), 2, "the model before goes on, with the same run");
    click(&mut window, "Dismiss");
    check_silent(&window, "config.json");
}

#[test]
fn numbers_that_are_none_are_reported() {
    let mut window = open(toy(|toy| toy.nan_at = Some(8)));
    for _ in 0..6 {
        press(&mut window, Key::Space);
        step_until("the step ends", &mut window, idle);
    }
    window.step();
    let notice = notice(&window);
    assert!(notice.contains("NaN"), "{notice}");
    check_says(&window, &format::sentence(&notice));
    assert!(n_steps(&window) > 0, "the steps before are kept");
}

#[test]
fn a_dead_engine_is_said_and_replaced() {
    let mut window = open(toy(|toy| toy.panic_at = Some(8)));
    for _ in 0..6 {
        press(&mut window, Key::Space);
        step_until("the step ends", &mut window, |window| idle(window) || state(window).engine_dead);
    }
    window.step();
    check_says(&window, "The engine stopped. What was recorded is still here");
    let n = n_steps(&window);
    assert!(n > 0);
    check_says(&window, "Rank 1, ");
    press(&mut window, Key::ArrowLeft);
    click(&mut window, "Restart the engine");
    step_until("a model is ready again", &mut window, |window| {
        !state(window).engine_dead && state(window).model.loading.is_none()
    });
    window.step();
    check_silent(&window, "The engine stopped");
    press(&mut window, Key::Home);
    make_tokens(&mut window, 1);
}

#[test]
fn an_empty_prompt_is_generated_from() {
    let mut window = open_bundled();
    window.get_by_label("Prompt").set_text_value_accesskit("");
    step_until("only the start token is left", &mut window, |window| {
        state(window).prompt.text.is_empty() && state(window).prompt.tokens.len() == 1
    });
    make_tokens(&mut window, 2);
    check_says(&window, "Paused after 2 tokens");
}

#[test]
fn a_prompt_longer_than_the_window_is_refused() {
    let mut window = open(toy(|toy| toy.context_length = 4));
    press(&mut window, Key::Space);
    step_until("the run is refused", &mut window, |window| state(window).notice.is_some());
    window.step();
    assert_eq!(n_steps(&window), 0);
    let notice = notice(&window);
    check_says(&window, &format::sentence(&notice));
    assert!(notice.contains('4'), "{notice}");
}

#[test]
fn everything_is_reached_by_tab_and_has_a_name() {
    let mut window = open_bundled();
    make_tokens(&mut window, 2);
    let wanted: BTreeSet<String> = window
        .root()
        .children_recursive()
        .filter(|node| {
            let node = node.accesskit_node();
            node.data().supports_action(NodeAction::Click)
                && !matches!(node.role(), Role::Label | Role::ScrollBar)
                && !node.is_disabled()
        })
        .map(|node| text_of(&node).unwrap_or_else(|| panic!("{node:?} has no name")))
        .collect();
    let mut reached = BTreeSet::new();
    for _ in 0..200 {
        window.key_press(Key::Tab);
        window.step();
        let focused = window.root().children_recursive().find(egui_kittest::Node::is_focused);
        let name = focused.map(|node| text_of(&node).unwrap_or_default());
        reached.extend(name);
    }
    let missed: Vec<_> = wanted.difference(&reached).collect();
    assert!(missed.is_empty(), "Tab does not reach {missed:?}, only {reached:?}");
}

#[test]
fn a_settled_window_draws_no_frames() {
    let mut window = open_bundled();
    make_tokens(&mut window, 2);
    set_value(&mut window, "Top-k", 3.0);
    step_until("the what-if is there", &mut window, |window| says(window, "What if"));
    for chart in ["Bars", "Cumulative", "List"] {
        click(&mut window, chart);
        window.run_steps(10);
        let delay = window.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
        assert_eq!(delay, Duration::MAX, "{chart}: {:?}", window.ctx.repaint_causes());
    }
}

#[test]
fn a_vocabulary_of_150_000_tokens_is_counted_and_searched() {
    let mut window = open(toy(|toy| toy.vocab_size = 151_936));
    make_tokens(&mut window, 1);
    let shown = state(&window).current_step().unwrap().sampling.raw.clone();
    assert_eq!(shown.n_candidates, 151_936);
    check_says(&window, "rank ");
    check_says(&window, "of 151,936");
    set_value(&mut window, "Top-k", 100_000.0);
    step_until("the what-if is there", &mut window, |window| says(window, "What if"));
    check_says(&window, "151,936 → 100,000");
    focus(&mut window, "Find a token");
    type_text(&mut window, "151935");
    step_until("the last token is found", &mut window, |window| says(window, ", ⟨id 151935⟩, "));
    assert_eq!((n_steps(&window), idle(&window)), (1, true));
}

#[test]
fn everything_fits_into_the_smallest_window() {
    let builder = Harness::builder().with_size([1000.0, 680.0]);
    let mut window = ready(open_with(builder, ModelSource::Bundled));
    // However long the prompt is, the rest keeps its room.
    act(&mut window, Action::Prompt(PromptAction::Edit("One day, a little cat saw a big dog. ".repeat(30))));
    window.run_steps(3);
    make_tokens(&mut window, 1);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1000.0, 680.0));
    let transport =
        ["⟲ Restart", "◀ Back", "Forward ▶", "Step station", "Step", "▶ Run", "■ Stop", "Find a token", "?"];
    let stages: Vec<_> = LoopStage::iter().map(|stage| format!("Station {}", stage.name())).collect();
    let mut rects: Vec<(String, egui::Rect)> = Vec::new();
    for name in transport.into_iter().chain(stages.iter().map(String::as_str)) {
        rects.push((name.to_owned(), window.get_by_label(name).rect()));
    }
    for (idx, (name, rect)) in rects.iter().enumerate() {
        assert!(screen.contains_rect(*rect), "{name} at {rect:?} is outside");
        let over = rects[..idx].iter().find(|(_, other)| other.shrink(1.0).intersects(rect.shrink(1.0)));
        assert!(over.is_none(), "{name} lies over {over:?}");
    }
    let figure =
        window.root().children_recursive().find(|node| text_of(node).is_some_and(|text| text.starts_with("The draw:")));
    let (draw, stage) = (figure.unwrap().rect(), window.get_by_label(&stages[0]).rect());
    assert!(draw.bottom() <= stage.top(), "the draw at {draw:?} is cut off");
}

#[test]
fn a_load_shows_how_far_it_is_and_is_cancelled() {
    let mut window = open_bundled();
    let slow = toy(|toy| {
        toy.n_layers = 1000;
        toy.layer_time = Duration::from_millis(20);
    });
    act(&mut window, Action::Models(ModelsAction::Load(slow)));
    step_until("the load is seen", &mut window, |window| says(window, "Reading the toy"));
    make_tokens(&mut window, 1);
    click(&mut window, "Cancel");
    step_until("the load is over", &mut window, |window| state(window).model.loading.is_none());
    window.step();
    check_silent(&window, "Reading the toy");
    make_tokens(&mut window, 1);
    assert_eq!(n_steps(&window), 2, "the model before goes on");
}

#[test]
fn the_dialog_loads_the_model_in_another_format() {
    let mut window = open_bundled();
    let name_of = |window: &Window| readable(window).into_iter().find(|text| text.starts_with("bundled · ")).unwrap();
    let button = name_of(&window);
    assert!(button.ends_with("f32"), "{button}");
    click(&mut window, &button);
    window.step();
    check_says(&window, "Open a folder…");
    click(&mut window, "f16");
    step_until("the model is loaded anew", &mut window, |window| name_of(window).ends_with("f16"));
    press(&mut window, Key::Escape);
    check_silent(&window, "Open a folder…");
    make_tokens(&mut window, 1);
    check_says(&window, "Rank 1, ␣Paris, ");
}

#[test]
fn the_dialog_loads_the_draft() {
    let mut window = open_bundled();
    let button = readable(&window).into_iter().find(|text| text.starts_with("bundled · ")).unwrap();
    click(&mut window, &button);
    window.step();
    click(&mut window, "Bundled draft");
    step_until("the draft is there", &mut window, |window| {
        readable(window).iter().any(|text| text.starts_with("bundled-draft · "))
    });
    press(&mut window, Key::Escape);
    make_tokens(&mut window, 1);
    check_says(&window, "Rank 1, ␣Paris, ");
}

#[test]
fn a_signal_closes_the_window_as_the_user_would() {
    let mut window = open_bundled();
    let close = window.state().closer();
    let closes = |window: &Window| {
        let output = &window.output().viewport_output;
        output.values().any(|viewport| viewport.commands.contains(&egui::ViewportCommand::Close))
    };
    window.step();
    assert!(!closes(&window));
    std::thread::Builder::new().name("signal".to_owned()).spawn(close).unwrap().join().unwrap();
    window.step();
    assert!(closes(&window));
}
