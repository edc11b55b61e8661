//! The models inside the program.

use super::ModelSource;
use super::folder::{ModelFiles, PrefixSpace, eos_ids};
use crate::model::WeightSource;
use std::path::Path;

/// Gives the weights the alignment of a cache line, so that their numbers can be read in place.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

static TARGET: &Aligned<[u8]> = &Aligned(*include_bytes!("../../assets/model/target/model.safetensors"));
static DRAFT: &Aligned<[u8]> = &Aligned(*include_bytes!("../../assets/model/draft/model.safetensors"));
const TARGET_CONFIG: &str = include_str!("../../assets/model/target/config.json");
const DRAFT_CONFIG: &str = include_str!("../../assets/model/draft/config.json");
// The two share these.
const TOKENIZER: &[u8] = include_bytes!("../../assets/model/target/tokenizer.json");
const GENERATION_CONFIG: &str = include_str!("../../assets/model/target/generation_config.json");

/// The bundled model, which needs neither files nor a network.
pub fn bundled() -> ModelFiles {
    files(ModelSource::BUNDLED, TARGET_CONFIG, &TARGET.0)
}

/// The small model that was taught to imitate the bundled one, with the same tokenizer.
pub fn bundled_draft() -> ModelFiles {
    files("bundled-draft", DRAFT_CONFIG, &DRAFT.0)
}

fn files(id: &str, config: &str, weights: &'static [u8]) -> ModelFiles {
    let (eos_ids, eos_source) = eos_ids(config, Some(GENERATION_CONFIG), Path::new(id))
        .expect("the bundled files are part of the program and tested");
    ModelFiles {
        id: id.to_owned(),
        config_json: config.to_owned(),
        tokenizer_json: TOKENIZER.to_vec(),
        prefix_space: PrefixSpace::default(),
        weights: WeightSource::Embedded { bytes: weights, name: "the bundled weights" },
        eos_ids,
        eos_source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Tokenizer;
    use crate::trace::EosSource;

    #[test]
    fn the_bundled_files_belong_together() {
        check(&bundled());
        check(&bundled_draft());
        let draft_tokenizer = include_bytes!("../../assets/model/draft/tokenizer.json");
        assert!(TOKENIZER == draft_tokenizer, "the draft's folder has another tokenizer");
    }

    #[track_caller]
    fn check(files: &ModelFiles) {
        assert_eq!((files.eos_ids.as_slice(), files.eos_source), ([0].as_slice(), EosSource::GenerationConfig));
        let config: serde_json::Value = serde_json::from_str(&files.config_json).unwrap();
        let vocab_size = config["vocab_size"].as_u64().unwrap() as usize;
        let tokenizer = Tokenizer::from_bytes(&files.tokenizer_json, vocab_size).unwrap();
        assert_eq!(tokenizer.vocabulary().bytes(files.eos_ids[0]), b"<|endoftext|>");
        let WeightSource::Embedded { bytes: weights, .. } = files.weights else { panic!("{:?}", files.weights) };
        assert_eq!(weights.as_ptr().align_offset(64), 0);
        safetensors::SafeTensors::deserialize(weights).unwrap();
    }
}
