//! The application against the engine itself, which obeys when the test lets it.

mod changed;
mod kv_cells;
mod prompts;

use super::core::Status;
use super::features::inside::presets_of;
use super::*;
use crate::engine::runner::inline::{Inline, toy};
use crate::engine::{
    Command, Event, LoadProgress, LoadRequest, Loaded, LoadedModel, ModelSource, Pace, Question, RunError, RunId,
    TokenizerSource, answer,
};
use crate::inspect::{HeadChoice, HeadMeasure};
use crate::message::Tell;
use crate::model::{ToyConfig, ToyModel};
use crate::sampling::{SamplerSettings, Stage, StageKind};
use crate::trace::{
    BranchId, Change, DEFAULT_MAX_NEW_TOKENS, Draw, Edit, ModelCard, ModelIdentity, Overflow, Part, PatchSite,
    PatchedPlace, Positions, StopReason, first_seen,
};
use proptest::prelude::*;
use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};
use strum::IntoEnumIterator as _;

fn said(what: &impl Tell) -> String {
    crate::words::Words::ENGLISH.render(&what.message())
}

fn toy_options() -> ToyConfig {
    ToyConfig { vocab_size: 4096, context_length: 40, ..ToyConfig::default() }
}

fn request() -> LoadRequest {
    LoadRequest { source: ModelSource::Toy(toy_options()), ..LoadRequest::default() }
}

static MODEL: LazyLock<LoadedModel> = LazyLock::new(|| toy(request()).unwrap().public);

/// The application and its engine.
struct App {
    state: AppState,
    engine: Inline,
    /// Whether its thread would have died.
    dead: bool,
    questions: VecDeque<Question>,
    last_what_if: Option<(crate::engine::StepKey, SamplerSettings)>,
    highest_run: u64,
    /// What the keeper was asked.
    kept: Vec<crate::engine::Keep>,
}

impl App {
    /// With its model still to come.
    fn starting() -> Self {
        let (state, engine) = (AppState::new(request()), Inline::starting(request()));
        let (questions, kept) = (VecDeque::new(), Vec::new());
        Self { state, engine, dead: false, questions, last_what_if: None, highest_run: 0, kept }
    }

    fn ready() -> Self {
        let mut app = Self::starting();
        app.settle();
        app
    }

    /// Carries out an action and hands its effects over. Returns the commands among them.
    #[track_caller]
    fn act(&mut self, action: Action) -> Vec<Command> {
        let effects = update(&mut self.state, action);
        self.perform(effects)
    }

    #[track_caller]
    fn perform(&mut self, effects: Vec<Effect>) -> Vec<Command> {
        let mut commands = Vec::new();
        for effect in effects {
            match effect {
                Effect::Engine(command) => {
                    if let Command::Begin { run, .. } = command {
                        assert!(run.0 > self.highest_run, "{run:?} was used before");
                        self.highest_run = run.0;
                    }
                    self.engine.send(command.clone());
                    commands.push(command);
                }
                Effect::CancelStep => self.engine.driver.wanted = 0,
                Effect::Ask(question) => {
                    if let Question::WhatIf { step, settings } = &question {
                        assert!(self.state.settings_differ(), "there is nothing to ask");
                        assert_eq!((Some(step.key), settings), (self.state.current_key(), &self.state.sampler));
                        self.last_what_if = Some((step.key, settings.clone()));
                    }
                    self.questions.push_back(question);
                }
                Effect::Keep(request) => self.kept.push(request),
                Effect::PickFolder
                | Effect::PickLessons
                | Effect::PickTokenizer { .. }
                | Effect::PickSession
                | Effect::PickTarget(_)
                | Effect::TakePicture(..)
                | Effect::WriteText(_)
                | Effect::Copy(_) => {}
                Effect::SpawnEngine(request) => {
                    (self.engine, self.dead) = (Inline::starting(request), false);
                }
            }
        }
        commands
    }

    /// Lets the engine do one thing, the next token of a run that goes on among them; whether there was anything to do.
    fn work(&mut self) -> bool {
        !self.dead && self.engine.work()
    }

    /// What the engine does for the run that is there.
    fn done_for(&self, run: RunId) -> Option<(Activity, usize)> {
        let activity = self.engine.engine.activity().filter(|_| !self.dead);
        activity.filter(|(id, ..)| *id == run).map(|(_, activity, n_steps)| (activity, n_steps))
    }

    /// Hands one event over; whether there was one.
    #[track_caller]
    fn deliver(&mut self) -> bool {
        let Some(event) = self.engine.events.pop_front() else {
            if self.dead && !self.state.engine_dead {
                engine_gone(&mut self.state);
            }
            return false;
        };
        let effects = receive(&mut self.state, event);
        self.perform(effects);
        true
    }

    fn answer_one(&mut self) -> bool {
        let question = self.questions.pop_front();
        question.is_some_and(|question| {
            let effects = receive_answer(&mut self.state, answer(question));
            self.perform(effects);
            true
        })
    }

    /// Until every command is obeyed, every event delivered and every question answered; makes no token of itself.
    #[track_caller]
    fn settle(&mut self) {
        loop {
            let obeyed = !self.dead && self.engine.obey();
            if !(self.deliver() | self.answer_one() | obeyed) {
                return;
            }
        }
    }

    #[track_caller]
    fn act_and_settle(&mut self, action: Action) -> Vec<Command> {
        let commands = self.act(action);
        self.settle();
        commands
    }

    /// One that has made `n` tokens and shows the last.
    fn with_tokens(n: usize) -> Self {
        let mut app = Self::ready();
        for _ in 0..n {
            app.act_and_settle(Action::Run(RunAction::StepToken));
        }
        assert_eq!(app.n_steps(), n);
        app
    }

    fn n_steps(&self) -> usize {
        self.state.run.as_ref().map_or(0, |run| run.trace().steps().len())
    }

    fn activity(&self) -> Option<Activity> {
        self.state.run.as_ref().map(RunState::activity)
    }

    #[track_caller]
    fn check(&self) {
        let state = &self.state;
        assert!(state.cursor.step <= self.n_steps(), "{:?} of {}", state.cursor, self.n_steps());
        if let Some(run) = state.current_run() {
            assert_eq!(state.current_step().is_some(), !run.trace().steps().is_empty(), "{:?}", state.cursor);
            assert!(!run.trace().steps().is_empty() || state.cursor == Cursor::START);
            assert!(run.trace().steps().iter().enumerate().all(|(idx, step)| step.index == idx));
        }
        if state.settings_differ() && state.current_input().is_some() {
            let asked = self.last_what_if.as_ref().map(|(key, settings)| (*key, settings));
            assert_eq!(asked, state.current_key().map(|key| (key, &state.sampler)), "the what-if was asked for");
        }
        assert!(state.current_what_if().is_none_or(|what_if| what_if.settings == state.sampler));
        self.check_views();
    }

    /// Every view can be built and read to its end.
    #[track_caller]
    fn check_views(&self) {
        let state = &self.state;
        let text = TextView::of(state);
        let tokens: Vec<_> = (0..text.len()).map(|position| text.token(position)).collect();
        assert!(tokens.iter().filter(|token| token.current).count() <= 1);
        assert!(tokens.is_sorted_by_key(|token| token.later), "what is later stands behind");
        if let Some(Ok(merges)) = MergesView::of(&state.inside, state) {
            assert!(merges.rows().last().is_none_or(|row| row.pieces == merges.word().tokens));
        }
        assert!(!said(&Status::of(state)).is_empty());
        let transport = Views::of(state).run.transport;
        assert!(!transport.can_forward || transport.can_step);
        let _kv = KvView::of(state);
        let cells = KvCells::of(state);
        let n_filled =
            (0..text.len()).filter(|place| matches!(cells.cell(*place), Some(KvCell::Filled { .. }))).count();
        assert_eq!(n_filled, cells.n_filled());
        if let Some(step) = state.current_step().filter(|_| state.cursor.stage >= LoopStage::Layers) {
            assert_eq!((n_filled, cells.bytes), (step.kv.positions_after, step.kv.filled_bytes()));
        }
        let timing = TimingView::of(state);
        assert_eq!(timing.map_or(0, |timing| timing.steps_ms.len()), state.current_run().map_or(0, |_| self.n_steps()));
        let Some(view) = DistributionView::of(state) else {
            return;
        };
        let rows: Vec<_> = (0..view.n_rows()).map(|idx| view.row(idx)).collect();
        assert_eq!(rows.iter().filter(|row| row.chosen).count(), 1);
        let mass: f64 = rows.iter().map(|row| row.candidate.prob).sum::<f64>() + view.tail().mass;
        let after: f64 = rows.iter().map(|row| row.outcome.final_prob).sum::<f64>() + view.final_tail();
        assert!((mass - 1.0).abs() < 1e-9 && (after - 1.0).abs() < 1e-9, "{mass} {after}");
        assert!(!view.is_what_if || state.settings_differ());
        assert!(view.cumulative().all(|(_, before, after)| before < 1.0 + 1e-9 && after < 1.0 + 1e-9));
        assert!(view.found_rows().is_none_or(|rows| rows.count() <= 50));
        let draw = DrawView::of(view.sampling, 1e-3);
        assert!(draw.intervals.is_sorted_by(|a, b| a.2 <= b.1));
    }
}

#[derive(Clone, Debug)]
enum Op {
    Act(Action),
    Work,
    Deliver,
    Answer,
    Die,
}

