//! How ids become vectors: a row with its neighbours, tokens on a plane, and how positions turn queries and keys.

mod plane;
mod positions;
mod vector;

use super::tokens;
use crate::app::{Action, EmbeddingsAction, EmbeddingsPart, EmbeddingsView, InsideAction, InsidePass, InsideView};
use crate::trace::TokenId;
use crate::ui::anchors;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, Explain as _, segmented};
use crate::words::{Speaks as _, say};
use egui::{RichText, ScrollArea, Sense, TextEdit, Ui};

/// Draws the part that is chosen.
pub fn embeddings_ui(ui: &mut Ui, view: &InsideView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    tokens::tokens_ui(ui, pass, out);
    let own = &view.embeddings;
    ui.horizontal(|ui| {
        parts_ui(ui, own.part, out);
        if own.part != EmbeddingsPart::Positions {
            ui.separator();
            search_ui(ui, own, out);
        }
    });
    match own.part {
        EmbeddingsPart::Vector => {
            hits_ui(ui, own, pass, out, vector::hit_ui);
            vector::vector_ui(ui, own, pass, out);
        }
        EmbeddingsPart::Plane => {
            hits_ui(ui, own, pass, out, plane::hit_ui);
            plane::plane_ui(ui, own, pass, out);
        }
        EmbeddingsPart::Positions => positions::positions_ui(ui, view, pass, out),
    }
}

fn parts_ui(ui: &mut Ui, part: EmbeddingsPart, out: &mut Vec<Action>) {
    let words = ui.words();
    let parts = [
        (EmbeddingsPart::Vector, say!(words, "embeddings-vector"), say!(words, "embeddings-vector-hint")),
        (EmbeddingsPart::Plane, say!(words, "embeddings-plane"), say!(words, "embeddings-plane-hint")),
        (EmbeddingsPart::Positions, say!(words, "embeddings-positions"), say!(words, "embeddings-positions-hint")),
    ];
    let row = ui.horizontal(|ui| segmented(ui, part, &parts));
    if let Some(part) = row.inner {
        out.push(of(EmbeddingsAction::Show(part)));
    }
    anchors::mark(ui, "inside.embeddings.parts", row.response.rect);
}

fn search_ui(ui: &mut Ui, view: &EmbeddingsView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let mut query = view.query.to_owned();
    let edit = TextEdit::singleline(&mut query)
        .id_salt("embeddings-search")
        .desired_width(190.0)
        .hint_text(say!(words, "embeddings-search"))
        .background_color(Palette::of(ui).raised);
    let response = ui.add(edit).accessible_name(say!(words, "embeddings-search-name"));
    anchors::mark(ui, "inside.embeddings.search", response.rect);
    if response.changed() {
        out.push(of(EmbeddingsAction::Search(query)));
    }
    if !view.query.is_empty() && ui.button("✕").explain(say!(words, "charts-search-stop")).clicked() {
        out.push(of(EmbeddingsAction::Search(String::new())));
    }
}

/// The tokens that were found side by side; `hit_ui` draws one and what can be done with it.
fn hits_ui(
    ui: &mut Ui,
    view: &EmbeddingsView<'_>,
    pass: &InsidePass<'_>,
    out: &mut Vec<Action>,
    hit_ui: impl Fn(&mut Ui, &EmbeddingsView<'_>, &str, TokenId, &mut Vec<Action>),
) {
    if view.query.is_empty() {
        return;
    }
    if view.hits.is_empty() {
        ui.label(RichText::new(say!(ui, "embeddings-none-found")).color(Palette::of(ui).quiet));
        return;
    }
    ScrollArea::horizontal().id_salt("embeddings-hits").auto_shrink([false, true]).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::UNIT;
            for &id in view.hits {
                hit_ui(ui, view, &pass.vocabulary.display(id), id, out);
            }
        });
    });
}

/// A token that does something when it is clicked.
fn token_ui(ui: &mut Ui, chip: Chip<'_>, id: TokenId, action: EmbeddingsAction, hint: &str, out: &mut Vec<Action>) {
    let words = ui.words();
    let name = chip.text;
    let response = chip.ui(ui, Sense::click(), || say!(words, "embeddings-token", token = name, id = id));
    if response.clicked() {
        out.push(of(action));
    }
    response.explain_cell(hint);
}

fn of(action: EmbeddingsAction) -> Action {
    InsideAction::Embeddings(action).into()
}
