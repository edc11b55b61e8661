//! Reads files that somebody else made: regular ones only, and never more of one than is wanted.
//!
//! A pipe, a socket or a device need never end, and opening a pipe waits for whoever writes into it.

use crate::message::{Gap, Message, Tell, holds, msg};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Why a file is not read.
#[derive(Debug)]
pub enum ReadError {
    /// The file system refuses.
    Io(io::Error),
    /// It is a folder, a pipe, a socket or a device.
    NotRegular,
    /// It has more bytes than such a file may have.
    TooLarge {
        /// The most that is read, in bytes.
        limit: u64,
    },
    /// It is no UTF-8.
    NotText,
}

impl Tell for ReadError {
    fn message(&self) -> Message {
        match self {
            Self::Io(error) => Message::verbatim(error),
            Self::NotRegular => msg!("file-not-regular"),
            Self::TooLarge { limit } => msg!("file-too-large", limit = Gap::from(*limit)),
            Self::NotText => msg!("file-not-text"),
        }
    }
}

holds!(ReadError: Io(io::Error));

/// Opens a regular file, or what a link to one leads to.
pub fn open(path: &Path) -> Result<File, ReadError> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(ReadError::NotRegular);
    }
    Ok(File::open(path)?)
}

/// The whole file, of at most `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    open(path)?.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes) }
}

/// The whole file as text, of at most `limit` bytes.
pub fn read_text(path: &Path, limit: u64) -> Result<String, ReadError> {
    String::from_utf8(read(path, limit)?).map_err(|_not_utf8| ReadError::NotText)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read_text(&path, 5).unwrap(), "12345");
        assert!(matches!(read(&path, 4), Err(ReadError::TooLarge { limit: 4 })));
        std::fs::write(&path, [0xFF]).unwrap();
        assert!(matches!(read_text(&path, 5), Err(ReadError::NotText)));
        assert!(matches!(read(&folder.path().join("none"), 5), Err(ReadError::Io(_))));
        assert!(matches!(read(folder.path(), 5), Err(ReadError::NotRegular)));
    }

    #[cfg(unix)]
    #[test]
    fn what_never_ends_is_not_opened() {
        assert!(matches!(read(Path::new("/dev/zero"), 5), Err(ReadError::NotRegular)));
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(matches!(open(&pipe), Err(ReadError::NotRegular)));
    }
}
