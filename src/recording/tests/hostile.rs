//! Sessions that were made to do harm, or to show as a fact what none is.

use super::*;
use crate::recording::limits::Room;
use crate::recording::read::read_within;
use serde_json::{Value, json};

/// The file with the value at this place of a step's line changed, of step 1 of branch 1.
fn changed(place: &str, value: &Value) -> Vec<u8> {
    rewritten(&bytes(&recording()), |line| {
        let mut line: Value = serde_json::from_str(&line).unwrap();
        if line["step"]["branch"] == 1 && line["step"]["index"] == 1 {
            *line["step"].pointer_mut(place).unwrap_or_else(|| panic!("{place} is not there")) = value.clone();
        }
        vec![line.to_string()]
    })
}

fn problems(opened: &Opened) -> String {
    opened.problems.iter().map(|problem| crate::words::Words::ENGLISH.render(problem) + "\n").collect()
}

#[test]
fn what_cannot_be_is_not_shown_as_a_fact() {
    let n_tokens = MODEL.card.vocab_size;
    let cases = [
        ("/forward/input/0", json!(n_tokens), "input"),
        ("/forward/layer_secs/1", json!(-0.5), "layer_secs"),
        ("/forward/total_secs", json!(1e300), "total_secs"),
        ("/forward/embed_secs", json!(-1), "embed_secs"),
        ("/forward/head_secs", json!(-1), "head_secs"),
        ("/forward/first_position", json!(64), "first_position"),
        ("/sample_secs", json!(-1e-9), "sample_secs"),
        ("/kv/before", json!(60), "before"),
        ("/kv/after", json!(65), "after"),
        ("/kv/prompt", json!(u64::MAX), "prompt"),
        ("/kv/layers/0/0", json!(u64::MAX), "layers"),
        ("/sampling/raw/probs/0", json!(1.5), "probs"),
        ("/sampling/raw/probs/3", json!(-0.1), "probs"),
        ("/sampling/raw/ids/0", json!(n_tokens), "ids"),
        ("/sampling/raw/n", json!(n_tokens + 1), "n"),
        ("/sampling/raw/tail/0", json!(0), "tail"),
        ("/sampling/raw/tail/1", json!(2), "tail"),
        ("/sampling/raw/entropy_bits", json!(-1), "entropy_bits"),
        ("/sampling/raw/entropy_bits", json!(12.5), "entropy_bits"),
        ("/sampling/raw/curve/0/0", json!(0), "curve"),
        ("/sampling/raw/curve/0/1", json!(7), "curve"),
        ("/sampling/chosen/0", json!(u32::MAX), "chosen"),
        ("/sampling/chosen/2", json!(-1), "chosen"),
        ("/sampling/chosen/3", json!(0), "chosen"),
        ("/sampling/chosen/3", json!(n_tokens + 1), "chosen"),
        ("/sampling/chosen_final_prob", json!(2), "chosen_final_prob"),
        ("/sampling/final_probs/0", json!(2), "final_probs"),
        ("/sampling/stages/0/mass_kept", json!(1.1), "mass_kept"),
        ("/sampling/stages/0/mass_kept", json!(-0.1), "mass_kept"),
        ("/sampling/draw/coin/u", json!(1.1), "u"),
        ("/sampling/draw/coin/low", json!(1), "low"),
        ("/sampling/draw/coin/high", json!(1.1), "high"),
    ];
    for (place, value, name) in cases {
        let opened = open_bytes(&changed(place, &value)).unwrap();
        let said = problems(&opened);
        assert!(said.contains(&format!("step 1 of branch 1: `{name}` is ")), "{place} = {value}: {said}");
        // What hangs on it is not shown either, and that is said.
        assert!(said.contains("7 steps were left out") && said.contains("step 2 of branch 1"), "{place}: {said}");
        assert_eq!(opened.n_steps, 1, "{place}");
    }
    let nothing_kept = open_bytes(&changed("/sampling/stages/0/mass_kept", &json!(0))).unwrap();
    assert!(nothing_kept.problems.is_empty(), "{}", problems(&nothing_kept));
}

#[test]
fn what_cannot_be_is_not_in_the_scores_of_the_prompt_either() {
    let cases = [
        ("/id", json!(1 << 20), "id"),
        ("/expected/token/3", json!(0), "token"),
        ("/expected/best/0/2", json!(3), "best"),
        ("/expected/log_prob", json!(0.5), "log_prob"),
        ("/expected/n_candidates", json!(3), "n_candidates"),
        ("/expected/entropy_bits", json!(13), "entropy_bits"),
    ];
    for (place, value, name) in cases {
        let file = rewritten(&bytes(&recording()), |line| {
            let mut line: Value = serde_json::from_str(&line).unwrap();
            if let Some(scores) = line.pointer_mut("/step/prompt") {
                *scores[1].pointer_mut(place).unwrap() = value.clone();
            }
            vec![line.to_string()]
        });
        let said = problems(&open_bytes(&file).unwrap());
        assert!(said.contains(&format!("step 0 of branch 1: `{name}` is ")), "{place} = {value}: {said}");
    }
}

