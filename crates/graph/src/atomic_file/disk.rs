//! The file system, in the few steps that [`AtomicFile`](super::AtomicFile) takes.

use std::{
    cell::RefCell,
    fmt::Debug,
    fs::{self, File},
    io::{self, Write},
    path::Path,
    sync::Arc,
};

/// Where files are made: the file system, or in tests one that fails.
pub trait Disk: Debug + Send + Sync {
    /// Makes a file that is not there yet.
    ///
    /// # Errors
    /// The system's answer.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>>;

    /// Gives a file another name, replacing one that has it.
    ///
    /// # Errors
    /// The system's answer.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
}

/// A file being written.
pub trait Sink: Write + Send {
    /// Waits until all that was written is on the disk.
    ///
    /// # Errors
    /// The system's answer.
    fn sync(&self) -> io::Result<()>;
}

impl Sink for File {
    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

/// The file system.
#[derive(Debug, Clone, Copy)]
pub struct FileSystem;

impl Disk for FileSystem {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        Ok(Box::new(File::options().write(true).create_new(true).open(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }
}

thread_local! {
    static DISK: RefCell<Option<Arc<dyn Disk>>> = const { RefCell::new(None) };
}

/// Where this thread makes its files.
pub(super) fn current() -> Arc<dyn Disk> {
    DISK.with_borrow(Clone::clone).unwrap_or_else(|| Arc::new(FileSystem))
}

/// Runs `work`; the files it makes from this thread are made on `disk`. For tests of what happens when one fails.
pub fn on_disk<T>(disk: Arc<dyn Disk>, work: impl FnOnce() -> T) -> T {
    /// Puts the disk back that was there, also after a panic.
    struct Restore(Option<Arc<dyn Disk>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            DISK.set(self.0.take());
        }
    }
    let _restore = Restore(DISK.replace(Some(disk)));
    work()
}
