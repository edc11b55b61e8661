//! A user who presses and clicks anything: nothing may panic, hang, or lose its name.

use crate::harness::{Window, idle, open_bundled, press, state, step_until, text_of};
use egui::Key;
use egui::accesskit::{Action as NodeAction, Role};
use egui_kittest::kittest::NodeT as _;
use tokenscope::app::{Action, Cursor, RunAction};

const KEYS: [Key; 21] = [
    Key::Space,
    Key::ArrowDown,
    Key::ArrowUp,
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::End,
    Key::Home,
    Key::R,
    Key::S,
    Key::G,
    Key::I,
    Key::Questionmark,
    Key::Tab,
    Key::Enter,
    Key::Escape,
    Key::Num7,
    Key::Backspace,
    Key::A,
    Key::F2,
    Key::F3,
    Key::F4,
];

/// Numbers that look random and are the same on every run (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }
}

/// Clicks or sets one of the widgets that can be; none that leaves the window or reaches for a network.
fn poke(window: &mut Window, dice: &mut Dice) {
    let forbidden = ["Open a folder…", "Load", "CUDA", "Metal", "Choose a place…", "Choose a file…", "Save", "Open"];
    let nodes: Vec<_> = egui_kittest::kittest::Queryable::query_all_by(window, |node| {
        !node.is_disabled()
            && (node.data().supports_action(NodeAction::Click) || node.data().supports_action(NodeAction::SetValue))
            && !matches!(node.role(), Role::Label | Role::ScrollBar | Role::Window)
    })
    .filter(|node| text_of(node).is_some_and(|name| !forbidden.contains(&name.as_str())))
    .collect();
    let Some(node) = nodes.get(dice.below(nodes.len().max(1))) else { return };
    let data = node.accesskit_node();
    match data.role() {
        Role::Slider | Role::SpinButton => {
            let low = data.min_numeric_value().unwrap_or(0.0);
            let high = data.max_numeric_value().unwrap_or(100.0).min(1e6);
            node.set_value_accesskit(low + (high - low) * dice.below(11) as f64 / 10.0);
        }
        _ => node.click_accesskit(),
    }
    drop(nodes);
    window.step();
    window.step();
}

#[track_caller]
fn check_sound(window: &Window) {
    let state = state(window);
    assert!(!state.engine_dead, "the engine died");
    if let Some(run) = state.current_run() {
        let n_steps = run.trace().steps().len();
        assert!(state.cursor == Cursor::START || state.cursor.step < n_steps, "{:?} of {n_steps}", state.cursor);
        assert!(run.trace().steps().iter().map(|step| step.index).eq(0..n_steps), "a step is missing");
    }
    let unnamed = window.unnamed_widgets();
    assert!(unnamed.is_empty(), "{unnamed:?}");
}

#[test]
fn whatever_is_pressed_the_window_stays_sound() {
    for seed in 1..=8 {
        let mut dice = Dice(seed * 0x9E37_79B9_7F4A_7C15);
        let mut window = open_bundled();
        for _ in 0..150 {
            if dice.below(3) == 0 {
                poke(&mut window, &mut dice);
            } else {
                press(&mut window, KEYS[dice.below(KEYS.len())]);
            }
            check_sound(&window);
        }
        press(&mut window, Key::Escape);
        press(&mut window, Key::Escape);
        let ctx = window.ctx.clone();
        window.state_mut().act(&ctx, Action::Run(RunAction::Stop));
        step_until("the engine rests", &mut window, |window| idle(window) && state(window).model.loading.is_none());
    }
}
