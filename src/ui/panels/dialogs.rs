//! What lies over the panels for a moment: the list of keys, the choice of models, notices.

use crate::app::{Action, AppState};
use crate::engine::ModelSource;
use crate::model::{DTypeChoice, DeviceChoice};
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use egui::{Context, Frame, Grid, Modal, ProgressBar, RichText, TextEdit, Ui};

/// Draws the list of keys, if it is open.
pub fn help_window_ui(ctx: &Context, state: &AppState, out: &mut Vec<Action>) {
    if !state.view.help {
        return;
    }
    let modal = modal("help", ctx).show(ctx, |ui| {
        ui.set_width(430.0);
        ui.heading("Keys");
        Grid::new("keys").num_columns(2).spacing([24.0, 8.0]).show(ui, |ui| {
            for shortcut in &keys::ALL {
                ui.label(RichText::new(shortcut.label).font(theme::token_font(theme::BODY_SIZE)).strong());
                ui.label(shortcut.what);
                ui.end_row();
            }
        });
        ui.add_space(theme::UNIT);
        ui.label(
            RichText::new("In the prompt, Enter makes the first token and Esc leaves the field. A key acts only when the focused control does not use it")
                .color(Palette::of(ui).quiet),
        );
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() {
        out.push(Action::ToggleHelp);
    }
}

/// Draws the choice of model and device, if it is open.
pub fn model_window_ui(ctx: &Context, state: &AppState, out: &mut Vec<Action>) {
    if !state.view.model_dialog {
        return;
    }
    let modal = modal("model", ctx).show(ctx, |ui| {
        ui.set_width(560.0);
        ui.heading("Model");
        ui.add_enabled_ui(state.model.loading.is_none(), |ui| sources_ui(ui, state, out));
        ui.separator();
        ui.add_enabled_ui(state.model.loading.is_none(), |ui| placement_ui(ui, state, out));
        ui.add_space(theme::UNIT);
        loading_ui(ui, state, out);
        if let Some(notice) = &state.notice {
            ui.colored_label(Palette::of(ui).error, format::sentence(notice));
        }
        ui.button("Close").clicked()
    });
    if modal.inner || modal.should_close() {
        out.push(Action::ToggleModelDialog);
    }
}

pub(super) fn modal(name: &str, ctx: &Context) -> Modal {
    Modal::new(egui::Id::unique(name)).frame(Frame::popup(&ctx.global_style()).inner_margin(5.0 * theme::UNIT))
}

fn sources_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let quiet = Palette::of(ui).quiet;
    ui.horizontal(|ui| {
        for (source, name, tooltip) in [
            (ModelSource::Bundled, "Bundled model", "Always there, without network"),
            (ModelSource::BundledDraft, "Bundled draft", "A smaller model that imitates the other: faster, less able"),
        ] {
            if ui.button(name).on_hover_text(tooltip).clicked() {
                out.push(Action::LoadModel(source));
            }
        }
    });
    ui.horizontal(|ui| {
        if ui.button("Open a folder…").clicked() {
            out.push(Action::PickFolder);
        }
        ui.label(RichText::new("or drop one on the window: config.json, tokenizer.json, *.safetensors").color(quiet));
    });
    ui.horizontal(|ui| {
        let mut id = state.model.hub_id.clone();
        let label = ui.label("Folder or hub id");
        let edit = TextEdit::singleline(&mut id)
            .id_salt("hub-id")
            .desired_width(300.0)
            .hint_text("HuggingFaceTB/SmolLM2-135M")
            .background_color(Palette::of(ui).raised);
        let response = ui.add(edit).labelled_by(label.id);
        if response.changed() {
            out.push(Action::EditHubId(id.clone()));
        }
        let enter = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        if (ui.add_enabled(!id.trim().is_empty(), egui::Button::new("Load")).clicked() || enter)
            && !id.trim().is_empty()
        {
            out.push(Action::LoadModel(ModelSource::from_text(&id)));
        }
    });
    ui.label(
        RichText::new("A hub model is fetched once, then opened from the local cache without network").color(quiet),
    );
}

fn placement_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label("Device");
        for (device, name, tooltip) in [
            (DeviceChoice::Auto, "Auto", "A GPU if there is one that this build can use, else the CPU"),
            (DeviceChoice::Cpu, "CPU", "The processor"),
            (DeviceChoice::Cuda, "CUDA", "An NVIDIA GPU; needs a build with the feature cuda"),
            (DeviceChoice::Metal, "Metal", "An Apple GPU; on macOS"),
        ] {
            let chosen = state.model.request.device == device;
            if ui.selectable_label(chosen, name).on_hover_text(tooltip).clicked() && !chosen {
                out.push(Action::SetDevice(device));
            }
        }
    });
    ui.horizontal(|ui| {
        ui.label("Numbers");
        for (dtype, name, tooltip) in [
            (DTypeChoice::Auto, "Auto", "f32 on the CPU, the file's own format on a GPU"),
            (DTypeChoice::F32, "f32", "4 bytes each"),
            (DTypeChoice::F16, "f16", "2 bytes each: half the memory, a little less exact"),
        ] {
            let chosen = state.model.request.dtype == dtype;
            if ui.selectable_label(chosen, name).on_hover_text(tooltip).clicked() && !chosen {
                out.push(Action::SetDType(dtype));
            }
        }
    });
}

