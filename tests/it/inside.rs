//! The lens, attribution, patching and ablation against transformers and numpy, what must hold of them in any case, and
//! what the terminal prints of them. `tests/reference/README.md` says how the numbers were made.

use crate::cli::{array, count, number, stderr_of, stdout_of, steps, trace};
use crate::golden::load;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use tokenscope::engine::{Patch, attribute, direction, lens, look, most_probable, patch};
use tokenscope::message::Tell;
use tokenscope::model::LanguageModel;
use tokenscope::trace::{
    Activations, Change, Edit, LensRow, Matrix, Part, PatchMap, PatchSite, PatchedPlace, Positions, TokenId,
};
use tokenscope::words::Words;

/// The largest difference allowed, in f32 on the CPU.
const TOLERANCE: f64 = 1e-4;
/// The same between a logit and the sum of its parts.
const SUM_TOLERANCE: f64 = 1e-3;

const SITES: [(PatchSite, &str); 4] = [
    (PatchSite::Residual, "residual"),
    (PatchSite::Attention, "attention"),
    (PatchSite::Mlp, "mlp"),
    (PatchSite::Heads, "heads"),
];

/// A model with two texts that it answers differently, and what the reference found.
struct Case {
    name: String,
    model: Box<dyn LanguageModel>,
    clean: Arc<[TokenId]>,
    corrupted: Arc<[TokenId]>,
    answers: [TokenId; 2],
    golden: Value,
}

impl Case {
    fn look(&self, ids: &Arc<[TokenId]>, edits: Vec<Edit>) -> Activations {
        look(&*self.model, Arc::clone(ids), edits.into(), &|| false).unwrap()
    }

    #[track_caller]
    fn near(&self, what: &str, got: f64, want: &Value, tolerance: f64) {
        let want = number(want);
        assert!((got - want).abs() <= tolerance, "{}, {what}: {got}, not {want}", self.name);
    }
}

fn ids(value: &Value) -> Arc<[TokenId]> {
    array(value).iter().map(|id| count(id) as TokenId).collect()
}

fn cases() -> Vec<Case> {
    let text = std::fs::read_to_string("tests/golden/inside.json").unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let case = |(name, golden): (&String, &Value)| {
        let folder = if name == "target" { "assets/model" } else { "tests/golden/fixtures" };
        Case {
            name: name.clone(),
            model: load(&Path::new(folder).join(name)),
            clean: ids(&golden["clean"]),
            corrupted: ids(&golden["corrupted"]),
            answers: ids(&golden["answers"])[..].try_into().unwrap(),
            golden: golden.clone(),
        }
    };
    let cases: Vec<_> = all.as_object().unwrap().iter().map(case).collect();
    assert_eq!(cases.len(), 5);
    cases
}

#[test]
fn lens_heads_and_attribution_are_as_in_transformers() {
    for case in cases() {
        let of = case.look(&case.clean, vec![]);
        let (last, n_layers) = (of.n_positions() - 1, of.layers.len());
        let lens = lens(&*case.model, &of, last..last + 1, case.answers[0], &|| false).unwrap();
        assert_eq!(lens.rows.len(), array(&case.golden["lens"]).len());
        for ((row, cells), want) in LensRow::all(n_layers).zip(&lens.rows).zip(array(&case.golden["lens"])) {
            let cell = cells[0];
            assert_eq!((cell.best as usize, cell.target_rank as usize), (count(&want[0]), count(&want[3])), "{row:?}");
            case.near("probability of the best", cell.best_prob, &want[1], TOLERANCE);
            case.near("probability", cell.target_prob, &want[2], TOLERANCE);
            case.near("entropy", cell.entropy, &want[4], TOLERANCE);
            case.near("logit in a layer", cell.target_logit, &want[5], TOLERANCE);
        }
        let outputs = case.model.head_outputs(n_layers - 1, of.layers[n_layers - 1].z.row(last)).unwrap();
        let rows = outputs.chunks_exact(of.embed.width).zip(array(&case.golden["head_outputs"]));
        assert_eq!(rows.len(), of.n_heads);
        for (output, want) in rows {
            let pairs = output.iter().step_by(4).zip(array(want));
            pairs.for_each(|(got, want)| case.near("head output", f64::from(*got), want, TOLERANCE));
        }

        let [token, against] = case.answers;
        let parts = attribute(&*case.model, &of, last, (token, Some(against)), &|| false).unwrap();
        let golden = &case.golden["attribution"];
        case.near("embedding", parts.embed, &golden["embed"], TOLERANCE);
        for layer in 0..n_layers {
            case.near("MLP", parts.mlps[layer], &golden["mlps"][layer], TOLERANCE);
            case.near("bias", parts.attn_biases[layer], &golden["biases"][layer], TOLERANCE);
            for (head, got) in parts.heads[layer].iter().enumerate() {
                case.near("head", *got, &golden["heads"][layer][head], TOLERANCE);
            }
        }
        assert_eq!(parts.edits, 0.0);
        for position in of.kept() {
            let parts = attribute(&*case.model, &of, position, (token, None), &|| false).unwrap();
            assert!((parts.sum() - parts.logit).abs() < SUM_TOLERANCE, "{}, {position}: {parts:?}", case.name);
        }
    }
}

