//! Finds and removes the temporary files that killed programs have left.
//!
//! A writer holds a lock (`flock`) on its temporary file for as long as it writes. The system releases the lock when
//! the program ends, however it ends. So a temporary file without a lock has no writer, on this machine or, on a network
//! file system with locks, on another. Where the system has no such locks, nothing is removed.

use std::{fs::File, path::Path};

/// The end of the name of every temporary file.
pub(super) const ENDING: &str = ".tmp";

/// Returns the start of the names of all temporary files of a target: `.ranks.csv.`.
pub(super) fn start(target: &Path) -> String {
    format!(".{}.", target.file_name().unwrap_or_default().to_string_lossy())
}

/// Locks a new temporary file for its writer. Returns false if another program has removed the file meanwhile, because
/// it found the file before the lock was set.
pub(super) fn hold(file: &File) -> bool {
    // A file system without locks is no reason to refuse a file.
    lock(file);
    !is_removed(file)
}

/// Removes the temporary files of `target` that no writer holds. It ignores errors, because a
/// file that stays does no harm.
pub(super) fn remove(target: &Path) {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (start, Ok(entries)) = (start(target), folder.read_dir()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| is_temporary(name, &start));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let path = folder.join(name);
            // The lock is held while the file is removed, so that a writer that locks it later sees that it is gone.
            if let Ok(file) = File::options().write(true).open(&path)
                && lock(&file)
            {
                let _ = std::fs::remove_file(&path);
            }
        }
    }
}

/// Returns true if the name reads `start`, two numbers with a hyphen between, and the ending.
fn is_temporary(name: &str, start: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let middle = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(ENDING));
    middle.and_then(|middle| middle.split_once('-')).is_some_and(|(a, b)| is_number(a) && is_number(b))
}

/// Locks a file without waiting; returns false if another program holds it or the file system has no locks.
#[cfg(unix)]
fn lock(file: &File) -> bool {
    use std::os::fd::AsRawFd;
    // SAFETY: `file` keeps its descriptor open during the call, which touches no memory of this program.
    unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) == 0 }
}

#[cfg(not(unix))]
fn lock(_: &File) -> bool {
    false
}

#[cfg(unix)]
fn is_removed(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|about| about.nlink() == 0)
}

#[cfg(not(unix))]
fn is_removed(_: &File) -> bool {
    false
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtomicFile;
    use std::{fs, io::Write};

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_a_killed_writer_left_is_removed_by_the_next_writer_of_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let others = [".a.csv.tmp", ".a.csv.1-x.tmp", ".b.csv.1-0.tmp", "a.csv.1-0.tmp"];
        for name in others.iter().chain(&[".a.csv.1-0.tmp", ".a.csv.77-12.tmp"]) {
            fs::write(folder.path().join(name), "left").unwrap();
        }
        AtomicFile::create(&path, false).unwrap().commit().unwrap();
        let mut expected = others.map(str::to_owned).to_vec();
        expected.push("a.csv".to_owned());
        expected.sort();
        assert_eq!(names(folder.path()), expected);
    }

    #[test]
    fn a_writer_that_is_still_writing_keeps_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut first = AtomicFile::create(&path, true).unwrap();
        first.write_all(b"first").unwrap();
        AtomicFile::create(&path, true).unwrap().commit().unwrap();
        first.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(names(folder.path()), ["a.csv"]);
    }

    #[test]
    fn a_file_that_was_removed_before_its_lock_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".a.1-0.tmp");
        let file = File::create(&path).unwrap();
        remove(&folder.path().join("a"));
        assert!(!path.exists() && !hold(&file));
    }
}
