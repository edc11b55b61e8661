//! Steps that were made with a changed model, written and read.

use super::*;
use crate::export::{StepFormat, steps};
use crate::trace::{Change, Edit, Matrix, Part, Positions, StepRecord};

/// The branch at step 2 goes on under some changes, and another one under none before its first step.
fn changed() -> Recording {
    let mut whole = recording();
    let card = &whole.model.card;
    let hidden: Arc<[f32]> = (0..card.hidden_size).map(|n| 0.1 * n as f32 - 1.0 / 3.0).collect();
    let rows = Matrix { width: card.head_dim, data: vec![0.1; 3 * card.head_dim] };
    let edits: Arc<[Edit]> = [
        (Part::Head { layer: 1, head: 1 }, Positions::All, Change::Scale(0.0)),
        (Part::Mlp { layer: 0 }, Positions::From(2), Change::Mean(3)),
        (Part::Attention { layer: 0 }, Positions::All, Change::Scale(-0.7)),
        (Part::Layer { layer: 1 }, Positions::All, Change::Scale(2.0)),
        (Part::Residual { layer: 0 }, Positions::Only(4), Change::Add { direction: hidden.clone(), strength: 1.5 }),
        (Part::Embed, Positions::All, Change::Replace(hidden)),
        (Part::Head { layer: 0, head: 0 }, Positions::All, Change::ReplaceRows(Arc::new(rows))),
    ]
    .into_iter()
    .map(|(part, positions, change)| Edit { part, positions, change })
    .collect();
    let second = whole.tree.current().id;
    assert!(whole.tree.change(4, Arc::clone(&edits)));
    let last = whole.tree.get(second).unwrap().trace.steps()[4].clone();
    let step = StepRecord { edits: Arc::clone(&edits), ..(*last).clone() };
    whole.tree.current_mut().trace.push(step.into(), PassId(77));
    assert!(whole.tree.change(3, edits[..1].into()));
    whole
}

#[test]
fn changed_steps_come_back_with_their_changes_which_are_written_once() {
    let recording = changed();
    let saved = bytes(&recording);
    let text = text_of(&saved);
    assert_eq!((text.matches("{\"edits\":{").count(), text.matches("{\"changed_step\":{").count()), (2, 1));
    let opened = open_bytes(&saved).unwrap();
    assert_eq!((opened.problems, opened.n_steps, opened.complete), (Vec::new(), 10, true));
    check_same(&recording, &opened.recording);
    let branches =
        |recording: &Recording| recording.tree.branches().iter().map(|branch| branch.edits.clone()).collect::<Vec<_>>();
    assert_eq!(branches(&recording), branches(&opened.recording));
    assert!(saved == bytes(&opened.recording), "other bytes");
    let appended = Appender::begin(Vec::new(), &recording).unwrap().end().unwrap();
    let opened = open_bytes(&appended).unwrap();
    assert!(opened.complete && opened.problems.is_empty());
    check_same(&recording, &opened.recording);
    assert_eq!(branches(&recording), branches(&opened.recording));
    // What is not changed is written as ever.
    assert!(!text_of(&bytes(&super::recording())).contains("edits"));
}

#[test]
fn changes_that_the_model_has_no_place_for_are_left_out_and_told() {
    for (from, to, message) in [
        ("\"head\":{\"layer\":1,\"head\":1}", "\"head\":{\"layer\":2,\"head\":1}", "layer"),
        ("\"head\":{\"layer\":1,\"head\":1}", "\"head\":{\"layer\":1,\"head\":99}", "head"),
        ("{\"only\":4}", "{\"only\":64}", "positions"),
        ("{\"mean\":3}", "{\"mean\":0}", "mean"),
        ("\"direction\":[", "\"direction\":[1,", "change"),
        ("{\"replace_rows\":[", "{\"replace_rows\":[1,", "change"),
        ("{\"scale\":2.0}", "{\"scale\":1e99}", "number"),
        ("\"edits\":1,\"step\"", "\"edits\":9,\"step\"", "missing"),
    ] {
        let file = rewritten(&bytes(&changed()), |line| vec![line.replace(from, to)]);
        let opened = open_bytes(&file).unwrap();
        let told = opened.problems.iter().map(|problem| crate::words::Words::ENGLISH.render(problem));
        let told: Vec<_> = told.collect();
        assert!(told.iter().any(|problem| problem.contains(message)), "{to}: {told:?}");
        assert_eq!(opened.n_steps, 9, "{to}: the step is not shown as if the model had been as it is");
    }
}

#[test]
fn exports_name_the_changes() {
    let mut recording = changed();
    recording.tree.switch(recording.tree.branches()[2].id);
    let text = |format, recording: &Recording| {
        let mut out = Vec::new();
        steps(&mut out, format, recording).unwrap();
        String::from_utf8(out).unwrap()
    };
    let json: serde_json::Value = serde_json::from_str(&text(StepFormat::Json, &recording)).unwrap();
    assert!(json["steps"][3].get("edits").is_none());
    assert_eq!(json["steps"][4]["edits"][0]["part"]["head"]["layer"], 1);
    assert_eq!(json["steps"][4]["edits"][1]["change"]["mean"], 3);
    let csv = text(StepFormat::Csv, &recording);
    assert!(csv.lines().next().unwrap().ends_with(",chosen_id,edits"));
    assert!(csv.lines().nth(1).unwrap().ends_with(','));
    let last = csv.lines().last().unwrap();
    assert!(last.contains(",L1 H1 × 0; L0 MLP = mean of 3 from 2; L0 attention × -0.7; L1 × 2;"), "{last}");
    let plain = text(StepFormat::Csv, &super::recording());
    assert!(plain.lines().next().unwrap().ends_with(",chosen_id"));
}
