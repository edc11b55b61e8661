//! Words that the glossary explains: in tooltips, and beside values.
//!
//! What is clicked is left in the window's memory, where [`asked`] finds it: a tooltip has nobody to tell.

use crate::app::lessons::{Term, glossary};
use crate::ui::theme::Palette;
use crate::words::{Language, Speaks as _, say};
use egui::cache::{ComputerMut, FrameCache};
use egui::{Context, Id, Label, Rect, Response, RichText, Sense, Stroke, Ui};

/// No tooltip links to more terms.
const MOST_LINKS: usize = 3;

fn memory() -> Id {
    Id::unique("the term that was clicked")
}

/// The term that was clicked since the last time, by its key.
pub fn asked(ctx: &Context) -> Option<String> {
    ctx.data_mut(|data| data.remove_temp(memory()))
}

fn ask(ui: &Ui, term: &Term) {
    ui.data_mut(|data| data.insert_temp(memory(), term.key().to_owned()));
}

/// A tooltip that leads to the glossary.
pub trait Explain {
    /// Says this while the pointer rests here, with a link for each of the field's terms in it.
    fn explain(self, text: impl Into<String>) -> Self;

    /// The same without links, for a cell among others: a tooltip with links stays below the pointer, over its
    /// neighbours.
    fn explain_cell(self, text: impl Into<String>) -> Self;
}

impl Explain for Response {
    fn explain(self, text: impl Into<String>) -> Self {
        let text = text.into();
        describe(&self, &text);
        self.on_hover_ui(|ui| {
            let terms = glossary(ui.words().language()).terms_in(&text);
            ui.set_max_width(ui.spacing().tooltip_width);
            ui.add(Label::new(text));
            if terms.is_empty() {
                return;
            }
            ui.horizontal_wrapped(|ui| {
                for term in terms.into_iter().take(MOST_LINKS) {
                    if ui.link(RichText::new(format!("▸ {}", term.name)).small()).clicked() {
                        ask(ui, term);
                    }
                }
            });
        })
    }

    fn explain_cell(self, text: impl Into<String>) -> Self {
        let text = text.into();
        describe(&self, &text);
        self.on_hover_text(text)
    }
}

/// Tells AccessKit what `on_hover_text` would: the tooltip describes the widget, and names one that has no name.
fn describe(response: &Response, text: &str) {
    if !response.ctx.has_accesskit_node(response.id) {
        return;
    }
    response.ctx.accesskit_node_builder(response.id, |node| {
        if node.description().is_none() {
            node.set_description(text);
        }
        let named = !node.labelled_by().is_empty() || node.label().is_some_and(|label| !label.is_empty());
        if node.role() != egui::accesskit::Role::Label && !named {
            node.set_label(text);
        }
    });
}

/// A name beside a value; one that the glossary has is underlined with dots and opens it.
pub fn name_ui(ui: &mut Ui, name: &str) -> Response {
    let text = RichText::new(name).color(Palette::of(ui).quiet);
    let language = ui.words().language();
    let first = |cache: &mut FrameCache<_, FirstTerm>| *cache.get((language, name));
    let Some(term) = ui.memory_mut(|memory| first(memory.caches.cache())) else { return ui.label(text) };
    term_ui(ui, text, term)
}

/// Looks for the first term of a name. Names are drawn in every frame; searching all terms in each would cost more
/// than drawing them.
#[derive(Default)]
struct FirstTerm;

impl ComputerMut<(Language, &str), Option<&'static Term>> for FirstTerm {
    fn compute(&mut self, (language, name): (Language, &str)) -> Option<&'static Term> {
        glossary(language).terms_in(name).into_iter().next()
    }
}

/// Lets words that are painted here open the glossary, at the term of this key.
pub fn painted_term_ui(ui: &mut Ui, rect: Rect, key: &str) {
    let Some(term) = glossary(ui.words().language()).find(key) else { return };
    let response = ui.interact(rect, ui.scope_id().with(("term", key)), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Link, true, &term.name));
    lead_ui(ui, response, term);
}

fn term_ui(ui: &mut Ui, text: RichText, term: &Term) -> Response {
    let response = ui.add(Label::new(text).sense(Sense::click()));
    lead_ui(ui, response, term)
}

/// What leads to the glossary is underlined with dots.
fn lead_ui(ui: &mut Ui, response: Response, term: &Term) -> Response {
    let (rect, quiet) = (response.rect, Palette::of(ui).quiet);
    let dots = egui::Shape::dotted_line(&[rect.left_bottom(), rect.right_bottom()], quiet, 3.0, 0.7);
    ui.painter().extend(dots);
    if response.has_focus() {
        ui.painter().hline(rect.x_range(), rect.bottom(), Stroke::new(2.0, Palette::of(ui).accent));
    }
    let response = response.on_hover_cursor(egui::CursorIcon::Help);
    if response.clicked() {
        ask(ui, term);
    }
    response.on_hover_text(say!(ui, "glossary-look-up", term = &*term.name))
}
