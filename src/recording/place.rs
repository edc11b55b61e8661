//! Puts a file into its place: at once, when all of it is on the disk, and with the mode that was there.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// As many links in a row are followed as Linux does.
const MOST_LINKS: usize = 40;

/// Gives a file other contents, at once or not at all.
pub(crate) fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let target = &target_of(path)?;
    let part = part_of(target);
    let result = create_for(target, &part).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()?;
        put(out.get_ref(), &part, target)
    });
    if result.is_err() {
        let _perhaps_never_made = std::fs::remove_file(&part);
    }
    result
}

/// The file behind symbolic links, also where they lead to none yet. What is there and is no file, such as a pipe or a
/// device, is not replaced by one.
pub(super) fn target_of(path: &Path) -> io::Result<PathBuf> {
    match std::fs::metadata(path) {
        Ok(there) if there.is_file() => path.canonicalize(),
        Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidInput, "what is there is not a file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut target = path.to_path_buf();
            for _ in 0..MOST_LINKS {
                let Ok(leads_to) = std::fs::read_link(&target) else { break };
                target = target.parent().unwrap_or(Path::new("")).join(leads_to);
            }
            Ok(target)
        }
        Err(error) => Err(error),
    }
}

/// Where a file is until it is whole.
pub(super) fn part_of(target: &Path) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    target.with_file_name(name)
}

/// Makes the file that will replace the target, so that nobody can read more of it than of the one before.
pub(super) fn create_for(target: &Path, part: &Path) -> io::Result<File> {
    // What a program of the same number left that died.
    let _usually_none = std::fs::remove_file(part);
    let file = File::create_new(part)?;
    if let Ok(there) = std::fs::metadata(target) {
        file.set_permissions(there.permissions())?;
    }
    Ok(file)
}

/// Puts a file that is whole into its place. Whenever the power fails, there is the old one or the new one.
pub(super) fn put(file: &File, part: &Path, target: &Path) -> io::Result<()> {
    file.sync_all()?;
    std::fs::rename(part, target)?;
    // Both are whole from here on. Some file systems cannot be asked to note at once which of them it is.
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _not_everywhere = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn replaced(path: &Path, text: &str) -> io::Result<()> {
        replace(path, |out| out.write_all(text.as_bytes()))
    }

    #[test]
    fn a_file_keeps_its_mode_and_a_link_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, dangling, fresh] = ["file", "link", "dangling", "fresh"].map(|name| folder.path().join(name));
        std::fs::write(&file, "old").unwrap();
        symlink("file", &link).unwrap();
        symlink("fresh", &dangling).unwrap();
        let mode = || std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        for kept in [0o600, 0o640, 0o664, 0o444] {
            std::fs::set_permissions(&file, Permissions::from_mode(kept)).unwrap();
            let text = format!("{kept:o}");
            replaced(&link, &text).unwrap();
            assert_eq!((mode(), std::fs::read_to_string(&file).unwrap()), (kept, text));
        }
        replaced(&dangling, "new").unwrap();
        assert!(link.is_symlink() && dangling.is_symlink() && !fresh.is_symlink());
        assert_eq!(std::fs::read_to_string(&fresh).unwrap(), "new");
        // What nobody else could read, nobody else can read while it is written.
        std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        replace(&file, |out| {
            out.write_all(b"secret")?;
            let part = std::fs::metadata(part_of(&file.canonicalize()?))?;
            assert_eq!(part.permissions().mode() & 0o777, 0o600);
            Ok(())
        })
        .unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left behind");
    }

    #[test]
    fn links_in_a_circle_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        symlink(&b, &a).unwrap();
        symlink(&a, &b).unwrap();
        replaced(&a, "new").unwrap_err();
        assert!(a.is_symlink() && b.is_symlink());
    }
}
