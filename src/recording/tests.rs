//! Sessions of the toy, written, cut, changed and read.

mod changed;
mod hostile;
mod left_behind;

use super::members::{NoLine, member, next_line};
use super::*;
use crate::engine::{Limits, Session};
use crate::engine::{LoadRequest, LoadedModel, ModelSource, load};
use crate::model::ToyConfig;
use crate::sampling::{Detail, Slot, Stage, forced};
use crate::trace::{ModelCard, Outcome, Overflow, StopReason};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

fn settings() -> SamplerSettings {
    SamplerSettings::of([
        Stage::repetition_penalty(1.2),
        Stage::logit_bias([(7, f64::NEG_INFINITY), (9, 0.1)]),
        Stage::temperature(0.7),
        Stage::top_k(500),
        Stage::top_n_sigma(3.0),
        Stage::mirostat(4.0, 0.1),
    ])
    .with_seed(3)
}

static MODEL: LazyLock<LoadedModel> =
    LazyLock::new(|| load(&request(), &mut |_| ControlFlow::Continue(())).unwrap().public);

fn request() -> LoadRequest {
    let config = ToyConfig { vocab_size: 4096, context_length: 64, ..ToyConfig::default() };
    LoadRequest { source: ModelSource::Toy(config), ..LoadRequest::default() }
}

/// Two branches: six steps, and three more behind a token that was taken at step 2.
pub(crate) fn recording() -> Recording {
    static RECORDING: LazyLock<Recording> = LazyLock::new(made);
    RECORDING.clone()
}

fn made() -> Recording {
    let loaded = load(&request(), &mut |_| ControlFlow::Continue(())).unwrap();
    let prompt = MODEL.tokenizer.encode("One day, 日本").unwrap();
    let limits = Limits { max_new_tokens: 6, eos_ids: Vec::new(), overflow: Overflow::Stop };
    let mut session = Session::begin(&*loaded.model, &prompt, limits).unwrap();
    let mut tree = Tree::new(prompt.into());
    for pass in 0..6 {
        let (step, _) = session.step(&*loaded.model, &settings(), Detail::Head(64), &|| false).unwrap();
        let branch = tree.current_mut();
        if let Outcome::Stop(reason) = step.outcome {
            branch.ended = Some(reason);
        }
        branch.trace.push(step.into(), PassId(pass));
    }
    let steps = tree.current().trace.steps().to_vec();
    let third = &steps[2];
    let (candidate, outcome) = (third.sampling.raw.head[20], third.sampling.outcomes[20]);
    let sampling = forced(&third.sampling, candidate, outcome);
    tree.take(crate::trace::StepRecord { sampling, ..(**third).clone() }.into(), None);
    for step in &steps[3..5] {
        tree.current_mut().trace.push(step.clone(), PassId(step.index as u64 + 10));
    }
    tree.rename(tree.current().id, "Ein \"anderer\" Weg ⏎");
    let mut settings = settings();
    settings.slots.insert(0, Slot { stage: Stage::min_p(0.05), on: false });
    let model = Arc::clone(&MODEL.identity);
    Recording {
        model,
        formats: Vec::new(),
        prompt: "One day, 日本".to_owned(),
        tree,
        settings,
        max_new_tokens: 6,
        overflow: Overflow::Stop,
        shown_step: 3,
    }
}

fn bytes(recording: &Recording) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes, recording).unwrap();
    bytes
}

fn open_bytes(bytes: &[u8]) -> Result<Opened, RecordingError> {
    read(&mut &bytes[..], Path::new("file"))
}

fn check_same(a: &Recording, b: &Recording) {
    assert_eq!((&a.model, &a.prompt, &a.settings), (&b.model, &b.prompt, &b.settings));
    assert_eq!(a.formats, b.formats);
    assert_eq!((a.max_new_tokens, a.overflow, a.shown_step), (b.max_new_tokens, b.overflow, b.shown_step));
    assert_eq!(a.tree.current().id, b.tree.current().id);
    assert_eq!(a.tree.branches().len(), b.tree.branches().len());
    for (a, b) in a.tree.branches().iter().zip(b.tree.branches()) {
        assert_eq!((a.id, &a.name, a.parent, a.parts_at), (b.id, &b.name, b.parent, b.parts_at));
        assert_eq!((a.ended, a.stopped), (b.ended, b.stopped));
        assert_eq!(a.trace.prompt, b.trace.prompt);
        assert_eq!(a.trace.steps(), b.trace.steps());
        assert_eq!(a.trace.log_prob(), b.trace.log_prob());
        assert!((0..a.trace.steps().len()).all(|idx| a.trace.pass(idx) == b.trace.pass(idx)));
    }
}

