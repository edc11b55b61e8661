//! Starts the window.

use tokenscope::engine::LoadRequest;
use tokenscope::ui::shell::Shell;

fn main() -> eframe::Result {
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_title("Tokenscope").with_inner_size([1280.0, 800.0]).with_min_inner_size([960.0, 640.0]),
        ..Default::default()
    };
    eframe::run_native("tokenscope", options, Box::new(|creation| Ok(Box::new(Shell::new(&creation.egui_ctx, LoadRequest::default(), None)?))))
}
