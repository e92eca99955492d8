//! Writes files atomically: a file appears complete or not at all.
//!
//! An [`AtomicFile`] writes to a temporary file in the folder of the target. [`AtomicFile::commit`] syncs that file to
//! disk and renames it. Dropping the writer without a commit (an error, a cancelled run, a full disk) removes the
//! temporary file. If the program is killed, the next writer of the same target removes it. A target that
//! is not a regular file (`/dev/null`, a named pipe) is written in place.
//!
//! The writer creates, syncs and renames its temporary file through a [`Disk`], so that tests can inject a failure at
//! any of these steps ([`on_disk`]).

mod disk;
mod leftover;

pub use disk::{Disk, FileSystem, Sink, on_disk};

use crate::error::{Error, Result, is_loop};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

/// A buffered writer whose file appears under its name on [`AtomicFile::commit`].
///
/// ```
/// # fn main() -> warpgraph_graph::Result<()> {
/// use std::io::Write;
/// use warpgraph_graph::AtomicFile;
/// # let folder = tempfile::tempdir().expect("a folder");
/// let path = folder.path().join("ranks.csv");
/// let mut file = AtomicFile::create(&path, false)?;
/// file.write_all(b"vertex,rank\n").expect("written");
/// assert!(!path.exists());
/// file.commit()?;
/// assert!(path.exists());
/// # Ok(())
/// # }
/// ```
pub struct AtomicFile {
    /// The path as the user gave it.
    path: PathBuf,
    /// The path after following symbolic links.
    target: PathBuf,
    /// The temporary file; `None` if the file is written in place or has been committed.
    temporary: Option<PathBuf>,
    force: bool,
    disk: Arc<dyn Disk>,
    file: BufWriter<Box<dyn Sink>>,
}

impl std::fmt::Debug for AtomicFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AtomicFile").field("path", &self.path).field("temporary", &self.temporary).finish()
    }
}

impl AtomicFile {
    /// Starts a file that will appear at `path`; replaces an existing file only if `force` is set.
    ///
    /// # Errors
    /// [`Error::Exists`] if the file exists and `force` is not set; [`Error::Io`] if `path` is a folder or the system
    /// refuses to create the file.
    pub fn create(path: impl AsRef<Path>, force: bool) -> Result<Self> {
        let path = path.as_ref().to_owned();
        let target = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        match fs::metadata(&target) {
            Err(error) if is_loop(&error) => return Err(Error::io(&path, "write", error)),
            Ok(there) if there.is_dir() => {
                return Err(Error::io(&path, "write", io::ErrorKind::IsADirectory.into()));
            }
            Ok(there) if !there.is_file() => return Self::in_place(path, target),
            Ok(_) if !force => return Err(Error::Exists { path: path.display().to_string() }),
            _ => {}
        }
        leftover::remove(&target);
        let (temporary, disk) = (temporary_name(&target), disk::current());
        let file = disk.create(&temporary).map_err(|e| not_created(&path, &target, e))?;
        Ok(Self { path, target, temporary: Some(temporary), force, disk, file: BufWriter::new(file) })
    }

    fn in_place(path: PathBuf, target: PathBuf) -> Result<Self> {
        let file = File::options().write(true).open(&target).map_err(|e| Error::io(&path, "write", e))?;
        let (disk, file): (_, Box<dyn Sink>) = (disk::current(), Box::new(file));
        Ok(Self { path, target, temporary: None, force: true, disk, file: BufWriter::new(file) })
    }

    /// Flushes, syncs and renames the file, which exists under its name once this returns.
    ///
    /// # Errors
    /// [`Error::Io`] if writing, syncing or renaming fails, for example on a full disk; [`Error::Exists`] if the file
    /// appeared in the meantime and `force` is not set. In both cases the temporary file is removed.
    pub fn commit(mut self) -> Result<()> {
        self.file.flush().map_err(|e| Error::io(&self.path, "write", e))?;
        let Some(temporary) = self.temporary.clone() else { return Ok(()) };
        self.file.get_ref().sync().map_err(|e| Error::io(&self.path, "sync", e))?;
        if !self.force && self.target.exists() {
            return Err(Error::Exists { path: self.path.display().to_string() });
        }
        self.disk.rename(&temporary, &self.target).map_err(|e| Error::io(&self.path, "rename", e))?;
        self.temporary = None;
        // Syncing the folder makes the rename durable. Where folders cannot be synced, the rename is still atomic.
        if let Some(folder) = self.target.parent().and_then(|folder| File::open(folder).ok()) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// Returns a name beside the target that no other writer of this process uses.
fn temporary_name(target: &Path) -> PathBuf {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let (start, count) = (leftover::start(target), COUNTER.fetch_add(1, Ordering::Relaxed));
    target.with_file_name(format!("{start}{}-{count}{}", std::process::id(), leftover::ENDING))
}

/// Returns the error for a file that the system does not create. Folders such as `/proc` exist but hold no new files,
/// and the system says of them only that there is no such file.
fn not_created(path: &Path, target: &Path, error: io::Error) -> Error {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    match (error.kind(), folder) {
        (io::ErrorKind::NotFound, Some(folder)) if folder.is_dir() => Error::invalid(
            format!("{}: the system creates no files in {}", path.display(), folder.display()),
            "write to a folder on a disk, and move the file afterwards if need be",
        ),
        _ => Error::io(path, "create", error),
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // A destructor cannot report an error.
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_there_after_commit_and_not_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut file = AtomicFile::create(&path, false).unwrap();
        file.write_all(b"whole").unwrap();
        assert!(!path.exists());
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn a_dropped_file_leaves_nothing_and_the_old_one_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path, true).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn an_existing_file_needs_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        let error = AtomicFile::create(&path, false).unwrap_err();
        assert_eq!(error.to_string(), format!("{}: exists already", path.display()));
        AtomicFile::create(&path, true).unwrap().commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
    }

    #[test]
    fn a_file_that_appeared_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let file = AtomicFile::create(&path, false).unwrap();
        fs::write(&path, "theirs").unwrap();
        assert_eq!(file.commit().unwrap_err().kind(), "exists");
        assert_eq!(fs::read(&path).unwrap(), b"theirs");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_its_target_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        AtomicFile::create(&link, true).unwrap().commit().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"");
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no/a");
        let error = AtomicFile::create(&path, false).unwrap_err();
        let text = format!("{}: cannot create: No such file or directory (os error 2)", path.display());
        assert_eq!(error.to_string(), text);
        assert_eq!(error.help().unwrap(), "create the folder first, or choose another one");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_holds_no_new_files_is_named() {
        let error = AtomicFile::create("/proc/x.csv", false).unwrap_err();
        assert_eq!(error.to_string(), "/proc/x.csv: the system creates no files in /proc");
        assert!(error.help().unwrap().starts_with("write to a folder on a disk"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_to_itself_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&link, &link).unwrap();
        let error = AtomicFile::create(&link, true).unwrap_err();
        assert!(error.help().unwrap().starts_with("the link leads back to itself"), "{error}");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}
