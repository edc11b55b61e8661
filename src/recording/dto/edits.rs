//! What was changed on the way through the model as it stands in a session file, and back with everything checked: a
//! change that the model has no place for is refused.

use super::super::limits::{MOST_TOKENS, at_most};
use super::checked::{Known, within};
use crate::message::Message;
use crate::trace::{Change, Edit, Matrix, Part, Positions};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One change, as exports have it too.
#[derive(Serialize, Deserialize)]
pub(crate) struct EditDto {
    part: PartDto,
    positions: PositionsDto,
    change: ChangeDto,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PartDto {
    Head { layer: usize, head: usize },
    Attention { layer: usize },
    Mlp { layer: usize },
    Layer { layer: usize },
    Residual { layer: usize },
    Embed,
}

/// Positions in the context window.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PositionsDto {
    All,
    From(usize),
    Only(usize),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ChangeDto {
    Scale(f32),
    /// Over the first so many positions.
    Mean(usize),
    Add {
        strength: f32,
        #[serde(deserialize_with = "at_most::<_, _, MOST_TOKENS>")]
        direction: Vec<f32>,
    },
    Replace(#[serde(deserialize_with = "at_most::<_, _, MOST_TOKENS>")] Vec<f32>),
    /// A row for each position, one after the other.
    ReplaceRows(#[serde(deserialize_with = "at_most::<_, _, MOST_TOKENS>")] Vec<f32>),
}

impl EditDto {
    pub(crate) fn of(Edit { part, positions, change }: &Edit) -> Self {
        Self {
            part: match *part {
                Part::Head { layer, head } => PartDto::Head { layer, head },
                Part::Attention { layer } => PartDto::Attention { layer },
                Part::Mlp { layer } => PartDto::Mlp { layer },
                Part::Layer { layer } => PartDto::Layer { layer },
                Part::Residual { layer } => PartDto::Residual { layer },
                Part::Embed => PartDto::Embed,
            },
            positions: match *positions {
                Positions::All => PositionsDto::All,
                Positions::From(first) => PositionsDto::From(first),
                Positions::Only(only) => PositionsDto::Only(only),
            },
            change: match change {
                Change::Scale(factor) => ChangeDto::Scale(*factor),
                Change::Mean(n) => ChangeDto::Mean(*n),
                Change::Add { direction, strength } => {
                    ChangeDto::Add { strength: *strength, direction: direction.to_vec() }
                }
                Change::Replace(with) => ChangeDto::Replace(with.to_vec()),
                Change::ReplaceRows(with) => ChangeDto::ReplaceRows(with.data.clone()),
            },
        }
    }

    /// The change, or what this model has no place for.
    pub(in super::super) fn edit(self, known: &Known) -> Result<Edit, Message> {
        let Self { part, positions, change } = self;
        let last = known.context_length.saturating_sub(1);
        let position = |position| within("positions", position, 0..=last);
        let (part, width) = known.part(part)?;
        let numbers = |numbers: Vec<f32>, n_rows: usize| {
            within("change", numbers.len(), n_rows * width..=n_rows * width).map(|_| numbers)
        };
        Ok(Edit {
            part,
            positions: match positions {
                PositionsDto::All => Positions::All,
                PositionsDto::From(first) => Positions::From(position(first)?),
                PositionsDto::Only(only) => Positions::Only(position(only)?),
            },
            change: match change {
                ChangeDto::Scale(factor) => Change::Scale(factor),
                ChangeDto::Mean(n) => Change::Mean(within("mean", n, 1..=known.context_length)?),
                ChangeDto::Add { strength, direction } => {
                    Change::Add { direction: numbers(direction, 1)?.into(), strength }
                }
                ChangeDto::Replace(with) => Change::Replace(numbers(with, 1)?.into()),
                ChangeDto::ReplaceRows(with) => {
                    let n_rows = within("change", with.len() / width.max(1), 0..=known.context_length)?;
                    Change::ReplaceRows(Arc::new(Matrix { width, data: numbers(with, n_rows)? }))
                }
            },
        })
    }
}

impl Known {
    /// The part, and how many numbers it has for a position.
    fn part(&self, part: PartDto) -> Result<(Part, usize), Message> {
        let layer = |layer| within("layer", layer, 0..=self.n_layers.saturating_sub(1));
        let of_layer = |part: fn(usize) -> Part, here| Ok((part(layer(here)?), self.hidden_size));
        match part {
            PartDto::Head { layer: here, head } => {
                let head = within("head", head, 0..=self.n_heads.saturating_sub(1))?;
                Ok((Part::Head { layer: layer(here)?, head }, self.head_dim))
            }
            PartDto::Attention { layer } => of_layer(|layer| Part::Attention { layer }, layer),
            PartDto::Mlp { layer } => of_layer(|layer| Part::Mlp { layer }, layer),
            PartDto::Layer { layer } => of_layer(|layer| Part::Layer { layer }, layer),
            PartDto::Residual { layer } => of_layer(|layer| Part::Residual { layer }, layer),
            PartDto::Embed => Ok((Part::Embed, self.hidden_size)),
        }
    }
}
