//! What a KV cache costs, for any shape of model, and how long context windows have become.

use super::core::Core;

/// The shape of a model as far as its KV cache goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Transformer blocks.
    pub n_layers: u64,
    /// Key/value heads per layer.
    pub n_kv_heads: u64,
    /// Numbers per head.
    pub head_dim: u64,
    /// How many positions a layer looks back at most, where the cache lets go of older ones; `None` where it keeps all.
    pub sliding_window: Option<u64>,
}

impl Shape {
    /// How many of so many tokens have their keys and values in the cache: min(tokens, sliding window).
    pub fn n_kept(self, n_tokens: u64) -> u64 {
        self.sliding_window.map_or(n_tokens, |window| n_tokens.min(window))
    }

    /// Bytes of the keys and the values of so many tokens: 2 × layers × kv_heads × head_dim × kept × bytes per number.
    pub fn cache_bytes(self, n_tokens: u64, bytes_per_number: u64) -> u64 {
        let Self { n_layers, n_kv_heads, head_dim, .. } = self;
        let n_kept = self.n_kept(n_tokens);
        [n_layers, n_kv_heads, head_dim, n_kept, bytes_per_number].into_iter().fold(2, u64::saturating_mul)
    }

    /// The fewest tokens whose cache is larger than weights of so many bytes; `None` where it stops growing before.
    pub fn tokens_that_outgrow(self, weight_bytes: u64, bytes_per_number: u64) -> Option<u64> {
        let n_tokens = weight_bytes / self.cache_bytes(1, bytes_per_number).max(1) + 1;
        (self.n_kept(n_tokens) == n_tokens).then_some(n_tokens)
    }
}

/// A model whose shape is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownModel {
    pub name: &'static str,
    /// Its shape, from the `config.json` that its makers published.
    pub shape: Shape,
    /// Its parameters, a tied head counted once. Counted from the shapes of its weights, without buffers such as the
    /// attention masks that GPT-2's file holds besides.
    pub n_parameters: u64,
    /// The most positions that it was made for, as its makers gave it.
    pub window: u64,
}

pub const KNOWN_MODELS: [KnownModel; 7] = [
    known("GPT-2", [12, 12, 64], 124_439_808, 1_024),
    known("Llama 2 7B", [32, 32, 128], 6_738_415_616, 4_096),
    known("Llama 2 70B", [80, 8, 128], 68_976_648_192, 4_096),
    known("Llama 3 8B", [32, 8, 128], 8_030_261_248, 8_192),
    known("Llama 3 70B", [80, 8, 128], 70_553_706_496, 8_192),
    // Both windows from table 1 of Jiang et al. 2023, arXiv 2310.06825; its config.json allows 32,768 positions. Later
    // versions have no sliding window.
    known("Mistral 7B v0.1", [32, 8, 128], 7_241_732_096, 8_192).sliding(4_096),
    known("Qwen 2.5 7B", [28, 4, 128], 7_615_616_512, 131_072),
];

/// `shape` is layers, key/value heads, numbers per head.
const fn known(name: &'static str, shape: [u64; 3], n_parameters: u64, window: u64) -> KnownModel {
    let [n_layers, n_kv_heads, head_dim] = shape;
    let shape = Shape { n_layers, n_kv_heads, head_dim, sliding_window: None };
    KnownModel { name, shape, n_parameters, window }
}

impl KnownModel {
    const fn sliding(mut self, n_positions: u64) -> Self {
        self.shape.sliding_window = Some(n_positions);
        self
    }
}

/// How long a model's window was when it was announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownWindow {
    pub name: &'static str,
    pub year: u32,
    pub n_tokens: u64,
    /// Tokens for the few who were given a longer window at first.
    pub limited: Option<u64>,
    pub source: &'static str,
}

/// Context windows by the year of the model; such figures change.
pub const KNOWN_WINDOWS: [KnownWindow; 5] = [
    KnownWindow { name: "GPT-2", year: 2019, n_tokens: 1_024, limited: None, source: "Radford et al. 2019" },
    KnownWindow { name: "GPT-3", year: 2020, n_tokens: 2_048, limited: None, source: "Brown et al. 2020" },
    // 8,192 is the standard; to 32,768 the announcement gave limited access.
    KnownWindow { name: "GPT-4", year: 2023, n_tokens: 8_192, limited: Some(32_768), source: "OpenAI 2023" },
    KnownWindow { name: "Claude 3", year: 2024, n_tokens: 200_000, limited: None, source: "Anthropic 2024" },
    // 128,000 is the standard; 1,000,000 was for a limited group of developers and customers, in a preview.
    KnownWindow {
        name: "Gemini 1.5 Pro",
        year: 2024,
        n_tokens: 128_000,
        limited: Some(1_000_000),
        source: "Google 2024",
    },
];

/// What the calculator is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calculator {
    /// The shape.
    pub shape: Shape,
    /// The weights, in numbers; 0 where they are not known.
    pub n_parameters: u64,
    /// The most positions that the model takes; `u64::MAX` where that is not known.
    pub window: u64,
    pub n_tokens: u64,
    /// Bytes of a number: 4 for f32, 2 for f16, 1 for 8-bit formats.
    pub bytes_per_number: u64,
}

