//! What each action means. Total, and without input or output: what has to happen outside is returned.

use super::{
    Action, Activity, AppState, BEAM_WIDTHS, BeamOptions, Chart, Cursor, Effect, History, LONGEST_ROLLOUT, LoopStage,
    MOST_ROLLOUTS, Preferences, RolloutOptions, RunState, Section, compare, history::Moment, keeping, lesson, path_to,
    prediction, preferences, presenter, work,
};
use crate::engine::{
    Command, Keep, LoadProgress, LoadRequest, ModelSource, Pace, Placed, Question, RunError, RunId, StepKey,
};
use crate::sampling::{SamplerSettings, forced};
use crate::trace::{Candidate, CandidateOutcome, Outcome, Overflow, RawLogits, StepRecord, StopReason, TokenId, Tree};
use crate::words::say;
use std::sync::Arc;

/// Carries out `action` on the state and returns what has to happen outside.
pub fn update(state: &mut AppState, action: Action) -> Vec<Effect> {
    if lesson::refuses(state, &action) {
        let refusal = Some(say!("lesson-locks").to_owned());
        // A room is shown nothing but what cannot wait.
        *(if state.presenter.is_some() { &mut state.notice } else { &mut state.report }) = refusal;
        return Vec::new();
    }
    let shown = |state: &AppState| state.current_run().map(|run| run.tree.current().id);
    let before = shown(state);
    let mut effects = apply(state, action);
    if before.is_some() && before != shown(state) {
        prediction::leave_branch(state);
    }
    effects.extend(look_on(state));
    effects
}

/// What lessons and predictions make of what has happened.
pub(super) fn look_on(state: &mut AppState) -> Vec<Effect> {
    let mut effects = lesson::advance(state);
    effects.extend(prediction::advance(state));
    effects
}

