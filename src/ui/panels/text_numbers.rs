//! The text section: perplexity, and the tokens that the model expected least.

use super::inspector::fact_ui;
use crate::app::{Action, AppState, Cursor, LoopStage, TextNumbers, TextToken, TokenNumbers};
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::ui::widgets::Chip;
use egui::{Align, Layout, RichText, Sense, Ui, vec2};

/// How many of the least expected tokens are listed.
const N_LISTED: usize = 8;

/// Draws the text summed up.
pub fn text_numbers_panel_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let Some(numbers) = TextNumbers::of(state, N_LISTED) else {
        ui.label(RichText::new("Nothing has been read yet").color(palette.quiet));
        return;
    };
    let explanation = "exp of the mean of −ln p over its tokens, each under the model itself at T = 1: \
                       as unsure as if it chose among so many equally likely tokens";
    for (name, perplexity, log_prob) in [
        ("Prompt", numbers.prompt_perplexity, numbers.prompt_log_prob),
        ("Generated", numbers.generated_perplexity, numbers.generated_log_prob),
    ] {
        let Some(perplexity) = perplexity else { continue };
        let value = format!("{} · log p {}", format::short(perplexity), format::logit(log_prob));
        fact_ui(ui, &format!("{name}: perplexity"), value).on_hover_text(explanation);
    }
    ui.add_space(4.0);
    ui.label(RichText::new("Least expected tokens").color(palette.quiet));
    for (token, numbers) in &numbers.least_expected {
        token_ui(ui, state, token, numbers, out);
    }
}

fn token_ui(ui: &mut Ui, state: &AppState, token: &TextToken<'_>, numbers: &TokenNumbers, out: &mut Vec<Action>) {
    let Some(model) = state.shown_model() else { return };
    let palette = Palette::of(ui);
    let text = model.vocabulary.display(token.id);
    let best = token.alternatives(1).first().map(|best| model.vocabulary.display(best.id)).unwrap_or_default();
    ui.horizontal(|ui| {
        let chip = Chip {
            prob: Some(crate::app::Tint::Surprisal.strength(numbers)),
            surprise: true,
            prompt: token.step.is_none(),
            ..Chip::new(&text)
        };
        let sense = if token.step.is_some() { Sense::click() } else { Sense::hover() };
        let name =
            || format!("Least expected: token {}, {text}, {}", token.position + 1, format::percent(numbers.prob));
        let response = chip.ui(ui, sense, name);
        if let Some(step) = token.step.filter(|_| response.clicked()) {
            out.push(Action::GoTo(Cursor { step: step.index, stage: LoopStage::Append }));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.set_min_size(vec2(0.0, 20.0));
            let line = format!("{} · rank {}", format::percent(numbers.prob), format::count(u64::from(numbers.rank)));
            ui.add(egui::Label::new(RichText::new(line).small().color(palette.quiet)).truncate()).on_hover_text(
                format!(
                    "{} of surprisal at position {}; the model expected {best}",
                    format::bits(numbers.surprisal_bits),
                    token.position
                ),
            );
        });
    });
}
