//! What is wrong with lessons of one's own.

use crate::app::lesson::Shelved;
use crate::ui::theme::Palette;
use crate::words::Speaks as _;
use egui::{Label, RichText, Ui};

/// The files of the lesson folder that have mistakes, and what they are.
pub fn problems_ui(ui: &mut Ui, shelf: &[Shelved]) {
    let color = Palette::of(ui).error;
    for (path, problem) in shelf.iter().filter_map(|(path, lesson)| Some((path, lesson.as_ref().err()?))) {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let text = format!("{name}: {}", ui.words().render(problem));
        ui.add(Label::new(RichText::new(text).small().color(color)).wrap());
    }
}
