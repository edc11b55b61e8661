//! The pictures of many draws and of several texts.

mod beams;
mod branches;
mod compare;
mod draws;
mod rollouts;

use crate::app::{Action, ExploreView};
use egui::Ui;

/// Draws the picture that is chosen.
pub fn explore_ui(ui: &mut Ui, view: &ExploreView<'_>, out: &mut Vec<Action>) {
    match view {
        ExploreView::Draws(view) => draws::draws_ui(ui, view, out),
        ExploreView::Rollouts(view) => rollouts::rollouts_ui(ui, view, out),
        ExploreView::Beams(view) => beams::beams_ui(ui, view, out),
        ExploreView::Branches(view) => branches::branches_ui(ui, view, out),
        ExploreView::Compare(view) => compare::compare_ui(ui, view, out),
    }
}
