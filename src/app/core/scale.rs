//! Linear and logarithmic scales for probabilities.

use strum::{EnumIter, EnumString, IntoStaticStr};

/// How a probability becomes a length. Lessons name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Scale {
    /// Length in proportion to the probability.
    #[default]
    Linear,
    /// Each tenth of the length less is a tenth of the probability… down to [`Scale::LOG_FLOOR`].
    Log,
}

impl Scale {
    /// The smallest probability that has a length on the logarithmic scale.
    pub const LOG_FLOOR: f64 = 1e-6;

    /// The length of `prob` as a share of the longest, from 0 to 1.
    pub fn length(self, prob: f64) -> f64 {
        match self {
            Self::Linear => prob.clamp(0.0, 1.0),
            Self::Log if prob <= Self::LOG_FLOOR => 0.0,
            Self::Log => 1.0 - prob.min(1.0).log10() / Self::LOG_FLOOR.log10(),
        }
    }

    /// Where a rank (from 1) stands on an axis of ranks: each power of ten one unit apart, or each rank.
    pub fn rank_position(self, rank: f64) -> f64 {
        match self {
            Self::Linear => rank,
            Self::Log => rank.max(1.0).log10(),
        }
    }

    /// The rank at a position: the inverse of [`Scale::rank_position`].
    pub fn rank_at(self, position: f64) -> f64 {
        match self {
            Self::Linear => position,
            Self::Log => 10f64.powf(position),
        }
    }

    /// The probability at a length: the inverse of [`Scale::length`].
    pub fn prob(self, length: f64) -> f64 {
        match self {
            Self::Linear => length,
            Self::Log => 10f64.powf((1.0 - length) * Self::LOG_FLOOR.log10()),
        }
    }
}

/// The largest whole power of ten that is not above a number, by its exponent.
pub fn decade(value: f64) -> f64 {
    value.log10().floor()
}

/// The least of 1, 2, 5, 10, 20, … that is not below `step`: marks that are easy to read.
pub fn round_step(step: f64) -> f64 {
    let decade = 10f64.powf(decade(step.max(1.0)));
    [1.0, 2.0, 5.0, 10.0].map(|factor| factor * decade).into_iter().find(|round| *round >= step).unwrap_or(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decade_is_a_sixth_of_the_logarithmic_length() {
        assert_eq!(Scale::Linear.length(0.25), 0.25);
        assert_eq!(Scale::Log.length(1.0), 1.0);
        assert!((Scale::Log.length(0.1) - 5.0 / 6.0).abs() < 1e-12);
        assert_eq!(Scale::Log.length(0.0), 0.0);
        assert_eq!(Scale::Log.rank_position(1000.0), 3.0);
        assert!((Scale::Log.rank_at(Scale::Log.rank_position(40.0)) - 40.0).abs() < 1e-12);
        assert!((Scale::Log.prob(Scale::Log.length(0.003)) - 0.003).abs() < 1e-12);
    }

    #[test]
    fn marks_are_round_and_not_closer_than_asked() {
        let steps = [0.25, 1.0, 1.5, 4.9, 5.0, 7.0, 99.0, 250.0].map(round_step);
        assert_eq!(steps, [1.0, 1.0, 2.0, 5.0, 5.0, 10.0, 100.0, 500.0]);
    }
}