fn loading_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(progress) = &state.model.loading else {
        return;
    };
    let what = if progress.what.is_empty() { "Loading…" } else { &progress.what };
    ui.label(what);
    ui.horizontal(|ui| {
        let share = if progress.total == 0 { 0.0 } else { progress.done as f32 / progress.total as f32 };
        let text = format!("{} of {}", format::bytes(progress.done), format::bytes(progress.total));
        let bar = ProgressBar::new(share).desired_width(360.0);
        ui.add(if progress.total == 0 { bar } else { bar.text(text) });
        if ui.button("Cancel").clicked() {
            out.push(Action::CancelLoad);
        }
    });
}

/// Draws what went wrong and what to do, and a load under way, above the centre.
pub fn notice_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let strip = |ui: &mut Ui, add: &mut dyn FnMut(&mut Ui)| {
        Frame::new().fill(palette.raised).corner_radius(6).inner_margin(8).show(ui, |ui| {
            ui.horizontal_wrapped(|ui| add(ui));
        });
    };
    if state.engine_dead {
        strip(ui, &mut |ui| {
            ui.colored_label(palette.error, "The engine stopped. What was recorded is still here.");
            if ui.button("Restart the engine").clicked() {
                out.push(Action::RestartEngine);
            }
        });
    }
    if let Some(orphan) = state.keeping.orphans.first() {
        strip(ui, &mut |ui| {
            let steps = if orphan.n_steps == 1 { "1 step".to_owned() } else { format!("{} steps", orphan.n_steps) };
            let prompt: String = orphan.prompt.chars().take(40).collect();
            let text = format!("Tokenscope did not end as it should. The session “{prompt}” with {steps} was kept.");
            ui.colored_label(palette.what_if, text);
            if ui.button("Open it").clicked() {
                out.push(Action::Recover(orphan.path.clone()));
            }
            if ui.button("Forget it").clicked() {
                out.push(Action::Forget(orphan.path.clone()));
            }
        });
    }
    if let Some(report) = &state.report {
        strip(ui, &mut |ui| {
            ui.colored_label(palette.accent, report);
            if ui.button("OK").clicked() {
                out.push(Action::DismissReport);
            }
        });
    }
    let dialog = state.view.model_dialog || state.view.session_dialog;
    if let Some(notice) = state.notice.as_ref().filter(|_| !dialog) {
        strip(ui, &mut |ui| {
            ui.colored_label(palette.error, format::sentence(notice));
            if ui.button("Dismiss").clicked() {
                out.push(Action::DismissNotice);
            }
        });
    }
    let shows_progress = state.model.loading.as_ref().is_some_and(|progress| progress.total > 0);
    if shows_progress && !state.view.model_dialog {
        strip(ui, &mut |ui| loading_ui(ui, state, out));
    }
}
