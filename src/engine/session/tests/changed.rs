//! Going on with a changed model, on the bundled target and four fixtures, against transformers; and what a KV cache and
//! other work keep of it. `tests/reference/README.md` says how the numbers were made.

use super::{limits, toy};
use crate::engine::jobs::{RollOut, look, roll_out};
use crate::engine::{Session, TokenPath};
use crate::model::{
    Access, Activation, BlockSite, Cancelled, CheckpointRequest, DTypeChoice, DeviceChoice, LanguageModel, Probe, Site,
    Want, WeightSource, load,
};
use crate::sampling::{Detail, Guide, SamplerSettings, Stage, TokenTrie};
use crate::trace::{Change, Edit, Outcome, Part, Positions, StepRecord, TokenId, Vocabulary};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// The largest difference allowed, in f32 on the CPU.
const TOLERANCE: f32 = 1e-4;

#[derive(Deserialize)]
struct Golden {
    clean: Vec<TokenId>,
    corrupted: Vec<TokenId>,
    continuations: HashMap<String, Continuation>,
}

#[derive(Deserialize)]
struct Continuation {
    ids: Vec<TokenId>,
    logits: Vec<Vec<f32>>,
}

fn goldens() -> BTreeMap<String, Golden> {
    serde_json::from_str(&std::fs::read_to_string("tests/golden/inside.json").unwrap()).unwrap()
}

