//! How the prompt became tokens: its words as chips, and the merges of one word as rows of pieces.

use crate::app::{Action, InsideAction, MergesView};
use crate::text::TextError;
use crate::trace::{Algorithm, Cut, ScoredPiece, TokenId, Word, WordKind, display_bytes};
use crate::ui::anchors;
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Chip, Explain as _, drawable};
use crate::words::{Speaks as _, say};
use egui::{FontId, Galley, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use std::sync::Arc;

const PIECE_HEIGHT: f32 = 24.0;

/// Between pieces, and between lines of them.
const GAP: f32 = 4.0;

/// How many tokens of one word are drawn.
const MOST_TOKENS: usize = 96;

/// Draws what byte pair encoding does, the words of the prompt, and the merges of the chosen one. Draws nothing before
/// they are known, and says why where this tokenizer has none.
pub fn merges_ui(ui: &mut Ui, view: Option<Result<MergesView<'_>, &TextError>>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let view = match view {
        None => return,
        Some(Ok(view)) => view,
        Some(Err(problem)) => {
            ui.label(RichText::new(format::sentence(&ui.words().tell(problem))).color(palette.quiet));
            return;
        }
    };
    let top = ui.cursor().min;
    let about = match (view.merges.algorithm, view.merges.cut) {
        (Algorithm::Unigram, _) => say!(words, "merges-about-unigram"),
        (Algorithm::WordPiece, _) => say!(words, "merges-about-word-piece"),
        (Algorithm::Bpe, Cut::First) => say!(words, "merges-about"),
        (Algorithm::Bpe, Cut::Shown) => say!(words, "merges-about-shown"),
        (Algorithm::Bpe, Cut::Nowhere) => say!(words, "merges-about-whole"),
    };
    ui.label(RichText::new(about).color(palette.quiet));
    ui.add_space(theme::UNIT);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = GAP;
        stages_ui(ui, &view);
    });
    words_ui(ui, &view, out);
    ui.add_space(theme::UNIT);
    ui.scope(|ui| word_ui(ui, &view));
    let end = pos2(ui.max_rect().right(), ui.min_rect().bottom());
    anchors::mark(ui, "merges", Rect::from_min_max(top, end));
}

/// The words side by side; a click chooses one.
fn words_ui(ui: &mut Ui, view: &MergesView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let n_words = format::count(words, view.merges.n_words as u64);
    ScrollArea::horizontal().id_salt("words").auto_shrink([false, true]).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            for (place, word) in view.merges.words.iter().enumerate() {
                let name = view.name(word);
                let (current, special) = (place == view.chosen, word.kind == WordKind::Added);
                let chip = Chip { current, special, prompt: true, ..Chip::new(&name) };
                let label = || {
                    say!(
                        words,
                        "merges-word",
                        n = format::count(words, place as u64 + 1),
                        all = &*n_words,
                        word = &*name
                    )
                };
                let response = chip.ui(ui, Sense::click(), label);
                if response.gained_focus() {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    out.push(InsideAction::ShowMerges(place).into());
                }
                response.explain(say!(words, "merges-word-hint", n = word.tokens.len()));
            }
            let n_shown = view.merges.words.len();
            if n_shown < view.merges.n_words {
                let text = say!(words, "merges-more", shown = format::count(words, n_shown as u64), n = &*n_words);
                ui.label(RichText::new(text).color(palette.quiet));
            }
        });
    });
}

/// The chosen word: its smallest pieces, a row for each merge, and its tokens.
fn word_ui(ui: &mut Ui, view: &MergesView<'_>) {
    let words = ui.words();
    let word = view.word();
    let why = match word.kind {
        WordKind::Merged => None,
        WordKind::Whole => Some(say!(words, "merges-whole").to_owned()),
        WordKind::Added => Some(say!(words, "merges-added").to_owned()),
        WordKind::Long => Some(say!(words, "merges-long", n = format::count(words, word.bytes.len() as u64))),
    };
    if let Some(why) = &why {
        ui.label(why);
    }
    ui.spacing_mut().item_spacing.y = GAP;
    let n_rules = format::count(words, view.merges.n_rules as u64);
    for row in view.rows() {
        let what = row.rule.map_or_else(
            || say!(words, "merges-start").to_owned(),
            |rule| {
                let [left, right] = [rule.left, rule.right].map(|id| view.vocabulary.display(id));
                say!(
                    words,
                    "merges-rule",
                    place = format::count(words, rule.place),
                    n = &*n_rules,
                    left = left,
                    right = right
                )
            },
        );
        let look = |place: usize| PieceLook {
            made: row.made == Some(place),
            next: row.next.is_some_and(|next| place == next || place == next + 1),
        };
        let pieces = row.pieces.iter().enumerate();
        let pieces: Vec<_> = pieces.map(|(place, id)| DrawnPiece::of(view, *id, look(place))).collect();
        row_ui(ui, &what, &pieces);
    }
    ways_ui(ui, word);
    let n = word.tokens.len();
    let what = if why.is_none() { say!(words, "merges-tokens", n = n) } else { say!(words, "merges-result", n = n) };
    let tokens = word.tokens.iter().take(MOST_TOKENS);
    let mut tokens: Vec<_> = tokens
        .map(|id| DrawnPiece { below: Some(id.to_string()), ..DrawnPiece::of(view, *id, PieceLook::default()) })
        .collect();
    if n > MOST_TOKENS {
        tokens.push(DrawnPiece { text: "…".to_owned(), below: None, look: PieceLook::default() });
    }
    row_ui(ui, &what, &tokens);
}

