//! The picture of the room that is shown, or why there is none yet.

use super::{attention, attribution, cache, embeddings, interventions, lens, map, patching};
use crate::app::{Action, Chart, InsideAction, InsidePass, InsideView, InterventionAction, LookView};
use crate::ui::edits::edits_text;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::Explain as _;
use crate::words::{Speaks as _, say};
use egui::{RichText, Ui};

/// Draws what is known of the inside of the shown step.
pub fn inside_ui(ui: &mut Ui, view: &InsideView<'_>, out: &mut Vec<Action>) {
    let pass = match view.look {
        LookView::Recorded(pass) => pass,
        LookView::NoStep => return said_ui(ui, say!(ui, "inside-no-step")),
        LookView::OtherModel => return said_ui(ui, say!(ui, "inside-other-model")),
        LookView::UnderWay => return said_ui(ui, say!(ui, "inside-under-way")),
        LookView::NotRecorded { n_tokens } => {
            let words = ui.words();
            said_ui(ui, &say!(words, "inside-not-recorded", n = format::count(words, n_tokens as u64)));
            if ui.button(say!(words, "inside-look")).clicked() {
                out.push(InsideAction::Look.into());
            }
            return;
        }
    };
    if let Some(step) = pass.earlier {
        ui.label(RichText::new(say!(ui, "inside-earlier", n = step + 1)).color(Palette::of(ui).quiet));
    }
    if view.chart != Chart::Interventions {
        changed_ui(ui, &pass, out);
    }
    match view.chart {
        Chart::Embeddings => embeddings::embeddings_ui(ui, view, &pass, out),
        Chart::Attention => attention::attention_ui(ui, view, &pass, out),
        Chart::Cache => cache::cache_ui(ui, view, &pass, out),
        Chart::Lens => lens::lens_ui(ui, view, &pass, out),
        Chart::Attribution => attribution::attribution_ui(ui, view, &pass, out),
        Chart::Interventions => interventions::interventions_ui(ui, view, &pass, out),
        Chart::Patching => patching::patching_ui(ui, view, &pass, out),
        _ => map::map_ui(ui, view, &pass, out),
    }
}

/// What the changed model computes is never shown as if it were the model's own.
fn changed_ui(ui: &mut Ui, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let (words, n) = (ui.words(), pass.look.edits.len());
    let is_tried = *pass.look.edits != *pass.made_with;
    let text = match (is_tried, n) {
        (false, 0) => return,
        (false, n) => say!(words, "inside-made-changed", n = n),
        (true, 0) => say!(words, "inside-unchanged").to_owned(),
        (true, n) => say!(words, "inside-changed", n = n),
    };
    ui.horizontal_wrapped(|ui| {
        let label = ui.label(RichText::new(text).color(Palette::of(ui).what_if));
        if n > 0 {
            label.explain(edits_text(words, &pass.look.edits));
        }
        let (back, action) = if pass.made_with.is_empty() {
            (say!(words, "interventions-clear"), InterventionAction::Clear)
        } else {
            (say!(words, "interventions-as-made"), InterventionAction::AsMade)
        };
        if is_tried && ui.button(back).clicked() {
            out.push(InsideAction::Intervene(action).into());
        }
    });
}

fn said_ui(ui: &mut Ui, text: &str) {
    ui.add_space(2.0 * theme::UNIT);
    ui.label(RichText::new(text).color(Palette::of(ui).quiet));
}
