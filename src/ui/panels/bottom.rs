//! The bottom: the loop, the transport, the timeline with its milliseconds.

use crate::app::lesson::Control;
use crate::app::{Action, AppState, Cursor, LoopStage, SPEED_RANGE, Status, TimingView, TransportView};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::ui::widgets::gate_ui;
use crate::words::{Speaks as _, say};
use egui::{Align, Align2, Button, Layout, Rect, RichText, Sense, Slider, Stroke, StrokeKind, Ui, pos2, vec2};
use egui_plot::{Bar, BarChart, Plot};

/// Draws the loop, the buttons and the timeline.
pub fn bottom_panel_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    loop_ui(ui, state, out);
    transport_ui(ui, state, out);
    timeline_ui(ui, state, out);
}

/// The stations of the loop, the shown one lit, and the way back from append to embed.
pub(super) fn loop_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 46.0), Sense::hover());
    anchors::mark(ui, "loop", rect);
    let n = LoopStage::ALL.len() as f32;
    let slot = (rect.width() / n).min(190.0);
    let left = rect.center().x - slot * n / 2.0;
    let y = rect.top() + 15.0;
    let at = |idx: usize| left + slot * (idx as f32 + 0.5);
    let line = Stroke::new(2.0, palette.line);
    ui.painter().hline(at(0)..=at(LoopStage::ALL.len() - 1), y, line);
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
    let shown = state.current_run().is_some().then_some(state.cursor.stage);
    for (idx, stage) in LoopStage::ALL.into_iter().enumerate() {
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
            out.push(Action::ShowStage(stage));
        }
    }
}

fn transport_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let transport = TransportView::of(state);
    // As high as its highest button from the start: what stands before that one would hang higher.
    let row = vec2(ui.available_width(), 36.0);
    ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| {
        let restart =
            key_button_ui(ui, transport.can_restart, say!(words, "transport-restart"), &keys::RESTART, "restart");
        out.extend(restart.then_some(Action::Restart));
        let back = key_button_ui(ui, transport.can_back, say!(words, "transport-back"), &keys::BACK, "back");
        out.extend(back.then_some(Action::Back));
        let forward =
            key_button_ui(ui, transport.can_forward, say!(words, "transport-forward"), &keys::FORWARD, "forward");
        out.extend(forward.then_some(Action::Forward));
        let stage =
            key_button_ui(ui, transport.can_step, say!(words, "transport-step-stage"), &keys::STEP_STAGE, "step_stage");
        out.extend(stage.then_some(Action::StepStage));
        let step = Button::new(
            RichText::new(say!(words, "transport-step")).font(theme::semibold_font(18.0)).color(palette.on_accent),
        )
        .fill(palette.accent)
        .min_size(vec2(104.0, 36.0));
        let step = ui.add_enabled(transport.can_step, step).explain(keys::STEP_TOKEN.tooltip(words));
        anchors::mark(ui, "step", step.rect);
        if step.clicked() {
            out.push(Action::StepToken);
        }
        gate_ui(ui, state, Control::Run, |ui| run_ui(ui, transport, out));
        let stop = Button::new(say!(words, "transport-stop"));
        if ui.add_enabled(transport.busy, stop).explain(keys::STOP.tooltip(words)).clicked() {
            out.push(Action::Stop);
        }
        gate_ui(ui, state, Control::Run, |ui| speed_ui(ui, state, out));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(egui::Label::new(RichText::new(words.tell(&Status::of(state))).color(palette.quiet)).truncate());
        });
    });
}

fn run_ui(ui: &mut Ui, transport: TransportView, out: &mut Vec<Action>) {
    let run = Button::new(if transport.running { say!(ui, "transport-pause") } else { say!(ui, "transport-run") })
        .min_size(vec2(84.0, 36.0));
    let run = ui.add_enabled(transport.running || transport.can_step, run).explain(keys::RUN.tooltip(ui.words()));
    anchors::mark(ui, "run", run.rect);
    if run.clicked() {
        out.push(Action::ToggleRun);
    }
}

