//! The loop and the transport: what was done to make the token, and what makes the next.

use crate::app::{Action, LoopStage, RunAction, SPEED_RANGE, TransportView};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, gate_ui};
use crate::words::{Speaks as _, say};
use egui::{Align, Align2, Button, Layout, Rect, RichText, Sense, Slider, Stroke, StrokeKind, Ui, pos2, vec2};
use strum::IntoEnumIterator as _;

/// The stations of the loop, the shown one lit, and the way back from append to embed.
pub fn loop_ui(ui: &mut Ui, shown: Option<LoopStage>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 46.0), Sense::hover());
    anchors::mark(ui, "loop", rect);
    let n = LoopStage::iter().len() as f32;
    let slot = (rect.width() / n).min(190.0);
    let left = rect.center().x - slot * n / 2.0;
    let y = rect.top() + 15.0;
    let at = |idx: usize| left + slot * (idx as f32 + 0.5);
    let line = Stroke::new(2.0, palette.line);
    ui.painter().hline(at(0)..=at(LoopStage::iter().len() - 1), y, line);
    let back = rect.bottom() - 5.0;
    let (first, last) = (at(LoopStage::Embed as usize), at(LoopStage::Append as usize));
    ui.painter().line(vec![pos2(last, y), pos2(last, back), pos2(first, back), pos2(first, y)], line);
    let middle = pos2(at(3) + slot / 2.0, back);
    let note = say!(words, "loop-again");
    let galley =
        ui.painter().layout_no_wrap(note.to_owned(), egui::FontId::proportional(theme::SMALL_SIZE), palette.quiet);
    let ground = Rect::from_center_size(middle, galley.size() + vec2(12.0, 0.0));
    ui.painter().rect_filled(ground, 0, palette.panel);
    ui.painter().galley(ground.center() - galley.size() / 2.0, galley, palette.quiet);
    for (idx, stage) in LoopStage::iter().enumerate() {
        let station = Rect::from_center_size(pos2(at(idx), y), vec2(slot.min(96.0), 26.0));
        let response = ui.interact(station, ui.scope_id().with(stage.name()), Sense::click());
        anchors::mark(ui, format!("loop.{}", stage.name()), station);
        let lit = shown == Some(stage);
        let passed = shown.is_some_and(|shown| stage < shown);
        let (fill, text) = match (lit, passed) {
            (true, _) => (palette.accent, palette.on_accent),
            (_, true) => (palette.raised, palette.text),
            _ => (palette.panel, palette.quiet),
        };
        let ring = if response.hovered() || response.has_focus() { palette.accent } else { palette.line };
        ui.painter().rect(
            station,
            13,
            fill,
            Stroke::new(1.5, if lit { palette.accent } else { ring }),
            StrokeKind::Inside,
        );
        ui.painter().text(
            station.center(),
            Align2::CENTER_CENTER,
            words.render(&stage.label()),
            egui::FontId::proportional(13.5),
            text,
        );
        response.widget_info(|| {
            egui::WidgetInfo::selected(
                egui::Role::Button,
                true,
                lit,
                say!(words, "loop-station", name = words.render(&stage.label())),
            )
        });
        if response.explain(words.render(&stage.one_line())).clicked() {
            out.push(RunAction::ShowStage(stage).into());
        }
    }
}

/// The buttons, the speed, and where the generation stands.
pub fn transport_ui(ui: &mut Ui, transport: &TransportView, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    // As high as its highest button from the start: what stands before that one would hang higher.
    let row = vec2(ui.available_width(), 36.0);
    ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| {
        let restart =
            key_button_ui(ui, transport.can_restart, say!(words, "transport-restart"), &keys::RESTART, "restart");
        out.extend(restart.then_some(Action::Run(RunAction::Restart)));
        let back = key_button_ui(ui, transport.can_back, say!(words, "transport-back"), &keys::BACK, "back");
        out.extend(back.then_some(Action::Run(RunAction::Back)));
        let forward =
            key_button_ui(ui, transport.can_forward, say!(words, "transport-forward"), &keys::FORWARD, "forward");
        out.extend(forward.then_some(Action::Run(RunAction::Forward)));
        let stage =
            key_button_ui(ui, transport.can_step, say!(words, "transport-step-stage"), &keys::STEP_STAGE, "step_stage");
        out.extend(stage.then_some(Action::Run(RunAction::StepStage)));
        let step = Button::new(
            RichText::new(say!(words, "transport-step")).font(theme::semibold_font(18.0)).color(palette.on_accent),
        )
        .fill(palette.accent)
        .min_size(vec2(104.0, 36.0));
        let step = ui.add_enabled(transport.can_step, step).explain(keys::STEP_TOKEN.tooltip(words));
        anchors::mark(ui, "step", step.rect);
        if step.clicked() {
            out.push(RunAction::StepToken.into());
        }
        gate_ui(ui, transport.lock, |ui| run_ui(ui, transport, out));
        let stop = Button::new(say!(words, "transport-stop"));
        if ui.add_enabled(transport.busy, stop).explain(keys::STOP.tooltip(words)).clicked() {
            out.push(RunAction::Stop.into());
        }
        gate_ui(ui, transport.lock, |ui| speed_ui(ui, transport.speed, out));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(egui::Label::new(RichText::new(words.tell(&transport.status)).color(palette.quiet)).truncate());
        });
    });
}

fn run_ui(ui: &mut Ui, transport: &TransportView, out: &mut Vec<Action>) {
    let run = Button::new(if transport.running { say!(ui, "transport-pause") } else { say!(ui, "transport-run") })
        .min_size(vec2(84.0, 36.0));
    let run = ui.add_enabled(transport.running || transport.can_step, run).explain(keys::RUN.tooltip(ui.words()));
    anchors::mark(ui, "run", run.rect);
    if run.clicked() {
        out.push(RunAction::Toggle.into());
    }
}

/// A button that does what a key does, and says so.
fn key_button_ui(ui: &mut Ui, enabled: bool, text: &str, key: &keys::Shortcut, anchor: &str) -> bool {
    let response = ui.add_enabled(enabled, Button::new(text)).explain(key.tooltip(ui.words()));
    anchors::mark(ui, anchor, response.rect);
    response.clicked()
}

fn speed_ui(ui: &mut Ui, speed: f64, out: &mut Vec<Action>) {
    let words = ui.words();
    let most = *SPEED_RANGE.end();
    let unlimited = most * 1.5;
    let mut speed = speed.min(unlimited);
    let slider = Slider::new(&mut speed, *SPEED_RANGE.start()..=unlimited)
        .logarithmic(true)
        .smart_aim(false)
        .custom_formatter(
            |value, _| if value > most { say!(words, "speed-max").to_owned() } else { format::rate(words, value) },
        )
        // With the unit behind it, as it stands there, or without.
        .custom_parser(|typed| format::read_numeral(words, typed.trim_end_matches(|c: char| !c.is_ascii_digit())));
    ui.spacing_mut().slider_width = 90.0;
    let response = ui.add(slider).accessible_name(say!(words, "speed")).explain(say!(words, "speed-about"));
    if response.changed() {
        out.push(RunAction::SetSpeed(if speed > most { f64::INFINITY } else { speed }).into());
    }
}
