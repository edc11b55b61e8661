//! Attention and the map: chosen by mouse and keyboard, said in words, and drawn so that nothing lies over anything else.

use crate::harness::{
    Window, act, check_says, check_silent, click, drawn, idle, make_tokens, n_steps, open, press, readable, says,
    state, step_until, toy,
};
use egui::{Key, Rect};
use egui_kittest::kittest::Queryable as _;
use tokenscope::app::{Action, Chart, InsideAction, MapZoom, PromptAction, RunAction, ScreenAction};
use tokenscope::engine::ModelSource;
use tokenscope::inspect::{HeadChoice, HeadMeasure};
use tokenscope::ui::{anchors, format};
use tokenscope::words::Words;

/// A text in which tokens come again, with one token made, in the picture `chart`.
fn open_inside(chart: Chart) -> Window {
    open_with(chart, ModelSource::Bundled)
}

fn open_with(chart: Chart, source: ModelSource) -> Window {
    let mut window = open(source);
    let text = "The capital of France is Paris. The capital of Italy is Rome. The capital of France is";
    act(&mut window, Action::Prompt(PromptAction::Edit(text.to_owned())));
    step_until("it is tokenized", &mut window, |window| state(window).prompt.tokens.len() == 20);
    make_tokens(&mut window, 1);
    act(&mut window, Action::Screen(ScreenAction::SetChart(chart)));
    step_until("the heads are measured", &mut window, |window| {
        state(window).inside.heads.as_ref().is_some_and(|heads| heads.answer.is_some()) && idle(window)
    });
    window.run_steps(4);
    window
}

fn head(window: &Window) -> (usize, usize) {
    (state(window).inside.layer, state(window).inside.head)
}

fn zoom(window: &Window) -> MapZoom {
    state(window).inside.map.zoom
}

/// Gives the keyboard to what has a name that begins so.
#[track_caller]
fn focus_on(window: &mut Window, begin: &str) {
    window.get_by_label_contains(begin).focus();
    window.run_steps(2);
}

/// Clicks what has a name that contains this.
#[track_caller]
fn click_on(window: &mut Window, part: &str) {
    window.get_by_label_contains(part).click();
    window.step();
    window.remove_cursor();
    // The motion from level to level.
    window.run_steps(20);
}

/// No text of the picture lies over another one, and none is cut off.
#[track_caller]
fn check_clear(window: &Window, what: &str, room: Rect) {
    let texts: Vec<_> = drawn(window).into_iter().filter(|text| room.contains_rect(text.rect)).collect();
    assert!(texts.len() > 4, "{what}: {} texts in {room:?}", texts.len());
    for (n, a) in texts.iter().enumerate() {
        for b in &texts[n + 1..] {
            let apart = !a.rect.shrink(1.0).intersects(b.rect.shrink(1.0));
            assert!(apart, "{what}: {:?} at {:?} lies over {:?} at {:?}", a.text, a.rect, b.text, b.rect);
        }
    }
}

fn place(window: &Window, name: &str) -> Rect {
    anchors::find(&window.ctx, name).unwrap()
}

#[test]
fn heads_are_chosen_by_arrow_keys_by_their_rank_and_by_a_click() {
    let mut window = open_inside(Chart::Attention);
    assert_eq!(head(&window), (0, 0));
    focus_on(&mut window, "All heads, 10 layers by 8 heads");
    for key in [Key::ArrowDown, Key::ArrowDown, Key::ArrowRight, Key::ArrowUp, Key::ArrowLeft, Key::ArrowLeft] {
        press(&mut window, key);
    }
    assert_eq!(head(&window), (1, 0));
    check_says(&window, "Attention, L1 H0: 20 tokens");
    // By each measure the first of the ranking is the head with the most of it.
    for (name, measure) in [("Previous token: ", HeadMeasure::Previous), ("First token (sink): ", HeadMeasure::First)] {
        click_on(&mut window, name);
        assert_eq!(state(&window).inside.attention.ranked_by, measure);
        click_on(&mut window, "1. L");
        let (layer, head) = head(&window);
        let table = state(&window).inside.heads.as_ref().unwrap().answer.clone().unwrap();
        let value = |layer: usize, head: usize| table.heads[layer][head].measures.get(measure).unwrap();
        let all = (0..10).flat_map(|layer| (0..8).map(move |head| (layer, head)));
        assert!(all.into_iter().all(|(l, h)| value(l, h) <= value(layer, head)), "{measure:?}");
    }
    let grid = window.get_by_label_contains("All heads, ").rect();
    let at = grid.min + grid.size() * egui::vec2(7.5 / 8.0, 9.5 / 10.0);
    window.drag_at(at);
    window.drop_at(at);
    window.run_steps(2);
    assert_eq!(head(&window), (9, 7));
}

