//! `tokenscope show`: a saved session, printed as `trace` prints a generation; no model is needed.

use super::args::{Format, ShowArgs};
use super::printable::output;
use super::{CliError, in_words, say};
use crate::export::{self, Printer, csv, json, table};
use crate::recording::{self, Opened};
use crate::trace::{Branch, BranchId, Tree};
use std::io::Write;

pub(super) fn run(args: &ShowArgs) -> Result<(), CliError> {
    let opened = recording::open(&args.file);
    for place in recording::unfinished(&args.file) {
        say(&format!("note: a run that was to be saved there came to no end; its steps are in {}", place.display()));
    }
    let Opened { mut recording, problems, .. } = opened?;
    for problem in &problems {
        say(&format!("warning: {}", in_words(problem)));
    }
    if let Some(id) = args.branch {
        let tree = &mut recording.tree;
        if tree.get(BranchId(id)).is_none() {
            return Err(CliError::NoSuchBranch { id, there: ids(tree) });
        }
        tree.switch(BranchId(id));
    }
    let n_top = if args.top == 0 { usize::MAX } else { args.top };
    let mut out = output(args.format);
    let mut printer: Box<dyn Printer> = match args.format {
        Format::Json => Box::new(json::JsonPrinter::default()),
        Format::Csv => Box::new(csv::CsvPrinter),
        Format::Text => {
            branches(&mut out, &recording.tree)?;
            Box::new(table::TablePrinter::new(in_words))
        }
    };
    export::print(&mut out, &mut *printer, &recording, n_top)?;
    out.flush()?;
    Ok(())
}

/// One line for each branch, the shown one marked.
fn branches(out: &mut dyn Write, tree: &Tree) -> std::io::Result<()> {
    for branch in tree.in_order() {
        let (Branch { id, parent, parts_at, trace, .. }, name) = (branch, branch.label());
        let mark = if *id == tree.current().id { '>' } else { ' ' };
        let from = parent.map_or_else(String::new, |parent| format!(", parts from {} at step {parts_at}", parent.0));
        let (n_steps, log_prob) = (trace.steps().len(), trace.log_prob());
        writeln!(out, "{mark} branch {}  {name}: {n_steps} steps, log p {log_prob:.3}{from}", id.0)?;
    }
    writeln!(out)
}

fn ids(tree: &Tree) -> String {
    tree.branches().iter().map(|branch| branch.id.0.to_string()).collect::<Vec<_>>().join(", ")
}
