//! The text strip: the tokens of the prompt and of the continuation, as chips.

use crate::app::{Action, AppState, Cursor, LoopStage, TextToken, TextView};
use crate::trace::{Draw, Vocabulary};
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::ui::widgets::Chip;
use egui::{Align, Layout, RichText, ScrollArea, Sense, Ui, vec2};

/// Draws the tokens so far, the count against the window, and what to do when there are none.
pub fn text_panel_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let palette = Palette::of(ui);
    let view = TextView::of(state);
    header_ui(ui, &view, palette);
    if let Some(problem) = &state.prompt.problem {
        ui.colored_label(palette.error, problem);
    }
    let Some(model) = &state.model.loaded else {
        ui.label(RichText::new("The model is loading…").color(palette.quiet));
        return;
    };
    if view.is_empty() {
        ui.label(
            RichText::new("This model puts no start token in front of a text, so it needs a prompt: type one above")
                .color(palette.quiet),
        );
        return;
    }
    let running = state.current_run().is_some_and(|run| run.activity == crate::app::Activity::Running);
    ScrollArea::vertical().id_salt("text").auto_shrink([false, false]).stick_to_bottom(running).show(ui, |ui| {
        ui.with_layout(Layout::left_to_right(Align::TOP).with_main_wrap(true), |ui| {
            ui.spacing_mut().item_spacing = vec2(3.0, 4.0);
            for position in 0..view.len() {
                token_ui(ui, &view.token(position), &model.vocabulary, out);
            }
        });
    });
}

fn header_ui(ui: &mut Ui, view: &TextView<'_>, palette: &Palette) {
    ui.horizontal(|ui| {
        let n_generated = view.len() - view.n_prompt();
        let quiet = |text: String| RichText::new(text).small().color(palette.quiet);
        ui.label(quiet("Text so far".to_owned()));
        ui.label(RichText::new(format!("■ {} from the prompt", view.n_prompt())).small().color(palette.prompt));
        ui.label(RichText::new(format!("■ {n_generated} generated, by probability")).small().color(palette.accent));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(context_length) = view.context_length() {
                let text = format!("{} / {} tokens", view.len(), format::count(context_length as u64));
                let color = if view.len() > context_length { palette.error } else { palette.text };
                ui.label(RichText::new(text).color(color)).on_hover_text("Tokens so far against the context window");
            }
        });
    });
}

fn token_ui(ui: &mut Ui, token: &TextToken<'_>, vocabulary: &Vocabulary, out: &mut Vec<Action>) {
    let text = token.piece.map_or_else(|| vocabulary.display(token.id), crate::trace::Piece::display);
    let special = token.piece.map_or_else(|| vocabulary.is_special(token.id), |piece| piece.special);
    let prob = token.step.map(|step| step.sampling.chosen.prob);
    let chip = Chip {
        special,
        prob,
        prompt: token.step.is_none(),
        later: token.later,
        current: token.current,
        ..Chip::new(&text)
    };
    let sense = if token.step.is_some() { Sense::click() } else { Sense::hover() };
    let response = chip.ui(ui, sense, || match prob {
        None => format!("Prompt token {}, {text}, id {}", token.position + 1, token.id),
        Some(prob) => format!("Token {}, {text}, {}", token.position + 1, format::percent(prob)),
    });
    let Some(step) = token.step else {
        response.on_hover_ui(|ui| {
            ui.label(format!("id {} · position {} · from the prompt", token.id, token.position));
            if special {
                ui.label("A special token: it marks the text and is no part of it");
            }
        });
        return;
    };
    if response.clicked() {
        out.push(Action::GoTo(Cursor { step: step.index, stage: LoopStage::Append }));
    }
    if token.current && !ui.rect_contains_pointer(ui.clip_rect()) {
        response.scroll_to_me(None);
    }
    response.on_hover_ui(|ui| {
        let sampling = &step.sampling;
        ui.label(format!("id {} · position {} · step {}", token.id, token.position, step.index + 1));
        ui.label(format!(
            "{} of the model's own distribution, rank {}",
            format::percent(sampling.chosen.prob),
            format::count(u64::from(sampling.chosen.rank))
        ));
        ui.label(format!("{} after the samplers", format::percent(sampling.chosen_final_prob)));
        match sampling.draw {
            Draw::Greedy => ui.label("Taken greedily"),
            Draw::Coin { u, .. } => ui.label(format!("Drawn with u = {u:.4}")),
        };
        ui.label("Click to go to this step");
    });
}
