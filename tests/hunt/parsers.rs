//! Everything that reads what somebody else wrote, each as a function of bytes.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;
use tokenscope::app::lessons;
use tokenscope::engine::{LoadRequest, LoadedModel, ModelFiles, load};
use tokenscope::export::Link;
use tokenscope::message::Language;
use tokenscope::model::{self, CheckpointRequest, DTypeChoice, DeviceChoice, WeightSource, check_config};
use tokenscope::recording;
use tokenscope::sampling::{Guide, SamplerSettings, Stage, TokenTrie};
use tokenscope::text::Tokenizer;

/// One of them.
pub struct Parser {
    pub name: &'static str,
    pub feed: fn(&[u8]),
}

pub const PARSERS: [Parser; 10] = [
    Parser { name: "config", feed: |bytes| drop(check_config(&text(bytes))) },
    Parser { name: "folder", feed: folder },
    Parser { name: "json_schema", feed: |bytes| constraint(&Stage::json_schema(&*text(bytes))) },
    Parser { name: "lesson", feed: lesson },
    Parser { name: "link", feed: |bytes| drop(text(bytes).parse::<Link>()) },
    Parser { name: "regex", feed: |bytes| constraint(&Stage::regex(&*text(bytes))) },
    Parser { name: "safetensors", feed: safetensors },
    Parser { name: "session", feed: session },
    Parser { name: "stages", feed: |bytes| drop(text(bytes).parse::<SamplerSettings>()) },
    Parser { name: "tokenizer", feed: tokenizer },
];

/// Feeds the parser of this name.
pub fn feed(name: &str, bytes: &[u8]) {
    let parser = PARSERS.iter().find(|parser| parser.name == name).unwrap();
    (parser.feed)(bytes);
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A place for an input that is read as a file.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = FOLDER.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

static BUNDLED: LazyLock<LoadedModel> =
    LazyLock::new(|| load(&LoadRequest::default(), &mut |_| ControlFlow::Continue(())).unwrap().public);

fn constraint(stage: &Stage) {
    let trie = TokenTrie::new(Arc::clone(&BUNDLED.vocabulary), BUNDLED.eos_ids.clone());
    let mut guide = Guide::new(Arc::new(trie));
    let stages = std::slice::from_ref(stage);
    if guide.masks(stages, &[]).is_ok() {
        drop(guide.masks(stages, &[262, 11]));
    }
}

/// The lists of a model's folder: `config.json`, the end tokens, which weight file has what.
fn folder(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == b'\x1e');
    for name in ["config.json", "generation_config.json", "model.safetensors.index.json"] {
        written(name, parts.next().unwrap_or(b"{}"));
    }
    written("tokenizer.json", b"{}");
    written("a.safetensors", b"");
    drop(ModelFiles::from_folder(FOLDER.path()));
}

fn lesson(bytes: &[u8]) {
    drop(lessons::parse(&text(bytes), lessons::glossary(Language::English)));
}

fn safetensors(bytes: &[u8]) {
    let checkpoint = CheckpointRequest {
        config_json: include_str!("../golden/fixtures/gqa/config.json"),
        weights: WeightSource::Files(vec![written("model.safetensors", bytes)]),
        device: DeviceChoice::Cpu,
        dtype: DTypeChoice::F32,
        id: "hunt".to_owned(),
    };
    drop(model::load(checkpoint, &mut |_| ControlFlow::Continue(())));
}

/// As it is, and each line as the gzip member that it would be: what is changed is then not stopped by the checksum.
fn session(bytes: &[u8]) {
    drop(recording::read(&mut &bytes[..], Path::new("session")));
    let mut file = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let mut member = GzEncoder::new(&mut file, Compression::fast());
        member.write_all(line).unwrap();
        member.finish().unwrap();
    }
    drop(recording::read(&mut &file[..], Path::new("session")));
}

fn tokenizer(bytes: &[u8]) {
    if let Ok(tokenizer) = Tokenizer::from_bytes(bytes, 4096) {
        for text in ["", "Once upon a time, Zoë saw 🎈", " aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"] {
            if let Ok(pieces) = tokenizer.encode(text) {
                drop(tokenizer.whole_text(&pieces));
            }
            drop(tokenizer.merges(text));
        }
    }
}