#[test]
fn attribution_sums_to_the_logit_whatever_is_changed() {
    let case = cases().into_iter().find(|case| case.name == "target").unwrap();
    let all = |part, change| Edit { part, positions: Positions::All, change };
    let direction: Arc<[f32]> = case.look(&case.corrupted, vec![]).embed.row(3).into();
    let edits = vec![
        all(Part::Head { layer: 1, head: 2 }, Change::Scale(0.0)),
        all(Part::Attention { layer: 2 }, Change::Scale(0.5)),
        all(Part::Layer { layer: 3 }, Change::Mean(4)),
        all(Part::Attention { layer: 4 }, Change::Add { direction: Arc::clone(&direction), strength: 2.0 }),
        all(Part::Residual { layer: 5 }, Change::Scale(0.9)),
        all(Part::Embed, Change::Add { direction, strength: 0.5 }),
    ];
    let of = case.look(&case.clean, edits);
    for position in of.kept() {
        let parts = attribute(&*case.model, &of, position, (case.answers[0], None), &|| false).unwrap();
        assert!((parts.sum() - parts.logit).abs() < SUM_TOLERANCE, "{parts:?}");
        assert!(parts.edits.abs() > 0.01 && parts.heads[1][2] == 0.0 && parts.heads[3] == [0.0; 8]);
    }
}

#[test]
fn patch_maps_are_as_in_transformers_and_each_place_can_be_looked_at() {
    for case in cases() {
        let clean = case.look(&case.clean, vec![]);
        for (site, key) in SITES {
            let (clean_ids, corrupted) = (Arc::clone(&case.clean), Arc::clone(&case.corrupted));
            let question = Patch { clean: clean_ids, corrupted, answers: None, site, edits: [].into() };
            let mut told = Vec::new();
            let map = patch(&*case.model, question, &|| false, &mut |map| told.push(map.progress().0)).unwrap();
            assert_eq!(map.answers, case.answers);
            assert!(told.is_sorted() && told.last() == Some(&map.progress().1), "{told:?}");
            let golden = &case.golden["patches"];
            case.near("clean", map.clean_diff, &golden["clean"], TOLERANCE);
            case.near("corrupted", map.corrupted_diff, &golden["corrupted"], TOLERANCE);
            let (mut greatest, mut place) = (0.0, PatchedPlace { site, layer: 0, column: 0 });
            for (layer, row) in map.diffs.iter().enumerate() {
                assert_eq!(row.len(), array(&golden[key][layer]).len());
                for (column, diff) in row.iter().enumerate() {
                    let diff = diff.unwrap();
                    case.near(key, diff, &golden[key][layer][column], TOLERANCE);
                    if (diff - map.corrupted_diff).abs() > greatest {
                        (greatest, place) = ((diff - map.corrupted_diff).abs(), PatchedPlace { site, layer, column });
                    }
                }
            }
            let patched = case.look(&case.corrupted, vec![place.edit(&clean).unwrap()]);
            let [first, second] = case.answers.map(|id| f64::from(patched.logits[id as usize]));
            case.near("look at a place", first - second, &golden[key][place.layer][place.column], TOLERANCE);
        }
    }
}