/// The same without a lesson that looks on.
#[expect(clippy::too_many_lines, reason = "a table: one line for each action")]
pub(super) fn apply(state: &mut AppState, action: Action) -> Vec<Effect> {
    let mut effects = Vec::new();
    let before = asked_about(state);
    if !matches!(action, Action::SetSampler(_)) {
        state.history.end_drag();
    }
    match action {
        Action::EditPrompt(text) => {
            state.prompt.text = text;
            effects.extend(tokenize(state));
            effects.extend(pause(state));
        }
        Action::UseExample(text) => {
            leave_run(state, &mut effects);
            text.clone_into(&mut state.prompt.text);
            effects.extend(tokenize(state));
        }
        // As any other action but SetSampler does.
        Action::EndDrag => {}
        // A run begins with the tokens of the prompt, which come in a moment.
        Action::StepToken | Action::StepStage | Action::ToggleRun if state.awaits_tokens() => {
            state.prompt.awaited = Some(action);
        }
        Action::StepToken => step_token(state, &mut effects),
        Action::StepStage => step_stage(state, &mut effects),
        // The run of another prompt keeps its place, in case that prompt comes back.
        Action::Back | Action::BackStage if state.current_run().is_none() => {}
        Action::BackStage => back_stage(state),
        Action::Back => {
            state.cursor = match state.cursor {
                Cursor { step: 0, .. } => Cursor::START,
                Cursor { step, .. } => Cursor { step: step - 1, stage: LoopStage::Append },
            };
        }
        Action::Forward => {
            if state.current_step().is_some() {
                if state.cursor.stage < LoopStage::Append {
                    state.cursor.stage = LoopStage::Append;
                } else {
                    go_to(state, Cursor { step: state.cursor.step + 1, stage: LoopStage::Append });
                }
            }
        }
        Action::GoTo(cursor) => go_to(state, cursor),
        Action::ShowStage(stage) => show_stage(state, stage),
        Action::ToggleRun => toggle_run(state, &mut effects),
        Action::Stop => {
            effects.push(Effect::CancelStep);
            effects.extend(pause(state));
            if let Some(branch) = state.run.as_mut().and_then(|run| run.tree.get_mut(run.under_way?)) {
                branch.stopped = branch.ended.is_none();
            }
        }
        Action::Restart => {
            // The tokens that stand there may be those of another model, whose session was looked at.
            let is_foreign = state.current_run().is_some() && !state.can_go_on();
            effects.push(Effect::CancelStep);
            drop_run(state);
            if is_foreign {
                effects.extend(tokenize(state));
            }
        }
        Action::SetSpeed(speed) => {
            state.speed = if speed.is_nan() { state.speed } else { speed.max(*super::SPEED_RANGE.start()) };
            // What is followed or made again comes as fast as it can.
            run_on(state, &mut effects);
        }
        Action::SetSampler(settings) => {
            if settings.validate().is_ok() {
                state.history.remember_settings(&state.sampler, &settings);
                set_sampler(state, settings, &mut effects);
            }
        }
        Action::TakeToken { step, id } => follow_path(state, step, vec![id], &mut effects),
        Action::RollOut => work::roll_out(state, &mut effects),
        Action::SetRolloutOptions(RolloutOptions { n, len }) => {
            let (n, len) = (n.clamp(1, MOST_ROLLOUTS), len.clamp(1, LONGEST_ROLLOUT));
            state.work.rollout_options = RolloutOptions { n, len };
        }
        Action::KeepRollout(node) => work::keep_rollout(state, node, &mut effects),
        Action::SearchBeams => work::search_beams(state, &mut effects),
        Action::SetBeamOptions(options) => set_beam_options(state, options),
        Action::KeepBeam(ids) => work::keep_beam(state, ids, &mut effects),
        Action::StopWork => work::stop(state, &mut effects),
        Action::Replay => work::replay(state, &mut effects),
        Action::Pin => {
            compare::pin(state);
            // The other side is another one, even where its step has the same name.
            effects.extend(compare::question(state).map(Effect::Ask));
        }
        Action::Unpin => state.compare.pinned = None,
        Action::CompareWith(with) => {
            state.compare.with = with;
            state.compare.answer = None;
            effects.extend(compare::question(state).map(Effect::Ask));
        }
        Action::RunBeside(settings) => compare::run_beside(state, settings, &mut effects),
        Action::Export(what, path) => {
            state.view.session_dialog = false;
            keeping::export(state, what, path, &mut effects);
        }
        Action::ChooseFile(what) => effects.push(Effect::PickTarget(what)),
        Action::EditPath(path) => state.keeping.typed = path,
        Action::OpenSession(path) => keeping::open_path(state, path, &mut effects),
        Action::ChooseSession => effects.push(Effect::PickSession),
        Action::Recover(path) => effects.push(Effect::Keep(Keep::Recover(path))),
        Action::Forget(path) => {
            state.keeping.orphans.retain(|orphan| orphan.path != path);
            effects.push(Effect::Keep(Keep::Forget(path)));
        }
        Action::CopyLink => {
            effects.push(Effect::Copy(state.link().to_string()));
            state.report = Some(say!("session-copied-link").to_owned());
        }
        Action::CopyScene => {
            effects.push(Effect::Copy(lesson::copied_scene(state)));
            state.report = Some(say!("session-copied-scene").to_owned());
        }
        Action::OpenLink(link) => keeping::open_link(state, *link, &mut effects),
        Action::ToggleSessionDialog(what) => {
            let same = state.keeping.export == what;
            state.view.session_dialog = !(state.view.session_dialog && same);
            if !same {
                // What was typed for one kind of file would be written over by another.
                state.keeping.typed.clear();
            }
            state.keeping.export = what;
        }
        Action::SetCalculator(calculator) => state.view.calculator = calculator,
        Action::Lesson(action) => lesson::update(state, action, &mut effects),
        Action::Predict(action) => prediction::update(state, action, &mut effects),
        Action::Present(action) => presenter::update(state, action, &mut effects),
        Action::SetTint(tint) => state.view.tint = tint,
        Action::ShowMerges(word) => state.prompt.word = Some(word),
        Action::DismissReport => state.report = None,
        Action::SwitchBranch(id) => show_branch(state, &mut effects, |tree| tree.switch(id)),
        Action::NextBranch => show_branch(state, &mut effects, |tree| neighbour(tree, 1)),
        Action::PreviousBranch => show_branch(state, &mut effects, |tree| neighbour(tree, -1)),
        Action::RenameBranch(id, name) => change_tree(state, &mut effects, |tree| tree.rename(id, &name)),
        Action::DeleteBranch(id) => change_tree(state, &mut effects, |tree| tree.delete(id)),
        // The branches of a run that is not shown stay as they are, and so does what can be undone.
        Action::Undo | Action::Redo
            if state.current_run().is_none() && !state.history.is_settings(action == Action::Redo) => {}
        Action::Undo => go_through(state, History::undo, &mut effects),
        Action::Redo => go_through(state, History::redo, &mut effects),
        Action::SetMaxNewTokens(n) => {
            state.max_new_tokens = n.max(1);
            let run = state.run.as_ref().map(|run| run.id);
            effects.extend(run.map(|run| Effect::Engine(Command::SetLimit(run, state.max_new_tokens))));
            // A text that is as long already ends here, and is taken up again under another limit.
            let replays = state.work.replay.as_ref().is_some_and(work::Replay::is_under_way);
            let under_way = state.run.as_ref().and_then(|run| run.tree.get(run.under_way?));
            if under_way.is_some_and(|branch| branch.trace.steps().len() >= state.max_new_tokens) && !replays {
                effects.extend(pause(state));
                if let Some(run) = &mut state.run {
                    run.under_way = None;
                }
            }
        }
        Action::SetOverflow(overflow) => {
            // The engine is told when the run goes on.
            if state.overflow != overflow {
                effects.extend(pause(state));
                state.overflow = overflow;
            }
        }
        Action::Search(query) => state.query = query,
        Action::SetScale(scale) => state.view.scale = scale,
        Action::SetTextStyle(style) => state.view.text = style,
        Action::SetChart(chart) => state.view.chart = chart,
        Action::ToggleSection(section) => toggle_section(&mut state.view.open_sections, section),
        Action::ToggleStage(kind) => {
            state.view.open_stage = (state.view.open_stage != Some(kind)).then_some(kind);
        }
        Action::ToggleInspector => state.view.inspector = !state.view.inspector,
        Action::ToggleHelp => state.view.help = !state.view.help,
        Action::ToggleModelDialog => state.view.model_dialog = !state.view.model_dialog,
        Action::SetTheme(theme) => {
            let preferences = Preferences { theme, ..state.preferences.clone() };
            preferences::set(state, preferences, &mut effects);
        }
        Action::Prefer(preferences) => preferences::set(state, preferences, &mut effects),
        Action::ToggleSettings => state.view.settings = !state.view.settings,
        Action::PickLessons => effects.push(Effect::PickLessons),
        Action::EditHubId(id) => state.model.hub_id = id,
        Action::PickFolder => effects.push(Effect::PickFolder),
        Action::LoadModel(source) => load(state, LoadRequest { source, ..state.model.request.clone() }, &mut effects),
        Action::SetDevice(device) => load(state, LoadRequest { device, ..reload(state) }, &mut effects),
        Action::SetDType(dtype) => load(state, LoadRequest { dtype, ..reload(state) }, &mut effects),
        Action::CancelLoad => {
            // At once: the engine may be at something long, and says so only behind it.
            state.model.load_ended();
            effects.push(Effect::Engine(Command::CancelLoad));
        }
        Action::RestartEngine => {
            state.engine_dead = false;
            state.model.loaded = None;
            state.model.loading = Some(LoadProgress::default());
            effects.push(Effect::SpawnEngine(state.model.request.clone()));
        }
        Action::DismissNotice => state.notice = None,
    }
    effects.extend(questions(state, &before));
    effects
}

