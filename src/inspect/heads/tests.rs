//! Measures of patterns that are made by hand, and of any.

use super::*;
use crate::trace::LayerActivations;
use proptest::prelude::*;
use strum::IntoEnumIterator as _;

/// A pass over these tokens with one layer, of whose heads these are the patterns.
pub(crate) fn look_with(ids: &[TokenId], heads: &[&[&[f32]]]) -> Activations {
    let n_positions = ids.len();
    let row = |position: usize| heads.iter().flat_map(move |rows| rows[position].to_vec());
    let data = (0..n_positions).flat_map(row).collect();
    let pattern = Matrix { width: heads.len() * n_positions, data };
    Activations {
        ids: ids.into(),
        n_heads: heads.len(),
        n_kv_heads: 1,
        layers: vec![LayerActivations { pattern, ..LayerActivations::default() }],
        ..Activations::default()
    }
}

fn values(measures: &HeadMeasures) -> Vec<Option<f64>> {
    HeadMeasure::iter().map(|measure| measures.get(measure)).collect()
}

#[test]
fn each_rule_is_found_in_the_head_that_follows_it() {
    // a b a b: at position 2 the token a stood at 0, followed by b at 1; at 3 the token b stood at 1, followed by a at 2.
    let ids = [7, 8, 7, 8];
    let previous: &[&[f32]] =
        &[&[1.0, 0.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0], &[0.0, 0.0, 1.0, 0.0]];
    let sink: &[&[f32]] = &[[1.0, 0.0, 0.0, 0.0].as_slice(); 4];
    let same: &[&[f32]] = &[&[1.0, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0]];
    let even: &[&[f32]] = &[&[1.0, 0.0, 0.0, 0.0], &[0.5, 0.5, 0.0, 0.0], &[0.25, 0.25, 0.5, 0.0], &[0.25; 4]];
    let look = look_with(&ids, &[previous, sink, same, even]);
    let table = measure(&look, &|| false).unwrap();
    let of = |head: usize| values(&table.heads[0][head].measures);
    let third = 1.0 / 3.0;
    // Entropy, distance, previous, first, same, induction.
    assert_eq!(of(0), [0.0, 1.0, 1.0, third, 0.0, 1.0].map(Some));
    assert_eq!(of(1), [0.0, 2.0, third, 1.0, 0.5, 0.0].map(Some));
    assert_eq!(of(2), [0.0, 4.0 / 3.0, 0.0, third, 1.0, 0.0].map(Some));
    assert_eq!(of(3), [1.5, (0.5 + 0.75 + 1.5) / 3.0, third, third, 0.25, 0.25].map(Some));
    let counts: Vec<_> = HeadMeasure::iter().map(|measure| table.n_tokens(measure)).collect();
    assert_eq!(counts, [3, 3, 3, 3, 2, 2]);
    let first = table.ranked(HeadMeasure::First)[0];
    assert_eq!((first.layer, first.head, first.value), (0, 1, 1.0));
    assert_eq!(table.ranked(HeadMeasure::Entropy).iter().map(|ranked| ranked.head).collect::<Vec<_>>(), [3, 0, 1, 2]);
    assert_eq!(table.averages[0].row(3), [0.3125, 0.3125, 0.3125, 0.0625]);
    assert!(measure(&look, &|| true).is_none());
}

#[test]
fn what_a_text_does_not_have_has_no_score() {
    let look = look_with(&[1], &[&[&[1.0]]]);
    let table = measure(&look, &|| false).unwrap();
    assert_eq!(values(&table.heads[0][0].measures), [None; 6]);
    assert!(table.ranked(HeadMeasure::Induction).is_empty());
    assert_eq!(values(&measure_row(&look, &[1.0], 0)), [Some(0.0), Some(0.0), None, None, None, None]);
    // Twice in a row is the same token earlier, and no induction: what followed it is the token itself.
    let row = measure_row(&look_with(&[3, 3], &[&[&[1.0, 0.0], &[0.25, 0.75]]]), &[0.25, 0.75], 1);
    assert_eq!((row.get(HeadMeasure::Same), row.get(HeadMeasure::Induction)), (Some(0.25), None));
}

#[test]
fn rows_that_are_not_kept_are_not_measured() {
    let mut look = look_with(&[1, 2, 1], &[&[&[1.0, 0.0, 0.0], &[0.5, 0.5, 0.0], &[0.0, 1.0, 0.0]]]);
    look.first = 2;
    look.layers[0].pattern.data.drain(..6);
    let table = measure(&look, &|| false).unwrap();
    assert_eq!(values(&table.heads[0][0].measures), [0.0, 1.0, 1.0, 0.0, 0.0, 1.0].map(Some));
    assert_eq!(table.heads[0][0].thumbnail, Matrix { width: 3, data: vec![0.0, 1.0, 0.0] });
}

proptest! {
    #[test]
    fn of_any_pattern_shares_are_shares_and_entropy_and_distance_within_their_limits(
        ids in proptest::collection::vec(0_u32..4, 1..12),
        scores in proptest::collection::vec(-6.0_f64..6.0, 12 * 12),
    ) {
        let n = ids.len();
        let rows: Vec<Vec<f32>> = (0..n).map(|position| {
            let exps: Vec<f64> = (0..=position).map(|place| scores[position * 12 + place].exp()).collect();
            let sum: f64 = exps.iter().sum();
            (0..n).map(|place| exps.get(place).map_or(0.0, |exp| (exp / sum) as f32)).collect()
        }).collect();
        let rows: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
        let look = look_with(&ids, &[&rows]);
        let table = measure(&look, &|| false).unwrap();
        let means = table.heads[0][0].measures;
        let each = (0..n).map(|position| measure_row(&look, rows[position], position)).collect::<Vec<_>>();
        for measures in each.iter().chain([&means]) {
            for measure in HeadMeasure::iter() {
                let Some(value) = measures.get(measure) else { continue };
                let most = match measure {
                    HeadMeasure::Entropy => (n as f64).log2(),
                    HeadMeasure::Distance => (n - 1) as f64,
                    _ => 1.0,
                };
                prop_assert!((-1e-6..=most + 1e-5).contains(&value), "{measure:?} {value}");
            }
        }
        for measure in HeadMeasure::iter() {
            let rows: Vec<f64> = each[1..].iter().filter_map(|row| row.get(measure)).collect();
            prop_assert_eq!(table.n_tokens(measure), rows.len());
            let mean = (!rows.is_empty()).then(|| rows.iter().sum::<f64>() / rows.len() as f64);
            prop_assert!((means.get(measure).unwrap_or(9.0) - mean.unwrap_or(9.0)).abs() < 1e-9);
        }
    }
}
