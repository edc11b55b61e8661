//! `tokenscope trace --rollouts` and `--beams`: many continuations of the prompt, or the most probable ones.

use super::CliError;
use super::args::{Format, TraceArgs};
use super::printable::output;
use crate::engine::{Loaded, RollOut, RunError, SearchBeams, TokenPath, roll_out, search_beams};
use crate::export::trees::{self, About};
use crate::sampling::{Guide, SamplerSettings};
use crate::trace::Piece;
use std::io::Write as _;

/// Does what was asked for of the two, if any; returns whether it was.
pub(super) fn run(
    args: &TraceArgs,
    loaded: &Loaded,
    settings: &SamplerSettings,
    prompt: &[Piece],
) -> Result<bool, CliError> {
    let Loaded { public, model, trie } = loaded;
    if args.rollouts.is_none() && args.beams.is_none() {
        return Ok(false);
    }
    let (n_tokens, context_length) = (prompt.len(), public.card.context_length);
    if n_tokens > context_length {
        return Err(RunError::PromptTooLong { n_tokens, context_length }.into());
    }
    let prompt_ids: Vec<_> = prompt.iter().map(|piece| piece.id).collect();
    let path = TokenPath { history: prompt_ids.clone(), n_prompt: prompt.len(), ..TokenPath::default() };
    let (len, eos_ids) = (args.max_new_tokens, public.eos_ids.clone());
    let about = About {
        card: &public.card,
        vocabulary: &public.vocabulary,
        prompt: &args.prompt,
        prompt_ids: &prompt_ids,
        eos_ids: &public.eos_ids,
    };
    let cache = model.new_cache().map_err(RunError::from)?;
    if let Some(n) = args.rollouts {
        let request = RollOut { path, n, len, settings: settings.clone(), eos_ids };
        let guide = Guide::new(std::sync::Arc::clone(trie));
        let tree = roll_out(&**model, cache, request, guide, &|| false, &mut |_| ())?;
        let mut out = output(args.format);
        match args.format {
            Format::Json => trees::rollouts_json(&mut out, about, settings, &tree)?,
            Format::Csv => trees::rollouts_csv(&mut out, about, &tree)?,
            Format::Text => trees::rollouts_text(&mut out, about, settings, &tree)?,
        }
        out.flush()?;
        return Ok(true);
    }
    let Some(width) = args.beams else { return Ok(false) };
    let request = SearchBeams { path, width, length_penalty: args.length_penalty, len, eos_ids };
    let search = search_beams(&**model, cache, &request, &|| false, &mut |_| ())?;
    let mut out = output(args.format);
    match args.format {
        Format::Json => trees::beams_json(&mut out, about, &search)?,
        Format::Csv => trees::beams_csv(&mut out, about, &search)?,
        Format::Text => trees::beams_text(&mut out, about, &search)?,
    }
    out.flush()?;
    Ok(true)
}
