//! The timeline: the steps by their milliseconds.

use crate::app::{Action, Cursor, LoopStage, RunAction, TimingView};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::words::{Speaks as _, say};
use egui::{RichText, Slider, Stroke, Ui};
use egui_plot::{Bar, BarChart, Plot};

/// One bar per step, as high as its milliseconds; a click or the slider goes there.
pub fn timeline_ui(ui: &mut Ui, times: Option<&TimingView<'_>>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let height = ui.available_height();
    let Some(times) = times else {
        ui.label(RichText::new(say!(words, "timeline-empty")).color(palette.quiet));
        return;
    };
    let n = times.steps_ms.len();
    anchors::mark(ui, "timeline", ui.available_rect_before_wrap());
    ui.horizontal(|ui| {
        let mut step = times.current.min(n - 1) + 1;
        ui.vertical(|ui| {
            ui.set_width(220.0);
            ui.spacing_mut().slider_width = 120.0;
            ui.label(RichText::new(say!(words, "timeline-step", step = step, n = n)).color(palette.quiet));
            let slider = Slider::new(&mut step, 1..=n.max(2)).show_value(false);
            if ui.add_enabled(n > 1, slider).accessible_name(say!(words, "timeline")).changed() {
                out.push(RunAction::GoTo(Cursor { step: step - 1, stage: LoopStage::Append }).into());
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
            out.push(RunAction::GoTo(Cursor { step, stage: LoopStage::Append }).into());
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
