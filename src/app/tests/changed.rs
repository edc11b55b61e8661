//! Going on with a changed model as a branch of its own kind.

use super::*;
use crate::trace::StepRecord;

fn edit(factor: f32) -> Edit {
    Edit { part: Part::Mlp { layer: 0 }, positions: Positions::All, change: Change::Scale(factor) }
}

fn intervene(app: &mut App, action: InterventionAction) -> Vec<Command> {
    app.act_and_settle(Action::Inside(InsideAction::Intervene(action)))
}

/// Lets the engine make one token of the run that goes on.
fn make_one(app: &mut App) {
    let n_before = app.n_steps();
    while app.n_steps() == n_before && app.work() {
        app.settle();
    }
    assert_eq!(app.n_steps(), n_before + 1);
}

/// The changes that each step of the shown branch was made with.
fn factors(app: &App) -> Vec<Option<f32>> {
    let of = |step: &Arc<StepRecord>| match step.edits.first().map(|edit| &edit.change) {
        Some(Change::Scale(factor)) => Some(*factor),
        _ => None,
    };
    app.state.steps().iter().map(of).collect()
}

fn tree(app: &App) -> &crate::trace::Tree {
    &app.state.run.as_ref().unwrap().tree
}

/// Four tokens, then two more under a change from the third on.
fn changed() -> App {
    let mut app = App::with_tokens(4);
    app.act(Action::Run(RunAction::GoTo(Cursor { step: 2, stage: LoopStage::Append })));
    assert!(intervene(&mut app, InterventionAction::GenerateOn).is_empty(), "nothing is changed");
    intervene(&mut app, InterventionAction::Add(edit(0.0)));
    let commands = app.act(Action::Inside(InsideAction::Intervene(InterventionAction::GenerateOn)));
    let resumed = commands.iter().find_map(|command| match command {
        Command::Resume { path, .. } => Some(path.clone()),
        _ => None,
    });
    assert_eq!(&*resumed.unwrap().edits, [edit(0.0)]);
    make_one(&mut app);
    make_one(&mut app);
    app.act_and_settle(Action::Run(RunAction::Toggle));
    app
}

#[test]
fn a_changed_branch_is_made_gone_on_with_and_undone() {
    let mut app = changed();
    assert_eq!(factors(&app), [None, None, Some(0.0), Some(0.0)]);
    assert_eq!((tree(&app).branches().len(), tree(&app).current().parts_at), (2, 2));
    assert!(tree(&app).current().is_changed() && !tree(&app).branches()[0].is_changed());
    assert_eq!(app.state.inside.edits(&app.state)[..], [edit(0.0)], "what the step was made with");
    // Whatever is gone on with from here is made in the same way, another token in its place too.
    app.act_and_settle(Action::Run(RunAction::StepToken));
    let id = candidate(&app, 3, 5);
    app.act_and_settle(Action::Explore(ExploreAction::TakeToken { step: 3, id }));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(factors(&app), [None, None, Some(0.0), Some(0.0), Some(0.0)]);
    let job = app.act(Action::Explore(ExploreAction::RollOut));
    assert!(
        job.iter().any(|command| matches!(command, Command::RollOut { path, .. } if path.edits[..] == [edit(0.0)]))
    );
    app.settle();
    app.act_and_settle(Action::Run(RunAction::Undo));
    app.act_and_settle(Action::Run(RunAction::Undo));
    assert_eq!((tree(&app).branches().len(), factors(&app)), (1, vec![None; 4]));
    assert_eq!(app.state.inside.edits(&app.state)[..], [edit(0.0)], "it is still tried on the model's own step");
    app.act_and_settle(Action::Run(RunAction::Redo));
    assert_eq!(factors(&app)[2], Some(0.0));
}