#[test]
fn a_list_without_end_of_branches_is_read_to_a_limit() {
    let whole = recording();
    let mut lines = Vec::new();
    let mut input = &bytes(&whole)[..];
    while let Ok(line) = next_line(&mut input).unwrap() {
        lines.push(String::from_utf8(line).unwrap());
    }
    let mut branches: serde_json::Value = serde_json::from_str(&lines[1]).unwrap();
    let list = branches["branches"]["branches"].as_array_mut().unwrap();
    let template = list[1].clone();
    list.extend((100..300_000).map(|id| {
        let mut branch = template.clone();
        branch["id"] = id.into();
        branch
    }));
    lines[1] = branches.to_string();
    let file: Vec<u8> = lines.iter().flat_map(|line| member(line.as_bytes()).unwrap()).collect();
    let opened = open_bytes(&file).unwrap();
    assert_eq!(opened.recording.tree.branches().len(), 10_000);
    assert!(opened.problems.iter().any(|problem| problem.to_string().contains("10000")), "{:?}", opened.problems);
}

#[test]
fn an_export_has_a_seed_where_all_draws_are_of_it() {
    let json = |recording: &Recording| {
        let mut out = Vec::new();
        crate::export::steps(&mut out, crate::export::StepFormat::Json, recording).unwrap();
        serde_json::from_slice::<serde_json::Value>(&out).unwrap()["sampler"]["seed"].clone()
    };
    let mut recording = recording();
    assert_eq!(json(&recording), 3);
    recording.settings.seed = 4;
    assert_eq!(json(&recording), serde_json::Value::Null);
}

#[test]
fn each_step_keeps_the_format_that_it_was_made_in() {
    let whole = recording();
    let card = ModelCard { dtype: "f16".to_owned(), dtype_bytes: 2, ..ModelCard::clone(&whole.model.card) };
    let half = Arc::new(ModelIdentity { card: Arc::new(card), ..ModelIdentity::clone(&whole.model) });
    let changed = Recording { model: half, formats: vec![(PassId(3), Arc::clone(&whole.model))], ..whole.clone() };
    check_same(&changed, &open_bytes(&bytes(&changed)).unwrap().recording);
    // The header is there before the format changes.
    let mut appender = Appender::begin(Vec::new(), &whole).unwrap();
    appender.append(&changed).unwrap();
    check_same(&changed, &open_bytes(appender.out()).unwrap().recording);
}

#[test]
fn a_session_comes_back_as_it_was_and_is_saved_as_the_same_bytes() {
    let recording = recording();
    let saved = bytes(&recording);
    let opened = open_bytes(&saved).unwrap();
    assert_eq!((opened.problems, opened.n_steps, opened.complete), (Vec::new(), 9, true));
    check_same(&recording, &opened.recording);
    assert!(saved == bytes(&opened.recording), "other bytes");
    // What one stage put out is what the next took in, also after reading.
    for branch in opened.recording.tree.branches() {
        for step in branch.trace.steps() {
            for pair in step.sampling.stages.windows(2) {
                assert!(Arc::ptr_eq(&pair[0].after, &pair[1].before));
            }
        }
    }
    let branches = opened.recording.tree.branches();
    assert!(Arc::ptr_eq(&branches[0].trace.steps()[1], &branches[1].trace.steps()[1]), "shared steps are shared");
}

#[test]
fn any_gzip_reader_shows_a_line_of_json_for_each_thing() {
    use std::io::Read as _;
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(&bytes(&recording())[..]).read_to_string(&mut text).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3 + 9 + 1);
    assert_eq!(lines[0]["header"]["version"], VERSION);
    assert_eq!(lines[0]["header"]["model"]["vocabulary"].as_array().unwrap().len(), MODEL.vocabulary.len());
    assert_eq!(lines[2]["state"]["stages"][0], "-min_p=0.05");
    assert_eq!(lines[3]["step"]["sampling"]["stages"][1]["stage"], "logit_bias=7:-inf;9:0.1");
    assert_eq!(lines[12]["end"]["n_steps"], 9);
}

