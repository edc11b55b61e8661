//! The logit lens as it is drawn: what its colours say, and beside it the sizes of what each layer adds.

use super::looking::{Asked, LookKey};
use super::{InsidePass, InsideState};
use crate::app::core::Core;
use crate::engine::{InsideQuestion, JobId};
use crate::message::{Message, msg};
use crate::trace::{Activations, Lens, LensCell, LensRow, TokenId};
use std::ops::Range;
use std::sync::Arc;
use strum::{EnumIter, EnumString, IntoStaticStr};

/// So much work is one lens, in multiply-adds: a second or two of a CPU. It is read at fewer positions of a large model.
const MOST_WORK: usize = 20_000_000_000;

/// What a lens is about: a look, some of its positions, and the token that is asked about after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct LensKey {
    pub look: LookKey,
    pub positions: Range<usize>,
    pub target: TokenId,
}

/// As many positions as the work allows, the chosen one among them, up to the last if that can be.
fn positions(look: &Activations, chosen: usize) -> Range<usize> {
    let per_position = (2 * look.layers.len() + 1) * look.logits.len() * look.embed.width;
    let n = (MOST_WORK / per_position.max(1)).clamp(1, look.kept().len());
    let start = chosen.min(look.n_positions() - n);
    start..start + n
}

impl InsideState {
    fn lens_key(&self, core: &Core) -> Option<LensKey> {
        let look = self.current_look(core)?;
        let positions = positions(look, self.chosen_position(look));
        Some(LensKey { look: self.key(core)?, positions, target: core.current_step()?.sampling.chosen_id() })
    }

    /// What has to be asked for the lens.
    pub(super) fn question_about_lens(&mut self, core: &mut Core) -> Option<InsideQuestion> {
        let of = Arc::clone(self.current_look(core)?);
        let key = self.lens_key(core).filter(|key| self.lens.as_ref().is_none_or(|lens| lens.key != *key))?;
        let (positions, target) = (key.positions.clone(), key.target);
        self.lens = Some(Asked { job: JobId(core.new_number()), key, answer: None });
        Some(InsideQuestion::Lens { of, positions, target })
    }

    /// The lens over the current look, once it is there.
    pub(super) fn current_lens(&self, core: &Core) -> Option<&Arc<Lens>> {
        let key = self.lens_key(core)?;
        self.lens.as_ref().filter(|lens| lens.key == key).and_then(|lens| lens.answer.as_ref())
    }
}

/// What the colour of a cell says. Lessons name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum LensColour {
    /// How probable its best token is.
    #[default]
    Probability,
    /// How open the choice is.
    Entropy,
    /// At which rank the next token of the text stands.
    Rank,
}

impl LensColour {
    /// Its name, and what a strong colour means.
    pub fn label(self) -> [Message; 2] {
        match self {
            Self::Probability => [msg!("lens-probability"), msg!("lens-probability-about")],
            Self::Entropy => [msg!("lens-entropy"), msg!("lens-entropy-about")],
            Self::Rank => [msg!("lens-rank"), msg!("lens-rank-about")],
        }
    }

    /// How strong the colour of a cell is, from 0 to 1.
    pub fn strength(self, cell: &LensCell, vocab_size: usize) -> f64 {
        let most = (vocab_size.max(2) as f64).log2();
        match self {
            Self::Probability => cell.best_prob,
            Self::Entropy => (cell.entropy / most).clamp(0.0, 1.0),
            Self::Rank => 1.0 - f64::from(cell.target_rank).log2() / most,
        }
    }
}

/// The sizes of vectors at one position: Euclidean norms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Norms {
    /// Of the residual stream.
    pub residual: f64,
    /// Of what was added to it last: by attention or by the MLP; nothing before the first block.
    pub added: Option<f64>,
}

/// A row of the lens at the chosen position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LensRowView<'a> {
    pub row: LensRow,
    /// One for every column.
    pub cells: &'a [LensCell],
    /// At the chosen position.
    pub norms: Norms,
}

/// The lens, from the last layer down to the embedding.
#[derive(Clone, Debug)]
pub(crate) struct LensView<'a> {
    pub lens: &'a Lens,
    /// Which of its columns is that of the chosen position.
    pub column: usize,
    pub rows: Vec<LensRowView<'a>>,
    pub colour: LensColour,
    pub vocab_size: usize,
    /// Of all rows at the chosen position.
    pub most: Norms,
}

impl<'a> LensView<'a> {
    pub(in crate::app) fn of(own: &'a InsideState, core: &'a Core, pass: &InsidePass<'a>) -> Option<Self> {
        let (lens, look) = (own.seen(core)?.lens.as_deref()?, pass.look);
        // Until the lens at another position is there.
        let column = pass.position.checked_sub(lens.first).filter(|column| *column < lens.targets.len())?;
        let at = pass.position - look.first;
        let size = |row: &[f32]| row.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        let rows = LensRow::all(look.layers.len()).zip(&lens.rows).map(|(row, cells)| {
            let added = match row {
                LensRow::Embed => None,
                LensRow::Mid(layer) => Some(size(look.layers[layer].attn_out.row(at))),
                LensRow::Post(layer) => Some(size(look.layers[layer].mlp_out.row(at))),
            };
            LensRowView { row, cells, norms: Norms { residual: size(look.residual(row).row(at)), added } }
        });
        let mut rows: Vec<_> = rows.collect();
        rows.reverse();
        let most = |of: fn(&Norms) -> f64| rows.iter().map(|row| of(&row.norms)).fold(f64::MIN_POSITIVE, f64::max);
        let most = Norms {
            residual: most(|norms| norms.residual),
            added: Some(most(|norms| norms.added.unwrap_or_default())),
        };
        let vocab_size = look.logits.len();
        Some(Self { lens, column, rows, colour: own.lens_colour, vocab_size, most })
    }
}
