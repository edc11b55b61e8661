//! The text that the shown one is held against: how it is made, and once it is there, where it differs.

use crate::app::{Action, Fit, InsideAction, InsidePass, PatchAction, PatchingView};
use crate::trace::PatchSite;
use crate::ui::format;
use crate::ui::theme::Palette;
use crate::ui::widgets::{Chip, segmented};
use crate::words::{Speaks as _, Words, say};
use egui::{Button, Key, RichText, Sense, TextEdit, Ui};
use strum::IntoEnumIterator as _;

/// So many tokens that differ are shown.
const MOST_SHOWN: usize = 4;

/// Draws what makes the second text, or where it differs and what of the shown one is put into its run.
pub fn second_text_ui(ui: &mut Ui, view: &PatchingView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    if view.differences.is_empty() {
        swap_ui(ui, view, pass, out);
        typed_ui(ui, view, out);
    } else {
        ui.horizontal_wrapped(|ui| {
            differences_ui(ui, view, pass, out);
            ui.separator();
            sites_ui(ui, view, out);
        });
    }
}

fn act(out: &mut Vec<Action>, action: PatchAction) {
    out.push(InsideAction::Patch(action).into());
}

fn differences_ui(ui: &mut Ui, view: &PatchingView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.label(RichText::new(say!(words, "patching-other-text")).color(palette.quiet));
    for (position, id) in view.differences.iter().take(MOST_SHOWN) {
        let (old, new) = (pass.token(*position), view.vocabulary.display(*id));
        Chip { dropped: true, ..Chip::new(&old) }.ui(ui, Sense::hover(), || old.clone());
        ui.label("→");
        Chip { taken: true, ..Chip::new(&new) }.ui(ui, Sense::hover(), || new.clone());
    }
    if let Some(n @ 1..) = view.differences.len().checked_sub(MOST_SHOWN) {
        ui.label(RichText::new(say!(words, "patching-more", n = n)).color(palette.quiet));
    }
    if ui.button(say!(words, "patching-clear")).clicked() {
        act(out, PatchAction::Clear);
    }
}

fn sites_ui(ui: &mut Ui, view: &PatchingView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let choices: Vec<_> = PatchSite::iter()
        .map(|site| {
            let (name, about) = site_name(words, site);
            (site, name, about)
        })
        .collect();
    if let Some(site) = segmented(ui, view.site, &choices) {
        act(out, PatchAction::SetSite(site));
    }
}

fn site_name(words: Words, site: PatchSite) -> (&'static str, &'static str) {
    match site {
        PatchSite::Residual => (say!(words, "patching-residual"), say!(words, "patching-residual-hint")),
        PatchSite::Attention => (say!(words, "patching-attention"), say!(words, "patching-attention-hint")),
        PatchSite::Mlp => (say!(words, "patching-mlp"), say!(words, "patching-mlp-hint")),
        PatchSite::Heads => (say!(words, "patching-heads"), say!(words, "patching-heads-hint")),
    }
}

/// Another token in the place of the chosen one: one of those that are suggested, or of those that are found.
fn swap_ui(ui: &mut Ui, view: &PatchingView<'_>, pass: &InsidePass<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.horizontal_wrapped(|ui| {
        let label = ui.label(say!(words, "patching-swap", token = pass.token(pass.position)));
        let mut query = view.query.to_owned();
        let field = TextEdit::singleline(&mut query).hint_text(say!(words, "patching-search")).desired_width(150.0);
        let field = ui.add(field).labelled_by(label.id);
        if field.changed() {
            act(out, PatchAction::Search(query));
        }
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let offered = if view.query.trim().is_empty() { &view.suggestions } else { &view.found };
        for (n, id) in offered.iter().enumerate() {
            let name = view.vocabulary.display(*id);
            let button = Chip::new(&name).ui(ui, Sense::click(), || say!(words, "patching-swap-for", token = &*name));
            if button.clicked() || (entered && n == 0 && !view.query.trim().is_empty()) {
                act(out, PatchAction::Swap(pass.position, *id));
            }
        }
    });
}

/// The whole second prompt as it is typed, and what keeps it from being used.
fn typed_ui(ui: &mut Ui, view: &PatchingView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    ui.horizontal_wrapped(|ui| {
        let label = ui.label(say!(words, "patching-typed"));
        let mut typed = view.typed.to_owned();
        let field = TextEdit::singleline(&mut typed).hint_text(say!(words, "patching-typed-hint")).desired_width(320.0);
        let field = ui.add(field).labelled_by(label.id);
        if field.changed() {
            act(out, PatchAction::Type(typed));
        }
        let fits = matches!(view.fit, Fit::Fits);
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let button = ui.add_enabled(fits, Button::new(say!(words, "patching-use")));
        if button.clicked() || (entered && fits) {
            act(out, PatchAction::UseTyped);
        }
        let refusal = match view.fit {
            Fit::Awaited | Fit::Fits => return,
            Fit::Counts { typed, prompt } => say!(words, "patching-counts", typed = typed, prompt = prompt),
            Fit::Same => say!(words, "patching-same").to_owned(),
            Fit::Slid => say!(words, "patching-slid").to_owned(),
            Fit::Problem(problem) => format::sentence(&words.tell(problem)),
        };
        ui.label(RichText::new(refusal).color(palette.quiet));
    });
}
