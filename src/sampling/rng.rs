//! The seeded coin: the only randomness of the program.
//!
//! ChaCha with 8 rounds (Bernstein 2008), whose key stream is a published function: it stays the same in every
//! version of this program and of its libraries, so a seed written on a blackboard makes the same text next year.

use crate::trace::{Draw, SamplingRecord};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};

/// The random number in [0, 1) of step `index` (from 0) of a generation with this seed.
///
/// The key is the seed in little-endian order followed by zeros; coin `n` is made of the 32-bit words 2n and 2n + 1 of
/// the key stream, the second being the more significant, of which the upper 53 bits become the number.
pub fn coin(seed: u64, index: u64) -> f64 {
    coin_of(seed, 0, index)
}

/// The random number by which XTC decides at step `index`: the same from the key stream with nonce 1.
pub fn xtc_coin(seed: u64, index: u64) -> f64 {
    coin_of(seed, 1, index)
}

/// The random numbers of many draws from one step: the same from the key stream with nonce 2.
pub(super) fn many_coin(seed: u64, index: u64) -> f64 {
    coin_of(seed, 2, index)
}

fn coin_of(seed: u64, nonce: u64, index: u64) -> f64 {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut stream = ChaCha8Rng::from_seed(key);
    stream.set_stream(nonce);
    stream.set_word_pos(u128::from(index) * 2);
    let bits: u64 = stream.random();
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// Whether this seed gives the random numbers that a step was drawn with, those of XTC too; a step without any tells
/// nothing against it.
pub fn is_of_seed(record: &SamplingRecord, seed: u64, index: u64) -> bool {
    let same_draw = match record.draw {
        Draw::Greedy | Draw::Forced => true,
        Draw::Coin { u, .. } => u == coin(seed, index),
    };
    // XTC decides by a coin of its own, whoever picks the token then.
    let mut xtc_coins = record.stages.iter().filter_map(|stage| stage.number("coin"));
    same_draw && xtc_coins.all(|number| number == xtc_coin(seed, index))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ChaCha8 written down once more, from the description in RFC 8439 with 8 rounds and a 64-bit counter.
    fn block(key: &[u32; 8], counter: u64, nonce: u64) -> [u32; 16] {
        let mut start = [0u32; 16];
        start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
        start[4..12].copy_from_slice(key);
        (start[12], start[13]) = (counter as u32, (counter >> 32) as u32);
        (start[14], start[15]) = (nonce as u32, (nonce >> 32) as u32);
        let mut x = start;
        let quarter = |x: &mut [u32; 16], [a, b, c, d]: [usize; 4]| {
            for (sum, other, turn, bits) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
                x[sum] = x[sum].wrapping_add(x[other]);
                x[turn] = (x[turn] ^ x[sum]).rotate_left(bits);
            }
        };
        for _ in 0..4 {
            for column in 0..4 {
                quarter(&mut x, [column, 4 + column, 8 + column, 12 + column]);
            }
            for diagonal in 0..4 {
                quarter(&mut x, [diagonal, 4 + (diagonal + 1) % 4, 8 + (diagonal + 2) % 4, 12 + (diagonal + 3) % 4]);
            }
        }
        std::array::from_fn(|idx| x[idx].wrapping_add(start[idx]))
    }

    #[test]
    fn coins_are_the_published_key_stream() {
        for seed in [0u64, 7, u64::MAX] {
            let key = [seed as u32, (seed >> 32) as u32, 0, 0, 0, 0, 0, 0];
            for index in [0u64, 1, 7, 8, 9, 1000] {
                for (nonce, coin) in [(0, coin(seed, index)), (1, xtc_coin(seed, index))] {
                    let words = block(&key, index * 2 / 16, nonce);
                    let at = (index * 2 % 16) as usize;
                    let bits = u64::from(words[at]) | u64::from(words[at + 1]) << 32;
                    assert_eq!(coin, (bits >> 11) as f64 * 2f64.powi(-53), "seed {seed}, nonce {nonce}, coin {index}");
                }
            }
        }
    }

    #[test]
    fn coins_never_change() {
        // Computed from the definition in another language. The first of seed 0 is 0xd6405f892fef003e / 2^64: the start of
        // the key stream 3e 00 ef 2f 89 5f 40 d6 … that eSTREAM's test vectors give for ChaCha8 with the zero key.
        let first = |seed| [0, 1, 2, 3].map(|index| coin(seed, index));
        let of_seed_0 =
            [0.836_919_756_882_647_2, 0.631_424_494_066_523_1, 0.232_415_843_466_748_48, 0.117_591_019_611_499_43];
        let of_seed_7 =
            [0.764_109_042_047_738, 0.465_937_615_119_960_9, 0.005_674_514_325_306_634, 0.301_373_697_830_975_8];
        assert_eq!(first(0), of_seed_0);
        assert_eq!(first(7), of_seed_7);
    }
}
