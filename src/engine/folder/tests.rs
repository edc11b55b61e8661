//! Folders that are whole, that lack something, and that are not what they seem.

use super::*;
use tempfile::TempDir;

const FILES: [(&str, &str); 3] = [(CONFIG, r#"{"eos_token_id": 2}"#), (TOKENIZER, "{}"), (WEIGHTS, "weights")];

/// A folder with these files and those of a good model, where `""` stands for a file that is not there.
fn folder(changes: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let kept = FILES.iter().filter(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
    for (name, content) in kept.chain(changes).filter(|(_, content)| !content.is_empty()) {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// What a folder with these changes is refused for.
#[track_caller]
fn refused(changes: &[(&str, &str)], expected: &[&str]) {
    let folder = folder(changes);
    let message = ModelFiles::from_folder(folder.path()).unwrap_err().to_string();
    for part in expected {
        assert!(message.contains(part), "{part:?} is not in {message:?}");
    }
    let path = folder.path().file_name().unwrap().to_str().unwrap();
    assert!(message.rsplit(": ").next().unwrap().contains(path), "the path comes last: {message}");
}

#[track_caller]
fn eos(config: &str, generation_config: &str, ids: &[TokenId], source: EosSource) {
    let folder = folder(&[(CONFIG, config), (GENERATION_CONFIG, generation_config)]);
    let files = ModelFiles::from_folder(folder.path()).unwrap();
    assert_eq!((files.eos_ids.as_slice(), files.eos_source), (ids, source));
}

#[test]
fn a_good_folder() {
    let folder = folder(&[]);
    let files = ModelFiles::from_folder(folder.path()).unwrap();
    assert_eq!(files.config_json, FILES[0].1);
    assert_eq!(files.tokenizer_json, b"{}");
    assert_eq!(files.weights, WeightSource::Files(vec![folder.path().join(WEIGHTS)]));
    assert!(is_complete(folder.path()));
}

#[test]
fn weights_in_other_files() {
    let other = folder(&[(WEIGHTS, ""), ("other.safetensors", "x")]);
    let files = ModelFiles::from_folder(other.path()).unwrap();
    assert_eq!(files.weights, WeightSource::Files(vec![other.path().join("other.safetensors")]));

    let index = r#"{"metadata": {}, "weight_map": {"b": "2.safetensors", "a": "1.safetensors", "c": "1.safetensors"}}"#;
    let shards = [(WEIGHTS, ""), (INDEX, index), ("1.safetensors", "x"), ("2.safetensors", "y")];
    let sharded = folder(&shards);
    let files = ModelFiles::from_folder(sharded.path()).unwrap();
    let paths = ["1.safetensors", "2.safetensors"].map(|name| sharded.path().join(name));
    assert_eq!(files.weights, WeightSource::Files(paths.to_vec()));

    refused(&shards[..3], &["2.safetensors is missing", "index"]);
    assert!(!is_complete(folder(&shards[..3]).path()));
    refused(&[(WEIGHTS, ""), shards[2], shards[3]], &["model.safetensors.index.json is missing", "several"]);
    let one = [(WEIGHTS, ""), ("model-00001-of-00003.safetensors", "x")];
    refused(&one, &["model.safetensors.index.json is missing", "several"]);
    assert!(!is_complete(folder(&one).path()), "what was fetched in part is fetched on");
}

#[test]
fn an_index_cannot_leave_the_folder() {
    for shard in ["../x.safetensors", "/etc/passwd", "a/../../x", "..", ".", "", "a\\..\\b", "C:x", "./x"] {
        let index = serde_json::json!({"weight_map": {"a": shard}}).to_string();
        refused(&[(WEIGHTS, ""), (INDEX, &index)], &["outside of the model's folder", "index.json"]);
    }
    for index in ["{}", "[", r#"{"weight_map": {}}"#, r#"{"weight_map": {"a": 1}}"#] {
        refused(&[(WEIGHTS, ""), (INDEX, index)], &["index.json is broken"]);
    }
}

#[test]
fn missing_files_are_named() {
    refused(&[(CONFIG, "")], &["config.json is missing", "choose the folder"]);
    refused(&[(TOKENIZER, "")], &["tokenizer.json is missing", "choose the folder"]);
    refused(&[(TOKENIZER, ""), ("tokenizer.model", "x")], &["tokenizer.json is missing", "another format"]);
    refused(&[(WEIGHTS, "")], &["model.safetensors is missing", "choose the folder"]);
    refused(&[(WEIGHTS, ""), ("pytorch_model.bin", "x")], &["PyTorch", "safetensors"]);
    refused(&[(WEIGHTS, ""), ("model-Q4_K.GGUF", "x")], &["GGUF", "safetensors"]);
    // What cannot be run is not worth a conversion.
    let bert = r#"{"architectures": ["BertModel"], "model_type": "bert"}"#;
    for others in [[(WEIGHTS, ""), ("pytorch_model.bin", "x")], [(TOKENIZER, ""), ("vocab.txt", "x")]] {
        let folder = folder(&[&[(CONFIG, bert)], &others[..]].concat());
        let message = ModelFiles::from_folder(folder.path()).unwrap_err().to_string();
        assert!(message.contains("BertModel") && message.contains("not supported"), "{message}");
    }
}

#[test]
fn broken_files_are_named() {
    refused(&[(CONFIG, "{")], &["config.json is broken"]);
    refused(&[(CONFIG, "[]")], &["config.json is broken", "not an object"]);
    refused(&[(GENERATION_CONFIG, "{")], &["generation_config.json is broken"]);
    refused(&[(CONFIG, r#"{"eos_token_id": "x"}"#)], &["config.json is broken", "eos_token_id"]);
    refused(&[(CONFIG, &" ".repeat((1 << 20) + 1))], &["config.json has 1048577 bytes"]);
    refused(&[(WEIGHTS, "version https://git-lfs")], &["Git LFS", "git lfs pull"]);
    let odd = folder(&[(CONFIG, "")]);
    std::fs::create_dir(odd.path().join(CONFIG)).unwrap();
    assert!(ModelFiles::from_folder(odd.path()).unwrap_err().to_string().contains("not a file"));
    std::fs::remove_dir(odd.path().join(CONFIG)).unwrap();
    std::fs::write(odd.path().join(CONFIG), b"\xFF").unwrap();
    assert!(ModelFiles::from_folder(odd.path()).unwrap_err().to_string().contains("config.json is broken"));
}

#[cfg(unix)]
#[test]
fn files_that_never_end_are_not_read() {
    let without = |name: &str| folder(&[(name, "")]);
    let refused = |folder: &TempDir, name: &str| {
        let message = ModelFiles::from_folder(folder.path()).unwrap_err().to_string();
        assert!(message.contains(&format!("{name} is broken")) && message.contains("not a file"), "{message}");
        assert!(!is_complete(folder.path()) || name == GENERATION_CONFIG);
    };
    for name in [CONFIG, GENERATION_CONFIG, TOKENIZER, WEIGHTS] {
        let pipe = without(name);
        assert!(std::process::Command::new("mkfifo").arg(pipe.path().join(name)).status().unwrap().success());
        refused(&pipe, name);
        let zeros = without(name);
        std::os::unix::fs::symlink("/dev/zero", zeros.path().join(name)).unwrap();
        refused(&zeros, name);
    }
    // Found by its ending, or named by an index.
    let index = r#"{"weight_map": {"a": "1.safetensors"}}"#;
    for rest in [&[][..], &[(INDEX, index)]] {
        let folder = folder(&[&[(WEIGHTS, "")], rest].concat());
        let pipe = folder.path().join("1.safetensors");
        assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
        refused(&folder, "1.safetensors");
    }
}

#[test]
fn what_a_file_says_is_quoted_shortly() {
    let long = "a".repeat(1 << 20);
    let index = serde_json::json!({"weight_map": {"a": format!("{}.safetensors", "a".repeat(200))}}).to_string();
    let outside = serde_json::json!({"weight_map": {"a": format!("../{long}")}}).to_string();
    let eos = format!("{{\"eos_token_id\": 1, \"eos_token_id\": {}}}", "[".repeat(1 << 19));
    let changes =
        [vec![(WEIGHTS, ""), (INDEX, &*index)], vec![(WEIGHTS, ""), (INDEX, &*outside)], vec![(CONFIG, &*eos)]];
    for changes in changes {
        let message = ModelFiles::from_folder(folder(&changes).path()).unwrap_err().to_string();
        assert!(message.len() < 1500, "{} bytes: {message:.1500}", message.len());
    }
}

#[test]
fn a_huge_tokenizer_is_not_read() {
    let folder = folder(&[(TOKENIZER, "")]);
    let file = std::fs::File::create(folder.path().join(TOKENIZER)).unwrap();
    file.set_len(MAX_TOKENIZER_BYTES + 1).unwrap(); // takes no room on the disk
    let message = ModelFiles::from_folder(folder.path()).unwrap_err().to_string();
    assert!(message.contains("tokenizer.json has 268435457 bytes"), "{message}");
}

#[test]
fn only_folders_are_opened() {
    let folder = folder(&[("model.gguf", "x")]);
    let error = |path: PathBuf| ModelFiles::from_folder(&path).unwrap_err().to_string();
    assert!(error(folder.path().join("nowhere")).contains("not a folder"));
    assert!(error(folder.path().join(WEIGHTS)).contains("choose the folder"));
    assert!(error(folder.path().join("model.gguf")).contains("GGUF"));
}

#[test]
fn the_end_of_text_is_found() {
    eos("{}", "", &[], EosSource::Nowhere);
    eos(r#"{"eos_token_id": 2}"#, "{}", &[2], EosSource::Config);
    eos(r#"{"eos_token_id": 2}"#, r#"{"eos_token_id": null}"#, &[2], EosSource::Config);
    eos(r#"{"eos_token_id": 2}"#, r#"{"eos_token_id": 0}"#, &[0], EosSource::GenerationConfig);
    eos("{}", r#"{"eos_token_id": [7, 9]}"#, &[7, 9], EosSource::GenerationConfig);
    eos(r#"{"eos_token_id": -1}"#, r#"{"eos_token_id": []}"#, &[], EosSource::Nowhere);
}