impl Calculator {
    /// Set to the model that is loaded, else to the first known one.
    pub fn of(core: &Core) -> Self {
        let card = core.shown_model().map(|model| &model.card);
        let first = KNOWN_MODELS[0];
        let shape = card.map_or(first.shape, |card| Shape {
            n_layers: card.n_layers as u64,
            n_kv_heads: card.n_kv_heads as u64,
            head_dim: card.head_dim as u64,
            // This program keeps all entries, even where a layer looks back less far.
            sliding_window: None,
        });
        let window = card.map_or(first.window, |card| card.context_length as u64);
        Self {
            shape,
            n_parameters: card.map_or(first.n_parameters, |card| card.n_parameters),
            window,
            n_tokens: window,
            bytes_per_number: card.map_or(2, |card| card.dtype_bytes as u64),
        }
    }

    /// Set to a shape of one's own, of which neither the weights nor the window are known.
    pub fn with_shape(self, shape: Shape) -> Self {
        let shape = Shape { sliding_window: None, ..shape };
        Self { shape, n_parameters: 0, window: u64::MAX, ..self }
    }

    /// Bytes of the cache.
    pub fn cache_bytes(&self) -> u64 {
        self.shape.cache_bytes(self.n_tokens, self.bytes_per_number)
    }

    /// Bytes of the weights in the same format.
    pub fn weight_bytes(&self) -> u64 {
        self.n_parameters.saturating_mul(self.bytes_per_number)
    }

    /// Whether the text is longer than the model's window, so that its cache is one that will never be.
    pub fn is_beyond_window(&self) -> bool {
        self.n_tokens > self.window
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    fn model(name: &str) -> KnownModel {
        KNOWN_MODELS.into_iter().find(|model| model.name == name).unwrap()
    }

    #[test]
    fn the_figures_of_the_books() {
        let shape = |name: &str| model(name).shape;
        let llama = shape("Llama 2 7B");
        // The second length is far beyond its window: what it would be, had it been built for that.
        assert_eq!((llama.cache_bytes(4_096, 2), llama.cache_bytes(131_072, 2)), (2 * GIB, 64 * GIB));
        // A quarter of the heads, a quarter of the bytes.
        assert_eq!(shape("Llama 3 8B").cache_bytes(4_096, 2), GIB / 2);
        assert_eq!(shape("Llama 3 8B").cache_bytes(8_192, 2), GIB, "its whole window");
        assert_eq!(shape("Llama 2 70B").cache_bytes(1, 2), 327_680);
        assert_eq!(shape("GPT-2").cache_bytes(1_024, 2), 36 << 20);
        assert_eq!(shape("Qwen 2.5 7B").cache_bytes(1, 2), 57_344);
    }

    #[test]
    fn a_sliding_window_ends_the_growth() {
        let mistral = model("Mistral 7B v0.1").shape;
        let full = Shape { sliding_window: None, ..mistral };
        for n in [1, 4_095, 4_096] {
            assert_eq!(mistral.cache_bytes(n, 2), full.cache_bytes(n, 2));
        }
        for n in [4_097, 8_192, 1_000_000] {
            assert_eq!((mistral.n_kept(n), mistral.cache_bytes(n, 2)), (4_096, GIB / 2));
        }
        assert_eq!(mistral.tokens_that_outgrow(14 * GIB, 2), None);
        assert_eq!(mistral.tokens_that_outgrow(GIB / 2 - 1, 2), Some(4_096));
    }

    #[test]
    fn a_length_beyond_the_window_is_told() {
        let KnownModel { shape, n_parameters, window, .. } = model("Llama 3 8B");
        for (n_tokens, beyond) in [(1, false), (8_192, false), (8_193, true), (131_072, true)] {
            let calculator = Calculator { shape, n_parameters, window, n_tokens, bytes_per_number: 2 };
            assert_eq!(calculator.is_beyond_window(), beyond, "{n_tokens}");
        }
    }

    #[test]
    fn the_cache_outgrows_the_weights_where_it_says() {
        for model in KNOWN_MODELS.into_iter().filter(|model| model.shape.sliding_window.is_none()) {
            let weights = 2 * model.n_parameters;
            let n = model.shape.tokens_that_outgrow(weights, 2).unwrap();
            assert!(model.shape.cache_bytes(n, 2) > weights && model.shape.cache_bytes(n - 1, 2) <= weights);
        }
        let huge = Shape { n_layers: u64::MAX, n_kv_heads: 9, head_dim: 9, sliding_window: None };
        assert_eq!(huge.cache_bytes(9, 9), u64::MAX, "too large to count is no crash");
        let nothing = Shape { n_layers: 0, ..huge };
        assert_eq!(nothing.tokens_that_outgrow(5, 2), Some(6));
    }

    #[test]
    fn it_is_what_the_model_card_says() {
        let toy = crate::model::ToyModel::new(crate::model::ToyConfig::default());
        let card = crate::model::LanguageModel::card(&toy);
        let shape = Shape {
            n_layers: card.n_layers as u64,
            n_kv_heads: card.n_kv_heads as u64,
            head_dim: card.head_dim as u64,
            sliding_window: None,
        };
        assert_eq!(shape.cache_bytes(77, card.dtype_bytes as u64), card.kv_formula_bytes(77));
    }
}
