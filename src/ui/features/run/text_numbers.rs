//! The text section: perplexity, and the tokens that the model expected least.

use crate::app::{Action, Cursor, LoopStage, RunAction, StripView, TextNumbers, TextToken, Tint, TokenNumbers};
use crate::trace::Vocabulary;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::ui::widgets::{Chip, Explain as _, fact_ui};
use crate::words::{Speaks as _, say};
use egui::{Align, Layout, RichText, Sense, Ui, vec2};

/// How many of the least expected tokens are listed.
const N_LISTED: usize = 8;

/// Draws the text summed up.
pub fn text_numbers_panel_ui(ui: &mut Ui, view: &StripView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let Some((numbers, model)) = TextNumbers::of(view.tokens, N_LISTED).zip(view.model) else {
        ui.label(RichText::new(say!(words, "text-nothing-read")).color(palette.quiet));
        return;
    };
    for (name, perplexity, log_prob) in [
        (say!(words, "text-perplexity-prompt"), numbers.prompt_perplexity, numbers.prompt_log_prob),
        (say!(words, "text-perplexity-generated"), numbers.generated_perplexity, numbers.generated_log_prob),
    ] {
        let Some(perplexity) = perplexity else { continue };
        fact_ui(ui, name, format::short(words, perplexity)).explain(say!(words, "text-perplexity-hint"));
        fact_ui(ui, say!(words, "text-log-prob"), say!(words, "format-nats", n = format::logit(words, log_prob)));
    }
    ui.add_space(4.0);
    ui.label(RichText::new(say!(words, "text-least-expected")).color(palette.quiet));
    for (token, numbers) in &numbers.least_expected {
        token_ui(ui, &model.vocabulary, token, numbers, out);
    }
}

fn token_ui(
    ui: &mut Ui,
    vocabulary: &Vocabulary,
    token: &TextToken<'_>,
    numbers: &TokenNumbers,
    out: &mut Vec<Action>,
) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let text = vocabulary.display(token.id);
    let best = token.alternatives(1).first().map(|best| vocabulary.display(best.id)).unwrap_or_default();
    ui.horizontal(|ui| {
        let chip = Chip {
            prob: Some(Tint::Surprisal.strength(numbers)),
            surprise: true,
            prompt: token.step.is_none(),
            ..Chip::new(&text)
        };
        let sense = if token.step.is_some() { Sense::click() } else { Sense::hover() };
        let prob = format::percent(words, numbers.prob);
        let name = || say!(words, "text-least-expected-token", n = token.position + 1, token = &*text, prob = &*prob);
        let response = chip.ui(ui, sense, name);
        if let Some(step) = token.step.filter(|_| response.clicked()) {
            out.push(RunAction::GoTo(Cursor { step: step.index, stage: LoopStage::Append }).into());
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.set_min_size(vec2(0.0, 20.0));
            let line =
                say!(words, "text-prob-rank", prob = &*prob, rank = format::count(words, u64::from(numbers.rank)));
            let bits = format::bits(words, numbers.surprisal_bits);
            ui.add(egui::Label::new(RichText::new(line).small().color(palette.quiet)).truncate()).explain(say!(
                words,
                "text-prob-rank-hint",
                bits = bits,
                position = token.position,
                best = &*best
            ));
        });
    });
}
