//! A lesson that is being taken: what it sets up is carried out as actions, one after the other, as a user would.

use super::apply;
use crate::app::action::Action;
use crate::app::core::{Cursor, Effect, LoopStage};
use crate::app::features::explore::{ExploreAction, RolloutOptions};
use crate::app::features::inside::{
    AttentionAction, EmbeddingsAction, InsideAction, InterventionAction, MapAction, PatchAction,
};
use crate::app::features::lessons::{self, Directive};
use crate::app::features::prompt::PromptAction;
use crate::app::features::run::RunAction;
use crate::app::features::samplers::SamplersAction;
use crate::app::features::screen::ScreenAction;
use crate::app::state::AppState;
use crate::engine::Activity;
use crate::sampling::SamplerSettings;
use crate::trace::{Change, Edit, Positions};

/// Goes on with what is to be set up, as far as the engine lets it, and looks whether the check holds.
pub(super) fn advance(state: &mut AppState) -> Vec<Effect> {
    let mut effects = Vec::new();
    while let Some(directive) = next_directive(state) {
        match directive {
            Directive::Make(n) => {
                let n_steps = state.steps().len();
                let over = n_steps >= n || state.ended().is_some();
                // A step that failed is not tried for ever: the notice says why, and the lesson waits no longer.
                let tried = Some((n, n_steps));
                let failed = state.lessons.taking.as_ref().is_some_and(|taking| taking.tried == tried);
                if !over && !failed {
                    if let Some(taking) = &mut state.lessons.taking {
                        taking.tried = tried;
                    }
                    effects.extend(apply(state, RunAction::GoTo(Cursor::END)));
                    effects.extend(apply(state, RunAction::StepToken));
                    // It comes as news, or the notice says why not.
                    if state.activity() != Activity::Idle {
                        break;
                    }
                }
            }
            directive => {
                for action in actions(state, &directive) {
                    effects.extend(apply(state, action));
                }
            }
        }
        if let Some(taking) = &mut state.lessons.taking {
            taking.queue.pop_front();
            taking.tried = None;
        }
    }
    judge(state);
    effects
}

/// What comes next, if nothing has to be waited for.
fn next_directive(state: &AppState) -> Option<Directive> {
    let taking = state.lessons.taking.as_ref()?;
    let directive = taking.queue.front()?.clone();
    if directive.is_of_the_view() {
        return Some(directive);
    }
    let halting = taking.halting.is_some() && taking.halting == state.run.as_ref().map(|run| run.id);
    let busy = halting || state.activity() != Activity::Idle || state.job.is_some();
    let ready = state.model.loaded.is_some() && !state.engine_dead && !state.awaits_tokens();
    (ready && !busy && state.explore.asked_path.is_none()).then_some(directive)
}

/// Looks whether what was asked for is done.
fn judge(state: &mut AppState) {
    let Some(taking) = &state.lessons.taking else { return };
    let inside = state.inside.shown(&state.core);
    let set_up = taking.queue.is_empty();
    // What a lesson asks for may be impossible with a model that it was not written for.
    let excused = taking.shown && !state.has_bundled();
    let holds = || excused || taking.current().check.as_ref().is_none_or(|check| check.holds(state, &inside));
    // While a text is typed it may hold on the way and not in the end.
    let typed = taking.current().check.as_ref().is_some_and(|check| check.prompt_tokens.is_some());
    let done = (taking.done && !typed) || (set_up && holds());
    let n_steps = state.steps().len();
    let n_set_up = taking.n_set_up.or_else(|| set_up.then_some(n_steps));
    // Who makes the token without a word on it has left the question out.
    let left_out = state.predict.given_at.is_none() && n_set_up.is_some_and(|n_set_up| n_steps > n_set_up);
    // A word without a token cannot be judged, and the scene goes on all the same.
    let answer = state.predict.step(state).is_some() && state.predict.answer.is_some();
    let predicted = taking.predicted || left_out || answer;
    if let Some(taking) = &mut state.lessons.taking {
        taking.done = done;
        taking.predicted = predicted;
        taking.n_set_up = n_set_up;
    }
}

