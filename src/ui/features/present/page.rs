//! What is longer than the screen, and is read page by page.

use crate::app::{Action, PresentAction};
use egui::{Context, Id, ScrollArea, Ui};

/// How far the shown thing reaches beyond what is seen of it, and where it is to be moved to.
#[derive(Clone, Copy, Debug, Default)]
struct Page {
    above: f32,
    below: f32,
    height: f32,
    wanted: Option<f32>,
}

/// What is this much longer than its room is read on before anything else comes.
const REST: f32 = 8.0;

fn memory() -> Id {
    Id::unique("the page that is presented")
}

fn page(ctx: &Context) -> Page {
    ctx.data(|data| data.get_temp(memory())).unwrap_or_default()
}

/// One press on: the rest of what is too long for the screen, then the next beat.
pub(super) fn go_on(ctx: &Context, out: &mut Vec<Action>) {
    let page = page(ctx);
    if has_more(ctx) {
        turn(ctx, page, page.above + 0.85 * page.height);
    } else {
        out.push(PresentAction::Next.into());
    }
}

pub(super) fn go_back(ctx: &Context, out: &mut Vec<Action>) {
    let page = page(ctx);
    if page.above > REST {
        turn(ctx, page, page.above - 0.85 * page.height);
    } else {
        out.push(PresentAction::Previous.into());
    }
}

fn turn(ctx: &Context, page: Page, to: f32) {
    ctx.data_mut(|data| data.insert_temp(memory(), Page { wanted: Some(to.max(0.0)), ..page }));
}

/// Something that may be longer than the screen, and is read page by page.
pub fn paged_ui(ui: &mut Ui, key: impl egui::AsIdSalt, add: impl FnOnce(&mut Ui)) {
    let mut area = ScrollArea::vertical().id_salt(key).auto_shrink([false, false]);
    if let Some(wanted) = page(ui.ctx()).wanted {
        area = area.vertical_scroll_offset(wanted);
    }
    let shown = area.show(ui, add);
    let (above, height) = (shown.state.clamped_offset().y, shown.inner_rect.height());
    let page = Page { above, below: shown.content_size.y - height - above, height, wanted: None };
    ui.data_mut(|data| data.insert_temp(memory(), page));
}

/// Whether the shown thing is read on before anything else comes.
pub(super) fn has_more(ctx: &Context) -> bool {
    page(ctx).below > REST
}

/// What is shown uses the room that there is, and has no pages.
pub fn no_page(ctx: &Context) {
    ctx.data_mut(|data| data.insert_temp(memory(), Page::default()));
}