/// How Unigram and WordPiece take the word apart: the best cuts with their scores, or the pieces that were tried.
fn ways_ui(ui: &mut Ui, word: &Word) {
    let words = ui.words();
    for (n, cut) in word.cuts.iter().enumerate() {
        let sum = format::logit(words, cut.iter().map(|piece| piece.score).sum());
        let what =
            if n == 0 { say!(words, "merges-best-cut", sum = sum) } else { say!(words, "merges-next-cut", sum = sum) };
        let score = |piece: &ScoredPiece| format::logit(words, piece.score);
        let pieces = cut.iter().map(|piece| DrawnPiece::of_text(&piece.text, Some(score(piece))));
        row_ui(ui, &what, &pieces.collect::<Vec<_>>());
    }
    for fitting in &word.matches {
        let what = say!(words, "merges-match", rest = &*fitting.rest, n = fitting.n_tries);
        let piece = fitting.piece.as_deref().unwrap_or(say!(words, "merges-no-match"));
        row_ui(ui, &what, &[DrawnPiece::of_text(piece, None)]);
    }
}

/// What the normalizers and pre-tokenizers made of the text, one after the other.
fn stages_ui(ui: &mut Ui, view: &MergesView<'_>) {
    let words = ui.words();
    for stage in view.merges.stages.iter().filter(|stage| !stage.changes_nothing) {
        let what = if stage.is_normalizer {
            say!(words, "merges-normalizer", name = &*stage.name)
        } else {
            say!(words, "merges-pre-tokenizer", name = &*stage.name)
        };
        let mut pieces: Vec<_> = stage.texts.iter().map(|text| DrawnPiece::of_text(text, None)).collect();
        if stage.n_texts > pieces.len() {
            pieces.push(DrawnPiece::of_text("…", None));
        }
        row_ui(ui, &what, &pieces);
    }
}

/// How a piece is drawn.
#[derive(Clone, Copy, Default)]
struct PieceLook {
    /// Framed: the merge of this row made it.
    made: bool,
    /// Underlined: one of the two that are merged next.
    next: bool,
}

/// A piece of a word.
struct DrawnPiece {
    text: String,
    /// Its id, or its score.
    below: Option<String>,
    look: PieceLook,
}

impl DrawnPiece {
    fn of(view: &MergesView<'_>, id: TokenId, look: PieceLook) -> Self {
        Self { text: view.vocabulary.display(id), below: None, look }
    }

    fn of_text(text: &str, below: Option<String>) -> Self {
        Self { text: display_bytes(text.as_bytes()), below, look: PieceLook::default() }
    }
}

/// A piece that has its place in the row.
struct PlacedPiece {
    rect: Rect,
    text: Arc<Galley>,
    id: Option<Arc<Galley>>,
    look: PieceLook,
}

/// What made the row at the left, and its pieces in as many lines as they need.
fn row_ui(ui: &mut Ui, what: &str, pieces: &[DrawnPiece]) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let width = ui.available_width();
    let left = (width * 0.42).clamp(120.0, 290.0);
    let small = FontId::proportional(theme::SMALL_SIZE);
    let label = ui.painter().layout(drawable(ui, what), small.clone(), palette.quiet, left - 12.0);
    let with_ids = pieces.iter().any(|piece| piece.below.is_some());
    let line_height = PIECE_HEIGHT + if with_ids { theme::SMALL_SIZE + 4.0 } else { 0.0 };
    let mut at = pos2(left, 0.0);
    let mut placed = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let font = theme::token_font(theme::BODY_SIZE);
        let text = ui.painter().layout_no_wrap(drawable(ui, &piece.text), font, palette.text);
        let below = piece.below.clone();
        let id = below.map(|below| ui.painter().layout_no_wrap(below, small.clone(), palette.quiet));
        let id_width = id.as_ref().map_or(0.0, |id| id.size().x);
        let piece_width = (text.size().x + 10.0).max(id_width + 2.0);
        if at.x > left && at.x + piece_width > width {
            at = pos2(left, at.y + line_height + GAP);
        }
        let rect = Rect::from_min_size(at, vec2(piece_width, PIECE_HEIGHT));
        placed.push(PlacedPiece { rect, text, id, look: piece.look });
        at.x += piece_width + GAP;
    }
    let height = (at.y + line_height).max(label.size().y);
    let (whole, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    if ui.is_rect_visible(whole) {
        let beside = (PIECE_HEIGHT - label.size().y).max(0.0) / 2.0;
        ui.painter().galley(whole.min + vec2(0.0, beside), label, palette.quiet);
        for piece in placed {
            piece_ui(ui, palette, whole, piece);
        }
    }
    response.widget_info(|| {
        let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
        WidgetInfo::labeled(Role::Label, true, say!(words, "merges-row", what = what, pieces = texts.join(" ")))
    });
}

fn piece_ui(ui: &Ui, palette: &Palette, row: Rect, piece: PlacedPiece) {
    let rect = piece.rect.translate(row.min.to_vec2());
    let stroke = if piece.look.made { Stroke::new(2.0, palette.prompt) } else { Stroke::NONE };
    let painter = ui.painter();
    painter.rect(rect, 4, palette.raised, stroke, StrokeKind::Inside);
    if piece.look.next {
        // Below the frame, so that it is told from the frame's own edge.
        let below = rect.with_min_y(rect.bottom() - 2.0).expand2(vec2(GAP / 2.0, 0.0)).translate(vec2(0.0, 3.0));
        painter.rect_filled(below, 0, palette.prompt);
    }
    painter.galley(rect.center() - piece.text.size() / 2.0, piece.text, palette.text);
    if let Some(id) = piece.id {
        painter.galley(pos2(rect.center().x - id.size().x / 2.0, rect.bottom()), id, palette.quiet);
    }
}