#[test]
fn patching_a_changed_model_is_looking_at_it() {
    for case in cases() {
        let all = |part, change| Edit { part, positions: Positions::All, change };
        let edits = vec![
            all(Part::Head { layer: 0, head: 1 }, Change::Scale(0.0)),
            // A patch at one of the first positions changes this mean too.
            all(Part::Mlp { layer: 1 }, Change::Mean(case.clean.len() - 2)),
        ];
        let clean = case.look(&case.clean, edits.clone());
        for site in [PatchSite::Residual, PatchSite::Heads] {
            let (ids, corrupted) = (Arc::clone(&case.clean), Arc::clone(&case.corrupted));
            let answers = Some(case.answers);
            let question = Patch { clean: ids, corrupted, answers, site, edits: edits.clone().into() };
            let map = patch(&*case.model, question, &|| false, &mut |_| ()).unwrap();
            let n_columns = map.diffs[0].len();
            for (layer, column) in [(0, n_columns / 2), (0, n_columns - 1), (1, n_columns / 2)] {
                let place = PatchedPlace { site, layer, column };
                let with_place = edits.iter().cloned().chain(place.edit(&clean)).collect();
                let logits = case.look(&case.corrupted, with_place).logits;
                let [first, second] = case.answers.map(|id| f64::from(logits[id as usize]));
                let diff = map.diffs[layer][column].unwrap();
                assert!((diff - (first - second)).abs() < TOLERANCE, "{}, {place:?}: {diff}", case.name);
            }
        }
    }
}

#[test]
fn changed_passes_are_as_in_transformers() {
    for case in cases() {
        let (clean, corrupted) = (case.look(&case.clean, vec![]), case.look(&case.corrupted, vec![]));
        let (last, layer) = (clean.n_positions() - 1, clean.layers.len() - 1);
        let all = |part, change| vec![Edit { part, positions: Positions::All, change }];
        let rows = [&corrupted, &clean].map(|of| of.layers[0].resid_post.row(last));
        let towards = rows[0].iter().zip(rows[1]).map(|(to, from)| to - from).collect();
        let added = Change::Add { direction: towards, strength: 1.5 };
        let ends = [&case.clean[..6], &case.corrupted[..5]].map(Arc::from);
        let between = direction(&*case.model, 1, ends, &|| false).unwrap();
        let of_four = between.iter().step_by(4).zip(array(&case.golden["difference"]));
        assert_eq!(array(&case.golden["difference"]).len(), between.len().div_ceil(4));
        of_four.for_each(|(got, want)| case.near("difference of two texts", f64::from(*got), want, TOLERANCE));
        let everywhere = Change::Add { direction: between, strength: 0.5 };
        for (key, edits) in [
            ("none", vec![]),
            ("head_off", all(Part::Head { layer, head: 1 }, Change::Scale(0.0))),
            ("head_mean", all(Part::Head { layer, head: 1 }, Change::Mean(5))),
            ("mlp_mean", all(Part::Mlp { layer: 0 }, Change::Mean(5))),
            ("layer_off", all(Part::Layer { layer: 0 }, Change::Scale(0.0))),
            (
                "direction",
                vec![Edit { part: Part::Residual { layer: 0 }, positions: Positions::Only(last), change: added }],
            ),
            ("difference", all(Part::Residual { layer: 1 }, everywhere)),
        ] {
            let logits = case.look(&case.clean, edits).logits;
            let want = array(&case.golden["edits"][key]);
            let every = logits.len() / 32;
            assert_eq!(want.len(), logits.len().div_ceil(every));
            for (got, want) in logits.iter().step_by(every).zip(want) {
                case.near(key, f64::from(*got), want, TOLERANCE);
            }
        }
    }
}

