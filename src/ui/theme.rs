//! How it looks: the only file with colours and fonts.
//!
//! One accent, which means probability. Each colour means one thing, in dark and in light, and is never the only sign.
//! Text has a contrast of at least 4.5 : 1 against what it stands on (see the test).

#[cfg(test)]
mod tests;

use super::speech;
use crate::app::{Preferences, ThemeChoice, ZOOM_RANGE};
use crate::words::Words;
use egui::style::{NumberFormatter, ScrollAnimation};
use egui::{Color32, FontData, FontDefinitions, FontFamily, FontId, Stroke, TextStyle, Theme, Visuals};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The colours of one theme.
#[derive(Debug)]
pub struct Palette {
    /// Behind everything.
    pub background: Color32,
    pub panel: Color32,
    pub raised: Color32,
    pub line: Color32,
    pub text: Color32,
    pub quiet: Color32,
    /// Probability, and the one thing to press.
    pub accent: Color32,
    pub on_accent: Color32,
    pub dropped: Color32,
    /// What would be, not what is.
    pub what_if: Color32,
    /// What was not expected, and where much was possible.
    pub surprise: Color32,
    /// The other one of two runs.
    pub other: Color32,
    /// What came from the prompt.
    pub prompt: Color32,
    pub error: Color32,
}

#[expect(clippy::disallowed_methods, reason = "this is the file that declares colours")]
const fn hex(rgb: u32) -> Color32 {
    Color32::from_rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

static DARK: Palette = Palette {
    background: hex(0x0011_1318),
    panel: hex(0x0018_1B22),
    raised: hex(0x0025_2A34),
    line: hex(0x0036_3D4A),
    text: hex(0x00EC_EFF4),
    quiet: hex(0x00AA_B3C2),
    accent: hex(0x0062_ACFF),
    on_accent: hex(0x0007_1220),
    dropped: hex(0x008A_94A6),
    what_if: hex(0x00F7_CF4B),
    surprise: hex(0x00E0_728A),
    other: hex(0x005C_E6A4),
    prompt: hex(0x00B0_7AB4),
    error: hex(0x00F2_622E),
};

static LIGHT: Palette = Palette {
    background: hex(0x00F7_F8FA),
    panel: hex(0x00FF_FFFF),
    raised: hex(0x00E9_EDF2),
    line: hex(0x00CF_D6E0),
    text: hex(0x0016_191F),
    quiet: hex(0x004D_5666),
    accent: hex(0x0014_5FBF),
    on_accent: hex(0x00FF_FFFF),
    dropped: hex(0x005F_6878),
    what_if: hex(0x008A_651A),
    surprise: hex(0x0062_2145),
    other: hex(0x0000_4614),
    prompt: hex(0x006D_538B),
    error: hex(0x00B0_4A4E),
};

/// For a projector in a bright room: text on black.
static CONTRAST_DARK: Palette = Palette {
    background: hex(0x0000_0000),
    panel: hex(0x000A_0B0E),
    raised: hex(0x0020_242C),
    line: hex(0x007A_8494),
    text: hex(0x00FF_FFFF),
    quiet: hex(0x00D4_DBE6),
    accent: hex(0x007C_BEFF),
    on_accent: hex(0x0000_0000),
    dropped: hex(0x00B4_BDCB),
    what_if: hex(0x00F6_CF46),
    surprise: hex(0x00DB_8697),
    other: hex(0x007E_FBD0),
    prompt: hex(0x00C4_8BBD),
    error: hex(0x00F7_7556),
};

static CONTRAST_LIGHT: Palette = Palette {
    background: hex(0x00FF_FFFF),
    panel: hex(0x00FF_FFFF),
    raised: hex(0x00E6_EAF0),
    line: hex(0x0060_6A7A),
    text: hex(0x0000_0000),
    quiet: hex(0x0030_3844),
    accent: hex(0x0000_3F96),
    on_accent: hex(0x00FF_FFFF),
    dropped: hex(0x003F_4754),
    what_if: hex(0x006C_5100),
    surprise: hex(0x005C_193F),
    other: hex(0x0001_3508),
    prompt: hex(0x005B_497D),
    error: hex(0x0091_3D42),
};

/// The screen that shows nothing.
pub const BLANK: Color32 = Color32::BLACK;

static PALETTES: [&Palette; 4] = [&DARK, &LIGHT, &CONTRAST_DARK, &CONTRAST_LIGHT];

impl Palette {
    /// The colours that are in force, told by the ground on which they stand.
    pub fn of(ui: &egui::Ui) -> &'static Self {
        let ground = ui.visuals().panel_fill;
        PALETTES.into_iter().find(|palette| palette.background == ground).unwrap_or(&DARK)
    }

    /// The light colours, for paper.
    pub fn light() -> &'static Self {
        &LIGHT
    }

    /// Whether these are the colours of a presentation, in which all type is legible from afar.
    pub fn is_presented(&self) -> bool {
        std::ptr::eq(self, &raw const CONTRAST_DARK) || std::ptr::eq(self, &raw const CONTRAST_LIGHT)
    }

    /// Around what is known by its shape alone, such as an empty box to tick.
    pub fn outline(&self) -> Color32 {
        self.quiet
    }

    /// The fill of a token of this probability; text stays legible on all of them.
    pub fn probability_fill(&self, prob: f64) -> Color32 {
        self.raised.lerp_to_gamma(self.accent, 0.45 * prob.clamp(0.0, 1.0) as f32)
    }

    /// A share of attention or another probability in a picture without text. It grows with the square root, so that a
    /// share of 1 % is told from none.
    pub fn heat(&self, prob: f64) -> Color32 {
        self.raised.lerp_to_gamma(self.accent, prob.clamp(0.0, 1.0).sqrt() as f32)
    }

    /// The fill of a token by its probability or by how surprising it is.
    pub fn tint_fill(&self, surprise: bool, share: f64) -> Color32 {
        if surprise { self.surprise_fill(share) } else { self.probability_fill(share) }
    }

    /// The fill of a number between -1 and 1; nothing is written on it.
    pub fn signed_fill(&self, share: f32) -> Color32 {
        let full = if share < 0.0 { self.surprise } else { self.accent };
        self.raised.lerp_to_gamma(full, share.abs().min(1.0))
    }

    /// The fill of a token that is as surprising as that, from 0 to 1.
    pub fn surprise_fill(&self, share: f64) -> Color32 {
        self.raised.lerp_to_gamma(self.surprise, 0.45 * share.clamp(0.0, 1.0) as f32)
    }
}

