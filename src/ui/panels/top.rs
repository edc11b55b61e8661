//! The top bar: the prompt, example prompts, the model, the theme.

use crate::app::lesson::{Control, Lock, lock};
use crate::app::{Action, AppState, EXAMPLES, LessonAction, ThemeChoice};
use crate::engine::LoadedModel;
use crate::trace::EosSource;
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::ui::widgets::gate_ui;
use crate::words::{Speaks as _, Words, say};
use egui::text::{CCursor, CCursorRange};
use egui::{Align, Button, Event, Key, KeyboardShortcut, Layout, Modifiers, RichText, ScrollArea, TextEdit, Ui, vec2};

/// The most points that the prompt takes: four lines.
const PROMPT_HEIGHT: f32 = 90.0;

/// Draws the top bar.
pub fn top_panel_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.horizontal(|ui| {
        ui.label(RichText::new("Tokenscope").font(theme::semibold_font(17.0)));
        ui.add_space(theme::UNIT);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("?").explain(keys::HELP.tooltip(words)).clicked() {
                out.push(Action::ToggleHelp);
            }
            if ui.button("⚙").accessible_name(say!(words, "settings")).explain(say!(words, "settings")).clicked() {
                out.push(Action::ToggleSettings);
            }
            theme_button_ui(ui, state, out);
            gate_ui(ui, state, Control::Model, |ui| model_button_ui(ui, state, out));
            gate_ui(ui, state, Control::Session, |ui| super::session::session_menu_ui(ui, state, out));
            gate_ui(ui, state, Control::Examples, |ui| examples_ui(ui, out));
            let lessons = Button::new(say!(words, "lessons")).selected(state.lessons.open);
            let lessons = ui.add(lessons).explain(keys::LESSONS.tooltip(words));
            if lessons.clicked() {
                out.push(Action::Lesson(LessonAction::ToggleList));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                prompt_ui(ui, state, out);
            });
        });
    });
}

fn prompt_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let words = ui.words();
    if lock(state, Control::Prompt) == Lock::Hidden {
        return;
    }
    let mut text = state.prompt.text.clone();
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
        area.min_scrolled_height(0.0).show(ui, |ui| gate_ui(ui, state, Control::Prompt, |ui| ui.add(edit)))
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
        out.push(Action::EditPrompt(text));
    }
    // By the modifiers of the event: within a slow frame they may have been let go since.
    let is_enter = |event: &Event| matches!(event, Event::Key { key: Key::Enter, pressed: true, modifiers, .. } if !modifiers.shift);
    let enter = |input: &egui::InputState| input.events.iter().any(is_enter);
    if response.has_focus() && ui.input(enter) {
        out.push(Action::StepToken);
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

fn examples_ui(ui: &mut Ui, out: &mut Vec<Action>) {
    let examples = ui.menu_button(say!(ui, "examples"), |ui| {
        for example in EXAMPLES {
            if ui.button(example).clicked() {
                out.push(Action::UseExample(example));
                ui.close();
            }
        }
    });
    anchors::mark(ui, "examples", examples.response.rect);
    examples.response.explain(say!(ui, "examples-tip"));
}

fn theme_button_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let words = ui.words();
    let (label, next) = match state.preferences.theme {
        ThemeChoice::System => (say!(words, "theme-auto"), ThemeChoice::Dark),
        ThemeChoice::Dark => (say!(words, "theme-dark"), ThemeChoice::Light),
        ThemeChoice::Light => (say!(words, "theme-light"), ThemeChoice::System),
    };
    let button = ui.button(format!("◐ {label}"));
    if button.explain(say!(words, "theme-tip")).clicked() {
        out.push(Action::SetTheme(next));
    }
}

fn model_button_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let words = ui.words();
    let label = match &state.model.loaded {
        None => say!(words, "model-none").to_owned(),
        Some(model) => {
            let card = &model.card;
            let millions = card.n_parameters as f64 / 1e6;
            let size = if millions < 1000.0 {
                words.numeral(format!("{millions:.1} M"))
            } else {
                words.numeral(format!("{:.1} B", millions / 1e3))
            };
            let short: String = card.short_name().chars().take(24).collect();
            let device = match &*card.device {
                "cpu" => "CPU",
                "cuda" => "CUDA",
                "metal" => "Metal",
                other => other,
            };
            format!("{short} · {size} · {device} · {}", card.dtype)
        }
    };
    let response = ui.button(label).on_hover_ui(|ui| match &state.model.loaded {
        None => drop(ui.label(say!(words, "model-choose"))),
        Some(model) => {
            let card = &model.card;
            ui.label(format!("{} ({})", card.id, card.architecture));
            ui.label(say!(
                words,
                "model-shape",
                parameters = format::count(words, card.n_parameters),
                weights = format::bytes(words, card.weight_bytes),
                layers = card.n_layers,
                heads = card.n_heads,
                kv_heads = card.n_kv_heads,
                head_dim = card.head_dim
            ));
            ui.label(say!(
                words,
                "model-window",
                vocabulary = format::count(words, card.vocab_size as u64),
                window = format::count(words, card.context_length as u64)
            ));
            ui.label(end_of_text(words, model));
            ui.label(say!(words, "model-loaded-in", time = format::ms(words, model.load_secs * 1e3)));
            ui.label(say!(words, "model-click"));
        }
    });
    anchors::mark(ui, "model", response.rect);
    if response.clicked() {
        out.push(Action::ToggleModelDialog);
    }
}

/// Which tokens end a text, and which file says so.
fn end_of_text(words: Words, model: &LoadedModel) -> String {
    let ids: Vec<_> = model.eos_ids.iter().map(ToString::to_string).collect();
    let file = match model.eos_source {
        EosSource::GenerationConfig => "generation_config.json",
        EosSource::Config => "config.json",
        EosSource::Nowhere => return say!(words, "model-no-end").to_owned(),
    };
    say!(words, "model-end", ids = ids.join(" / "), file = file)
}