#[test]
fn patching_everything_gives_the_other_run_and_nothing_its_own() {
    for case in cases() {
        let [clean, corrupted] = [&case.clean, &case.corrupted].map(|ids| case.look(ids, vec![]));
        let everything = |of: &Activations| {
            let edits = (0..of.layers.len()).flat_map(|layer| {
                let at = &of.layers[layer];
                let parts = [
                    (Part::Attention { layer }, &at.attn_out),
                    (Part::Mlp { layer }, &at.mlp_out),
                    (Part::Residual { layer }, &at.resid_post),
                ];
                parts.map(|(part, rows): (_, &Matrix)| {
                    let change = Change::ReplaceRows(Arc::new(rows.clone()));
                    Edit { part, positions: Positions::All, change }
                })
            });
            edits.collect::<Vec<_>>()
        };
        let unchanged = |part| Edit { part, positions: Positions::All, change: Change::Scale(1.0) };
        let parts =
            [Part::Head { layer: 0, head: 1 }, Part::Layer { layer: 1 }, Part::Residual { layer: 0 }, Part::Embed];
        let same = |got: &[f32], want: &[f32]| got.iter().zip(want).all(|(a, b)| (a - b).abs() <= TOLERANCE as f32);
        assert!(!same(&clean.logits, &corrupted.logits));
        assert!(same(&case.look(&case.corrupted, everything(&clean)).logits, &clean.logits), "{}", case.name);
        assert!(same(&case.look(&case.corrupted, everything(&corrupted)).logits, &corrupted.logits));
        assert_eq!(case.look(&case.clean, parts.map(unchanged).into()).logits, clean.logits);
    }
}

fn told(result: Result<PatchMap, impl Tell>) -> String {
    result.err().map_or_else(String::new, |error| Words::ENGLISH.render(&error.message()))
}

#[test]
fn texts_that_cannot_be_patched_are_refused() {
    let case = cases().remove(0);
    let ask = |clean: &[TokenId], corrupted: &[TokenId], answers| {
        let (clean, corrupted) = (clean.into(), corrupted.into());
        let question = Patch { clean, corrupted, answers, site: PatchSite::Residual, edits: [].into() };
        patch(&*case.model, question, &|| false, &mut |_| ())
    };
    assert!(told(ask(&[1, 2, 3], &[1, 2], None)).contains("the first has 3 tokens and the second 2"));
    assert!(told(ask(&[1, 2, 3], &[1, 2, 3], None)).contains("the same token"));
    assert!(told(ask(&[1, 2, 3], &[1, 2, 4], Some([5, 5]))).contains("the same token"));
    assert!(ask(&[], &[], None).is_err());
    assert!(ask(&[1, 2, 3], &[1, 2, 4], Some([5, TokenId::MAX])).is_err());
    let same = ask(&[1, 2, 3], &[1, 2, 3], Some([5, 6])).unwrap();
    assert!(same.diffs.iter().flatten().all(|diff| *diff == Some(same.clean_diff)));
}

