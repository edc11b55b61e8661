//! What is open on the screen, how it is drawn, and what is looked for in it.

use crate::app::core::{Chart, Control, Core, Lock, LoopStage, Room, Scale, Section, TextStyle, Tint};

/// What is done with the screen alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScreenAction {
    /// Which picture, in whichever room it is.
    SetChart(Chart),
    /// Which room.
    Enter(Room),
    /// How probabilities are drawn.
    SetScale(Scale),
    /// Look for a token by text or id; empty to stop looking.
    Search(String),
    /// Tokens or running text.
    SetTextStyle(TextStyle),
    /// What the colours of the text say.
    SetTint(Tint),
    /// Open or fold a section of the inspector.
    ToggleSection(Section),
    /// Open or close the inspector.
    ToggleInspector,
    /// Open or close the list of keys.
    ToggleHelp,
    /// The user has read the report.
    DismissReport,
    /// The user has read the notice.
    DismissNotice,
}

impl ScreenAction {
    /// What has to be free for this to be done; `None` for what no lesson locks.
    pub(in crate::app) fn control(&self) -> Option<Control> {
        let of_charts = matches!(self, Self::SetChart(_) | Self::Enter(_) | Self::SetScale(_) | Self::Search(_));
        of_charts.then_some(Control::Charts)
    }
}

pub(in crate::app) fn update(core: &mut Core, action: ScreenAction) {
    let view = &mut core.view;
    match action {
        ScreenAction::SetChart(chart) => view.show(chart),
        ScreenAction::Enter(room) => view.enter(room),
        ScreenAction::SetScale(scale) => view.scale = scale,
        ScreenAction::Search(query) => core.query = query,
        ScreenAction::SetTextStyle(style) => view.text = style,
        ScreenAction::SetTint(tint) => view.tint = tint,
        ScreenAction::ToggleSection(section) => {
            let open = &mut view.open_sections;
            match open.iter().position(|other| *other == section) {
                Some(place) => drop(open.remove(place)),
                None => open.push(section),
            }
        }
        ScreenAction::ToggleInspector => view.inspector = !view.inspector,
        ScreenAction::ToggleHelp => view.help = !view.help,
        ScreenAction::DismissReport => core.report = None,
        ScreenAction::DismissNotice => core.notice = None,
    }
}

/// The rooms of the centre and the pictures of the one that is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoomsView {
    pub chart: Chart,
    /// Whether that picture is there: some step is recorded, and of its own room the step has come to the logits.
    pub has_chart: bool,
    pub lock: Lock,
}

impl RoomsView {
    pub(in crate::app) fn of(core: &Core, lock: Lock) -> Self {
        let chart = core.view.chart;
        let has_come = chart.room() != Room::Step || core.cursor.stage >= LoopStage::Logits;
        Self { chart, has_chart: has_come && core.current_step().is_some(), lock }
    }
}
