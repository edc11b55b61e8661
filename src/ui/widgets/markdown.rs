//! The text of a lesson or of a term.

use crate::app::lessons::{self, Values};
use crate::app::{Action, LessonAction};
use crate::ui::format;
use crate::words::Speaks as _;
use egui::Ui;
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};

/// Text with its values filled in; its links point at the screen or open the glossary.
pub fn markdown_ui(ui: &mut Ui, values: Values<'_>, text: &str, cache: &mut CommonMarkCache, out: &mut Vec<Action>) {
    cache.link_hooks_clear();
    let words = ui.words();
    let text = values.filled(text, |value| format::value(words, value));
    let own: Vec<String> = lessons::links(&text)
        .into_iter()
        .filter(|link| link.starts_with("point:") || link.starts_with("term:"))
        .collect();
    for link in &own {
        cache.add_link_hook(link);
    }
    CommonMarkViewer::new().show(ui, cache, &text);
    for link in own {
        if cache.get_link_hook(&link) != Some(true) {
            continue;
        }
        let action = match link.split_once(':') {
            Some(("point", name)) => LessonAction::PointAt(Some(name.to_owned())),
            Some((_, term)) => LessonAction::LookUp(Some(term.to_owned())),
            None => continue,
        };
        out.push(action.into());
    }
}
