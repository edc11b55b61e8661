//! What a lesson can look at: conditions on what is on the screen.

mod inside;

use super::names;
use crate::app::core::{
    Chart, Core, EmbeddingsPart, InsideShown, LoopStage, MapZoom, RunState, Section, Tint, stage_of,
};
use crate::inspect::HeadMeasure;
use crate::message::{Message, msg};
use crate::trace::{Draw, Snapshot, Stage, StepRecord, StopReason};
use serde::Deserialize;
use std::sync::Arc;

/// A range of which either end may be open.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Bounds {
    /// The least.
    pub at_least: Option<f64>,
    /// The most.
    pub at_most: Option<f64>,
}

impl Bounds {
    fn hold(self, value: f64) -> bool {
        self.at_least.is_none_or(|least| value >= least) && self.at_most.is_none_or(|most| value <= most)
    }
}

/// The first parameter of a stage.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ValueBounds {
    pub stage: String,
    /// The least.
    pub at_least: Option<f64>,
    /// The most.
    pub at_most: Option<f64>,
}

/// The share of attention that the chosen token gives to another one in the chosen head.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct ReadBounds {
    /// The position that is read.
    pub position: usize,
    /// The least.
    pub at_least: Option<f64>,
    /// The most.
    pub at_most: Option<f64>,
}

/// What the chosen head was measured to do.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct MeasureBounds {
    pub name: String,
    /// The least.
    pub at_least: Option<f64>,
    /// The most.
    pub at_most: Option<f64>,
}

/// What is to be done; all that is given must hold. Explained in lessons/README.md.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub made: Option<usize>,
    pub prompt_tokens: Option<Bounds>,
    pub prompt_letters: Option<usize>,
    pub part_of_character: Option<bool>,
    pub greedy: Option<bool>,
    pub stage: Option<String>,
    pub value: Option<ValueBounds>,
    pub order: Option<[String; 2]>,
    pub best: Option<Bounds>,
    pub kept: Option<Bounds>,
    pub entropy: Option<Bounds>,
    pub chart: Option<String>,
    pub station: Option<String>,
    pub section: Option<String>,
    pub tint: Option<String>,
    pub shown: Option<usize>,
    pub forgotten: Option<bool>,
    pub branches: Option<usize>,
    pub taken: Option<bool>,
    pub takes: Option<usize>,
    pub contains: Option<String>,
    pub repeats: Option<usize>,
    pub ended: Option<String>,
    pub seed_other_than: Option<u64>,
    pub position: Option<usize>,
    pub head: Option<String>,
    pub reads: Option<ReadBounds>,
    pub measure: Option<MeasureBounds>,
    pub zoom: Option<String>,
    pub part: Option<String>,
    pub nearest: Option<String>,
    pub changed: Option<bool>,
    pub effect: Option<Bounds>,
    pub swapped: Option<bool>,
}

impl Check {
    /// Whether all of it holds now.
    pub fn holds(&self, core: &Core, inside: &InsideShown<'_>) -> bool {
        self.text_holds(core) && self.samplers_hold(core) && self.view_holds(core) && self.inside_holds(core, inside)
    }

    fn text_holds(&self, core: &Core) -> bool {
        let run = core.current_run();
        let steps = core.steps();
        let vocabulary = core.shown_model().map(|model| &model.vocabulary);
        let prompt = &core.prompt.tokens;
        let n_prompt = prompt.iter().skip_while(|piece| piece.special).count() as f64;
        let chosen: Vec<u32> = steps.iter().map(|step| step.sampling.chosen_id()).collect();
        let parted = || {
            let of_text = chosen.iter().filter_map(|id| Some(vocabulary?.bytes(*id)));
            let mut all = prompt.iter().filter(|piece| !piece.special).map(|piece| &*piece.bytes).chain(of_text);
            all.any(|bytes| std::str::from_utf8(bytes).is_err())
        };
        let repeats = |n: usize| {
            let last = chosen.len().checked_sub(n).map(|start| &chosen[start..]);
            last.is_some_and(|last| n > 0 && chosen[..chosen.len() - 1].windows(n).any(|run| run == last))
        };
        let ended = |name: &str| run.and_then(RunState::ended).is_some_and(|reason| stop_name(reason) == name);
        let is_taken = |step: &&Arc<StepRecord>| step.sampling.draw == Draw::Forced;
        let n_taken = steps.iter().filter(is_taken).count();
        // With the step that is to be shown, it is the one to be taken.
        let taken =
            self.shown.map_or(n_taken > 0, |n| steps.get(n.wrapping_sub(1)).is_some_and(|step| is_taken(&step)));
        let contains = |wanted: &str| {
            let bytes: Vec<u8> =
                chosen.iter().filter_map(|id| Some(vocabulary?.bytes(*id))).flatten().copied().collect();
            String::from_utf8_lossy(&bytes).contains(wanted)
        };
        // While the tokenizer is at work the tokens are still those of the text before.
        let of_prompt = self.prompt_tokens.is_some() || self.part_of_character.is_some();
        (!of_prompt || core.prompt.is_tokenized())
            && self.made.is_none_or(|n| steps.len() >= n)
            && self.prompt_tokens.is_none_or(|bounds| bounds.hold(n_prompt))
            && self.prompt_letters.is_none_or(|n| core.prompt.text.trim().chars().count() >= n)
            && self.part_of_character.is_none_or(|wanted| parted() == wanted)
            && self.repeats.is_none_or(repeats)
            && self.ended.as_deref().is_none_or(ended)
            && self.taken.is_none_or(|wanted| taken == wanted)
            && self.takes.is_none_or(|n| n_taken >= n)
            && self.contains.as_deref().is_none_or(contains)
            && self.branches.is_none_or(|n| run.is_some_and(|run| run.tree.branches().len() >= n))
    }

