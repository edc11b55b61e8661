//! What a text says of the inside of the model: the chosen token and head, the lens, the parts of a logit, and what the
//! changes do.

use super::Value;
use crate::app::core::{Core, InsideShown};
use crate::inspect::HeadMeasure;
use crate::message::{Message, msg};
use crate::trace::{LensRow, Part, Vocabulary};

/// All values of the inside that a text may name.
pub const VALUES: [&str; 25] = [
    "token",
    "position",
    "head",
    "read",
    "read.share",
    "first.share",
    "head.previous",
    "head.first",
    "head.same",
    "head.induction",
    "lens.first",
    "lens.rank",
    "lens.before_last",
    "lens.last",
    "part",
    "part.added",
    "part.embed",
    "part.logit",
    "effect.before",
    "effect.after",
    "effect.best",
    "effect.best_prob",
    "swap",
    "patch.layer",
    "hidden",
];

pub fn value(name: &str, core: &Core, inside: &InsideShown<'_>) -> Option<Value> {
    let model = core.shown_model()?;
    match name {
        "hidden" => Some(Value::Count(model.card.hidden_size as u64)),
        "swap" => inside.swap.map(|(_, id)| Value::Token(model.vocabulary.display(id))),
        "head" => Some(Value::Text(head_name(inside.head))),
        _ => of_head(name, inside)
            .or_else(|| of_lens(name, inside))
            .or_else(|| of_parts(name, inside))
            .or_else(|| of_tokens(name, core, inside, &model.vocabulary)),
    }
}

fn head_name((layer, head): (usize, usize)) -> String {
    Part::Head { layer, head }.to_string()
}

/// The chosen token, what it reads, and what the changes do to the next one.
fn of_tokens(name: &str, core: &Core, inside: &InsideShown<'_>, vocabulary: &Vocabulary) -> Option<Value> {
    let token = |id| Some(Value::Token(vocabulary.display(id)));
    let (look, position) = inside.look?;
    let (layer, head) = inside.head;
    let shares = || (layer < look.layers.len()).then(|| &look.pattern(layer, head, position)[..=position]);
    let most = || shares()?.iter().zip(0..).max_by(|a, b| a.0.total_cmp(b.0));
    let effect = |side: usize| {
        let drawn = core.current_step()?.sampling.chosen_id();
        let token = inside.effect?.tokens.iter().find(|token| token.id == drawn)?;
        Some(Value::Percent(token.probs[side]))
    };
    let best = || inside.effect?.tokens.iter().max_by(|a, b| a.probs[1].total_cmp(&b.probs[1]));
    match name {
        "token" => token(look.ids[position]),
        "position" => Some(Value::Count(position as u64)),
        "read" => token(look.ids[most()?.1]),
        "read.share" => Some(Value::Percent(f64::from(*most()?.0))),
        "first.share" => Some(Value::Percent(f64::from(shares()?[0]))),
        "effect.before" => effect(0),
        "effect.after" => effect(1),
        "effect.best" => token(best()?.id),
        "effect.best_prob" => Some(Value::Percent(best()?.probs[1])),
        _ => None,
    }
}

/// What the chosen head was measured to do, over the whole text.
fn of_head(name: &str, inside: &InsideShown<'_>) -> Option<Value> {
    let measure = match name {
        "head.previous" => HeadMeasure::Previous,
        "head.first" => HeadMeasure::First,
        "head.same" => HeadMeasure::Same,
        "head.induction" => HeadMeasure::Induction,
        _ => return None,
    };
    let (layer, head) = inside.head;
    Some(Value::Percent(inside.heads?.heads.get(layer)?.get(head)?.measures.get(measure)?))
}

/// What the lens says of the token that was drawn, over the last token of the text.
fn of_lens(name: &str, inside: &InsideShown<'_>) -> Option<Value> {
    let (lens, (look, _)) = (inside.lens?, inside.look?);
    let has_last = lens.first + lens.targets.len() == look.n_positions();
    let cells: Vec<_> = lens.rows.iter().filter_map(|row| row.last().filter(|_| has_last)).collect();
    Some(match name {
        "lens.first" => {
            let first = cells.iter().position(|cell| cell.target_rank == 1)?;
            Value::Told(row_name(LensRow::all(look.layers.len()).nth(first)?))
        }
        "lens.rank" => Value::Count(u64::from(cells.first()?.target_rank)),
        "lens.before_last" => Value::Percent(cells.iter().rev().nth(1)?.target_prob),
        "lens.last" => Value::Percent(cells.last()?.target_prob),
        _ => return None,
    })
}

fn row_name(row: LensRow) -> Message {
    match row {
        LensRow::Embed => msg!("lens-row-embed"),
        LensRow::Mid(layer) => msg!("lens-row-mid", layer = layer),
        LensRow::Post(layer) => msg!("lens-row-post", layer = layer),
    }
}

/// The parts of the logit that is taken apart, and how far up what two texts differ in has moved to the last token.
fn of_parts(name: &str, inside: &InsideShown<'_>) -> Option<Value> {
    if name == "patch.layer" {
        let map = inside.patches?;
        let last = map.clean.len().checked_sub(1)?;
        let layer = (0..map.diffs.len()).find(|layer| map.restored(*layer, last).is_some_and(|share| share >= 0.5))?;
        return Some(Value::Text(format!("L{layer}")));
    }
    let parts = inside.attribution?;
    let heads = parts.heads.iter().enumerate().flat_map(|(layer, heads)| {
        heads.iter().enumerate().map(move |(head, added)| (Part::Head { layer, head }, *added))
    });
    let mlps = parts.mlps.iter().enumerate().map(|(layer, added)| (Part::Mlp { layer }, *added));
    let (part, added) = heads.chain(mlps).max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(match name {
        "part" => match part {
            Part::Head { layer, head } => Value::Text(head_name((layer, head))),
            Part::Mlp { layer } => Value::Told(msg!("part-mlp", layer = layer)),
            _ => return None,
        },
        "part.added" => Value::Logit(added),
        "part.embed" => Value::Logit(parts.embed),
        "part.logit" => Value::Logit(parts.logit),
        _ => return None,
    })
}