/// The largest type: what the step is about.
pub const HERO_SIZE: f32 = 30.0;
pub const BODY_SIZE: f32 = 15.0;
/// Type of what can wait.
pub const SMALL_SIZE: f32 = 12.5;
pub const UNIT: f32 = 4.0;

/// The heavier weight of the text face.
pub fn semibold() -> FontFamily {
    FontFamily::Name("semibold".into())
}

/// A heavier font of this size.
pub fn semibold_font(size: f32) -> FontId {
    FontId::new(size, semibold())
}

/// The face of tokens, in which white space and look-alikes are told apart.
pub fn token_font(size: f32) -> FontId {
    FontId::new(size, FontFamily::Monospace)
}

/// How the window is dressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    words: Words,
    theme: ThemeChoice,
    /// Pixels of the screen for each that is drawn.
    zoom: f32,
    still: bool,
    presenting: bool,
}

/// How many times as large everything is for a room: the smallest type has 20 pixels then.
const PRESENTED: f32 = 1.65;
/// A presentation needs this much room, in points: where there is less, everything is smaller.
const LEAST_PRESENTED: egui::Vec2 = egui::vec2(775.0, 436.0);

impl Default for Look {
    fn default() -> Self {
        Self { words: Words::ENGLISH, theme: ThemeChoice::System, zoom: 1.0, still: false, presenting: false }
    }
}

impl Look {
    /// What the user and the moment ask for, in a window of so many points at 100 %.
    pub fn of(preferences: &Preferences, presenting: bool, words: Words, room: egui::Vec2) -> Self {
        let Preferences { theme, zoom, still, .. } = *preferences;
        // In whole percents, since the size of the room is known only after rounding.
        let largest = (100.0 * (room / LEAST_PRESENTED).min_elem()).floor() / 100.0;
        let zoom = if presenting { (zoom * PRESENTED).min(largest).max(*ZOOM_RANGE.start()) } else { zoom };
        Self { words, theme, zoom, still, presenting }
    }

