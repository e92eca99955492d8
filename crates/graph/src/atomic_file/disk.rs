//! Abstracts the file system operations that [`AtomicFile`](super::AtomicFile) needs.

use super::leftover;
use std::{
    cell::RefCell,
    fmt::Debug,
    fs::{self, File},
    io::{self, Write},
    path::Path,
    sync::Arc,
};

/// Creates and renames files: the file system itself, or a test double that fails.
pub trait Disk: Debug + Send + Sync {
    /// Creates a file that does not exist yet.
    ///
    /// # Errors
    /// The error of the operating system.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>>;

    /// Renames a file and replaces any file that has the new name.
    ///
    /// # Errors
    /// The error of the operating system.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
}

/// A file that is open for writing.
pub trait Sink: Write + Send {
    /// Waits until all written bytes are on the disk.
    ///
    /// # Errors
    /// The error of the operating system.
    fn sync(&self) -> io::Result<()>;
}

impl Sink for File {
    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

/// The file system of the operating system.
#[derive(Debug, Clone, Copy)]
pub struct FileSystem;

impl Disk for FileSystem {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        let file = File::options().write(true).create_new(true).open(path)?;
        match leftover::hold(&file) {
            true => Ok(Box::new(file)),
            // Its name is free again; the second attempt would have to be as unlucky.
            false => Ok(Box::new(File::options().write(true).create_new(true).open(path)?)),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }
}

thread_local! {
    static DISK: RefCell<Option<Arc<dyn Disk>>> = const { RefCell::new(None) };
}

/// Returns the disk on which this thread creates its files.
pub(super) fn current() -> Arc<dyn Disk> {
    DISK.with_borrow(Clone::clone).unwrap_or_else(|| Arc::new(FileSystem))
}

/// Runs `work` with `disk` as the place where this thread creates files. Tests use it to simulate failures.
pub fn on_disk<T>(disk: Arc<dyn Disk>, work: impl FnOnce() -> T) -> T {
    /// Restores the previous disk, also after a panic.
    struct Restore(Option<Arc<dyn Disk>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            DISK.set(self.0.take());
        }
    }
    let _restore = Restore(DISK.replace(Some(disk)));
    work()
}
