//! One generation as a straight line: feed tokens, sample, record, repeat. No threads, no channels.

use super::intervention::Intervention;
use super::wanted::{Wanted, between_layers};
use super::{RunError, most_fed, score};

use crate::model::{
    Access, Activation, Cancelled, KvCache, LanguageModel, LogitRows, ModelError, NoProbe, Probe, Site, Want,
};
use crate::sampling::{Chain, Choice, Detail, Guide, Masks, SamplerSettings, SamplingError, StepContext, forced};
use crate::trace::{
    Draw, Edit, ForwardRecord, KvRecord, Outcome, Overflow, Phase, Piece, SamplingRecord, StepRecord, StopReason,
    TokenId, first_seen, seen,
};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A clock that is handed in, such as `Instant::now`.
pub type Clock = fn() -> Instant;

/// What bounds and ends a generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// The most tokens to generate.
    pub max_new_tokens: usize,
    /// The tokens that end a text.
    pub eos_ids: Vec<TokenId>,
    /// What is done when every position of the context window is filled.
    pub overflow: Overflow,
}

/// A text to go on from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TokenPath {
    /// The tokens of the prompt and those that came after it.
    pub history: Vec<TokenId>,
    /// How many of them the prompt has.
    pub n_prompt: usize,
    /// Where Mirostat's μ stands after the last of them, in bits, if it ran.
    pub mu: Option<f64>,
    /// What is changed on the way through the model, from its first token on.
    pub edits: Arc<[Edit]>,
}

/// A recorded step made once more.
#[derive(Clone, Debug)]
pub struct Again {
    /// The token that its samplers and its random number give now.
    pub drawn: TokenId,
    /// The largest difference of a logit of its record from what it is now.
    pub deviation: f64,
    /// The model's logits by token id.
    pub logits: Arc<[f32]>,
}

/// The state of one generation; the model is lent for each step.
#[derive(Debug)]
pub struct Session {
    /// What the model has been fed of the history.
    cache: KvCache,
    /// What is changed in each pass; the cache was made under it.
    intervention: Intervention,
    history: Vec<TokenId>,
    n_prompt: usize,
    n_steps: usize,
    /// Positions of the context window.
    window: usize,
    /// The token of the history at position 0 of the KV cache: those before it are forgotten. The samplers still see
    /// them, since a penalty is about the text and not about what the model sees of it.
    start: usize,
    /// Mirostat's μ, in bits, once it has run.
    mu: Option<f64>,
    /// What the next step takes in place of what it draws.
    forced: Option<TokenId>,
    /// Follows the text through the constraints.
    guide: Option<Guide>,
    limits: Limits,
    ended: bool,
    clock: Option<Clock>,
}

impl Session {
    /// Starts from a prompt.
    pub fn begin(model: &dyn LanguageModel, prompt: &[Piece], limits: Limits) -> Result<Self, RunError> {
        let context_length = model.card().context_length;
        if prompt.is_empty() {
            return Err(RunError::EmptyPrompt);
        }
        if prompt.len() > context_length && limits.overflow == Overflow::Stop {
            return Err(RunError::PromptTooLong { n_tokens: prompt.len(), context_length });
        }
        let history = prompt.iter().map(|piece| piece.id).collect();
        let path = TokenPath { history, n_prompt: prompt.len(), ..TokenPath::default() };
        let ended = limits.max_new_tokens == 0;
        Ok(Self::at(path, (model.new_cache()?, Intervention::default()), context_length, limits, ended))
    }

    /// Goes on from another text, of which the first `n_prompt` tokens (at least one) are the prompt.
    ///
    /// Of the session before, if there was one, it takes over what its KV cache holds of the tokens with which both
    /// begin, where both change the model alike: the next step feeds only the rest.
    pub fn resume(
        model: &dyn LanguageModel,
        before: Option<&Self>,
        path: TokenPath,
        limits: Limits,
    ) -> Result<Self, RunError> {
        let TokenPath { history, n_prompt, mu: _, edits } = &path;
        let (n, n_prompt, context_length) = (history.len(), *n_prompt, model.card().context_length);
        if n_prompt == 0 || n < n_prompt {
            return Err(RunError::EmptyPrompt);
        }
        // A text can be longer than the window without being over: it slid when it was made.
        let stops = limits.overflow == Overflow::Stop;
        let must_slide = first_seen(n, context_length) > first_seen(n - 1, context_length);
        if n == n_prompt && n > context_length && stops {
            return Err(RunError::PromptTooLong { n_tokens: n_prompt, context_length });
        }
        let mut cache = match before {
            Some(before) => before.shared_with(history, edits),
            None => model.new_cache()?,
        };
        let alike = before.map(|before| &before.intervention).filter(|intervention| intervention.edits() == edits);
        let intervention = alike.cloned().unwrap_or_else(|| Intervention::new(Arc::clone(edits)));
        // The last token is fed again in any case: its logits are what the next step draws from.
        cache.truncate(seen(history, context_length).len() - 1);
        let n_steps = n - n_prompt;
        let ended_by_token = n_steps > 0 && history.last().is_some_and(|last| limits.eos_ids.contains(last));
        let ended = ended_by_token || n_steps >= limits.max_new_tokens || (must_slide && stops);
        Ok(Self::at(path, (cache, intervention), context_length, limits, ended))
    }

