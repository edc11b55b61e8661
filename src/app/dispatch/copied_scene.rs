//! The moment on the screen as a scene of a lesson: the set-up that comes to it.

use crate::app::core::{Chart, Cursor, LoopStage, Room};
use crate::app::features::lessons::Directive;
use crate::app::state::AppState;
use crate::sampling::{SamplerSettings, Stage, coin};
use crate::trace::{Change, Draw, Edit, Part, Positions, StepRecord};
use std::fmt::Write as _;

/// The header of a scene whose set-up makes what is on the screen, from the prompt on. What no set-up can do stands there
/// as a comment.
pub fn copied_scene(state: &AppState) -> String {
    let mut text = String::from("# Into the header; the text goes behind it, under `## copied`.\n");
    for note in notes(state) {
        _ = writeln!(text, "# {note}");
    }
    text.push_str("[[scene]]\nid = \"copied\"\nsetup = [\n");
    // A directive is strings and whole numbers, all of which TOML can say; a seed beyond its range is in the notes.
    for value in directives(state).iter().filter_map(|directive| toml::Value::try_from(directive).ok()) {
        _ = writeln!(text, "  {value},");
    }
    text + "]\n"
}

/// What would not be the same.
fn notes(state: &AppState) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(model) = state.shown_model().filter(|_| !state.has_bundled()) {
        notes.push(format!("It was the model {:?}: another one says something else.", model.card.id));
    }
    if i64::try_from(state.sampler.seed).is_err() {
        notes.push(format!("The seed {} is too large for TOML.", state.sampler.seed));
    }
    if state.view.chart == Chart::Rollouts && rolled_out(state).is_none() && state.explore.rollouts.is_some() {
        notes.push("The continuations were of another step or with other samplers: roll out anew.".to_owned());
    }
    if state.explore.beams.is_some() {
        notes.push("No set-up searches with beams: the beams are left out.".to_owned());
    }
    let is_left_out = |edit: &Edit| switched_off(edit).is_none();
    if state.view.chart.room() == Room::Inside && state.inside.edits(state).iter().any(is_left_out) {
        notes.push("A set-up switches parts of the model off for all tokens: other changes are left out.".to_owned());
    }
    if state.explore.compare.pinned.is_some() {
        notes.push("No set-up brings another run back: the pinned run is left out.".to_owned());
    }
    if state.steps().iter().any(|step| !step.edits.is_empty()) {
        notes.push("No set-up makes steps with a changed model: the model's own are made in their place.".to_owned());
    }
    for step in state.steps() {
        let number = step.index + 1;
        match step.sampling.draw {
            Draw::Coin { u, .. } if u.to_bits() != coin(state.sampler.seed, step.index as u64).to_bits() => {
                notes.push(format!("Step {number} was drawn with another seed than the one that is set now."));
            }
            Draw::Forced if rank(step).is_none() => {
                notes.push(format!("The token taken in step {number} is not among those that are recorded."));
            }
            Draw::Coin { .. } | Draw::Greedy | Draw::Forced => {}
        }
    }
    notes
}

/// How many continuations were made of the shown step, with the samplers of now, and how long they are.
fn rolled_out(state: &AppState) -> Option<Directive> {
    let job = state.explore.rollouts.as_ref()?;
    let is_of_now = state.current_key() == Some(job.key) && job.draws_with(&state.sampler);
    let tree = job.result.as_ref().filter(|_| is_of_now)?;
    Some(Directive::RollOut { n: tree.n, len: tree.len })
}

/// Where a token stands among the candidates of its step, from 1.
fn rank(step: &StepRecord) -> Option<usize> {
    let id = step.sampling.chosen_id();
    let mut places = step.sampling.raw.head.iter().zip(1..);
    // A token taken from beyond the head is put behind it, where it has no place in another run.
    places.find(|(candidate, place)| candidate.id == id && candidate.rank as usize == *place).map(|(_, place)| place)
}

