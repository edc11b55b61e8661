//! The sampler section: the chain as a list of stages to switch, drag and set, the seed, and the limit.

use super::stage_row::{greedy_line_ui, newly_open, stage_row_ui};
use crate::app::{Action, RunAction, SamplersAction, SamplersView};
use crate::sampling::{SamplerSettings, StageKind, presets};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::ui::widgets::{Explain as _, check_ui};
use crate::words::{Speaks as _, say};
use egui::{DragValue, Key, RichText, Stroke, Ui};
use std::cell::Cell;

/// Draws the chain, the seed and the limit, and what each stage did to the shown step.
pub fn sampler_panel_ui(ui: &mut Ui, view: &SamplersView<'_>, out: &mut Vec<Action>) {
    let mut settings = view.settings.clone();
    if view.open_stage.is_none() {
        newly_open(ui, None);
    }
    head_ui(ui, &mut settings);
    greedy_line_ui(ui, view.step.as_ref(), &settings);
    chain_ui(ui, view, &mut settings, out);
    ui.separator();
    limits_ui(ui, view.max_new_tokens, &mut settings, out);
    // What is dragged or typed anew is another change, even of the same value.
    if ui.input(|input| input.pointer.any_pressed() || input.key_pressed(Key::Enter)) {
        out.push(SamplersAction::EndDrag.into());
    }
    if settings != *view.settings {
        out.push(SamplersAction::Set(settings).into());
    }
}

fn head_ui(ui: &mut Ui, settings: &mut SamplerSettings) {
    let words = ui.words();
    ui.horizontal(|ui| {
        let mut greedy = settings.is_greedy();
        let switch = check_ui(ui, &mut greedy, &words.render(&StageKind::Greedy.name));
        let switch = switch.explain(words.render(&StageKind::Greedy.one_line));
        anchors::mark(ui, "stage.greedy", switch.rect);
        if switch.changed() {
            settings.toggle_greedy();
        }
        let presets = ui.menu_button(say!(words, "sampler-presets"), |ui| {
            for preset in presets() {
                if ui.button(words.render(&preset.name)).explain(words.render(&preset.what)).clicked() {
                    *settings = preset.settings(settings.seed);
                    ui.close();
                }
            }
        });
        anchors::mark(ui, "presets", presets.response.rect);
        presets.response.explain(say!(words, "sampler-presets-what"));
        let add = ui.menu_button(say!(words, "sampler-add"), |ui| {
            for kind in StageKind::ALL {
                if settings.slot(kind).is_some() {
                    continue;
                }
                if ui.button(words.render(&kind.name)).explain(words.render(&kind.one_line)).clicked() {
                    settings.set(kind.usual());
                    ui.close();
                }
            }
        });
        anchors::mark(ui, "add", add.response.rect);
        add.response.explain(say!(words, "sampler-add-what"));
        if ui.button(say!(words, "sampler-reset")).explain(say!(words, "sampler-reset-what")).clicked() {
            *settings = SamplerSettings::default().with_seed(settings.seed);
        }
    });
}

/// The stages in their order, each of which can be dragged to another place.
fn chain_ui(ui: &mut Ui, view: &SamplersView<'_>, settings: &mut SamplerSettings, out: &mut Vec<Action>) {
    let mut kinds: Vec<_> = settings.slots.iter().map(|slot| slot.stage.kind()).collect();
    // At the end, where it usually is, greedy is nothing more than its switch above.
    kinds.pop_if(|last| *last == StageKind::Greedy);
    if kinds.is_empty() && !settings.is_greedy() {
        ui.label(RichText::new(say!(ui, "sampler-empty")).color(Palette::of(ui).quiet));
    }
    for (place, &kind) in kinds.iter().enumerate() {
        let row = ui.push_id(kind.key, |ui| stage_row_ui(ui, view, settings, kind, out)).response;
        anchors::mark(ui, format!("stage.{}", kind.key), row.rect);
        let drop = ui.interact(row.rect, row.id.with("drop"), egui::Sense::hover());
        if let Some(dragged) = drop.dnd_hover_payload::<StageKind>() {
            let stroke = Stroke::new(2.0, Palette::of(ui).accent);
            // It takes this place: what it comes from above moves up.
            let from_above = kinds.iter().position(|kind| kind == &*dragged).is_some_and(|from| from < place);
            let line = if from_above { row.rect.bottom() } else { row.rect.top() };
            ui.painter().hline(row.rect.x_range(), line, stroke);
        }
        if let Some(dragged) = drop.dnd_release_payload::<StageKind>() {
            settings.move_to(*dragged, place);
        }
    }
}

/// A seed of more digits leaves no room beside it.
const WIDEST_SEED: u64 = 9_999_999_999;

fn limits_ui(ui: &mut Ui, max_new_tokens: usize, settings: &mut SamplerSettings, out: &mut Vec<Action>) {
    if settings.seed > WIDEST_SEED {
        ui.horizontal(|ui| seed_ui(ui, settings));
        ui.horizontal(|ui| max_tokens_ui(ui, max_new_tokens, out));
    } else {
        ui.horizontal(|ui| {
            seed_ui(ui, settings);
            max_tokens_ui(ui, max_new_tokens, out);
        });
    }
}

/// The field reckons in f64, which has not every u64: what it shows and what is typed are exact all the same.
fn seed_ui(ui: &mut Ui, settings: &mut SamplerSettings) {
    let words = ui.words();
    let label = ui.label(say!(words, "sampler-seed")).explain(say!(words, "sampler-seed-what"));
    let before = settings.seed;
    let written = move |value: f64| if value == before as f64 { before.to_string() } else { format!("{value:.0}") };
    let typed = Cell::new(None);
    let read = |text: &str| {
        let value = format::read_count(words, text)?;
        let is_whole = value >= 0.0 && value.fract() == 0.0;
        typed.set(text.replace(|c: char| !c.is_ascii_digit(), "").parse::<u64>().ok().filter(|_| is_whole));
        Some(value)
    };
    let drag = DragValue::new(&mut settings.seed).speed(0.1).custom_parser(read);
    let field = ui.add(drag.custom_formatter(move |value, _| written(value))).labelled_by(label.id);
    let exact = [typed.get(), Some(before)].into_iter().flatten().find(|seed| *seed as f64 == settings.seed as f64);
    settings.seed = exact.unwrap_or(settings.seed);
    anchors::mark(ui, "seed", label.rect.union(field.rect));
}

fn max_tokens_ui(ui: &mut Ui, mut max: usize, out: &mut Vec<Action>) {
    let words = ui.words();
    let label = ui.label(say!(words, "sampler-max-tokens")).explain(say!(words, "sampler-max-tokens-what"));
    let drag = DragValue::new(&mut max).range(1..=100_000).speed(1.0).custom_parser(|n| format::read_count(words, n));
    let field = ui.add(drag.update_while_editing(false)).labelled_by(label.id);
    anchors::mark(ui, "max_tokens", label.rect.union(field.rect));
    if field.changed() {
        out.push(RunAction::SetMaxNewTokens(max).into());
    }
}
