//! Branches as a person makes them: take another token, go from one to the other, rename, delete, undo.

use crate::harness::{
    Window, check_says, check_silent, chosen_ids, click, make_tokens, n_steps, open_bundled, press, readable, state,
    step_until, text_of, type_text,
};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::Node;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use tokenscope::trace::Draw;
use tokenscope::ui::format;
use tokenscope::words::Words;

/// Clicks the row of the candidate of this rank.
#[track_caller]
fn take(window: &mut Window, rank: usize) {
    let start = format!("Rank {rank}, ");
    let is_row = |node: &Node<'_>| text_of(node).is_some_and(|text| text.starts_with(&start));
    window.root().children_recursive().find(is_row).unwrap().click();
    window.step();
    window.remove_cursor();
    window.run_steps(2);
}

fn n_branches(window: &Window) -> usize {
    state(window).current_run().unwrap().tree.branches().len()
}

fn shown(window: &Window) -> String {
    state(window).current_run().unwrap().tree.current().name.clone()
}

fn with_ctrl(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::COMMAND, key);
    window.step();
    window.step();
}

/// A rank other than that of the chosen token of the shown step.
fn other_rank(window: &Window) -> usize {
    if state(window).current_step().unwrap().sampling.chosen.rank == 1 { 2 } else { 1 }
}

#[test]
fn a_click_on_a_row_of_the_softmax_begins_a_branch() {
    let mut window = open_bundled();
    make_tokens(&mut window, 2);
    let before = chosen_ids(&window);
    click(&mut window, "Station softmax");
    let rank = other_rank(&window);
    let row = |window: &Window, rank: usize| {
        let start = format!("Rank {rank}: ");
        let is_row = |node: &Node<'_>| {
            let is_row = node.accesskit_node().role() == Role::Row;
            is_row && text_of(node).is_some_and(|text| text.starts_with(&start))
        };
        window.root().children_recursive().find(is_row).unwrap().click();
    };
    // The token that was drawn is there already.
    row(&window, state(&window).current_step().unwrap().sampling.chosen.rank as usize);
    window.run_steps(2);
    assert_eq!((chosen_ids(&window), n_branches(&window)), (before.clone(), 1));
    let id = state(&window).current_step().unwrap().sampling.raw.head[rank - 1].id;
    row(&window, rank);
    window.remove_cursor();
    window.run_steps(2);
    assert_eq!((chosen_ids(&window), n_branches(&window)), (vec![before[0], id], 2));
    check_says(&window, "taken by you");
}

#[test]
fn a_click_on_a_candidate_begins_a_branch() {
    let mut window = open_bundled();
    make_tokens(&mut window, 3);
    let before = chosen_ids(&window);
    press(&mut window, Key::ArrowLeft);
    let rank = other_rank(&window);
    let id = state(&window).current_step().unwrap().sampling.raw.head[rank - 1].id;
    take(&mut window, rank);
    assert_eq!(chosen_ids(&window), [before[0], id]);
    check_says(&window, "taken by you");
    check_says(&window, "nothing was drawn: you took");
    assert_eq!(n_branches(&window), 2);
    make_tokens(&mut window, 2);
    assert_eq!((n_steps(&window), chosen_ids(&window)[1]), (4, id));
    // What was drawn first is still there.
    press(&mut window, Key::PageUp);
    assert_eq!(chosen_ids(&window), before);
    press(&mut window, Key::PageDown);
    assert_eq!(n_steps(&window), 4);
}

#[test]
fn a_token_that_was_dropped_can_be_taken_too() {
    let mut window = open_bundled();
    press(&mut window, Key::G);
    make_tokens(&mut window, 1);
    assert!(readable(&window).iter().any(|text| text.starts_with("Rank 3, ") && text.contains("dropped by greedy")));
    take(&mut window, 3);
    let sampling = &state(&window).current_step().unwrap().sampling;
    assert_eq!((sampling.draw, sampling.chosen.rank, sampling.chosen_final_prob), (Draw::Forced, 3, 0.0));
    make_tokens(&mut window, 1);
    assert_eq!(n_steps(&window), 2);
}