/// What the questions to the preview thread are about: the shown step, the settings, the search, the picture, and what
/// the step is held against. The step with whether its logits are held, since a replay gives them back, and whether the
/// settings differ from those it was made with: a sibling of the same pass may have another token.
pub(super) type AskedAbout = (Option<(StepKey, bool, bool)>, SamplerSettings, String, Chart, Option<StepKey>);

pub(super) fn asked_about(state: &AppState) -> AskedAbout {
    let other = compare::keys(state).map(|[other, _]| other);
    let shown = state.current_key().map(|key| (key, state.holds_logits(key), state.settings_differ()));
    (shown, state.sampler.clone(), state.query.clone(), state.view.chart, other)
}

/// What the preview thread must be asked once the shown step, the settings or the search have changed.
pub(super) fn questions(state: &AppState, before: &AskedAbout) -> Vec<Effect> {
    let now = asked_about(state);
    if now == *before {
        return Vec::new();
    }
    let Some(step) = state.current_input() else {
        return Vec::new();
    };
    let mut effects: Vec<Effect> = compare::question(state).map(Effect::Ask).into_iter().collect();
    let stale_answer = (now.0, &now.1) != (before.0, &before.1);
    if stale_answer && state.settings_differ() {
        effects.push(Effect::Ask(Question::WhatIf { step: step.clone(), settings: now.1.clone() }));
    }
    if state.view.chart == Chart::Draws {
        effects.push(Effect::Ask(Question::Many { step: step.clone(), settings: now.1.clone() }));
    }
    if let Some(model) = state.shown_model().filter(|_| !now.2.trim().is_empty()) {
        let vocabulary = std::sync::Arc::clone(&model.vocabulary);
        effects.push(Effect::Ask(Question::Search { step, settings: now.1, query: now.2, vocabulary }));
    }
    effects
}

