//! `tokenscope trace --score`: how probable each token of the prompt was, as JSON, CSV or text.

use super::CliError;
use super::args::Format;
use super::printable::output;
use crate::export::csv::quoted;
use crate::export::json::{Model, text_in};
use crate::export::table;
use crate::trace::{Candidate, ModelCard, ScoreRecord, TokenId, Vocabulary};
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
struct Score<'a> {
    format: &'static str,
    version: u32,
    model: Model<'a>,
    tokens: Vec<Token<'a>>,
    log_prob: f64,
    perplexity: Option<f64>,
}

/// What the model expected is null for the first token, before which it has read nothing.
#[derive(Serialize)]
struct Token<'a> {
    id: TokenId,
    text: Option<&'a str>,
    logit: Option<f64>,
    prob: Option<f64>,
    log_prob: Option<f64>,
    rank: Option<u32>,
    entropy_bits: Option<f64>,
    best: Option<Best<'a>>,
}

#[derive(Serialize)]
struct Best<'a> {
    id: TokenId,
    text: Option<&'a str>,
    prob: f64,
}

/// Prints the scores in this form.
pub(super) fn print(
    record: &ScoreRecord,
    card: &ModelCard,
    vocabulary: &Vocabulary,
    format: Format,
) -> Result<(), CliError> {
    let mut out = output(format);
    match format {
        Format::Json => {
            serde_json::to_writer(&mut out, &dto(record, card, vocabulary))?;
            writeln!(out)?;
        }
        Format::Csv => csv(&mut out, record, vocabulary)?,
        Format::Text => text(&mut out, record, card, vocabulary)?,
    }
    out.flush()?;
    Ok(())
}

fn dto<'a>(record: &ScoreRecord, card: &'a ModelCard, vocabulary: &'a Vocabulary) -> Score<'a> {
    let best = |best: Candidate| Best { id: best.id, text: text_in(vocabulary, best.id), prob: best.prob };
    let tokens = record.tokens.iter().map(|token| {
        let expected = token.expected.as_ref();
        Token {
            id: token.id,
            text: text_in(vocabulary, token.id),
            logit: expected.map(|expected| expected.token.logit),
            prob: expected.map(|expected| expected.token.prob),
            log_prob: expected.map(|expected| expected.log_prob),
            rank: expected.map(|expected| expected.token.rank),
            entropy_bits: expected.map(|expected| expected.entropy_bits),
            best: expected.map(|expected| best(expected.best[0])),
        }
    });
    Score {
        format: "tokenscope-score",
        version: 1,
        model: Model::from(card),
        tokens: tokens.collect(),
        log_prob: record.log_prob,
        perplexity: record.perplexity,
    }
}

fn csv(out: &mut dyn Write, record: &ScoreRecord, vocabulary: &Vocabulary) -> Result<(), CliError> {
    write!(out, "position,id,text,logit,prob,log_prob,rank,entropy_bits,best_id,best_prob\r\n")?;
    for (position, token) in record.tokens.iter().enumerate() {
        let text = quoted(text_in(vocabulary, token.id).unwrap_or_default());
        write!(out, "{position},{},{text},", token.id)?;
        match &token.expected {
            None => write!(out, ",,,,,,\r\n")?,
            Some(expected) => {
                let (place, best) = (&expected.token, &expected.best[0]);
                write!(out, "{},{},{},{},", place.logit, place.prob, expected.log_prob, place.rank)?;
                write!(out, "{},{},{}\r\n", expected.entropy_bits, best.id, best.prob)?;
            }
        }
    }
    Ok(())
}

fn text(out: &mut dyn Write, record: &ScoreRecord, card: &ModelCard, vocabulary: &Vocabulary) -> Result<(), CliError> {
    writeln!(out, "model     {}", Model::from(card).summary())?;
    writeln!(out, "{:16} {:>10} {:>9} {:>7} {:>8}  best", "token", "prob", "log p", "rank", "entropy")?;
    for token in &*record.tokens {
        let name = vocabulary.display(token.id);
        let Some(expected) = &token.expected else {
            writeln!(out, "{name:16} {:>10}", "-")?;
            continue;
        };
        let (prob, best) = (table::percent(expected.token.prob), vocabulary.display(expected.best[0].id));
        let (log_prob, rank, entropy) = (expected.log_prob, expected.token.rank, expected.entropy_bits);
        writeln!(
            out,
            "{name:16} {prob:>10} {log_prob:>9.3} {rank:>7} {entropy:>8.2}  {best} {}",
            table::percent(expected.best[0].prob)
        )?;
    }
    let perplexity = record.perplexity.map_or("-".to_owned(), |perplexity| format!("{perplexity:.3}"));
    writeln!(out, "log p {:.3}, perplexity {perplexity}", record.log_prob)?;
    Ok(())
}
