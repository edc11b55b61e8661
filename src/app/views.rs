//! All that the window draws in a frame, built once from the state.

use crate::app::lesson::{Control, Lock, Values, lock};
use crate::app::{
    AppState, DistributionView, ExploreView, InsideView, LessonsView, ModelsView, Notice, PredictView, PresentView,
    PromptView, RunView, SamplersView, Section, SessionsView, SettingsView, TextView, TimingView,
};

/// The view of each feature, and what is open.
#[derive(Clone, Debug)]
pub(crate) struct Views<'a> {
    pub prompt: PromptView<'a>,
    pub run: RunView<'a>,
    pub samplers: SamplersView<'a>,
    /// The picture of several draws or texts that is shown, if one is.
    pub explore: Option<ExploreView<'a>>,
    pub inside: InsideView<'a>,
    pub sessions: SessionsView<'a>,
    pub lessons: LessonsView<'a>,
    pub predict: PredictView<'a>,
    pub present: Option<PresentView<'a>>,
    pub models: ModelsView<'a>,
    pub settings: SettingsView<'a>,
    pub inspector: Option<[SectionView; 4]>,
    pub help: bool,
    pub engine_dead: bool,
    pub report: Option<&'a Notice>,
    /// Something that went wrong and what to do about it.
    pub notice: Option<&'a Notice>,
}

/// A section of the inspector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionView {
    pub section: Section,
    pub is_open: bool,
    pub lock: Lock,
}

impl<'a> Views<'a> {
    pub fn of(state: &'a AppState) -> Self {
        let (text, step, times) = (TextView::of(state), DistributionView::of(state), TimingView::of(state));
        let values = Values::of(state, text, step, times.as_ref());
        let section = |section| SectionView {
            section,
            is_open: state.view.open_sections.contains(&section),
            lock: lock(state, Control::of_section(section)),
        };
        let sections = [Section::Samplers, Section::Text, Section::KvCache, Section::Timing];
        Self {
            prompt: PromptView::of(state),
            run: RunView::of(state, text, step, times),
            samplers: SamplersView::of(state, step),
            explore: step.and_then(|step| ExploreView::of(state, step)),
            inside: InsideView::of(state, text),
            sessions: SessionsView::of(state),
            lessons: LessonsView::of(state, values),
            predict: PredictView::of(state),
            present: PresentView::of(state, values),
            models: ModelsView::of(state),
            settings: SettingsView::of(state),
            inspector: state.view.inspector.then(|| sections.map(section)),
            help: state.view.help,
            engine_dead: state.engine_dead,
            report: state.report.as_ref(),
            notice: state.notice.as_ref(),
        }
    }

    /// Whether something lies over the panels that has the keyboard.
    pub fn has_dialog(&self) -> bool {
        let calculator = self.models.calculator.is_some();
        self.help || self.models.is_open || self.sessions.is_open || self.settings.is_open || calculator
    }
}
