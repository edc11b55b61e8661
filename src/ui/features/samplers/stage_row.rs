//! One stage of the chain: a handle to drag it, a switch, its name, its parameters, and what it did to the shown step.

use super::stage_details::{MOST_DECIMALS, recorded_kind, stage_details_ui};
use crate::app::{Action, DistributionView, SamplersAction, SamplersView, stage_of};
use crate::sampling::{Constraint, Input, Parameter, SamplerSettings, Setting, SliderSpec, Stage, StageKind};
use crate::ui::format;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::{Explain as _, check_ui};
use crate::words::{Speaks as _, say};
use egui::{Align, Button, EventFilter, Key, Label, Layout, RichText, Sense, Slider, SliderClamping, Ui, vec2};

/// Type size and width of the stages' names, and the width of the boxes with their values.
const NAME_SIZE: f32 = 13.0;
const NAME_WIDTH: f32 = 132.0;
const VALUE_WIDTH: f32 = 56.0;
const MIN_SLIDER_WIDTH: f32 = 20.0;

/// Draws the stage of this kind, which is in the settings, and changes it there.
pub fn stage_row_ui(
    ui: &mut Ui,
    view: &SamplersView<'_>,
    settings: &mut SamplerSettings,
    kind: StageKind,
    out: &mut Vec<Action>,
) {
    let words = ui.words();
    ui.spacing_mut().item_spacing = vec2(4.0, 0.0);
    let doing = StageState::of(view.settings, kind);
    let n_vocabulary = view.model.map_or(1000, |model| model.card.vocab_size);
    let mut moved_to = None;
    ui.horizontal(|ui| {
        if let Some(steps) = handle_ui(ui, kind) {
            let place = settings.slots.iter().position(|slot| slot.stage.kind() == kind).unwrap_or(0);
            moved_to = Some(place.saturating_add_signed(steps));
        }
        let Some(slot) = settings.slot_mut(kind) else { return };
        let switch = check_ui(ui, &mut slot.on, "").explain(say!(words, "row-switch-what"));
        switch.widget_info(|| {
            egui::WidgetInfo::selected(
                egui::Role::CheckBox,
                true,
                slot.on,
                say!(words, "row-switch", stage = words.render(&kind.name)),
            )
        });
        let name = name_ui(ui, view.open_stage == Some(kind), kind, out);
        ui.add_enabled_ui(doing != StageState::Overruled, |ui| setting_ui(ui, &mut slot.stage, n_vocabulary, name));
    });
    if let Some(place) = moved_to {
        settings.move_to(kind, place);
    }
    if let Some(slot) = settings.slot_mut(kind) {
        ui.add_enabled_ui(doing != StageState::Overruled, |ui| {
            further_parameters_ui(ui, &mut slot.stage, n_vocabulary);
        });
    }
    outcome_line_ui(ui, view.step.as_ref(), recorded_kind(view.settings, kind), doing);
    if view.open_stage == Some(kind) {
        let details = ui.scope(|ui| stage_details_ui(ui, view, settings, kind)).response;
        if newly_open(ui, Some(kind)) {
            ui.scroll_to_rect_animation(details.rect, None, egui::style::ScrollAnimation::none());
        }
    }
}

/// Whether other details are open than in the frame before.
pub fn newly_open(ui: &Ui, now: Option<StageKind>) -> bool {
    let memory = egui::Id::unique("open stage");
    let before: Option<StageKind> = ui.data(|data| data.get_temp(memory)).flatten();
    ui.data_mut(|data| data.insert_temp(memory, now));
    now != before
}

/// What greedy did, below its switch.
pub fn greedy_line_ui(ui: &mut Ui, view: Option<&DistributionView<'_>>, settings: &SamplerSettings) {
    let doing = if settings.is_greedy() { StageState::Acts } else { StageState::Off };
    outcome_line_ui(ui, view, StageKind::Greedy, doing);
}