#[test]
fn the_picture_shows_all_branches_and_goes_to_them() {
    let mut window = open_bundled();
    make_tokens(&mut window, 3);
    click(&mut window, "Explore");
    click(&mut window, "Branches");
    check_says(&window, "One branch: click a candidate");
    click(&mut window, "This step");
    let rank = other_rank(&window);
    take(&mut window, rank);
    make_tokens(&mut window, 1);
    click(&mut window, "Explore");
    click(&mut window, "Branches");
    check_says(&window, "2 branches");
    let tree = &state(&window).current_run().unwrap().tree;
    for branch in tree.branches() {
        check_says(&window, &format!("log p {}", format::logit(Words::ENGLISH, branch.trace.log_prob())));
    }
    let token = readable(&window).into_iter().find(|text| text.starts_with("Branch 1: step 3, ")).unwrap();
    assert!(
        readable(&window).iter().any(|text| text.starts_with("Branch 2: step 3, ") && text.contains("taken by you"))
    );
    click(&mut window, &token);
    assert_eq!((shown(&window).as_str(), state(&window).cursor.step), ("Branch 1", 2));
    click_name(&mut window, "Branch 2");
    assert_eq!(shown(&window), "Branch 2");
}

/// Clicks the name of a branch in the picture, which the choice above the text has too.
fn click_name(window: &mut Window, name: &str) {
    let nodes: Vec<_> = window.get_all_by_label(name).collect();
    nodes.iter().find(|node| node.accesskit_node().role() == Role::Button).unwrap().click();
    drop(nodes);
    window.step();
    window.remove_cursor();
    window.step();
}

#[test]
fn a_branch_is_renamed_deleted_and_brought_back() {
    let mut window = open_bundled();
    make_tokens(&mut window, 2);
    let rank = other_rank(&window);
    take(&mut window, rank);
    click(&mut window, "Explore");
    click(&mut window, "Branches");
    let rename = |window: &Window| window.get_all_by_label("Rename").count();
    assert_eq!(rename(&window), 2);
    window.get_all_by_label("Rename").last().unwrap().click();
    window.run_steps(3);
    window.remove_cursor();
    check_says(&window, "New name of Branch 2");
    type_text(&mut window, " of mine");
    press(&mut window, Key::Enter);
    window.run_steps(2);
    check_says(&window, "of mine");
    assert!(shown(&window).contains("of mine"));
    click(&mut window, "Delete");
    assert_eq!(n_branches(&window), 1);
    check_silent(&window, "of mine");
    with_ctrl(&mut window, Key::Z);
    check_says(&window, "of mine");
    click(&mut window, "Undo");
    check_says(&window, "Branch 2");
    click(&mut window, "Undo");
    assert_eq!(n_branches(&window), 1);
    with_ctrl(&mut window, Key::Y);
    assert_eq!(n_branches(&window), 2);
}

#[test]
fn the_arrows_go_from_branch_to_branch() {
    let mut window = open_bundled();
    make_tokens(&mut window, 2);
    let rank = other_rank(&window);
    take(&mut window, rank);
    click(&mut window, "Explore");
    click(&mut window, "Branches");
    focus_name(&mut window, "Branch 2");
    press(&mut window, Key::ArrowUp);
    assert_eq!(shown(&window), "Branch 1");
    press(&mut window, Key::ArrowDown);
    assert_eq!(shown(&window), "Branch 2");
}

fn focus_name(window: &mut Window, name: &str) {
    let nodes: Vec<_> = window.get_all_by_label(name).collect();
    nodes.iter().find(|node| node.accesskit_node().role() == Role::Button).unwrap().focus();
    drop(nodes);
    window.step();
    window.step();
}

#[test]
fn a_run_takes_the_branch_along() {
    let mut window = open_bundled();
    make_tokens(&mut window, 2);
    let rank = other_rank(&window);
    take(&mut window, rank);
    let begun = chosen_ids(&window);
    press(&mut window, Key::R);
    step_until("it runs", &mut window, |window| n_steps(window) > 4);
    press(&mut window, Key::R);
    step_until("it rests", &mut window, crate::harness::idle);
    assert_eq!(chosen_ids(&window)[..2], begun[..]);
}
