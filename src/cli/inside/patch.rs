//! `tokenscope patch`: what of one text's run, put into another's, brings the first one's answer back.

use super::{Token, named, tokens};
use crate::cli::CliError;
use crate::cli::args::{BenchFormat, PatchArgs};
use crate::cli::loading::{ProgressLine, load_with_progress};
use crate::cli::printable::lines;
use crate::engine::{LoadRequest, Patch, patch};
use crate::export::json::Model;
use crate::trace::{ModelCard, PatchMap, PatchSite, Vocabulary};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct PatchJson<'a> {
    format: &'static str,
    version: u32,
    model: Model<'a>,
    site: &'static str,
    clean: Vec<Token<'a>>,
    corrupted: Vec<Token<'a>>,
    answers: Vec<Token<'a>>,
    clean_diff: f64,
    corrupted_diff: f64,
    /// By layer and position, or by layer and head.
    diffs: &'a [Vec<Option<f64>>],
    restored: Vec<Vec<Option<f64>>>,
}

pub(in crate::cli) fn run(args: &PatchArgs, request: &LoadRequest) -> Result<(), CliError> {
    let loaded = load_with_progress(request)?;
    let question = Patch {
        clean: tokens(&loaded, &args.clean)?,
        corrupted: tokens(&loaded, &args.corrupted)?,
        answers: args.answers.as_deref().and_then(|ids| ids.try_into().ok()),
        site: args.site.into(),
        edits: [].into(),
    };
    let mut line = ProgressLine::new();
    let mut show = |map: &PatchMap| {
        let (n_done, n_places) = map.progress();
        line.show(&format!("{n_done} of {n_places} places"));
    };
    let map = patch(&*loaded.model, question, &|| false, &mut show)?;
    line.clear();
    let (card, vocabulary) = (&*loaded.public.card, &*loaded.public.vocabulary);
    let mut out = lines();
    match args.format {
        BenchFormat::Json => {
            let columns = |layer: usize| 0..map.diffs[layer].len();
            let restored = (0..map.diffs.len())
                .map(|layer| columns(layer).map(|column| map.restored(layer, column)).collect())
                .collect();
            let json = PatchJson {
                format: "tokenscope-patch",
                version: 1,
                model: Model::from(card),
                site: map.site.into(),
                clean: Token::all(vocabulary, &map.clean),
                corrupted: Token::all(vocabulary, &map.corrupted),
                answers: Token::all(vocabulary, &map.answers),
                clean_diff: map.clean_diff,
                corrupted_diff: map.corrupted_diff,
                diffs: &map.diffs,
                restored,
            };
            serde_json::to_writer(&mut out, &json)?;
            writeln!(out)?;
        }
        BenchFormat::Text => text(&mut out, &map, card, vocabulary)?,
    }
    out.flush()?;
    Ok(())
}

/// A row for each position or head, a column for each layer.
fn text(out: &mut dyn Write, map: &PatchMap, card: &ModelCard, vocabulary: &Vocabulary) -> io::Result<()> {
    writeln!(out, "model     {}", Model::from(card).summary())?;
    let [first, second] = map.answers.map(|id| named(vocabulary, id));
    writeln!(out, "logit of {first} less that of {second}")?;
    writeln!(out, "clean     {:.3}", map.clean_diff)?;
    writeln!(out, "corrupted {:.3}", map.corrupted_diff)?;
    writeln!(out, "how much of the difference comes back, in percent, with the clean run's numbers in one place")?;
    write!(out, "{:24}", "")?;
    (0..map.diffs.len()).try_for_each(|layer| write!(out, " {:>6}", format!("L{layer}")))?;
    writeln!(out)?;
    for column in 0..map.diffs.first().map_or(0, Vec::len) {
        let name = match map.site {
            PatchSite::Heads => format!("H{column}"),
            _ => match [map.clean[column], map.corrupted[column]] {
                [a, b] if a == b => vocabulary.display(a),
                [a, b] => format!("{} / {}", vocabulary.display(a), vocabulary.display(b)),
            },
        };
        write!(out, "{name:24}")?;
        for layer in 0..map.diffs.len() {
            match map.restored(layer, column) {
                // What is rounded to nothing has no sign.
                Some(share) => write!(out, " {:>6.1}", (share * 1000.0).round() / 10.0 + 0.0)?,
                None => write!(out, " {:>6}", "-")?,
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
