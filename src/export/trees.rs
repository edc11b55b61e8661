//! Rollouts and beam searches as JSON, CSV and text.

use super::csv::quoted;
use super::json::{Model, Sampler, text_in};
use super::table::{chain_text, percent};
use crate::sampling::SamplerSettings;
use crate::trace::{Beam, BeamSearch, ModelCard, RolloutNode, Rollouts, TokenId, Vocabulary, display_bytes};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct RolloutsDto<'a> {
    format: &'static str,
    version: u32,
    model: Model<'a>,
    prompt: &'a str,
    prompt_ids: &'a [TokenId],
    eos_ids: &'a [TokenId],
    sampler: Sampler,
    seed: u64,
    continuations: usize,
    max_tokens: usize,
    tokens_fed: usize,
    nodes: Vec<NodeDto<'a>>,
    paths: Vec<PathDto<'a>>,
}

/// One continuation: its nodes from the first token to the last.
#[derive(Serialize)]
struct PathDto<'a> {
    seed: u64,
    nodes: Vec<usize>,
    /// Of each of its tokens.
    final_probs: &'a [f64],
}

#[derive(Serialize)]
struct NodeDto<'a> {
    parent: Option<usize>,
    depth: usize,
    id: TokenId,
    text: Option<&'a str>,
    prob: f64,
    /// How many continuations go through it.
    continuations: usize,
    ends: bool,
}

#[derive(Serialize)]
struct BeamsDto<'a> {
    format: &'static str,
    version: u32,
    model: Model<'a>,
    prompt: &'a str,
    prompt_ids: &'a [TokenId],
    eos_ids: &'a [TokenId],
    beams: usize,
    length_penalty: f64,
    max_tokens: usize,
    steps: Vec<BeamStepDto<'a>>,
    finished: Vec<FinishedDto>,
}

#[derive(Serialize)]
struct BeamStepDto<'a> {
    kept: Vec<BeamDto<'a>>,
    finished: Vec<BeamDto<'a>>,
    dropped: Vec<BeamDto<'a>>,
}

#[derive(Serialize)]
struct BeamDto<'a> {
    parent: usize,
    id: TokenId,
    text: Option<&'a str>,
    prob: f64,
    log_prob: f64,
}

#[derive(Serialize)]
struct FinishedDto {
    ids: Vec<TokenId>,
    text: String,
    log_prob: f64,
    score: f64,
}

#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    pub card: &'a ModelCard,
    /// Every token's bytes.
    pub vocabulary: &'a Vocabulary,
    /// The prompt as typed.
    pub prompt: &'a str,
    /// Its tokens.
    pub prompt_ids: &'a [TokenId],
    /// The tokens that end a text.
    pub eos_ids: &'a [TokenId],
}

