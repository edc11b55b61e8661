//! The window without a screen: keys and clicks in, the accessibility tree out.

use egui::accesskit::Role;
use egui::epaint::{ClippedShape, Shape};
use egui::{Event, Key, Modifiers, Rect};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, HarnessBuilder, Node};
use std::time::{Duration, Instant};
use tokenscope::app::{Action, Activity, AppState};
use tokenscope::engine::{LoadRequest, ModelSource};
use tokenscope::message::Tell as _;
use tokenscope::model::{DTypeChoice, DeviceChoice, ToyConfig};
use tokenscope::ui::shell::Shell;

/// The whole application in a window of its own.
pub type Window = Harness<'static, Shell>;

/// The size of the window unless said otherwise.
pub const SIZE: [f32; 2] = [1280.0, 800.0];

/// How long any answer of the engine may take; only a hang takes longer.
const DEADLINE: Duration = Duration::from_mins(1);

/// A toy as large as the bundled tokenizer needs it.
pub fn toy(change: impl FnOnce(&mut ToyConfig)) -> ModelSource {
    let mut config = ToyConfig { vocab_size: 4096, ..ToyConfig::default() };
    change(&mut config);
    ModelSource::Toy(config)
}

/// A window that begins to load this model, with the example prompt.
pub fn open_with(builder: HarnessBuilder<Shell>, source: ModelSource) -> Window {
    let request = LoadRequest { source, device: DeviceChoice::Cpu, dtype: DTypeChoice::Auto };
    builder.build_eframe(|creation| Shell::new(&creation.egui_ctx, request, None).unwrap())
}

/// A window that begins to load this model, made otherwise than usual.
pub fn open_shell(source: ModelSource, change: impl FnOnce(Shell) -> Shell) -> Window {
    let request = LoadRequest { source, device: DeviceChoice::Cpu, dtype: DTypeChoice::Auto };
    let builder = Harness::builder().with_size(SIZE);
    builder.build_eframe(|creation| change(Shell::new(&creation.egui_ctx, request, None).unwrap()))
}

/// A window of usual size whose model is ready and whose prompt is tokenized.
pub fn open(source: ModelSource) -> Window {
    ready(open_with(Harness::builder().with_size(SIZE), source))
}

/// The window once its model is ready and its prompt is tokenized.
pub fn ready(mut window: Window) -> Window {
    step_until("the model is ready", &mut window, |window| {
        state(window).model.loaded.is_some() && !state(window).prompt.tokens.is_empty()
    });
    window.step();
    window
}

/// What the window tells of what went wrong.
#[track_caller]
pub fn notice(window: &Window) -> String {
    tokenscope::words::Words::ENGLISH.render(&state(window).notice.as_ref().unwrap().message())
}

/// The bundled model's window.
pub fn open_bundled() -> Window {
    open(ModelSource::Bundled)
}

/// What the window shows, as data.
pub fn state(window: &Window) -> &AppState {
    window.state().state()
}

/// How many tokens have been made.
pub fn n_steps(window: &Window) -> usize {
    state(window).current_run().map_or(0, |run| run.trace().steps().len())
}

/// The tokens that have been made.
pub fn chosen_ids(window: &Window) -> Vec<u32> {
    let run = state(window).current_run().unwrap();
    run.trace().steps().iter().map(|step| step.sampling.chosen_id()).collect()
}

/// Whether the engine waits.
pub fn idle(window: &Window) -> bool {
    state(window).current_run().is_none_or(|run| run.activity() == Activity::Idle)
}

