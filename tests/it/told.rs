//! What the terminal says truly: bans that take everything, options that would be ignored, names that would command it,
//! and all that is needed to compute rollouts and beams again.

use super::cli::{array, assert_keys, assert_near, check_mistake, count, number, stdout_of, steps, tokenscope, trace};
use serde_json::{Value, json};

#[test]
fn a_chain_that_bans_everything_says_so() {
    let only = |args: &[&str]| {
        let made = trace("Once", &[args, &["--max-new-tokens", "1"]].concat());
        let step = &steps(&made)[0];
        (count(&step["chosen"]["id"]), step["stages"].as_array().unwrap().last().unwrap()["numbers"].clone())
    };
    let told = json!({ "all_banned": 1.0 });
    let (best, _) = only(&["--greedy"]);
    let banned = format!("top_k=1,logit_bias={best}:-inf");
    assert_eq!(only(&["--stages", &banned]), (best, told.clone()));
    let (allowed, _) = only(&["--regex", "a"]);
    assert_eq!(only(&["--regex", "a", "--stages", &format!("logit_bias={allowed}:-inf")]), (allowed, told));
    // For reading, and from a saved session, too.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.tokenscope");
    let file = file.to_str().unwrap();
    let says = format!("{best}:-inf (all of it is banned: the best stays): 1 → 1 candidates");
    let args = ["trace", "Once", "--stages", &banned, "--max-new-tokens", "1", "--format", "text", "--save", file];
    for text in [stdout_of(&args), stdout_of(&["show", file])] {
        assert!(text.contains(&says), "{text}");
    }
}

#[test]
fn what_would_be_ignored_is_refused() {
    for (args, named) in [
        (&["--score", "--temperature", "2"][..], "--temperature"),
        (&["--score", "--max-new-tokens", "2"], "--max-new-tokens"),
        (&["--beams", "2", "--top-k", "3"], "--top-k"),
        (&["--beams", "2", "--seed", "3"], "--seed"),
        (&["--beams", "2", "--json-schema", "{}"], "--json-schema"),
        (&["--force", "1=5", "--force", "1=5"], "--force 1"),
        (&["--force", "2=5", "--max-new-tokens", "2"], "--force 2"),
    ] {
        check_mistake(&[&["trace", "a"], args].concat(), 2, &[named]);
    }
    let output = tokenscope(&["trace", "Once", "--force", "0=0", "--force", "1=5", "--max-new-tokens", "9"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && stderr.lines().count() == 1, "{stderr}");
    assert!(stderr.contains("--force 1=5 was not taken"), "{stderr}");
}

#[test]
fn rollouts_have_all_that_makes_them_again() {
    let sampler = ["--stages", "temperature=1.3,xtc=0.1:0.5", "--seed", "9", "--max-new-tokens", "4"];
    let tree = trace("The cat", &[&sampler[..], &["--rollouts", "5"]].concat());
    let keys =
        "format version model prompt prompt_ids eos_ids sampler seed continuations max_tokens tokens_fed nodes paths";
    assert_keys(&tree, keys);
    let (nodes, paths) = (array(&tree["nodes"]), array(&tree["paths"]));
    assert_eq!((paths.len(), &tree["eos_ids"]), (5, &json!([0])));
    for (seed, path) in (9..).zip(paths) {
        assert_keys(path, "seed nodes final_probs");
        assert_eq!(path["seed"], seed);
        // The run of this seed alone.
        let alone =
            trace("The cat", &[&sampler[..2], &["--max-new-tokens", "4", "--seed", &seed.to_string()]].concat());
        assert_eq!(tree["sampler"]["stages"], alone["sampler"]["stages"]);
        let prompt_ids: Vec<_> = array(&alone["prompt"]["tokens"]).iter().map(|token| token["id"].clone()).collect();
        assert_eq!(array(&tree["prompt_ids"]), prompt_ids);
        let on_path = array(&path["nodes"]).iter().map(|node| &nodes[count(node)]["id"]);
        assert!(on_path.eq(steps(&alone).iter().map(|step| &step["chosen"]["id"])), "{path}");
        for (prob, step) in array(&path["final_probs"]).iter().zip(steps(&alone)) {
            assert!((number(prob) - number(&step["chosen"]["final_prob"])).abs() < 1e-5, "{path}");
        }
    }
    let text = stdout_of(&[&["trace", "The cat", "--rollouts", "2", "--format", "text"], &sampler[..]].concat());
    assert!(text.contains("samplers  temperature=1.3 → xtc=0.1:0.5"), "{text}");
}

#[test]
fn beams_have_all_that_makes_them_again() {
    let beams = trace("The cat", &["--beams", "2", "--max-new-tokens", "3"]);
    let keys = "format version model prompt prompt_ids eos_ids beams length_penalty max_tokens steps finished";
    assert_keys(&beams, keys);
    let plain = trace("The cat", &["--max-new-tokens", "1"]);
    let prompt_ids: Vec<_> = array(&plain["prompt"]["tokens"]).iter().map(|token| token["id"].clone()).collect();
    assert_eq!((array(&beams["prompt_ids"]), &beams["eos_ids"]), (&prompt_ids[..], &json!([0])));
    let first = &beams["steps"][0]["kept"][0];
    assert_near(number(&first["log_prob"]), number(&first["prob"]).ln());
}

/// A folder whose name would clear the screen and turn the rest of the line around.
#[cfg(unix)]
#[test]
fn no_name_commands_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = "evil\u{1b}[2J\u{9b}31m\u{7f}\u{202e}";
    let model = folder.path().join(name);
    let draft = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/model/draft");
    std::os::unix::fs::symlink(draft, &model).unwrap();
    let [model, session] = [model, folder.path().join(format!("{name}.tokenscope"))];
    let (model, session) = (model.to_str().unwrap(), session.to_str().unwrap());
    let tame = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.chars().any(|c| c != '\n' && (c.is_control() || c == '\u{202e}')), "{text:?}");
        text
    };
    let generation = ["trace", "a\u{1b}b", "--model", model, "--max-new-tokens", "2"];
    for rest in [
        &["--save", session, "--format", "text"][..],
        &["--format", "json"],
        &["--rollouts", "2", "--format", "text"],
        &["--beams", "2", "--format", "text"],
    ] {
        let said = tame(tokenscope(&[&generation[..], rest].concat()).stdout);
        assert!(said.contains("evil\\u001b[2J\\u009b31m\\u007f\\u202e"), "{said}");
    }
    for args in [&["show", session][..], &["trace", "a\u{1b}b", "--model", model, "--score", "--format", "text"]] {
        assert!(tame(tokenscope(args).stdout).contains("evil\\u001b"), "{args:?}");
    }
    let json: Value = serde_json::from_str(&stdout_of(&["show", session, "--format", "json"])).unwrap();
    assert!(json["model"]["id"].as_str().unwrap().ends_with(name), "JSON means the name as it is");
    let nowhere = format!("{session}.not");
    for args in [
        &["show", &nowhere][..],
        &["trace", "a", "--model", &nowhere],
        &["trace", "a", name],
        &["trace", "a", "--stages", name],
        &["trace", "a", "--save", &format!("{nowhere}/a"), "--max-new-tokens", "1"],
    ] {
        let output = tokenscope(args);
        let said = tame(output.stderr);
        assert!(!output.status.success() && said.contains("evil") && said.lines().count() == 1, "{said}");
    }
}