/// Asks for the tokens of the prompt as it is typed, and for how they come about.
pub(super) fn tokenize(state: &mut AppState) -> Vec<Effect> {
    let Some(tokenizer) = state.model.loaded.as_ref().map(|model| Arc::clone(&model.tokenizer)) else {
        return Vec::new();
    };
    state.prompt.serial += 1;
    state.prompt.awaited = None;
    let (serial, text) = (state.prompt.serial, state.prompt.text.clone());
    let tokens = Question::Tokenize { serial, text: text.clone(), tokenizer: Arc::clone(&tokenizer) };
    vec![Effect::Ask(tokens), Effect::Ask(Question::Merges { serial, text, tokenizer })]
}

pub(super) fn drop_run(state: &mut AppState) {
    state.run = None;
    state.forget_report_of_run();
    state.history.forget_branches();
    state.cursor = Cursor::START;
    state.awaited_stage = None;
    state.prompt.awaited = None;
    state.what_if = None;
    state.found = None;
    state.many = None;
    state.compare.answer = None;
    state.taking = None;
    // What comes next has no file yet.
    state.keeping.file = None;
    if state.prediction.given_at.is_some() {
        state.prediction.clear();
    }
    state.work.all_ended();
    state.work.rollouts = None;
    state.work.beams = None;
    state.work.replay = None;
}

/// Leaves the run for another text: what the engine does for it ends.
pub(super) fn leave_run(state: &mut AppState, effects: &mut Vec<Effect>) {
    effects.push(Effect::CancelStep);
    effects.extend(pause(state));
    drop_run(state);
    // The word whose merges were looked at was one of that text.
    state.prompt.word = None;
}