/// What a user would do for it.
fn actions(state: &AppState, directive: &Directive) -> Vec<Action> {
    fn one(action: Option<impl Into<Action>>) -> Vec<Action> {
        action.into_iter().map(Into::into).collect()
    }
    match directive {
        // With nothing looked for: what an earlier lesson left in the search would be all that the list shows.
        Directive::Prompt(text) => vec![
            PromptAction::Edit(text.clone()).into(),
            RunAction::Restart.into(),
            ScreenAction::Search(String::new()).into(),
        ],
        Directive::Stages(text) => {
            let seed = state.sampler.seed;
            let settings = lessons::settings(text).ok().map(|settings| settings.with_seed(seed));
            // No stage at all would leave nothing to turn: the usual ones stand there and do nothing.
            let usual = || SamplerSettings::default().with_seed(seed);
            let settings = settings.map(|settings| if settings.slots.is_empty() { usual() } else { settings });
            one(settings.map(SamplersAction::Set))
        }
        Directive::Seed(seed) => one(Some(SamplersAction::Set(state.sampler.clone().with_seed(*seed)))),
        Directive::MaxNewTokens(n) => one(Some(RunAction::SetMaxNewTokens(*n))),
        Directive::Overflow(name) => one(name.parse().ok().map(RunAction::SetOverflow)),
        Directive::Make(_) => Vec::new(),
        Directive::GoTo(step) => {
            let cursor = Cursor { step: step.saturating_sub(1), stage: LoopStage::Append };
            one(Some(RunAction::GoTo(cursor)))
        }
        Directive::Station(name) => one(name.parse().ok().map(RunAction::ShowStage)),
        Directive::Chart(name) => one(name.parse().ok().map(ScreenAction::SetChart)),
        Directive::Scale(name) => one(name.parse().ok().map(ScreenAction::SetScale)),
        Directive::Text(name) => one(name.parse().ok().map(ScreenAction::SetTextStyle)),
        Directive::Tint(name) => one(name.parse().ok().map(ScreenAction::SetTint)),
        Directive::Section(name) => {
            let section = name.parse().ok().filter(|section| !state.view.open_sections.contains(section));
            let hidden = (!state.view.inspector).then_some(ScreenAction::ToggleInspector);
            section.map(ScreenAction::ToggleSection).into_iter().chain(hidden).map(Into::into).collect()
        }
        Directive::Details(name) => {
            let kind = lessons::stage(name).filter(|kind| state.view.open_stage != Some(*kind));
            one(kind.map(SamplersAction::ToggleStage))
        }
        Directive::Take { step, rank } => {
            let record = state.steps().get(step.saturating_sub(1));
            let id = record.and_then(|record| record.sampling.raw.head.get(rank.saturating_sub(1)));
            one(id.map(|candidate| ExploreAction::TakeToken { step: step - 1, id: candidate.id }))
        }
        Directive::RollOut { n, len } => {
            let options = RolloutOptions { n: *n, len: *len };
            vec![ExploreAction::SetRolloutOptions(options).into(), ExploreAction::RollOut.into()]
        }
        Directive::Pin(_) => one(Some(ExploreAction::Pin)),
        _ => inside_actions(state, directive).into_iter().map(Into::into).collect(),
    }
}

/// The same in the room inside the model.
fn inside_actions(state: &AppState, directive: &Directive) -> Vec<InsideAction> {
    let edit = |name: &str, positions| {
        let edit = Edit { part: lessons::part(name)?, positions, change: Change::Scale(0.0) };
        // What is off already is not switched off twice.
        let is_new = !state.inside.edits(state).contains(&edit);
        is_new.then_some(InsideAction::Intervene(InterventionAction::Add(edit)))
    };
    let chosen = || state.inside.shown(state).look.map(|(_, position)| position);
    let token = |text: &str| {
        let vocabulary = &state.shown_model()?.vocabulary;
        (0..).take(vocabulary.len()).find(|id| vocabulary.bytes(*id) == text.as_bytes())
    };
    let embeddings = |action| Some(InsideAction::Embeddings(action));
    let action = match directive {
        Directive::Part(name) => name.parse().ok().and_then(|part| embeddings(EmbeddingsAction::Show(part))),
        Directive::LookUp(text) => token(text).and_then(|id| embeddings(EmbeddingsAction::LookUp(id))),
        Directive::Add(text) => token(text).and_then(|id| embeddings(EmbeddingsAction::Add(id, 1.0))),
        Directive::Subtract(text) => token(text).and_then(|id| embeddings(EmbeddingsAction::Add(id, -1.0))),
        Directive::Position(position) => Some(InsideAction::ChoosePosition(Some(*position))),
        Directive::Head(name) => lessons::head(name).map(|(layer, head)| InsideAction::ChooseHead { layer, head }),
        Directive::Zoom(name) => name.parse().ok().map(|zoom| InsideAction::Map(MapAction::Zoom(zoom))),
        Directive::RankBy(name) => {
            name.parse().ok().map(|measure| InsideAction::Attention(AttentionAction::RankBy(measure)))
        }
        Directive::Off(name) => edit(name, Positions::All),
        Directive::OffHere(name) => chosen().and_then(|position| edit(name, Positions::Only(position))),
        Directive::Intact(_) => Some(InsideAction::Intervene(InterventionAction::Clear)),
        Directive::Swap(text) => chosen().and_then(|position| {
            let id = token(text)?;
            Some(InsideAction::Patch(PatchAction::Swap(position, id)))
        }),
        Directive::Patch(name) => name.parse().ok().map(|site| InsideAction::Patch(PatchAction::SetSite(site))),
        _ => None,
    };
    // As with a prompt: what was typed before would be all that is offered.
    let is_looked_up = matches!(directive, Directive::LookUp(_));
    let forgotten = is_looked_up.then(|| InsideAction::Embeddings(EmbeddingsAction::Search(String::new())));
    forgotten.into_iter().chain(action).collect()
}