#[test]
fn a_trace_captures_what_the_step_says() {
    let what = "attention,residual,lens,attribution";
    let args = ["--max-new-tokens", "3", "--seed", "4", "--capture", what, "--layers", "0,5", "--heads", "3,7"];
    let trace = trace("Lily saw a red bird", &args);
    for step in steps(&trace) {
        let capture = &step["capture"];
        let n = array(&capture["tokens"]).len();
        assert_eq!(count(&capture["positions"][0]), n - 1);
        assert_eq!((&capture["layers"], &capture["heads"]), (&serde_json::json!([0, 5]), &serde_json::json!([3, 7])));
        let by_layer = array(&capture["attention"][0]);
        assert_eq!((by_layer.len(), array(&by_layer[1]).len()), (2, 2));
        for head in by_layer.iter().flat_map(array) {
            assert_eq!(array(head).len(), n);
            assert!((array(head).iter().map(number).sum::<f64>() - 1.0).abs() < 1e-5);
        }
        assert_eq!(array(&capture["resid_post"][0]).len(), 2);
        let (prob, rank) = (&capture["lens.target_prob"][0][20], &capture["lens.target_rank"][0][20]);
        assert_eq!(capture["lens.target"][0], step["chosen"]["id"]);
        assert_eq!(rank, &step["chosen"]["rank"]);
        assert!((number(prob) - number(&step["chosen"]["prob"])).abs() < TOLERANCE);
        let numbers = |key: &str| {
            let text = capture[key].to_string().replace(['[', ']'], "");
            text.split(',').map(|number| number.parse::<f64>().unwrap()).sum::<f64>()
        };
        let parts = ["attribution.embed", "attribution.heads", "attribution.attn_biases", "attribution.mlps"];
        let (sum, logit) = (parts.map(numbers).iter().sum::<f64>(), numbers("attribution.logit"));
        assert!((sum - logit).abs() < SUM_TOLERANCE, "{sum} and {logit}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("captured.safetensors");
    let with_file = [&args[..], &["--capture-file", file.to_str().unwrap()]].concat();
    let beside = crate::cli::trace("Lily saw a red bird", &with_file);
    assert!(steps(&beside)[0].get("capture").is_none());
    let tensors = candle_core::safetensors::load(&file, &candle_core::Device::Cpu).unwrap();
    let attention = &tensors["step.2.attention"];
    let printed = &steps(&trace)[2]["capture"]["attention"][0][1][0][4];
    assert_eq!(attention.dims(), [1, 2, 2, array(&steps(&trace)[2]["capture"]["tokens"]).len()]);
    let same = attention.get(0).unwrap().get(1).unwrap().get(0).unwrap().to_vec1::<f32>().unwrap()[4];
    assert_eq!(same, number(printed) as f32);
}

#[test]
fn all_positions_are_captured_where_that_is_asked_for() {
    let args = ["--max-new-tokens", "1", "--capture", "lens,attribution,attention", "--capture-all"];
    let trace = trace("Lily saw a red bird", &args);
    let capture = &steps(&trace)[0]["capture"];
    let n = array(&capture["tokens"]).len();
    for key in ["positions", "attention", "lens.best", "attribution.heads", "attribution.logit"] {
        assert_eq!(array(&capture[key]).len(), n, "{key}");
    }
    // What follows each position is the next token of the text.
    assert_eq!(array(&capture["lens.target"])[..n - 1], array(&capture["tokens"])[1..]);
}

#[test]
fn tables_say_what_the_engine_found() {
    let read = |args: &[&str]| serde_json::from_str::<Value>(&stdout_of(args)).unwrap();
    let json = ["--format", "json", "--device", "cpu"];
    let case = cases().into_iter().find(|case| case.name == "target").unwrap();
    let (clean, corrupted) = ("Lily saw a red bird. The bird was", "Lily saw a big dog. The dog was");
    let of = case.look(&case.clean, vec![]);

    let lens = read(&[&["lens", clean], &json[..]].concat());
    let best = most_probable(&of.logits).unwrap();
    let rows = array(&lens["rows"]);
    assert_eq!((rows.len(), array(&rows[0]["cells"]).len()), (21, of.n_positions()));
    assert_eq!(count(&rows[20]["cells"][of.n_positions() - 1]["best"]["id"]), best as usize);
    assert_eq!(count(&rows[20]["cells"][of.n_positions() - 1]["target_rank"]), 1);

    let [token, against] = case.answers.map(|id| id.to_string());
    let parts = read(&[&["attribute", clean, "--token", &token, "--against", &against], &json[..]].concat());
    assert!((number(&parts["sum"]) - number(&parts["logit"])).abs() < SUM_TOLERANCE);
    case.near("head", number(&parts["heads"][9][0]), &case.golden["attribution"]["heads"][9][0], TOLERANCE);

    let map = read(&[&["patch", clean, corrupted, "--site", "heads"], &json[..]].concat());
    case.near("patched", number(&map["diffs"][9][0]), &case.golden["patches"]["heads"][9][0], TOLERANCE);
    let text = stdout_of(&["patch", clean, corrupted, "--device", "cpu"]);
    assert!(text.contains("␣red / ␣big") && text.lines().count() == 6 + of.n_positions(), "{text}");

    let message = stderr_of(&["patch", clean, "Lily", "--device", "cpu"]);
    assert!(message.contains("change a text until both have as many") && message.lines().count() == 1, "{message}");
    assert!(stderr_of(&["trace", "a", "--capture", "attention", "--layers", "10"]).contains("the last is 9"));
}