/// Six dots to drag the stage by; with the keyboard on them, the arrows move it. Returns by how many places.
fn handle_ui(ui: &mut Ui, kind: StageKind) -> Option<isize> {
    let words = ui.words();
    let (rect, _) = ui.allocate_exact_size(vec2(12.0, ui.spacing().interact_size.y), Sense::hover());
    // An id of its own, which stays when the stage has moved, so that it keeps the keyboard.
    let response = ui.interact(rect, egui::Id::unique(("move a stage", kind.key)), Sense::click_and_drag());
    let palette = Palette::of(ui);
    let held = response.hovered() || response.dragged() || response.has_focus();
    let color = if held { palette.text } else { palette.quiet };
    for (column, row) in (0..6).map(|idx| (idx % 2, idx / 2)) {
        let dot = rect.center() + vec2(column as f32 * 5.0 - 2.5, row as f32 * 5.0 - 5.0);
        ui.painter().circle_filled(dot, 1.4, color);
    }
    response.dnd_set_drag_payload(kind);
    let response = response.on_hover_cursor(egui::CursorIcon::Grab).explain(say!(words, "row-drag"));
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Button, true, say!(words, "row-move", stage = words.render(&kind.name)))
    });
    if !response.has_focus() {
        return None;
    }
    let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    ui.input(|input| match (input.key_pressed(Key::ArrowUp), input.key_pressed(Key::ArrowDown)) {
        (true, false) => Some(-1),
        (false, true) => Some(1),
        _ => None,
    })
}

/// The name, which opens the details. Returns what labels the parameter.
fn name_ui(ui: &mut Ui, open: bool, kind: StageKind, out: &mut Vec<Action>) -> egui::Id {
    let words = ui.words();
    let cell = vec2(NAME_WIDTH, ui.spacing().interact_size.y);
    // The sign of what opens below, as the sections have it.
    let name = RichText::new(format!("{}{}", words.render(&kind.name), if open { " ▾" } else { " ▸" })).size(NAME_SIZE);
    let name = if open { name.strong() } else { name };
    let button = Button::new(name).frame(false).truncate();
    let response = ui.allocate_ui_with_layout(cell, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_width(NAME_WIDTH);
        ui.add(button).explain(format!(
            "{}\n{}\n{}",
            words.render(&kind.one_line),
            words.render(&kind.formula),
            say!(words, "row-click")
        ))
    });
    response.inner.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words.render(&kind.name)));
    if response.inner.clicked() {
        out.push(SamplersAction::ToggleStage(kind).into());
    }
    response.inner.id
}

/// What the stage is set by, or its first parameter, beside its name.
fn setting_ui(ui: &mut Ui, stage: &mut Stage, n_vocabulary: usize, name: egui::Id) {
    let kind = stage.kind();
    match (&kind.input, &mut stage.setting) {
        (Input::Numbers([parameter, ..]), Setting::Numbers(numbers)) => {
            let slider = slider_ui(ui, parameter, &mut numbers[0], n_vocabulary);
            slider.labelled_by(name).explain(ui.words().render(&kind.one_line));
        }
        (Input::Text(constraint), Setting::Text(text)) => constraint_ui(ui, kind, constraint, text),
        (_, Setting::Biases(biases)) => {
            ui.label(RichText::new(say!(ui, "row-bias", n = biases.len())).color(Palette::of(ui).quiet));
        }
        _ => {}
    }
}

/// The text of a constraint, taken over when the keyboard leaves it: half an expression is none.
fn constraint_ui(ui: &mut Ui, kind: StageKind, constraint: &Constraint, text: &mut std::sync::Arc<str>) {
    let words = ui.words();
    let id = egui::Id::unique(("a constraint being typed", kind.key));
    // What was begun to be typed counts only as long as the keyboard is here and what it began from is the same.
    let being_typed = ui.memory(|memory| memory.has_focus(id) || memory.had_focus_last_frame(id));
    let begun: Option<(String, String)> = ui.data(|data| data.get_temp(id));
    let begun = begun.filter(|(before, _)| being_typed && **before == **text);
    let mut typed = begun.map_or_else(|| text.to_string(), |(_, typed)| typed);
    let hint = constraint.hint;
    let font = theme::token_font(theme::SMALL_SIZE + 1.0);
    let field =
        egui::TextEdit::singleline(&mut typed).id(id).font(font).hint_text(hint).desired_width(ui.available_width());
    let response = ui.add(field).explain(say!(words, "row-constraint"));
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::text_edit(true, &**text, &typed, hint);
        info.label = Some(words.render(&kind.name));
        info
    });
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, (text.to_string(), typed)));
    } else if response.lost_focus() {
        ui.data_mut(|data| data.remove::<(String, String)>(id));
        *text = typed.into();
    }
}