/// The run of the prompt as it is typed, begun now if there is none; `None` without a model.
fn ensure_run<'a>(state: &'a mut AppState, effects: &mut Vec<Effect>) -> Option<&'a mut RunState> {
    if state.engine_dead {
        return None;
    }
    let model = Arc::clone(&state.model.loaded.as_ref()?.identity);
    if state.current_run().is_none() {
        // The engine would refuse it, and the text that is there would be gone for nothing.
        let (n_tokens, context_length) = (state.prompt.tokens.len(), model.card.context_length);
        if let Some(problem) = &state.prompt.problem {
            state.notice = Some(problem.clone());
            return None;
        }
        if n_tokens > context_length && state.overflow == Overflow::Stop {
            state.notice = Some(RunError::PromptTooLong { n_tokens, context_length }.to_string());
            return None;
        }
        drop_run(state);
        state.last_run += 1;
        let id = RunId(state.last_run);
        let prompt = state.prompt.text.clone();
        effects.push(Effect::CancelStep);
        let tokens: Arc<[_]> = state.prompt.tokens.as_slice().into();
        effects.push(Effect::Engine(Command::Begin {
            run: id,
            prompt: Arc::clone(&tokens),
            max_new_tokens: state.max_new_tokens,
            overflow: state.overflow,
        }));
        let tree = Tree::new(tokens);
        let under_way = Some(tree.current().id);
        state.run = Some(RunState {
            id,
            serial: state.last_run,
            model,
            formats: Vec::new(),
            of_lesson: state.shown_lesson().is_some_and(|taking| taking.lesson.sets_up(&state.prompt.text)),
            prompt,
            tree,
            under_way,
            overflow: state.overflow,
            logits: RawLogits::default(),
            said: Activity::Idle,
            asked: None,
        });
        state.notice = None;
    }
    if !state.must_go_on() {
        return None;
    }
    take_up(state, effects);
    state.run.as_mut()
}

/// The same, if it can go on.
fn ensure_open_run<'a>(state: &'a mut AppState, effects: &mut Vec<Effect>) -> Option<&'a mut RunState> {
    ensure_run(state, effects)?;
    if state.ended().is_some() { None } else { state.run.as_mut() }
}

/// Lets the engine go on with the branch that is shown, if it is on another one or would do something else at the end
/// of the context window.
fn take_up(state: &mut AppState, effects: &mut Vec<Effect>) {
    // Where there is nothing to take up, what the engine does besides goes on.
    if state.ended().is_some() {
        return;
    }
    work::give_up_replay(state);
    let overflow = state.overflow;
    let Some(run) = &mut state.run else {
        return;
    };
    let branch = run.tree.current();
    if state.work.is_running() {
        // A command that waits behind others ends no work.
        effects.push(Effect::CancelStep);
    }
    state.work.all_ended();
    if run.under_way == Some(branch.id) && run.overflow == overflow && branch.ended.is_none() {
        return;
    }
    state.last_run += 1;
    let path = path_to(&branch.trace, branch.trace.steps().len());
    let is_new = run.under_way == Some(branch.id) && branch.trace.steps().is_empty();
    let had_ended = branch.ended.is_some();
    run.under_way = Some(branch.id);
    run.overflow = overflow;
    run.rename(RunId(state.last_run));
    if had_ended {
        // The window was full, and slides now; or the limit has been raised.
        run.tree.current_mut().ended = None;
    }
    effects.push(Effect::CancelStep);
    let max_new_tokens = state.max_new_tokens;
    effects.push(Effect::Engine(if is_new {
        let prompt = Arc::clone(&run.trace().prompt);
        Command::Begin { run: run.id, prompt, max_new_tokens, overflow }
    } else {
        Command::Resume { run: run.id, path, max_new_tokens, overflow }
    }));
}

/// Takes these tokens from a recorded step on: the text goes on from there as a branch.
pub(super) fn follow_path(state: &mut AppState, index: usize, ids: Vec<TokenId>, effects: &mut Vec<Effect>) {
    let Some(step) = state.current_run().and_then(|run| run.trace().steps().get(index)).map(Arc::clone) else {
        return;
    };
    let mut ids = ids.into_iter();
    let Some(id) = ids.next() else { return };
    let rest: Vec<TokenId> = ids.collect();
    if step.sampling.chosen_id() == id {
        // It is there already: the path parts from the text further on, or is shown to its end.
        if rest.is_empty() {
            state.cursor = Cursor { step: index, stage: LoopStage::Append };
            state.awaited_stage = None;
        } else {
            follow_further(state, index, rest, effects);
        }
        return;
    }
    let sampling = &step.sampling;
    if let Some(idx) = sampling.raw.head.iter().position(|candidate| candidate.id == id) {
        let place = (sampling.raw.head[idx], sampling.outcomes[idx]);
        return take_token(state, index, place, rest, effects);
    }
    let Some(input) = state.input_at(index) else {
        state.notice = Some(say!("text-take-no-logits").to_owned());
        return;
    };
    state.taking = Some((input.key, id, rest));
    let step = compare::recorded(input, &step);
    effects.push(Effect::Ask(Question::Place { step, id }));
}

