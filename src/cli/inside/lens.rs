//! `tokenscope lens`: what the model would say in each layer.

use super::{Token, named, read};
use crate::cli::CliError;
use crate::cli::args::{BenchFormat, LensArgs};
use crate::cli::loading::load_with_progress;
use crate::cli::printable::lines;
use crate::engine::{LoadRequest, lens, most_probable};
use crate::export::json::Model;
use crate::export::table::percent;
use crate::trace::{Lens, LensCell, LensRow, ModelCard, Vocabulary};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct LensJson<'a> {
    format: &'static str,
    version: u32,
    model: Model<'a>,
    tokens: Vec<Token<'a>>,
    /// What is asked about after each position.
    targets: Vec<Token<'a>>,
    /// The first position that has a column.
    first: usize,
    rows: Vec<RowJson<'a>>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    at: &'static str,
    layer: Option<usize>,
    cells: Vec<CellJson<'a>>,
}

#[derive(Serialize)]
struct CellJson<'a> {
    best: Token<'a>,
    best_prob: f64,
    entropy_bits: f64,
    target_prob: f64,
    target_rank: u32,
    target_logit: f64,
}

pub(in crate::cli) fn run(args: &LensArgs, request: &LoadRequest) -> Result<(), CliError> {
    let loaded = load_with_progress(request)?;
    let look = read(&loaded, &args.prompt)?;
    let target = args.token.map_or_else(|| most_probable(&look.logits), Ok)?;
    let lens = lens(&*loaded.model, &look, look.kept(), target, &|| false)?;
    let (card, vocabulary) = (&*loaded.public.card, &*loaded.public.vocabulary);
    let mut out = lines();
    match args.format {
        BenchFormat::Json => {
            let rows = LensRow::all(look.layers.len()).zip(&lens.rows);
            let json = LensJson {
                format: "tokenscope-lens",
                version: 1,
                model: Model::from(card),
                tokens: Token::all(vocabulary, &look.ids),
                targets: Token::all(vocabulary, &lens.targets),
                first: lens.first,
                rows: rows.map(|(row, cells)| row_json(row, cells, vocabulary)).collect(),
            };
            serde_json::to_writer(&mut out, &json)?;
            writeln!(out)?;
        }
        BenchFormat::Text => text(&mut out, &lens, card, vocabulary)?,
    }
    out.flush()?;
    Ok(())
}

fn row_json<'a>(row: LensRow, cells: &[LensCell], vocabulary: &'a Vocabulary) -> RowJson<'a> {
    let (at, layer) = match row {
        LensRow::Embed => ("embed", None),
        LensRow::Mid(layer) => ("resid_mid", Some(layer)),
        LensRow::Post(layer) => ("resid_post", Some(layer)),
    };
    let cells = cells.iter().map(|cell| CellJson {
        best: Token::of(vocabulary, cell.best),
        best_prob: cell.best_prob,
        entropy_bits: cell.entropy,
        target_prob: cell.target_prob,
        target_rank: cell.target_rank,
        target_logit: cell.target_logit,
    });
    RowJson { at, layer, cells: cells.collect() }
}

/// The last position.
fn text(out: &mut dyn Write, lens: &Lens, card: &ModelCard, vocabulary: &Vocabulary) -> io::Result<()> {
    writeln!(out, "model     {}", Model::from(card).summary())?;
    let Some(target) = lens.targets.last() else { return Ok(()) };
    writeln!(out, "after the last token; the target is {}", named(vocabulary, *target))?;
    writeln!(
        out,
        "{:18} {:16} {:>9} {:>8} {:>11} {:>11}",
        "residual stream", "best", "prob", "entropy", "target prob", "target rank"
    )?;
    for (row, cells) in LensRow::all(card.n_layers).zip(&lens.rows) {
        let row = match row {
            LensRow::Embed => "embedding".to_owned(),
            LensRow::Mid(layer) => format!("L{layer} attention"),
            LensRow::Post(layer) => format!("L{layer} MLP"),
        };
        let Some(cell) = cells.last() else { continue };
        let (best, prob, target) = (vocabulary.display(cell.best), percent(cell.best_prob), percent(cell.target_prob));
        let (entropy, rank) = (cell.entropy, cell.target_rank);
        writeln!(out, "{row:18} {best:16} {prob:>9} {entropy:>8.2} {target:>11} {rank:>11}")?;
    }
    Ok(())
}
