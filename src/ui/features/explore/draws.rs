//! The step drawn many times: how often each token came, beside how often it should.

use crate::app::{Action, DistributionView, DrawsView, Logits, round_step};
use crate::engine::N_DRAWS;
use crate::sampling::ManyDraws;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::ui::widgets::{Explain as _, explain_place, replay_ui};
use crate::words::{Speaks as _, say};
use egui::{RichText, Stroke, Ui};
use egui_plot::{Bar, BarChart, Plot, uniform_grid_spacer};

/// Tokens with a bar of their own; all others share the last.
const N_BARS: usize = 40;

/// Draws the histogram and how well it fits.
pub fn draws_ui(ui: &mut Ui, view: &DrawsView<'_>, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    match view.draws {
        Some(Ok(many)) => {
            fit_ui(ui, many);
            histogram_ui(ui, &view.step, many);
        }
        Some(Err(problem)) => drop(ui.colored_label(palette.error, format::sentence(&ui.words().tell(problem)))),
        None if view.step.logits != Logits::Held => {
            replay_ui(ui, view.step.logits, say!(ui, "draws-no-logits"), palette.quiet, out);
        }
        None => drop(ui.label(RichText::new(say!(ui, "draws-drawing")).color(palette.quiet))),
    }
}

fn fit_ui(ui: &mut Ui, many: &ManyDraws) {
    let words = ui.words();
    let n = format::count(words, u64::from(many.n));
    let text = match many.degrees {
        0 if many.counts.iter().filter(|count| count.prob > 0.0).count() == 1 => say!(words, "draws-one-left", n = n),
        0 => say!(words, "draws-too-few", n = n),
        degrees => say!(
            words,
            "draws-fit",
            n = n,
            chi = words.numeral(format!("{:.1}", many.chi_square)),
            degrees = degrees,
            p = words.numeral(format!("{:.3}", many.p_value))
        ),
    };
    ui.label(text).explain(say!(words, "draws-fit-hint"));
}

fn histogram_ui(ui: &mut Ui, view: &DistributionView<'_>, many: &ManyDraws) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let n_own = many.counts.len().min(N_BARS);
    let (own, rest) = many.counts.split_at(n_own);
    let mut bars: Vec<(String, f64, u32)> =
        own.iter().map(|count| (view.vocabulary.display(count.id), count.prob, count.n)).collect();
    if !rest.is_empty() {
        let (prob, n) = rest.iter().fold((0.0, 0), |(prob, n), count| (prob + count.prob, n + count.n));
        bars.push((
            say!(words, "draws-more", n_more = rest.len(), n = format::count(words, rest.len() as u64)),
            prob,
            n,
        ));
    }
    let axis = if rest.is_empty() {
        say!(words, "draws-axis").to_owned()
    } else {
        say!(words, "draws-axis-more", n = format::count(words, rest.len() as u64))
    };
    let expected = |prob: f64| prob * f64::from(many.n);
    let highest = bars.iter().map(|(_, prob, n)| expected(*prob).max(f64::from(*n))).fold(1.0, f64::max);
    let says = |(name, prob, n): &(String, f64, u32)| {
        say!(words, "draws-bar", token = name, n = *n, expected = words.numeral(format!("{:.1}", expected(*prob))))
    };
    let color = if view.is_what_if { palette.what_if } else { palette.accent };
    let place = |idx: usize| idx as f64 + 1.0;
    let came = bars.iter().enumerate().map(|(idx, bar)| Bar::new(place(idx), f64::from(bar.2)).width(0.8).fill(color));
    let should = bars.iter().enumerate().map(|(idx, bar)| {
        let outline = Stroke::new(1.5, palette.text);
        Bar::new(place(idx), expected(bar.1)).width(0.8).fill(egui::Color32::TRANSPARENT).stroke(outline)
    });
    let (came, should): (Vec<_>, Vec<_>) = (came.collect(), should.collect());
    let response = Plot::new("draws")
        .height(ui.available_height())
        .default_x_bounds(0.3, (bars.len() as f64 + 0.7).max(10.7))
        .default_y_bounds(0.0, highest * 1.05)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_drag(false)
        .allow_zoom(false)
        .show_grid([false, true])
        .grid_color(palette.line)
        .y_grid_spacer(uniform_grid_spacer(move |_| [1.0, 2.0, 4.0].map(|factor| factor * round_step(highest / 4.0))))
        .x_axis_label(axis)
        .y_axis_label(say!(words, "draws-count"))
        .y_axis_formatter(|mark, _| format::count(words, mark.value as u64))
        .show(ui, |plot| {
            plot.set_plot_bounds_y(0.0..=highest * 1.05);
            plot.set_plot_bounds_x(0.3..=(bars.len() as f64 + 0.7).max(10.7));
            plot.bar_chart(BarChart::new(say!(words, "draws-came"), came).allow_hover(false));
            plot.bar_chart(BarChart::new(say!(words, "draws-expected"), should).allow_hover(false));
        });
    let best = bars.first().map(says).unwrap_or_default();
    response.response.widget_info(|| {
        let label = say!(words, "draws-name", n = N_DRAWS, best = &best);
        egui::WidgetInfo::labeled(egui::Role::Figure, true, label)
    });
    explain_place(response, |at| bars.get((at.round() as usize).checked_sub(1)?).map(says));
}
