//! The prompt under a second tokenizer beside the model's own: tokens, how many, and how much text each stands for.

use crate::app::{Action, InsideAction, TokenizedView, TokenizerAction, TokenizersView};
use crate::engine::TokenizerSource;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, Explain as _, Flow};
use crate::words::{Speaks as _, say};
use egui::{RichText, Sense, Ui, vec2};

/// So many tokens of each are drawn.
const MOST_TOKENS: usize = 300;

/// Draws what chooses a second tokenizer, and once there is one, the prompt under both.
pub fn second_tokenizer_ui(ui: &mut Ui, view: &TokenizersView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.label(RichText::new(say!(words, "tokenizers-heading")).heading());
    ui.horizontal_wrapped(|ui| {
        for (name, hint, action) in [
            (say!(words, "tokenizers-folder"), say!(words, "tokenizers-folder-hint"), TokenizerAction::PickFolder),
            (say!(words, "tokenizers-file"), say!(words, "tokenizers-file-hint"), TokenizerAction::PickFile),
            (
                say!(words, "tokenizers-bundled"),
                say!(words, "tokenizers-bundled-hint"),
                TokenizerAction::Use(TokenizerSource::Bundled),
            ),
        ] {
            if ui.button(name).explain(hint).clicked() {
                out.push(InsideAction::Tokenizer(action).into());
            }
        }
        if view.is_chosen && ui.button(say!(words, "tokenizers-leave")).clicked() {
            out.push(InsideAction::Tokenizer(TokenizerAction::Leave).into());
        }
    });
    if view.is_chosen {
        for text in &view.texts {
            tokenized_ui(ui, text);
        }
    } else {
        ui.label(RichText::new(say!(words, "tokenizers-about")).color(palette.quiet));
    }
    if let Some(failure) = view.failure {
        ui.colored_label(palette.error, format::sentence(&words.tell(failure)));
    } else if view.is_awaited {
        ui.label(RichText::new(say!(words, "tokenizers-reading")).color(palette.quiet));
    }
}

/// The tokens under one tokenizer.
fn tokenized_ui(ui: &mut Ui, text: &TokenizedView<'_>) {
    let words = ui.words();
    let pieces = match text.pieces {
        Ok(pieces) => pieces,
        Err(problem) => {
            let problem = format::sentence(&words.tell(problem));
            ui.colored_label(Palette::of(ui).error, format!("{}: {problem}", text.name));
            return;
        }
    };
    let mut line = say!(words, "tokenizers-count", name = &*text.name, n = pieces.len());
    if let Some(chars) = text.chars_per_token {
        let chars = words.numeral(format!("{chars:.2}"));
        line = format!("{line} · {}", say!(words, "tokenizers-chars", n = chars));
    }
    ui.add_space(theme::UNIT);
    ui.label(line).explain(say!(words, "tokenizers-chars-hint"));
    let names: Vec<_> = pieces.iter().take(MOST_TOKENS).map(|piece| (piece.display(), piece)).collect();
    let chip = |n: usize| Chip { special: names[n].1.special, ..Chip::new(&names[n].0) };
    let sizes: Vec<_> = (0..names.len()).map(|n| chip(n).size(ui)).collect();
    Flow::place(ui, sizes.into_iter(), vec2(4.0, 4.0)).ui(ui, |ui, n| {
        let label = || say!(words, "card-chip", n = n, token = &*names[n].0);
        let response = chip(n).ui(ui, Sense::hover(), label);
        response.explain_cell(format!("{} {}", say!(words, "card-id"), names[n].1.id));
    });
    if pieces.len() > MOST_TOKENS {
        ui.label("…");
    }
}
