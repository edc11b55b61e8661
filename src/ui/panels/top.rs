//! The top bar: the prompt, example prompts, the model, the theme.

use crate::app::{Action, AppState, EXAMPLES, LessonAction, ThemeChoice};
use crate::engine::LoadedModel;
use crate::trace::EosSource;
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use egui::{Align, Key, KeyboardShortcut, Layout, Modifiers, RichText, TextEdit, Ui};

/// Draws the top bar.
pub fn top_panel_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Tokenscope").font(theme::semibold_font(17.0)));
        ui.add_space(theme::UNIT);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("?").on_hover_text(keys::HELP.tooltip()).clicked() {
                out.push(Action::ToggleHelp);
            }
            theme_button_ui(ui, state, out);
            model_button_ui(ui, state, out);
            super::session::session_menu_ui(ui, state, out);
            examples_ui(ui, out);
            let lessons = ui.selectable_label(state.lessons.open, "Lessons").on_hover_text(keys::LESSONS.tooltip());
            if lessons.clicked() {
                out.push(Action::Lesson(LessonAction::ToggleList));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| prompt_ui(ui, state, out));
        });
    });
}

fn prompt_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let mut text = state.prompt.text.clone();
    let label = ui.label(RichText::new("Prompt").color(Palette::of(ui).quiet));
    let edit = TextEdit::multiline(&mut text)
        .id_salt("prompt")
        .desired_rows(1)
        .desired_width(f32::INFINITY)
        .hint_text("Type a prompt, or leave it empty")
        .font(theme::token_font(theme::BODY_SIZE))
        .background_color(Palette::of(ui).raised)
        .return_key(KeyboardShortcut::new(Modifiers::SHIFT, Key::Enter));
    let response = ui.add(edit);
    anchors::mark(ui, "prompt", response.rect);
    let response = response
        .labelled_by(label.id)
        .on_hover_text("Enter makes the first token, Shift+Enter types a new line, Esc leaves the field");
    if response.changed() {
        out.push(Action::EditPrompt(text));
    }
    let enter = |input: &egui::InputState| input.key_pressed(Key::Enter) && !input.modifiers.shift;
    if response.has_focus() && ui.input(enter) {
        out.push(Action::StepToken);
    }
}

fn examples_ui(ui: &mut Ui, out: &mut Vec<Action>) {
    let examples = ui.menu_button("Examples ▾", |ui| {
        for example in EXAMPLES {
            if ui.button(example).clicked() {
                out.push(Action::UseExample(example));
                ui.close();
            }
        }
    });
    anchors::mark(ui, "examples", examples.response.rect);
    examples.response.on_hover_text("Prompts to begin with");
}

fn theme_button_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let (label, next) = match state.view.theme {
        ThemeChoice::System => ("Auto", ThemeChoice::Dark),
        ThemeChoice::Dark => ("Dark", ThemeChoice::Light),
        ThemeChoice::Light => ("Light", ThemeChoice::System),
    };
    let button = ui.button(format!("◐ {label}"));
    if button.on_hover_text("Dark, light, or as the system has it").clicked() {
        out.push(Action::SetTheme(next));
    }
}

fn model_button_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let label = match &state.model.loaded {
        None => "No model".to_owned(),
        Some(model) => {
            let card = &model.card;
            let millions = card.n_parameters as f64 / 1e6;
            let size = if millions < 1000.0 { format!("{millions:.1} M") } else { format!("{:.1} B", millions / 1e3) };
            let name = card.id.rsplit(['/', '\\']).next().unwrap_or(&card.id);
            let short: String = name.chars().take(24).collect();
            format!("{short} · {size} · {} · {}", card.device, card.dtype)
        }
    };
    let response = ui.button(label).on_hover_ui(|ui| match &state.model.loaded {
        None => drop(ui.label("Choose a model and a device")),
        Some(model) => {
            let card = &model.card;
            ui.label(format!("{} ({})", card.id, card.architecture));
            ui.label(format!(
                "{} parameters, {} of weights, {} layers, {} heads ({} key/value), {} numbers per head",
                format::count(card.n_parameters),
                format::bytes(card.weight_bytes),
                card.n_layers,
                card.n_heads,
                card.n_kv_heads,
                card.head_dim,
            ));
            ui.label(format!(
                "{} tokens in the vocabulary, window of {} positions",
                format::count(card.vocab_size as u64),
                format::count(card.context_length as u64)
            ));
            ui.label(end_of_text(model));
            ui.label(format!("Loaded in {}", format::ms(model.load_secs * 1e3)));
            ui.label("Click to choose another model or device");
        }
    });
    anchors::mark(ui, "model", response.rect);
    if response.clicked() {
        out.push(Action::ToggleModelDialog);
    }
}

/// Which tokens end a text, and which file says so.
fn end_of_text(model: &LoadedModel) -> String {
    let ids: Vec<_> = model.eos_ids.iter().map(ToString::to_string).collect();
    let file = match model.eos_source {
        EosSource::GenerationConfig => "generation_config.json",
        EosSource::Config => "config.json",
        EosSource::Nowhere => return "No token ends a text: no file of the model names one".to_owned(),
    };
    format!("A text ends at id {} (from {file})", ids.join(" or "))
}
