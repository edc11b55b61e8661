//! The keys of a presentation.

use super::page::{go_back, go_on};
use crate::app::{Action, PresentAction, Shown};
use egui::Key;
use strum::IntoEnumIterator as _;

/// The keys of a presentation, of which a clicker has the first four; the digits choose what is shown.
fn presented(key: Key) -> Option<PresentAction> {
    Some(match key {
        Key::Space | Key::PageDown => PresentAction::Next,
        Key::PageUp => PresentAction::Previous,
        Key::B | Key::Period => PresentAction::Blank,
        Key::F5 | Key::Escape => PresentAction::Toggle,
        Key::N => PresentAction::Notes,
        key => {
            let digits = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8];
            let (_, shown) = digits.into_iter().zip(Shown::iter()).find(|(digit, _)| *digit == key)?;
            PresentAction::Show(shown)
        }
    })
}

/// Does what the keys of a presentation ask for that were pressed in this window, and returns them.
pub fn pressed(ctx: &egui::Context, out: &mut Vec<Action>) -> Vec<Key> {
    let typing = ctx.text_edit_focused();
    // Escape leaves a field or closes a menu first; egui has taken the keyboard from the field by now.
    let memory = egui::Id::unique(("somebody types", ctx.viewport_id()));
    let typed = ctx.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<bool>(memory), typing));
    let leaves = typed || egui::Popup::is_any_open(ctx);
    let focused = ctx.memory(egui::Memory::focused).is_some();
    let keys = |input: &egui::InputState| -> Vec<Key> {
        let keys = input.events.iter().filter_map(|event| match event {
            egui::Event::Key { key, pressed: true, repeat: false, modifiers, .. } if modifiers.is_none() => Some(*key),
            _ => None,
        });
        keys.collect()
    };
    let mut taken = Vec::new();
    for key in ctx.input(keys) {
        let used = match key {
            // A field of one line has no use for the keys of a clicker.
            Key::PageUp | Key::PageDown | Key::F5 => false,
            Key::Escape => leaves,
            Key::Space => focused,
            _ => typing,
        };
        let Some(action) = presented(key).filter(|_| !used) else { continue };
        taken.push(key);
        match action {
            PresentAction::Next => go_on(ctx, out),
            PresentAction::Previous => go_back(ctx, out),
            action => out.push(action.into()),
        }
    }
    taken
}
