//! The rooms of the centre: by keys and clicks, each with the picture that it was left with.

use crate::harness::{
    Window, act, check_says, check_silent, click, make_tokens, open_bundled, open_shell, press, ready, says, state,
    step_until,
};
use egui::{Key, Rect};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use strum::IntoEnumIterator as _;
use tokenscope::app::lessons::{glossary, parse};
use tokenscope::app::{Action, Chart, LessonAction, LoopStage, Room, RunAction, ScreenAction};
use tokenscope::engine::ModelSource;
use tokenscope::message::Language;
use tokenscope::ui::anchors;
use tokenscope::ui::shell::Opening;

fn chart(window: &Window) -> Chart {
    state(window).view.chart
}

#[test]
fn each_room_has_a_key_and_a_button_and_remembers_its_picture() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    press(&mut window, Key::F4);
    assert_eq!(chart(&window), Chart::Draws);
    step_until("it is drawn", &mut window, |window| says(window, "χ²"));
    click(&mut window, "Beams");
    check_silent(&window, "Cumulative");
    press(&mut window, Key::F2);
    assert_eq!(chart(&window), Chart::List);
    check_says(&window, "Rank 1, ");
    click(&mut window, "Cumulative");
    click(&mut window, "Explore");
    assert_eq!(chart(&window), Chart::Beams);
    click(&mut window, "This step");
    assert_eq!(chart(&window), Chart::Cumulative);
    // To be there already changes nothing.
    press(&mut window, Key::F2);
    assert_eq!(chart(&window), Chart::Cumulative);
    // A picture that is asked for by its name brings its room along.
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Compare)));
    press(&mut window, Key::F2);
    press(&mut window, Key::F4);
    assert_eq!(chart(&window), Chart::Compare);
    press(&mut window, Key::Questionmark);
    check_says(&window, "F4");
}

#[test]
fn the_stations_lead_to_their_rooms() {
    let mut window = open_bundled();
    press(&mut window, Key::F4);
    check_says(&window, "Press Step first");
    make_tokens(&mut window, 2);
    // Tokens and the way back and forth stay in the room.
    for key in [Key::ArrowLeft, Key::ArrowRight] {
        press(&mut window, key);
        assert_eq!(chart(&window), Chart::Draws);
    }
    press(&mut window, Key::ArrowUp);
    assert_eq!(chart(&window), Chart::List);
    check_says(&window, "The draw");
    act(&mut window, Action::Run(RunAction::ShowStage(LoopStage::Layers)));
    window.step();
    assert_eq!(chart(&window), Chart::Map);
    assert!(window.query_by_label("Bars").is_none(), "no candidates yet");
    // Who leaves a station for the other room sees what is in it.
    press(&mut window, Key::F4);
    step_until("it is drawn", &mut window, |window| says(window, "χ²"));
    click(&mut window, "Station layers");
    assert_eq!(chart(&window), Chart::Map);
    click(&mut window, "Station logits");
    assert_eq!(chart(&window), Chart::List);
}

#[test]
fn what_is_in_the_other_room_is_pointed_at_by_its_door() {
    let mut window = open_bundled();
    make_tokens(&mut window, 1);
    let place = |window: &Window, name: &str| anchors::find(&window.ctx, name);
    let names: Vec<(Room, String)> =
        Chart::iter().map(|chart| (chart.room(), format!("chart.{}", <&str>::from(chart)))).collect();
    for shown in Room::iter() {
        act(&mut window, Action::Screen(ScreenAction::Enter(shown)));
        window.run_steps(2);
        let doors: Vec<Rect> =
            Room::iter().map(|room| place(&window, &format!("room.{}", <&str>::from(room))).unwrap()).collect();
        assert!(place(&window, "charts").is_some_and(|all| doors.iter().all(|door| all.contains_rect(*door))));
        for (room, name) in &names {
            let pointed_at = place(&window, name).unwrap_or_else(|| panic!("{name} is nowhere from {shown:?}"));
            assert_eq!(doors.contains(&pointed_at), *room != shown, "{name} from {shown:?}");
        }
        assert!(place(&window, "scale").is_some() && place(&window, "search").is_some(), "from {shown:?}");
    }
}

const LOCKED: &str = "+++
id = \"own\"
title = \"Why?\"
minutes = 1
lock = [\"charts\"]
[[scene]]
id = \"one\"
setup = [{ prompt = \"The cat\" }, { make = 2 }, { chart = \"branches\" }]
+++
## one
Words.
";

#[test]
fn a_lesson_that_locks_the_charts_locks_the_rooms() {
    let (lesson, problems) = parse(LOCKED, glossary(Language::English));
    assert!(problems.is_empty(), "{problems:?}");
    let opening = Opening::OwnLesson(lesson.unwrap().into(), "lesson.md".into());
    let mut window = ready(open_shell(ModelSource::Bundled, |shell| shell.opening(Some(opening))));
    step_until("the scene is set up", &mut window, |window| chart(window) == Chart::Branches);
    window.run_steps(2);
    assert!(window.get_by_label("This step").accesskit_node().is_disabled());
    press(&mut window, Key::F2);
    press(&mut window, Key::ArrowUp);
    assert_eq!(chart(&window), Chart::Branches);
    check_says(&window, "This lesson keeps this as it is");
    act(&mut window, Action::Lesson(LessonAction::Leave));
    press(&mut window, Key::F2);
    assert_eq!(chart(&window), Chart::List);
}
