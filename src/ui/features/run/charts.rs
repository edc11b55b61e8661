//! The distribution as plots: bars by rank, and the running sum.

use crate::app::{CandidateRow, DistributionView, LoopStage, Scale, stage_of};
use crate::sampling::StageKind;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{drawable, explain_place};
use crate::words::{Speaks as _, say};
use egui::Ui;
use egui_plot::{Bar, BarChart, GridMark, HLine, Line, Plot, PlotPoints, VLine};

/// One bar per recorded candidate: the model's own probability behind, what the samplers made of it in front.
pub fn bars_ui(ui: &mut Ui, view: &DistributionView<'_>, scale: Scale) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let color = if view.is_what_if { palette.what_if } else { palette.accent };
    let rows = || {
        (0..view.n_rows()).map(|idx| view.row(idx)).take_while({
            let mut rank = 0;
            move |row| {
                rank += 1;
                row.candidate.rank == rank
            }
        })
    };
    let bar = |rank: u32, prob: f64| Bar::new(f64::from(rank), scale.length(prob)).width(0.8);
    let raw: Vec<Bar> = rows()
        .map(|row| bar(row.candidate.rank, row.candidate.prob).fill(palette.raised).stroke((1.0, palette.dropped)))
        .collect();
    let with_after = view.stage >= LoopStage::Truncate;
    let after: Vec<Bar> = if with_after {
        rows().map(|row| bar(row.candidate.rank, row.outcome.final_prob).fill(color)).collect()
    } else {
        Vec::new()
    };
    let chosen = drawable(ui, &view.vocabulary.display(view.sampling.chosen_id()));
    let response = plot(ui, "bars", scale, Scale::Linear).show(ui, |plot| {
        plot.bar_chart(BarChart::new(say!(words, "plot-model"), raw).allow_hover(false));
        plot.bar_chart(BarChart::new(say!(words, "plot-after"), after).width(0.5).allow_hover(false));
        // Beside the bar of the chosen token its name: from afar nothing can be pointed at.
        if view.stage >= LoopStage::Draw
            && let Some(row) = rows().find(|row| row.chosen)
        {
            // As high as its bar, and above those that it lies over.
            let (rank, height) =
                (row.candidate.rank, |row: &CandidateRow| scale.length(row.outcome.final_prob.max(row.candidate.prob)));
            let over = rows().filter(|other| (rank + 1..rank + NAME_RANKS).contains(&other.candidate.rank));
            let least = over.map(|other| height(&other)).fold(0.0, f64::max);
            let at = egui_plot::PlotPoint::new(f64::from(rank) + 0.6, (height(&row) - 0.08).max(least).min(0.92));
            let name = egui::RichText::new(&chosen).font(theme::token_font(theme::BODY_SIZE));
            let text = egui_plot::Text::new("chosen", at, name).color(color).anchor(egui::Align2::LEFT_BOTTOM);
            plot.text(text.allow_hover(false));
        }
    });
    name_plot(&response.response, say!(words, "plot-bars"));
    explain_place(response, |at| {
        let row = rows().find(|row| f64::from(row.candidate.rank) == at.round())?;
        let model = format!("{}: {}", say!(words, "plot-model"), format::percent(words, row.candidate.prob));
        let after = with_after
            .then(|| format!("{}: {}", say!(words, "plot-after"), format::percent(words, row.outcome.final_prob)));
        let name = view.vocabulary.display(row.candidate.id);
        Some([Some(name), Some(model), after].into_iter().flatten().collect::<Vec<_>>().join("\n"))
    });
}