#[test]
fn a_token_is_chosen_by_its_chip_and_in_the_large_pattern() {
    let mut window = open_inside(Chart::Attention);
    check_says(&window, "“␣is” (19) reads most of: ");
    focus_on(&mut window, "Attention, L0 H0");
    press(&mut window, Key::ArrowUp);
    assert_eq!(state(&window).inside.position, Some(18));
    check_says(&window, "“␣France” (18) reads most of: ");
    let look = state(&window).inside.look.as_ref().unwrap().answer.clone().unwrap();
    let shares = look.pattern(0, 0, 18);
    let most = shares.iter().copied().fold(0.0_f32, f32::max);
    check_says(&window, &format!("{:.1} %", 100.0 * most));
    click(&mut window, "Average");
    assert_eq!(state(&window).inside.attention.shown, HeadChoice::Average);
    check_says(&window, "The average over the heads of layer 0");
    check_says(&window, "Drawn next: ␣Paris");
}

#[test]
fn the_map_is_gone_into_by_mouse_and_by_keyboard_and_left_by_escape() {
    let mut window = open_inside(Chart::Map);
    click_on(&mut window, "Layer 3: attention adds");
    assert_eq!((zoom(&window), head(&window).0), (MapZoom::Layer, 3));
    click_on(&mut window, "L3 H2, reads keys and values of group 1");
    assert_eq!((zoom(&window), head(&window)), (MapZoom::Head, (3, 2)));
    focus_on(&mut window, "“␣capital” (16): score ");
    press(&mut window, Key::Enter);
    window.run_steps(20);
    assert_eq!((zoom(&window), state(&window).inside.map.key), (MapZoom::Number, Some(16)));
    check_says(&window, "÷ √32 = ");
    for outer in [MapZoom::Head, MapZoom::Layer, MapZoom::Model, MapZoom::Model] {
        press(&mut window, Key::Escape);
        window.run_steps(20);
        assert_eq!(zoom(&window), outer);
    }
    // Elsewhere the key is not the map's.
    click_on(&mut window, "Layer 9: attention adds");
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Attention)));
    press(&mut window, Key::Escape);
    assert_eq!(zoom(&window), MapZoom::Layer);
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Map)));
    click(&mut window, "Model");
    assert_eq!(zoom(&window), MapZoom::Model);
}

#[test]
fn what_is_worked_out_is_what_the_model_computed() {
    let mut window = open_inside(Chart::Map);
    let look = state(&window).inside.look.as_ref().unwrap().answer.clone().unwrap();
    let (position, d) = (19, look.head_dim);
    for layer in 0..10 {
        for head in 0..8 {
            let numbers = &look.layers[layer];
            let q = &numbers.rot_q.row(position)[head * d..][..d];
            let score = |key: usize| {
                let k = &numbers.rot_k.row(key)[head / 2 * d..][..d];
                q.iter().zip(k).map(|(q, k)| f64::from(q * k)).sum::<f64>() / (d as f64).sqrt()
            };
            let exps: Vec<f64> = (0..=position).map(|key| score(key).exp()).collect();
            let sum: f64 = exps.iter().sum();
            for (key, exp) in exps.iter().enumerate() {
                let recorded = f64::from(look.pattern(layer, head, position)[key]);
                assert!((exp / sum - recorded).abs() < 1e-5, "L{layer} H{head}, key {key}: {} {recorded}", exp / sum);
            }
        }
    }
    // The weighted sum says both what it adds up to and what was recorded, the norm what the model put out.
    click_on(&mut window, "Layer 0: attention adds");
    click_on(&mut window, "Σ share × V");
    let texts = readable(&window);
    let formula = texts.iter().find(|text| text.starts_with("Σ share × value = ")).unwrap();
    let recorded = format!("{:.3}", look.layers[0].z.row(position)[0]).replace('-', "−");
    assert_eq!(formula.matches(&recorded).count(), 2, "{formula} {recorded}");
    click(&mut window, "RMSNorm");
    let x = look.layers[0].resid_mid.row(position);
    let mean_square = x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>() / x.len() as f64;
    check_says(&window, &format!("= {:.3}", (mean_square + 1e-5).sqrt()));
    check_says(&window, &format!("Normed: {:.3}", look.layers[0].mlp_in.row(position)[0]).replace('-', "−"));
    click(&mut window, "Softmax");
    check_says(&window, "share = exp(score − ");
}

