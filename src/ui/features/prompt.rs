//! The prompt field, and the examples.

use crate::app::Lock;
use crate::app::{Action, EXAMPLES, PromptAction, PromptView, RunAction};
use crate::ui::anchors;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, gate_ui};
use crate::words::{Speaks as _, say};
use egui::text::{CCursor, CCursorRange};
use egui::{Align, Button, Event, Key, KeyboardShortcut, Layout, Modifiers, RichText, ScrollArea, TextEdit, Ui, vec2};

/// The most points that the prompt takes: four lines.
const PROMPT_HEIGHT: f32 = 90.0;

/// Draws the field, in the rest of the row.
pub fn prompt_ui(ui: &mut Ui, view: &PromptView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    if view.lock == Lock::Hidden {
        return;
    }
    let mut text = view.text.to_owned();
    let label = ui.label(RichText::new(say!(words, "prompt")).color(Palette::of(ui).quiet));
    let edit = TextEdit::multiline(&mut text)
        .id_salt("prompt")
        .desired_rows(1)
        .desired_width(f32::INFINITY)
        .hint_text(say!(words, "prompt-hint"))
        .font(theme::token_font(theme::BODY_SIZE))
        .background_color(Palette::of(ui).raised)
        .return_key(KeyboardShortcut::new(Modifiers::SHIFT, Key::Enter));
    // A long prompt is scrolled: the rest of the window needs its room. So is one that a lesson locks.
    let memory = egui::Id::unique("height of the prompt");
    let height = ui.data(|data| data.get_temp(memory)).unwrap_or(ui.spacing().interact_size.y);
    let size = vec2(ui.available_width(), height);
    let field = ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
        let area = ScrollArea::vertical().id_salt("prompt-field").auto_shrink([false, false]);
        area.min_scrolled_height(0.0).show(ui, |ui| gate_ui(ui, view.lock, |ui| ui.add(edit)))
    });
    let field = field.inner;
    let wanted = field.content_size.y.min(PROMPT_HEIGHT);
    if (wanted - height).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(memory, wanted));
        ui.ctx().request_discard("the prompt has another height than before");
    }
    anchors::mark(ui, "prompt", field.inner_rect);
    let Some(response) = field.inner else { return };
    let response = response.labelled_by(label.id).explain(say!(words, "prompt-tip"));
    keep_caret_within(ui, response.id, text.chars().count());
    if response.changed() {
        out.push(PromptAction::Edit(text).into());
    }
    // By the modifiers of the event: within a slow frame they may have been let go since.
    let is_enter = |event: &Event| matches!(event, Event::Key { key: Key::Enter, pressed: true, modifiers, .. } if !modifiers.shift);
    let enter = |input: &egui::InputState| input.events.iter().any(is_enter);
    if response.has_focus() && ui.input(enter) {
        out.push(RunAction::StepToken.into());
    }
}

/// egui 0.37 counts right-to-left letters twice, and a caret behind the text has nothing to delete before it.
fn keep_caret_within(ui: &Ui, field: egui::Id, n_chars: usize) {
    let Some(mut edit) = TextEdit::load_state(ui.ctx(), field) else { return };
    let Some(range) = edit.cursor.char_range() else { return };
    let within = |caret: CCursor| CCursor { index: usize::from(caret.index).min(n_chars).into(), ..caret };
    let (primary, secondary) = (within(range.primary), within(range.secondary));
    if (primary, secondary) != (range.primary, range.secondary) {
        edit.cursor.set_char_range(Some(CCursorRange { primary, secondary, ..range }));
        TextEdit::store_state(ui.ctx(), field, edit);
    }
}

/// Draws the menu of examples.
pub fn examples_menu_ui(ui: &mut Ui, out: &mut Vec<Action>) {
    let examples = ui.menu_button(say!(ui, "examples"), |ui| {
        for example in EXAMPLES {
            if ui.button(example).clicked() {
                out.push(PromptAction::UseExample(example).into());
                ui.close();
            }
        }
    });
    anchors::mark(ui, "examples", examples.response.rect);
    examples.response.explain(say!(ui, "examples-tip"));
}

/// Draws the examples side by side.
pub fn examples_ui(ui: &mut Ui, view: &PromptView<'_>, out: &mut Vec<Action>) {
    for example in EXAMPLES {
        let chosen = view.text == example;
        if ui.add(Button::new(RichText::new(example).size(17.0)).selected(chosen)).clicked() {
            out.push(PromptAction::UseExample(example).into());
        }
    }
}
