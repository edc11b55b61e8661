//! Each preset shows on the bundled model what its sentence says.

use super::*;
use crate::engine::{LoadRequest, Loaded, Patch, direction, load, look, patch};
use crate::trace::{Activations, PatchMap};
use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

static BUNDLED: LazyLock<Loaded> =
    LazyLock::new(|| load(&LoadRequest::default(), &mut |_| ControlFlow::Continue(())).unwrap());

fn ids(text: &str) -> Arc<[TokenId]> {
    BUNDLED.public.tokenizer.encode(text).unwrap().iter().map(|piece| piece.id).collect()
}

fn read(text: &str, edits: Vec<Edit>) -> Activations {
    look(&*BUNDLED.model, ids(text), edits.into(), &|| false).unwrap()
}

/// The probability of a token that this text is.
fn prob(look: &Activations, token: &str) -> f64 {
    let vocabulary = &BUNDLED.public.vocabulary;
    let id = (0..).take(vocabulary.len()).find(|id| vocabulary.bytes(*id) == token.as_bytes()).unwrap();
    let exp = |logit: f32| f64::from(logit).exp();
    exp(look.logits[id as usize]) / look.logits.iter().map(|logit| exp(*logit)).sum::<f64>()
}

/// The prompt of a preset as it is, and with what the preset sets up.
fn before_and_after(name: &Message) -> [Activations; 2] {
    let preset = INTERVENTIONS.iter().find(|preset| preset.name == *name).unwrap();
    let edit = match preset.sets_up {
        SetUp::Off(part) => off(part),
        SetUp::Difference(layer, texts) => {
            let direction = direction(&*BUNDLED.model, layer, texts.map(ids), &|| false).unwrap();
            let change = Change::Add { direction, strength: 1.0 };
            Edit { part: Part::Residual { layer }, positions: Positions::All, change }
        }
        SetUp::Patch(..) => panic!("{preset:?} changes nothing"),
    };
    [read(preset.prompt, vec![]), read(preset.prompt, vec![edit])]
}

#[test]
fn each_intervention_does_what_its_sentence_says() {
    let [before, after] = before_and_after(&msg!("preset-copying"));
    assert!(prob(&before, "ill") > 0.9 && prob(&after, "ill") < 0.01 && prob(&after, "ick") > 0.5);
    let (reader, n) = (before.pattern(4, 3, before.n_positions() - 1), before.n_positions());
    assert!(reader[n - 2] > 0.9, "it reads the token before: {reader:?}");
    let [before, after] = before_and_after(&msg!("preset-opposite"));
    assert!(prob(&before, " cold") > 0.9 && prob(&after, " hot") > prob(&after, " cold"));
    let [before, after] = before_and_after(&msg!("preset-first-mlp"));
    assert!(prob(&before, " Paris") > 0.9 && prob(&after, " Paris") < 0.01);
    let [before, after] = before_and_after(&msg!("preset-direction"));
    assert!(prob(&before, " Paris") > 0.9 && prob(&after, " Rome") > 0.9);
    assert_eq!(INTERVENTIONS.len(), 4);
}

/// What comes back at each layer and column of the map that a preset sets up, and the place that it chooses.
fn restored(name: &Message) -> (Vec<Vec<f64>>, PatchedPlace) {
    let preset = PATCHES.iter().find(|preset| preset.name == *name).unwrap();
    let SetUp::Patch(other, place) = preset.sets_up else { panic!("{preset:?} patches nothing") };
    let question =
        Patch { clean: ids(preset.prompt), corrupted: ids(other), answers: None, site: place.site, edits: [].into() };
    let map: PatchMap = patch(&*BUNDLED.model, question, &|| false, &mut |_| ()).unwrap();
    let row = |layer: usize| (0..map.diffs[layer].len()).map(|column| map.restored(layer, column).unwrap()).collect();
    ((0..map.diffs.len()).map(row).collect(), place)
}

/// The cells from the one that brings most back.
fn ranked(map: &[Vec<f64>]) -> Vec<(usize, usize)> {
    let cells = |layer: usize| (0..map[layer].len()).map(move |column| (layer, column));
    let mut cells: Vec<_> = (0..map.len()).flat_map(cells).collect();
    cells.sort_by(|a, b| map[b.0][b.1].total_cmp(&map[a.0][a.1]));
    cells
}

#[test]
fn each_map_has_its_best_places_where_its_sentence_says() {
    let (map, place) = restored(&msg!("preset-capital"));
    let (country, last) = (4, 5);
    assert!((0..=4).all(|layer| map[layer][country] > 0.8 && map[layer][last] < 0.2), "{map:?}");
    assert!((5..=7).all(|layer| map[layer][country] > 0.2 && map[layer][last] > 0.2), "{map:?}");
    assert!((8..10).all(|layer| map[layer][last] > 0.95), "{map:?}");
    assert_eq!((place.layer, place.column), (8, last));
    let (map, place) = restored(&msg!("preset-puppy"));
    let best = ranked(&map);
    assert_eq!([best[0], best[1]], [(8, 6), (7, 6)]);
    assert!(map[8][6] + map[7][6] > 0.7 && (place.layer, place.column) == best[0]);
    let (map, place) = restored(&msg!("preset-name"));
    let best = ranked(&map);
    assert_eq!([best[0], best[1]], [(5, 4), (5, 5)]);
    assert!((place.layer, place.column) == best[0] && map[5][5] > 1.3 * map[best[2].0][best[2].1], "{map:?}");
    assert_eq!(PATCHES.len(), 3);
}

#[test]
fn words_of_the_presets_replace_each_other() {
    let vocabulary = &BUNDLED.public.vocabulary;
    let token = |text: &str| ids(text).last().copied().unwrap();
    let [france, italy] = ["of France", "of Italy"].map(token);
    assert_eq!(replacements(vocabulary, france), [italy]);
    assert_eq!(replacements(vocabulary, italy), [france]);
    assert!(replacements(vocabulary, token("of Spain")).is_empty());
}
