//! The KV cache in sight: a cell below every token, and how much is filled, with every step.

use crate::harness::{Window, act, check_says, check_silent, drawn, make_tokens, open_bundled, press, says, state};
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use tokenscope::app::{Action, LoopStage, RunAction, ScreenAction, TextStyle, TextView};

fn n_prompt(window: &Window) -> usize {
    TextView::of(state(window)).n_prompt()
}

#[test]
fn the_cache_grows_in_sight_with_every_step() {
    let mut window = open_bundled();
    let n = n_prompt(&window);
    check_says(&window, "KV cache: 0 positions · 0 B");
    check_says(&window, "KV cache: not fed yet");
    make_tokens(&mut window, 1);
    check_says(&window, &format!("KV cache: {n} positions · "));
    check_says(&window, "Prompt token 1, ");
    assert_eq!(filled(&window, "filled by the prefill, step 1"), n);
    for made in 2..5 {
        make_tokens(&mut window, 1);
        check_says(&window, &format!("KV cache: {} positions · ", n + made - 1));
        assert_eq!(filled(&window, "filled by decode"), made - 1);
        assert_eq!(filled(&window, "not fed yet"), 1, "the newest");
    }
    // Before its layers a step has added nothing.
    act(&mut window, Action::Run(RunAction::ShowStage(LoopStage::Embed)));
    window.step();
    check_says(&window, &format!("KV cache: {} positions · ", n + 2));
    press(&mut window, Key::ArrowDown);
    check_says(&window, &format!("KV cache: {} positions · ", n + 3));
    // As text it has no cells, and its size stays in sight.
    act(&mut window, Action::Screen(ScreenAction::SetTextStyle(TextStyle::Reading)));
    window.step();
    check_says(&window, &format!("KV cache: {} positions · ", n + 3));
    assert_eq!(filled(&window, "filled by"), 0);
}

/// How many cells say this of themselves.
fn filled(window: &Window, what: &str) -> usize {
    crate::harness::readable(window)
        .iter()
        .filter(|text| text.to_lowercase().contains("token ") && text.contains(what))
        .count()
}

#[test]
fn a_token_says_when_its_cell_was_filled_and_the_header_what_the_cells_are() {
    let mut window = open_bundled();
    make_tokens(&mut window, 2);
    let n = n_prompt(&window);
    window.get_by_label_contains(&format!("Token {}, ", n + 1)).hover();
    window.run_steps(20);
    assert!(drawn(&window).iter().any(|drawn| drawn.text == "KV cache: filled by decode, step 2"));
    window.get_by_label_contains(" positions · ").hover();
    window.run_steps(20);
    for what in ["its cell of the KV cache", "filled by the prefill", "framed: by the shown step", "empty: not fed yet"]
    {
        check_says(&window, what);
    }
    window.remove_cursor();
    window.run_steps(3);
    check_silent(&window, "framed: by the shown step");
    assert!(!says(&window, "positions · step"), "said once");
}

#[test]
fn two_rows_of_tokens_are_in_sight_with_their_cells() {
    let mut window = open_bundled();
    act(&mut window, Action::Prompt(tokenscope::app::PromptAction::Edit("The cat sat on the mat and ".repeat(10))));
    crate::harness::step_until("it is tokenized", &mut window, |window| n_prompt(window) > 60);
    make_tokens(&mut window, 1);
    let ids: std::collections::BTreeSet<i32> = drawn(&window)
        .iter()
        .filter(|drawn| {
            drawn.text.parse::<u32>().is_ok() && drawn.clip.top() < 200.0 && drawn.clip.contains_rect(drawn.rect)
        })
        .map(|drawn| drawn.rect.center().y as i32 / 20)
        .collect();
    assert!(ids.len() >= 2, "{ids:?}");
}
