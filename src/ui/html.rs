//! The shown text with its colours, as a page for a browser.

use super::edits::edits_text;
use super::format;
use super::theme::Palette;
use crate::app::Views;
use crate::words::{Words, say};
use std::fmt::Write as _;

/// The page; in the light colours, which paper has too.
pub fn text_page(words: Words, views: &Views<'_>) -> String {
    let Some(model) = views.run.text.model else { return String::new() };
    let (palette, tint) = (Palette::light(), views.run.text.tint);
    let text = views.run.text.tokens;
    let written = text.written(&model.vocabulary);
    let (mut body, mut is_changed) = (String::new(), false);
    for (position, written) in written.iter().enumerate() {
        let token = text.token(position);
        let (mut style, mut title) = (String::new(), say!(words, "text-page-token", id = token.id));
        if let Some(numbers) = token.numbers() {
            let fill = palette.tint_fill(tint.is_surprise(), tint.strength(&numbers));
            style = format!("background:{}", hex(fill));
            title = say!(
                words,
                "text-page-numbers",
                prob = format::percent(words, numbers.prob),
                rank = format::count(words, u64::from(numbers.rank)),
                entropy = format::bits(words, numbers.entropy_bits),
                surprisal = format::bits(words, numbers.surprisal_bits),
            );
        }
        let class = match token.step {
            None if token.edits.is_empty() => "prompt",
            None => {
                let read = say!(words, "text-read-changed", edits = edits_text(words, token.edits));
                title = format!("{title}. {read}");
                "prompt"
            }
            Some(step) if step.edits.is_empty() => "generated",
            Some(step) => {
                title = format!("{title}. {}", say!(words, "text-changed", edits = edits_text(words, &step.edits)));
                is_changed = true;
                "changed"
            }
        };
        let _infallible = write!(
            body,
            "<span class=\"{class}\" style=\"{style}\" title=\"{}\">{}</span>",
            escaped(&title),
            escaped(written)
        );
    }
    let (name, means) = (words.render(&tint.label()), words.render(&tint.strong_means()));
    let mut foot = say!(words, "text-page-foot", tint = name, means = means, model = &*model.card.id);
    if is_changed {
        foot = format!("{foot} {}", say!(words, "text-page-changed"));
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"{code}\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>\n\
         body {{ font: 18px/1.7 sans-serif; max-width: 42em; margin: 3em auto; color: {text}; }}\n\
         p.text {{ white-space: pre-wrap; }}\n span {{ border-radius: 3px; }}\n span.prompt {{ border-bottom: 2px solid {prompt}; }}\n span.changed {{ border-top: 2px solid {changed}; }}\n\
         small {{ color: {quiet}; }}\n</style></head>\n<body><p class=\"text\">{body}</p>\n\
         <p><small>{foot}</small></p>\n</body></html>\n",
        title = escaped(views.prompt.text),
        code = words.language().code(),
        foot = escaped(&foot),
        text = hex(palette.text),
        prompt = hex(palette.prompt),
        changed = hex(palette.what_if),
        quiet = hex(palette.quiet),
    )
}

/// A colour as a page writes it.
fn hex(color: egui::Color32) -> String {
    format!("#{:02x}{:02x}{:02x}", color.r(), color.g(), color.b())
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
