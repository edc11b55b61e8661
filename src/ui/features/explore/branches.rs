//! The branches as a picture: one lane each, one column per step, and a line where the user took another token.

use crate::app::{Action, BranchesView, Cursor, ExploreAction, Lane, LoopStage, RunAction};
use crate::trace::{BranchId, Draw, StepRecord};
use crate::ui::edits::{changed_mark, edits_text};
use crate::ui::format;
use crate::ui::keys;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, fitting, taken_mark};
use crate::words::{Speaks as _, say};
use egui::scroll_area::ScrollSource;
use egui::{Align2, Button, FontId, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

const COLUMN: f32 = 92.0;
const LANE: f32 = 78.0;
/// From the top of a lane to its tokens, which stand below its name.
const NAME_HEIGHT: f32 = 24.0;
/// Room for the name of a lane, its sum and its buttons.
const NAME_WIDTH: f32 = 520.0;
const TOKEN_HEIGHT: f32 = 24.0;
const LEFT: f32 = 18.0;

/// Draws all branches; the shown text is bright, the rest faded.
pub fn branches_ui(ui: &mut Ui, view: &BranchesView<'_>, out: &mut Vec<Action>) {
    let lanes = &view.lanes;
    head_ui(ui, view, out);
    let n_columns = lanes.iter().map(|lane| lane.branch.trace.steps().len()).max().unwrap_or(0);
    let size = vec2(2.0 * LEFT + n_columns as f32 * COLUMN, lanes.len() as f32 * LANE);
    let area = ScrollArea::both().id_salt("branches").auto_shrink([false, false]).scroll_source(ScrollSource::ALL);
    area.show_viewport(ui, |ui, viewport| {
        let (rect, _) = ui.allocate_exact_size(size.max(ui.available_size()), Sense::hover());
        let canvas = Canvas { origin: rect.min, width: rect.width(), viewport };
        for (place, lane) in lanes.iter().enumerate() {
            line_ui(ui, &canvas, place, lane);
        }
        for (place, lane) in lanes.iter().enumerate() {
            let top = place as f32 * LANE;
            if top + LANE < viewport.top() || top > viewport.bottom() {
                continue;
            }
            tokens_ui(ui, &canvas, place, lane, view, out);
            name_ui(ui, &canvas, place, lane, out);
        }
        follow_ui(ui, &canvas, lanes, view.step);
    });
}

fn head_ui(ui: &mut Ui, view: &BranchesView<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    ui.horizontal_wrapped(|ui| {
        let text = match view.lanes.len() {
            1 => say!(words, "branches-one").to_owned(),
            n => say!(words, "branches-several", n = n),
        };
        ui.label(RichText::new(text).color(Palette::of(ui).quiet));
        if view.lanes.iter().any(|lane| lane.branch.is_changed()) {
            ui.label(RichText::new(say!(words, "branches-any-changed")).color(Palette::of(ui).what_if));
        }
        let undo =
            ui.add_enabled(view.can_undo, Button::new(say!(words, "branches-undo"))).explain(keys::UNDO.tooltip(words));
        out.extend(undo.clicked().then_some(Action::Run(RunAction::Undo)));
        let redo =
            ui.add_enabled(view.can_redo, Button::new(say!(words, "branches-redo"))).explain(keys::REDO.tooltip(words));
        out.extend(redo.clicked().then_some(Action::Run(RunAction::Redo)));
    });
}

struct Canvas {
    /// The upper left corner of the picture, on the screen.
    origin: egui::Pos2,
    /// How wide the picture is.
    width: f32,
    /// The part of the picture that is seen.
    viewport: Rect,
}

impl Canvas {
    /// The place of a token.
    fn token(&self, place: usize, step: usize) -> Rect {
        let corner = vec2(LEFT + step as f32 * COLUMN, place as f32 * LANE + NAME_HEIGHT);
        Rect::from_min_size(self.origin + corner, vec2(COLUMN - 8.0, TOKEN_HEIGHT))
    }

    /// The steps whose columns are seen.
    fn steps_seen(&self) -> std::ops::Range<usize> {
        let column = |x: f32| ((x - LEFT) / COLUMN).max(0.0) as usize;
        column(self.viewport.left())..column(self.viewport.right()) + 1
    }
}

/// From the parent's token before the branch to its first own one.
fn line_ui(ui: &Ui, canvas: &Canvas, place: usize, lane: &Lane<'_>) {
    let palette = Palette::of(ui);
    let first = canvas.token(place, lane.branch.parts_at);
    let color = if lane.shown { palette.accent } else { palette.line };
    let stroke = Stroke::new(if lane.shown { 2.0 } else { 1.5 }, color);
    let x = first.left() - 6.0;
    if let Some(parent) = lane.parent {
        let from = canvas.token(parent, lane.branch.parts_at);
        ui.painter().line(vec![pos2(x, from.center().y), pos2(x, first.center().y), first.left_center()], stroke);
    } else {
        ui.painter().circle_filled(pos2(x, first.center().y), 4.0, palette.prompt);
    }
}

fn tokens_ui(
    ui: &mut Ui,
    canvas: &Canvas,
    place: usize,
    lane: &Lane<'_>,
    view: &BranchesView<'_>,
    out: &mut Vec<Action>,
) {
    let seen = canvas.steps_seen();
    for step in lane.own_steps() {
        if seen.contains(&step.index) {
            let rect = canvas.token(place, step.index);
            token_ui(ui, rect, lane, step, view, out);
        }
    }
}

/// One token with its probability below; a click shows its step in this branch.
fn token_ui(
    ui: &mut Ui,
    rect: Rect,
    lane: &Lane<'_>,
    step: &StepRecord,
    view: &BranchesView<'_>,
    out: &mut Vec<Action>,
) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let sampling = &step.sampling;
    let bright = step.index < lane.leaves_at || lane.shown;
    let current = bright && step.index == view.step;
    let response = ui.interact(rect, ui.scope_id().with((lane.branch.id, step.index)), Sense::click());
    let fill = if bright { palette.probability_fill(sampling.chosen.prob) } else { palette.panel };
    let stroke = match (current || response.has_focus(), response.hovered()) {
        (true, _) => Stroke::new(2.0, palette.accent),
        (_, true) => Stroke::new(1.0, palette.quiet),
        _ => Stroke::new(1.0, palette.line),
    };
    let painter = ui.painter().with_clip_rect(rect.expand2(vec2(0.0, 18.0)).intersect(ui.clip_rect()));
    painter.rect(rect, 4, fill, stroke, StrokeKind::Inside);
    let color = if bright { palette.text } else { palette.dropped };
    let name = view.vocabulary.display(sampling.chosen_id());
    let galley = fitting(ui, &name, theme::token_font(theme::BODY_SIZE - 1.0), color, rect.width() - 8.0);
    let x = (rect.center().x - galley.size().x / 2.0).max(rect.left() + 4.0);
    painter.galley(pos2(x, rect.center().y - galley.size().y / 2.0), galley, color);
    let taken = sampling.draw == Draw::Forced;
    if taken {
        taken_mark(&painter, rect, palette);
    }
    if !step.edits.is_empty() {
        changed_mark(&painter, rect, palette);
    }
    let prob = format::percent(words, sampling.chosen.prob);
    let below = pos2(rect.center().x, rect.bottom() + 2.0);
    painter.text(below, Align2::CENTER_TOP, &prob, FontId::proportional(theme::SMALL_SIZE), palette.quiet);
    let mut how = if taken { say!(words, "branches-taken").to_owned() } else { String::new() };
    if !step.edits.is_empty() {
        how += &say!(words, "branches-changed", edits = edits_text(words, &step.edits));
    }
    response.widget_info(|| {
        let (branch, step) = (&lane.branch.name, step.index + 1);
        let label =
            say!(words, "branches-token", branch = branch, step = step, token = &*name, prob = &*prob, how = &*how);
        egui::WidgetInfo::labeled(egui::Role::Button, true, label)
    });
    if response.clicked() {
        if !bright {
            out.push(ExploreAction::SwitchBranch(lane.branch.id).into());
        }
        out.push(RunAction::GoTo(Cursor { step: step.index, stage: LoopStage::Append }).into());
    }
    response.explain_cell(say!(words, "branches-token-hint", token = name, prob = prob, how = how));
}

