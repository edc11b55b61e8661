//! The button that says which model runs, and the choice of model and device.

use crate::app::{Action, ModelsAction, ModelsView};
use crate::engine::{LoadedModel, ModelSource};
use crate::model::{DTypeChoice, DeviceChoice};
use crate::trace::EosSource;
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, modal_ui};
use crate::words::{Speaks as _, Words, say};
use egui::{Context, ProgressBar, RichText, TextEdit, Ui};

/// Draws the choice of model and device, if it is open.
pub fn model_window_ui(ctx: &Context, view: &ModelsView<'_>, out: &mut Vec<Action>) {
    if !view.is_open {
        return;
    }
    let modal = modal_ui("model", ctx, 560.0, |ui| {
        ui.heading(say!(ctx, "model"));
        ui.add_enabled_ui(view.model.loading.is_none(), |ui| sources_ui(ui, view, out));
        ui.separator();
        ui.add_enabled_ui(view.model.loading.is_none(), |ui| placement_ui(ui, view, out));
        ui.add_space(theme::UNIT);
        loading_ui(ui, view, out);
        if let Some(notice) = view.notice {
            ui.colored_label(Palette::of(ui).error, format::sentence(&ui.words().tell(notice)));
        }
        ui.button(say!(ctx, "close")).clicked()
    });
    if modal.inner || modal.should_close() {
        out.push(ModelsAction::ToggleDialog.into());
    }
}

fn sources_ui(ui: &mut Ui, view: &ModelsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let quiet = Palette::of(ui).quiet;
    ui.horizontal(|ui| {
        for (source, name, tooltip) in [
            (ModelSource::Bundled, say!(words, "model-bundled"), say!(words, "model-bundled-tip")),
            (ModelSource::BundledDraft, say!(words, "model-draft"), say!(words, "model-draft-tip")),
        ] {
            if ui.button(name).explain(tooltip).clicked() {
                out.push(ModelsAction::Load(source).into());
            }
        }
    });
    ui.horizontal(|ui| {
        if ui.button(say!(words, "model-folder")).clicked() {
            out.push(ModelsAction::PickFolder.into());
        }
        ui.label(RichText::new(say!(words, "model-drop")).color(quiet));
    });
    ui.horizontal(|ui| {
        let mut id = view.hub_id.to_owned();
        let label = ui.label(say!(words, "model-id"));
        let edit = TextEdit::singleline(&mut id)
            .id_salt("hub-id")
            .desired_width(300.0)
            .hint_text("HuggingFaceTB/SmolLM2-135M")
            .background_color(Palette::of(ui).raised);
        let response = ui.add(edit).labelled_by(label.id);
        if response.changed() {
            out.push(ModelsAction::EditHubId(id.clone()).into());
        }
        let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if (ui.add_enabled(!id.trim().is_empty(), egui::Button::new(say!(words, "model-load"))).clicked() || enter)
            && !id.trim().is_empty()
        {
            out.push(ModelsAction::Load(ModelSource::from_text(&id)).into());
        }
    });
    ui.label(RichText::new(say!(words, "model-cache")).color(quiet));
}

fn placement_ui(ui: &mut Ui, view: &ModelsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.horizontal(|ui| {
        ui.label(say!(words, "device"));
        for (device, name, tooltip) in [
            (DeviceChoice::Auto, say!(words, "device-auto"), say!(words, "device-auto-tip")),
            (DeviceChoice::Cpu, "CPU", say!(words, "device-cpu-tip")),
            (DeviceChoice::Cuda, "CUDA", say!(words, "device-cuda-tip")),
            (DeviceChoice::Metal, "Metal", say!(words, "device-metal-tip")),
        ] {
            let chosen = view.model.request.device == device;
            if ui.selectable_label(chosen, name).explain(tooltip).clicked() && !chosen {
                out.push(ModelsAction::SetDevice(device).into());
            }
        }
    });
    ui.horizontal(|ui| {
        ui.label(say!(words, "dtype"));
        for (dtype, name, tooltip) in [
            (DTypeChoice::Auto, say!(words, "dtype-auto"), say!(words, "dtype-auto-tip")),
            (DTypeChoice::F32, "f32", say!(words, "dtype-f32-tip")),
            (DTypeChoice::F16, "f16", say!(words, "dtype-f16-tip")),
        ] {
            let chosen = view.model.request.dtype == dtype;
            if ui.selectable_label(chosen, name).explain(tooltip).clicked() && !chosen {
                out.push(ModelsAction::SetDType(dtype).into());
            }
        }
    });
}

/// How far the load is, and a button that abandons it.
pub fn loading_ui(ui: &mut Ui, view: &ModelsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let Some(progress) = &view.model.loading else {
        return;
    };
    ui.label(words.render(&progress.what));
    ui.horizontal(|ui| {
        let share = if progress.total == 0 { 0.0 } else { progress.done as f32 / progress.total as f32 };
        let text = say!(
            words,
            "loading-of",
            done = format::bytes(words, progress.done),
            total = format::bytes(words, progress.total)
        );
        let bar = ProgressBar::new(share).desired_width(360.0);
        ui.add(if progress.total == 0 { bar } else { bar.text(text) });
        if ui.button(say!(words, "cancel")).clicked() {
            out.push(ModelsAction::CancelLoad.into());
        }
    });
}

/// Draws the button that names the model and opens the choice.
pub fn model_button_ui(ui: &mut Ui, view: &ModelsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let label = match &view.model.loaded {
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
    let response = ui.button(label).on_hover_ui(|ui| match &view.model.loaded {
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
        out.push(ModelsAction::ToggleDialog.into());
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
