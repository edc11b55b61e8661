//! What is behind a stage: what it is for, its formula with the step's numbers, and before and after over the whole
//! vocabulary; for a logit bias the tokens that it moves.

use crate::app::{DistributionView, SamplersView, Scale, stage_of};
use crate::sampling::{SamplerSettings, Setting, StageKind};
use crate::trace::{Snapshot, StageRecord, TokenId, Vocabulary};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, check_ui};
use crate::words::{Speaks as _, say};
use egui::{Align, DragValue, Frame, Label, Layout, Margin, RichText, Ui, vec2};
use egui_plot::{GridMark, Line, Plot, PlotPoints};
use std::sync::Arc;

/// No field shows more decimals.
pub(super) const MOST_DECIMALS: usize = 6;

/// Draws the details of the stage of this kind, which is in the settings.
pub fn stage_details_ui(ui: &mut Ui, view: &SamplersView<'_>, settings: &mut SamplerSettings, kind: StageKind) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let frame = Frame::new().fill(palette.background).inner_margin(Margin::same(8)).corner_radius(4);
    frame.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = theme::UNIT;
        ui.set_min_width(ui.available_width());
        ui.label(RichText::new(format!("{}.", words.render(&kind.one_line))).size(theme::SMALL_SIZE + 0.5));
        ui.label(RichText::new(words.render(&kind.formula)).size(theme::SMALL_SIZE + 0.5).color(palette.quiet));
        if let (Some(Setting::Biases(biases)), Some(model)) =
            (settings.slot_mut(kind).map(|slot| &mut slot.stage.setting), view.model)
        {
            biases_ui(ui, biases, &model.vocabulary);
        }
        // As high whether or not there is something to show, so that nothing jumps when an answer comes.
        ui.allocate_ui(egui::vec2(ui.available_width(), EFFECT_HEIGHT), |ui| {
            ui.set_min_size(egui::vec2(ui.available_width(), EFFECT_HEIGHT));
            let recorded = recorded_kind(settings, kind);
            if let Some((view, record)) = view.step.and_then(|step| Some((step, stage_of(step.sampling, recorded)?))) {
                effect_ui(ui, &view, record);
            } else {
                ui.label(RichText::new(say!(words, "details-empty")).small().color(palette.quiet));
            }
        });
        if ui
            .button(say!(words, "details-remove", stage = format::in_sentence(words, &words.render(&kind.name))))
            .clicked()
        {
            settings.remove(kind);
        }
    });
}

const EFFECT_HEIGHT: f32 = 176.0;

/// The formula with the numbers of the step, and the curves.
fn effect_ui(ui: &mut Ui, view: &DistributionView<'_>, record: &StageRecord) {
    let palette = Palette::of(ui);
    let (color, mark) = if view.is_what_if { (palette.what_if, "◆ ") } else { (palette.accent, "") };
    if let Some(formula) = record.formula() {
        ui.label(
            RichText::new(format!("{mark}{}", ui.words().render(&formula))).size(theme::SMALL_SIZE + 0.5).color(color),
        );
    }
    curves_ui(ui, &record.before, &record.after, color);
}

/// Probability over rank before (grey) and after, both axes by powers of ten.
fn curves_ui(ui: &mut Ui, before: &Snapshot, after: &Snapshot, color: egui::Color32) {
    const LOG: Scale = Scale::Log;
    let words = ui.words();
    let palette = Palette::of(ui);
    let points = |snapshot: &Snapshot| -> PlotPoints<'static> {
        let shown = snapshot.curve.iter().filter(|(_, prob)| *prob > 0.0);
        shown.map(|(rank, prob)| [LOG.rank_position(f64::from(*rank)), LOG.length(*prob)]).collect()
    };
    let decades = LOG.rank_position(before.n_candidates as f64);
    let marks = |n: i32, unit: f64| -> Vec<GridMark> {
        (0..=n).map(|idx| GridMark { value: f64::from(idx) * unit, step_size: 3.0 }).collect()
    };
    let (ranks, probs) = (marks(decades.floor() as i32, 1.0), marks(3, 1.0 / 3.0));
    let plot = Plot::new("stage curves")
        .height(120.0)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_grid([false, true])
        .grid_color(palette.line)
        .default_x_bounds(0.0, decades.max(0.3))
        .default_y_bounds(0.0, 1.03)
        .x_grid_spacer(move |_| ranks.clone())
        .y_grid_spacer(move |_| probs.clone())
        .x_axis_formatter(|mark, _| format::count(words, LOG.rank_at(mark.value).round() as u64))
        .y_axis_formatter(|mark, _| format::percent(words, LOG.prob(mark.value)))
        .y_axis_min_width(64.0)
        .show(ui, |plot| {
            plot.line(Line::new(say!(words, "details-before"), points(before)).color(palette.quiet).width(2.0));
            plot.line(Line::new(say!(words, "details-after"), points(after)).color(color).width(2.5));
        });
    let n = |snapshot: &Snapshot| format::count(words, snapshot.n_candidates as u64);
    let says = say!(words, "details-curves", before = n(before), after = n(after));
    plot.response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &says));
    ui.label(RichText::new(says).size(theme::SMALL_SIZE).color(palette.quiet));
}

