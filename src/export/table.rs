//! The trace for reading on a terminal.

use super::capture::Captured;
use super::json::Model;
use super::{End, Head, PrintedCandidates, Printer, grouped};
use crate::message::Message;
use crate::sampling::SamplerSettings;
use crate::trace::{Draw, Edit, Phase, Piece, StageRecord, StepRecord, display_bytes};
use std::io::{self, Write};

/// Columns of a token's text; longer ones push the line to the right.
const TEXT_WIDTH: usize = 16;

/// Writes a block of lines per step.
pub struct TablePrinter {
    n_steps: usize,
    say: fn(&Message) -> String,
}

impl TablePrinter {
    /// `say` puts the stages' formulas into words.
    pub fn new(say: fn(&Message) -> String) -> Self {
        Self { n_steps: 0, say }
    }
}

impl Printer for TablePrinter {
    fn begin(&mut self, out: &mut dyn Write, head: &Head<'_>) -> io::Result<()> {
        writeln!(out, "model     {}", Model::from(head.card).summary())?;
        let seed = head.seed.map_or("seed unknown".to_owned(), |seed| format!("seed {seed}"));
        writeln!(out, "samplers  {}; {seed}", chain_text(head.settings))?;
        let pieces = head.prompt_pieces.iter().map(Piece::display).collect::<Vec<_>>().join("|");
        writeln!(out, "prompt    {}: {pieces}", counted(head.prompt_pieces.len(), "token"))?;
        Ok(())
    }

    fn step(
        &mut self,
        out: &mut dyn Write,
        head: &Head<'_>,
        step: &StepRecord,
        _captured: Option<&Captured>,
    ) -> io::Result<()> {
        self.n_steps += 1;
        let StepRecord { index, edits, forward, kv, sampling, sample_secs, outcome: _, prompt: _ } = step;
        let phase = match forward.phase {
            Phase::Prefill => "prefill",
            Phase::Decode => "decode",
        };
        let fed = counted(forward.input.len(), "token");
        let (from, to) = (forward.positions.start, forward.positions.end);
        let (forward_ms, sample_ms) = (forward.total_secs * 1e3, sample_secs * 1e3);
        writeln!(
            out,
            "\nstep {index}  {phase} of {fed}, positions [{from}, {to}), {forward_ms:.2} ms + {sample_ms:.2} ms"
        )?;
        if !edits.is_empty() {
            writeln!(out, "  ◆ with the model changed: {}", edits_text(edits))?;
        }
        let mut cached = counted(kv.positions_after, "position");
        if kv.forgotten > 0 {
            cached = format!("{cached} behind {} that are forgotten", counted(kv.forgotten, "token"));
        }
        writeln!(
            out,
            "  KV cache {cached}, {} bytes; entropy {:.3} bits",
            grouped(kv.filled_bytes()),
            sampling.raw.entropy_bits
        )?;
        writeln!(
            out,
            "  {:>6}  {:TEXT_WIDTH$} {:>7} {:>10} {:>10} {:>10}",
            "rank", "token", "id", "logit", "prob", "final"
        )?;
        let shown = PrintedCandidates::of(sampling, head.n_top);
        for (candidate, outcome) in shown.iter() {
            let text = head.vocabulary.display(candidate.id);
            let mut what = sampling.dropped_by(outcome).map_or_else(|| percent(outcome.final_prob), |_| "-".to_owned());
            what = format!("{what:>10}");
            if let Some(stage) = sampling.dropped_by(outcome) {
                what = format!("{what}  dropped by {}", stage.key);
            }
            if candidate.id == sampling.chosen_id() {
                what = format!("{what}  <- chosen");
            }
            let (rank, id, logit, prob) = (candidate.rank, candidate.id, candidate.logit, percent(candidate.prob));
            writeln!(out, "  {rank:>6}  {text:TEXT_WIDTH$} {id:>7} {logit:>10.4} {prob:>10} {what}")?;
        }
        if shown.tail.n > 0 {
            let more = format!("{} more", grouped(shown.tail.n as u64));
            writeln!(out, "  {:>6}  {more:TEXT_WIDTH$} {:>7} {:>10} {:>10}", "", "", "", percent(shown.tail.mass))?;
        }
        for stage in &sampling.stages {
            writeln!(out, "  {}", stage_text(stage, self.say))?;
        }
        let chosen = &sampling.chosen;
        let text = head.vocabulary.display(chosen.id);
        let how = match sampling.draw {
            Draw::Forced => "taken in place of a draw".to_owned(),
            Draw::Greedy => "taken without a draw".to_owned(),
            Draw::Coin { u, low, high } => format!("u = {u:.6} in [{low:.6}, {high:.6})"),
        };
        let (prob, final_prob) = (percent(chosen.prob), percent(sampling.chosen_final_prob));
        writeln!(out, "  chosen: {text} (id {}, rank {}, {prob} → {final_prob}), {how}", chosen.id, chosen.rank)?;
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, _head: &Head<'_>, end: &End) -> io::Result<()> {
        let ended = end.stop_reason.map_or_else(|| "not ended".to_owned(), |reason| format!("ended by {reason}"));
        writeln!(out, "\n{ended} after {}", counted(self.n_steps, "step"))?;
        writeln!(out, "text      {}", display_bytes(end.text.as_bytes()).replace('␣', " "))?;
        Ok(())
    }
}

fn stage_text(stage: &StageRecord, say: fn(&Message) -> String) -> String {
    let StageRecord { stage: spec, before, after, mass_kept, numbers: _ } = stage;
    let (n_before, n_after) = (grouped(before.n_candidates as u64), grouped(after.n_candidates as u64));
    let (bits_before, bits_after) = (before.entropy_bits, after.entropy_bits);
    let kept = percent(*mass_kept);
    let formula = stage.formula().map(|formula| format!(" ({})", say(&formula))).unwrap_or_default();
    format!(
        "{spec}{formula}: {n_before} → {n_after} candidates, {kept} kept, entropy {bits_before:.3} → {bits_after:.3} bits"
    )
}

/// What was changed on the way through the model, one change after the other.
pub fn edits_text(edits: &[Edit]) -> String {
    edits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The chain that acts, in its order.
pub fn chain_text(settings: &SamplerSettings) -> String {
    let stages = settings.chain().0.iter().map(ToString::to_string).collect::<Vec<_>>();
    if stages.is_empty() { "none".to_owned() } else { stages.join(" → ") }
}

/// A share of one, in percent.
pub fn percent(share: f64) -> String {
    format!("{:.3} %", share * 100.0)
}

fn counted(n: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(n as u64), if n == 1 { "" } else { "s" })
}