    fn at(
        path: TokenPath,
        (cache, intervention): (KvCache, Intervention),
        window: usize,
        limits: Limits,
        ended: bool,
    ) -> Self {
        let TokenPath { history, n_prompt, mu, edits: _ } = path;
        let (n_steps, start) = (history.len() - n_prompt, first_seen(history.len(), window));
        let (forced, guide, clock) = (None, None, None);
        Self { cache, intervention, history, n_prompt, n_steps, window, start, mu, forced, guide, limits, ended, clock }
    }

    /// The same with someone who follows the text through the constraints of the samplers, which it needs for them.
    pub fn guided(self, guide: Guide) -> Self {
        Self { guide: Some(guide), ..self }
    }

    /// The same with a clock; without one nothing takes any time in its records.
    pub fn timed_by(self, clock: Clock) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// A copy of its KV cache, cut back to what means the same to another text: the tokens with which both begin, and
    /// nothing where the model sees the two from different places on, or is changed otherwise.
    pub fn shared_with(&self, history: &[TokenId], edits: &Arc<[Edit]>) -> KvCache {
        let mut cache = self.cache.clone();
        let n_common = self.history.iter().zip(history).take_while(|(a, b)| a == b).count();
        let alike = first_seen(history.len(), self.window) == self.start && self.intervention.edits() == edits;
        cache.truncate(if alike { n_common.saturating_sub(self.start) } else { 0 });
        cache
    }

    /// Where the text has outgrown the window, lets its beginning and with it the whole cache go; and the cache alone
    /// where a mean over its tokens is not complete. Returns how many positions are filled then.
    fn slide(&mut self) -> usize {
        let start = first_seen(self.history.len(), self.window);
        if start != self.start || self.cache.len() < self.intervention.n_mean() {
            self.cache.truncate(0);
            self.start = start;
        }
        self.cache.len()
    }

    /// Lets the next step draw, as it would have without [`Self::force`].
    pub fn unforce(&mut self) {
        self.forced = None;
    }

    /// The most tokens from now on, where there are not as many already.
    pub fn set_limit(&mut self, max_new_tokens: usize) {
        if max_new_tokens > self.n_steps {
            self.limits.max_new_tokens = max_new_tokens;
        }
    }

    /// Lets the next step take this token, whatever its samplers leave and draw.
    pub fn force(&mut self, id: TokenId) {
        self.forced = Some(id);
    }

    #[cfg(test)]
    pub(super) fn n_steps(&self) -> usize {
        self.n_steps
    }