/// Draws frames until `done`; panics with `why` and all that can be read in the window when that takes too long.
#[track_caller]
pub fn step_until(why: &str, window: &mut Window, done: impl Fn(&Window) -> bool) {
    let started = Instant::now();
    loop {
        window.step();
        if done(window) {
            return;
        }
        let late = started.elapsed() > DEADLINE;
        assert!(!late, "not within {DEADLINE:?}: {why}; the window says\n{}", readable(window).join("\n"));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Every text in the window, from the accessibility tree.
pub fn readable(window: &Window) -> Vec<String> {
    let texts = window.root().children_recursive().filter_map(|node| text_of(&node));
    texts.filter(|text| !text.is_empty()).collect()
}

/// The name of a widget or the text of a label.
pub fn text_of(node: &Node<'_>) -> Option<String> {
    let node = node.accesskit_node();
    if node.role() == Role::Label { node.value() } else { node.label() }
}

/// Whether some text in the window contains this.
pub fn says(window: &Window, text: &str) -> bool {
    readable(window).iter().any(|shown| shown.contains(text))
}

/// Asserts that some text in the window contains this.
#[track_caller]
pub fn check_says(window: &Window, text: &str) {
    assert!(says(window, text), "{text:?} is nowhere in\n{}", readable(window).join("\n"));
}

/// Asserts that no text in the window contains this.
#[track_caller]
pub fn check_silent(window: &Window, text: &str) {
    let found: Vec<_> = readable(window).into_iter().filter(|shown| shown.contains(text)).collect();
    assert!(found.is_empty(), "{text:?} is in {found:?}");
}

/// Presses a key as a keyboard does: with the text that it types, if it types one.
pub fn press(window: &mut Window, key: Key) {
    let typed = match key {
        Key::Space => Some(" ".to_owned()),
        key if key.name().len() == 1 => Some(key.name().to_lowercase()),
        _ => None,
    };
    window.event(Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE });
    if let Some(text) = typed {
        window.event(Event::Text(text));
    }
    window.key_up(key);
    window.step();
    window.step();
}

/// Clicks the widget of this name.
#[track_caller]
pub fn click(window: &mut Window, name: &str) {
    window.get_by_label(name).click();
    window.step();
    window.remove_cursor();
    window.step();
}

/// Sets a slider or a number field, as a screen reader does.
#[track_caller]
pub fn set_value(window: &mut Window, name: &str, value: f64) {
    let nodes: Vec<_> = window.get_all_by_label(name).collect();
    let settable = |node: &&Node<'_>| matches!(node.accesskit_node().role(), Role::Slider | Role::SpinButton);
    // A slider's value can be typed beside it: both have its name.
    nodes.iter().find(settable).expect("a slider or a number field").set_value_accesskit(value);
    drop(nodes);
    window.step();
    window.step();
}

/// Gives a text field the keyboard.
#[track_caller]
pub fn focus(window: &mut Window, name: &str) {
    window.get_by_label(name).focus();
    window.step();
    window.step();
}

/// Types, a character at a time.
pub fn type_text(window: &mut Window, text: &str) {
    for c in text.chars() {
        window.event(Event::Text(c.to_string()));
        window.step();
    }
    window.step();
}

/// Carries out an action that needs more than a key or a click, such as a dropped folder.
pub fn act(window: &mut Window, action: Action) {
    let ctx = window.ctx.clone();
    window.state_mut().act(&ctx, action);
    window.step();
}

/// Makes `n` tokens with the space bar.
#[track_caller]
pub fn make_tokens(window: &mut Window, n: usize) {
    for _ in 0..n {
        let before = n_steps(window);
        press(window, Key::Space);
        step_until("a token is made", window, |window| n_steps(window) == before + 1 && idle(window));
    }
    window.step();
}

/// A text on the screen: what it says, its smallest type in pixels, where it is, and what of it can be seen.
pub struct Drawn {
    pub text: String,
    pub pixels: f32,
    pub rect: Rect,
    pub clip: Rect,
    pub elided: bool,
}

/// All texts that are on the screen.
pub fn drawn(window: &Window) -> Vec<Drawn> {
    fn collect(shape: &Shape, clip: Rect, scale: f32, out: &mut Vec<Drawn>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, clip, scale, out)),
            Shape::Text(text) => {
                let sizes = text.galley.job.sections.iter().map(|section| section.format.font_id.size);
                let rect = text.galley.mesh_bounds.translate(text.pos.to_vec2());
                let said = text.galley.job.text.clone();
                // What is scrolled out of sight is not on the screen.
                if !said.trim().is_empty() && rect.intersects(clip) && text.opacity_factor > 0.0 {
                    let pixels = sizes.fold(f32::INFINITY, f32::min) * scale;
                    out.push(Drawn { text: said, pixels, rect, clip, elided: text.galley.elided });
                }
            }
            _ => {}
        }
    }
    let mut texts = Vec::new();
    for ClippedShape { clip_rect, shape, .. } in &window.output().shapes {
        collect(shape, *clip_rect, window.ctx.pixels_per_point(), &mut texts);
    }
    texts
}
