//! Models: which one runs, where and in which format, and how much memory others would take.

mod view;

pub(crate) use view::ModelsView;

use crate::app::calculator::Calculator;
use crate::app::core::{Control, Core, Effect, Notice, OpenedSession};
use crate::engine::{Command, LoadFailure, LoadProgress, LoadRequest, LoadedModel, ModelSource};
use crate::model::{DTypeChoice, DeviceChoice};
use std::sync::Arc;

/// What is typed and open where models are chosen.
#[derive(Clone, Debug, Default)]
pub struct ModelsState {
    /// The hub id being typed.
    pub hub_id: String,
    /// The calculator, if it is open.
    pub calculator: Option<Calculator>,
}

/// What is done with models.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelsAction {
    /// Open or close the choice of models.
    ToggleDialog,
    /// The hub id being typed.
    EditHubId(String),
    /// Let the user pick a model folder.
    PickFolder,
    /// Load this model.
    Load(ModelSource),
    /// Run on this device, loading the model again.
    SetDevice(DeviceChoice),
    /// Compute in this format, loading the model again.
    SetDType(DTypeChoice),
    /// Abandon the load under way.
    CancelLoad,
    /// Start a new engine after the old one died.
    RestartEngine,
    /// Open the calculator, set it, or close it.
    SetCalculator(Option<Calculator>),
}

impl ModelsAction {
    /// What has to be free for this to be done; `None` for what no lesson locks.
    pub(in crate::app) fn control(&self) -> Option<Control> {
        let locked = matches!(self, Self::Load(_) | Self::SetDevice(_) | Self::SetDType(_) | Self::ToggleDialog);
        locked.then_some(Control::Model)
    }
}

pub(in crate::app) fn update(
    state: &mut ModelsState,
    core: &mut Core,
    action: ModelsAction,
    effects: &mut Vec<Effect>,
) {
    match action {
        ModelsAction::ToggleDialog => core.view.model_dialog = !core.view.model_dialog,
        ModelsAction::EditHubId(id) => state.hub_id = id,
        ModelsAction::PickFolder => effects.push(Effect::PickFolder),
        ModelsAction::Load(source) => load(core, LoadRequest { source, ..core.model.request.clone() }, effects),
        ModelsAction::SetDevice(device) => load(core, LoadRequest { device, ..reload(core) }, effects),
        ModelsAction::SetDType(dtype) => load(core, LoadRequest { dtype, ..reload(core) }, effects),
        ModelsAction::CancelLoad => {
            // At once: the engine may be at something long, and says so only after it.
            core.model.load_ended();
            effects.push(Effect::Engine(Command::CancelLoad));
        }
        ModelsAction::RestartEngine => restart_engine(core, effects),
        ModelsAction::SetCalculator(calculator) => state.calculator = calculator,
    }
}

/// The model that runs, to be loaded again in another way.
fn reload(core: &Core) -> LoadRequest {
    core.model.loaded.as_ref().map_or_else(|| core.model.request.clone(), |model| model.request.clone())
}

fn load(core: &mut Core, request: LoadRequest, effects: &mut Vec<Effect>) {
    if let ModelSource::Hub(id) = &request.source
        && id.trim().is_empty()
    {
        return;
    }
    core.notice = None;
    core.model.request = request.clone();
    if core.engine_dead {
        return restart_engine(core, effects);
    }
    // A job goes with its model, and would keep the engine from loading until it is through.
    effects.extend(core.job.take().map(|_| Effect::CancelStep));
    core.model.loading = Some(LoadProgress::default());
    effects.push(Effect::Engine(Command::Load(request)));
}

fn restart_engine(core: &mut Core, effects: &mut Vec<Effect>) {
    core.engine_dead = false;
    core.model.loaded = None;
    core.model.loading = Some(LoadProgress::default());
    effects.push(Effect::SpawnEngine(core.model.request.clone()));
}

/// Progress of a load that has ended meanwhile may still be on its way.
pub(in crate::app) fn receive_progress(core: &mut Core, progress: LoadProgress) {
    core.model.loading = core.model.loading.take().map(|_| progress);
}

/// Another model is there, or the same one loaded otherwise; whether the run that was set up by a lesson went with the
/// one before.
pub(in crate::app) fn receive_model(core: &mut Core, model: LoadedModel, effects: &mut Vec<Effect>) -> bool {
    core.model.loading = None;
    core.model.request = model.request.clone();
    core.view.model_dialog = false;
    core.awaited_stage = None;
    let before = core.model.loaded.as_ref().map(|model| model.sha256.clone());
    let mut is_other = false;
    let made_by = core.run.as_ref().map(|run| run.model.sha256.clone());
    if made_by.as_ref() == Some(&model.sha256) {
        // The same weights, perhaps on another device: what is recorded stays, and can go on. Under a new name, since
        // the engine may have heard of the old one only with the new model.
        let number = core.new_number();
        if let Some(run) = &mut core.run {
            run.rename(number);
            run.under_way = None;
        }
        effects.push(Effect::CancelStep);
    } else if made_by.is_none() || made_by == before {
        // What was opened, made with a third model, is looked at and nothing more, whatever is loaded.
        core.drop_run();
        is_other = before.is_some_and(|before| before != model.sha256);
    }
    core.give_up_replay();
    if let Some(setting) = &model.neglected {
        core.notice = Some(Notice::Neglected(setting.clone()));
    }
    core.model.loaded = Some(model);
    if core.run.is_some() && core.can_go_on() {
        // That its model is missing is not so any more.
        core.report.take_if(|report| matches!(report, Notice::Opened(OpenedSession { missing_model: Some(_), .. })));
        core.goes_on_with_loaded();
    }
    is_other
}

/// A load has failed, or was cancelled, which was shown when it was asked for.
pub(in crate::app) fn receive_no_model(core: &mut Core, failure: Option<Arc<LoadFailure>>) {
    // Another load may be under way since one was cancelled.
    if let Some(failure) = failure {
        core.model.load_ended();
        core.notice = Some(Notice::LoadFailed(failure));
    }
}