/// Points for what changes a bias and takes it away.
const BESIDES_TOKEN: f32 = 190.0;

/// The tokens of a logit bias, and a field to add one.
fn biases_ui(ui: &mut Ui, biases: &mut Arc<[(TokenId, f64)]>, vocabulary: &Vocabulary) {
    let words = ui.words();
    let mut changed: Vec<(TokenId, f64)> = biases.to_vec();
    let mut removed = None;
    for (idx, (id, bias)) in changed.iter_mut().enumerate() {
        ui.horizontal(|ui| {
            let name = vocabulary.display(*id);
            // A long token leaves what stands behind it its room.
            let cell = vec2((ui.available_width() - BESIDES_TOKEN).max(48.0), ui.spacing().interact_size.y);
            let token = RichText::new(&name).font(theme::token_font(theme::SMALL_SIZE + 1.0));
            let label = ui.allocate_ui_with_layout(cell, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(cell.x);
                ui.add(Label::new(token).truncate())
            });
            let label = label.inner;
            let mut banned = *bias == f64::NEG_INFINITY;
            if check_ui(ui, &mut banned, say!(words, "details-ban")).explain(say!(words, "details-ban-what")).changed()
            {
                *bias = if banned { f64::NEG_INFINITY } else { 0.0 };
            }
            if !banned {
                let most = bias.abs().max(100.0);
                let drag = DragValue::new(bias).speed(0.1).range(-most..=most).max_decimals(MOST_DECIMALS);
                let drag = drag.prefix("l + ").custom_parser(|n| format::read_numeral(words, n));
                ui.add(drag).labelled_by(label.id);
            }
            if ui.button("×").explain(say!(words, "details-unbias", token = &*name)).clicked() {
                removed = Some(idx);
            }
        });
    }
    if let Some(idx) = removed {
        changed.remove(idx);
    }
    if let Some(id) = added_ui(ui, vocabulary).filter(|id| changed.iter().all(|(other, _)| other != id)) {
        changed.push((id, f64::NEG_INFINITY));
    }
    if changed[..] != biases[..] {
        *biases = changed.into();
    }
}

/// A field that takes a token by its text or id. Returns the one that was entered.
fn added_ui(ui: &mut Ui, vocabulary: &Vocabulary) -> Option<TokenId> {
    let words = ui.words();
    let memory = ui.scope_id().with("token to add");
    let mut text: String = ui.data(|data| data.get_temp(memory)).unwrap_or_default();
    let mut entered = None;
    ui.horizontal(|ui| {
        let field =
            egui::TextEdit::singleline(&mut text).hint_text(say!(words, "details-token-hint")).desired_width(120.0);
        let field = ui.add(field);
        field.widget_info(|| {
            let mut info = egui::WidgetInfo::text_edit(true, "", &text, say!(words, "details-token-hint"));
            info.label = Some(say!(words, "details-token").to_owned());
            info
        });
        let enter = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
        let found = vocabulary.search(&text, 1).first().copied().filter(|_| !text.is_empty());
        let button = match found {
            Some(id) => say!(words, "details-add-token", token = vocabulary.display(id)),
            None => say!(words, "details-add").to_owned(),
        };
        let pressed = ui.add_enabled(found.is_some(), egui::Button::new(button).truncate()).clicked();
        if enter || pressed {
            entered = found;
        }
    });
    if entered.is_some() {
        text.clear();
    }
    ui.data_mut(|data| data.insert_temp(memory, text));
    entered
}

/// The kind under which a stage is recorded: at T = 0 the temperature is greedy.
pub(super) fn recorded_kind(settings: &SamplerSettings, kind: StageKind) -> StageKind {
    let is_greedy = settings.slot(kind).is_some_and(|slot| slot.on && slot.stage.is_greedy());
    if is_greedy { StageKind::Greedy } else { kind }
}