/// The name of a lane and what it sums to, always in view, with what can be done to it.
fn name_ui(ui: &mut Ui, canvas: &Canvas, place: usize, lane: &Lane<'_>, out: &mut Vec<Action>) {
    let words = ui.words();
    let x = LEFT + lane.branch.parts_at as f32 * COLUMN;
    // A branch that parts late has its name further left, where all of it fits.
    let x = x.min(canvas.width - NAME_WIDTH).max(canvas.viewport.left() + 6.0);
    let min = canvas.origin + vec2(x, place as f32 * LANE);
    let rect = Rect::from_min_size(min, vec2(NAME_WIDTH, NAME_HEIGHT - 2.0));
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let mut child = ui.new_child(egui::UiBuilder::new().id_salt(lane.branch.id).max_rect(rect).layout(layout));
    let ui = &mut child;
    // The line from the parent may pass behind a name that stands further left.
    let ground = ui.painter().add(egui::Shape::Noop);
    ui.spacing_mut().interact_size.y = NAME_HEIGHT - 4.0;
    ui.spacing_mut().button_padding = vec2(4.0, 0.0);
    let (id, name) = (lane.branch.id, &lane.branch.name);
    if rename_ui(ui, id, name, out) {
        return;
    }
    let color = if lane.shown { Palette::of(ui).accent } else { Palette::of(ui).text };
    let text = RichText::new(lane.branch.label()).font(theme::semibold_font(theme::SMALL_SIZE + 1.0)).color(color);
    let button = ui.add(Button::new(text).frame(false)).explain(say!(words, "branches-name-hint"));
    if button.double_clicked() {
        Renaming::begin(ui, id, name);
    } else if button.clicked() {
        out.push(ExploreAction::SwitchBranch(id).into());
    }
    // With the keyboard on a name, the arrows go from branch to branch.
    if button.has_focus() {
        let filter = egui::EventFilter { vertical_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(button.id, filter));
        ui.input(|input| {
            out.extend(input.key_pressed(egui::Key::ArrowUp).then_some(Action::Explore(ExploreAction::PreviousBranch)));
            out.extend(input.key_pressed(egui::Key::ArrowDown).then_some(Action::Explore(ExploreAction::NextBranch)));
        });
    }
    let n_tokens = lane.branch.trace.steps().len();
    let (n, log_prob) = (format::count(words, n_tokens as u64), format::logit(words, lane.branch.trace.log_prob()));
    let sum = say!(words, "branches-sum", n_tokens = n_tokens, n = n, log_prob = log_prob);
    ui.label(RichText::new(sum).size(theme::SMALL_SIZE).color(Palette::of(ui).quiet))
        .explain(say!(words, "branches-sum-hint"));
    let quiet = |text: &str| Button::new(RichText::new(text).size(theme::SMALL_SIZE).color(Palette::of(ui).quiet));
    let (rename, delete) = (quiet(say!(words, "branches-rename")), quiet(say!(words, "branches-delete")));
    if ui.add(rename).clicked() {
        Renaming::begin(ui, id, name);
    }
    let what = say!(words, "branches-delete-hint", name = name);
    if lane.parent.is_some() && ui.add(delete).explain(what).clicked() {
        out.push(ExploreAction::DeleteBranch(id).into());
    }
    ui.painter().set(ground, egui::Shape::rect_filled(ui.min_rect(), 0, Palette::of(ui).background));
}