fn model(name: &str) -> Box<dyn LanguageModel> {
    let folder = if name == "target" { "assets/model" } else { "tests/golden/fixtures" };
    let folder = Path::new(folder).join(name);
    let request = CheckpointRequest {
        config_json: &std::fs::read_to_string(folder.join("config.json")).unwrap(),
        weights: WeightSource::Files(vec![folder.join("model.safetensors")]),
        device: DeviceChoice::Cpu,
        dtype: DTypeChoice::F32,
        id: name.to_owned(),
    };
    load(request, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn greedy() -> SamplerSettings {
    SamplerSettings::of([Stage::greedy()])
}

/// The changes of the reference by name.
fn all_edits(model: &dyn LanguageModel, golden: &Golden) -> Vec<(&'static str, Arc<[Edit]>)> {
    let all = |part, change| Edit { part, positions: Positions::All, change };
    let last = model.card().n_layers - 1;
    let residual = |ids: &[TokenId]| {
        let of = look(model, ids.into(), [].into(), &|| false).unwrap();
        of.layers[0].resid_post.row(ids.len() - 1).to_vec()
    };
    let (from, to) = (residual(&golden.clean), residual(&golden.corrupted));
    let direction = to.iter().zip(&from).map(|(to, from)| to - from).collect();
    let off = |layer| all(Part::Head { layer, head: 1 }, Change::Scale(0.0));
    vec![
        ("none", [].into()),
        ("head_off", [off(last), off(0)].into()),
        ("layer_scaled", [all(Part::Layer { layer: 0 }, Change::Scale(0.5))].into()),
        ("direction", [all(Part::Residual { layer: 0 }, Change::Add { direction, strength: 4.0 })].into()),
        ("mlp_mean", [all(Part::Mlp { layer: 0 }, Change::Mean(golden.clean.len()))].into()),
    ]
}

fn path(history: &[TokenId], n_prompt: usize, edits: &Arc<[Edit]>) -> TokenPath {
    TokenPath { history: history.to_vec(), n_prompt, edits: Arc::clone(edits), mu: None }
}

#[track_caller]
fn near(what: &str, got: &[f32], want: &[f32]) {
    assert_eq!(got.len(), want.len());
    let most = got.iter().zip(want).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(most <= TOLERANCE, "{what}: {most}");
}

#[test]
fn a_changed_continuation_is_as_in_transformers_and_each_step_is_its_look() {
    for (name, golden) in goldens() {
        let model = model(&name);
        let n_prompt = golden.clean.len();
        let mut before: Option<Session> = None;
        for (key, edits) in all_edits(&*model, &golden) {
            let want = &golden.continuations[key];
            let what = format!("{name}, {key}");
            let path = path(&golden.clean, n_prompt, &edits);
            // What was fed under other changes, and how it was changed, has no part in it.
            let mut session = Session::resume(&*model, before.as_ref(), path, limits(99, &[])).unwrap();
            for (index, (id, logits)) in want.ids.iter().zip(&want.logits).enumerate() {
                let history: Arc<[_]> = session.history.as_slice().into();
                let (step, got) = session.step(&*model, &greedy(), Detail::Head(8), &|| false).unwrap();
                assert_eq!((step.sampling.chosen_id(), &step.edits), (*id, &edits), "{what}, {index}");
                assert_eq!(step.forward.input.len(), if index == 0 { n_prompt } else { 1 }, "{what}");
                assert_eq!(step.prompt.len(), if index == 0 { n_prompt } else { 0 }, "{what}");
                let every = got.len() / 32;
                near(&what, &got.iter().copied().step_by(every).collect::<Vec<_>>(), logits);
                near(&what, &got, &look(&*model, history, Arc::clone(&edits), &|| false).unwrap().logits);
            }
            before = Some(session);
        }
    }
}

/// Steps of a session until it has so many.
fn steps(session: &mut Session, model: &dyn LanguageModel, n: usize) -> Vec<StepRecord> {
    (0..n).map(|_| session.step(model, &greedy(), Detail::Head(8), &|| false).unwrap().0).collect()
}

#[test]
fn steps_with_and_without_changes_replay() {
    for name in ["target", "gqa"] {
        let golden = &goldens()[name];
        let model = model(name);
        let (n_prompt, clean) = (golden.clean.len(), &golden.clean);
        for (key, edits) in all_edits(&*model, golden) {
            let mut plain = Session::resume(&*model, None, path(clean, n_prompt, &[].into()), limits(99, &[])).unwrap();
            let mut made = steps(&mut plain, &*model, 2);
            let changed = path(&plain.history, n_prompt, &edits);
            let mut changed = Session::resume(&*model, Some(&plain), changed, limits(99, &[])).unwrap();
            made.extend(steps(&mut changed, &*model, 3));
            let back = path(&changed.history, n_prompt, &[].into());
            let mut back = Session::resume(&*model, Some(&changed), back, limits(99, &[])).unwrap();
            made.extend(steps(&mut back, &*model, 2));
            assert!(made.iter().all(|step| step.outcome == Outcome::Continue));
            let again = path(clean, n_prompt, &[].into());
            let mut again = Session::resume(&*model, Some(&back), again, limits(99, &[])).unwrap();
            for record in &made {
                let once_more = again.replay(&*model, record, &|| false).unwrap();
                assert_eq!(once_more.drawn, record.sampling.chosen_id(), "{name}, {key}, {}", record.index);
                assert!(once_more.deviation < f64::from(TOLERANCE), "{name}, {key}: {}", once_more.deviation);
            }
        }
    }
}

#[test]
fn rollouts_go_on_with_the_changed_model() {
    let golden = &goldens()["gqa"];
    let model = model("gqa");
    for (key, edits) in all_edits(&*model, golden) {
        let path = path(&golden.clean, golden.clean.len(), &edits);
        let request = RollOut { path, n: 2, len: 6, settings: greedy(), eos_ids: Vec::new() };
        let pieces = (0..model.card().vocab_size).map(|_| ([b'a'], false));
        let guide = Guide::new(Arc::new(TokenTrie::new(Arc::new(Vocabulary::from_pieces(pieces)), Vec::new())));
        let tree = roll_out(&*model, model.new_cache().unwrap(), request, guide, &|| false, &mut |_| ()).unwrap();
        assert_eq!(tree.ids(tree.nodes.len() - 1), golden.continuations[key].ids, "{key}");
    }
}

#[test]
fn a_cache_belongs_to_the_changes_that_it_was_made_under() {
    let model = toy(16);
    let off = |factor| Edit { part: Part::Mlp { layer: 0 }, positions: Positions::All, change: Change::Scale(factor) };
    let ids: Vec<TokenId> = (0..6).collect();
    let mut session = Session::resume(&model, None, path(&ids, 2, &[off(0.0)].into()), limits(9, &[])).unwrap();
    session.step(&model, &greedy(), Detail::Head(8), &|| false).unwrap();
    let n_shared = |edits: Vec<Edit>| session.shared_with(&ids, &edits.into()).len();
    assert_eq!(n_shared(vec![off(0.0)]), 6);
    assert_eq!((n_shared(vec![]), n_shared(vec![off(0.5)]), n_shared(vec![off(0.0), off(0.0)])), (0, 0, 0));
}

/// Notes the numbers of a site.
struct Noted(Vec<f32>);

impl Probe for Noted {
    fn wants(&self, site: Site) -> Access {
        if site == (Site::Block { layer: 0, at: BlockSite::MlpOut }) { Access::Read } else { Access::Skip }
    }

    fn visit(&mut self, _site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        self.0 = value.to_vec().unwrap();
        ControlFlow::Continue(())
    }
}

#[test]
fn a_mean_stays_that_of_the_tokens_that_it_is_over() {
    let model = toy(16);
    let mean = Edit { part: Part::Mlp { layer: 0 }, positions: Positions::From(1), change: Change::Mean(3) };
    let mut intervention = crate::engine::intervention::Intervention::new([mean].into());
    let mut cache = model.new_cache().unwrap();
    let width = model.card().hidden_size;
    let mut fed = |ids: &[TokenId]| {
        let mut noted = Noted(Vec::new());
        intervention.feed(&model, ids, Want::Last, &mut cache, &mut noted).unwrap();
        noted.0.chunks(width).map(<[f32]>::to_vec).collect::<Vec<_>>()
    };
    let first = fed(&[1, 2, 3, 4]);
    assert!(first[0] != first[1] && first[1] == first[2] && first[2] == first[3]);
    assert_eq!(fed(&[5, 6]), [first[1].clone(), first[1].clone()]);
}

#[test]
fn a_change_that_the_model_has_no_place_for_is_refused() {
    let model = toy(16);
    let (n_layers, width) = (model.card().n_layers, model.card().hidden_size);
    let head = |layer, head| Part::Head { layer, head };
    for (part, change) in [
        (head(0, model.card().n_heads), Change::Scale(0.0)),
        (Part::Mlp { layer: n_layers }, Change::Scale(0.0)),
        (Part::Embed, Change::Replace(vec![0.0; width + 1].into())),
        (Part::Residual { layer: 0 }, Change::Add { direction: vec![0.0; width - 1].into(), strength: 1.0 }),
    ] {
        let edits = [Edit { part, positions: Positions::All, change }].into();
        let mut intervention = crate::engine::intervention::Intervention::new(edits);
        let mut cache = model.new_cache().unwrap();
        let told = intervention.feed(&model, &[1, 2], Want::Last, &mut cache, &mut crate::model::NoProbe);
        assert!(matches!(told, Err(crate::model::ModelError::EditDoesNotFit { .. })), "{part}");
    }
}