#[test]
fn a_model_that_cannot_be_is_refused() {
    let cases = [
        ("/model/vocab_size", json!(u64::MAX), "vocab_size"),
        ("/model/n_layers", json!(1u64 << 40), "n_layers"),
        ("/model/n_kv_heads", json!(u64::MAX), "n_kv_heads"),
        ("/model/head_dim", json!((1 << 18) + 1), "head_dim"),
        ("/model/dtype_bytes", json!(9), "dtype_bytes"),
        ("/model/context_length", json!(1u64 << 32), "context_length"),
        ("/model/sha256", json!("0".repeat(65)), "sha256"),
        ("/prompt/tokens/0/0", json!(4096), "tokens"),
    ];
    for (place, value, name) in cases {
        let file = rewritten(&bytes(&recording()), |line| {
            let mut line: Value = serde_json::from_str(&line).unwrap();
            if let Some(header) = line.get_mut("header") {
                *header.pointer_mut(place).unwrap() = value.clone();
            }
            vec![line.to_string()]
        });
        let error = open_bytes(&file).err().unwrap().to_string();
        assert!(error.contains(&format!("`{name}` is ")), "{place} = {value}: {error}");
    }
}

#[test]
fn a_list_without_end_is_not_built() {
    let whole = bytes(&recording());
    let long = |n: usize, entry: &str| format!("[{}{entry}]", format!("{entry},").repeat(n));
    let step = |field: &str, list: String| {
        let file = rewritten(&whole, |line| {
            let is_it = line.contains("\"index\":1,") && line.contains("\"branch\":1,");
            match line.find(field).map(|start| start + field.len()) {
                Some(start) if is_it => vec![[&line[..start], &list, ",\"other\":", &line[start..]].concat()],
                _ if line.starts_with("{\"step\"") => Vec::new(),
                _ => vec![line],
            }
        });
        problems(&open_bytes(&file).unwrap())
    };
    for (field, n, entry) in [
        ("\"input\":", 1 << 20, "1"),
        ("\"layer_secs\":", 1 << 10, "0"),
        ("\"layers\":", 1 << 10, "[0,0]"),
        ("\"curve\":", 1 << 10, "[1,0]"),
        ("\"numbers\":", 1 << 10, "[\"a\",0]"),
        ("\"stages\":", 1 << 8, "{\"stage\":\"top_k=1\",\"mass_kept\":1}"),
    ] {
        let said = step(field, long(n, entry));
        assert!(said.contains(&format!("a list of at most {n} entries")), "{field}: {said}");
        // One entry fewer is as many as there can be.
        let said = step(field, long(n - 1, entry));
        assert!(!said.contains("a list of at most"), "{field}: {said}");
    }
    // What a parser quotes is short.
    let said = step("\"layer_secs\":", format!("\"{}\"", "x".repeat(1000)));
    assert!(said.contains("xxx") && said.lines().all(|line| line.len() < 300), "{said}");
    // And what nobody knows is passed over.
    let unknown = rewritten(&whole, |line| {
        vec![line.replace("\"pass\":", &format!("\"a\":{},\"pass\":", long(1000, "{\"b\":[null]}")))]
    });
    let opened = open_bytes(&unknown).unwrap();
    assert!(opened.problems.is_empty(), "{}", problems(&opened));
    check_same(&recording(), &opened.recording);
}

#[test]
fn a_file_unfolds_to_no_more_than_its_size_can_mean() {
    let within = |file: &[u8], room: &Room| read_within(&mut &file[..], Path::new("file"), room).unwrap();
    let none = Room { text: 0, records: 0, ..Room::ANY };
    let real = within(&bytes(&recording()), &none);
    assert!(real.problems.is_empty() && real.n_steps == 9, "{}", problems(&real));
    // A session of 3 MB in a few kilobytes, as text that means nothing and as records.
    let blank =
        rewritten(&bytes(&recording()), |line| vec![line.clone(), format!("{{}}{}", " ".repeat(1 << 18)), line]);
    let scores = format!("\"prompt\":[{}{{\"id\":0}}],\"outcome\"", "{\"id\":0},".repeat(1 << 13));
    let steps = rewritten(&bytes(&recording()), |line| {
        let plain = line.replace("\"prompt\":[{\"id\"", "\"other\":[{\"id\"");
        vec![if line.contains("\"step\"") { plain.replace("\"outcome\"", &scores) } else { line }]
    });
    for (file, room) in [
        (blank, Room { text: 1 << 20, text_per_byte: 1, ..Room::ANY }),
        (steps, Room { records: 1 << 22, records_per_byte: 1, ..Room::ANY }),
    ] {
        let opened = within(&file, &room);
        assert!(problems(&opened).contains("unfolds to more than a session of its size"), "{}", problems(&opened));
        assert!((1..9).contains(&opened.n_steps) && !opened.complete, "{}", opened.n_steps);
        assert!(!problems(&within(&file, &Room::ANY)).contains("unfolds"));
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_opened() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.tokenscope");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [&pipe, folder.path(), Path::new("/dev/zero")] {
        let error = open(path).unwrap_err();
        assert!(matches!(error, RecordingError::NotAFile { .. }), "{error}");
        assert!(error.to_string().ends_with(&path.display().to_string()), "{error}");
    }
}