/// A name that is being typed.
#[derive(Clone)]
struct Renaming {
    branch: BranchId,
    text: String,
    /// Whether the field has yet to get the keyboard.
    fresh: bool,
}

impl Renaming {
    fn memory() -> egui::Id {
        egui::Id::unique("the branch being renamed")
    }

    fn begin(ui: &Ui, branch: BranchId, name: &str) {
        let begun = Self { branch, text: name.to_owned(), fresh: true };
        ui.data_mut(|data| data.insert_temp(Self::memory(), begun));
    }
}

/// The field for a new name, if this branch is being renamed.
fn rename_ui(ui: &mut Ui, id: BranchId, name: &str, out: &mut Vec<Action>) -> bool {
    let words = ui.words();
    let typed: Option<Renaming> = ui.data(|data| data.get_temp(Renaming::memory()));
    let Some(mut typed) = typed.filter(|typed| typed.branch == id) else {
        return false;
    };
    let field = ui.add(egui::TextEdit::singleline(&mut typed.text).desired_width(180.0));
    field.widget_info(|| {
        let mut info = egui::WidgetInfo::text_edit(true, name, &typed.text, "");
        info.label = Some(say!(words, "branches-new-name", name = name));
        info
    });
    if field.lost_focus() {
        if !ui.input(|input| input.key_pressed(egui::Key::Escape)) {
            out.push(ExploreAction::RenameBranch(id, typed.text).into());
        }
        ui.data_mut(|data| data.remove::<Renaming>(Renaming::memory()));
        return true;
    }
    if typed.fresh {
        field.request_focus();
        typed.fresh = false;
    }
    ui.data_mut(|data| data.insert_temp(Renaming::memory(), typed));
    true
}

/// Scrolls to the shown token when it is another one than in the frame before.
fn follow_ui(ui: &Ui, canvas: &Canvas, lanes: &[Lane<'_>], step: usize) {
    // The lane that has the shown step as its own.
    let has_it = |lane: &Lane<'_>| lane.branch.parts_at <= step && (lane.shown || step < lane.leaves_at);
    let Some(place) = lanes.iter().rposition(has_it) else {
        return;
    };
    let memory = egui::Id::unique("the shown token of the branches");
    let before: Option<(usize, usize)> = ui.data(|data| data.get_temp(memory));
    if before != Some((place, step)) {
        ui.data_mut(|data| data.insert_temp(memory, (place, step)));
        ui.scroll_to_rect(canvas.token(place, step).expand2(vec2(COLUMN, LANE / 2.0)), None);
    }
}