/// How much probability the best so many tokens hold together; the logarithmic scale is that of the ranks.
pub fn cumulative_ui(ui: &mut Ui, view: &DistributionView<'_>, scale: Scale) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let color = if view.is_what_if { palette.what_if } else { palette.accent };
    // No token holds nothing; a logarithmic axis has no place for rank 0.
    let origin = (scale == Scale::Linear).then_some((0, 0.0, 0.0));
    let (before, after): (Vec<_>, Vec<_>) = origin
        .into_iter()
        .chain(view.cumulative())
        .map(|(rank, before, after)| {
            let x = scale.rank_position(f64::from(rank));
            ([x, before], [x, after])
        })
        .unzip();
    let n_kept = view.sampling.last().n_candidates;
    let n_all = view.sampling.raw.n_candidates;
    let id = if scale == Scale::Linear { "cumulative" } else { "cumulative by powers of ten" };
    let response = plot(ui, id, Scale::Linear, scale).show(ui, |plot| {
        plot.line(Line::new(say!(words, "plot-model"), PlotPoints::from(before)).color(palette.quiet).width(2.0));
        if view.stage >= LoopStage::Truncate {
            plot.line(Line::new(say!(words, "plot-after"), PlotPoints::from(after)).color(color).width(3.0));
            if let Some(p) = stage_of(view.sampling, StageKind::TopP).map(|record| record.stage.value()) {
                // Top-p adds up what the stages before it left, and meets its line there.
                if let Some(sums) = view.added_up_by_top_p() {
                    let points: Vec<[f64; 2]> =
                        sums.into_iter().map(|(rank, sum)| [scale.rank_position(f64::from(rank)), sum]).collect();
                    plot.line(
                        Line::new(say!(words, "plot-added-up"), PlotPoints::from(points)).color(color).width(1.0),
                    );
                }
                plot.hline(
                    HLine::new(say!(words, "plot-top-p", p = words.numeral(p.to_string())), p)
                        .color(palette.quiet)
                        .style(egui_plot::LineStyle::dashed_loose()),
                );
            }
            if n_kept < n_all && view.are_best_left() {
                let name = say!(words, "plot-left", n_left = n_kept, n = format::count(words, n_kept as u64));
                plot.vline(
                    VLine::new(name, scale.rank_position(n_kept as f64))
                        .color(color)
                        .style(egui_plot::LineStyle::dashed_loose()),
                );
            }
        }
    });
    name_plot(&response.response, say!(words, "plot-cumulative"));
    explain_place(response, |at| {
        let rank = scale.rank_at(at).round();
        let (rank, before, after) = view.cumulative().into_iter().find(|(other, ..)| f64::from(*other) == rank)?;
        let held = |name: &str, sum: f64| {
            format!("{name}: {}", say!(words, "stage-top-k-at", n = rank, mass = format::percent(words, sum)))
        };
        let model = held(say!(words, "plot-model"), before);
        let after = (view.stage >= LoopStage::Truncate).then(|| held(say!(words, "plot-after"), after));
        Some([Some(model), after].into_iter().flatten().collect::<Vec<_>>().join("\n"))
    });
}

/// How many ranks the name of the chosen token may lie over, at first.
const NAME_RANKS: u32 = 7;
/// How many ranks are in view at first.
const FIRST_RANKS: f64 = 40.0;
/// Powers of ten of ranks on the logarithmic axis: more than a record's head holds.
const DECADES: usize = 3;

/// A plot of probabilities over ranks, each on a scale of its own.
fn plot<'a>(ui: &Ui, id: &'a str, probs: Scale, ranks: Scale) -> Plot<'a> {
    let words = ui.words();
    let palette = Palette::of(ui);
    let marks: Vec<GridMark> = match probs {
        Scale::Linear => (0..=4).map(|quarter| f64::from(quarter) / 4.0).collect(),
        Scale::Log => (0..=6).map(|decade| f64::from(decade) / 6.0).collect::<Vec<_>>(),
    }
    .into_iter()
    .map(|value| GridMark { value, step_size: 1.0 })
    .collect();
    let plot = Plot::new(id)
        .height(ui.available_height())
        .default_y_bounds(0.0, 1.03)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_drag([true, false])
        .allow_zoom([true, false])
        .grid_color(palette.line)
        .show_grid([false, true])
        .x_axis_label(say!(words, "plot-ranks"))
        .y_grid_spacer(move |_| marks.clone())
        // Marks are exact, down to 0.0001 %.
        .y_axis_formatter(move |mark, _| words.numeral(format!("{} %", (probs.prob(mark.value) * 1e6).round() / 1e4)))
        .y_axis_min_width(78.0);
    match ranks {
        Scale::Linear => plot.default_x_bounds(0.0, FIRST_RANKS + 0.5),
        Scale::Log => plot
            .default_x_bounds(0.0, DECADES as f64 + 0.1)
            .x_grid_spacer(|_| (0..=DECADES).map(|x| GridMark { value: x as f64, step_size: 1.0 }).collect())
            .x_axis_formatter(move |mark, _| format::count(words, ranks.rank_at(mark.value).round() as u64)),
    }
}

fn name_plot(response: &egui::Response, name: &str) {
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Figure, true, name));
}