fn some_settings() -> impl Strategy<Value = SamplerSettings> {
    (0usize..4, 0usize..3, prop::bool::ANY, 0u64..3, -1i8..2).prop_map(|(temperature, top_k, greedy, seed, penalty)| {
        let settings = SamplerSettings::default()
            .with(Stage::temperature([1.0, 0.0, 0.7, f64::NAN][temperature]))
            .with(Stage::top_k(top_k * 20))
            .with(Stage::repetition_penalty(1.0 + f64::from(penalty)))
            .with(Stage::mirostat(3.0, 0.1))
            .with_seed(seed);
        if greedy { settings.with(Stage::greedy()) } else { settings }
    })
}

fn some_cursor() -> impl Strategy<Value = Cursor> {
    (0usize..8, 0usize..8).prop_map(|(step, stage)| Cursor { step, stage: LoopStage::iter().nth(stage).unwrap() })
}

fn some_prediction() -> impl Strategy<Value = PredictionAction> {
    prop_oneof![
        any::<bool>().prop_map(PredictionAction::Ask),
        any::<bool>().prop_map(PredictionAction::SetClass),
        Just(PredictionAction::Type("Paris".to_owned())),
        (0u32..200).prop_map(PredictionAction::SetPercent),
        (0usize..9).prop_map(|row| PredictionAction::TypeRow(row, "mat".to_owned())),
        (0usize..9, -2i32..3).prop_map(|(row, more)| PredictionAction::Vote(row, more)),
        Just(PredictionAction::AddRow),
        Just(PredictionAction::Give),
        Just(PredictionAction::Clear),
    ]
}

fn some_presenting() -> impl Strategy<Value = PresentAction> {
    prop_oneof![
        Just(PresentAction::Toggle),
        Just(PresentAction::Next),
        Just(PresentAction::Previous),
        Just(PresentAction::Blank),
        (0usize..8).prop_map(|idx| PresentAction::Show(Shown::iter().nth(idx).unwrap())),
    ]
}

fn some_attention() -> impl Strategy<Value = AttentionAction> {
    prop_oneof![
        (0usize..3).prop_map(|n| AttentionAction::Show(HeadChoice::iter().nth(n).unwrap())),
        (0usize..6).prop_map(|n| AttentionAction::RankBy(HeadMeasure::iter().nth(n).unwrap())),
    ]
}

fn some_map() -> impl Strategy<Value = MapAction> {
    prop_oneof![
        (0usize..4).prop_map(|n| MapAction::Zoom(MapZoom::iter().nth(n).unwrap())),
        Just(MapAction::Out),
        (0usize..4).prop_map(|n| MapAction::WorkOut(WorkedNumber::iter().nth(n).unwrap())),
        (0usize..40).prop_map(MapAction::ChooseKey),
        (0usize..40).prop_map(MapAction::ChooseDim),
    ]
}

fn some_embeddings() -> impl Strategy<Value = EmbeddingsAction> {
    prop_oneof![
        3 => (0usize..3).prop_map(|n| EmbeddingsAction::Show(EmbeddingsPart::iter().nth(n).unwrap())),
        1 => (0usize..3).prop_map(|n| EmbeddingsAction::Search(["", "the", "7"][n].to_owned())),
        1 => (0u32..5000).prop_map(EmbeddingsAction::LookUp),
        2 => (0u32..5000, prop::bool::ANY).prop_map(|(id, on)| EmbeddingsAction::Add(id, if on { 1.0 } else { -1.0 })),
        1 => (0usize..5).prop_map(EmbeddingsAction::Remove),
        2 => (0u32..5000).prop_map(EmbeddingsAction::Place),
        1 => prop::option::of(0usize..40).prop_map(EmbeddingsAction::ChooseKey),
        1 => prop::option::of(0usize..4000).prop_map(EmbeddingsAction::ChooseDistance),
    ]
}

fn some_action() -> impl Strategy<Value = Action> {
    let prompt = |idx: usize| ["The capital of France is", "", "x", "much longer than the window of the toy"][idx];
    prop_oneof![
        2 => (0usize..4).prop_map(move |idx| Action::Prompt(PromptAction::Edit(prompt(idx).repeat(1 + idx / 3 * 9)))),
        1 => Just(Action::Prompt(PromptAction::UseExample(EXAMPLES[0]))),
        6 => Just(Action::Run(RunAction::StepToken)),
        6 => Just(Action::Run(RunAction::StepStage)),
        3 => Just(Action::Run(RunAction::BackStage)),
        3 => Just(Action::Run(RunAction::Back)),
        3 => Just(Action::Run(RunAction::Forward)),
        2 => some_cursor().prop_map(|value| Action::Run(RunAction::GoTo(value))),
        2 => (0usize..8).prop_map(|idx| Action::Run(RunAction::ShowStage(LoopStage::iter().nth(idx).unwrap()))),
        4 => Just(Action::Run(RunAction::Toggle)),
        2 => Just(Action::Run(RunAction::Stop)),
        1 => Just(Action::Run(RunAction::Restart)),
        3 => some_prediction().prop_map(Action::Predict),
        3 => some_presenting().prop_map(Action::Present),
        1 => (0usize..3).prop_map(|idx| Action::Run(RunAction::SetSpeed([f64::NAN, f64::INFINITY, -1.0][idx]))),
        4 => some_settings().prop_map(|value| Action::Samplers(SamplersAction::Set(value))),
        1 => (0usize..12).prop_map(|value| Action::Run(RunAction::SetMaxNewTokens(value))),
        2 => prop::bool::ANY.prop_map(|on| Action::Run(RunAction::SetOverflow(if on { Overflow::Slide } else { Overflow::Stop }))),
        1 => (0usize..3).prop_map(|idx| Action::Screen(ScreenAction::Search(["", "cat", "7"][idx].to_owned()))),
        1 => Just(Action::Screen(ScreenAction::SetScale(Scale::Log))),
        1 => (0usize..6).prop_map(|value| Action::Inside(InsideAction::ShowMerges(value))),
        2 => (0usize..Chart::iter().count()).prop_map(|n| Action::Screen(ScreenAction::SetChart(Chart::iter().nth(n).unwrap()))),
        2 => Just(Action::Inside(InsideAction::Look)),
        1 => (0usize..2, 0usize..2).prop_map(|(chart, n)| Action::Inside(InsideAction::UsePreset(&presets_of([Chart::Interventions, Chart::Patching][chart])[n]))),
        1 => (0usize..3).prop_map(|n| Action::Inside(InsideAction::Patch(PatchAction::Type(["x", "", "The capital of Italy is"][n].to_owned())))),
        1 => Just(Action::Inside(InsideAction::Patch(PatchAction::UseTyped))),
        1 => prop::bool::ANY.prop_map(|on| Action::Inside(InsideAction::Tokenizer(if on { TokenizerAction::Use(TokenizerSource::Bundled) } else { TokenizerAction::Leave }))),
        4 => (0usize..10, 0usize..3, 0usize..9).prop_map(|(n, layer, place)| Action::Inside(InsideAction::Intervene(some_intervention(n, layer, place)))),
        1 => prop::option::of(0u32..4096).prop_map(|token| Action::Inside(InsideAction::Attribute(AttributionChoice { token, against: Some(7) }))),
        2 => (0usize..9, 0u32..4096).prop_map(|(position, id)| Action::Inside(InsideAction::Patch(PatchAction::Swap(position, id)))),
        1 => (0usize..3, 0usize..9).prop_map(|(layer, column)| Action::Inside(InsideAction::Patch(PatchAction::Show(PatchedPlace { site: PatchSite::Heads, layer, column })))),
        1 => prop::option::of(0usize..40).prop_map(|position| Action::Inside(InsideAction::ChoosePosition(position))),
        1 => (0usize..3, 0usize..3).prop_map(|(layer, head)| Action::Inside(InsideAction::ChooseHead { layer, head })),
        1 => some_attention().prop_map(|action| Action::Inside(InsideAction::Attention(action))),
        2 => some_map().prop_map(|action| Action::Inside(InsideAction::Map(action))),
        2 => some_embeddings().prop_map(|action| Action::Inside(InsideAction::Embeddings(action))),
        1 => Just(Action::Screen(ScreenAction::ToggleSection(Section::KvCache))),
        1 => (0usize..3).prop_map(|idx| Action::Models(ModelsAction::Load([
            ModelSource::Toy(toy_options()),
            ModelSource::Hub(" ".to_owned()),
            ModelSource::Folder("nowhere".into()),
        ][idx].clone()))),
        4 => (0usize..8, 0u32..4096).prop_map(|(step, id)| Action::Explore(ExploreAction::TakeToken { step, id })),
        2 => (0u32..6).prop_map(|id| Action::Explore(ExploreAction::SwitchBranch(BranchId(id)))),
        2 => prop::bool::ANY.prop_map(|next| if next { Action::Explore(ExploreAction::NextBranch) } else { Action::Explore(ExploreAction::PreviousBranch) }),
        1 => (0u32..6).prop_map(|id| Action::Explore(ExploreAction::RenameBranch(BranchId(id), format!("name {id}")))),
        2 => (0u32..6).prop_map(|id| Action::Explore(ExploreAction::DeleteBranch(BranchId(id)))),
        2 => prop::bool::ANY.prop_map(|undo| if undo { Action::Run(RunAction::Undo) } else { Action::Run(RunAction::Redo) }),
        2 => Just(Action::Explore(ExploreAction::RollOut)),
        1 => (0usize..9).prop_map(|value| Action::Explore(ExploreAction::KeepRollout(value))),
        2 => Just(Action::Explore(ExploreAction::SearchBeams)),
        1 => proptest::collection::vec(0u32..4096, 0..5).prop_map(|value| Action::Explore(ExploreAction::KeepBeam(value))),
        1 => (0usize..9, 0usize..9).prop_map(|(n, len)| Action::Explore(ExploreAction::SetRolloutOptions(RolloutOptions { n, len }))),
        1 => Just(Action::Explore(ExploreAction::StopJob)),
        2 => Just(Action::Run(RunAction::Replay)),
        1 => Just(Action::Explore(ExploreAction::Pin)),
        1 => Just(Action::Explore(ExploreAction::Unpin)),
        1 => (0u32..4).prop_map(|id| Action::Explore(ExploreAction::CompareWith(CompareWith::Branch(BranchId(id))))),
        1 => Just(Action::Screen(ScreenAction::SetChart(Chart::Compare))),
        1 => some_settings().prop_map(|value| Action::Explore(ExploreAction::RunBeside(value))),
        1 => Just(Action::Sessions(SessionsAction::CopyLink)),
        1 => Just(Action::Lesson(LessonAction::CopyScene)),
        1 => some_settings().prop_map(|settings| Action::Sessions(SessionsAction::OpenLink(Box::new(crate::export::Link {
            prompt: "x".to_owned(), settings, max_new_tokens: 5, overflow: Overflow::Stop, model: None,
        })))),
        1 => Just(Action::Sessions(SessionsAction::Export(Export::Session, "file".into()))),
        1 => Just(Action::Models(ModelsAction::SetDType(crate::model::DTypeChoice::default()))),
        1 => Just(Action::Models(ModelsAction::CancelLoad)),
        1 => Just(Action::Models(ModelsAction::RestartEngine)),
        1 => Just(Action::Screen(ScreenAction::DismissNotice)),
    ]
}