/// Goes on behind the step at `index` with these tokens, as far as they are recorded by moving there.
fn follow_further(state: &mut AppState, index: usize, rest: Vec<TokenId>, effects: &mut Vec<Effect>) {
    let n_steps = state.current_run().map_or(0, |run| run.trace().steps().len());
    if index + 1 < n_steps {
        follow_path(state, index + 1, rest, effects);
    } else {
        follow(state, rest, effects);
    }
}

/// The place of a token that was asked for has come: it is taken if that is still wanted.
pub(super) fn take_placed(state: &mut AppState, placed: Placed, effects: &mut Vec<Effect>) {
    let Placed { key, id, result } = placed;
    let Some((_, _, rest)) = state.taking.take_if(|(other, token, _)| *other == key && *token == id) else {
        return;
    };
    if state.current_run().and_then(|run| run.trace().pass(key.index)) != Some(key.pass) {
        return;
    }
    match result {
        Ok(place) => take_token(state, key.index, place, rest, effects),
        Err(problem) => state.notice = Some(problem),
    }
}

/// Takes a token whose place is known, and then the rest of the path.
fn take_token(
    state: &mut AppState,
    index: usize,
    (candidate, outcome): (Candidate, CandidateOutcome),
    rest: Vec<TokenId>,
    effects: &mut Vec<Effect>,
) {
    let Some(step) = state.current_run().and_then(|run| run.trace().steps().get(index)).map(Arc::clone) else {
        return;
    };
    let was_running = state.current_run().is_some_and(|run| run.activity() == Activity::Running);
    effects.extend(pause(state));
    let stops = state.overflow == Overflow::Stop;
    let ended = match state.shown_model() {
        Some(model) if model.eos_ids.contains(&candidate.id) => Some(StopReason::Eos),
        Some(model) if stops && step.kv.positions_after >= model.card.context_length => Some(StopReason::ContextFull),
        _ if index + 1 >= state.max_new_tokens => Some(StopReason::MaxNewTokens),
        _ => None,
    };
    let sampling = forced(&step.sampling, candidate, outcome);
    let outcome = ended.map_or(Outcome::Continue, Outcome::Stop);
    if let Some(run) = &mut state.run {
        let before = run.tree.clone();
        if run.tree.take(Arc::new(StepRecord { sampling, outcome, ..(*step).clone() }), ended) {
            state.history.remember(Moment::Branches(before));
        }
    }
    state.cursor = Cursor { step: index, stage: LoopStage::Append };
    state.awaited_stage = None;
    if !rest.is_empty() {
        // The branch may have been there already, and have some of the rest.
        follow_further(state, index, rest, effects);
    } else if was_running && ended.is_none() {
        toggle_run(state, effects);
    }
}

/// Lets the engine make these tokens behind the last one of the shown branch.
fn follow(state: &mut AppState, ids: Vec<TokenId>, effects: &mut Vec<Effect>) {
    let n_steps = state.current_run().map_or(0, |run| run.trace().steps().len());
    if n_steps + ids.len() > state.max_new_tokens {
        state.notice = Some(say!("work-limit", n = state.max_new_tokens));
    }
    let settings = state.sampler.clone();
    let Some(run) = ensure_open_run(state, effects) else { return };
    run.asked = Some(Activity::Following);
    run.tree.current_mut().stopped = false;
    effects.push(Effect::Engine(Command::Follow(run.id, ids, settings)));
    let n_steps = run.trace().steps().len();
    state.cursor = Cursor { step: n_steps.saturating_sub(1), stage: LoopStage::Append };
}

fn set_beam_options(state: &mut AppState, options: BeamOptions) {
    let BeamOptions { width, length_penalty, len } = options;
    if length_penalty.is_finite() {
        let (width, len) = (width.clamp(*BEAM_WIDTHS.start(), *BEAM_WIDTHS.end()), len.clamp(1, LONGEST_ROLLOUT));
        state.work.beam_options = BeamOptions { width, length_penalty, len };
    }
}

