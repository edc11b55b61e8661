//! The real program on a terminal: what `trace` prints, whether its numbers hold together, and what mistakes say.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

pub fn tokenscope(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tokenscope")).args(args).stdin(Stdio::null()).output().unwrap()
}

#[track_caller]
pub fn stdout_of(args: &[&str]) -> String {
    let output = tokenscope(args);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success() && stderr.is_empty(), "{args:?}: {stderr}\n{stdout}");
    stdout
}

#[track_caller]
pub fn stderr_of(args: &[&str]) -> String {
    let output = tokenscope(args);
    assert!(!output.status.success() && output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[track_caller]
pub fn trace(prompt: &str, args: &[&str]) -> Value {
    let stdout = stdout_of(&[&["trace", prompt, "--device", "cpu"], args].concat());
    serde_json::from_str(&stdout).unwrap()
}

/// All candidates through all five stages.
static WHOLE: LazyLock<Value> = LazyLock::new(|| {
    let sampler = [
        ["--repetition-penalty", "1.2"],
        ["--temperature", "0.9"],
        ["--top-k", "50"],
        ["--top-p", "0.95"],
        ["--min-p", "0.01"],
    ];
    let args = [&["--top", "0", "--seed", "5", "--max-new-tokens", "8"], sampler.as_flattened()].concat();
    trace("Zoë saw a 🎈 and", &args)
});

fn golden(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub fn array(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

pub fn steps(trace: &Value) -> &[Value] {
    array(&trace["steps"])
}

pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

pub fn count(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no count")) as usize
}

fn chosen_ids(trace: &Value) -> Vec<&Value> {
    steps(trace).iter().map(|step| &step["chosen"]["id"]).collect()
}

fn sum_of(entries: &[Value], key: &str) -> f64 {
    entries.iter().map(|entry| number(&entry[key])).sum()
}

#[track_caller]
pub fn assert_near(got: f64, want: f64) {
    assert!((got - want).abs() < 1e-9, "{got} is not {want}");
}

#[track_caller]
pub fn assert_keys(value: &Value, keys: &str) {
    let mut got: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    let mut want: Vec<&str> = keys.split(' ').collect();
    got.sort_unstable();
    want.sort_unstable();
    assert_eq!(got, want);
}

#[test]
fn json_has_exactly_the_documented_keys() {
    let trace = &*WHOLE;
    assert_keys(trace, "format version model sampler prompt limits steps text stop_reason");
    assert_eq!((&trace["format"], &trace["version"]), (&"tokenscope-trace".into(), &1.into()));
    assert_keys(
        &trace["model"],
        "id architecture parameters vocab_size context_length layers heads kv_heads head_dim dtype device",
    );
    assert_keys(&trace["sampler"], "seed stages");
    assert_keys(&trace["prompt"], "text tokens");
    assert_keys(&trace["limits"], "max_new_tokens overflow eos_ids");
    for token in array(&trace["prompt"]["tokens"]) {
        assert_keys(token, "id text bytes");
    }
    for step in steps(trace) {
        assert_keys(
            step,
            "index phase input_tokens positions top tail entropy_bits stages draw chosen kv_cache timing_ms",
        );
        for entry in array(&step["top"]) {
            assert_keys(entry, "id text logit prob final_prob kept dropped_by");
        }
        for stage in array(&step["stages"]) {
            let keys = "kind value candidates_before candidates_after mass_kept";
            assert_keys(stage, &format!("{keys} entropy_bits_before entropy_bits_after numbers"));
        }
        assert_keys(&step["tail"], "count prob");
        assert_keys(&step["draw"], "u low high");
        assert_keys(&step["chosen"], "id text prob final_prob rank forced");
        assert_keys(&step["kv_cache"], "positions bytes");
        assert_keys(&step["timing_ms"], "forward sample");
    }
}

#[test]
fn keys_come_in_the_documented_order() {
    let text = stdout_of(&["trace", "Hi", "--max-new-tokens", "1", "--top", "1", "--temperature", "0.5"]);
    let mut rest = text.as_str();
    for key in "format version model id architecture parameters vocab_size context_length layers heads kv_heads \
                head_dim dtype device sampler seed stages kind value prompt text tokens id text bytes limits \
                max_new_tokens overflow eos_ids steps index phase input_tokens positions top id text logit prob final_prob kept dropped_by tail count prob \
                entropy_bits stages kind value candidates_before candidates_after mass_kept entropy_bits_before \
                entropy_bits_after draw u low high chosen id text prob final_prob rank kv_cache positions bytes \
                timing_ms forward sample text stop_reason"
        .split_whitespace()
    {
        let quoted = format!("\"{key}\":");
        let at = rest.find(&quoted).unwrap_or_else(|| panic!("{key} is not in {rest}"));
        rest = &rest[at + quoted.len()..];
    }
}

#[test]
fn the_header_tells_the_model_the_samplers_and_the_prompt() {
    let trace = &*WHOLE;
    let stages: Vec<_> = array(&trace["sampler"]["stages"])
        .iter()
        .map(|stage| (stage["kind"].as_str().unwrap(), number(&stage["value"])))
        .collect();
    let set = [("repetition_penalty", 1.2), ("temperature", 0.9), ("top_k", 50.0), ("top_p", 0.95), ("min_p", 0.01)];
    assert_eq!(stages, set);
    assert_eq!(trace["sampler"]["seed"], 5);
    assert_eq!(trace["limits"], serde_json::json!({ "max_new_tokens": 8, "overflow": "stop", "eos_ids": [0] }));
    assert_eq!((&trace["model"]["id"], &trace["model"]["dtype"]), (&"bundled".into(), &"f32".into()));
    assert_eq!(trace["prompt"]["text"], "Zoë saw a 🎈 and");
    let tokens = array(&trace["prompt"]["tokens"]);
    assert_eq!(tokens[0]["text"], "<|endoftext|>");
    let bytes: String = tokens[1..].iter().map(|token| token["bytes"].as_str().unwrap()).collect();
    assert_eq!(bytes, "5a6fc3ab20736177206120f09f8e8820616e64");
    assert!(tokens.iter().any(|token| token["text"].is_null()), "the balloon takes several tokens");
}

#[test]
fn every_distribution_is_whole() {
    let n_vocab = count(&WHOLE["model"]["vocab_size"]);
    for step in steps(&WHOLE) {
        let top = array(&step["top"]);
        assert_eq!((top.len(), count(&step["tail"]["count"])), (n_vocab, 0));
        assert_near(number(&step["tail"]["prob"]), 0.0);
        assert_near(sum_of(top, "prob"), 1.0);
        assert_near(sum_of(top, "final_prob"), 1.0);
        let normaliser: f64 = top.iter().map(|entry| number(&entry["logit"]).exp()).sum();
        let mut entropy = 0.0;
        for entry in top {
            let prob = number(&entry["prob"]);
            assert_near(prob, number(&entry["logit"]).exp() / normaliser);
            entropy -= prob * prob.log2();
            let dropped = !entry["kept"].as_bool().unwrap();
            assert_eq!(dropped, entry["dropped_by"].is_string());
            assert_eq!(dropped, number(&entry["final_prob"]) == 0.0);
        }
        assert_near(number(&step["entropy_bits"]), entropy);
    }
}

#[test]
fn candidates_come_by_logit_and_then_by_id() {
    for step in steps(&WHOLE) {
        let top = array(&step["top"]);
        assert!(top.is_sorted_by(|a, b| {
            let (first, second) = (number(&a["logit"]), number(&b["logit"]));
            first > second || first == second && count(&a["id"]) < count(&b["id"])
        }));
        let chosen = &step["chosen"];
        let in_top = &top[count(&chosen["rank"]) - 1];
        for key in ["id", "text", "prob", "final_prob"] {
            assert_eq!(in_top[key], chosen[key]);
        }
    }
}

#[test]
fn a_coin_falls_into_the_chosen_interval() {
    for step in steps(&WHOLE) {
        let [u, low, high] = ["u", "low", "high"].map(|key| number(&step["draw"][key]));
        assert!((0.0..1.0).contains(&u) && (low..high).contains(&u));
        let final_prob = number(&step["chosen"]["final_prob"]);
        assert_near(high - low, final_prob);
        let id = count(&step["chosen"]["id"]);
        let before = array(&step["top"]).iter().filter(|entry| {
            let prob = number(&entry["final_prob"]);
            prob > final_prob || prob == final_prob && count(&entry["id"]) < id
        });
        assert_near(before.map(|entry| number(&entry["final_prob"])).sum(), low);
    }
}

#[test]
fn stages_make_a_chain() {
    for step in steps(&WHOLE) {
        let stages = array(&step["stages"]);
        let specs: Vec<_> = stages.iter().map(|stage| (&stage["kind"], &stage["value"])).collect();
        let header: Vec<_> =
            array(&WHOLE["sampler"]["stages"]).iter().map(|stage| (&stage["kind"], &stage["value"])).collect();
        assert_eq!(specs, header);
        assert_eq!(stages[0]["candidates_before"], WHOLE["model"]["vocab_size"]);
        assert_eq!(stages[0]["entropy_bits_before"], step["entropy_bits"]);
        for pair in stages.windows(2) {
            assert_eq!(pair[0]["candidates_after"], pair[1]["candidates_before"]);
            assert_eq!(pair[0]["entropy_bits_after"], pair[1]["entropy_bits_before"]);
        }
        for stage in stages {
            let n_dropped = count(&stage["candidates_before"]) - count(&stage["candidates_after"]);
            let by_stage = array(&step["top"]).iter().filter(|entry| entry["dropped_by"] == stage["kind"]);
            assert_eq!(by_stage.count(), n_dropped);
            let mass_kept = number(&stage["mass_kept"]);
            assert!(if n_dropped == 0 { mass_kept == 1.0 } else { 0.0 < mass_kept && mass_kept < 1.0 });
        }
        assert!(stages[..2].iter().all(|stage| stage["mass_kept"] == 1.0), "these truncate nothing");
        let n_kept = array(&step["top"]).iter().filter(|entry| entry["kept"] == true).count();
        assert_eq!(n_kept, count(&stages[4]["candidates_after"]));
    }
}

#[test]
fn a_prompt_is_scored() {
    let prompt = "The capital of France is Paris.";
    let json: Value = serde_json::from_str(&stdout_of(&["trace", prompt, "--score", "--device", "cpu"])).unwrap();
    assert_keys(&json, "format version model tokens log_prob perplexity");
    let tokens = array(&json["tokens"]);
    assert_eq!((&tokens[0]["prob"], &tokens[0]["best"]), (&Value::Null, &Value::Null), "nothing stands before it");
    let paris = tokens.iter().find(|token| token["text"] == " Paris").unwrap();
    assert!(number(&paris["prob"]) > 0.5 && paris["rank"] == 1 && paris["best"]["id"] == paris["id"]);
    // What a step of a generation says of the same place.
    let generated = trace("The capital of France is", &["--max-new-tokens", "1"]);
    let step = &steps(&generated)[0];
    let entry = array(&step["top"]).iter().find(|entry| entry["id"] == paris["id"]).unwrap();
    assert!((number(&entry["prob"]) - number(&paris["prob"])).abs() < 1e-5);
    assert!((number(&step["entropy_bits"]) - number(&paris["entropy_bits"])).abs() < 1e-4);
    let sum: f64 = tokens[1..].iter().map(|token| number(&token["log_prob"])).sum();
    assert_near(number(&json["log_prob"]), sum);
    assert_near(number(&json["perplexity"]), (-sum / (tokens.len() - 1) as f64).exp());
    let csv = stdout_of(&["trace", prompt, "--score", "--format", "csv"]);
    assert_eq!(csv.lines().count(), tokens.len() + 1);
    let columns = |line: &str| line.split(',').count();
    assert!(csv.lines().all(|line| columns(line) == columns(csv.lines().next().unwrap())), "{csv}");
    assert!(stdout_of(&["trace", prompt, "--score", "--format", "text"]).contains("perplexity"));
}

#[test]
fn a_token_is_forced() {
    let args = ["--max-new-tokens", "4", "--seed", "2", "--top-k", "5"];
    let free = trace("The cat sat on the", &args);
    let id = count(&steps(&free)[1]["top"][9]["id"]);
    let forced =
        trace("The cat sat on the", &[&args[..], &["--force", &format!("1={id}"), "--force", "3=4095"]].concat());
    assert_eq!(chosen_ids(&free)[0], chosen_ids(&forced)[0]);
    let taken = &steps(&forced)[1];
    assert_eq!(
        (count(&taken["chosen"]["id"]), &taken["chosen"]["forced"], &taken["draw"]),
        (id, &true.into(), &Value::Null)
    );
    assert_eq!(taken["chosen"]["final_prob"], 0.0, "it had been dropped, and is taken all the same");
    assert_eq!(taken["top"][9]["dropped_by"], "top_k");
    assert_eq!(steps(&forced)[2]["input_tokens"], serde_json::json!([id]), "it is what is fed next");
    assert_eq!(steps(&forced)[2]["chosen"]["forced"], false);
    assert_eq!(count(&steps(&forced)[3]["chosen"]["id"]), 4095);
    assert!(stderr_of(&["trace", "Hi", "--force", "1:2"]).contains("write it like 3=262"));
    let text = stdout_of(&["trace", "Hi", "--force", "0=99", "--max-new-tokens", "1", "--format", "text"]);
    assert!(text.contains("taken in place of a draw"), "{text}");
}

#[test]
fn a_token_that_is_not_there_cannot_be_forced() {
    let output = tokenscope(&["trace", "Hi", "--force", "0=4096", "--max-new-tokens", "1", "--format", "text"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && stderr.contains("from 0 to 4095"), "{stderr}");
}

#[test]
fn any_stages_in_any_order() {
    let chain = "min_p=0.01,logit_bias=284:-inf;5:1.5,temperature=0.8,frequency_penalty=0.3,xtc=0.1:0.5,mirostat=3:0.2";
    let trace = trace("Once upon a time", &["--stages", chain, "--max-new-tokens", "6", "--top", "0", "--seed", "3"]);
    let kinds = ["min_p", "logit_bias", "temperature", "frequency_penalty", "xtc", "mirostat"];
    let header = array(&trace["sampler"]["stages"]);
    assert!(header.iter().map(|stage| &stage["kind"]).eq(&kinds));
    assert_eq!(header[1]["entries"], serde_json::json!([[284, null], [5, 1.5]]));
    assert_eq!((&header[4]["threshold"], &header[4]["probability"]), (&0.1.into(), &0.5.into()));
    let mut mu = 6.0;
    for step in steps(&trace) {
        let stages = array(&step["stages"]);
        assert!(stages.iter().map(|stage| &stage["kind"]).eq(&kinds));
        let best = number(&stages[0]["numbers"]["best"]);
        assert_near(number(&stages[0]["numbers"]["limit"]), 0.01 * best);
        assert_near(best, number(&step["top"][0]["prob"]));
        let mirostat = &stages[5]["numbers"];
        assert_near(number(&mirostat["mu"]), mu);
        let surprise = -number(&step["chosen"]["final_prob"]).log2();
        assert_near(number(&mirostat["surprise"]), surprise);
        mu -= 0.2 * (surprise - 3.0);
        assert_near(number(&mirostat["mu_after"]), mu);
    }
    for (chain, part) in [
        ("top_k=x", "top_k=40"),
        ("nonsense", "there are repetition_penalty"),
        ("top_p=2", "above 0 and at most 1"),
        ("top_k=1,top_k=2", "twice"),
    ] {
        let message = stderr_of(&["trace", "Hi", "--stages", chain]);
        assert!(message.contains(part), "{message}");
    }
    let message = stderr_of(&["trace", "Hi", "--stages", "top_k=1", "--temperature", "2"]);
    assert!(message.contains("--temperature"), "{message}");
}

#[test]
fn passes_and_cache_follow_the_tokens() {
    let model = &WHOLE["model"];
    let [layers, kv_heads, head_dim] = ["layers", "kv_heads", "head_dim"].map(|key| count(&model[key]));
    let prompt: Vec<_> = array(&WHOLE["prompt"]["tokens"]).iter().map(|token| &token["id"]).collect();
    let chosen = chosen_ids(&WHOLE);
    for (idx, step) in steps(&WHOLE).iter().enumerate() {
        assert_eq!(step["index"], idx);
        let fed: Vec<_> = array(&step["input_tokens"]).iter().collect();
        let end = prompt.len() + idx;
        let (phase, input) = if idx == 0 { ("prefill", prompt.clone()) } else { ("decode", vec![chosen[idx - 1]]) };
        assert_eq!((step["phase"].as_str(), &fed), (Some(phase), &input));
        assert_eq!(step["positions"], serde_json::json!([end - input.len(), end]));
        assert_eq!(step["kv_cache"]["positions"], end);
        assert_eq!(step["kv_cache"]["bytes"], 2 * layers * kv_heads * head_dim * 4 * end);
        assert!(["forward", "sample"].iter().all(|key| number(&step["timing_ms"][key]) > 0.0));
    }
}

#[test]
fn top_has_exactly_so_many_and_the_tail_has_the_rest() {
    // With a high temperature most choices are far from the best.
    let args = ["--temperature", "3", "--seed", "1", "--max-new-tokens", "6"];
    let trace_of = |top| trace("The cat", &[&args[..], &["--top", top]].concat());
    let (all, three) = (trace_of("0"), trace_of("3"));
    assert!(steps(&three).iter().any(|step| count(&step["chosen"]["rank"]) > 4), "else this test tests nothing");
    assert_eq!(chosen_ids(&all), chosen_ids(&three));
    for (whole, cut) in steps(&all).iter().zip(steps(&three)) {
        let (best, others) = array(&whole["top"]).split_at(3);
        assert_eq!(best, array(&cut["top"]));
        assert_eq!(count(&cut["tail"]["count"]), others.len());
        assert_near(number(&cut["tail"]["prob"]), sum_of(others, "prob"));
        assert_near(sum_of(best, "prob") + number(&cut["tail"]["prob"]), 1.0);
        for key in ["entropy_bits", "stages", "draw", "chosen", "kv_cache"] {
            assert_eq!(whole[key], cut[key]);
        }
    }
    let defaults = trace("The cat", &["--max-new-tokens", "2"]);
    assert!(steps(&defaults).iter().all(|step| array(&step["top"]).len() == 10));
    let more_than_all = trace("The cat", &["--max-new-tokens", "1", "--top", "5000"]);
    assert_eq!(array(&steps(&more_than_all)[0]["top"]).len(), 4096);
}

#[test]
fn a_seed_makes_the_same_trace_again() {
    let without_timing = |seed| {
        let mut trace = trace("One day", &["--max-new-tokens", "16", "--seed", seed]);
        for step in trace["steps"].as_array_mut().unwrap() {
            step.as_object_mut().unwrap().remove("timing_ms");
        }
        trace
    };
    let first = without_timing("11");
    assert_eq!(first, without_timing("11"));
    let other = without_timing("12");
    assert_ne!(first["text"], other["text"]);
}

#[test]
fn greedy_and_temperature_0_draw_nothing() {
    let traces = [["--greedy", "--temperature=0.7"], ["--temperature", "0"]]
        .map(|args| trace("The cat", &[&args[..], &["--max-new-tokens", "5", "--top-k", "9"]].concat()));
    for trace in &traces {
        assert_eq!(trace["sampler"]["stages"], serde_json::json!([{ "kind": "greedy", "value": null }]));
        for step in steps(trace) {
            assert!(step["draw"].is_null());
            assert_eq!((count(&step["chosen"]["rank"]), number(&step["chosen"]["final_prob"])), (1, 1.0));
            let (best, others) = array(&step["top"]).split_first().unwrap();
            assert_eq!((&best["kept"], &best["dropped_by"]), (&true.into(), &Value::Null));
            assert!(others.iter().all(|entry| entry["dropped_by"] == "greedy" && entry["final_prob"] == 0.0));
        }
    }
    assert_eq!(chosen_ids(&traces[0]), chosen_ids(&traces[1]));
}

#[test]
fn greedy_texts_are_those_of_transformers() {
    for (file, penalty, reason) in [
        ("greedy.json", &[][..], "max_new_tokens"),
        ("greedy_penalty.json", &["--repetition-penalty", "1.3"], "max_new_tokens"),
        ("greedy_eos.json", &[], "eos"),
    ] {
        let golden = golden(file);
        let expected = array(&golden["ids"]);
        let n_most = if reason == "eos" { expected.len() + 10 } else { expected.len() }.to_string();
        let args = [&["--greedy", "--top", "1", "--max-new-tokens", &n_most], penalty].concat();
        let trace = trace(golden["prompt"].as_str().unwrap(), &args);
        assert_eq!(chosen_ids(&trace), expected.iter().collect::<Vec<_>>(), "{file}");
        assert_eq!((&trace["text"], &trace["stop_reason"]), (&golden["text"], &reason.into()), "{file}");
        let prompt_ids: Vec<_> = array(&trace["prompt"]["tokens"]).iter().map(|token| &token["id"]).collect();
        assert_eq!(prompt_ids, array(&golden["prompt_ids"]).iter().collect::<Vec<_>>(), "{file}");
    }
}

#[test]
fn a_full_context_ends_the_text() {
    // The end of a text banned, it never comes to an end of its own.
    let endless = ["--stages", "logit_bias=0:-inf,greedy", "--top", "1", "--max-new-tokens", "10000"];
    // The start token and one token for each word: far enough for a few more, or just the whole window.
    for n_words in [500, 511] {
        let trace = trace(&" cat".repeat(n_words), &endless);
        assert_eq!(
            (array(&trace["prompt"]["tokens"]).len(), &trace["model"]["context_length"]),
            (n_words + 1, &512.into())
        );
        assert_eq!((steps(&trace).len(), &trace["stop_reason"]), (512 - n_words, &"context_full".into()));
        assert_eq!(steps(&trace).last().unwrap()["kv_cache"]["positions"], 512);
    }
    let from_short_prompt = trace("Once upon a time", &endless);
    assert_eq!(from_short_prompt["stop_reason"], "context_full");
    assert_eq!(steps(&from_short_prompt).last().unwrap()["kv_cache"]["positions"], 512);
}

#[test]
fn short_runs_work() {
    let nothing = trace("Hi", &["--max-new-tokens", "0"]);
    assert_eq!((steps(&nothing).len(), &nothing["text"]), (0, &"".into()));
    assert_eq!(nothing["stop_reason"], "max_new_tokens");
    let from_nothing = trace("", &["--max-new-tokens", "3"]);
    assert_eq!(array(&from_nothing["prompt"]["tokens"]).len(), 1, "the start token");
    assert_eq!(steps(&from_nothing).len(), 3);
}

#[test]
fn a_folder_gives_the_same_as_the_bundled_models() {
    let args = ["--max-new-tokens", "12", "--seed", "2"];
    let of = |model: &str| trace("The dog", &[&args[..], &["--model", model]].concat());
    let bundled = trace("The dog", &args);
    let owned = |trace: &Value| chosen_ids(trace).into_iter().cloned().collect::<Vec<_>>();
    let mut texts = vec![owned(&bundled)];
    for (name, folder) in [("bundled", "target"), ("bundled-draft", "draft")] {
        let folder = format!("{}/assets/model/{folder}", env!("CARGO_MANIFEST_DIR"));
        let (named, from_folder) = (of(name), of(&folder));
        assert_eq!(chosen_ids(&named), chosen_ids(&from_folder));
        assert_eq!((&named["model"]["id"], &from_folder["model"]["id"]), (&name.into(), &folder.into()));
        texts.push(owned(&named));
    }
    assert!(texts[0] == texts[1] && texts[0] != texts[2], "{texts:?}");
    let f16 = trace("The dog", &[&args[..], &["--dtype", "f16"]].concat());
    let bytes = |trace: &Value| count(&steps(trace)[0]["kv_cache"]["bytes"]);
    assert_eq!((&f16["model"]["dtype"], bytes(&f16) * 2), (&"f16".into(), bytes(&bundled)));
}

/// Takes CSV apart as RFC 4180 describes it.
fn read_csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut in_quotes) = (Vec::new(), Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if in_quotes && chars.peek() == Some(&'"') => field.push(chars.next().unwrap()),
            '"' => in_quotes = !in_quotes,
            ',' if !in_quotes => row.push(std::mem::take(&mut field)),
            '\r' if !in_quotes => {
                assert_eq!(chars.next(), Some('\n'));
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            c => field.push(c),
        }
    }
    assert!(row.is_empty() && field.is_empty() && !in_quotes);
    rows
}

#[test]
fn csv_has_the_same_numbers() {
    let args = ["--max-new-tokens", "3", "--top", "0", "--top-p", "0.9", "--seed", "4"];
    let json = trace("He said", &args);
    let rows = read_csv(&stdout_of(&[&["trace", "He said", "--format", "csv"], &args[..]].concat()));
    let header = "step phase rank id text bytes logit prob final_prob kept dropped_by chosen chosen_id";
    assert_eq!(rows[0], header.split(' ').collect::<Vec<_>>());
    let entries = steps(&json)
        .iter()
        .flat_map(|step| array(&step["top"]).iter().enumerate().map(move |(idx, entry)| (step, idx + 1, entry)));
    assert_eq!(rows.len() - 1, 3 * 4096);
    for (row, (step, rank, entry)) in rows[1..].iter().zip(entries) {
        assert_eq!(row.len(), 13);
        assert_eq!(
            (&row[0], &row[2], &row[3]),
            (&step["index"].to_string(), &rank.to_string(), &entry["id"].to_string())
        );
        assert_eq!(
            (row[1].as_str(), row[4].as_str()),
            (step["phase"].as_str().unwrap(), entry["text"].as_str().unwrap_or(""))
        );
        for (column, key) in [(6, "logit"), (7, "prob"), (8, "final_prob")] {
            // serde_json reads the last bit of some numbers wrong.
            let (got, want) = (row[column].parse::<f64>().unwrap(), number(&entry[key]));
            assert!((got - want).abs() <= 2.0 * f64::EPSILON * want.abs(), "{got} is not {want}");
        }
        assert_eq!(
            (row[9] == "true", row[10].as_str()),
            (entry["kept"] == true, entry["dropped_by"].as_str().unwrap_or(""))
        );
        assert_eq!(row[11] == "true", entry["id"] == step["chosen"]["id"]);
        assert_eq!(row[12], step["chosen"]["id"].to_string());
    }
}

#[test]
fn text_is_for_reading() {
    let text = stdout_of(&["trace", "The cat", "--max-new-tokens", "2", "--top-k", "3", "--format", "text"]);
    for part in ["bundled", "top_k=3; seed 0", "␣cat", "step 1  decode", "dropped by top_k", "chosen:", "4,086 more"]
    {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[track_caller]
pub fn check_mistake(args: &[&str], status: i32, parts: &[&str]) {
    let output = tokenscope(args);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert_eq!(stderr.lines().count(), 1, "{args:?}: {stderr}");
    for part in parts {
        assert!(stderr.contains(part), "{args:?}: {part} is not in {stderr}");
    }
}

#[test]
fn mistakes_are_one_line() {
    check_mistake(&["trace"], 2, &["PROMPT"]);
    check_mistake(&["nonsense"], 2, &["nonsense"]);
    check_mistake(&["trace", "a", "b"], 2, &["'b'"]);
    check_mistake(&["trace", "a", "--nonsense"], 2, &["--nonsense"]);
    check_mistake(&["trace", "a", "--seed", "-1"], 2, &["--seed", "whole number"]);
    check_mistake(&["trace", "a", "--top-k", "2.5"], 2, &["--top-k", "whole number"]);
    check_mistake(&["trace", "a", "--max-new-tokens", "99999999999999999999"], 2, &["--max-new-tokens"]);
    check_mistake(&["trace", "a", "--format", "xml"], 2, &["json, csv, text"]);
    check_mistake(&["trace", "a", "--device", "tpu"], 2, &["auto, cpu, cuda, metal"]);
    check_mistake(&["trace", "a", "--dtype", "f64"], 2, &["f32, f16"]);
    check_mistake(&["trace", "a", "--prompt", "b"], 2, &["--prompt"]);
    check_mistake(&["--prompt", "b", "trace", "a"], 2, &["--prompt"]);
    check_mistake(&["trace", "a", "--model", "no/such/folder"], 2, &["no such folder", "owner/name"]);
}

#[test]
fn settings_outside_their_range_are_one_line() {
    for (option, values, name) in [
        ("--temperature", &["-1", "NaN", "inf"][..], "temperature"),
        ("--top-p", &["0", "1.5", "-0.5", "NaN"], "top-p"),
        ("--min-p", &["-0.1", "1.01", "nan"], "min-p"),
        ("--repetition-penalty", &["0", "-2", "inf"], "repetition penalty"),
    ] {
        for value in values {
            check_mistake(&["trace", "a", option, value], 2, &[name, "must be"]);
        }
    }
}

#[test]
fn what_cannot_begin_replaces_no_file_and_prints_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keep.tokenscope");
    let path = path.to_str().unwrap();
    stdout_of(&["trace", "Once", "--max-new-tokens", "2", "--save", path]);
    let before = std::fs::read(path).unwrap();
    for mistake in [["--regex", "("], ["--stages", "regex=("], ["--json-schema", "{"], ["--force", "2=99999999"]] {
        let args = [&["trace", "hi", "--save", path][..], &mistake].concat();
        let output = tokenscope(&args);
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{mistake:?}: {output:?}");
        assert_eq!(std::fs::read(path).unwrap(), before, "{mistake:?}");
    }
}

#[test]
fn a_model_that_cannot_be_loaded_is_one_line() {
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().to_str().unwrap();
    for command in [&["trace", "a"][..], &["bench"]] {
        check_mistake(&[command, &["--model", folder]].concat(), 1, &["config.json is missing", folder]);
        check_mistake(
            &[command, &["--model", "./not/there"]].concat(),
            1,
            &["not a folder", "config.json", "not/there"],
        );
    }
    let two_lines = empty.path().join("two\nlines");
    std::fs::create_dir(&two_lines).unwrap();
    check_mistake(&["trace", "a", "--model", two_lines.to_str().unwrap()], 1, &["config.json"]);
}

#[test]
#[cfg(not(any(feature = "cuda", target_os = "macos")))]
fn a_device_that_is_not_there_is_one_line() {
    check_mistake(&["trace", "a", "--device", "cuda"], 1, &["--features cuda"]);
    check_mistake(&["bench", "--device", "metal"], 1, &["Metal"]);
}

#[test]
fn a_prompt_longer_than_the_window_is_one_line() {
    check_mistake(&["trace", &"word ".repeat(1000)], 1, &["512", "shorten it"]);
    check_mistake(&["trace", &"word ".repeat(1000), "--rollouts", "2"], 1, &["512", "shorten it"]);
}

#[test]
fn a_window_that_slides_takes_longer_prompts_and_says_what_is_forgotten() {
    let trace = trace(&"word ".repeat(1000), &["--overflow", "slide", "--max-new-tokens", "2"]);
    let n_prompt = array(&trace["prompt"]["tokens"]).len();
    assert!(n_prompt > 512 && !steps(&trace).is_empty());
    for (index, step) in (0..).zip(steps(&trace)) {
        let forgotten = count(&step["kv_cache"]["forgotten"]);
        assert_eq!(forgotten % 256, 0);
        assert_eq!(count(&step["kv_cache"]["positions"]), n_prompt + index - forgotten);
    }
}

#[test]
#[cfg(unix)]
fn odd_bytes_are_no_panic() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let odd = OsStr::from_bytes(b"\xFF\xFE");
    for (args, status) in [(["trace".as_ref(), odd], 2), (["--model".as_ref(), odd], 2)] {
        let output = Command::new(env!("CARGO_BIN_EXE_tokenscope")).args(args).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(status), 1), "{stderr}");
    }
}

#[test]
fn help_and_version_are_no_mistakes() {
    for args in [&["--help"][..], &["-h"], &["trace", "--help"], &["bench", "-h"], &["help"], &["--version"]] {
        assert!(stdout_of(args).contains("tokenscope"), "{args:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tokenscope"))
        .args(["trace", "Hi", "--top", "0", "--max-new-tokens", "40"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_one_line() {
    let full = std::fs::OpenOptions::new().write(true).open(PathBuf::from("/dev/full")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tokenscope"));
    let output = command.args(["trace", "Hi", "--max-new-tokens", "1"]).stdout(full).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), stderr.lines().count()), (Some(1), 1), "{stderr}");
    assert!(stderr.contains("could not be written"), "{stderr}");
}

#[test]
fn bench_measures_everything_with_units() {
    let report: Value = serde_json::from_str(&stdout_of(&["bench", "--device", "cpu", "--format", "json"])).unwrap();
    assert_keys(&report, "format version model weight_bytes measurements");
    assert_eq!(report["format"], "tokenscope-bench");
    let measurements = array(&report["measurements"]);
    for measurement in measurements {
        assert_keys(measurement, "name value unit how");
        assert!(number(&measurement["value"]) > 0.0, "{measurement}");
        assert!(measurement["unit"].is_string() && !measurement["how"].as_str().unwrap().is_empty());
    }
    let named = |name: &str| {
        let found = measurements.iter().find(|measurement| measurement["name"] == name);
        number(&found.unwrap_or_else(|| panic!("{name}"))["value"])
    };
    assert!(named("start until the model is ready") < named("start until the first token"));
    let weights = number(&report["weight_bytes"]) * named("decode, greedy") / 1e9;
    assert_near(named("weights read while decoding"), weights);
    assert_near(named("weights read / bandwidth"), weights / named("memory read bandwidth"));
}
