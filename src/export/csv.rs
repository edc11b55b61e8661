//! The trace as CSV (RFC 4180): one row per candidate and step.

use super::capture::Captured;
use super::json::text_in;
use super::table::edits_text;
use super::{End, Head, PrintedCandidates, Printer, hex};
use crate::trace::{Phase, StepRecord};
use std::borrow::Cow;
use std::io::{self, Write};

const HEADER: &str = "step,phase,rank,id,text,bytes,logit,prob,final_prob,kept,dropped_by,chosen,chosen_id";

/// Writes a header and rows.
pub struct CsvPrinter;

impl Printer for CsvPrinter {
    fn begin(&mut self, out: &mut dyn Write, head: &Head<'_>) -> io::Result<()> {
        let edits = if head.is_changed { ",edits" } else { "" };
        write!(out, "{HEADER}{edits}\r\n")?;
        Ok(())
    }

    fn step(
        &mut self,
        out: &mut dyn Write,
        head: &Head<'_>,
        step: &StepRecord,
        _captured: Option<&Captured>,
    ) -> io::Result<()> {
        let sampling = &step.sampling;
        let chosen_id = sampling.chosen_id();
        let phase = match step.forward.phase {
            Phase::Prefill => "prefill",
            Phase::Decode => "decode",
        };
        // A column of its own where any step has some.
        let edits = if head.is_changed { format!(",{}", quoted(&edits_text(&step.edits))) } else { String::new() };
        for (candidate, outcome) in PrintedCandidates::of(sampling, head.n_top).iter() {
            let text = quoted(text_in(head.vocabulary, candidate.id).unwrap_or_default());
            let bytes = hex(head.vocabulary.bytes(candidate.id));
            let dropped_by = sampling.dropped_by(outcome).map(|stage| stage.key);
            write!(out, "{},{phase},{},{},{text},{bytes},", step.index, candidate.rank, candidate.id)?;
            write!(out, "{},{},{},", candidate.logit, candidate.prob, outcome.final_prob)?;
            write!(out, "{},{},", dropped_by.is_none(), dropped_by.unwrap_or_default())?;
            write!(out, "{},{chosen_id}{edits}\r\n", candidate.id == chosen_id)?;
        }
        Ok(())
    }

    fn end(&mut self, _out: &mut dyn Write, _head: &Head<'_>, _end: &End) -> io::Result<()> {
        Ok(())
    }
}

/// A field, in quotation marks where it needs them.
pub fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\r', '\n']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn only_what_needs_quotation_marks_gets_them() {
        for plain in ["", " a", "é", "a'b", "\t"] {
            assert_eq!(quoted(plain), plain);
        }
        assert_eq!(quoted(","), "\",\"");
        assert_eq!(quoted("say \"hi\""), "\"say \"\"hi\"\"\"");
        assert_eq!(quoted("\n"), "\"\n\"");
        assert_eq!(quoted("\r"), "\"\r\"");
    }
}
