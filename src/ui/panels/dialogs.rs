//! What lies over the panels for a moment: the list of keys, the choice of models, notices.

use crate::app::{Action, AppState};
use crate::engine::ModelSource;
use crate::model::{DTypeChoice, DeviceChoice};
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::words::say;
use egui::{Context, Frame, Grid, Modal, ModalResponse, ProgressBar, RichText, ScrollArea, TextEdit, Ui, Vec2};

/// Draws the list of keys, if it is open.
pub fn help_window_ui(ctx: &Context, state: &AppState, out: &mut Vec<Action>) {
    if !state.view.help {
        return;
    }
    let modal = modal_ui("help", ctx, 1020.0, |ui| {
        ui.heading(say!("keys"));
        let half = keys::ALL.len().div_ceil(2);
        Grid::new("keys").num_columns(4).spacing([20.0, 8.0]).show(ui, |ui| {
            for row in 0..half {
                for shortcut in keys::ALL.iter().skip(row).step_by(half) {
                    ui.label(RichText::new(shortcut.label()).font(theme::token_font(theme::BODY_SIZE)).strong());
                    ui.label(shortcut.what());
                }
                ui.end_row();
            }
        });
        ui.add_space(theme::UNIT);
        ui.label(RichText::new(say!("keys-note")).color(Palette::of(ui).quiet));
        ui.button(say!("close")).clicked()
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
    let modal = modal_ui("model", ctx, 560.0, |ui| {
        ui.heading(say!("model"));
        ui.add_enabled_ui(state.model.loading.is_none(), |ui| sources_ui(ui, state, out));
        ui.separator();
        ui.add_enabled_ui(state.model.loading.is_none(), |ui| placement_ui(ui, state, out));
        ui.add_space(theme::UNIT);
        loading_ui(ui, state, out);
        if let Some(notice) = &state.notice {
            ui.colored_label(Palette::of(ui).error, format::sentence(notice));
        }
        ui.button(say!("close")).clicked()
    });
    if modal.inner || modal.should_close() {
        out.push(Action::ToggleModelDialog);
    }
}

/// A window over everything, as wide as this where there is room; what does not fit is a scroll away.
pub(super) fn modal_ui<R>(name: &str, ctx: &Context, width: f32, add: impl FnOnce(&mut Ui) -> R) -> ModalResponse<R> {
    let room = ctx.content_rect().size() - Vec2::splat(16.0 * theme::UNIT);
    let frame = Frame::popup(&ctx.global_style()).inner_margin(5.0 * theme::UNIT);
    let id = egui::Id::unique(name);
    let area = Modal::default_area(id).default_size(room);
    Modal::new(id).area(area).frame(frame).show(ctx, |ui| {
        // The area offers what it had in the frame before, and would never grow.
        let scroll = ScrollArea::both()
            .max_width(room.x)
            .max_height(room.y)
            .min_scrolled_width(room.x)
            .min_scrolled_height(room.y);
        scroll
            .show(ui, |ui| {
                ui.set_width(width);
                add(ui)
            })
            .inner
    })
}

fn sources_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let quiet = Palette::of(ui).quiet;
    ui.horizontal(|ui| {
        for (source, name, tooltip) in [
            (ModelSource::Bundled, say!("model-bundled"), say!("model-bundled-tip")),
            (ModelSource::BundledDraft, say!("model-draft"), say!("model-draft-tip")),
        ] {
            if ui.button(name).explain(tooltip).clicked() {
                out.push(Action::LoadModel(source));
            }
        }
    });
    ui.horizontal(|ui| {
        if ui.button(say!("model-folder")).clicked() {
            out.push(Action::PickFolder);
        }
        ui.label(RichText::new(say!("model-drop")).color(quiet));
    });
    ui.horizontal(|ui| {
        let mut id = state.model.hub_id.clone();
        let label = ui.label(say!("model-id"));
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
        if (ui.add_enabled(!id.trim().is_empty(), egui::Button::new(say!("model-load"))).clicked() || enter)
            && !id.trim().is_empty()
        {
            out.push(Action::LoadModel(ModelSource::from_text(&id)));
        }
    });
    ui.label(RichText::new(say!("model-cache")).color(quiet));
}

fn placement_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(say!("device"));
        for (device, name, tooltip) in [
            (DeviceChoice::Auto, say!("device-auto"), say!("device-auto-tip")),
            (DeviceChoice::Cpu, "CPU", say!("device-cpu-tip")),
            (DeviceChoice::Cuda, "CUDA", say!("device-cuda-tip")),
            (DeviceChoice::Metal, "Metal", say!("device-metal-tip")),
        ] {
            let chosen = state.model.request.device == device;
            if ui.selectable_label(chosen, name).explain(tooltip).clicked() && !chosen {
                out.push(Action::SetDevice(device));
            }
        }
    });
    ui.horizontal(|ui| {
        ui.label(say!("dtype"));
        for (dtype, name, tooltip) in [
            (DTypeChoice::Auto, say!("dtype-auto"), say!("dtype-auto-tip")),
            (DTypeChoice::F32, "f32", say!("dtype-f32-tip")),
            (DTypeChoice::F16, "f16", say!("dtype-f16-tip")),
        ] {
            let chosen = state.model.request.dtype == dtype;
            if ui.selectable_label(chosen, name).explain(tooltip).clicked() && !chosen {
                out.push(Action::SetDType(dtype));
            }
        }
    });
}

fn loading_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(progress) = &state.model.loading else {
        return;
    };
    ui.label(crate::words::render(&progress.what));
    ui.horizontal(|ui| {
        let share = if progress.total == 0 { 0.0 } else { progress.done as f32 / progress.total as f32 };
        let text = say!("loading-of", done = format::bytes(progress.done), total = format::bytes(progress.total));
        let bar = ProgressBar::new(share).desired_width(360.0);
        ui.add(if progress.total == 0 { bar } else { bar.text(text) });
        if ui.button(say!("cancel")).clicked() {
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
            ui.colored_label(palette.error, say!("engine-stopped"));
            if ui.button(say!("engine-restart")).clicked() {
                out.push(Action::RestartEngine);
            }
        });
    }
    if let Some(orphan) = state.keeping.orphans.first() {
        strip(ui, &mut |ui| {
            let prompt: String = orphan.prompt.chars().take(40).collect();
            let text = say!("orphan", prompt = prompt, n = orphan.n_steps);
            ui.colored_label(palette.what_if, text);
            if ui.button(say!("orphan-open")).clicked() {
                out.push(Action::Recover(orphan.path.clone()));
            }
            if ui.button(say!("orphan-forget")).clicked() {
                out.push(Action::Forget(orphan.path.clone()));
            }
        });
    }
    if let Some(report) = &state.report {
        strip(ui, &mut |ui| {
            ui.colored_label(palette.accent, report);
            if ui.button(say!("ok")).clicked() {
                out.push(Action::DismissReport);
            }
        });
    }
    let dialog = state.view.model_dialog || state.view.session_dialog;
    if let Some(notice) = state.notice.as_ref().filter(|_| !dialog) {
        strip(ui, &mut |ui| {
            ui.colored_label(palette.error, format::sentence(notice));
            if ui.button(say!("dismiss")).clicked() {
                out.push(Action::DismissNotice);
            }
        });
    }
    let shows_progress = state.model.loading.as_ref().is_some_and(|progress| progress.total > 0);
    if shows_progress && !state.view.model_dialog {
        strip(ui, &mut |ui| loading_ui(ui, state, out));
    }
}