fn directives(state: &AppState) -> Vec<Directive> {
    let now = &state.sampler;
    let mut all = vec![Directive::Prompt(state.prompt.text.clone()), Directive::Seed(now.seed)];
    all.push(Directive::MaxNewTokens(state.max_new_tokens));
    all.push(Directive::Overflow(state.overflow.key().to_owned()));
    // The chain as it is set, with what is switched off, wherever it is the one that acted.
    let written = |chain: &[Stage]| {
        Directive::Stages(if now.chain().0 == chain {
            now.text()
        } else {
            SamplerSettings::of(chain.iter().cloned()).text()
        })
    };
    let mut set: Option<Vec<Stage>> = None;
    let steps = state.steps();
    for (idx, step) in steps.iter().enumerate() {
        let chain: Vec<Stage> = step.sampling.stages.iter().map(|stage| stage.stage.clone()).collect();
        if set.as_ref() != Some(&chain) {
            all.extend((idx > 0).then_some(Directive::Make(idx)));
            all.push(written(&chain));
            set = Some(chain);
        }
        let forced = step.sampling.draw == Draw::Forced;
        if let Some(rank) = rank(step).filter(|_| forced) {
            all.extend([Directive::Make(idx + 1), Directive::Take { step: idx + 1, rank }]);
        }
    }
    all.extend((!steps.is_empty()).then_some(Directive::Make(steps.len())));
    if set.as_ref() != Some(&now.chain().0) {
        all.push(written(&now.chain().0));
    }
    all.extend(views(state, steps.len()));
    all
}

/// Where one looks, and how it is drawn.
fn views(state: &AppState, n_steps: usize) -> Vec<Directive> {
    let view = &state.view;
    let Cursor { step, stage } = state.cursor;
    let mut all = Vec::new();
    if n_steps > 0 {
        all.push(Directive::GoTo(step.min(n_steps - 1) + 1));
        all.extend((stage != LoopStage::Append).then(|| Directive::Station(name(stage))));
        all.extend(rolled_out(state));
    }
    all.push(Directive::Chart(name(view.chart)));
    if view.chart.room() == Room::Inside {
        all.extend(inside(state));
    }
    all.extend([
        Directive::Scale(name(view.scale)),
        Directive::Text(name(view.text)),
        Directive::Tint(name(view.tint)),
    ]);
    all.extend(view.open_sections.iter().map(|section| Directive::Section(name(*section))));
    all.extend(view.open_stage.map(|kind| Directive::Details(kind.key.to_owned())));
    all
}

/// What is looked at inside the model, and what is switched off there.
fn inside(state: &AppState) -> Vec<Directive> {
    let (layer, head) = (state.inside.layer, state.inside.head);
    let mut all = vec![Directive::Head(Part::Head { layer, head }.to_string())];
    if state.view.chart == Chart::Map {
        all.push(Directive::Zoom(name(state.inside.map.zoom)));
    }
    all.extend(state.inside.edits(state).iter().filter_map(switched_off));
    all.extend(state.inside.position.map(Directive::Position));
    if state.view.chart == Chart::Embeddings {
        all.extend(embeddings(state));
    }
    all
}

/// The rows of the embedding matrix that are added up, and the picture of them.
fn embeddings(state: &AppState) -> Vec<Directive> {
    let own = &state.inside.embeddings;
    let text = |id| String::from_utf8(state.shown_model()?.vocabulary.bytes(id).to_vec()).ok();
    let term = |(place, (id, factor)): (usize, &(_, f32))| {
        let text = text(*id)?;
        Some(match place {
            _ if *factor < 0.0 => Directive::Subtract(text),
            0 => Directive::LookUp(text),
            _ => Directive::Add(text),
        })
    };
    let terms = own.terms.iter().enumerate().filter_map(term);
    terms.chain([Directive::Part(name(own.part))]).collect()
}

/// What switches a part off as this change does, if that is what it does.
fn switched_off(edit: &Edit) -> Option<Directive> {
    let is_off = edit.change == Change::Scale(0.0) && edit.positions == Positions::All;
    is_off
        .then(|| match edit.part {
            Part::Residual { .. } => None,
            part => Some(part.to_string()),
        })?
        .map(Directive::Off)
}

fn name(what: impl Into<&'static str>) -> String {
    what.into().to_owned()
}