/// Changes the branches so that it can be undone; `change` says whether it did anything.
fn change_tree(state: &mut AppState, effects: &mut Vec<Effect>, change: impl FnOnce(&mut Tree) -> bool) {
    let Some(before) = state.current_run().map(|run| run.tree.clone()) else {
        return;
    };
    let mut changed = false;
    show_branch(state, effects, |tree| changed = change(tree));
    if changed {
        state.history.remember(Moment::Branches(before));
    }
}

/// Lets `change` choose a branch, and shows that one as far as the place that was shown.
fn show_branch(state: &mut AppState, effects: &mut Vec<Effect>, change: impl FnOnce(&mut Tree)) {
    if state.current_run().is_none() {
        return;
    }
    let Some(run) = &mut state.run else { return };
    let before = run.tree.current().id;
    change(&mut run.tree);
    // A token may still be on its way to a branch that is gone: should it come back, it is taken up as it is here.
    run.under_way = run.under_way.filter(|id| run.tree.get(*id).is_some());
    if run.tree.current().id != before {
        effects.extend(pause(state));
        state.awaited_stage = None;
    }
    go_to(state, state.cursor);
}

/// Undoes or redoes one change: `go` is the one of the history's two ways.
fn go_through(
    state: &mut AppState,
    go: impl FnOnce(&mut History, &mut dyn FnMut(Moment) -> Moment),
    effects: &mut Vec<Effect>,
) {
    let mut history = std::mem::take(&mut state.history);
    go(&mut history, &mut |moment| match moment {
        Moment::Settings(settings) => {
            let before = state.sampler.clone();
            set_sampler(state, settings, effects);
            Moment::Settings(before)
        }
        Moment::Branches(then) => {
            let mut before = then.clone();
            show_branch(state, effects, |tree| before = tree.go_to(then));
            Moment::Branches(before)
        }
    });
    state.history = history;
}

pub(super) fn set_sampler(state: &mut AppState, settings: SamplerSettings, effects: &mut Vec<Effect>) {
    state.sampler = settings;
    run_on(state, effects);
}

/// Lets a run that goes on by itself do so at the pace and with the settings of now.
fn run_on(state: &AppState, effects: &mut Vec<Effect>) {
    if let Some(run) = state.run.as_ref().filter(|run| run.activity() == Activity::Running) {
        effects.push(Effect::Engine(Command::Run(run.id, pace(state.speed), state.sampler.clone())));
    }
}

/// Shows the branch so many places further down in the picture.
fn neighbour(tree: &mut Tree, by: isize) {
    let order: Vec<_> = tree.in_order().iter().map(|branch| branch.id).collect();
    let now = order.iter().position(|id| *id == tree.current().id).unwrap_or(0);
    if let Some(id) = now.checked_add_signed(by).and_then(|place| order.get(place)) {
        tree.switch(*id);
    }
}

fn step_token(state: &mut AppState, effects: &mut Vec<Effect>) {
    if state.current_step().is_some() && state.cursor.stage < LoopStage::Append {
        state.cursor.stage = LoopStage::Append;
        return;
    }
    let n_steps = state.current_run().map_or(0, |run| run.trace().steps().len());
    if state.cursor.step + 1 < n_steps {
        go_to(state, Cursor { step: state.cursor.step + 1, stage: LoopStage::Append });
        return;
    }
    request_step(state, LoopStage::Append, effects);
}

/// Asks the engine for one more token, to be shown at `stage` when it comes.
fn request_step(state: &mut AppState, stage: LoopStage, effects: &mut Vec<Effect>) {
    let settings = state.sampler.clone();
    let Some(run) = ensure_open_run(state, effects).filter(|run| run.activity() != Activity::Stepping) else {
        return;
    };
    run.asked = Some(Activity::Stepping);
    run.tree.current_mut().stopped = false;
    effects.push(Effect::Engine(Command::Step(run.id, settings)));
    state.awaited_stage = Some(stage);
}