fn some_intervention(n: usize, layer: usize, place: usize) -> InterventionAction {
    let edit = Edit { part: Part::Mlp { layer: layer % 2 }, positions: Positions::All, change: Change::Scale(0.5) };
    match n {
        0 => InterventionAction::Add(edit),
        1 => InterventionAction::Set(place, edit),
        2 => InterventionAction::Remove(place),
        3 => InterventionAction::Clear,
        4 => InterventionAction::AsMade,
        5 | 6 => InterventionAction::GenerateOn,
        7 => InterventionAction::TypeTexts([["", "x"][place % 2].to_owned(), "The".to_owned()]),
        8 => InterventionAction::AddDifference(Difference { layer, texts: ["x", "The"].map(str::to_owned) }),
        _ => InterventionAction::AddDirection { layer, from: place, to: 2 * place },
    }
}

fn some_op() -> impl Strategy<Value = Op> {
    prop_oneof![
        20 => some_action().prop_map(Op::Act),
        20 => Just(Op::Work),
        30 => Just(Op::Deliver),
        10 => Just(Op::Answer),
        1 => Just(Op::Die),
    ]
}

/// What must hold once everything is said: the window knows what the engine does.
#[track_caller]
fn check_in_step(app: &mut App) {
    app.settle();
    // A path that is followed and steps that are made again come to an end.
    while app.engine.engine.activity().is_some_and(|(_, activity, _)| activity == Activity::Following) && app.work() {
        app.settle();
    }
    let Some(run) = &app.state.run else {
        return;
    };
    let done = app.done_for(run.id);
    assert_eq!(run.activity(), done.map_or(Activity::Idle, |(activity, _)| activity));
    if let Some((branch, (_, n_steps))) = run.under_way.and_then(|id| run.tree.get(id)).zip(done) {
        assert_eq!(branch.trace.steps().len(), n_steps, "every token has arrived");
    }
    for branch in run.tree.branches() {
        assert!(branch.trace.steps().iter().enumerate().all(|(idx, step)| step.index == idx));
        assert!(branch.parent.is_none_or(|parent| run.tree.get(parent).is_some()), "a branch without its parent");
    }
}

