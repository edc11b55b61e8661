//! What each part of the model added to a logit, as it is drawn.

use super::looking::{Asked, LookKey};
use super::{InsidePass, InsideState};
use crate::app::core::Core;
use crate::engine::{InsideQuestion, JobId};
use crate::trace::{Attribution, Part, TokenId};
use std::sync::Arc;

/// Whose logit is taken apart: what a user chose, for the look that it was chosen in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AttributionChoice {
    /// The token; none for the one that follows the chosen position.
    pub token: Option<TokenId>,
    /// The token whose logit is subtracted.
    pub against: Option<TokenId>,
}

/// What an attribution is about.
#[derive(Clone, Debug, PartialEq)]
pub struct AttributionKey {
    pub look: LookKey,
    pub position: usize,
    pub token: TokenId,
    pub against: Option<TokenId>,
}

impl InsideState {
    fn attribution_key(&self, core: &Core) -> Option<AttributionKey> {
        let (look, drawn) = (self.current_look(core)?, core.current_step()?.sampling.chosen_id());
        let position = self.chosen_position(look);
        let follows = look.ids.get(position + 1).copied().unwrap_or(drawn);
        let AttributionChoice { token, against } = self.attribution_choice;
        let token = token.unwrap_or(follows);
        Some(AttributionKey {
            look: self.key(core)?,
            position,
            token,
            against: against.filter(|other| *other != token),
        })
    }

    /// The attribution that is asked for, once it is there.
    pub(super) fn current_attribution(&self, core: &Core) -> Option<&Arc<Attribution>> {
        let key = self.attribution_key(core)?;
        self.attribution.as_ref().filter(|asked| asked.key == key).and_then(|asked| asked.answer.as_ref())
    }

    /// What has to be asked for the picture of the parts.
    pub(super) fn question_about_parts(&mut self, core: &mut Core) -> Option<InsideQuestion> {
        let of = Arc::clone(self.current_look(core)?);
        let key = self.attribution_key(core)?;
        if self.attribution.as_ref().is_some_and(|asked| asked.key == key) {
            return None;
        }
        let (position, token, against) = (key.position, key.token, key.against);
        self.attribution = Some(Asked { job: JobId(core.new_number()), key, answer: None });
        Some(InsideQuestion::Attribute { of, position, token, against })
    }
}

/// The parts of a logit, and what else could be taken apart.
#[derive(Clone, Debug)]
pub(crate) struct AttributionView<'a> {
    pub attribution: &'a Attribution,
    /// The parts by size, the largest first, with what they added.
    pub strongest: Vec<(Part, f64)>,
    /// The largest part, whatever its sign.
    pub most: f64,
    /// The tokens that can be chosen: the best of the shown step, and the one that follows the chosen position.
    pub choices: Vec<TokenId>,
    /// Whether the user chose the token.
    pub choice: AttributionChoice,
}

impl<'a> AttributionView<'a> {
    pub(in crate::app) fn of(own: &'a InsideState, core: &'a Core, pass: &InsidePass<'a>) -> Option<Self> {
        let attribution = own.seen(core)?.attribution.as_deref()?;
        let heads = attribution.heads.iter().enumerate().flat_map(|(layer, heads)| {
            heads.iter().enumerate().map(move |(head, added)| (Part::Head { layer, head }, *added))
        });
        let mlps = attribution.mlps.iter().enumerate().map(|(layer, added)| (Part::Mlp { layer }, *added));
        let mut strongest: Vec<_> = heads.chain(mlps).chain([(Part::Embed, attribution.embed)]).collect();
        strongest.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let sums = (0..attribution.heads.len()).map(|layer| attribution.attention(layer).abs());
        let most = sums.chain(strongest.iter().map(|(_, added)| added.abs())).fold(f64::MIN_POSITIVE, f64::max);
        let head = &core.current_step()?.sampling.raw.head;
        let mut choices: Vec<TokenId> = head.iter().take(12).map(|candidate| candidate.id).collect();
        let follows = pass.look.ids.get(pass.position + 1).copied().unwrap_or(pass.drawn);
        if !choices.contains(&follows) {
            choices.insert(0, follows);
        }
        Some(Self { attribution, strongest, most, choices, choice: own.attribution_choice })
    }
}
