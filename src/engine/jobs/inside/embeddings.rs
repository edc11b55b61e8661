//! What is near what among the rows of the embedding matrix.

use super::pca;
use crate::engine::RunError;
use crate::model::LanguageModel;
use crate::trace::{EmbeddingMap, Neighbour, Neighbours, TokenId};

/// Adds rows up and finds the `n` tokens whose rows point most nearly where the sum does, those of the terms apart.
pub(super) fn neighbours(
    model: &dyn LanguageModel,
    terms: Vec<(TokenId, f32)>,
    n: usize,
) -> Result<Neighbours, RunError> {
    let ids: Vec<TokenId> = terms.iter().map(|(id, _)| *id).collect();
    let rows = model.embeddings(&ids)?;
    let hidden = model.card().hidden_size;
    let mut vector = vec![0.0; hidden];
    for (row, (_, factor)) in rows.chunks_exact(hidden).zip(&terms) {
        vector.iter_mut().zip(row).for_each(|(sum, number)| *sum += factor * number);
    }
    let cosines = model.cosines(&vector)?;
    let of_others = (0..).zip(&cosines).filter(|(id, _)| !ids.contains(id));
    let mut nearest: Vec<_> = of_others.map(|(id, cosine)| Neighbour { id, cosine: f64::from(*cosine) }).collect();
    let by_cosine = |a: &Neighbour, b: &Neighbour| b.cosine.total_cmp(&a.cosine).then(a.id.cmp(&b.id));
    if nearest.len() > n {
        nearest.select_nth_unstable_by(n, by_cosine);
        nearest.truncate(n);
    }
    nearest.sort_by(by_cosine);
    Ok(Neighbours { terms, vector, nearest })
}

/// Lays the rows of these tokens on the plane in which they differ most.
pub(super) fn embedding_map(model: &dyn LanguageModel, ids: &[TokenId]) -> Result<EmbeddingMap, RunError> {
    let rows = if ids.is_empty() { Vec::new() } else { model.embeddings(ids)? };
    let (points, explained) = pca::plane(&rows, model.card().hidden_size);
    Ok(EmbeddingMap { points: ids.iter().copied().zip(points).collect(), explained })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ToyConfig, ToyModel};

    fn length(row: &[f32]) -> f64 {
        row.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn the_nearest_are_those_of_the_greatest_cosine() {
        let toy = ToyModel::new(ToyConfig { vocab_size: 40, ..ToyConfig::default() });
        let terms = vec![(3, 1.0), (7, -1.0), (9, 1.0)];
        let found = neighbours(&toy, terms.clone(), 5).unwrap();
        let rows: Vec<Vec<f32>> = (0..40).map(|id| toy.embeddings(&[id]).unwrap()).collect();
        let vector: Vec<f32> = (0..4).map(|i| rows[3][i] - rows[7][i] + rows[9][i]).collect();
        assert_eq!((&found.vector, &found.terms), (&vector, &terms));
        let cosine = |row: &[f32]| {
            let product: f64 = row.iter().zip(&vector).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            product / (length(row) * length(&vector))
        };
        let mut expected: Vec<(u32, f64)> = (0..40).map(|id| (id, cosine(&rows[id as usize]))).collect();
        expected.retain(|(id, _)| ![3, 7, 9].contains(id));
        expected.sort_by(|a, b| b.1.total_cmp(&a.1));
        assert_eq!(found.nearest.len(), 5);
        for (found, (id, cosine)) in found.nearest.iter().zip(expected) {
            assert!(found.id == id && (found.cosine - cosine).abs() < 1e-6, "{found:?}, {id} {cosine}");
        }
    }

    #[test]
    fn more_neighbours_than_tokens_are_all_of_them() {
        let toy = ToyModel::new(ToyConfig { vocab_size: 4, ..ToyConfig::default() });
        assert_eq!(neighbours(&toy, vec![(0, 1.0)], 9).unwrap().nearest.len(), 3);
        assert_eq!(neighbours(&toy, vec![(0, 1.0)], 0).unwrap().nearest, []);
    }
}
