//! A list that begins at its top with each generation and each scene of a lesson.

use crate::app::SceneShown;
use egui::{Id, ScrollArea, Ui};

/// The scroll area of a list.
///
/// Its id is always the same: egui keeps something for every id that it has seen.
pub fn list(ui: &Ui, name: &'static str, shown: SceneShown) -> ScrollArea {
    let (memory, shown) = (Id::unique(("list", name)), Id::unique(shown));
    let is_as_before = ui.data(|data| data.get_temp(memory)) == Some(shown);
    ui.data_mut(|data| data.insert_temp(memory, shown));
    let area = ScrollArea::vertical().id_salt(name).auto_shrink([false, false]);
    if is_as_before { area } else { area.vertical_scroll_offset(0.0) }
}