    /// Sets the language of what is drawn, and sizes and colours of both themes.
    pub fn dress(self, ctx: &egui::Context) {
        let words = self.words;
        speech::speak(ctx, words);
        let palettes = if self.presenting { [&CONTRAST_DARK, &CONTRAST_LIGHT] } else { [&DARK, &LIGHT] };
        let themes = [(Theme::Dark, Visuals::dark()), (Theme::Light, Visuals::light())];
        for ((theme, base), palette) in themes.into_iter().zip(palettes) {
            ctx.style_mut_of(theme, |style| {
                style.visuals = visuals(base, palette);
                style.text_styles = text_styles();
                style.number_formatter = NumberFormatter::new(move |value, decimals| numeral(words, value, decimals));
                style.spacing.item_spacing = egui::vec2(2.0 * UNIT, 1.5 * UNIT);
                style.spacing.button_padding = egui::vec2(2.5 * UNIT, 1.25 * UNIT);
                style.spacing.interact_size = egui::vec2(10.0 * UNIT, 7.0 * UNIT);
                style.spacing.slider_width = 30.0 * UNIT;
                style.spacing.slider_rail_height = UNIT;
                // Room beside the contents, so that the bar covers nothing.
                style.spacing.scroll.floating_allocated_width = 8.0;
                style.interaction.tooltip_delay = 0.3;
                style.animation_time = if self.still { 0.0 } else { 0.12 };
                style.scroll_animation = if self.still { ScrollAnimation::none() } else { ScrollAnimation::default() };
            });
        }
        ctx.set_theme(match self.theme {
            ThemeChoice::System => egui::ThemePreference::System,
            ThemeChoice::Dark => egui::ThemePreference::Dark,
            ThemeChoice::Light => egui::ThemePreference::Light,
        });
        ctx.set_zoom_factor(self.zoom);
    }
}

/// A number in a field or beside a slider.
fn numeral(words: Words, value: f64, decimals: std::ops::RangeInclusive<usize>) -> String {
    words.numeral(egui::emath::format_with_decimals_in_range(value, decimals))
}

fn text_styles() -> BTreeMap<TextStyle, FontId> {
    [
        (TextStyle::Small, FontId::proportional(SMALL_SIZE)),
        (TextStyle::Body, FontId::proportional(BODY_SIZE)),
        (TextStyle::Button, FontId::proportional(BODY_SIZE)),
        (TextStyle::Heading, semibold_font(18.0)),
        (TextStyle::Monospace, FontId::monospace(BODY_SIZE - 1.0)),
    ]
    .into()
}

/// Sets the fonts, and lets the settings alone decide how large things are.
pub fn install(ctx: &egui::Context) {
    ctx.set_fonts(fonts());
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
}

fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let faces: [(&str, &'static [u8]); 4] = [
        ("plex-sans", include_bytes!("../../assets/fonts/IBMPlexSans-Regular.ttf")),
        ("plex-sans-semibold", include_bytes!("../../assets/fonts/IBMPlexSans-SemiBold.ttf")),
        ("plex-mono", include_bytes!("../../assets/fonts/IBMPlexMono-Regular.ttf")),
        ("symbols", include_bytes!("../../assets/fonts/TokenscopeSymbols.ttf")),
    ];
    for (name, bytes) in faces {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let fallbacks = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    for (family, face) in [
        (FontFamily::Proportional, "plex-sans"),
        (semibold(), "plex-sans-semibold"),
        (FontFamily::Monospace, "plex-mono"),
    ] {
        let mut names = vec![face.to_owned(), "symbols".to_owned(), "plex-sans".to_owned()];
        names.extend(fallbacks.iter().cloned());
        fonts.families.insert(family, names);
    }
    fonts
}

fn visuals(base: Visuals, palette: &Palette) -> Visuals {
    let mut visuals = base;
    visuals.panel_fill = palette.background;
    visuals.window_fill = palette.panel;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.extreme_bg_color = palette.background;
    visuals.faint_bg_color = palette.panel;
    visuals.hyperlink_color = palette.accent;
    visuals.warn_fg_color = palette.what_if;
    visuals.error_fg_color = palette.error;
    visuals.weak_text_color = Some(palette.quiet);
    visuals.selection.bg_fill = palette.raised.lerp_to_gamma(palette.accent, 0.45);
    visuals.selection.stroke = Stroke::new(1.0, palette.text);
    visuals.slider_trailing_fill = true;
    visuals.window_corner_radius = 8.into();
    visuals.menu_corner_radius = 6.into();
    let hovered = palette.raised.lerp_to_gamma(palette.text, 0.10);
    let pressed = palette.raised.lerp_to_gamma(palette.text, 0.18);
    for (widget, fill, stroke, text) in [
        (&mut visuals.widgets.noninteractive, palette.panel, palette.line, palette.text),
        (&mut visuals.widgets.inactive, palette.raised, palette.raised, palette.text),
        (&mut visuals.widgets.hovered, hovered, palette.quiet, palette.text),
        (&mut visuals.widgets.active, pressed, palette.accent, palette.text),
        (&mut visuals.widgets.open, palette.raised, palette.line, palette.text),
    ] {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::new(1.0, stroke);
        widget.fg_stroke = Stroke::new(1.0, text);
        widget.corner_radius = 6.into();
        widget.expansion = 0.0;
    }
    // The ring around the widget that has the keyboard.
    visuals.widgets.active.bg_stroke = Stroke::new(2.0, palette.accent);
    visuals
}