/// The other parameters of a stage, each in a line of its own.
fn further_parameters_ui(ui: &mut Ui, stage: &mut Stage, n_vocabulary: usize) {
    let parameters = stage.kind().spec().parameters();
    let Setting::Numbers(numbers) = &mut stage.setting else { return };
    for (parameter, value) in parameters.iter().zip(numbers) {
        let Some([name, what]) = &parameter.label else { continue };
        ui.horizontal(|ui| {
            let indent = 12.0 + ui.spacing().icon_width + 8.0;
            ui.add_space(indent);
            let cell = vec2(NAME_WIDTH, ui.spacing().interact_size.y);
            let label = ui.allocate_ui_with_layout(cell, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(NAME_WIDTH);
                ui.label(RichText::new(ui.words().render(name)).size(NAME_SIZE).color(Palette::of(ui).quiet))
            });
            slider_ui(ui, parameter, value, n_vocabulary).labelled_by(label.inner.id).explain(ui.words().render(what));
        });
    }
}

/// A slider with the value beside it, with all the decimals that the value has: a field that is left takes what it shows.
fn slider_ui(ui: &mut Ui, parameter: &Parameter, value: &mut f64, n_vocabulary: usize) -> egui::Response {
    let words = ui.words();
    let (range, usual, clamps) = match &parameter.slider {
        SliderSpec::Loose(range) => (range.clone(), 2, false),
        SliderSpec::Strict(range, usual) => (range.start().min(*value)..=range.end().max(*value), *usual, true),
        SliderSpec::Whole(most) => (0.0..=most.unwrap_or(n_vocabulary) as f64, 0, false),
    };
    // The field beside the slider takes all that the stage takes. What is there already is never rounded.
    let clamping = if clamps { SliderClamping::Edits } else { SliderClamping::Never };
    // The longest text that the value has now, or gets while the slider is dragged.
    let (longest, slider) = if let SliderSpec::Whole(most) = parameter.slider {
        let longest = range.end().max(*value).to_string();
        let whole = move |new: Option<f64>| {
            *value = new.map_or(*value, |new| new as usize as f64);
            *value
        };
        let slider = Slider::from_get_set(range, whole).integer().logarithmic(most.is_none());
        (longest, slider.custom_parser(|n| format::read_count(words, n)))
    } else {
        let written = move |value: f64| words.numeral(format!("{value:.0$}", decimals(value, usual)));
        let longest = written(*value);
        let slider = Slider::new(value, range).max_decimals(MOST_DECIMALS);
        (
            longest,
            slider.custom_formatter(move |value, _| written(value)).custom_parser(|n| format::read_numeral(words, n)),
        )
    };
    let font = ui.style().drag_value_text_style.resolve(ui.style());
    let text = ui.painter().layout_no_wrap(longest, font, Palette::of(ui).text);
    // All values in boxes of one width; a longer one takes its room from the slider, and the row stays as wide.
    let room = ui.available_width() - 12.0;
    let value_width = (text.size().x + 2.0 * ui.spacing().button_padding.x).max(VALUE_WIDTH);
    ui.spacing_mut().slider_width = (room - value_width).max(MIN_SLIDER_WIDTH);
    ui.spacing_mut().interact_size.x = value_width;
    // A value that is typed counts once it is there: on the way to 0.5 stands 0.
    ui.add(slider.clamping(clamping).update_while_editing(false))
}