#[test]
fn the_merges_of_the_prompt_come_with_its_tokens() {
    let mut app = App::ready();
    app.act_and_settle(Action::Prompt(PromptAction::Edit("a capital".to_owned())));
    let shown = |app: &App| {
        MergesView::of(&app.state.inside, &app.state).and_then(Result::ok).map(|view| view.name(view.word()))
    };
    assert_eq!(shown(&app).as_deref(), Some("␣capital"), "the word with the most merges");
    app.act(Action::Inside(InsideAction::ShowMerges(0)));
    assert_eq!(shown(&app).as_deref(), Some("a"));
    app.act(Action::Inside(InsideAction::ShowMerges(9)));
    assert_eq!(shown(&app).as_deref(), Some("␣capital"), "there is no such word");
    app.act_and_settle(Action::Prompt(PromptAction::Edit(String::new())));
    assert_eq!(shown(&app), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_is_done_and_nothing_that_comes_breaks_the_state(
        ready in prop::bool::weighted(0.9), ops in proptest::collection::vec(some_op(), 0..120),
    ) {
        let mut app = if ready { App::ready() } else { App::starting() };
        for op in ops {
            match op {
                Op::Act(Action::Models(ModelsAction::RestartEngine)) if !app.state.engine_dead => {}
                Op::Act(action) => {
                    let (cursor, recorded) = (app.state.cursor, app.state.current_run().map_or(0, |_| app.n_steps()));
                    let within = recorded > 0 && (cursor.step + 1 < recorded || cursor.stage < LoopStage::Append);
                    let stepping = action == Action::Run(RunAction::StepToken);
                    let commands = app.act(action);
                    let steps = commands.iter().any(|command| matches!(command, Command::Step(..)));
                    prop_assert!(!(stepping && within && steps), "a recorded token was made again");
                }
                Op::Work => _ = app.work(),
                Op::Deliver => _ = app.deliver(),
                Op::Answer => _ = app.answer_one(),
                Op::Die => {
                    app.dead = true;
                }
            }
            app.check();
        }
        check_in_step(&mut app);
        app.check();
    }

    #[test]
    fn news_of_another_run_changes_nothing(ops in proptest::collection::vec(some_action(), 0..20), id in 100u64..200) {
        let mut app = App::with_tokens(2);
        let record = Arc::clone(&app.state.run.as_ref().unwrap().trace().steps()[0]);
        for action in ops {
            app.act_and_settle(action);
        }
        let run = RunId(id);
        let before = format!("{:?}", app.state.run);
        let (cursor, notice) = (app.state.cursor, app.state.notice.clone());
        for event in [
            Event::Activity(run, Activity::Running),
            Event::Step { run, record, logits: [0.0; 4096].into() },
            Event::Activity(run, Activity::Idle),
            Event::Failed { run, error: Arc::new(RunError::Over) },
        ] {
            prop_assert!(receive(&mut app.state, event).is_empty());
            prop_assert_eq!((app.state.cursor, &app.state.notice), (cursor, &notice));
            prop_assert_eq!(&format!("{:?}", app.state.run), &before);
        }
    }
}

#[test]
fn a_first_press_shows_the_first_token() {
    let mut app = App::ready();
    let commands = app.act(Action::Run(RunAction::StepToken));
    let [Command::Begin { run: begun, .. }, Command::Step(stepped, _)] = &commands[..] else {
        panic!("{commands:?}");
    };
    assert_eq!(begun, stepped);
    assert_eq!(app.activity(), Some(Activity::Stepping));
    assert_eq!(app.act(Action::Run(RunAction::StepToken)).len(), 0, "one at a time");
    app.settle();
    assert_eq!(app.activity(), Some(Activity::Idle));
    assert_eq!(app.state.cursor, Cursor { step: 0, stage: LoopStage::Append });
    let expected: Vec<_> = MODEL.tokenizer.encode(EXAMPLES[0]).unwrap();
    assert_eq!(app.state.run.as_ref().unwrap().trace().prompt[..], expected[..]);
    assert_eq!(TextView::of(&app.state).len(), expected.len() + 1);
}

#[test]
fn stages_are_walked_from_the_prompt_to_the_next_token() {
    let mut app = App::ready();
    app.act_and_settle(Action::Run(RunAction::StepStage));
    assert_eq!((app.state.cursor, app.n_steps()), (Cursor::START, 0), "the prompt is tokenized");
    let mut walked = Vec::new();
    for _ in 0..9 {
        app.act_and_settle(Action::Run(RunAction::StepStage));
        walked.push((app.state.cursor.step, app.state.cursor.stage));
    }
    let mut expected: Vec<_> = LoopStage::iter().skip(1).map(|stage| (0, stage)).collect();
    expected.extend([(1, LoopStage::Embed), (1, LoopStage::Layers)]);
    assert_eq!(walked, expected);
    assert_eq!(app.n_steps(), 2);
    for expected in expected.iter().rev().skip(1) {
        app.act_and_settle(Action::Run(RunAction::BackStage));
        assert_eq!((app.state.cursor.step, app.state.cursor.stage), *expected, "and back the same way");
    }
    app.act_and_settle(Action::Run(RunAction::BackStage));
    assert_eq!(app.state.cursor, Cursor::START);
    assert_eq!(app.n_steps(), 2, "going back makes and forgets nothing");
}

#[test]
fn back_and_forward_undo_each_other() {
    let mut app = App::with_tokens(4);
    let place = |step| Cursor { step, stage: LoopStage::Append };
    for step in (0..3).rev() {
        assert!(app.act(Action::Run(RunAction::Back)).is_empty());
        assert_eq!(app.state.cursor, place(step));
        app.act(Action::Run(RunAction::Forward));
        assert_eq!(app.state.cursor, place(step + 1));
        app.act(Action::Run(RunAction::Back));
    }
    app.act(Action::Run(RunAction::Back));
    assert_eq!(app.state.cursor, Cursor::START);
    app.act(Action::Run(RunAction::Back));
    assert_eq!(app.state.cursor, Cursor::START);
    for step in [0, 1, 2, 3, 3] {
        assert!(app.act(Action::Run(RunAction::Forward)).is_empty());
        assert_eq!(app.state.cursor, place(step));
    }
}

#[test]
fn recorded_tokens_are_shown_and_not_made_again() {
    let mut app = App::with_tokens(3);
    app.act(Action::Run(RunAction::GoTo(Cursor::START)));
    for step in 0..3 {
        assert!(app.act(Action::Run(RunAction::StepToken)).is_empty());
        assert_eq!(app.state.cursor, Cursor { step, stage: LoopStage::Append });
    }
    assert!(matches!(app.act(Action::Run(RunAction::StepToken))[..], [Command::Step(..)]));
}

#[test]
fn another_prompt_hides_the_run_and_the_same_shows_it_again() {
    let mut app = App::with_tokens(3);
    app.act_and_settle(Action::Run(RunAction::Back));
    let key = app.state.current_key();
    app.act_and_settle(Action::Prompt(PromptAction::Edit("The cat".to_owned())));
    assert_eq!(app.state.current_key(), None);
    assert_eq!(TextView::of(&app.state).len(), MODEL.tokenizer.encode("The cat").unwrap().len());
    app.act_and_settle(Action::Prompt(PromptAction::Edit(EXAMPLES[0].to_owned())));
    assert_eq!(app.state.current_key(), key);
    app.act_and_settle(Action::Prompt(PromptAction::Edit("The cat".to_owned())));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    let run = app.state.current_run().unwrap();
    assert_eq!((run.id, run.trace().steps().len()), (RunId(2), 1), "a new one takes its place");
}

#[test]
fn restarting_begins_a_run_of_another_name() {
    let mut app = App::with_tokens(2);
    let effects = update(&mut app.state, Action::Run(RunAction::Restart));
    assert!(matches!(effects[..], [Effect::CancelStep]));
    assert!(app.state.run.is_none() && app.state.cursor == Cursor::START);
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(app.state.run.as_ref().unwrap().id, RunId(2));
}

#[test]
fn a_run_that_is_stopped_says_so() {
    let mut app = App::with_tokens(2);
    app.act_and_settle(Action::Run(RunAction::Toggle));
    app.work();
    app.settle();
    assert_eq!(said(&Status::of(&app.state)), "Running: 3 tokens so far");
    app.act_and_settle(Action::Run(RunAction::Stop));
    assert_eq!(said(&Status::of(&app.state)), "Stopped by you after 3 tokens");
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(said(&Status::of(&app.state)), "Paused after 4 tokens");
}

#[test]
fn a_run_ends_with_its_reason() {
    let mut app = App::ready();
    app.act(Action::Run(RunAction::SetMaxNewTokens(4)));
    app.act(Action::Run(RunAction::Toggle));
    while app.work() {
        app.settle();
    }
    assert_eq!(said(&Status::of(&app.state)), "Ended after 4 tokens: the maximum is set to 4");
    for action in [Action::Run(RunAction::StepToken), Action::Run(RunAction::StepStage), Action::Run(RunAction::Toggle)]
    {
        assert!(app.act(action).is_empty(), "there is no more");
    }
}

/// Runs until nothing more comes.
fn run_on(app: &mut App) {
    app.act(Action::Run(RunAction::SetSpeed(f64::INFINITY)));
    app.act(Action::Run(RunAction::Toggle));
    while app.work() {
        app.settle();
    }
}

/// One whose window is full, and that has ended for it.
fn with_a_full_window() -> App {
    let mut app = App::ready();
    run_on(&mut app);
    assert_eq!(app.state.ended(), Some(StopReason::ContextFull));
    assert!(app.act(Action::Run(RunAction::StepToken)).is_empty(), "there is no more");
    app
}

/// One that has slid past its beginning, and paused after 75 tokens of 120.
fn with_a_slid_window() -> App {
    let mut app = with_a_full_window();
    app.act(Action::Run(RunAction::SetMaxNewTokens(120)));
    app.act(Action::Run(RunAction::SetOverflow(Overflow::Slide)));
    while app.n_steps() < 75 {
        app.act_and_settle(Action::Run(RunAction::StepToken));
    }
    app
}

fn n_forgotten(app: &App) -> Vec<usize> {
    app.state.current_run().unwrap().trace().steps().iter().map(|step| step.kv.forgotten).collect()
}

#[test]
fn a_run_whose_window_is_full_goes_on_when_it_may_slide() {
    let mut app = with_a_full_window();
    let (n_full, n_prompt) = (app.n_steps(), TextView::of(&app.state).n_prompt());
    assert_eq!(n_prompt + n_full, 41, "40 positions, and the token that is never fed");
    assert!(app.act(Action::Run(RunAction::SetOverflow(Overflow::Slide))).is_empty());
    assert!(Views::of(&app.state).run.transport.can_step);
    let commands = app.act_and_settle(Action::Run(RunAction::StepToken));
    assert!(
        matches!(commands[..], [Command::Resume { overflow: Overflow::Slide, .. }, Command::Step(..)]),
        "{commands:?}"
    );
    assert_eq!(app.n_steps(), n_full + 1);
    assert_eq!(app.state.current_step().unwrap().kv.forgotten, 20);
    // The shown text says which tokens those are.
    let view = TextView::of(&app.state);
    let forgotten = (0..view.len()).filter(|position| view.token(*position).forgotten).count();
    assert_eq!((forgotten, view.n_forgotten(), view.token(20).forgotten), (20, 20, false));
    app.act_and_settle(Action::Run(RunAction::Back));
    assert_eq!(TextView::of(&app.state).n_forgotten(), 0, "the step before still saw them");
    // It goes on to the maximum.
    run_on(&mut app);
    assert_eq!((app.n_steps(), app.state.ended()), (DEFAULT_MAX_NEW_TOKENS, Some(StopReason::MaxNewTokens)));
    let expected: Vec<_> = (n_prompt..n_prompt + DEFAULT_MAX_NEW_TOKENS).map(|n| first_seen(n, 40)).collect();
    assert_eq!(n_forgotten(&app), expected);
}

#[test]
fn a_run_that_slid_stops_where_the_window_is_full_again() {
    let mut app = with_a_full_window();
    app.act(Action::Run(RunAction::SetMaxNewTokens(200)));
    app.act(Action::Run(RunAction::SetOverflow(Overflow::Slide)));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    app.act(Action::Run(RunAction::SetOverflow(Overflow::Stop)));
    let n_before = app.n_steps();
    run_on(&mut app);
    assert_eq!((app.n_steps() - n_before, app.state.ended()), (19, Some(StopReason::ContextFull)));
    assert!(n_forgotten(&app).iter().all(|n| *n <= 20));
}

#[test]
fn a_run_that_slid_replays_whatever_the_choice_is_now() {
    let mut app = with_a_full_window();
    app.act(Action::Run(RunAction::SetMaxNewTokens(90)));
    app.act(Action::Run(RunAction::SetOverflow(Overflow::Slide)));
    run_on(&mut app);
    assert_eq!(app.n_steps(), 90);
    app.act(Action::Run(RunAction::SetOverflow(Overflow::Stop)));
    app.act(Action::Run(RunAction::Replay));
    while app.work() {
        app.settle();
    }
    let replay = app.state.replay.clone().unwrap();
    assert_eq!((replay.n_made, replay.n_same), (90, 90));
    assert!(replay.deviation < 1e-5);
}

#[test]
fn rollouts_and_beams_from_a_step_that_slid_see_what_it_saw() {
    let mut app = with_a_slid_window();
    for step in [40, 60, 70] {
        app.act_and_settle(Action::Run(RunAction::GoTo(Cursor { step, stage: LoopStage::Append })));
        let sampling = app.state.current_step().unwrap().sampling.clone();
        app.act_and_settle(Action::Explore(ExploreAction::RollOut));
        let tree = app.state.explore.rollouts.as_ref().and_then(|work| work.result.clone()).unwrap();
        let first = tree.nodes.iter().filter(|node| node.parent.is_none());
        for node in first {
            let recorded = sampling.raw.find(node.id).map(|candidate| candidate.prob);
            assert!(
                recorded.is_none_or(|prob| (prob - node.prob).abs() < 1e-9),
                "step {step}: {recorded:?}, not {}",
                node.prob
            );
        }
        app.act_and_settle(Action::Explore(ExploreAction::SearchBeams));
        let search = app.state.explore.beams.as_ref().and_then(|work| work.result.clone()).unwrap();
        let best = search.steps[0].kept.iter().map(|beam| beam.prob).fold(0.0, f64::max);
        assert!((best - sampling.raw.head[0].prob).abs() < 1e-9, "step {step}: {best}, not {:?}", sampling.raw.head[0]);
    }
    // And the run goes on as if nothing had been.
    let mut other = with_a_slid_window();
    run_on(&mut app);
    run_on(&mut other);
    assert_eq!((shown_tokens(&app), n_forgotten(&app)), (shown_tokens(&other), n_forgotten(&other)));
    assert_eq!(app.n_steps(), 120);
}

#[test]
fn another_choice_before_the_first_token_begins_anew() {
    let mut app = App::ready();
    app.act(Action::Run(RunAction::StepStage));
    app.act(Action::Run(RunAction::SetOverflow(Overflow::Slide)));
    let commands = app.act_and_settle(Action::Run(RunAction::StepToken));
    let [Command::Begin { overflow, .. }, Command::Step(..)] = commands[..] else { panic!("{commands:?}") };
    assert_eq!((overflow, app.n_steps()), (Overflow::Slide, 1));
}

#[test]
fn a_prompt_longer_than_the_window_begins_where_it_still_fits() {
    let mut app = App::ready();
    let long = "much longer than the window of the toy ".repeat(9);
    app.act_and_settle(Action::Prompt(PromptAction::Edit(long)));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert!(app.state.notice.take().is_some_and(|notice| said(&notice).contains("shorten it")) && app.n_steps() == 0);
    app.act(Action::Run(RunAction::SetOverflow(Overflow::Slide)));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    let step = app.state.current_step().unwrap();
    let view = TextView::of(&app.state);
    let n_forgotten = first_seen(view.n_prompt(), 40);
    assert_eq!((step.kv.forgotten, step.kv.prompt_positions), (n_forgotten, view.n_prompt() - n_forgotten));
    // Each score stands at its own token.
    for position in 0..view.n_prompt() {
        let token = view.token(position);
        assert_eq!(token.score.map(|score| score.id), (position >= n_forgotten).then_some(token.id));
        assert_eq!(token.numbers().is_some(), position > n_forgotten);
    }
}

#[test]
fn whoever_looks_at_an_earlier_token_goes_on_looking_at_it() {
    let mut app = App::with_tokens(3);
    app.act_and_settle(Action::Run(RunAction::Toggle));
    let place = Cursor { step: 1, stage: LoopStage::Softmax };
    app.act(Action::Run(RunAction::GoTo(place)));
    for _ in 0..3 {
        app.work();
        app.settle();
    }
    assert_eq!((app.state.cursor, app.n_steps()), (place, 6));
}

#[test]
fn a_run_that_was_paused_and_run_again_at_once_is_shown_as_running() {
    let mut app = App::with_tokens(1);
    app.act_and_settle(Action::Run(RunAction::Toggle));
    app.act(Action::Run(RunAction::Toggle));
    app.act(Action::Run(RunAction::Toggle));
    // The answer to the pause comes after the run was asked for again.
    app.settle();
    app.work();
    app.settle();
    assert_eq!(app.activity(), Some(Activity::Running));
    app.act_and_settle(Action::Run(RunAction::Toggle));
    assert_eq!(app.activity(), Some(Activity::Idle));
    assert_eq!(app.done_for(app.state.run.as_ref().unwrap().id).map(|(activity, _)| activity), Some(Activity::Idle));
}

#[test]
fn what_ifs_are_asked_for_when_the_settings_differ() {
    let mut app = App::with_tokens(2);
    assert!(!app.state.settings_differ() && app.questions.is_empty());
    let settings = SamplerSettings::default().with(Stage::top_k(3));
    app.act(Action::Samplers(SamplersAction::Set(settings.clone())));
    assert!(matches!(app.questions.back(), Some(Question::WhatIf { .. })));
    assert!(app.state.current_what_if().is_none());
    app.settle();
    let view = DistributionView::of(&app.state).unwrap();
    assert!(view.is_what_if && view.sampling.last().n_candidates == 3);
    // What the engine would have made, had it been told so then.
    let step = app.state.current_step().unwrap();
    assert_eq!(view.sampling.raw.entropy_bits, step.sampling.raw.entropy_bits);
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert!(!app.state.settings_differ(), "the next token is drawn with these settings");
    app.act(Action::Samplers(SamplersAction::Set(SamplerSettings::default())));
    app.act(Action::Run(RunAction::Back));
    app.settle();
    let view = DistributionView::of(&app.state).unwrap();
    assert!(!view.is_what_if, "the token before was drawn with the old ones");
}

#[test]
fn a_search_is_shown_with_the_stages_that_it_was_asked_about() {
    let mut app = App::with_tokens(1);
    app.act(Action::Screen(ScreenAction::Search("cat".to_owned())));
    app.act_and_settle(Action::Samplers(SamplersAction::Set(SamplerSettings::default().with(Stage::top_k(1)))));
    // The settings have changed, the new answer is still to come.
    app.act(Action::Samplers(SamplersAction::Set(SamplerSettings::default())));
    let view = DistributionView::of(&app.state).unwrap();
    let dropped: Vec<_> = view.found_rows().unwrap().filter(|row| !row.chosen).map(|row| row.dropped_by).collect();
    assert!(!dropped.is_empty() && dropped.iter().all(|kind| *kind == Some(StageKind::TopK)), "{dropped:?}");
    app.settle();
    let view = DistributionView::of(&app.state).unwrap();
    assert!(view.found_rows().unwrap().all(|row| row.dropped_by.is_none()));
}

#[test]
fn settings_out_of_range_are_refused() {
    let mut app = App::ready();
    assert!(
        app.act(Action::Samplers(SamplersAction::Set(SamplerSettings::default().with(Stage::top_p(0.0))))).is_empty()
    );
    assert_eq!(app.state.sampler, SamplerSettings::default());
}

#[test]
fn progress_that_comes_late_does_not_open_a_load_again() {
    let mut app = App::ready();
    assert!(app.state.model.loading.is_none());
    let late = LoadProgress { what: crate::message::Message::verbatim("Reading"), done: 1, total: 2 };
    receive(&mut app.state, Event::LoadProgress(late.clone()));
    assert!(app.state.model.loading.is_none());
    app.act(Action::Models(ModelsAction::Load(ModelSource::Bundled)));
    receive(&mut app.state, Event::LoadProgress(late.clone()));
    assert_eq!(app.state.model.loading, Some(late));
}

#[test]
fn a_load_that_fails_leaves_the_model_and_its_run() {
    let mut app = App::with_tokens(1);
    app.act(Action::Models(ModelsAction::Load(ModelSource::Folder("nowhere".into()))));
    assert!(app.state.model.loading.is_some());
    app.settle();
    assert!(app.state.model.loading.is_none() && app.state.notice.is_some());
    assert_eq!(app.state.model.request, request());
    assert_eq!(app.n_steps(), 1);
}

#[test]
fn a_program_without_a_model_does_not_wait_for_one() {
    let mut app = App::starting();
    assert_eq!(said(&Status::of(&app.state)), "Loading the model…");
    receive(&mut app.state, Event::LoadEnded(Some(Arc::new(crate::engine::LoadFailure::Fault))));
    assert!(!said(&Status::of(&app.state)).contains("Loading"), "{}", said(&Status::of(&app.state)));
    assert!(app.act(Action::Run(RunAction::StepToken)).is_empty());
}

#[test]
fn a_dead_engine_leaves_what_is_recorded() {
    let mut app = App::with_tokens(2);
    app.act(Action::Run(RunAction::Toggle));
    app.dead = true;
    app.settle();
    assert_eq!(said(&Status::of(&app.state)), "The engine stopped");
    assert_eq!((app.n_steps(), app.activity()), (2, Some(Activity::Idle)));
    app.act(Action::Run(RunAction::Back));
    assert!(app.state.current_step().is_some());
    assert!(app.act(Action::Run(RunAction::Toggle)).is_empty());
    app.act(Action::Run(RunAction::Forward));
    assert!(app.act(Action::Run(RunAction::StepToken)).is_empty());
    app.act_and_settle(Action::Models(ModelsAction::RestartEngine));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(app.n_steps(), 3, "the new engine goes on where the old one stopped");
}

#[test]
fn the_speed_changes_a_run_under_way() {
    let mut app = App::with_tokens(1);
    assert!(app.act(Action::Run(RunAction::SetSpeed(3.0))).is_empty());
    app.act_and_settle(Action::Run(RunAction::Toggle));
    let commands = app.act(Action::Run(RunAction::SetSpeed(7.0)));
    assert!(matches!(commands[..], [Command::Run(RunId(1), Pace::TokensPerSecond(7.0), _)]), "{commands:?}");
    let commands = app.act(Action::Run(RunAction::SetSpeed(f64::INFINITY)));
    assert!(matches!(commands[..], [Command::Run(RunId(1), Pace::Unlimited, _)]), "{commands:?}");
    app.act(Action::Run(RunAction::SetSpeed(f64::NAN)));
    assert_eq!(app.state.speed, f64::INFINITY);
}

/// The tokens of the shown branch.
fn shown_tokens(app: &App) -> Vec<u32> {
    app.state.run.as_ref().unwrap().trace().steps().iter().map(|step| step.sampling.chosen_id()).collect()
}

/// The candidate of this rank at a step.
fn candidate(app: &App, step: usize, rank: usize) -> u32 {
    app.state.run.as_ref().unwrap().trace().steps()[step].sampling.raw.head[rank - 1].id
}

#[test]
fn another_token_is_taken_and_the_text_goes_on_from_there() {
    let mut app = App::with_tokens(4);
    let before = shown_tokens(&app);
    let id = (1..9).map(|rank| candidate(&app, 1, rank)).find(|id| *id != before[1]).unwrap();
    assert!(app.act(Action::Explore(ExploreAction::TakeToken { step: 1, id })).is_empty(), "nothing is computed");
    assert_eq!(shown_tokens(&app), [before[0], id]);
    assert_eq!(app.state.cursor, Cursor { step: 1, stage: LoopStage::Append });
    let taken = Arc::clone(app.state.current_step().unwrap());
    assert_eq!(taken.sampling.draw, crate::trace::Draw::Forced);
    assert!(!app.state.settings_differ(), "nothing would be drawn otherwise: nothing was drawn");
    app.act_and_settle(Action::Run(RunAction::StepToken));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(shown_tokens(&app).len(), 4);
    assert_eq!(shown_tokens(&app)[..2], [before[0], id]);
    // And back: what was made there is there.
    let first = app.state.run.as_ref().unwrap().tree.branches()[0].id;
    assert!(app.act(Action::Explore(ExploreAction::SwitchBranch(first))).is_empty());
    assert_eq!(shown_tokens(&app), before);
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(shown_tokens(&app).len(), 5, "the first branch goes on too");
    // The same text as if there had never been another.
    let mut alone = App::with_tokens(5);
    assert_eq!(shown_tokens(&app), shown_tokens(&alone));
    alone.act(Action::Explore(ExploreAction::TakeToken { step: 4, id: shown_tokens(&app)[4] }));
    assert_eq!(alone.state.run.as_ref().unwrap().tree.branches().len(), 1, "it is what was drawn");
}

#[test]
fn a_run_goes_on_along_the_branch() {
    let mut app = App::with_tokens(2);
    app.act(Action::Run(RunAction::Toggle));
    let drawn = shown_tokens(&app)[0];
    let id = (1..9).map(|rank| candidate(&app, 0, rank)).find(|id| *id != drawn).unwrap();
    app.act(Action::Explore(ExploreAction::TakeToken { step: 0, id }));
    assert_eq!(app.activity(), Some(Activity::Running));
    for _ in 0..3 {
        app.work();
        app.settle();
    }
    assert_eq!(shown_tokens(&app)[0], id);
    assert!(shown_tokens(&app).len() > 2);
    let first = &app.state.run.as_ref().unwrap().tree.branches()[0];
    assert_eq!(first.trace.steps()[0].sampling.chosen_id(), drawn);
}

#[test]
fn an_export_has_its_own_ending_and_what_is_saved_is_the_file() {
    let mut app = App::with_tokens(1);
    let path_of = |app: &mut App, what: Export, path: &str| {
        app.kept.clear();
        app.act(Action::Sessions(SessionsAction::Export(what, path.into())));
        match app.kept.pop() {
            Some(crate::engine::Keep::Save(path, ..) | crate::engine::Keep::Steps(path, ..)) => path,
            other => panic!("{other:?}"),
        }
    };
    for (what, typed, expected) in [
        (Export::Session, "T=0.8", "T=0.8.tokenscope"),
        (Export::Session, "a.TOKENSCOPE", "a.TOKENSCOPE"),
        (Export::Steps(crate::export::StepFormat::Json), "a.tokenscope", "a.tokenscope.json"),
    ] {
        assert_eq!(path_of(&mut app, what, typed).to_str(), Some(expected));
    }
    let serial = app.state.run.as_ref().unwrap().serial;
    receive_kept(&mut app.state, crate::engine::Kept::Saved("b.tokenscope".into(), serial));
    receive_kept(&mut app.state, crate::engine::Kept::Saved("a.tokenscope".into(), serial + 1));
    receive_kept(&mut app.state, crate::engine::Kept::Written("c.json".into()));
    assert_eq!(app.state.sessions.file.as_deref(), Some(std::path::Path::new("b.tokenscope")));
    app.act(Action::Sessions(SessionsAction::ToggleDialog(Some(Export::Session))));
    app.act(Action::Sessions(SessionsAction::EditPath("d.tokenscope".to_owned())));
    app.act(Action::Sessions(SessionsAction::ToggleDialog(Some(Export::Text))));
    assert_eq!(app.state.sessions.typed, "", "nothing is written over by a file of another kind");
}

#[test]
fn a_session_opened_before_the_model_is_there_is_not_called_foreign() {
    let recording = App::with_tokens(2).state.recording().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.tokenscope");
    crate::recording::save(&file, &recording).unwrap();
    let opened = crate::recording::open(&file).unwrap();
    let mut app = App::starting();
    receive_kept(&mut app.state, crate::engine::Kept::Opened(file, Box::new(opened)));
    let said = |app: &App| app.state.report.as_ref().is_some_and(|report| said(report).contains("not loaded"));
    assert!(app.state.report.is_some() && !said(&app), "{:?}", app.state.report);
    app.settle();
    assert!(app.state.can_go_on());
}

#[test]
fn what_is_reported_of_a_session_goes_with_it() {
    let mut recording = App::with_tokens(2).state.recording().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.tokenscope");
    let open = |app: &mut App, recording: &crate::recording::Recording| {
        crate::recording::save(&file, recording).unwrap();
        let opened = crate::recording::open(&file).unwrap();
        receive_kept(&mut app.state, crate::engine::Kept::Opened(file.clone(), Box::new(opened)));
    };
    let mut app = App::ready();
    open(&mut app, &recording);
    assert!(app.state.report.is_some());
    app.act_and_settle(Action::Prompt(PromptAction::Edit("another".to_owned())));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(app.state.report, None, "another text has begun");
    // That its model is not loaded is said until it is.
    let right = recording.model.clone();
    let wrong = ModelIdentity { sha256: "another".to_owned(), ..(*right).clone() };
    recording.model = Arc::new(wrong);
    open(&mut app, &recording);
    assert!(
        app.state.report.as_ref().is_some_and(|report| said(report).contains("not loaded")) && !app.state.can_go_on()
    );
    let loaded = app.state.model.loaded.clone().unwrap();
    let identity = Arc::clone(&recording.model);
    let model = LoadedModel { identity, ..loaded };
    let _effects = receive(&mut app.state, Event::Loaded(model));
    assert!(app.state.can_go_on());
    assert_eq!(app.state.report, None);
}

#[test]
fn a_link_of_another_model_says_so_when_the_model_is_there() {
    let mut app = App::starting();
    let link = crate::export::Link { model: Some("another".to_owned()), ..app.state.link() };
    app.act(Action::Sessions(SessionsAction::OpenLink(Box::new(link))));
    assert_eq!(app.state.notice, None);
    app.settle();
    assert!(app.state.notice.as_ref().is_some_and(|notice| said(notice).contains("another")), "{:?}", app.state.notice);
}

#[test]
fn a_pinned_run_is_named_by_what_made_it() {
    let mut app = App::ready();
    app.act_and_settle(Action::Samplers(SamplersAction::Set(SamplerSettings::of([Stage::temperature(1.5)]))));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    app.act_and_settle(Action::Samplers(SamplersAction::Set(
        SamplerSettings::of([Stage::temperature(0.5)]).with_seed(9),
    )));
    app.act(Action::Explore(ExploreAction::Pin));
    let name = crate::words::Words::ENGLISH.render(&app.state.explore.compare.pinned.as_ref().unwrap().name);
    assert!(name.contains("temperature=1.5") && !name.contains("0.5") && !name.contains("seed"), "{name}");
    // A token taken by hand says nothing of the seed that drew those before it.
    take_another(&mut app, 0);
    app.act_and_settle(Action::Run(RunAction::StepToken));
    take_another(&mut app, 1);
    app.act(Action::Samplers(SamplersAction::Set(SamplerSettings::of([Stage::temperature(0.5)]).with_seed(4))));
    app.act(Action::Explore(ExploreAction::Pin));
    let name = crate::words::Words::ENGLISH.render(&app.state.explore.compare.pinned.as_ref().unwrap().name);
    assert!(name.contains("seed 4"), "nothing was drawn");
}

#[test]
fn a_token_drawn_by_another_seed_and_one_taken_by_hand_are_no_run_of_this_seed() {
    let mut app = App::with_tokens(2);
    app.act_and_settle(Action::Samplers(SamplersAction::Set(app.state.sampler.clone().with_seed(9))));
    take_another(&mut app, 1);
    app.act(Action::Explore(ExploreAction::Pin));
    let name = crate::words::Words::ENGLISH.render(&app.state.explore.compare.pinned.as_ref().unwrap().name);
    assert!(!name.contains("seed"), "{name}");
}

#[test]
fn a_token_taken_while_known_ones_are_made_starts_no_run() {
    let mut app = App::with_tokens(6);
    app.act(Action::Run(RunAction::Replay));
    app.work();
    app.deliver();
    assert_eq!(app.activity(), Some(Activity::Following));
    take_another(&mut app, 2);
    app.settle();
    while app.work() {
        app.settle();
    }
    assert_eq!((app.n_steps(), app.activity()), (3, Some(Activity::Idle)));
}

#[test]
fn a_limit_that_is_reached_already_ends_the_text_where_it_is() {
    let mut app = App::with_tokens(5);
    app.act(Action::Run(RunAction::SetMaxNewTokens(3)));
    assert_eq!(app.state.ended(), Some(StopReason::MaxNewTokens));
    run_on(&mut app);
    assert_eq!(app.n_steps(), 5);
    app.act(Action::Run(RunAction::SetMaxNewTokens(7)));
    assert_eq!(app.state.ended(), None);
    run_on(&mut app);
    assert_eq!((app.n_steps(), app.state.ended()), (7, Some(StopReason::MaxNewTokens)));
}

#[test]
fn a_step_is_held_against_whatever_is_chosen() {
    let mut app = App::with_tokens(3);
    app.act(Action::Screen(ScreenAction::SetChart(Chart::Compare)));
    for action in [
        Action::Explore(ExploreAction::Pin),
        Action::Explore(ExploreAction::Pin),
        Action::Explore(ExploreAction::CompareWith(CompareWith::Branch(BranchId(1)))),
        Action::Explore(ExploreAction::Pin),
    ] {
        app.act_and_settle(action);
        let view = CompareView::of(&app.state.explore.compare, &app.state).unwrap();
        assert!(view.answer.is_some_and(|answer| answer.result.is_ok()), "the same step has the same name each time");
    }
}

#[test]
fn a_text_that_ended_at_the_limit_goes_on_when_it_is_raised() {
    let mut app = App::ready();
    app.act(Action::Run(RunAction::SetMaxNewTokens(4)));
    run_on(&mut app);
    let tokens = shown_tokens(&app);
    assert_eq!((tokens.len(), app.state.ended()), (4, Some(StopReason::MaxNewTokens)));
    app.act(Action::Run(RunAction::SetMaxNewTokens(6)));
    assert!(Views::of(&app.state).run.transport.can_step);
    run_on(&mut app);
    assert_eq!((app.n_steps(), app.state.ended()), (6, Some(StopReason::MaxNewTokens)));
    assert_eq!(shown_tokens(&app)[..4], tokens);
    // And one under way goes on to the limit of now, whether that is more or less.
    app.act(Action::Run(RunAction::SetMaxNewTokens(9)));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    app.act(Action::Run(RunAction::SetMaxNewTokens(12)));
    run_on(&mut app);
    assert_eq!((app.n_steps(), app.state.ended()), (12, Some(StopReason::MaxNewTokens)));
    app.act(Action::Run(RunAction::SetMaxNewTokens(30)));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    app.act(Action::Run(RunAction::SetMaxNewTokens(15)));
    run_on(&mut app);
    assert_eq!((app.n_steps(), app.state.ended()), (15, Some(StopReason::MaxNewTokens)));
    let mut at_once = App::ready();
    at_once.act(Action::Run(RunAction::SetMaxNewTokens(15)));
    run_on(&mut at_once);
    assert_eq!(shown_tokens(&app), shown_tokens(&at_once));
}

#[test]
fn a_prompt_that_is_too_long_takes_nothing_away() {
    let mut app = App::with_tokens(3);
    let (prompt, tokens) = (app.state.prompt.text.clone(), shown_tokens(&app));
    app.act_and_settle(Action::Prompt(PromptAction::Edit("one two ".repeat(40))));
    assert!(app.act_and_settle(Action::Run(RunAction::StepToken)).is_empty());
    assert!(app.state.notice.as_ref().is_some_and(|notice| said(notice).contains("40")), "{:?}", app.state.notice);
    app.act_and_settle(Action::Prompt(PromptAction::Edit(prompt)));
    assert_eq!(shown_tokens(&app), tokens);
}

#[test]
fn a_continuation_that_is_the_text_itself_is_shown() {
    let mut app = App::ready();
    run_on(&mut app);
    app.act_and_settle(Action::Run(RunAction::GoTo(Cursor { step: 2, stage: LoopStage::Append })));
    app.act_and_settle(Action::Explore(ExploreAction::RollOut));
    let n_branches = app.state.run.as_ref().unwrap().tree.branches().len();
    let text = shown_tokens(&app);
    let tree = app.state.explore.rollouts.as_ref().and_then(|work| work.result.clone()).unwrap();
    let node = (0..tree.nodes.len()).find(|node| tree.ids(*node).len() == 3 && text[2..].starts_with(&tree.ids(*node)));
    app.act_and_settle(Action::Explore(ExploreAction::KeepRollout(
        node.expect("the seed is the same, and so is the first of them"),
    )));
    assert_eq!((app.state.cursor.step, app.state.run.as_ref().unwrap().tree.branches().len()), (4, n_branches));
}

#[test]
fn what_does_not_fit_below_the_limit_is_said() {
    let mut app = App::ready();
    app.act(Action::Run(RunAction::SetMaxNewTokens(4)));
    run_on(&mut app);
    app.act_and_settle(Action::Explore(ExploreAction::SearchBeams));
    let kept: Vec<_> = app.state.explore.beams.as_ref().and_then(|work| work.result.clone()).unwrap().steps[..3]
        .iter()
        .map(|step| step.kept[0].id)
        .collect();
    assert_eq!(kept.len(), 3);
    app.act_and_settle(Action::Explore(ExploreAction::KeepBeam(kept)));
    assert_eq!(app.n_steps(), 4);
    assert!(
        app.state.notice.as_ref().is_some_and(|notice| said(notice).contains("Max tokens")),
        "{:?}",
        app.state.notice
    );
}

#[test]
fn xtc_has_a_coin_of_the_seed_whoever_picks_the_token() {
    let mut app = App::with_tokens(1);
    let settings = SamplerSettings::default().with(Stage::xtc(0.1, 0.5));
    app.act_and_settle(Action::Samplers(SamplersAction::Set(settings.clone())));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    take_another(&mut app, 1);
    app.settle();
    assert_eq!(app.state.current_step().unwrap().sampling.draw, Draw::Forced);
    assert!(!app.state.settings_differ());
    app.act_and_settle(Action::Samplers(SamplersAction::Set(SamplerSettings { seed: settings.seed + 1, ..settings })));
    assert!(app.state.settings_differ());
}

#[test]
fn what_a_prompt_that_is_not_shown_has_made_cannot_be_undone_unseen() {
    let mut app = App::with_tokens(3);
    take_another(&mut app, 1);
    let branches = |app: &App| app.state.run.as_ref().unwrap().tree.branches().len();
    assert_eq!(branches(&app), 2);
    app.act_and_settle(Action::Prompt(PromptAction::Edit("The cat".to_owned())));
    app.act_and_settle(Action::Run(RunAction::Undo));
    app.act_and_settle(Action::Prompt(PromptAction::Edit(EXAMPLES[0].to_owned())));
    assert_eq!(branches(&app), 2);
    app.act_and_settle(Action::Run(RunAction::Redo));
    assert_eq!(branches(&app), 2, "there is nothing to make again");
    app.act_and_settle(Action::Run(RunAction::Undo));
    assert_eq!(branches(&app), 1);
}

/// Another token than the drawn one is taken at a step.
fn take_another(app: &mut App, step: usize) {
    let drawn = shown_tokens(app)[step];
    let id = (1..9).map(|rank| candidate(app, step, rank)).find(|id| *id != drawn).unwrap();
    app.act(Action::Explore(ExploreAction::TakeToken { step, id }));
}

#[test]
fn a_branch_that_comes_back_goes_on_from_what_is_recorded_of_it() {
    for undone in [Action::Run(RunAction::Undo), Action::Explore(ExploreAction::DeleteBranch(BranchId(2)))] {
        let mut app = App::with_tokens(3);
        take_another(&mut app, 1);
        app.act_and_settle(Action::Run(RunAction::StepToken));
        let there = shown_tokens(&app);
        // Its next token is on its way when the branch goes.
        app.act(Action::Run(RunAction::StepToken));
        let back = if undone == Action::Run(RunAction::Undo) {
            Action::Run(RunAction::Redo)
        } else {
            Action::Run(RunAction::Undo)
        };
        app.act(undone);
        assert_ne!(shown_tokens(&app), there);
        app.settle();
        app.act_and_settle(back);
        assert_eq!(shown_tokens(&app), there);
        for n in 1..4 {
            app.act_and_settle(Action::Run(RunAction::StepToken));
            assert_eq!(app.n_steps(), there.len() + n);
            app.check();
        }
        check_in_step(&mut app);
    }
}

#[test]
fn a_branch_longer_than_the_limit_of_now_has_ended_where_it_would_be_taken_up() {
    let mut app = App::with_tokens(5);
    let first = app.state.run.as_ref().unwrap().tree.current().id;
    app.act(Action::Run(RunAction::SetMaxNewTokens(4)));
    assert_eq!(app.state.ended(), Some(StopReason::MaxNewTokens), "it is as long already");
    take_another(&mut app, 1);
    app.act_and_settle(Action::Run(RunAction::StepToken));
    app.act_and_settle(Action::Explore(ExploreAction::SwitchBranch(first)));
    app.act_and_settle(Action::Run(RunAction::GoTo(Cursor { step: 4, stage: LoopStage::Append })));
    assert_eq!(app.state.ended(), Some(StopReason::MaxNewTokens));
    assert!(app.act(Action::Run(RunAction::StepToken)).is_empty() && app.state.notice.is_none());
    app.act(Action::Run(RunAction::SetMaxNewTokens(9)));
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!((app.n_steps(), app.state.ended()), (6, None));
    // Making the same steps again leaves the limit where it is.
    app.act(Action::Run(RunAction::SetMaxNewTokens(2)));
    app.act(Action::Run(RunAction::Replay));
    while app.work() {
        app.settle();
    }
    assert_eq!(app.state.replay.as_ref().map(|replay| replay.n_same), Some(6));
    assert_eq!(app.state.ended(), Some(StopReason::MaxNewTokens));
    assert!(app.act(Action::Run(RunAction::StepToken)).is_empty(), "nor does it lift it");
}

#[test]
fn a_limit_holds_for_a_branch_that_is_not_shown_when_it_is_set() {
    let mut app = App::with_tokens(5);
    let first = app.state.run.as_ref().unwrap().tree.current().id;
    take_another(&mut app, 1);
    app.act(Action::Run(RunAction::SetMaxNewTokens(4)));
    app.act_and_settle(Action::Explore(ExploreAction::SwitchBranch(first)));
    app.act_and_settle(Action::Run(RunAction::GoTo(Cursor { step: 4, stage: LoopStage::Append })));
    assert_eq!(app.state.ended(), Some(StopReason::MaxNewTokens));
    assert!(app.act(Action::Run(RunAction::Toggle)).is_empty());
}

#[test]
fn going_to_the_sibling_of_a_taken_token_asks_what_the_settings_would_have_made_of_it() {
    let mut app = App::with_tokens(3);
    let first = app.state.run.as_ref().unwrap().tree.current().id;
    take_another(&mut app, 2);
    app.act_and_settle(Action::Samplers(SamplersAction::Set(app.state.sampler.clone().with_seed(1))));
    assert!(!app.state.settings_differ(), "a taken token is of every seed");
    app.act_and_settle(Action::Explore(ExploreAction::SwitchBranch(first)));
    assert!(app.state.settings_differ());
    assert!(app.state.current_what_if().is_some(), "the what-if was asked for");
}

#[test]
fn each_step_is_shown_with_the_format_that_it_was_made_in() {
    let mut app = App::with_tokens(2);
    let mut identity = ModelIdentity::clone(&MODEL.identity);
    let card = ModelCard { dtype: "f16".to_owned(), dtype_bytes: 2, ..ModelCard::clone(&identity.card) };
    identity.card = Arc::new(card);
    let half = LoadedModel { identity: Arc::new(identity), ..MODEL.clone() };
    let model = Box::new(ToyModel::new(toy_options()));
    let loaded = Loaded { public: half.clone(), model, ..toy(request()).unwrap() };
    app.engine.engine.hand_over(Ok(Box::new(loaded)));
    app.settle();
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(app.n_steps(), 3);
    let dtypes: Vec<_> = (0..3)
        .map(|step| {
            app.act(Action::Run(RunAction::GoTo(Cursor { step, stage: LoopStage::Append })));
            app.state.step_model().unwrap().card.dtype.clone()
        })
        .collect();
    let before = &*MODEL.card.dtype;
    assert_eq!(dtypes, [before, before, "f16"]);
    assert_eq!(KvView::of(&app.state).unwrap().card.dtype_bytes, 2);
    let recording = app.state.recording().unwrap();
    assert_eq!(recording.model.card.dtype, "f16");
    let formats: Vec<_> = recording.formats.iter().map(|(_, model)| &*model.card.dtype).collect();
    assert_eq!(formats, [before], "a file keeps both");
    // What was only opened here is saved as what it was made with.
    let mut app = App::with_tokens(2);
    let effects = receive(&mut app.state, Event::Loaded(half));
    app.perform(effects);
    assert_eq!(app.state.recording().unwrap().model.card.dtype, *before);
}

/// The run that is shown becomes one of a model that is not loaded.
fn make_foreign(app: &mut App) {
    let run = app.state.run.as_mut().unwrap();
    let identity = ModelIdentity::clone(&run.model);
    run.model = Arc::new(ModelIdentity { sha256: "another".to_owned(), ..identity });
}

#[test]
fn a_session_of_another_model_stays_what_it_is() {
    let mut app = App::with_tokens(2);
    make_foreign(&mut app);
    app.act_and_settle(Action::Prompt(PromptAction::Edit("The cat".to_owned())));
    let card = ModelCard { dtype: "f16".to_owned(), ..ModelCard::clone(&MODEL.identity.card) };
    let identity = ModelIdentity { card: Arc::new(card), ..ModelIdentity::clone(&MODEL.identity) };
    receive(&mut app.state, Event::Loaded(LoadedModel { identity: Arc::new(identity), ..MODEL.clone() }));
    app.act_and_settle(Action::Prompt(PromptAction::Edit(EXAMPLES[0].to_owned())));
    assert!(app.state.current_run().is_none_or(|run| run.model.sha256 == "another"));
}

#[test]
fn after_a_session_of_another_model_the_prompt_has_tokens_of_the_loaded_one() {
    let mut app = App::with_tokens(1);
    make_foreign(&mut app);
    let prompt_tokens = std::mem::take(&mut app.state.prompt.tokens);
    app.act_and_settle(Action::Run(RunAction::Restart));
    assert_eq!(app.state.prompt.tokens, prompt_tokens);
}

#[test]
fn another_run_has_no_file_and_no_answers_yet() {
    let mut app = App::with_tokens(2);
    app.act_and_settle(Action::Screen(ScreenAction::SetChart(Chart::Draws)));
    assert!(app.state.current_many().is_some());
    app.act_and_settle(Action::Explore(ExploreAction::Pin));
    app.state.sessions.file = Some("a.tokenscope".into());
    app.act_and_settle(Action::Run(RunAction::Restart));
    assert_eq!((app.state.sessions.file.as_ref(), app.state.many.is_some()), (None, false));
    // The names of passes of an opened file may be those of the pinned run, and are others.
    app.act_and_settle(Action::Run(RunAction::StepToken));
    app.act_and_settle(Action::Screen(ScreenAction::SetChart(Chart::Compare)));
    let other = app.state.run.as_ref().unwrap().logits.clone();
    let pinned = app.state.explore.compare.pinned.as_mut().unwrap();
    pinned.logits = crate::trace::RawLogits::default();
    let pass = pinned.branch.trace.pass(0).unwrap();
    let logits = Arc::clone(other.get(app.state.current_key().unwrap().pass).unwrap());
    app.state.run.as_mut().unwrap().logits.push(pass, logits, None);
    assert!(!app.state.explore.compare.is_other_held(&app.state));
}

#[test]
fn a_token_of_the_tail_can_be_taken_by_its_id() {
    let mut app = App::with_tokens(1);
    let head: Vec<u32> =
        app.state.current_step().unwrap().sampling.raw.head.iter().map(|candidate| candidate.id).collect();
    let id = (0..4096).find(|id| !head.contains(id)).unwrap();
    app.act_and_settle(Action::Explore(ExploreAction::TakeToken { step: 0, id }));
    let sampling = &app.state.current_step().unwrap().sampling;
    assert_eq!((sampling.chosen_id(), sampling.raw.find(id)), (id, Some(&sampling.chosen)));
    assert!(sampling.chosen.rank as usize > head.len());
}

#[test]
fn an_end_of_text_that_is_taken_ends_the_branch() {
    let mut app = App::with_tokens(2);
    let eos_ids = vec![candidate(&app, 1, 9)];
    Arc::make_mut(&mut app.state.run.as_mut().unwrap().model).eos_ids = eos_ids;
    let eos = candidate(&app, 1, 9);
    app.act(Action::Explore(ExploreAction::TakeToken { step: 1, id: eos }));
    assert_eq!(app.state.run.as_ref().unwrap().ended(), Some(crate::trace::StopReason::Eos));
    assert!(app.act(Action::Run(RunAction::StepToken)).iter().all(|command| !matches!(command, Command::Step(..))));
}

#[test]
fn branches_are_gone_through_renamed_deleted_and_brought_back() {
    let mut app = App::with_tokens(3);
    let drawn = shown_tokens(&app);
    let other = |app: &App, step: usize, rank: usize| {
        (rank..50).map(|rank| candidate(app, step, rank)).find(|id| *id != drawn[step]).unwrap()
    };
    let id = other(&app, 2, 3);
    app.act(Action::Explore(ExploreAction::TakeToken { step: 2, id }));
    let second = app.state.run.as_ref().unwrap().tree.current().id;
    app.act(Action::Explore(ExploreAction::PreviousBranch));
    assert_eq!(shown_tokens(&app), drawn);
    app.act(Action::Explore(ExploreAction::PreviousBranch));
    assert_eq!(shown_tokens(&app), drawn, "there is none above");
    app.act(Action::Explore(ExploreAction::NextBranch));
    assert_eq!(app.state.run.as_ref().unwrap().tree.current().id, second);
    app.act(Action::Explore(ExploreAction::RenameBranch(second, "The other".to_owned())));
    assert_eq!(app.state.run.as_ref().unwrap().tree.current().name, "The other");
    app.act(Action::Explore(ExploreAction::DeleteBranch(second)));
    assert_eq!(shown_tokens(&app), drawn);
    app.act(Action::Run(RunAction::Undo));
    assert_eq!(app.state.run.as_ref().unwrap().tree.current().name, "The other");
    app.act(Action::Run(RunAction::Undo));
    app.act(Action::Run(RunAction::Undo));
    assert_eq!(app.state.run.as_ref().unwrap().tree.branches().len(), 1);
    app.act(Action::Run(RunAction::Redo));
    assert_eq!(app.state.run.as_ref().unwrap().tree.branches().len(), 2);
    app.act_and_settle(Action::Run(RunAction::StepToken));
    assert_eq!(shown_tokens(&app)[..3], [drawn[0], drawn[1], id]);
}
