//! The line above the text: how it is written and coloured, how much of it is in the KV cache, and how long it is.

use super::kv_strip;
use crate::app::{Action, ExploreAction, ScreenAction, StripView, TextStyle, Tint};
use crate::trace::Tree;
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::Palette;
use crate::ui::widgets::{Explain as _, segmented};
use crate::words::{Speaks as _, Words, say};
use egui::{Align, Layout, RichText, Ui};
use strum::IntoEnumIterator as _;

/// Draws the style, what the colours say, how much of the KV cache is filled, the branch, and the count of tokens.
pub fn text_header_ui(ui: &mut Ui, strip: &StripView<'_>, out: &mut Vec<Action>) {
    let view = &strip.tokens;
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.horizontal(|ui| {
        let n_generated = view.len() - view.n_prompt();
        let styles = [
            (TextStyle::Tokens, say!(words, "text-tokens"), say!(words, "text-tokens-hint")),
            (TextStyle::Reading, say!(words, "text-reading"), say!(words, "text-reading-hint")),
        ];
        if let Some(style) = segmented(ui, strip.style, &styles) {
            out.push(ScreenAction::SetTextStyle(style).into());
        }
        ui.label(RichText::new(say!(words, "text-n-prompt", n = view.n_prompt())).small().color(palette.prompt));
        let mark = if strip.tint.is_surprise() { palette.surprise } else { palette.accent };
        ui.label(RichText::new(say!(words, "text-n-generated", n = n_generated)).small().color(mark));
        tint_ui(ui, strip.tint, out);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(context_length) = view.context_length {
                let text =
                    say!(words, "text-window", n = view.len(), most = format::count(words, context_length as u64));
                let color = if view.is_too_long() { palette.error } else { palette.text };
                ui.label(RichText::new(text).color(color)).explain(say!(words, "text-window-hint"));
            }
            branch_choice_ui(ui, strip.tree, out);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| kv_strip::filled_ui(ui, &strip.cells));
        });
    });
}

fn tint_ui(ui: &mut Ui, tint: Tint, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.label(RichText::new(say!(words, "text-tint")).small().color(palette.quiet));
    let choice =
        egui::ComboBox::from_id_salt("tint").selected_text(words.render(&tint.label())).width(96.0).show_ui(ui, |ui| {
            for other in Tint::iter() {
                if ui
                    .selectable_label(other == tint, words.render(&other.label()))
                    .explain(strong(words, other))
                    .clicked()
                {
                    out.push(ScreenAction::SetTint(other).into());
                }
            }
        });
    anchors::mark(ui, "tint", choice.response.rect);
    choice.response.explain(strong(words, tint));
}

fn strong(words: Words, tint: Tint) -> String {
    say!(words, "text-tint-hint", means = words.render(&tint.strong_means()))
}

/// Which branch is shown, once there are several.
fn branch_choice_ui(ui: &mut Ui, tree: Option<&Tree>, out: &mut Vec<Action>) {
    let Some(tree) = tree.filter(|tree| tree.branches().len() > 1) else {
        return;
    };
    let shown = tree.current();
    let choice = egui::ComboBox::from_id_salt("branch").selected_text(shown.label()).show_ui(ui, |ui| {
        for branch in tree.in_order() {
            if ui.selectable_label(branch.id == shown.id, branch.label()).clicked() {
                out.push(ExploreAction::SwitchBranch(branch.id).into());
            }
        }
    });
    let keys = [keys::PREVIOUS_BRANCH, keys::NEXT_BRANCH].map(|key| key.label(ui.words())).join(", ");
    anchors::mark(ui, "branch", choice.response.rect);
    choice.response.explain(say!(ui, "text-branch-hint", keys = keys));
}
