//! The times of a run as one strip: the prefill, then each decoded token, each as wide as its milliseconds.

use super::TimingView;
use std::ops::Range;

/// The prefill, a decoded token, or neighbouring ones that are too short to be told apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimeBlock {
    /// Its steps, from 0; the prefill is step 0 and always alone.
    pub steps: Range<usize>,
    /// Milliseconds of these steps together.
    pub ms: f64,
    /// Its part of the axis, which goes from 0 to 1.
    pub span: Range<f64>,
}

impl TimeBlock {
    fn width(&self) -> f64 {
        self.span.end - self.span.start
    }

    /// Takes in the block that begins where this one ends.
    fn join(&mut self, next: &Self) {
        self.steps.end = next.steps.end;
        self.ms += next.ms;
        self.span.end = next.span.end;
    }
}

/// One time axis from the beginning of a run to its last recorded step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TimeStrip {
    /// From the left to the right, without gaps.
    pub blocks: Vec<TimeBlock>,
    /// Where each step ends on the axis, from 0 to 1.
    ends: Vec<f64>,
    /// Milliseconds of all steps: the end of the axis.
    pub total_ms: f64,
    /// Tokens of the prompt per second of the prefill.
    pub prefill_rate: Option<f64>,
    /// Decoded tokens per second, once there is one.
    pub decode_rate: Option<f64>,
}

impl TimeStrip {
    /// The strip of these times; decoded tokens that are narrower than `narrowest`, a share of the axis, are merged.
    pub fn of(times: &TimingView<'_>, narrowest: f64) -> Self {
        // What a session file says may be less than nothing; no block is.
        let ms: Vec<f64> = times.steps_ms.iter().map(|(forward, sample)| (forward + sample).max(0.0)).collect();
        let total_ms: f64 = ms.iter().sum();
        let measured = total_ms > 0.0 && total_ms.is_finite();
        let mut sum = 0.0;
        let ends: Vec<f64> = ms
            .iter()
            .enumerate()
            .map(|(step, ms)| {
                sum += ms;
                // Where nothing was measured all steps are as wide as each other.
                if measured { sum / total_ms } else { (step + 1) as f64 / times.steps_ms.len() as f64 }
            })
            .collect();
        Self {
            blocks: merged(&ms, &ends, narrowest),
            ends,
            total_ms,
            prefill_rate: rate(times.n_prompt as f64, times.prefill_ms),
            decode_rate: times.decode_ms.and_then(|ms| rate(1.0, ms)),
        }
    }

    /// How many times as fast a token of the prompt went in as a decoded one came.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.prefill_rate? / self.decode_rate?)
    }

    /// Milliseconds of all decoded tokens together.
    pub fn decode_ms(&self) -> f64 {
        // From 0, since the sum of nothing is -0 otherwise.
        self.blocks.iter().skip(1).fold(0.0, |sum, block| sum + block.ms)
    }

    /// The part of the axis that belongs to a step, within a merged block too.
    pub fn span_of(&self, step: usize) -> Range<f64> {
        let end = |step: usize| self.ends.get(step).copied().unwrap_or(1.0);
        step.checked_sub(1).map_or(0.0, end)..end(step)
    }

    /// The step at this share of the axis; what lies outside belongs to the first or the last.
    pub fn step_at(&self, share: f64) -> usize {
        self.ends.partition_point(|end| *end <= share).min(self.ends.len().saturating_sub(1))
    }

    /// The block at this share of the axis.
    pub fn block_at(&self, share: f64) -> Option<&TimeBlock> {
        let step = self.step_at(share);
        self.blocks.get(self.blocks.partition_point(|block| block.steps.end <= step))
    }
}

/// The blocks, with neighbours put together until none but the prefill is narrower than `narrowest`.
fn merged(ms: &[f64], ends: &[f64], narrowest: f64) -> Vec<TimeBlock> {
    let mut blocks: Vec<TimeBlock> = Vec::new();
    let mut from = 0.0;
    for (step, (&ms, &end)) in ms.iter().zip(ends).enumerate() {
        let block = TimeBlock { steps: step..step + 1, ms, span: from..end };
        from = end;
        match blocks.last_mut() {
            Some(last) if last.steps.start > 0 && last.width() < narrowest => last.join(&block),
            _ => blocks.push(block),
        }
    }
    // What is left over at the end goes to the block before, unless that is the prefill.
    if blocks.len() > 2
        && let Some(last) = blocks.pop_if(|last| last.width() < narrowest)
        && let Some(before) = blocks.last_mut()
    {
        before.join(&last);
    }
    blocks
}

