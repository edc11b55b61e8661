//! The shown step: its title, its token, and the candidates as a list or a plot.

use super::{candidate_list, charts, softmax};
use crate::app::{Action, Chart, DistributionView, Fed, LoopStage, Scale, ScreenAction, StepView, WhatIfMissing};
use crate::trace::Draw;
use crate::ui::anchors;
use crate::ui::edits::edits_text;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, Explain as _, replay_ui, segmented_with};
use crate::words::{Speaks as _, say};
use egui::{Align, Layout, RichText, Sense, TextEdit, Ui, vec2};

/// Points for the search, with the button that ends it.
const SEARCH_WIDTH: f32 = 170.0;

/// Which step it is, what was fed to the model for it, and what it took.
pub fn title_ui(ui: &mut Ui, shown: &StepView<'_>, out: &mut Vec<Action>) {
    let view = &shown.distribution;
    let words = ui.words();
    let palette = Palette::of(ui);
    let step = view.step;
    ui.horizontal(|ui| {
        ui.label(RichText::new(say!(words, "distribution-step", n = step.index + 1)).heading());
        if !step.edits.is_empty() {
            let mark = RichText::new(say!(words, "distribution-changed")).color(palette.what_if);
            ui.label(mark).explain(say!(words, "text-changed", edits = edits_text(words, &step.edits)));
        }
        let fed = match shown.fed {
            Fed::Prefill { n, part: None } => say!(words, "distribution-prefill", n = n),
            Fed::Prefill { n, part: Some(most) } => say!(words, "distribution-prefill-parts", n = n, most = most),
            Fed::Slid(n) => say!(words, "distribution-slid", n = n),
            Fed::Again { n, position } => say!(words, "distribution-refed", n = n, position = position),
            Fed::Decode(position) => say!(words, "distribution-decode", position = position),
        };
        // What was fed can wait while something else is thought through; the row must not grow.
        let (text, color) = if view.is_what_if {
            (say!(words, "distribution-what-if").to_owned(), palette.what_if)
        } else {
            (fed, palette.quiet)
        };
        let title = ui.add(egui::Label::new(RichText::new(text).color(color)).truncate());
        if view.is_what_if {
            title.explain(say!(words, "distribution-what-if-hint"));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let took = format::ms(words, step.total_secs() * 1e3);
            let text = RichText::new(say!(words, "distribution-took", took = took)).color(palette.quiet);
            // Beside a lesson a what-if needs the room; the time stands in the inspector too.
            let galley =
                egui::WidgetText::from(text.clone()).into_galley(ui, None, f32::INFINITY, egui::TextStyle::Body);
            if galley.size().x < ui.available_width() {
                ui.label(text).explain(say!(words, "distribution-took-hint"));
            }
        });
    });
    if let Some(missing) = view.what_if_missing {
        let problem = match missing {
            WhatIfMissing::NoLogits => say!(words, "text-what-if-no-logits").to_owned(),
            WhatIfMissing::Failed(problem) => words.tell(problem),
        };
        replay_ui(ui, view.logits, &say!(words, "distribution-no-what-if", problem = problem), palette.what_if, out);
    }
}

