//! Settings: the language, the size, what stays still; and that nothing is cut off in any of them.

use crate::harness::{
    Drawn, Window, act, check_says, check_silent, click, drawn, idle, make_tokens, open_bundled, press, state,
    step_until, type_text,
};
use egui::accesskit::Role;
use egui::{Key, vec2};
use egui_kittest::kittest::Queryable as _;
use strum::IntoEnumIterator as _;
use tokenscope::app::{
    Action, Chart, Cursor, LessonAction, LoopStage, ModelsAction, PredictionAction, Preferences, RunAction,
    SamplersAction, ScreenAction, Section, SettingsAction, ThemeChoice,
};
use tokenscope::engine::ModelSource;
use tokenscope::message::Language;
use tokenscope::sampling::SamplerSettings;
use tokenscope::trace::Stage;

fn prefer(window: &mut Window, change: impl FnOnce(&mut Preferences)) {
    let mut preferences = state(window).settings.clone();
    change(&mut preferences);
    act(window, Action::Settings(SettingsAction::Prefer(preferences)));
    window.run_steps(3);
}

/// Every text is as wide as it has room, but for what may end with an ellipsis.
#[track_caller]
fn check_uncut(window: &Window, place: &str) {
    for Drawn { text, rect, clip, .. } in drawn(window) {
        let fits = rect.left() >= clip.left() - 1.0 && rect.right() <= clip.right() + 1.0;
        assert!(fits, "{place}: {text:?} at {rect:?} is cut off by {clip:?}");
    }
}

/// Goes through the states of the window.
fn look_around(window: &mut Window, place: &str) {
    check_uncut(window, &format!("{place}, at the beginning"));
    make_tokens(window, 3);
    for section in [Section::Text, Section::Samplers, Section::KvCache, Section::Timing] {
        if !state(window).view.open_sections.contains(&section) {
            act(window, Action::Screen(ScreenAction::ToggleSection(section)));
        }
    }
    for section in [Section::Samplers, Section::Text, Section::KvCache, Section::Timing] {
        // One after the other comes into sight.
        window.run_steps(2);
        check_uncut(window, &format!("{place}, before {section:?} is folded"));
        act(window, Action::Screen(ScreenAction::ToggleSection(section)));
    }
    for chart in [Chart::List, Chart::Bars, Chart::Cumulative, Chart::Draws, Chart::Beams, Chart::Compare] {
        act(window, Action::Screen(ScreenAction::SetChart(chart)));
        step_until("the chart is there", window, idle);
        window.run_steps(3);
        check_uncut(window, &format!("{place}, {chart:?}"));
    }
    act(window, Action::Screen(ScreenAction::SetChart(Chart::List)));
    for stage in LoopStage::iter() {
        act(window, Action::Run(RunAction::GoTo(Cursor { step: 0, stage })));
        window.run_steps(2);
        check_uncut(window, &format!("{place}, {stage:?}"));
    }
    act(window, Action::Run(RunAction::GoTo(Cursor { step: 2, stage: LoopStage::Append })));
    let sampler = state(window).sampler.clone();
    let other = SamplerSettings::of([Stage::temperature(1.7), Stage::top_k(3)]).with_seed(sampler.seed);
    act(window, Action::Samplers(SamplersAction::Set(other)));
    step_until("the what-if is there", window, |window| state(window).current_what_if().is_some());
    window.run_steps(3);
    check_uncut(window, &format!("{place}, what if"));
    let centre = window.get_by_label("Log").rect();
    assert!(centre.right() < 960.0, "{place}: the panel grew over the inspector: {centre:?}");
    act(window, Action::Samplers(SamplersAction::Set(sampler)));
    act(window, Action::Predict(PredictionAction::Ask(true)));
    window.run_steps(2);
    check_uncut(window, &format!("{place}, asked for a prediction"));
    act(window, Action::Predict(PredictionAction::Ask(false)));
    for dialog in [
        Action::Screen(ScreenAction::ToggleHelp),
        Action::Models(ModelsAction::ToggleDialog),
        Action::Settings(SettingsAction::Toggle),
    ] {
        act(window, dialog.clone());
        window.run_steps(3);
        check_uncut(window, &format!("{place}, {dialog:?}"));
        act(window, dialog);
    }
}

#[test]
fn nothing_is_cut_off_in_any_language_with_and_without_lessons() {
    for language in Language::iter() {
        let mut window = open_bundled();
        prefer(&mut window, |preferences| preferences.language = Some(language));
        look_around(&mut window, &format!("{language:?}"));
        act(&mut window, Action::Run(RunAction::Restart));
        act(&mut window, Action::Lesson(LessonAction::ToggleList));
        act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::List)));
        window.run_steps(2);
        look_around(&mut window, &format!("{language:?} beside the lessons"));
    }
}

#[test]
fn the_window_speaks_german_and_english_again() {
    let mut window = open_bundled();
    click(&mut window, "Settings");
    window.run_steps(3);
    click(&mut window, "Deutsch");
    window.run_steps(3);
    check_says(&window, "Einstellungen");
    check_silent(&window, "Settings");
    click(&mut window, "Schließen");
    press(&mut window, Key::Space);
    step_until("a token is made", &mut window, idle);
    window.run_steps(2);
    check_says(&window, "Schritt 1");
    click(&mut window, "Lektionen");
    // One that is translated, and one that is not.
    check_says(&window, "Was geschieht, nachdem du auf Senden gedrückt hast?");
    check_says(&window, "Why not always take the best token?");
    prefer(&mut window, |preferences| preferences.language = Some(Language::English));
    check_says(&window, "What happens in the moments after you press send?");
    check_silent(&window, "Schritt 1");
}