    fn samplers_hold(&self, core: &Core) -> bool {
        let settings = &core.sampler;
        let chain = settings.chain();
        let place = |name: &str| chain.0.iter().position(|stage| stage.key == name);
        let value = |wanted: &ValueBounds| {
            let Some(kind) = names::stage(&wanted.stage) else { return false };
            let bounds = Bounds { at_least: wanted.at_least, at_most: wanted.at_most };
            let within = |stage: &Stage| !stage.value().is_nan() && bounds.hold(stage.value());
            let slot = settings.slot(kind).filter(|slot| slot.on);
            // Tokens that were asked for as well must have been made so.
            let steps = core.current_run().filter(|_| self.made.is_some()).map_or(&[][..], |run| run.trace().steps());
            slot.is_some_and(|slot| within(&slot.stage))
                && steps.iter().all(|step| match stage_of(&step.sampling, kind) {
                    Some(record) => within(&record.stage),
                    // A value that changes nothing leaves no stage behind.
                    None => place(&wanted.stage).is_none(),
                })
        };
        let order = |[a, b]: &[String; 2]| place(a).zip(place(b)).is_some_and(|(a, b)| a < b);
        let last = |look: &dyn Fn(&Snapshot) -> bool| {
            // While a what-if is on its way nothing can be said of these settings.
            let waiting = core.settings_differ() && core.current_what_if().is_none();
            !waiting && core.shown_sampling().is_some_and(|sampling| look(sampling.last()))
        };
        let best = |snapshot: &Snapshot| snapshot.head.first().map_or(0.0, |best| best.prob);
        self.greedy.is_none_or(|wanted| settings.is_greedy() == wanted)
            && self.stage.as_deref().is_none_or(|name| place(name).is_some())
            && self.value.as_ref().is_none_or(value)
            && self.order.as_ref().is_none_or(order)
            && self.best.is_none_or(|bounds| last(&|snapshot| bounds.hold(best(snapshot))))
            && self.kept.is_none_or(|bounds| last(&|snapshot| bounds.hold(snapshot.n_candidates as f64)))
            && self.entropy.is_none_or(|bounds| last(&|snapshot| bounds.hold(snapshot.entropy_bits)))
            && self.seed_other_than.is_none_or(|seed| settings.seed != seed)
    }

    fn view_holds(&self, core: &Core) -> bool {
        let view = &core.view;
        let open = |name: &str| {
            view.inspector && name.parse().is_ok_and(|section: Section| view.open_sections.contains(&section))
        };
        let has_step = core.current_step().is_some();
        let forgotten = core.current_step().is_some_and(|step| step.kv.forgotten > 0);
        self.chart.as_deref().is_none_or(|name| has_step && name.parse() == Ok(view.chart))
            && self.station.as_deref().is_none_or(|name| has_step && name.parse() == Ok(core.cursor.stage))
            && self.section.as_deref().is_none_or(open)
            && self.tint.as_deref().is_none_or(|name| name.parse() == Ok(view.tint))
            && self.shown.is_none_or(|n| has_step && core.cursor.step + 1 == n)
            && self.forgotten.is_none_or(|wanted| has_step && forgotten == wanted)
    }

    /// The names in it that stand for nothing, with what there is.
    pub(super) fn unknown(&self) -> Vec<(String, Message)> {
        let mut unknown = Vec::new();
        let mut look = |name: Option<&str>, what: Message, all: &[&str]| {
            unknown.extend(name.and_then(|name| Some((name.to_owned(), names::wrong(name, what, all)?))));
        };
        let value = self.value.as_ref().map(|value| &*value.stage);
        let ordered = self.order.iter().flatten().map(|name| Some(&**name));
        for name in [self.stage.as_deref(), value].into_iter().chain(ordered) {
            look(name, msg!("wrong-what-stage"), &names::stages());
        }
        look(self.chart.as_deref(), msg!("wrong-what-chart"), &names::all::<Chart>());
        look(self.station.as_deref(), msg!("wrong-what-station"), &names::all::<LoopStage>());
        look(self.section.as_deref(), msg!("wrong-what-section"), &names::all::<Section>());
        look(self.tint.as_deref(), msg!("wrong-what-tint"), &names::all::<Tint>());
        look(self.ended.as_deref(), msg!("wrong-what-end"), &STOPS);
        look(self.part.as_deref(), msg!("wrong-what-part"), &names::all::<EmbeddingsPart>());
        look(self.zoom.as_deref(), msg!("wrong-what-zoom"), &names::all::<MapZoom>());
        let measure = self.measure.as_ref().map(|measure| &*measure.name);
        look(measure, msg!("wrong-what-measure"), &names::all::<HeadMeasure>());
        unknown.extend(self.head.iter().filter_map(|name| Some((name.clone(), names::wrong_head(name)?))));
        unknown
    }
}

const STOPS: [&str; 3] = ["eos", "max_new_tokens", "context_full"];

fn stop_name(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Eos => STOPS[0],
        StopReason::MaxNewTokens => STOPS[1],
        StopReason::ContextFull => STOPS[2],
    }
}