    /// Whether the last step was the last.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Makes one token and records everything about it.
    ///
    /// `cancelled` is asked between layers; when it says yes the KV cache is as before, or empty where the window had
    /// to slide, and the step can be made again.
    /// Returns the record and the model's logits by token id.
    pub fn step(
        &mut self,
        model: &dyn LanguageModel,
        settings: &SamplerSettings,
        detail: Detail,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<(StepRecord, Arc<[f32]>), RunError> {
        if self.ended {
            return Err(RunError::Ended);
        }
        let positions_before = self.slide();
        let input = self.history[self.start + positions_before..].to_vec();
        let phase = if self.n_steps == 0 { Phase::Prefill } else { Phase::Decode };
        let card = model.card();
        let mut watch = Stopwatch::new(card.n_layers, self.clock, cancelled);
        // The tokens of a mean are read at once.
        let is_scored = positions_before == 0 && self.intervention.n_mean() <= most_fed(card.vocab_size);
        let (intervention, cache) = (&mut self.intervention, &mut self.cache);
        let mut pass = |ids: &[TokenId], want| watch.pass(model, ids, want, (&mut *intervention, &mut *cache));
        let fed = match phase {
            // Where the cache holds some of the prompt, it was read by the run before.
            Phase::Prefill if is_scored => score::read(card, &input, &mut |ids| pass(ids, Want::All)),
            _ => pass(&input, Want::Last).map(|rows| (Vec::new(), rows.data)).map_err(RunError::from),
        };
        let (prompt, logits) = fed.inspect_err(|_| self.cache.truncate(positions_before))?;
        let forward = watch.record(phase, input, positions_before);
        let kv = KvRecord {
            positions_before,
            positions_after: self.cache.len(),
            prompt_positions: self.n_prompt.saturating_sub(self.start),
            forgotten: self.start,
            layers: self.cache.records(),
        };
        watch.lap();
        let sampling = match self.sample(&logits, settings, detail) {
            Ok(sampling) => sampling,
            Err(error) => {
                self.cache.truncate(positions_before);
                return Err(error.into());
            }
        };
        let sample_secs = watch.lap();
        self.mu = sampling.mu;
        self.forced = None;
        let outcome = self.advance(sampling.chosen_id(), kv.positions_after);
        let (index, prompt) = (self.n_steps - 1, prompt.into());
        let edits = Arc::clone(self.intervention.edits());
        let record = StepRecord { index, edits, forward, prompt, kv, sampling, sample_secs, outcome };
        Ok((record, logits.into()))
    }

    /// Makes a recorded step once more, with its own changes of the model, stages and random numbers, and goes on as it
    /// did then.
    pub fn replay(
        &mut self,
        model: &dyn LanguageModel,
        record: &StepRecord,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Again, RunError> {
        if self.ended {
            return Err(RunError::Ended);
        }
        if *self.intervention.edits() != record.edits {
            self.intervention = Intervention::new(Arc::clone(&record.edits));
            self.cache.truncate(0);
        }
        let positions_before = self.slide();
        let unfed = &self.history[self.start + positions_before..];
        let rows = self.intervention.feed(model, unfed, Want::Last, &mut self.cache, &mut Wanted(cancelled))?;
        let sampling = &record.sampling;
        let chain = Chain(sampling.stages.iter().map(|record| record.stage.clone()).collect());
        let coin = match sampling.draw {
            Draw::Coin { u, .. } => u,
            Draw::Greedy | Draw::Forced => 0.0,
        };
        let xtc_coin = sampling.stages.iter().find_map(|record| record.number("coin")).unwrap_or_default();
        let drawn = self.masks(&chain).and_then(|masks| {
            let (history, n_prompt, mu) = (&self.history, self.n_prompt, self.mu);
            let context = StepContext { history, n_prompt, coin, xtc_coin, mu, masks: Some(&masks) };
            chain.draw(&rows.data, &context)
        });
        let drawn = drawn.inspect_err(|_| self.cache.truncate(positions_before))?.id;
        let now = |id: TokenId| rows.data.get(id as usize).map_or(f64::NAN, |logit| f64::from(*logit));
        let both = sampling.raw.head.iter().map(|candidate| (candidate.logit, now(candidate.id)));
        // Equal infinities have no difference.
        let deviation = both.filter(|(a, b)| a != b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        self.mu = sampling.mu;
        self.advance(sampling.chosen_id(), self.cache.len());
        Ok(Again { drawn, deviation, logits: rows.data.into() })
    }

    /// The same pass and the same draw with nothing recorded: the baseline that recording is measured against.
    pub fn step_unrecorded(
        &mut self,
        model: &dyn LanguageModel,
        settings: &SamplerSettings,
    ) -> Result<TokenId, RunError> {
        if self.ended {
            return Err(RunError::Ended);
        }
        let positions_before = self.slide();
        let unfed = &self.history[self.start + positions_before..];
        let rows = self.intervention.feed(model, unfed, Want::Last, &mut self.cache, &mut NoProbe)?;
        let chain = settings.chain();
        let drawn =
            self.masks(&chain).and_then(|masks| chain.draw(&rows.data, &self.context(settings).with_masks(&masks)));
        let Choice { id, mu, .. } = drawn.inspect_err(|_| self.cache.truncate(positions_before))?;
        self.mu = mu;
        self.advance(id, self.cache.len());
        Ok(id)
    }

    fn masks(&mut self, chain: &Chain) -> Result<Masks, SamplingError> {
        match &mut self.guide {
            Some(guide) => guide.masks(&chain.0, &self.history[self.n_prompt..]),
            None => Ok(Masks::default()),
        }
    }

    fn sample(
        &mut self,
        logits: &[f32],
        settings: &SamplerSettings,
        detail: Detail,
    ) -> Result<SamplingRecord, SamplingError> {
        let chain = settings.chain();
        let masks = self.masks(&chain)?;
        let context = self.context(settings).with_masks(&masks);
        let record = chain.run(logits, &context, detail)?;
        match self.forced {
            None => Ok(record),
            Some(id) => match chain.inspect(logits, &context, &[id])?.first() {
                Some((candidate, outcome)) => Ok(forced(&record, *candidate, *outcome)),
                None => Err(SamplingError::NoSuchToken { id, vocab_size: logits.len() }),
            },
        }
    }

    fn context(&self, settings: &SamplerSettings) -> StepContext<'_> {
        StepContext::of(settings.seed, self.n_steps as u64, &self.history, self.n_prompt, self.mu)
    }

    fn advance(&mut self, chosen: TokenId, positions: usize) -> Outcome {
        self.history.push(chosen);
        self.n_steps += 1;
        let outcome = if self.limits.eos_ids.contains(&chosen) {
            Outcome::Stop(StopReason::Eos)
        } else if positions >= self.window && self.limits.overflow == Overflow::Stop {
            Outcome::Stop(StopReason::ContextFull)
        } else if self.n_steps >= self.limits.max_new_tokens {
            Outcome::Stop(StopReason::MaxNewTokens)
        } else {
            Outcome::Continue
        };
        self.ended = outcome != Outcome::Continue;
        outcome
    }
}

/// Reads the clock between layers, and stops the pass when it is not wanted any more.
struct Stopwatch<'a> {
    clock: Option<Clock>,
    cancelled: &'a dyn Fn() -> bool,
    last: Option<Instant>,
    embed_secs: f64,
    layer_secs: Vec<f64>,
    head_secs: f64,
    total_secs: f64,
}

impl<'a> Stopwatch<'a> {
    fn new(n_layers: usize, clock: Option<Clock>, cancelled: &'a dyn Fn() -> bool) -> Self {
        let layer_secs = vec![0.0; n_layers];
        Self { clock, cancelled, last: None, embed_secs: 0.0, layer_secs, head_secs: 0.0, total_secs: 0.0 }
    }