/// The token of the step, in the largest type.
pub fn hero_ui(ui: &mut Ui, view: &DistributionView<'_>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 50.0), Sense::hover());
    anchors::mark(ui, "hero", rect);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center)));
    let ui = &mut child;
    let sampling = view.sampling;
    if view.stage < LoopStage::Draw {
        ui.label(RichText::new("?").font(theme::semibold_font(theme::HERO_SIZE)));
        let n = format::count(words, sampling.raw.n_candidates as u64);
        let text = match view.stage {
            stage if stage <= LoopStage::Logits => say!(words, "hero-logits", n = n),
            LoopStage::Softmax => {
                say!(words, "hero-probabilities", n = n, entropy = format::bits(words, sampling.raw.entropy_bits))
            }
            _ => say!(
                words,
                "hero-left",
                n_left = sampling.last().n_candidates,
                left = format::count(words, sampling.last().n_candidates as u64),
                n = n,
                before = format::bits(words, sampling.raw.entropy_bits),
                after = format::bits(words, sampling.last().entropy_bits)
            ),
        };
        ui.add(egui::Label::new(RichText::new(text).size(17.0).color(palette.quiet)).wrap());
        return;
    }
    let text = view.vocabulary.display(sampling.chosen_id());
    let chip = Chip {
        prob: Some(sampling.chosen_final_prob),
        special: view.vocabulary.is_special(sampling.chosen_id()),
        size: theme::HERO_SIZE,
        max_width: ui.available_width() / 2.0,
        ..Chip::new(&text)
    };
    chip.ui(ui, Sense::hover(), || say!(words, "hero-chosen", token = &text));
    let color = if view.is_what_if { palette.what_if } else { palette.accent };
    ui.label(
        RichText::new(format::percent(words, sampling.chosen_final_prob))
            .font(theme::semibold_font(theme::HERO_SIZE))
            .color(color),
    );
    let how = match sampling.draw {
        Draw::Greedy => say!(words, "hero-greedy").to_owned(),
        Draw::Coin { u, .. } => say!(words, "hero-drawn", u = words.numeral(format!("{u:.4}"))),
        Draw::Forced => say!(words, "hero-forced").to_owned(),
    };
    let how = if view.is_what_if { say!(words, "hero-would", how = how) } else { how };
    let rank = format::count(words, u64::from(sampling.chosen.rank));
    let n = format::count(words, sampling.raw.n_candidates as u64);
    // Beside a long token, in two lines.
    let rank = RichText::new(say!(words, "hero-rank", how = how, rank = rank, n = n)).color(palette.quiet);
    ui.add(egui::Label::new(rank).wrap());
}

/// Draws the candidates, if the picture is one of them.
pub fn candidates_ui(ui: &mut Ui, view: &StepView<'_>, out: &mut Vec<Action>) {
    match view.chart {
        Chart::Bars => charts::bars_ui(ui, &view.distribution, view.scale),
        Chart::Cumulative => charts::cumulative_ui(ui, &view.distribution, view.scale),
        // What is searched for is one of many rows of the list.
        _ if view.distribution.stage == LoopStage::Softmax && view.query.trim().is_empty() => {
            softmax::softmax_ui(ui, view, out);
        }
        _ => candidate_list::candidate_list_ui(ui, view, out),
    }
}

/// The scale of the picture, and the search.
pub fn scale_and_search_ui(ui: &mut Ui, view: &StepView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let is_of_ranks = view.chart == Chart::Cumulative;
    let log = if is_of_ranks { say!(words, "charts-log-ranks-hint") } else { say!(words, "charts-log-hint") };
    let scales = [
        (Scale::Linear, say!(words, "charts-linear"), say!(words, "charts-linear-hint")),
        (Scale::Log, say!(words, "charts-log"), log),
    ];
    let mark = |ui: &Ui, _: Scale, rect| anchors::mark(ui, "scale", rect);
    if let Some(scale) = segmented_with(ui, view.scale, &scales, mark) {
        out.push(ScreenAction::SetScale(scale).into());
    }
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let mut query = view.query.to_owned();
        let edit = TextEdit::singleline(&mut query)
            .id_salt("search")
            .desired_width(if view.query.is_empty() { SEARCH_WIDTH } else { SEARCH_WIDTH - 34.0 })
            .hint_text(say!(words, "charts-search"))
            .background_color(Palette::of(ui).raised);
        let response = ui.add(edit).accessible_name(say!(words, "charts-search-name"));
        anchors::mark(ui, "search", response.rect);
        if response.changed() {
            out.push(ScreenAction::Search(query).into());
        }
        if !view.query.is_empty() && ui.button("✕").explain(say!(words, "charts-search-stop")).clicked() {
            out.push(ScreenAction::Search(String::new()).into());
        }
    });
}
