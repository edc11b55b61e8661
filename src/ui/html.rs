//! The shown text with its colours, as a page for a browser.

use super::format;
use super::theme::Palette;
use crate::app::{AppState, TextView};
use std::fmt::Write as _;

/// The page; in the light colours, which paper has too.
pub fn text_page(state: &AppState) -> String {
    let Some(model) = state.shown_model() else { return String::new() };
    let (palette, tint) = (Palette::light(), state.view.tint);
    let text = TextView::of(state);
    let mut body = String::new();
    for position in 0..text.len() {
        let token = text.token(position);
        let written = match std::str::from_utf8(model.vocabulary.bytes(token.id)) {
            Ok(text) if !model.vocabulary.is_special(token.id) => text.to_owned(),
            _ => model.vocabulary.display(token.id),
        };
        let (mut style, mut title) = (String::new(), format!("id {}", token.id));
        if let Some(numbers) = token.numbers() {
            let fill = palette.tint_fill(tint.is_surprise(), tint.strength(&numbers));
            style = format!("background:#{:02x}{:02x}{:02x}", fill.r(), fill.g(), fill.b());
            title = format!(
                "{}, rank {}, entropy {}, surprisal {}",
                format::percent(numbers.prob),
                format::count(u64::from(numbers.rank)),
                format::bits(numbers.entropy_bits),
                format::bits(numbers.surprisal_bits)
            );
        }
        let class = if token.step.is_some() { "generated" } else { "prompt" };
        let _infallible = write!(
            body,
            "<span class=\"{class}\" style=\"{style}\" title=\"{}\">{}</span>",
            escaped(&title),
            escaped(&written)
        );
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>\n\
         body {{ font: 18px/1.7 sans-serif; max-width: 42em; margin: 3em auto; color: #16191f; }}\n\
         p.text {{ white-space: pre-wrap; }}\n span {{ border-radius: 3px; }}\n span.prompt {{ border-bottom: 2px solid #5f45c2; }}\n\
         small {{ color: #4d5666; }}\n</style></head>\n<body><p class=\"text\">{body}</p>\n\
         <p><small>Coloured by {tint}: strong where {means}. Underlined: the prompt. Model: {model}. Made with Tokenscope.</small></p>\n</body></html>\n",
        title = escaped(&state.prompt.text),
        tint = tint.name(),
        means = tint.strong_means(),
        model = escaped(&model.card.id),
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