/// How many decimals a value has, at least as many as usual and at most six.
fn decimals(value: f64, usual: usize) -> usize {
    let is_whole = |n: &usize| format!("{value:.n$}").parse() == Ok(value);
    (usual..MOST_DECIMALS).find(is_whole).unwrap_or(MOST_DECIMALS)
}

/// What a stage does from the next token on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StageState {
    /// It is part of the chain.
    Acts,
    SwitchedOff,
    Off,
    /// Greedy leaves it nothing to do.
    Overruled,
}

impl StageState {
    fn of(settings: &SamplerSettings, kind: StageKind) -> Self {
        let Some(slot) = settings.slot(kind) else {
            return Self::Off;
        };
        let acts = |other: StageKind| settings.chain().0.iter().any(|stage| stage.kind() == other);
        // At T = 0 the temperature is greedy itself, and must stay movable.
        let is_greedy = slot.stage.is_greedy();
        match slot.on {
            false => Self::SwitchedOff,
            true if acts(kind) || is_greedy => Self::Acts,
            true if slot.stage.is_off() && !settings.is_greedy() => Self::Off,
            true if settings.is_greedy() && !before_greedy(settings, kind) => Self::Overruled,
            true => Self::Off,
        }
    }
}

/// Whether the stage of this kind stands before the one that leaves nothing to do.
fn before_greedy(settings: &SamplerSettings, kind: StageKind) -> bool {
    let mut kinds = settings.slots.iter().take_while(|slot| !(slot.on && slot.stage.is_greedy()));
    kinds.any(|slot| slot.stage.kind() == kind)
}

/// The line below a control. It is as high and as wide whatever it says, so that nothing jumps while a slider moves.
fn outcome_line_ui(ui: &mut Ui, view: Option<&DistributionView<'_>>, kind: StageKind, doing: StageState) {
    let line = egui::vec2(ui.available_width(), 18.0);
    ui.allocate_ui_with_layout(line, Layout::right_to_left(Align::Min), |ui| {
        ui.set_min_size(line);
        outcome_ui(ui, view, kind, doing);
    });
}

/// Entropy and survivors before and after a stage, at the shown step.
fn outcome_ui(ui: &mut Ui, view: Option<&DistributionView<'_>>, kind: StageKind, doing: StageState) {
    let words = ui.words();
    let palette = Palette::of(ui);
    let small = |text: String, color| RichText::new(text).size(theme::SMALL_SIZE).color(color);
    let Some((view, stage)) = view.and_then(|view| Some((view, stage_of(view.sampling, kind)?))) else {
        let text = match doing {
            StageState::Acts => say!(words, "row-acts"),
            StageState::SwitchedOff => say!(words, "row-switched-off"),
            // Its switch stands right above and says so.
            StageState::Off if kind == StageKind::Greedy => "",
            StageState::Off if matches!(kind.input, Input::Numbers(_)) => say!(words, "row-off"),
            StageState::Off => say!(words, "row-off-empty"),
            StageState::Overruled => say!(words, "row-overruled"),
        };
        ui.label(small(text.to_owned(), palette.quiet));
        return;
    };
    let (before, after) = (&stage.before, &stage.after);
    let color = if view.is_what_if { palette.what_if } else { palette.quiet };
    let n = |n: usize| format::count(words, n as u64);
    let kept = if after.n_candidates == before.n_candidates {
        String::new()
    } else {
        format!(" · {} → {}", n(before.n_candidates), n(after.n_candidates))
    };
    let entropies =
        format!("{} → {}", format::bits(words, before.entropy_bits), format::bits(words, after.entropy_bits));
    let mark = if view.is_what_if { "◆ " } else { "" };
    let (text, color) = match stage.formula().filter(|_| stage.bans_all()) {
        Some(told) => (format!("{mark}{}", words.render(&told)), palette.error),
        None => (format!("{mark}{entropies}{kept}"), color),
    };
    ui.add(Label::new(small(text, color)).truncate()).explain(say!(
        words,
        "row-outcome",
        stage = format::in_sentence(words, &words.render(&kind.name)),
        before = n(before.n_candidates),
        after = n(after.n_candidates),
        kept = format::percent(words, stage.mass_kept)
    ));
}
