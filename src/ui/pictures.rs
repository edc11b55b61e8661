//! Pictures of the window or a part of it: the pixels come a frame or two after they were asked for.

use super::layout::Parts;
use crate::app::Part;
use crate::engine::Keep;
use egui::{ColorImage, Context, Rect, ScreenshotCallback, ViewportCommand};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Frames that are drawn before the picture, so that the menu or dialog it was asked for in is gone.
const FRAMES_BEFORE: u32 = 3;

/// A picture whose pixels have come.
type Taken = (Part, PathBuf, Arc<ColorImage>);

/// The pictures that were asked for.
#[derive(Debug)]
pub struct Pictures {
    /// What to take, where to write it, and how many frames are still to be drawn before.
    wanted: Vec<(Part, PathBuf, u32)>,
    taken: (SyncSender<Taken>, Receiver<Taken>),
}

impl Default for Pictures {
    fn default() -> Self {
        Self { wanted: Vec::new(), taken: sync_channel(16) }
    }
}

impl Pictures {
    pub fn take(&mut self, part: Part, path: PathBuf) {
        self.wanted.push((part, path, FRAMES_BEFORE));
    }

    /// Goes on with what was asked for, once a frame; returns what is to be written.
    pub fn update(&mut self, ctx: &Context, parts: &Parts) -> Vec<Keep> {
        for (part, path, _) in self.wanted.extract_if(.., |(_, _, frames_left)| *frames_left == 0) {
            let (sender, ctx_to_wake) = (self.taken.0.clone(), ctx.clone());
            let callback = ScreenshotCallback::new(move |image| {
                // Where sixteen wait already, this one is not taken.
                let _full = sender.try_send((part, path, image));
                wake(&ctx_to_wake);
            });
            ctx.send_viewport_cmd(ViewportCommand::Screenshot(callback));
            wake(ctx);
        }
        for (_, _, frames_left) in &mut self.wanted {
            *frames_left -= 1;
            wake(ctx);
        }
        let scale = ctx.pixels_per_point();
        let pictures = self.taken.1.try_iter().map(|(part, path, image)| {
            let cut = match parts.get(&part).filter(|_| part != Part::Window) {
                Some(rect) => cut(&image, *rect, scale),
                None => (*image).clone(),
            };
            let pixels = cut.pixels.iter().flat_map(egui::Color32::to_srgba_unmultiplied).collect();
            Keep::Picture(path, cut.size, pixels)
        });
        pictures.collect()
    }
}

/// The part of the picture at `rect`, which is in points, as far as there is picture.
fn cut(image: &ColorImage, rect: Rect, scale: f32) -> ColorImage {
    let side = |points: f32, most: usize| ((points * scale).round().max(0.0) as usize).min(most);
    let (left, top) = (side(rect.left(), image.width()), side(rect.top(), image.height()));
    let (right, bottom) = (side(rect.right(), image.width()), side(rect.bottom(), image.height()));
    image.region_by_pixels([left, top], [right.saturating_sub(left), bottom.saturating_sub(top)])
}

#[expect(clippy::disallowed_methods, reason = "a picture that was asked for needs frames to come about")]
fn wake(ctx: &Context) {
    ctx.request_repaint();
}
