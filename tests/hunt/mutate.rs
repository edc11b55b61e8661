//! Changes an input at random: bytes, numbers, pieces taken out, doubled, or put in from another one.

use rand::RngExt as _;
use rand::rngs::ChaCha8Rng;

/// What parsers stumble over.
const PIECES: [&str; 24] = [
    "0",
    "-1",
    "1e999",
    "-0.0",
    "18446744073709551616",
    "9007199254740993",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    "NaN",
    "[[[[[[[[[[[[[[[[",
    "{\"a\":{\"a\":{\"a\":",
    "\u{0}",
    "\u{1b}[31m",
    "\u{202e}",
    "é",
    "🎈",
    "+++",
    "```",
    "%00",
    "&=",
    "\n\n\n",
];
/// An input never grows beyond this many bytes.
const LONGEST: usize = 1 << 20;

/// One of the inputs, changed in one to eight places.
pub fn changed(inputs: &[&[u8]], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = inputs[rng.random_range(0..inputs.len())].to_vec();
    for _ in 0..rng.random_range(1..=8) {
        let at = rng.random_range(0..=bytes.len());
        let end = (at + rng.random_range(0..64)).min(bytes.len());
        match rng.random_range(0..9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << rng.random_range(0..8),
            1 if at < bytes.len() => bytes[at] = rng.random(),
            2 => drop(bytes.drain(at..end)),
            3 => bytes.truncate(at),
            4 => {
                let piece = bytes[at..end].repeat(1 << rng.random_range(0..8));
                insert(&mut bytes, at, &piece);
            }
            5 => {
                let other = inputs[rng.random_range(0..inputs.len())];
                let start = rng.random_range(0..=other.len());
                insert(&mut bytes, at, &other[start..(start + 256).min(other.len())]);
            }
            6 => insert(&mut bytes, at, PIECES[rng.random_range(0..PIECES.len())].as_bytes()),
            _ => replace_number(&mut bytes, at, PIECES[rng.random_range(0..6)]),
        }
    }
    bytes
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    if bytes.len() + piece.len() <= LONGEST {
        drop(bytes.splice(at..at, piece.iter().copied()));
    }
}

/// Puts a number in the place of the next one.
fn replace_number(bytes: &mut Vec<u8>, at: usize, number: &str) {
    let digit = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = bytes[at..].iter().position(digit).map(|n| at + n) else { return };
    let end = bytes[start..].iter().position(|byte| !digit(byte)).map_or(bytes.len(), |n| start + n);
    drop(bytes.splice(start..end, number.bytes()));
}
