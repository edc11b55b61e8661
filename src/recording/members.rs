//! gzip members, each of one line: written whole, read as far as they are sound.

use super::limits::LONGEST_LINE;
use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};
use std::io::{self, BufRead, Read as _, Write};

/// The first byte of every member.
const MAGIC: u8 = 0x1f;

/// The line as a member, newline included.
pub(super) fn member(line: &[u8]) -> io::Result<Vec<u8>> {
    // No time and no system in the header: the same line is always the same bytes.
    let mut encoder = GzBuilder::new().operating_system(255).write(Vec::new(), Compression::fast());
    encoder.write_all(line)?;
    encoder.write_all(b"\n")?;
    encoder.finish()
}

/// Why there is no next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    Clean,
    /// It ends within a member.
    CutOff,
    /// The member is not what was written.
    Damaged,
    /// It is longer than any that was written, or the file unfolds to more than its size can mean.
    TooMuch,
}

/// The next line without its newline.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Result<Vec<u8>, NoLine>> {
    if input.fill_buf()?.is_empty() {
        return Ok(Err(NoLine::Clean));
    }
    let is_gzip = input.fill_buf()?.first() == Some(&MAGIC);
    let mut line = Vec::new();
    match GzDecoder::new(input).take(LONGEST_LINE + 1).read_to_end(&mut line) {
        Ok(_) if line.len() as u64 > LONGEST_LINE => Ok(Err(NoLine::TooMuch)),
        Ok(_) if line.pop() == Some(b'\n') => Ok(Ok(line)),
        Ok(_) => Ok(Err(NoLine::Damaged)),
        Err(_) if !is_gzip => Ok(Err(NoLine::Damaged)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Err(NoLine::CutOff)),
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) => {
            Ok(Err(NoLine::Damaged))
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_back_and_any_cut_or_flipped_bit_is_noticed() {
        let first = member(b"{\"one\":1}").unwrap();
        let file = [first.clone(), member(b"{\"two\":2}").unwrap()].concat();
        let mut input = &file[..];
        assert_eq!(next_line(&mut input).unwrap().unwrap(), b"{\"one\":1}");
        assert_eq!(next_line(&mut input).unwrap().unwrap(), b"{\"two\":2}");
        assert_eq!(next_line(&mut input).unwrap(), Err(NoLine::Clean));
        for len in first.len() + 1..file.len() {
            let mut input = &file[..len];
            next_line(&mut input).unwrap().unwrap();
            assert_eq!(next_line(&mut input).unwrap(), Err(NoLine::CutOff), "{len}");
        }
        // Behind the ten bytes of the header, of which gzip checks only what it needs.
        for bit in 10 * 8..first.len() * 8 {
            let mut changed = first.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            // A bit between the last of the line and the next whole byte means nothing.
            let read = next_line(&mut &changed[..]).unwrap();
            assert!(read.is_err() || read.unwrap() == b"{\"one\":1}", "bit {bit}");
        }
    }
}
