//! A file that appears whole or not at all: written under a temporary name, then renamed.

use crate::error::{Error, Result};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// A file being written; dropped without [`AtomicFile::commit`] it leaves nothing behind.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    temporary: PathBuf,
    file: Option<BufWriter<File>>,
    force: bool,
}

impl AtomicFile {
    /// Starts a file.
    ///
    /// # Errors
    /// [`Error::Exists`] if it is there and not `force`, [`Error::Io`] if its folder cannot be written.
    pub fn create(path: &Path, force: bool) -> Result<Self> {
        if !force && path.symlink_metadata().is_ok() {
            return Err(Error::Exists { path: path.display().to_string() });
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".tmp{}", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = File::create(&temporary).map_err(|e| Error::io(path, "create", e))?;
        Ok(Self { path: path.to_owned(), temporary, file: Some(BufWriter::new(file)), force })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// [`Error::Io`] if what is left cannot be written, [`Error::Exists`] if the name was taken meanwhile.
    pub fn commit(mut self) -> Result<()> {
        if let Some(mut file) = self.file.take() {
            file.flush().map_err(|e| Error::io(&self.path, "write", e))?;
        }
        if !self.force && self.path.symlink_metadata().is_ok() {
            return Err(Error::Exists { path: self.path.display().to_string() });
        }
        fs::rename(&self.temporary, &self.path).map_err(|e| Error::io(&self.path, "rename", e))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(data))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temporary);
    }
}
