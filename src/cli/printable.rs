//! Names and texts on a terminal: what would command it is written out instead.

use super::args::Format;
use std::io::{self, BufWriter, IsTerminal as _, Write};

/// The text with control characters, and those that turn the direction of writing, in the form `\u001b`.
pub(super) fn printable(text: &str) -> String {
    use std::fmt::Write as _;
    let turns =
        |c| matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || turns(c) {
            let _infallible = write!(out, "\\u{:04x}", c as u32);
        } else {
            out.push(c);
        }
    }
    out
}

/// Writes lines of [`printable`] text. JSON means the same as before: the form is its own.
pub(super) struct PrintableLines<W>(W);

impl<W: Write> Write for PrintableLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) {
            self.0.write_all(bytes)?;
            return Ok(bytes.len());
        }
        for line in String::from_utf8_lossy(bytes).split_inclusive('\n') {
            let text = line.strip_suffix("\r\n").or_else(|| line.strip_suffix('\n')).unwrap_or(line);
            self.0.write_all(printable(text).as_bytes())?;
            self.0.write_all(&line.as_bytes()[text.len()..])?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Standard output for text and JSON.
pub(super) fn lines() -> PrintableLines<impl Write> {
    PrintableLines(BufWriter::with_capacity(1 << 16, io::stdout().lock()))
}

/// Standard output for this form.
pub(super) fn output(format: Format) -> Box<dyn Write> {
    // CSV has no form for a character: other programs get it as it is.
    if format == Format::Csv && !io::stdout().is_terminal() {
        return Box::new(lines().0);
    }
    Box::new(lines())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_commands_the_terminal() {
        for (text, expected) in [
            ("a\u{1b}[31mb", "a\\u001b[31mb"),
            ("\u{9b}\u{7f}\r\n", "\\u009b\\u007f\\u000d\\u000a"),
            ("\u{202e}gpj.exe", "\\u202egpj.exe"),
            ("Zoë 🎈 日本", "Zoë 🎈 日本"),
        ] {
            assert_eq!(printable(text), expected);
        }
    }

    #[test]
    fn lines_stay_lines_and_json_means_the_same() {
        let mut out = PrintableLines(Vec::new());
        let (a, b) = ("\u{1b}ë", "\r");
        write!(out, "a{a}\nb{b}\r\n").unwrap();
        assert_eq!(String::from_utf8(out.0).unwrap(), "a\\u001bë\nb\\u000d\r\n");
        let text = "\u{0}\u{1b}\u{7f}\u{9b}\u{202e}\"\\é";
        let mut out = PrintableLines(Vec::new());
        serde_json::to_writer(&mut out, text).unwrap();
        assert!(!out.0.contains(&0x7f) && serde_json::from_slice::<String>(&out.0).unwrap() == text);
    }
}