#[test]
fn what_goes_wrong_is_said_in_the_language_that_is_chosen() {
    let mut window = open_bundled();
    let nowhere = || ModelSource::Folder("no/such/folder".into());
    for (language, part) in [(Language::German, "as ist kein Ordner"), (Language::English, "his is not a folder")] {
        prefer(&mut window, |preferences| preferences.language = Some(language));
        act(&mut window, Action::Models(ModelsAction::Load(nowhere())));
        step_until("the load has failed", &mut window, |window| state(window).notice.is_some());
        window.run_steps(2);
        check_says(&window, part);
        act(&mut window, Action::Screen(ScreenAction::DismissNotice));
    }
}

#[test]
fn a_lesson_goes_on_in_the_language_that_is_chosen() {
    let mut window = open_bundled();
    act(&mut window, Action::Lesson(LessonAction::Open("press-send".to_owned())));
    window.run_steps(3);
    let scene = state(&window).lessons.taking.as_ref().unwrap().scene;
    prefer(&mut window, |preferences| preferences.language = Some(Language::German));
    let taking = state(&window).lessons.taking.as_ref().unwrap();
    assert_eq!((taking.scene, taking.lesson.id.as_str()), (scene, "press-send"));
    check_says(&window, "Was geschieht, nachdem du auf Senden gedrückt hast?");
}

#[test]
fn at_every_size_everything_is_there_and_can_be_pressed() {
    const PIXELS: egui::Vec2 = vec2(1280.0, 800.0);
    for zoom in [0.8, 1.0, 1.5, 2.0, 3.0] {
        let mut window = open_bundled();
        prefer(&mut window, |preferences| preferences.zoom = zoom);
        assert_eq!(window.ctx.zoom_factor(), zoom);
        window.set_size(PIXELS / zoom);
        window.run_steps(3);
        let names = ["Step", "▶ Run", "⟲ Restart", "Lessons", "Find a token", "Speed", "Settings", "?"];
        for name in ["Step", "▶ Run", "⟲ Restart", "Lessons", "Speed", "Settings", "?"] {
            assert!(window.query_by_label(name).is_some(), "{name} at {zoom}");
        }
        press(&mut window, Key::Space);
        step_until("a token is made", &mut window, idle);
        window.run_steps(2);
        for name in names {
            let node = window.query_by_label(name).unwrap_or_else(|| panic!("{name} at {zoom}"));
            node.scroll_to_me();
            window.run_steps(3);
            let rect = window.get_by_label(name).rect();
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, PIXELS / zoom);
            assert!(screen.expand(1.0).contains_rect(rect), "{name} stays out of sight at {zoom}: {rect:?}");
        }
        for (dialog, name) in
            [(Action::Screen(ScreenAction::ToggleHelp), "Close"), (Action::Settings(SettingsAction::Toggle), "Close")]
        {
            act(&mut window, dialog);
            window.run_steps(3);
            window.get_by_label(name).scroll_to_me();
            window.run_steps(3);
            click(&mut window, name);
        }
        assert!(!state(&window).view.help && !state(&window).view.settings, "at {zoom}");
    }
}

#[test]
fn the_size_is_changed_by_the_keyboard_and_has_its_bounds() {
    let mut window = open_bundled();
    let zoom = |window: &mut Window, key: Key, n: usize| {
        for _ in 0..n {
            window.key_press_modifiers(egui::Modifiers::COMMAND, key);
            window.run_steps(2);
        }
        state(window).settings.zoom
    };
    assert!((zoom(&mut window, Key::Plus, 3) - 1.3).abs() < 1e-4);
    assert_eq!(zoom(&mut window, Key::Minus, 20), 0.8);
    assert_eq!(zoom(&mut window, Key::Equals, 40), 3.0);
}

#[test]
fn nothing_moves_where_nothing_shall() {
    let mut window = open_bundled();
    let times = |window: &Window| {
        let style = window.ctx.global_style();
        (style.animation_time, style.scroll_animation.duration.max)
    };
    prefer(&mut window, |preferences| preferences.zoom = 1.1);
    assert!(times(&window).0 > 0.0 && times(&window).1 > 0.0);
    prefer(&mut window, |preferences| preferences.still = true);
    assert_eq!(times(&window), (0.0, 0.0));
    // The settled window draws no frames either way, in both themes.
    for theme in [ThemeChoice::Dark, ThemeChoice::Light] {
        prefer(&mut window, |preferences| preferences.theme = theme);
        assert_eq!(times(&window), (0.0, 0.0));
    }
}

#[test]
fn the_folder_of_lessons_can_be_typed() {
    let mut window = open_bundled();
    act(&mut window, Action::Settings(SettingsAction::Toggle));
    window.run_steps(2);
    window.get_by_role_and_label(Role::TextInput, "Lessons of your own").focus();
    window.run_steps(2);
    let folder = std::env::temp_dir().join("no such folder").join("of lessons");
    type_text(&mut window, &folder.display().to_string());
    assert_eq!(state(&window).settings.lesson_folder.as_deref(), Some(&*folder));
}