fn step_stage(state: &mut AppState, effects: &mut Vec<Effect>) {
    if state.current_step().is_none() {
        // The first press shows the tokens of the prompt, the second what the model makes of them.
        if state.current_run().is_none() {
            ensure_run(state, effects);
        } else {
            request_step(state, LoopStage::Embed, effects);
        }
        return;
    }
    if let Some(stage) = state.cursor.stage.next() {
        state.cursor.stage = stage;
        return;
    }
    let n_steps = state.current_run().map_or(0, |run| run.trace().steps().len());
    if state.cursor.step + 1 < n_steps {
        go_to(state, Cursor { step: state.cursor.step + 1, stage: LoopStage::Embed });
    } else {
        request_step(state, LoopStage::Embed, effects);
    }
}

fn back_stage(state: &mut AppState) {
    let Cursor { step, stage } = state.cursor;
    state.cursor = match stage.previous() {
        Some(LoopStage::Tokenize) if step > 0 => Cursor { step: step - 1, stage: LoopStage::Append },
        Some(stage) => Cursor { step, stage },
        None => Cursor::START,
    };
}

fn show_stage(state: &mut AppState, stage: LoopStage) {
    if stage == LoopStage::Tokenize {
        state.cursor = Cursor::START;
    } else if state.current_step().is_some() {
        state.cursor.stage = stage;
    }
}

/// Moves to a recorded place; anything beyond the last step means the last step.
fn go_to(state: &mut AppState, cursor: Cursor) {
    let n_steps = state.current_run().map_or(0, |run| run.trace().steps().len());
    state.cursor = match n_steps.checked_sub(1) {
        None => Cursor::START,
        Some(last) => Cursor { step: cursor.step.min(last), stage: cursor.stage },
    };
}

pub(super) fn toggle_run(state: &mut AppState, effects: &mut Vec<Effect>) {
    if state.current_run().is_some_and(|run| run.activity().goes_on()) {
        effects.extend(pause(state));
        return;
    }
    let (pace, settings) = (pace(state.speed), state.sampler.clone());
    let Some(run) = ensure_open_run(state, effects) else {
        return;
    };
    run.asked = Some(Activity::Running);
    run.tree.current_mut().stopped = false;
    effects.push(Effect::Engine(Command::Run(run.id, pace, settings)));
    let n_steps = run.trace().steps().len();
    state.awaited_stage = None;
    if n_steps > 0 {
        state.cursor = Cursor { step: n_steps - 1, stage: LoopStage::Append };
    }
}

pub(super) fn pause(state: &mut AppState) -> Option<Effect> {
    let run = state.run.as_mut().filter(|run| run.activity().goes_on())?;
    run.asked = Some(Activity::Idle);
    let pause = Effect::Engine(Command::Pause(run.id));
    work::give_up_replay(state);
    Some(pause)
}

fn pace(speed: f64) -> Pace {
    if speed > *super::SPEED_RANGE.end() { Pace::Unlimited } else { Pace::TokensPerSecond(speed) }
}

fn toggle_section(open: &mut Vec<Section>, section: Section) {
    if open.contains(&section) {
        open.retain(|other| *other != section);
    } else {
        open.push(section);
    }
}

/// The model that runs, to be loaded again in another way.
fn reload(state: &AppState) -> LoadRequest {
    state.model.loaded.as_ref().map_or_else(|| state.model.request.clone(), |model| model.request.clone())
}

fn load(state: &mut AppState, request: LoadRequest, effects: &mut Vec<Effect>) {
    if let ModelSource::Hub(id) = &request.source
        && id.trim().is_empty()
    {
        return;
    }
    state.notice = None;
    state.model.request = request.clone();
    if state.engine_dead {
        effects.extend(apply(state, Action::RestartEngine));
        return;
    }
    // The work goes with its model, and would keep the engine from loading until it is through.
    if state.work.is_running() {
        work::stop(state, effects);
    }
    state.model.loading = Some(LoadProgress::default());
    effects.push(Effect::Engine(Command::Load(request)));
}
