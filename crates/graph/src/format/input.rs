//! The bytes of a graph file, wherever they are.

use crate::error::{Error, Result};
use memmap2::Mmap;
use std::{fs::File, io::Read, ops::Deref, path::Path, sync::Arc};

/// A file's name and its bytes: mapped, or decompressed, or read from a pipe.
#[derive(Debug)]
pub struct Input {
    name: String,
    data: Data,
}

#[derive(Debug)]
enum Data {
    Mapped(Arc<Mmap>),
    Owned(Vec<u8>),
}

impl Input {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be opened or read.
    pub fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            let mut data = Vec::new();
            std::io::stdin().lock().read_to_end(&mut data).map_err(|e| Error::io("<stdin>", "read", e))?;
            return Ok(Self::from_bytes("<stdin>", data));
        }
        let file = File::open(path).map_err(|e| Error::io(path, "open", e))?;
        // SAFETY: the map is only read. A file that shrinks under us ends the process with SIGBUS, as for every mapped
        // reader; the documentation of the formats says so.
        let map = unsafe { Mmap::map(&file) }.map_err(|e| Error::io(path, "read", e))?;
        Ok(Self { name: path.display().to_string(), data: Data::Mapped(Arc::new(map)) })
    }

    /// Bytes already in memory.
    pub fn from_bytes(name: impl Into<String>, data: Vec<u8>) -> Self {
        Self { name: name.into(), data: Data::Owned(data) }
    }

    /// The file as the user named it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The mapping, if the bytes are a mapped file as it lies on disk.
    pub fn map(&self) -> Option<&Arc<Mmap>> {
        match &self.data {
            Data::Mapped(map) => Some(map),
            Data::Owned(_) => None,
        }
    }
}

impl Deref for Input {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match &self.data {
            Data::Mapped(map) => map,
            Data::Owned(data) => data,
        }
    }
}