    /// Seconds since the last time that this was asked.
    fn lap(&mut self) -> f64 {
        let now = self.clock.map(|clock| clock());
        let before = std::mem::replace(&mut self.last, now);
        now.zip(before).map_or(Duration::ZERO, |(now, before)| now - before).as_secs_f64()
    }

    /// Feeds tokens and adds the time that it takes.
    fn pass(
        &mut self,
        model: &dyn LanguageModel,
        tokens: &[TokenId],
        want: Want,
        (intervention, cache): (&mut Intervention, &mut KvCache),
    ) -> Result<LogitRows, ModelError> {
        self.lap();
        let started = self.last;
        let rows = intervention.feed(model, tokens, want, cache, self)?;
        self.head_secs += self.lap();
        let took = self.clock.zip(started).map_or(Duration::ZERO, |(clock, started)| clock() - started);
        self.total_secs += took.as_secs_f64();
        Ok(rows)
    }

    fn record(&mut self, phase: Phase, input: Vec<TokenId>, positions_before: usize) -> ForwardRecord {
        let Self { embed_secs, head_secs, total_secs, .. } = *self;
        let layer_secs = std::mem::take(&mut self.layer_secs);
        let positions = positions_before..positions_before + input.len();
        ForwardRecord { phase, input, positions, embed_secs, layer_secs, head_secs, total_secs }
    }
}

impl Probe for Stopwatch<'_> {
    fn wants(&self, site: Site) -> Access {
        between_layers(site)
    }

    fn visit(&mut self, site: Site, value: &mut dyn Activation) -> ControlFlow<Cancelled> {
        if (self.cancelled)() {
            return ControlFlow::Break(Cancelled);
        }
        if !matches!(site, Site::Embed | Site::Block { .. }) {
            return ControlFlow::Continue(());
        }
        // A device that fails here fails again in the next operation, which reports it.
        let _reported_later = value.synchronize();
        let secs = self.lap();
        match site {
            Site::Block { layer, .. } if layer < self.layer_secs.len() => self.layer_secs[layer] += secs,
            _ => self.embed_secs += secs,
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests;
