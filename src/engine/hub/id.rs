//! The id of a model on the hub.

use super::LoadError;

/// `owner/name` or `owner/name@revision`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HubId {
    pub(super) owner: String,
    pub(super) name: String,
    /// A branch, a tag or a commit.
    pub(super) revision: Option<String>,
}

impl HubId {
    pub(super) fn parse(id: &str) -> Result<Self, LoadError> {
        let malformed = || LoadError::MalformedId { id: id.to_owned() };
        let (path, revision) = match id.trim().split_once('@') {
            Some((path, revision)) => (path, Some(revision)),
            None => (id.trim(), None),
        };
        let (owner, name) = path.split_once('/').ok_or_else(malformed)?;
        // Parts of a branch's name may be separated by slashes, as in `refs/pr/1`.
        let parts_are_names = revision.unwrap_or("main").split('/').chain([owner, name]).all(is_name);
        // A double hyphen separates owner and name in the cache.
        if !parts_are_names || owner.contains("--") || name.contains("--") {
            return Err(malformed());
        }
        Ok(Self { owner: owner.to_owned(), name: name.to_owned(), revision: revision.map(str::to_owned) })
    }

    /// What to ask the hub for.
    pub(super) fn revision(&self) -> &str {
        self.revision.as_deref().unwrap_or("main")
    }
}

impl std::fmt::Display for HubId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)?;
        self.revision.iter().try_for_each(|revision| write!(f, "@{revision}"))
    }
}

/// Whether a word is safe as one part of a path and of an address.
pub(super) fn is_name(word: &str) -> bool {
    (1..=128).contains(&word.len())
        && !word.starts_with('.')
        && !word.contains("..")
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_taken_apart() {
        for id in ["a/b", "Some-Org/Model_1.5B@main", "a/b@refs/pr/1", "a/b@0123abcd"] {
            assert_eq!(HubId::parse(id).unwrap().to_string(), id);
        }
        assert_eq!(HubId::parse(" a/b ").unwrap().revision(), "main");
        assert_eq!(HubId::parse("a/b@v1").unwrap().revision(), "v1");
    }

    #[test]
    fn other_words_are_refused() {
        for id in ["", "a", "a/", "/b", "a/b/c", "../b", "a/..", "a b/c", "a/b@", "a/b@../x", "a--b/c", "a/b@/x", "a/é"]
        {
            let message = HubId::parse(id).unwrap_err().to_string();
            assert!(message.contains("owner/name"), "{id}: {message}");
        }
    }
}
