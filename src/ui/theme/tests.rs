//! Contrast and colours that all eyes tell apart.

use super::*;

#[test]
fn a_presentation_is_no_larger_than_its_window_has_room_for() {
    let presenting = |zoom: f32, room: [f32; 2]| {
        let preferences = Preferences { zoom, ..Preferences::default() };
        Look::of(&preferences, true, Words::ENGLISH, room.into()).zoom
    };
    for (zoom, room) in [(1.0, [1280.0, 720.0]), (1.0, [1920.0, 1080.0])] {
        assert_eq!(presenting(zoom, room), PRESENTED);
    }
    for (zoom, room) in [(2.0, [1280.0, 800.0]), (1.0, [1000.0, 680.0]), (3.0, [1920.0, 1080.0])] {
        let left = egui::Vec2::from(room) / presenting(zoom, room);
        assert!(left.x >= LEAST_PRESENTED.x && left.y >= LEAST_PRESENTED.y, "{left}");
    }
}

/// Relative luminance as WCAG 2.1 defines it.
fn luminance(color: Color32) -> f64 {
    let [red, green, blue, _] = color.to_srgba_unmultiplied();
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

fn contrast(a: Color32, b: Color32) -> f64 {
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    if a > b { a / b } else { b / a }
}

const NAMED: [(&str, &Palette, f64); 4] = [
    ("dark", &DARK, 4.5),
    ("light", &LIGHT, 4.5),
    // A projector washes out: there it is what WCAG 2.1 calls enhanced.
    ("presented dark", &CONTRAST_DARK, 7.0),
    ("presented light", &CONTRAST_LIGHT, 7.0),
];

/// The colours that mean something, and so are texts as well as marks.
fn meanings(palette: &Palette) -> [(&'static str, Color32); 6] {
    [
        ("accent", palette.accent),
        ("what_if", palette.what_if),
        ("prompt", palette.prompt),
        ("surprise", palette.surprise),
        ("other", palette.other),
        ("error", palette.error),
    ]
}

#[test]
fn every_text_has_the_contrast_of_wcag_aa() {
    for (theme, palette, least) in NAMED {
        let plain = [("text", palette.text), ("quiet", palette.quiet), ("dropped", palette.dropped)];
        for (name, color) in plain.into_iter().chain(meanings(palette)) {
            for (ground, fill) in [("background", palette.background), ("panel", palette.panel)] {
                let ratio = contrast(color, fill);
                assert!(ratio >= least, "{theme}: {name} on {ground} has only {ratio:.2} : 1");
            }
        }
        assert!(contrast(palette.on_accent, palette.accent) >= 4.5, "{theme}: text on the accent");
        let visuals = visuals(Visuals::dark(), palette);
        assert!(contrast(palette.text, visuals.selection.bg_fill) >= 4.5, "{theme}: text on what is selected");
        for widget in [&visuals.widgets.inactive, &visuals.widgets.hovered, &visuals.widgets.active] {
            assert!(contrast(widget.fg_stroke.color, widget.weak_bg_fill) >= 4.5, "{theme}: text on a button");
        }
        for percent in 0..=100 {
            let share = f64::from(percent) / 100.0;
            for fill in [palette.probability_fill(share), palette.surprise_fill(share)] {
                let ratio = contrast(palette.text, fill);
                assert!(ratio >= 4.5, "{theme}: text on a token of {percent} % has only {ratio:.2} : 1");
            }
        }
    }
}

#[test]
fn every_mark_stands_out_from_what_it_stands_on() {
    for (theme, palette, _) in NAMED {
        let marks = meanings(palette).into_iter().chain([("outline", palette.outline()), ("dropped", palette.dropped)]);
        for (name, color) in marks {
            for (ground, fill) in
                [("background", palette.background), ("panel", palette.panel), ("raised", palette.raised)]
            {
                let ratio = contrast(color, fill);
                assert!(ratio >= 3.0, "{theme}: {name} on {ground} has only {ratio:.2} : 1");
            }
        }
    }
}

type Matrix = [[f64; 3]; 3];

/// How colours look without one kind of cones, in linear sRGB: Machado, Oliveira and Fernandes 2009, A
/// physiologically-based model for simulation of color vision deficiency, severity 1.
const EYES: [(&str, Matrix); 4] = [
    ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]],
    ),
    (
        "deuteranopia",
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
    ),
    (
        "tritanopia",
        [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]],
    ),
];

fn linear(channel: u8) -> f64 {
    let c = f64::from(channel) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn times(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(vector).map(|(factor, value)| factor * value).sum::<f64>())
}

/// sRGB to CIE XYZ, IEC 61966-2-1, and its white.
const TO_XYZ: Matrix =
    [[0.412_456, 0.357_576, 0.180_438], [0.212_673, 0.715_152, 0.072_175], [0.019_334, 0.119_192, 0.950_304]];
const WHITE: [f64; 3] = [0.950_47, 1.0, 1.088_83];

/// CIELAB under D65.
fn lab(color: Color32, eyes: &Matrix) -> [f64; 3] {
    let channels = color.to_srgba_unmultiplied();
    let seen = times(eyes, [channels[0], channels[1], channels[2]].map(linear));
    let mut xyz = times(&TO_XYZ, seen.map(|channel| channel.clamp(0.0, 1.0)));
    for (value, white) in xyz.iter_mut().zip(WHITE) {
        let share = *value / white;
        *value = if share > 0.008_856 { share.cbrt() } else { 7.787 * share + 16.0 / 116.0 };
    }
    [116.0 * xyz[1] - 16.0, 500.0 * (xyz[0] - xyz[1]), 200.0 * (xyz[1] - xyz[2])]
}

#[test]
fn colours_that_mean_something_are_told_apart_by_all_eyes() {
    for (theme, palette, _) in NAMED {
        for (sight, eyes) in &EYES {
            let seen = meanings(palette).map(|(name, color)| (name, lab(color, eyes)));
            for (at, (name, a)) in seen.iter().enumerate() {
                for (other, b) in &seen[..at] {
                    let distance = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                    assert!(distance >= 15.0, "{theme}, {sight}: {name} and {other} are {distance:.1} apart");
                }
            }
        }
    }
}
