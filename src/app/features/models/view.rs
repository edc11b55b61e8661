//! The choice of model and the calculator, as they are drawn.

use super::ModelsState;
use crate::app::calculator::Calculator;
use crate::app::core::{Core, Lock, ModelState, Notice};
use crate::trace::ModelCard;

/// The model, and what others would need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelsView<'a> {
    /// The model that runs, and the load under way.
    pub model: &'a ModelState,
    /// The hub id being typed.
    pub hub_id: &'a str,
    pub is_open: bool,
    pub notice: Option<&'a Notice>,
    pub calculator: Option<Calculator>,
    /// The calculator set to the model of the generation that is shown.
    pub own: Calculator,
    pub card: Option<&'a ModelCard>,
    pub lock: Lock,
}

impl<'a> ModelsView<'a> {
    pub(in crate::app) fn of(own: &'a ModelsState, core: &'a Core, lock: Lock) -> Self {
        Self {
            model: &core.model,
            hub_id: &own.hub_id,
            is_open: core.view.model_dialog,
            notice: core.notice.as_ref(),
            calculator: own.calculator,
            own: Calculator::of(core),
            card: core.shown_model().map(|model| &*model.card),
            lock,
        }
    }
}
