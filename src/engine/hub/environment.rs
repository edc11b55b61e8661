//! What the environment says of the hub: where it and its cache are, who asks, and which proxy is in between.

use super::{HubConfig, LoadError};
use crate::files;
use crate::message::msg;
use std::path::{Path, PathBuf};
use ureq::{Proxy, ProxyBuilder};
use url::Url;

/// A token has some forty letters, that of another sign-in a thousand.
const MAX_TOKEN_BYTES: u64 = 8 << 10;

/// The folder of the cache.
pub(super) fn cache_dir() -> PathBuf {
    let given = variable("HF_HUB_CACHE").or_else(|| variable("HUGGINGFACE_HUB_CACHE"));
    given.map_or_else(|| home_cache().path().clone(), PathBuf::from)
}

/// The cache in the home of Hugging Face's libraries; hf-hub knows all of it but `XDG_CACHE_HOME`.
fn home_cache() -> hf_hub::Cache {
    match (variable("HF_HOME"), variable("XDG_CACHE_HOME")) {
        (None, Some(caches)) => hf_hub::Cache::new(PathBuf::from(caches).join("huggingface").join("hub")),
        _ => hf_hub::Cache::from_env(),
    }
}

pub(super) fn token() -> Option<String> {
    if variable("HF_HUB_DISABLE_IMPLICIT_TOKEN").is_some() {
        return None;
    }
    // A line end is easily taken along, and no part of a token.
    let clean = |token: String| Some(token.trim().to_owned()).filter(|token| !token.is_empty());
    let from_file = |path: &Path| files::read_text(path, MAX_TOKEN_BYTES).ok().and_then(clean);
    variable("HF_TOKEN")
        .and_then(clean)
        .or_else(|| variable("HF_TOKEN_PATH").and_then(|path| from_file(path.as_ref())))
        .or_else(|| from_file(&home_cache().token_path()))
}

pub(super) fn endpoint(config: &HubConfig) -> Result<Url, LoadError> {
    let given = config.endpoint.clone().or_else(|| variable("HF_ENDPOINT"));
    let endpoint = given.unwrap_or_else(|| "https://huggingface.co".to_owned());
    Url::parse(&endpoint).ok().filter(|url| !url.cannot_be_a_base()).ok_or_else(|| bad_endpoint(&endpoint))
}

pub(super) fn bad_endpoint(endpoint: &str) -> LoadError {
    LoadError::Client { reason: msg!("error-hub-endpoint", endpoint = format!("{endpoint:?}")) }
}

/// The proxy on the way to an address: the one for its scheme, else the one for all; none within this computer.
pub(super) fn proxy(url: &Url) -> Option<Proxy> {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    if host == "localhost" || host.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback()) {
        return None;
    }
    let in_either_case = |name: &str| variable(name).or_else(|| variable(&name.to_lowercase()));
    let of_scheme = format!("{}_PROXY", url.scheme().to_uppercase());
    let given = Proxy::new(&in_either_case(&of_scheme).or_else(|| in_either_case("ALL_PROXY"))?).ok()?;
    let mut proxy = Proxy::builder(given.protocol()).host(given.host()).port(given.port());
    proxy = given.username().into_iter().fold(proxy, ProxyBuilder::username);
    proxy = given.password().into_iter().fold(proxy, ProxyBuilder::password);
    for host in in_either_case("NO_PROXY").iter().flat_map(|hosts| hosts.split(',')) {
        // A name stands for all that ends in it.
        let host = host.trim().trim_start_matches('.');
        proxy = proxy.no_proxy(host).no_proxy(&format!(".{host}"));
    }
    proxy.build().ok()
}

/// An environment variable that is set to something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