#[test]
fn a_cell_of_the_cache_opens_with_what_it_holds_and_who_reads_it() {
    let mut window = open_inside(Chart::Attention);
    click(&mut window, "Open cell 5 of the KV cache");
    assert_eq!((state(&window).view.chart, state(&window).inside.position), (Chart::Cache, Some(5)));
    act(&mut window, Action::Inside(InsideAction::ChooseHead { layer: 3, head: 2 }));
    window.run_steps(2);
    check_says(&window, "KV cache, 20 positions; chosen: 5, “␣is”. KV cache: filled by the prefill, step 1");
    let card = state(&window).shown_model().unwrap().card.clone();
    let bytes = |n| format::bytes(Words::ENGLISH, card.kv_formula_bytes(n));
    check_says(&window, &format!("{} here in all layers, {} in 20 cells", bytes(1), bytes(20)));
    // Heads 2 and 3 share key/value head 1: numbers 32 to 63 of the row.
    check_says(&window, "Key/value head 1, shared by H2, H3");
    let look = state(&window).inside.look.as_ref().unwrap().answer.clone().unwrap();
    let numbers = &look.layers[3];
    for (name, all) in [("Key", &numbers.rot_k), ("Value", &numbers.v)] {
        let length = all.row(5)[32..64].iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
        check_says(&window, &format!("{name} at position 5: 32 numbers, of length {length:.3}"));
    }
    // Turning a key changes no length; at position 0 it changes nothing.
    let length = |row: &[f32]| row[32..64].iter().map(|x| x * x).sum::<f32>().sqrt();
    assert!((length(numbers.rot_k.row(5)) - length(numbers.k.row(5))).abs() < 1e-4);
    assert!(numbers.rot_k.row(5) != numbers.k.row(5) && numbers.rot_k.row(0) == numbers.k.row(0));
    let share = |layer: usize, head: usize| look.layers[layer].pattern.row(19)[head * 20 + 5];
    let percent = |share: f32| format::percent(Words::ENGLISH, f64::from(share));
    for head in [2, 3] {
        check_says(&window, &format!("L3 H{head} gives this cell {} of its attention", percent(share(3, head))));
    }
    let all = (0..10).flat_map(|layer| (0..8).map(move |head| (layer, head)));
    let best = all.max_by(|a, b| share(a.0, a.1).total_cmp(&share(b.0, b.1))).unwrap();
    click(&mut window, &format!("Most: L{} H{} with {}", best.0, best.1, percent(share(best.0, best.1))));
    assert_eq!(head(&window), best);
}

