//! What is wrong with lessons of one's own.

use crate::message::Message;
use crate::ui::theme::Palette;
use crate::words::Speaks as _;
use egui::{Label, RichText, Ui};
use std::path::Path;

/// The files of the lesson folder that have mistakes, and what they are.
pub fn problems_ui<'a>(ui: &mut Ui, problems: impl Iterator<Item = (&'a Path, &'a Message)>) {
    let color = Palette::of(ui).error;
    for (path, problem) in problems {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let text = format!("{name}: {}", ui.words().render(problem));
        ui.add(Label::new(RichText::new(text).small().color(color)).wrap());
    }
}
