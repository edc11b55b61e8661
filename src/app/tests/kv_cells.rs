//! The cells of the KV cache below the text, at every place of a run.

use super::*;
use crate::trace::Phase;

/// A sign for each token: `p` or `d` for a cell that a prefill or a decode step filled, in capitals where that was the
/// shown step, `o` for an empty cell, and a blank for no cell.
fn cells(app: &App) -> String {
    let cells = KvCells::of(&app.state);
    let sign = |place| match cells.cell(place) {
        None => ' ',
        Some(KvCell::Empty) => 'o',
        Some(KvCell::Filled { phase: Phase::Prefill, is_new, .. }) => {
            if is_new {
                'P'
            } else {
                'p'
            }
        }
        Some(KvCell::Filled { phase: Phase::Decode, is_new, .. }) => {
            if is_new {
                'D'
            } else {
                'd'
            }
        }
    };
    (0..TextView::of(&app.state).len()).map(sign).collect()
}

fn n_prompt(app: &App) -> usize {
    TextView::of(&app.state).n_prompt()
}

#[test]
fn a_token_has_an_empty_cell_until_the_layers_of_the_step_that_feeds_it() {
    let mut app = App::ready();
    let n = n_prompt(&app);
    let empty = "o".repeat(n);
    assert_eq!(cells(&app), empty);
    let stage = |app: &mut App| {
        app.act_and_settle(Action::Run(RunAction::StepStage));
        cells(app)
    };
    assert_eq!((stage(&mut app), app.state.cursor.stage), (empty.clone(), LoopStage::Tokenize));
    assert_eq!((stage(&mut app).trim_end().to_owned(), app.state.cursor.stage), (empty, LoopStage::Embed));
    assert_eq!(stage(&mut app), "P".repeat(n) + " ");
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(cells(&app), "P".repeat(n) + "o");
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(cells(&app), "p".repeat(n) + "Do");
    app.act(Action::Run(RunAction::ShowStage(LoopStage::Embed)));
    assert_eq!(cells(&app), "p".repeat(n) + "o ");
    // What came later has no cell at an earlier step.
    app.act(Action::Run(RunAction::Back));
    assert_eq!(cells(&app), "P".repeat(n) + "o ");
}

#[test]
fn a_branch_that_is_taken_up_again_shows_what_was_fed_again() {
    let mut app = App::with_tokens(4);
    let prompt = "p".repeat(n_prompt(&app));
    let drawn = shown_tokens(&app)[1];
    let id = (1..9).map(|rank| candidate(&app, 1, rank)).find(|id| *id != drawn).unwrap();
    app.act(Action::Explore(ExploreAction::TakeToken { step: 1, id }));
    assert_eq!(cells(&app), prompt.clone() + "Do");
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(cells(&app), prompt.clone() + "dDo");
    let first = app.state.run.as_ref().unwrap().tree.branches()[0].id;
    app.act_and_settle(Action::Explore(ExploreAction::SwitchBranch(first)));
    app.act_and_settle(Action::Run(RunAction::GoTo(Cursor::END)));
    assert_eq!(cells(&app), prompt.clone() + "ddDo");
    // The cache has the other branch in it: of this one it keeps what both begin with.
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(cells(&app), prompt.clone() + "dDDDo");
    app.act(Action::Run(RunAction::ShowStage(LoopStage::Embed)));
    assert_eq!(cells(&app), prompt + "dooo ");
}

#[test]
fn a_window_that_slides_is_filled_afresh_and_forgotten_tokens_have_no_cell() {
    let mut app = with_a_slid_window();
    let slid = n_forgotten(&app).iter().position(|n| *n > 0).unwrap();
    let n_later = app.n_steps() - slid - 1;
    let (gone, later) = (" ".repeat(20), " ".repeat(n_later));
    app.act(Action::Run(RunAction::GoTo(Cursor { step: slid, stage: LoopStage::Append })));
    assert_eq!(cells(&app), gone.clone() + &"D".repeat(21) + "o" + &later);
    app.act(Action::Run(RunAction::ShowStage(LoopStage::Embed)));
    assert_eq!(cells(&app), gone.clone() + &"o".repeat(21) + " " + &later);
    app.act(Action::Run(RunAction::GoTo(Cursor { step: slid + 1, stage: LoopStage::Append })));
    assert_eq!(cells(&app), gone + &"d".repeat(21) + "Do" + &later[1..]);
    app.act(Action::Run(RunAction::GoTo(Cursor { step: slid - 1, stage: LoopStage::Append })));
    let n = n_prompt(&app);
    assert_eq!(cells(&app), "p".repeat(n) + &"d".repeat(39 - n) + "Do " + &later);
}
