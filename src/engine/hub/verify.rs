//! Whether the content of a file is what its name says, which the hub makes of a hash of it.
//!
//! A hash of 40 digits is that of a git blob, one of 64 digits is SHA-256; what has another name cannot be verified.
//! A blob that was found to be genuine is sealed: its size and its time of change are kept beside the cache's own
//! files, so that gigabytes are read again only where these differ.

use super::cache::{Cache, create};
use super::watch::Watch;
use super::{HubActivity, LoadError};
use crate::files;
use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use std::fs::Metadata;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Bytes that are read at once.
const PIECE_LEN: usize = 1 << 20;
/// Two numbers.
const MAX_SEAL_BYTES: u64 = 100;

enum Hasher {
    GitBlob(Sha1),
    Sha256(Sha256),
}

impl Hasher {
    /// `None` where the name is no hash.
    fn new(name: &str, n_bytes: u64) -> Option<Self> {
        if !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        match name.len() {
            40 => Some(Self::GitBlob(Sha1::new_with_prefix(format!("blob {n_bytes}\0")))),
            64 => Some(Self::Sha256(Sha256::new())),
            _ => None,
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::GitBlob(hasher) => hasher.update(bytes),
            Self::Sha256(hasher) => hasher.update(bytes),
        }
    }

    fn is(self, name: &str) -> bool {
        let hash = match self {
            Self::GitBlob(hasher) => hasher.finalize().to_vec(),
            Self::Sha256(hasher) => hasher.finalize().to_vec(),
        };
        let digits = name.as_bytes().chunks(2).map(|two| u8::from_str_radix(str::from_utf8(two).ok()?, 16).ok());
        hash.into_iter().map(Some).eq(digits)
    }
}

/// Whether a file has the content of which this is the name. What cannot be read to its end has not.
pub(super) fn is_genuine(name: &str, path: &Path, watch: &mut Watch<'_>) -> Result<bool, LoadError> {
    let Ok(mut file) = files::open(path) else { return Ok(false) };
    let Ok(metadata) = file.metadata() else { return Ok(false) };
    let Some(mut hasher) = Hasher::new(name, metadata.len()) else { return Ok(true) };
    watch.progress.activity = HubActivity::Checking { done: 0, total: metadata.len() };
    watch.tell()?;
    let mut piece = vec![0; PIECE_LEN];
    loop {
        let Ok(n_read) = file.read(&mut piece) else { return Ok(false) };
        if n_read == 0 {
            break;
        }
        hasher.update(&piece[..n_read]);
        if let HubActivity::Checking { done, .. } = &mut watch.progress.activity {
            *done += n_read as u64;
        }
        watch.tell_now_and_then()?;
    }
    watch.progress.activity = HubActivity::Fetching;
    Ok(hasher.is(name))
}

/// The same for a blob of the cache, which is read only if it has changed since it was sealed.
pub(super) fn is_blob_genuine(name: &str, cache: &Cache, watch: &mut Watch<'_>) -> Result<bool, LoadError> {
    if is_sealed(name, cache) {
        return Ok(true);
    }
    // From before it is read: what changes meanwhile is not what was verified.
    let before = seal_of(name, cache);
    let genuine = is_genuine(name, &cache.blob(name), watch)?;
    if genuine {
        write_seal(name, before, cache);
    }
    Ok(genuine)
}

/// Whether a blob is as it was when it was found to be genuine.
pub(super) fn is_sealed(name: &str, cache: &Cache) -> bool {
    let seal = files::read_text(&cache.seal(name), MAX_SEAL_BYTES).ok();
    seal.is_some() && seal == seal_of(name, cache)
}

/// Seals a blob that has just been found to be genuine.
pub(super) fn seal(name: &str, cache: &Cache) {
    write_seal(name, seal_of(name, cache), cache);
}

/// In a cache that cannot be written to, a blob is read each time.
fn write_seal(name: &str, seal: Option<String>, cache: &Cache) {
    if let (Some(seal), Ok(mut file)) = (seal, create(&cache.seal(name))) {
        let _unsealed_is_read_again = file.write_all(seal.as_bytes());
    }
}

fn seal_of(name: &str, cache: &Cache) -> Option<String> {
    let metadata = cache.blob(name).metadata().ok().filter(Metadata::is_file)?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{} {}", metadata.len(), changed.as_nanos()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_hashes_as_git_and_sha256sum_make_them() {
        let is = |name: &str, content: &[u8]| {
            Hasher::new(name, content.len() as u64).map(|mut hasher| {
                hasher.update(content);
                hasher.is(name)
            })
        };
        assert_eq!(is("ce013625030ba8dba906f756967f9e9ca394464a", b"hello\n"), Some(true));
        assert_eq!(is("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", b""), Some(true));
        assert_eq!(is("CE013625030BA8DBA906F756967F9E9CA394464A", b"hello\n"), Some(true));
        assert_eq!(is("ce013625030ba8dba906f756967f9e9ca394464a", b"hallo\n"), Some(false));
        let sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
        assert_eq!(is(sha256, b"hello\n"), Some(true));
        assert_eq!(is(sha256, b"hello"), Some(false));
        for other in ["", "e12", "5891b5b5", &"x".repeat(40), &"é".repeat(20)] {
            assert_eq!(is(other, b"hello\n"), None, "{other}");
        }
    }
}