#[test]
fn cells_and_heads_are_chosen_by_keys_and_a_later_cell_is_filled_by_decode() {
    let mut window = open_inside(Chart::Attention);
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Cache)));
    window.run_steps(2);
    focus_on(&mut window, "KV cache, 20 positions; chosen: 19");
    press(&mut window, Key::ArrowLeft);
    press(&mut window, Key::ArrowLeft);
    press(&mut window, Key::ArrowRight);
    assert_eq!(state(&window).inside.position, Some(18));
    focus_on(&mut window, "What 10 layers by 8 heads read of position 18");
    press(&mut window, Key::ArrowDown);
    press(&mut window, Key::ArrowRight);
    assert_eq!(head(&window), (1, 1));
    click_on(&mut window, "L1 H0 gives this cell ");
    assert_eq!(head(&window), (1, 0));
    make_tokens(&mut window, 1);
    step_until("the next step is looked into", &mut window, |window| says(window, "KV cache, 21 positions"));
    click(&mut window, "Open cell 20 of the KV cache");
    check_says(&window, "chosen: 20, “␣Paris”. KV cache: filled by decode, step 2");
}

#[test]
fn nothing_of_the_pictures_lies_over_anything_else() {
    let mut window = open_inside(Chart::Attention);
    for part in ["heads", "pattern", "measures", "legend"] {
        let room = place(&window, &format!("attention.{part}"));
        if part != "pattern" {
            check_clear(&window, part, room);
        }
    }
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Cache)));
    window.run_steps(3);
    check_clear(&window, "cache", place(&window, "cache"));
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Map)));
    step_until("the lens is there", &mut window, |window| says(window, "Here the lens would say"));
    window.run_steps(20);
    check_clear(&window, "model", place(&window, "map"));
    click_on(&mut window, "Layer 3: attention adds");
    check_clear(&window, "layer", place(&window, "map"));
    click_on(&mut window, "L3 H2, reads keys");
    check_clear(&window, "head", place(&window, "map"));
    click_on(&mut window, "“␣capital” (16): score ");
    for number in ["Softmax", "Weighted sum", "RMSNorm"] {
        click(&mut window, number);
        check_clear(&window, number, place(&window, "map"));
    }
}

#[test]
fn a_model_of_many_layers_fits_into_the_map() {
    for n_layers in [1, 2, 16, 24, 32] {
        let mut window = open_with(Chart::Map, toy(|config| config.n_layers = n_layers));
        step_until("the lens is there", &mut window, |window| says(window, "Here the lens would say"));
        window.run_steps(4);
        let room = place(&window, "map");
        check_clear(&window, &format!("{n_layers} layers"), room);
        for layer in 0..n_layers {
            let card = window.get_by_label_contains(&format!("Layer {layer}: attention adds")).rect();
            assert!(room.contains_rect(card), "layer {layer} of {n_layers}: {card:?} in {room:?}");
        }
    }
}

#[test]
fn a_change_is_generated_on_with_and_everything_says_so() {
    let mut window = open_inside(Chart::Attention);
    act(&mut window, Action::Run(RunAction::SetMaxNewTokens(3)));
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Interventions)));
    click(&mut window, "L0 MLP");
    step_until("the effect is there", &mut window, |window| says(window, "KL divergence"));
    click(&mut window, "◆ Continue with this change");
    step_until("it is made", &mut window, |window| n_steps(window) == 3 && idle(window));
    check_says(&window, "◆ This step was made with L0 MLP × 0");
    check_says(&window, ", generated by a changed model");
    // What the room shows is what made the token.
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Map)));
    step_until("it was looked at", &mut window, |window| {
        let is_there = state(window).inside.look.as_ref().is_some_and(|look| look.answer.is_some());
        is_there && idle(window) && says(window, "made with one change")
    });
    let look = state(&window).inside.look.as_ref().unwrap().answer.clone().unwrap();
    for candidate in &state(&window).current_step().unwrap().sampling.raw.head {
        assert!((f64::from(look.logits[candidate.id as usize]) - candidate.logit).abs() < 1e-4);
    }
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::List)));
    window.run_steps(2);
    check_says(&window, "◆ model changed");
    act(&mut window, Action::Screen(ScreenAction::SetChart(Chart::Branches)));
    window.run_steps(2);
    check_says(&window, "◆ Branch 2");
    check_says(&window, "Branch 2: step 3, ");
    check_says(&window, ", generated by a changed model: L0 MLP × 0");
    click(&mut window, "Undo");
    assert_eq!(state(&window).current_run().unwrap().tree.branches().len(), 1);
    check_silent(&window, "model changed");
}