#[test]
fn a_changed_branch_and_the_models_own_are_never_taken_for_each_other() {
    let mut app = changed();
    // The same change again is the branch that is there, and so is the model as it is.
    app.act_and_settle(Action::Explore(ExploreAction::SwitchBranch(BranchId(1))));
    app.act(Action::Run(RunAction::GoTo(Cursor { step: 2, stage: LoopStage::Append })));
    intervene(&mut app, InterventionAction::GenerateOn);
    assert_eq!((tree(&app).branches().len(), tree(&app).current().id), (2, BranchId(2)));
    intervene(&mut app, InterventionAction::Clear);
    assert!(app.state.inside.edits(&app.state).is_empty(), "the model as it is, tried on a changed step");
    intervene(&mut app, InterventionAction::GenerateOn);
    assert_eq!((tree(&app).branches().len(), tree(&app).current().id), (2, BranchId(1)));
    // From a later step of the changed branch there is none yet without the change.
    app.act_and_settle(Action::Explore(ExploreAction::SwitchBranch(BranchId(2))));
    app.act(Action::Run(RunAction::GoTo(Cursor { step: 3, stage: LoopStage::Append })));
    intervene(&mut app, InterventionAction::Clear);
    intervene(&mut app, InterventionAction::AsMade);
    assert_eq!(app.state.inside.edits(&app.state)[..], [edit(0.0)]);
    intervene(&mut app, InterventionAction::Set(0, edit(0.5)));
    app.act(Action::Inside(InsideAction::Intervene(InterventionAction::GenerateOn)));
    make_one(&mut app);
    assert_eq!(factors(&app), [None, None, Some(0.0), Some(0.5)]);
    app.act_and_settle(Action::Run(RunAction::Toggle));
    // Steps that were made with different changes replay.
    app.act(Action::Run(RunAction::Replay));
    while app.state.is_replaying() && app.work() {
        app.settle();
    }
    let replay = app.state.replay.clone().unwrap();
    assert_eq!((replay.n_made, replay.n_same, replay.deviation), (4, 4, 0.0));
}

#[test]
fn a_failure_before_the_first_step_of_a_changed_branch_leaves_the_others() {
    let mut app = App::with_tokens(2);
    app.act(Action::Run(RunAction::GoTo(Cursor { step: 0, stage: LoopStage::Append })));
    intervene(&mut app, InterventionAction::Add(edit(0.0)));
    app.act(Action::Inside(InsideAction::Intervene(InterventionAction::GenerateOn)));
    assert_eq!((app.n_steps(), app.state.cursor), (0, Cursor::START));
    let run = app.state.run.as_ref().unwrap().id;
    let effects = receive(&mut app.state, Event::Failed { run, error: Arc::new(RunError::Over) });
    app.perform(effects);
    assert_eq!(tree(&app).branches()[0].trace.steps().len(), 2);
    app.check();
}

#[test]
fn a_link_says_that_it_cannot_carry_changes() {
    let mut app = changed();
    app.act(Action::Sessions(SessionsAction::CopyLink));
    assert!(said(app.state.report.as_ref().unwrap()).contains("cannot say that the model was changed"));
    app.act_and_settle(Action::Explore(ExploreAction::SwitchBranch(BranchId(1))));
    app.act(Action::Sessions(SessionsAction::CopyLink));
    assert!(!said(app.state.report.as_ref().unwrap()).contains("changed"));
}

#[test]
fn the_numbers_of_the_prompt_say_that_a_changed_model_computed_them() {
    let mut app = App::with_tokens(2);
    let edits_of = |app: &App, position| Views::of(&app.state).run.text.tokens.token(position).edits.to_vec();
    let last = app.state.prompt.tokens.len() - 1;
    assert!(edits_of(&app, last).is_empty() && edits_of(&app, last + 1).is_empty());
    app.act(Action::Run(RunAction::GoTo(Cursor { step: 0, stage: LoopStage::Append })));
    intervene(&mut app, InterventionAction::Add(edit(0.0)));
    app.act(Action::Inside(InsideAction::Intervene(InterventionAction::GenerateOn)));
    make_one(&mut app);
    assert_eq!((edits_of(&app, last), edits_of(&app, last + 1)), (vec![edit(0.0)], vec![edit(0.0)]));
}

#[test]
fn a_preset_begins_with_the_model_as_it_is() {
    let mut app = App::with_tokens(1);
    let preset = &presets_of(Chart::Interventions)[2];
    app.act_and_settle(Action::Inside(InsideAction::UsePreset(preset)));
    let alone = app.state.inside.edits(&app.state).to_vec();
    assert_eq!(alone.len(), 1);
    // The same, chosen at a step that was made with a change.
    intervene(&mut app, InterventionAction::Add(edit(0.5)));
    app.act(Action::Inside(InsideAction::Intervene(InterventionAction::GenerateOn)));
    make_one(&mut app);
    app.act_and_settle(Action::Run(RunAction::Toggle));
    app.act_and_settle(Action::Inside(InsideAction::UsePreset(preset)));
    assert_eq!(app.state.inside.edits(&app.state).to_vec(), alone);
}