impl About<'_> {
    fn text(&self, ids: &[TokenId]) -> String {
        let bytes: Vec<u8> = ids.iter().flat_map(|id| self.vocabulary.bytes(*id).to_vec()).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Rollouts as one JSON object.
pub fn rollouts_json(
    out: &mut dyn Write,
    about: About<'_>,
    settings: &SamplerSettings,
    tree: &Rollouts,
) -> io::Result<()> {
    let nodes = tree.nodes.iter().map(|node| {
        let &RolloutNode { parent, id, prob, n, depth, ends } = node;
        NodeDto { parent, depth, id, text: text_in(about.vocabulary, id), prob, continuations: n, ends }
    });
    let paths = tree.paths.iter().map(|path| PathDto {
        seed: tree.seed_of(path),
        nodes: path.last.map_or_else(Vec::new, |last| tree.path(last)),
        final_probs: &path.final_probs,
    });
    let dto = RolloutsDto {
        format: "tokenscope-rollouts",
        version: 1,
        model: about.card.into(),
        prompt: about.prompt,
        prompt_ids: about.prompt_ids,
        eos_ids: about.eos_ids,
        sampler: Sampler::of(settings, Some(settings.seed)),
        seed: tree.seed,
        continuations: tree.n,
        max_tokens: tree.len,
        tokens_fed: tree.n_fed,
        nodes: nodes.collect(),
        paths: paths.collect(),
    };
    serde_json::to_writer(&mut *out, &dto)?;
    writeln!(out)
}

/// Rollouts as CSV: one row per node.
pub fn rollouts_csv(out: &mut dyn Write, about: About<'_>, tree: &Rollouts) -> io::Result<()> {
    write!(out, "node,parent,depth,id,text,prob,continuations,ends\r\n")?;
    for (number, node) in tree.nodes.iter().enumerate() {
        let parent = node.parent.map(|parent| parent.to_string()).unwrap_or_default();
        let text = quoted(text_in(about.vocabulary, node.id).unwrap_or_default());
        let RolloutNode { depth, id, prob, n, ends, .. } = node;
        write!(out, "{number},{parent},{depth},{id},{text},{prob},{n},{ends}\r\n")?;
    }
    Ok(())
}

/// Rollouts for reading: what several have in common once, each further in.
pub fn rollouts_text(
    out: &mut dyn Write,
    about: About<'_>,
    settings: &SamplerSettings,
    tree: &Rollouts,
) -> io::Result<()> {
    writeln!(out, "model     {}", Model::from(about.card).summary())?;
    writeln!(out, "samplers  {}", chain_text(settings))?;
    let n_tokens: usize = tree.nodes.iter().map(|node| node.n).sum();
    let Rollouts { n, len, seed, n_fed, .. } = tree;
    writeln!(out, "{n} continuations of at most {len} tokens, seed {seed} and on: {n_tokens} drawn, {n_fed} fed")?;
    writeln!(out, "behind each text: how probable the model holds it after what stands before")?;
    for (number, node) in tree.nodes.iter().enumerate() {
        let before = node.parent.map(|parent| tree.nodes[parent].n);
        // A token that all of the line before go through stands in that line.
        if before != Some(node.n) {
            let (n, (ids, prob)) = (node.n, run(tree, number));
            let text = display_bytes(about.text(&ids).as_bytes()).replace('␣', " ");
            let indent = "  ".repeat(node.depth.min(40));
            writeln!(out, "{n:>4}×  {indent}{text}  {}", percent(prob))?;
        }
    }
    Ok(())
}

/// The tokens from this node on as long as no continuation parts, and the product of their probabilities.
fn run(tree: &Rollouts, start: usize) -> (Vec<TokenId>, f64) {
    let RolloutNode { id, prob, .. } = tree.nodes[start];
    let (mut ids, mut prob, mut last) = (vec![id], prob, start);
    // The only child of a node stands right behind it.
    while let Some(next) =
        tree.nodes.get(last + 1).filter(|next| next.parent == Some(last) && next.n == tree.nodes[last].n)
    {
        ids.push(next.id);
        prob *= next.prob;
        last += 1;
    }
    (ids, prob)
}

/// A beam search as one JSON object.
pub fn beams_json(out: &mut dyn Write, about: About<'_>, search: &BeamSearch) -> io::Result<()> {
    let beams = |beams: &[Beam]| {
        let all = beams.iter().map(|&Beam { parent, id, prob, log_prob }| BeamDto {
            parent,
            id,
            text: text_in(about.vocabulary, id),
            prob,
            log_prob,
        });
        all.collect::<Vec<_>>()
    };
    let steps = search.steps.iter().map(|step| BeamStepDto {
        kept: beams(&step.kept),
        finished: beams(&step.finished),
        dropped: beams(&step.dropped),
    });
    let finished = search.finished.iter().map(|beam| FinishedDto {
        ids: beam.ids.clone(),
        text: about.text(&beam.ids),
        log_prob: beam.log_prob,
        score: beam.score,
    });
    let dto = BeamsDto {
        format: "tokenscope-beams",
        version: 1,
        model: about.card.into(),
        prompt: about.prompt,
        prompt_ids: about.prompt_ids,
        eos_ids: about.eos_ids,
        beams: search.width,
        length_penalty: search.length_penalty,
        max_tokens: search.len,
        steps: steps.collect(),
        finished: finished.collect(),
    };
    serde_json::to_writer(&mut *out, &dto)?;
    writeln!(out)
}

/// A beam search as CSV: one row per beam and step.
pub fn beams_csv(out: &mut dyn Write, about: About<'_>, search: &BeamSearch) -> io::Result<()> {
    write!(out, "step,fate,parent,id,text,prob,log_prob\r\n")?;
    for (number, step) in search.steps.iter().enumerate() {
        for (fate, beams) in [("kept", &step.kept), ("finished", &step.finished), ("dropped", &step.dropped)] {
            for Beam { parent, id, prob, log_prob } in beams {
                let text = quoted(text_in(about.vocabulary, *id).unwrap_or_default());
                write!(out, "{number},{fate},{parent},{id},{text},{prob},{log_prob}\r\n")?;
            }
        }
    }
    Ok(())
}

/// A beam search for reading.
pub fn beams_text(out: &mut dyn Write, about: About<'_>, search: &BeamSearch) -> io::Result<()> {
    let shown = |ids: &[TokenId]| display_bytes(about.text(ids).as_bytes()).replace('␣', " ");
    writeln!(out, "model     {}", Model::from(about.card).summary())?;
    writeln!(out, "{} beams, length penalty {}", search.width, search.length_penalty)?;
    for (number, step) in search.steps.iter().enumerate() {
        writeln!(out, "\ntoken {}", number + 1)?;
        for (fate, beams) in [("kept", &step.kept), ("finished", &step.finished), ("dropped", &step.dropped)] {
            for beam in beams {
                let text = shown(&search.ids(number, beam));
                writeln!(out, "  {fate:<9} {:>9.4}  {:>10}  {text}", beam.log_prob, percent(beam.prob))?;
            }
        }
    }
    writeln!(out, "\n{:>9}  {:>9}  finished", "score", "log p")?;
    for beam in &search.finished {
        writeln!(out, "{:>9.4}  {:>9.4}  {}", beam.score, beam.log_prob, shown(&beam.ids))?;
    }
    Ok(())
}
