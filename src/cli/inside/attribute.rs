//! `tokenscope attribute`: what each part of the model added to a logit, or to the difference of two.

use super::{Token, named, read};
use crate::cli::CliError;
use crate::cli::args::{AttributeArgs, BenchFormat};
use crate::cli::loading::load_with_progress;
use crate::cli::printable::lines;
use crate::engine::{LoadRequest, attribute, most_probable};
use crate::export::json::Model;
use crate::trace::{Attribution, ModelCard, Vocabulary};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct AttributionJson<'a> {
    format: &'static str,
    version: u32,
    model: Model<'a>,
    tokens: Vec<Token<'a>>,
    position: usize,
    token: Token<'a>,
    against: Option<Token<'a>>,
    embed: f64,
    /// By layer and head.
    heads: &'a [Vec<f64>],
    attn_biases: &'a [f64],
    mlps: &'a [f64],
    sum: f64,
    logit: f64,
}

pub(in crate::cli) fn run(args: &AttributeArgs, request: &LoadRequest) -> Result<(), CliError> {
    let loaded = load_with_progress(request)?;
    let look = read(&loaded, &args.prompt)?;
    let token = args.token.map_or_else(|| most_probable(&look.logits), Ok)?;
    let parts = attribute(&*loaded.model, &look, look.n_positions() - 1, (token, args.against), &|| false)?;
    let (card, vocabulary) = (&*loaded.public.card, &*loaded.public.vocabulary);
    let mut out = lines();
    match args.format {
        BenchFormat::Json => {
            let json = AttributionJson {
                format: "tokenscope-attribution",
                version: 1,
                model: Model::from(card),
                tokens: Token::all(vocabulary, &look.ids),
                position: parts.position,
                token: Token::of(vocabulary, token),
                against: args.against.map(|id| Token::of(vocabulary, id)),
                embed: parts.embed,
                heads: &parts.heads,
                attn_biases: &parts.attn_biases,
                mlps: &parts.mlps,
                sum: parts.sum(),
                logit: parts.logit,
            };
            serde_json::to_writer(&mut out, &json)?;
            writeln!(out)?;
        }
        BenchFormat::Text => text(&mut out, &parts, card, vocabulary)?,
    }
    out.flush()?;
    Ok(())
}

fn text(out: &mut dyn Write, parts: &Attribution, card: &ModelCard, vocabulary: &Vocabulary) -> io::Result<()> {
    writeln!(out, "model     {}", Model::from(card).summary())?;
    let token = named(vocabulary, parts.token);
    match parts.against {
        None => writeln!(out, "what each part adds to the logit of {token}, the final norm's scale held fixed")?,
        Some(against) => {
            let against = named(vocabulary, against);
            writeln!(
                out,
                "what each part adds to the logit of {token} less that of {against}, the final norm's scale held fixed"
            )?;
        }
    }
    write!(out, "{:10} {:>9} {:>9}", "", "attention", "MLP")?;
    (0..card.n_heads).try_for_each(|head| write!(out, " {:>7}", format!("H{head}")))?;
    writeln!(out, "\n{:10} {:>9.3}", "embedding", parts.embed)?;
    for (layer, (heads, mlp)) in parts.heads.iter().zip(&parts.mlps).enumerate() {
        write!(out, "{:10} {:>9.3} {mlp:>9.3}", format!("L{layer}"), parts.attention(layer))?;
        heads.iter().try_for_each(|head| write!(out, " {head:>7.3}"))?;
        writeln!(out)?;
    }
    writeln!(out, "{:10} {:>9.3}", "sum", parts.sum())?;
    writeln!(out, "{:10} {:>9.3}", "logit", parts.logit)
}
