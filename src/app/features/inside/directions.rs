//! Directions in the residual stream: from one token of the text to another, or from the end of one text to that of
//! another.

use super::InsideState;
use super::texts::for_model;
use crate::app::core::Core;
use crate::engine::{InsideQuestion, JobId};
use crate::trace::{Change, Edit, Part, Piece, Positions, TokenId};
use std::sync::Arc;

/// From where to where a direction leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The layer after which the residual stream is taken, from 0.
    pub layer: usize,
    /// The text whose end is subtracted, and the one whose end it is subtracted from.
    pub texts: [String; 2],
}

/// The directions that were added, and the one that is wanted.
#[derive(Clone, Debug, Default)]
pub struct Directions {
    /// What is typed: the text that is subtracted, and the one that is added.
    pub typed: [String; 2],
    /// With the question that was asked about it.
    wanted: Option<(Difference, Option<JobId>)>,
    /// From where to where those lead that were added.
    names: Vec<(Arc<[f32]>, [String; 2])>,
}

impl Directions {
    /// Asks for a difference.
    pub(super) fn want(&mut self, difference: Difference) {
        self.wanted = Some((difference, None));
    }

    /// The difference that was asked for is wanted no more.
    pub(super) fn want_none(&mut self) {
        self.wanted = None;
    }

    /// The texts whose tokens are needed.
    pub(super) fn texts(&self) -> impl Iterator<Item = &String> {
        let wanted = self.wanted.iter().flat_map(|(wanted, _)| &wanted.texts);
        self.typed.iter().chain(wanted.filter(|text| !self.typed.contains(text)))
    }

    /// From where to where a direction leads, where that is known.
    pub(super) fn name(&self, direction: &Arc<[f32]>) -> Option<&[String; 2]> {
        self.names.iter().find(|(other, _)| Arc::ptr_eq(other, direction)).map(|(_, name)| name)
    }

    /// Keeps from where to where a direction leads, and gives the change that adds it at every token.
    pub(super) fn edit(&mut self, layer: usize, direction: Arc<[f32]>, name: [String; 2]) -> Edit {
        self.names.retain(|(direction, _)| Arc::strong_count(direction) > 1);
        self.names.push((Arc::clone(&direction), name));
        let change = Change::Add { direction, strength: 1.0 };
        Edit { part: Part::Residual { layer }, positions: Positions::All, change }
    }
}

impl InsideState {
    /// What has to be asked for the difference that is wanted.
    pub(super) fn question_about_direction(&mut self, core: &mut Core) -> Option<InsideQuestion> {
        let (Difference { layer, texts }, None) = self.directions.wanted.as_ref()? else { return None };
        let layer =
            Some(*layer).filter(|layer| core.shown_model().is_some_and(|model| *layer < model.card.n_layers))?;
        let ids = |pieces: &[Piece]| pieces.iter().map(|piece| piece.id).collect::<Arc<[TokenId]>>();
        let [from, to] = texts.each_ref().map(|text| self.texts.tokens(&for_model(core, text)?));
        let (Ok(from), Ok(to)) = (from?, to?) else {
            // Why a text has no tokens stands beside it.
            self.directions.wanted = None;
            return None;
        };
        let texts = [ids(from), ids(to)];
        if let Some((_, job)) = &mut self.directions.wanted {
            *job = Some(JobId(core.new_number()));
        }
        Some(InsideQuestion::Direction { layer, texts })
    }

    /// Takes in a direction; one that nobody wants any more is dropped.
    pub(super) fn receive_direction(&mut self, core: &Core, job: JobId, direction: Arc<[f32]>) {
        let wanted = self.directions.wanted.take_if(|(_, asked)| *asked == Some(job));
        if let Some((Difference { layer, texts }, _)) = wanted {
            let edit = self.directions.edit(layer, direction, texts);
            self.add_edit(core, edit);
        }
    }
}