/// A button that does what a key does, and says so.
fn key_button_ui(ui: &mut Ui, enabled: bool, text: &str, key: &keys::Shortcut, anchor: &str) -> bool {
    let response = ui.add_enabled(enabled, Button::new(text)).explain(key.tooltip(ui.words()));
    anchors::mark(ui, anchor, response.rect);
    response.clicked()
}

fn speed_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let words = ui.words();
    let most = *SPEED_RANGE.end();
    let unlimited = most * 1.5;
    let mut speed = state.speed.min(unlimited);
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
        out.push(Action::SetSpeed(if speed > most { f64::INFINITY } else { speed }));
    }
}

/// One bar per step, as high as its milliseconds; a click or the slider goes there.
fn timeline_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let height = ui.available_height();
    let Some(times) = TimingView::of(state) else {
        ui.label(RichText::new(say!(words, "timeline-empty")).color(palette.quiet));
        return;
    };
    let n = times.steps_ms.len();
    anchors::mark(ui, "timeline", ui.available_rect_before_wrap());
    ui.horizontal(|ui| {
        let mut step = state.cursor.step.min(n - 1) + 1;
        ui.vertical(|ui| {
            ui.set_width(220.0);
            ui.spacing_mut().slider_width = 120.0;
            ui.label(RichText::new(say!(words, "timeline-step", step = step, n = n)).color(palette.quiet));
            let slider = Slider::new(&mut step, 1..=n.max(2)).show_value(false);
            if ui.add_enabled(n > 1, slider).accessible_name(say!(words, "timeline")).changed() {
                out.push(Action::GoTo(Cursor { step: step - 1, stage: LoopStage::Append }));
            }
        });
        let bars: Vec<Bar> = times
            .steps_ms
            .iter()
            .enumerate()
            .map(|(index, (forward, sample))| {
                let fill = if index == 0 { palette.prompt } else { palette.accent };
                let edge = if index == times.current { Stroke::new(2.0, palette.text) } else { Stroke::NONE };
                Bar::new(index as f64 + 1.0, forward + sample).width(0.85).fill(fill).stroke(edge)
            })
            .collect();
        let highest = times.steps_ms.iter().map(|(forward, sample)| forward + sample).fold(0.0, f64::max);
        let plot = Plot::new("timeline")
            .height(height.max(30.0))
            .show_axes([false, true])
            .show_grid([false, true])
            .default_x_bounds(0.4, (n as f64 + 0.6).max(20.6))
            .default_y_bounds(0.0, highest * 1.05)
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_boxed_zoom(false)
            .allow_double_click_reset(false)
            .show_x(false)
            .show_crosshair(false)
            .y_axis_min_width(58.0)
            .y_grid_spacer(move |_| {
                [0.0, highest].map(|value| egui_plot::GridMark { value, step_size: highest }).to_vec()
            })
            .y_axis_formatter(|mark, _| if mark.value == 0.0 { "0".to_owned() } else { format::ms(words, mark.value) });
        let response = plot.show(ui, |plot| {
            plot.set_plot_bounds_x(0.4..=(n as f64 + 0.6).max(20.6));
            plot.set_plot_bounds_y(0.0..=highest * 1.05);
            plot.bar_chart(BarChart::new(say!(words, "timeline-name"), bars).allow_hover(false));
        });
        // Whatever its height, what is pointed at is the step of the column.
        let pointer = response.response.hover_pos().map(|pos| response.transform.value_from_position(pos).x);
        let column = pointer.map(|x| (x.round().max(1.0) as usize).min(n) - 1);
        let response = response.response;
        response
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Figure, true, say!(words, "timeline-figure", n = n)));
        let Some(step) = column else { return };
        if response.clicked() {
            out.push(Action::GoTo(Cursor { step, stage: LoopStage::Append }));
        }
        let (forward, sample) = times.steps_ms[step];
        response.on_hover_text_at_pointer(say!(
            words,
            "timeline-bar",
            step = step + 1,
            time = format::ms(words, forward + sample)
        ));
    });
}
