//! A tokenizer without its model, so that a text can be seen under two.

use super::folder::tokenizer_json;
use super::{LoadFailure, bundled};
use crate::text::Tokenizer;
use std::path::PathBuf;
use std::sync::Arc;

/// Where a tokenizer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenizerSource {
    /// That of the bundled models.
    Bundled,
    /// A tokenizer.json, or a folder with one.
    Path(PathBuf),
}

impl TokenizerSource {
    /// A name for people.
    pub fn name(&self) -> String {
        match self {
            Self::Bundled => super::ModelSource::BUNDLED.to_owned(),
            Self::Path(path) => {
                let is_plain = path.file_name().is_some_and(|name| name == super::folder::TOKENIZER);
                let named = if is_plain { path.parent().unwrap_or(path) } else { path };
                named.file_name().unwrap_or(named.as_os_str()).to_string_lossy().into_owned()
            }
        }
    }

    /// Reads it for whoever asked.
    pub(super) fn read(self) -> ReadTokenizer {
        let result = self.load().map(Arc::new).map_err(Arc::new);
        ReadTokenizer { source: self, result }
    }

    fn load(&self) -> Result<Tokenizer, LoadFailure> {
        let json = match self {
            Self::Bundled => bundled().tokenizer_json,
            Self::Path(path) => tokenizer_json(path)?,
        };
        Ok(Tokenizer::alone(&json)?)
    }
}

/// A tokenizer that was asked for, or why it cannot be read.
#[derive(Clone, Debug)]
pub struct ReadTokenizer {
    /// Where it was to be read from.
    pub source: TokenizerSource,
    /// The tokenizer, or why there is none.
    pub result: Result<Arc<Tokenizer>, Arc<LoadFailure>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tokenizer_is_read_from_its_file_or_its_folder_and_what_is_none_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let read = |path: PathBuf| TokenizerSource::Path(path).load();
        let told = |path: PathBuf| read(path).err().map(|error| error.to_string()).unwrap();
        assert!(told(folder.path().to_owned()).contains("tokenizer.json"));
        let file = folder.path().join("tokenizer.json");
        assert!(told(file.clone()).contains("tokenizer.json"));
        std::fs::write(&file, "{").unwrap();
        assert!(told(file.clone()).contains("tokenizer"));
        std::fs::write(&file, bundled().tokenizer_json).unwrap();
        let ids = |tokenizer: Tokenizer| {
            let pieces = tokenizer.encode("The capital of France is<|endoftext|>").unwrap();
            pieces.iter().map(|piece| (piece.id, piece.special)).collect::<Vec<_>>()
        };
        let expected = ids(TokenizerSource::Bundled.load().unwrap());
        for path in [folder.path().to_owned(), file.clone()] {
            assert_eq!(ids(read(path).unwrap()), expected);
        }
        let name = folder.path().file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(TokenizerSource::Path(file).name(), name);
    }

    #[test]
    fn an_id_beyond_every_vocabulary_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("other.json");
        let mut json: serde_json::Value = serde_json::from_slice(&bundled().tokenizer_json).unwrap();
        json["model"]["vocab"]["zzz"] = 4_000_000_000_u32.into();
        std::fs::write(&file, json.to_string()).unwrap();
        let error = TokenizerSource::Path(file).load().err().unwrap().to_string();
        assert!(error.contains("4000000000") || error.contains("4,000,000,000"), "{error}");
    }
}
