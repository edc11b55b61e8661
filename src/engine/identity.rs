//! What tells one model from another: a hash over everything that it is made of.

use super::LoadError;
use super::folder::{ModelFiles, not_read};
use crate::files::{self, ReadError};
use crate::message::msg;
use crate::model::WeightSource;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that are read at once.
const PIECE_LEN: usize = 1 << 20;

/// SHA-256 over config.json, tokenizer.json and the weights in their order, as hexadecimal digits.
///
/// Once `unwanted` is set, it soon returns a hash of less than that.
pub(super) fn hash(files: &ModelFiles, unwanted: &AtomicBool) -> Result<String, LoadError> {
    let mut hasher = Sha256::new();
    // The length in front, so that no byte can move from one part to the next.
    let mut part = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(files.config_json.as_bytes());
    part(&files.tokenizer_json);
    match &files.weights {
        WeightSource::Embedded { bytes, .. } => part(bytes),
        WeightSource::Files(paths) => {
            for path in paths {
                update_with(&mut hasher, path, unwanted)
                    .map_err(|error| not_read(error, msg!("error-doing-reading-weights"), path))?;
            }
        }
    }
    Ok(hex(&hasher.finalize()))
}

fn update_with(hasher: &mut Sha256, path: &Path, unwanted: &AtomicBool) -> Result<(), ReadError> {
    let mut file = files::open(path)?;
    hasher.update(file.metadata()?.len().to_le_bytes());
    let mut piece = vec![0; PIECE_LEN];
    while !unwanted.load(Ordering::Relaxed) {
        let n = file.read(&mut piece)?;
        if n == 0 {
            break;
        }
        hasher.update(&piece[..n]);
    }
    Ok(())
}

/// The same for a model without files, from a description of it.
pub(super) fn hash_text(description: &str) -> String {
    hex(&Sha256::digest(description.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut hex, byte| {
        let _infallible = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{bundled, bundled_draft};

    #[test]
    fn files_and_memory_give_the_same_hash() {
        let embedded = bundled_draft();
        let WeightSource::Embedded { bytes, .. } = embedded.weights else { panic!() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        std::fs::write(&path, bytes).unwrap();
        let in_files = ModelFiles { weights: WeightSource::Files(vec![path.clone()]), ..embedded.clone() };
        let hash_of = |files: &ModelFiles| hash(files, &AtomicBool::new(false)).unwrap();
        assert_eq!(hash_of(&embedded), hash_of(&in_files));
        assert_ne!(hash_of(&embedded), hash_of(&bundled()));
        let mut changed = bytes.to_vec();
        changed[bytes.len() / 2] ^= 1;
        std::fs::write(&path, changed).unwrap();
        assert_ne!(hash_of(&embedded), hash_of(&in_files), "one bit is enough");
        assert_ne!(hash_of(&embedded), hash_of(&ModelFiles { config_json: "{}".to_owned(), ..embedded.clone() }));
    }
}
