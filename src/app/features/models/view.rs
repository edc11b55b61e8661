//! The choice of model and the calculator, as they are drawn.

use crate::app::lesson::{Control, Lock, lock};
use crate::app::{AppState, Calculator, ModelState, Notice};
use crate::trace::ModelCard;

/// The model, and what others would need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelsView<'a> {
    /// The model that runs, and the load under way.
    pub model: &'a ModelState,
    pub is_open: bool,
    pub notice: Option<&'a Notice>,
    pub calculator: Option<Calculator>,
    /// The calculator set to the model of the generation that is shown.
    pub own: Calculator,
    pub card: Option<&'a ModelCard>,
    pub lock: Lock,
}

impl<'a> ModelsView<'a> {
    pub fn of(state: &'a AppState) -> Self {
        Self {
            model: &state.model,
            is_open: state.view.model_dialog,
            notice: state.notice.as_ref(),
            calculator: state.view.calculator,
            own: Calculator::of(state),
            card: state.shown_model().map(|model| &*model.card),
            lock: lock(state, Control::Model),
        }
    }
}
