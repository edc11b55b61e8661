//! All that the window draws in a frame, built once from the state: the view of each feature, and what is put together of
//! several.

mod present;

pub(crate) use present::PresentView;

use super::core::{Control, Core, DistributionView, Lock, Notice, Section, TextView};
use super::features::explore::ExploreView;
use super::features::inside::InsideView;
use super::features::lessons::LessonsView;
use super::features::models::ModelsView;
use super::features::predict::PredictView;
use super::features::prompt::PromptView;
use super::features::run::RunView;
use super::features::samplers::SamplersView;
use super::features::screen::RoomsView;
use super::features::sessions::SessionsView;
use super::features::settings::SettingsView;
use super::state::AppState;
use strum::IntoEnumIterator as _;

/// The view of each feature, and what is told.
#[derive(Clone, Debug)]
pub(crate) struct Views<'a> {
    pub prompt: PromptView<'a>,
    pub run: RunView<'a>,
    pub samplers: SamplersView<'a>,
    pub rooms: RoomsView,
    /// The picture of several draws or texts that is shown, if one is.
    pub explore: Option<ExploreView<'a>>,
    pub inside: InsideView<'a>,
    pub sessions: SessionsView<'a>,
    pub lessons: LessonsView<'a>,
    pub predict: PredictView<'a>,
    pub present: Option<PresentView<'a>>,
    pub models: ModelsView<'a>,
    pub settings: SettingsView<'a>,
    /// The sections of the inspector, if it is open and has any.
    pub inspector: Option<Vec<SectionView>>,
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
        let core: &Core = &state.core;
        let (text, step, scene) = (TextView::of(core), DistributionView::of(core), state.scene_shown());
        let lock = |control| state.lock(control);
        let section = |section| SectionView {
            section,
            is_open: core.view.open_sections.contains(&section),
            lock: lock(Control::of_section(section)),
        };
        // Where a lesson hides all of it, the pictures have its room.
        let has_any = |sections: &Vec<SectionView>| sections.iter().any(|section| section.lock != Lock::Hidden);
        let taking = state.lessons.taking.as_ref().filter(|_| state.lessons.open);
        let is_in_scene = taking.is_some_and(|taking| taking.current().predict.is_some());
        let lessons = LessonsView::of(&state.lessons, core, state.inside.shown(core), state.predict.given_at.is_some());
        let n_lessons = state.lessons.shelf.iter().filter(|(_, lesson)| lesson.is_ok()).count();
        Self {
            prompt: PromptView::of(core, lock(Control::Prompt), lock(Control::Examples)),
            run: RunView::of(core, text, step, scene, lock(Control::Run)),
            samplers: SamplersView::of(core, step),
            rooms: RoomsView::of(core, lock(Control::Charts)),
            explore: step.and_then(|step| ExploreView::of(&state.explore, core, step)),
            inside: InsideView::of(&state.inside, core, text, scene, lock(Control::Prompt)),
            sessions: SessionsView::of(&state.sessions, core, lock(Control::Session)),
            lessons,
            predict: PredictView::of(&state.predict, core, is_in_scene),
            present: PresentView::of(state, lessons.values),
            models: ModelsView::of(&state.models, core, lock(Control::Model)),
            settings: SettingsView::of(&state.settings, core, n_lessons, state.lessons.problems().collect()),
            inspector: core.view.inspector.then(|| Section::iter().map(section).collect()).filter(has_any),
            help: core.view.help,
            engine_dead: core.engine_dead,
            report: core.report.as_ref(),
            notice: core.notice.as_ref(),
        }
    }

    /// Whether something lies over the panels that has the keyboard.
    pub fn has_dialog(&self) -> bool {
        let calculator = self.models.calculator.is_some();
        self.help || self.models.is_open || self.sessions.is_open || self.settings.is_open || calculator
    }
}