/// Tokens per second.
fn rate(n_tokens: f64, ms: f64) -> Option<f64> {
    (ms > 0.0).then(|| n_tokens * 1e3 / ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(n_prompt: usize, steps_ms: &[f64]) -> TimingView<'static> {
        let decode = &steps_ms[1..];
        TimingView {
            steps_ms: steps_ms.iter().map(|ms| (ms * 0.75, ms * 0.25)).collect(),
            prefill_ms: steps_ms[0],
            n_prompt,
            decode_ms: (!decode.is_empty()).then(|| decode.iter().sum::<f64>() / decode.len() as f64),
            current: 0,
            step: None,
        }
    }

    /// The blocks follow each other from 0 to 1 and have all steps and all milliseconds.
    #[track_caller]
    fn check_whole(strip: &TimeStrip, steps_ms: &[f64]) {
        let (mut step, mut from) = (0, 0.0);
        for block in &strip.blocks {
            assert_eq!((block.steps.start, block.span.start), (step, from));
            let ms: f64 = steps_ms[block.steps.clone()].iter().sum();
            assert!((block.ms - ms).abs() <= 1e-9 * ms, "{block:?} has {ms} ms");
            (step, from) = (block.steps.end, block.span.end);
        }
        assert_eq!((step, from), (steps_ms.len(), 1.0));
        let widths: f64 = strip.blocks.iter().map(TimeBlock::width).sum();
        assert!((widths - 1.0).abs() < 1e-9);
        let total: f64 = steps_ms.iter().sum();
        assert!((strip.total_ms - total).abs() <= 1e-9 * total);
    }

    #[test]
    fn each_block_is_as_wide_as_its_time() {
        let steps_ms = [64.0, 16.0, 32.0, 16.0];
        let strip = TimeStrip::of(&times(8, &steps_ms), 0.01);
        check_whole(&strip, &steps_ms);
        let spans: Vec<_> = strip.blocks.iter().map(|block| block.span.clone()).collect();
        assert_eq!(spans, [0.0..0.5, 0.5..0.625, 0.625..0.875, 0.875..1.0]);
        assert_eq!((strip.total_ms, strip.decode_ms()), (128.0, 64.0));
    }

    #[test]
    fn a_token_of_the_prompt_and_a_decoded_one_are_compared() {
        let strip = TimeStrip::of(&times(12, &[60.0, 20.0, 20.0]), 0.01);
        assert_eq!((strip.prefill_rate, strip.decode_rate, strip.ratio()), (Some(200.0), Some(50.0), Some(4.0)));
        let first = TimeStrip::of(&times(12, &[60.0]), 0.01);
        assert_eq!((first.prefill_rate, first.decode_rate, first.ratio()), (Some(200.0), None, None));
        check_whole(&first, &[60.0]);
    }

    #[test]
    fn what_is_thinner_than_a_pixel_is_merged_and_nothing_is_lost() {
        let narrowest = 1.0 / 290.0;
        let mut steps_ms = vec![1.0; 10_000];
        for slow in (7..10_000).step_by(997) {
            steps_ms[slow] = 80.0;
        }
        for prefill in [0.0, 500.0, 1e6] {
            steps_ms[0] = prefill;
            let strip = TimeStrip::of(&times(40, &steps_ms), narrowest);
            check_whole(&strip, &steps_ms);
            assert_eq!(strip.blocks[0].steps, 0..1, "the prefill stands alone");
            assert!(strip.blocks.len() <= 292);
            let decoded = &strip.blocks[1..];
            assert!(decoded.len() == 1 || decoded.iter().all(|block| block.width() >= narrowest));
        }
    }

    #[test]
    fn a_place_on_the_axis_belongs_to_the_step_that_is_there() {
        let steps_ms = [64.0, 16.0, 32.0, 16.0];
        for narrowest in [0.01, 0.2, 1.0] {
            let strip = TimeStrip::of(&times(8, &steps_ms), narrowest);
            check_whole(&strip, &steps_ms);
            for (share, step) in [(-1.0, 0), (0.0, 0), (0.49, 0), (0.5, 1), (0.7, 2), (0.9, 3), (1.0, 3), (2.0, 3)] {
                assert_eq!(strip.step_at(share), step);
                assert!(strip.block_at(share).unwrap().steps.contains(&step));
            }
            assert_eq!((strip.span_of(0), strip.span_of(2)), (0.0..0.5, 0.625..0.875));
        }
    }

    #[test]
    fn steps_without_a_time_can_still_be_seen() {
        let strip = TimeStrip::of(&times(3, &[0.0, 0.0]), 0.01);
        assert_eq!((strip.span_of(0), strip.span_of(1)), (0.0..0.5, 0.5..1.0));
        assert_eq!((strip.prefill_rate, strip.decode_rate, strip.ratio()), (None, None, None));
    }
}
