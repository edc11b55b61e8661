//! The language of the window, handed along with egui's context: see [`say!`](crate::words).

use crate::words::{Speaks, Words};
use egui::{Context, Id, Ui};

fn memory() -> Id {
    Id::unique("the language of the window")
}

/// Lets everything that is drawn from now on speak this.
pub fn speak(ctx: &Context, words: Words) {
    ctx.data_mut(|data| data.insert_temp(memory(), words));
}

impl Speaks for Context {
    fn words(&self) -> Words {
        self.data(|data| data.get_temp(memory())).unwrap_or_default()
    }
}

impl Speaks for Ui {
    fn words(&self) -> Words {
        self.ctx().words()
    }
}