/// All lines of a file.
fn text_of(file: &[u8]) -> String {
    use std::io::Read as _;
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_window_that_slid_comes_back_and_leaves_other_files_as_they_were() {
    let text = text_of(&bytes(&recording()));
    assert!(!text.contains("overflow") && !text.contains("forgotten"));
    let mut slid = recording();
    slid.overflow = Overflow::Slide;
    let branch = slid.tree.current_mut();
    let last = branch.trace.steps().last().unwrap();
    let kv = crate::trace::KvRecord { forgotten: 32, ..last.kv.clone() };
    let step = crate::trace::StepRecord { index: last.index + 1, kv, ..(**last).clone() };
    branch.trace.push(step.into(), PassId(99));
    let saved = bytes(&slid);
    let text = text_of(&saved);
    assert_eq!((text.matches("\"forgotten\":32").count(), text.matches("\"overflow\":\"slide\"").count()), (1, 1));
    let opened = open_bytes(&saved).unwrap();
    assert_eq!(opened.problems, Vec::new());
    check_same(&slid, &opened.recording);
    assert!(saved == bytes(&opened.recording), "other bytes");
}

#[test]
fn a_file_that_is_cut_off_opens_as_far_as_it_goes() {
    let saved = bytes(&recording());
    // Where each line begins.
    let mut starts = vec![0];
    let mut input = &saved[..];
    while next_line(&mut input).unwrap() != Err(NoLine::Clean) {
        starts.push(saved.len() - input.len());
    }
    for len in (0..saved.len()).step_by(97).chain(starts.clone()) {
        let n_lines = starts.iter().filter(|start| **start <= len && **start > 0).count();
        match open_bytes(&saved[..len]) {
            Err(error) => {
                assert_eq!(n_lines, 0, "{len}: {error}");
                assert!(error.to_string().ends_with(": file"), "{error}");
            }
            Ok(opened) => {
                // The first three lines are no steps, the last is the end.
                assert_eq!(opened.n_steps, if n_lines < 2 { 0 } else { n_lines.saturating_sub(3).min(9) }, "{len}");
                assert_eq!((opened.complete, opened.problems.is_empty()), (len == saved.len(), len == saved.len()));
                // And what was read can be saved and read again.
                let again = open_bytes(&bytes(&opened.recording)).unwrap();
                assert!(again.problems.is_empty());
                check_same(&again.recording, &opened.recording);
            }
        }
    }
}

#[test]
fn a_file_that_was_changed_says_so() {
    let saved = bytes(&recording());
    let mut n_opened = 0;
    for place in (30..saved.len()).step_by(211) {
        let mut changed = saved.clone();
        changed[place] ^= 0x10;
        match open_bytes(&changed) {
            Ok(opened) => {
                // A bit between the last of a line and the next whole byte means nothing.
                let same = bytes(&opened.recording) == saved;
                assert!(same || !opened.problems.is_empty(), "byte {place} was changed and nothing said");
                n_opened += usize::from(!same);
            }
            Err(error) => assert!(error.to_string().contains("file"), "{error}"),
        }
    }
    assert!(n_opened > 10, "what lies before the change is shown");
    assert!(matches!(open_bytes(b""), Err(RecordingError::NotASession { .. })));
    assert!(matches!(open_bytes(b"# Notes\n"), Err(RecordingError::NotASession { .. })));
    assert!(matches!(open_bytes(&member(b"{\"header\":{}}").unwrap()), Err(RecordingError::NoHeader { .. })));
    assert!(matches!(open_bytes(&member(b"[]").unwrap()), Err(RecordingError::NotASession { .. })));
}

/// Each line through `change`, which may return it, another, or none.
fn rewritten(file: &[u8], change: impl Fn(String) -> Vec<String>) -> Vec<u8> {
    let mut input = file;
    let mut out = Vec::new();
    while let Ok(line) = next_line(&mut input).unwrap() {
        for line in change(String::from_utf8(line).unwrap()) {
            out.extend(member(line.as_bytes()).unwrap());
        }
    }
    out
}

#[test]
fn a_later_version_is_shown_as_far_as_it_is_understood() {
    let later = rewritten(&bytes(&recording()), |line| {
        let line = line.replace("\"version\":1,", "\"version\":2,\"mood\":\"new\",");
        if line.starts_with("{\"state\"") { vec![line, "{\"weather\":{\"rain\":1}}".to_owned()] } else { vec![line] }
    });
    let opened = open_bytes(&later).unwrap();
    check_same(&recording(), &opened.recording);
    assert_eq!(opened.problems.len(), 1);
    let problem = crate::words::Words::ENGLISH.render(&opened.problems[0]);
    assert!(problem.contains("later version") && problem.contains("1 of its lines"));
}

#[test]
fn lines_that_make_no_sense_are_left_out_and_told() {
    let changes: [(&str, &str, &str); 7] = [
        ("\"final_probs\":[", "\"final_probs\":[0.5,", "do not match"),
        ("\"probs\":[", "\"probs\":[0.5,", "one length"),
        ("\"dropped_by\":[null", "\"dropped_by\":[99", "not there"),
        ("\"stage\":\"top_k=500\"", "\"stage\":\"no_such=1\"", "no_such"),
        ("\"outcome\":\"continue\"", "\"outcome\":\"perhaps\"", "perhaps"),
        ("\"index\":0", "\"index\":-1", "-1"),
        ("\"parent\":1", "\"parent\":7", ""),
    ];
    for (from, to, message) in changes {
        let changed = rewritten(&bytes(&recording()), |line| vec![line.replace(from, to)]);
        let opened = open_bytes(&changed).unwrap();
        if message.is_empty() {
            assert_eq!(opened.recording.tree.branches().len(), 1, "a branch of nobody");
        } else {
            assert!(
                opened.problems.iter().any(|problem| crate::words::Words::ENGLISH.render(problem).contains(message)),
                "{to}: {:?}",
                opened.problems
            );
        }
        // Whatever is left can be shown: every branch has what it shares with its parent.
        for branch in opened.recording.tree.branches() {
            assert!(branch.trace.steps().iter().enumerate().all(|(idx, step)| step.index == idx));
        }
    }
    let twice = rewritten(&bytes(&recording()), |line| vec![line.clone(), line]);
    check_same(&recording(), &open_bytes(&twice).unwrap().recording);
}

#[test]
fn what_ended_did_not_end_where_its_last_step_is_missing() {
    let recording = recording();
    assert_eq!(recording.tree.branches()[0].ended, Some(StopReason::MaxNewTokens));
    let without =
        rewritten(&bytes(&recording), |line| if line.contains("\"index\":5") { Vec::new() } else { vec![line] });
    let opened = open_bytes(&without).unwrap();
    assert_eq!(opened.recording.tree.branches()[0].ended, None);
    assert!(!opened.complete);
}

#[test]
fn a_session_that_grows_is_the_same_in_the_end() {
    let whole = recording();
    let mut growing = Recording { tree: Tree::new(Arc::clone(&whole.tree.current().trace.prompt)), ..whole.clone() };
    let mut appender = Appender::begin(Vec::new(), &growing).unwrap();
    let first = &whole.tree.branches()[0];
    for (idx, step) in first.trace.steps().iter().enumerate() {
        let branch = growing.tree.current_mut();
        branch.trace.push(step.clone(), first.trace.pass(idx).unwrap());
        appender.append(&growing).unwrap();
        // Whatever happens now, this step is there.
        let so_far = open_bytes(appender.out()).unwrap();
        assert_eq!((so_far.n_steps, so_far.complete), (idx + 1, false));
        check_same(&so_far.recording, &growing);
    }
    appender.append(&whole).unwrap();
    let unchanged = appender.end().unwrap();
    let opened = open_bytes(&unchanged).unwrap();
    assert!(opened.complete && opened.problems.is_empty(), "{:?}", opened.problems);
    check_same(&whole, &opened.recording);
    assert!(bytes(&opened.recording) == bytes(&whole));
}

#[test]
fn saving_replaces_a_file_at_once_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tokenscope");
    save(&path, &recording()).unwrap();
    let before = std::fs::read(&path).unwrap();
    let failed = replace(&path, |out| {
        out.write_all(b"half")?;
        Err(std::io::ErrorKind::StorageFull.into())
    });
    assert!(failed.is_err() && std::fs::read(&path).unwrap() == before);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
    let nowhere = folder.path().join("no/such/folder/a.tokenscope");
    let message = save(&nowhere, &recording()).unwrap_err().to_string();
    assert!(message.contains("saving failed") && message.contains("a.tokenscope"), "{message}");
}
