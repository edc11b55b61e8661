//! The local cache of one model, in the layout that Hugging Face's libraries share.

use super::LoadError;
use super::id::HubId;
use crate::engine::folder::is_complete;
use crate::files;
use crate::message::msg;
use hf_hub::{Repo, RepoType};
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A commit has 40 digits.
const MAX_REF_BYTES: u64 = 1 << 10;

/// The cache's folder for one model and revision.
pub(super) struct Cache {
    locks: PathBuf,
    /// `models--owner--name`.
    folder: PathBuf,
    revision: String,
}

impl Cache {
    pub(super) fn new(root: &Path, id: &HubId) -> Self {
        let revision = id.revision().to_owned();
        let name = Repo::new(format!("{}/{}", id.owner, id.name), RepoType::Model).folder_name();
        Self { locks: root.join(".locks").join(&name), folder: root.join(name), revision }
    }

    /// The folder with the files of a commit.
    pub(super) fn snapshot(&self, commit: &str) -> PathBuf {
        self.folder.join("snapshots").join(commit)
    }

    /// The folder of this revision, if all files are in it.
    pub(super) fn complete_snapshot(&self) -> Option<PathBuf> {
        let by_name = files::read_text(&self.ref_path(), MAX_REF_BYTES).ok();
        let commit = by_name.as_deref().map_or(self.revision.as_str(), str::trim);
        // A branch with a slash in its name is no commit, and must not be looked for among them.
        let folder = super::id::is_name(commit).then(|| self.snapshot(commit))?;
        is_complete(&folder).then_some(folder)
    }

    /// Whether a file of a snapshot is there, or is known to be missing on the hub.
    pub(super) fn knows_of(&self, snapshot: &Path, file: &str) -> bool {
        let commit = snapshot.file_name().unwrap_or_default();
        snapshot.join(file).is_file() || self.folder.join(".no_exist").join(commit).join(file).is_file()
    }

    /// Remembers that a commit has no such file, in the way of Hugging Face's libraries.
    pub(super) fn mark_missing(&self, commit: &str, file: &str) -> Result<(), LoadError> {
        create(&self.folder.join(".no_exist").join(commit).join(file)).map(drop)
    }

    /// Remembers which commit this revision is.
    pub(super) fn write_ref(&self, commit: &str) -> Result<(), LoadError> {
        if commit == self.revision {
            return Ok(());
        }
        let path = self.ref_path();
        create(&path)?.write_all(commit.as_bytes()).map_err(|error| write_error(error, &path))
    }

    /// Where the content with this ETag belongs.
    pub(super) fn blob(&self, etag: &str) -> PathBuf {
        self.folder.join("blobs").join(etag)
    }

    /// What has arrived so far of it.
    pub(super) fn incomplete(&self, etag: &str) -> PathBuf {
        self.folder.join("blobs").join(format!("{etag}.incomplete"))
    }

    /// How it looked when it was verified; no other program looks into this folder.
    pub(super) fn seal(&self, etag: &str) -> PathBuf {
        self.folder.join(".verified").join(etag)
    }

    /// The name of the content that a snapshot's file points to; `None` where files lie in the snapshot themselves.
    pub(super) fn etag_of(&self, file: &Path) -> Option<String> {
        let target = std::fs::read_link(file).ok()?;
        let name = target.file_name()?.to_str()?;
        let is_blob =
            |blob: PathBuf| blob.canonicalize().is_ok_and(|blob| file.canonicalize().is_ok_and(|at| at == blob));
        is_blob(self.blob(name)).then(|| name.to_owned())
    }

    /// The file that keeps others from fetching the same content at the same time.
    pub(super) fn lock_file(&self, etag: &str) -> Result<File, LoadError> {
        create(&self.locks.join(format!("{etag}.lock")))
    }

    /// Lets a snapshot's file point to its content; returns the file.
    pub(super) fn link(&self, commit: &str, file: &str, etag: &str) -> Result<PathBuf, LoadError> {
        let pointer = self.snapshot(commit).join(file);
        let blob = self.blob(etag);
        if pointer.canonicalize().is_ok_and(|at| blob.canonicalize().is_ok_and(|blob| at == blob)) {
            return Ok(pointer);
        }
        create_parent(&pointer)?;
        let _may_not_exist = std::fs::remove_file(&pointer);
        #[cfg(unix)]
        let linked = {
            // Out of `snapshots/commit/` and of the folders in `file`.
            let ups = "../".repeat(2 + file.matches('/').count());
            std::os::unix::fs::symlink(format!("{ups}blobs/{etag}"), &pointer)
        };
        // Links need special rights elsewhere.
        #[cfg(not(unix))]
        let linked = std::fs::hard_link(&blob, &pointer).or_else(|_| std::fs::copy(&blob, &pointer).map(drop));
        linked.map_err(|error| write_error(error, &pointer))?;
        Ok(pointer)
    }

    fn ref_path(&self) -> PathBuf {
        self.folder.join("refs").join(&self.revision)
    }
}

/// Makes an empty file, or empties the one that is there.
pub(super) fn create(path: &Path) -> Result<File, LoadError> {
    make_way(path)?;
    File::create(path).map_err(|error| write_error(error, path))
}

/// Opens a file to go on at its end, or makes an empty one.
pub(super) fn open_at_end(path: &Path) -> Result<File, LoadError> {
    make_way(path)?;
    File::options().create(true).append(true).open(path).map_err(|error| write_error(error, path))
}

/// Makes the folder of a file that is to be written, and removes what would be waited for in its place, such as a pipe.
fn make_way(path: &Path) -> Result<(), LoadError> {
    create_parent(path)?;
    match path.metadata() {
        Ok(there) if !there.is_file() => std::fs::remove_file(path).map_err(|error| write_error(error, path)),
        _ => Ok(()),
    }
}

/// Makes the folder that `path` is to be in.
fn create_parent(path: &Path) -> Result<(), LoadError> {
    match path.parent() {
        Some(parent) => std::fs::create_dir_all(parent).map_err(|error| write_error(error, parent)),
        None => Ok(()),
    }
}

/// Tells a full disk from other failures to write.
pub(super) fn write_error(source: std::io::Error, path: &Path) -> LoadError {
    use std::io::ErrorKind::{QuotaExceeded, StorageFull};
    let path = path.to_owned();
    if matches!(source.kind(), StorageFull | QuotaExceeded) {
        LoadError::DiskFull { path }
    } else {
        LoadError::Io { what: msg!("error-doing-writing"), source, path }
    }
}
