//! The bytes of a graph file, wherever they are.

use super::decompress::Compression;
use crate::error::{Error, Result};
use memmap2::Mmap;
use std::{fs::File, io::Read, ops::Deref, path::Path, sync::Arc};

/// How much of a packed file is unpacked to see what it is.
const START: u64 = 1 << 20;

/// A file's name and its bytes: mapped, or decompressed, or read from a pipe.
#[derive(Debug)]
pub struct Input {
    name: String,
    data: Data,
    /// Are there more bytes than these?
    cut: bool,
}

#[derive(Debug)]
enum Data {
    Mapped(Arc<Mmap>),
    Owned(Vec<u8>),
}

impl Input {
    /// Opens a file, or standard input for `-`. Compressed data (gzip, zstd, xz) is told by its first bytes and
    /// unpacked; pipes and other special files are read to their end; ordinary files are mapped.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be opened or read, or is a directory; [`Error::Format`] when compressed data ends
    /// early or is damaged; [`Error::TooLarge`] when it unpacks to more than the machine's memory.
    pub fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Self::read("<stdin>", std::io::stdin().lock());
        }
        let file = File::open(path).map_err(|e| Error::io(path, "open", e))?;
        let about = file.metadata().map_err(|e| Error::io(path, "open", e))?;
        if about.is_dir() {
            let error = std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a directory");
            return Err(Error::io(path, "open", error));
        }
        let name = path.display().to_string();
        // An empty map is an error on some systems; files under /proc say they are empty and are not.
        if !about.is_file() || about.len() == 0 {
            return Self::read(&name, file);
        }
        // SAFETY: the map is only read. A file that shrinks under us ends the process with SIGBUS, as for every mapped
        // reader; the documentation of the formats says so.
        let map = unsafe { Mmap::map(&file) }.map_err(|e| Error::io(path, "read", e))?;
        match Compression::of(&map) {
            Some(compression) => Ok(Self::from_bytes(&name, compression.unpack(&name, &map)?)),
            None => Ok(Self { name, data: Data::Mapped(Arc::new(map)), cut: false }),
        }
    }

    /// Opens a file without reading it: mapped, or only the start of it unpacked.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be opened; [`Error::Invalid`] for a pipe, which cannot be read twice.
    pub(super) fn peek(path: &Path) -> Result<Self> {
        let pipe = || {
            let what = format!("{}: what comes from a pipe cannot be looked at beforehand", path.display());
            Error::invalid(what, "write it to a file first")
        };
        if path == Path::new("-") {
            return Err(pipe());
        }
        let about = path.metadata().map_err(|e| Error::io(path, "open", e))?;
        if !(about.is_file() || about.is_dir()) {
            return Err(pipe());
        }
        let file = File::open(path).map_err(|e| Error::io(path, "open", e))?;
        if about.is_dir() || about.len() == 0 {
            return Self::open(path);
        }
        // SAFETY: as in `open`.
        let map = unsafe { Mmap::map(&file) }.map_err(|e| Error::io(path, "read", e))?;
        let name = path.display().to_string();
        match Compression::of(&map) {
            None => Ok(Self { name, data: Data::Mapped(Arc::new(map)), cut: false }),
            Some(packed) => {
                let start = packed.unpack_start(&name, &map, START)?;
                Ok(Self { name, data: Data::Owned(start), cut: true })
            }
        }
    }

    /// Reads a stream to its end, and unpacks it if it is compressed.
    fn read(name: &str, mut stream: impl Read) -> Result<Self> {
        let mut data = Vec::new();
        stream.read_to_end(&mut data).map_err(|e| Error::io(name, "read", e))?;
        match Compression::of(&data) {
            Some(compression) => Ok(Self::from_bytes(name, compression.unpack(name, &data)?)),
            None => Ok(Self::from_bytes(name, data)),
        }
    }

    /// Bytes already in memory.
    pub fn from_bytes(name: impl Into<String>, data: Vec<u8>) -> Self {
        Self { name: name.into(), data: Data::Owned(data), cut: false }
    }

    /// How many bytes follow byte `at`; as many as there can be where only the start is here.
    pub(super) fn rest(&self, at: usize) -> usize {
        if self.cut { usize::MAX - 1 } else { self.len() - at }
    }

    /// Is this only the start of the file?
    pub(super) fn is_cut(&self) -> bool {
        self.cut
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
