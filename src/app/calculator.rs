//! What a KV cache costs, for any shape of model, and how long context windows have become.

use super::AppState;

/// The shape of a model as far as its KV cache goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Transformer blocks.
    pub n_layers: u64,
    /// Key/value heads per layer.
    pub n_kv_heads: u64,
    /// Numbers per head.
    pub head_dim: u64,
}

impl Shape {
    /// Bytes of the keys and the values of so many tokens: 2 × layers × kv_heads × head_dim × tokens × bytes per number.
    pub fn cache_bytes(self, n_tokens: u64, bytes_per_number: u64) -> u64 {
        let Self { n_layers, n_kv_heads, head_dim } = self;
        [n_layers, n_kv_heads, head_dim, n_tokens, bytes_per_number].into_iter().fold(2, u64::saturating_mul)
    }

    /// The fewest tokens whose cache is larger than weights of so many bytes.
    pub fn tokens_that_outgrow(self, weight_bytes: u64, bytes_per_number: u64) -> u64 {
        weight_bytes / self.cache_bytes(1, bytes_per_number).max(1) + 1
    }
}

/// A model whose shape is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownModel {
    /// Its name.
    pub name: &'static str,
    /// Its shape, from the `config.json` that its makers published.
    pub shape: Shape,
    /// Its parameters, from the model's own files.
    pub n_parameters: u64,
}

/// Well-known models.
pub const KNOWN_MODELS: [KnownModel; 7] = [
    known("GPT-2", 12, 12, 64, 124_439_808),
    known("Llama 2 7B", 32, 32, 128, 6_738_415_616),
    known("Llama 2 70B", 80, 8, 128, 68_976_648_192),
    known("Llama 3 8B", 32, 8, 128, 8_030_261_248),
    known("Llama 3 70B", 80, 8, 128, 70_553_706_496),
    known("Mistral 7B", 32, 8, 128, 7_241_732_096),
    known("Qwen 2.5 7B", 28, 4, 128, 7_615_616_512),
];

const fn known(name: &'static str, n_layers: u64, n_kv_heads: u64, head_dim: u64, n_parameters: u64) -> KnownModel {
    KnownModel { name, shape: Shape { n_layers, n_kv_heads, head_dim }, n_parameters }
}

/// How long a model's window was when it came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownWindow {
    /// The model.
    pub name: &'static str,
    /// When.
    pub year: u32,
    /// Tokens.
    pub n_tokens: u64,
    /// Who says so.
    pub source: &'static str,
}

/// Context windows by the year of the model; such figures change.
pub const KNOWN_WINDOWS: [KnownWindow; 5] = [
    KnownWindow { name: "GPT-2", year: 2019, n_tokens: 1_024, source: "Radford et al. 2019" },
    KnownWindow { name: "GPT-3", year: 2020, n_tokens: 2_048, source: "Brown et al. 2020" },
    KnownWindow { name: "GPT-4", year: 2023, n_tokens: 8_192, source: "OpenAI 2023" },
    KnownWindow { name: "Claude 3", year: 2024, n_tokens: 200_000, source: "Anthropic 2024" },
    KnownWindow { name: "Gemini 1.5 Pro", year: 2024, n_tokens: 1_000_000, source: "Gemini Team, Google 2024" },
];

/// What the calculator is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calculator {
    /// The shape.
    pub shape: Shape,
    /// The weights, in numbers; 0 where they are not known.
    pub n_parameters: u64,
    /// Tokens in the cache.
    pub n_tokens: u64,
    /// Bytes of a number: 4 for f32, 2 for f16, 1 for 8-bit formats.
    pub bytes_per_number: u64,
}

impl Calculator {
    /// Set to the model that is loaded, else to the first known one.
    pub fn of(state: &AppState) -> Self {
        let card = state.shown_model().map(|model| &model.card);
        let first = KNOWN_MODELS[0];
        let shape = card.map_or(first.shape, |card| Shape {
            n_layers: card.n_layers as u64,
            n_kv_heads: card.n_kv_heads as u64,
            head_dim: card.head_dim as u64,
        });
        Self {
            shape,
            n_parameters: card.map_or(first.n_parameters, |card| card.n_parameters),
            n_tokens: card.map_or(1_024, |card| card.context_length as u64),
            bytes_per_number: card.map_or(2, |card| card.dtype_bytes as u64),
        }
    }

    /// Bytes of the cache.
    pub fn cache_bytes(&self) -> u64 {
        self.shape.cache_bytes(self.n_tokens, self.bytes_per_number)
    }

    /// Bytes of the weights in the same format.
    pub fn weight_bytes(&self) -> u64 {
        self.n_parameters.saturating_mul(self.bytes_per_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    #[test]
    fn the_figures_of_the_books() {
        let shape = |name: &str| KNOWN_MODELS.iter().find(|model| model.name == name).unwrap().shape;
        let llama = shape("Llama 2 7B");
        assert_eq!((llama.cache_bytes(4_096, 2), llama.cache_bytes(131_072, 2)), (2 * GIB, 64 * GIB));
        // A quarter of the heads, a quarter of the bytes.
        assert_eq!(shape("Llama 3 8B").cache_bytes(131_072, 2), 16 * GIB);
        assert_eq!(shape("Llama 2 70B").cache_bytes(1, 2), 327_680);
        assert_eq!(shape("GPT-2").cache_bytes(1_024, 2), 36 << 20);
        assert_eq!(shape("Qwen 2.5 7B").cache_bytes(1, 2), 57_344);
    }

    #[test]
    fn the_cache_outgrows_the_weights_where_it_says() {
        for model in KNOWN_MODELS {
            let weights = 2 * model.n_parameters;
            let n = model.shape.tokens_that_outgrow(weights, 2);
            assert!(model.shape.cache_bytes(n, 2) > weights && model.shape.cache_bytes(n - 1, 2) <= weights);
        }
        let huge = Shape { n_layers: u64::MAX, n_kv_heads: 9, head_dim: 9 };
        assert_eq!(huge.cache_bytes(9, 9), u64::MAX, "too large to count is no crash");
        assert_eq!(Shape { n_layers: 0, n_kv_heads: 0, head_dim: 0 }.tokens_that_outgrow(5, 2), 6);
    }

    #[test]
    fn it_is_what_the_model_card_says() {
        let toy = crate::model::ToyModel::new(crate::model::ToyConfig::default());
        let card = crate::model::LanguageModel::card(&toy);
        let shape = Shape {
            n_layers: card.n_layers as u64,
            n_kv_heads: card.n_kv_heads as u64,
            head_dim: card.head_dim as u64,
        };
        assert_eq!(shape.cache_bytes(77, card.dtype_bytes as u64), card.kv_formula_bytes(77));
    }
}
