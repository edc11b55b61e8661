//! Which layers see only the latest positions, and how many of them.

use super::settings::{Settings, bad, unsupported};
use crate::message::msg;
use crate::model::error::ModelError;

/// The default size of a window of Mistral and of both Qwens.
const SIZE: usize = 4096;

/// The default of Qwen's first layer with a window.
const FIRST_LAYER: usize = 28;

/// Positions in a window; null is no window.
pub(super) fn size(settings: Settings<'_>) -> Result<Option<usize>, ModelError> {
    let size = settings.optional_size("sliding_window")?;
    Ok(if settings.0.contains_key("sliding_window") { size } else { Some(SIZE) })
}

/// Qwen's windows of each layer: from one layer on, or listed.
pub(super) fn from_one_layer_on(settings: Settings<'_>, n_layers: usize) -> Result<Vec<Option<usize>>, ModelError> {
    let (window, first) =
        if settings.flag("use_sliding_window")? { (size(settings)?, first_layer(settings)?) } else { (None, n_layers) };
    let by_position = (0..n_layers).map(|layer| window.filter(|_| layer >= first)).collect();
    listed(settings, window, by_position)
}

/// May be 0.
fn first_layer(settings: Settings<'_>) -> Result<usize, ModelError> {
    match settings.get("max_window_layers") {
        None => Ok(FIRST_LAYER),
        Some(value) => match value.as_u64() {
            Some(n_layers) => Ok(n_layers as usize),
            None => Err(bad("max_window_layers", value, msg!("config-whole"))),
        },
    }
}

/// The windows by `layer_types`, where that is set.
pub(super) fn listed(
    settings: Settings<'_>,
    window: Option<usize>,
    by_position: Vec<Option<usize>>,
) -> Result<Vec<Option<usize>>, ModelError> {
    let Some(value) = settings.get("layer_types") else {
        return Ok(by_position);
    };
    let n_layers = by_position.len();
    let Some(layer_types) = value.as_array().filter(|types| types.len() == n_layers) else {
        return Err(bad("layer_types", value, msg!("config-layer-list", n = n_layers)));
    };
    let by_type = layer_types.iter().map(|layer_type| match (layer_type.as_str(), window) {
        (Some("full_attention"), _) => Ok(None),
        (Some("sliding_attention"), Some(window)) => Ok(Some(window)),
        _ => Err(unsupported("layer_types", layer_type, msg!("config-layer-types"))),
    });
    by_type.collect()
}
