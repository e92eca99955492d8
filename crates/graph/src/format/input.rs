//! Opens graph files and holds their bytes.

use super::{
    bv,
    decompress::{Compression, ENDINGS},
    parts, stream,
};
use crate::{
    control::Control,
    error::{Error, Result},
    mapped::MappedFile,
    memory,
    timeline::Phase,
};
use std::{
    fs::File,
    io::ErrorKind,
    ops::Deref,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The number of bytes that [`Input::peek`] unpacks of a compressed file.
const START: u64 = 1 << 20;

/// The name of a file and its bytes, which are mapped, decompressed or read from a pipe.
#[derive(Debug)]
pub struct Input {
    name: String,
    data: Data,
    beside: Beside,
    /// If `data` is only the start of the file: the estimated length of the whole content.
    whole: Option<u64>,
    /// The handle that can stop the reading of files beside it.
    control: Control,
}

/// The place of the files that belong to a file.
#[derive(Debug)]
enum Beside {
    /// They lie in the folder of the file at this path.
    Folder(PathBuf),
    /// They are in memory, each with its ending.
    Memory(Vec<(String, Vec<u8>)>),
}

#[derive(Debug)]
enum Data {
    Mapped(Arc<MappedFile>),
    Owned(Vec<u8>),
}

impl Input {
    /// Opens a file, or standard input for `-`.
    ///
    /// `open` maps ordinary files, and reads pipes and other special files to their end. It recognises compressed data
    /// (gzip, zstd, xz, bzip2) by its first bytes and unpacks it. The path of a WebGraph may also be that of its
    /// `.properties` file, or have no ending.
    ///
    /// What `open` holds in memory is bounded by the memory available to the process, and `control` can stop it at any
    /// time, also while a pipe sends nothing.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the file cannot be opened or read, or is a directory, [`Error::Format`] if compressed
    /// data ends early or is damaged, [`Error::TooLarge`] if a pipe or unpacked data exceeds 7/8 of the available
    /// memory, and the error of `control` if that stops the work.
    pub fn open(path: &Path, control: &Control) -> Result<Self> {
        let _span = control.span(Phase::Opening);
        if path == Path::new("-") {
            let stream = stream::standard_input().map_err(|e| Error::io("<stdin>", "read", e))?;
            return Self::read("<stdin>", stream, control);
        }
        let graph = bv::graph_of(path);
        let path = graph.as_deref().unwrap_or(path);
        let mut input = Self::open_file(path, control)?;
        input.beside = Beside::Folder(path.to_owned());
        Ok(input)
    }

    /// Returns true if `path` is `-`, exists, names a WebGraph that [`Input::open`] would find, or stands for several
    /// files that [`crate::Graph::open`] would look for.
    pub fn exists(path: &Path) -> bool {
        let is_there = || path == Path::new("-") || path.exists() || bv::graph_of(path).is_some();
        is_there() || parts::is_pattern(path) || parts::list_of(path).is_some()
    }

    fn open_file(path: &Path, control: &Control) -> Result<Self> {
        let file = stream::open(path).map_err(|e| Error::io(path, "open", e))?;
        let about = file.metadata().map_err(|e| Error::io(path, "open", e))?;
        if about.is_dir() {
            let error = std::io::Error::new(std::io::ErrorKind::IsADirectory, "it is a directory");
            return Err(Error::io(path, "open", error));
        }
        let name = path.display().to_string();
        // Mapping an empty file is an error on some systems, and files under /proc have length 0 although they have
        // content.
        if !about.is_file() || about.len() == 0 {
            return Self::read(&name, file, control);
        }
        let map = MappedFile::new(file, path).map_err(|e| not_mapped(path, about.len(), e))?;
        let data = match Compression::of(&map) {
            Some(compression) => Data::Owned(compression.unpack(&name, &map, control)?),
            None => Data::Mapped(Arc::new(map)),
        };
        Ok(Self { name, data, beside: Beside::default(), whole: None, control: control.clone() })
    }

    /// Opens a file without reading all of it: maps it, or unpacks only its start.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the file cannot be opened, [`Error::Format`] if not even one byte of a compressed file
    /// can be unpacked, and [`Error::Invalid`] for a pipe, which cannot be read twice.
    pub(super) fn peek(path: &Path) -> Result<Self> {
        let pipe = || {
            let what = format!("{}: what comes from a pipe cannot be looked at beforehand", path.display());
            Error::invalid(what, "write it to a file first")
        };
        if path == Path::new("-") {
            return Err(pipe());
        }
        let graph = bv::graph_of(path);
        let path = graph.as_deref().unwrap_or(path);
        let about = path.metadata().map_err(|e| Error::io(path, "open", e))?;
        if !(about.is_file() || about.is_dir()) {
            return Err(pipe());
        }
        if about.is_dir() || about.len() == 0 {
            return Self::open(path, &Control::new());
        }
        let file = File::open(path).map_err(|e| Error::io(path, "open", e))?;
        let map = MappedFile::new(file, path).map_err(|e| not_mapped(path, about.len(), e))?;
        let (name, beside) = (path.display().to_string(), Beside::Folder(path.to_owned()));
        let (data, whole) = match Compression::of(&map) {
            None => (Data::Mapped(Arc::new(map)), None),
            Some(packed) => {
                let (start, whole) = packed.unpack_start(&name, &map, START)?;
                (Data::Owned(start), Some(whole))
            }
        };
        Ok(Self { name, data, beside, whole, control: Control::new() })
    }

    /// Reads a stream to its end, and unpacks it if it is compressed.
    fn read(name: &str, stream: File, control: &Control) -> Result<Self> {
        let mut data = stream::read(name, stream, control)?;
        if let Some(compression) = Compression::of(&data) {
            data = compression.unpack(name, &data, control)?;
        }
        Ok(Self { control: control.clone(), ..Self::from_bytes(name, data) })
    }

    /// Returns an input of bytes already in memory.
    pub fn from_bytes(name: impl Into<String>, data: Vec<u8>) -> Self {
        let (data, beside) = (Data::Owned(data), Beside::default());
        Self { name: name.into(), data, beside, whole: None, control: Control::new() }
    }

    /// Adds the bytes of a file that would lie beside this one, with the same name except for its ending, e.g.
    /// `properties`.
    pub fn with_beside(mut self, ending: &str, data: Vec<u8>) -> Self {
        match &mut self.beside {
            Beside::Memory(files) => files.push((ending.to_owned(), data)),
            Beside::Folder(_) => self.beside = Beside::Memory(vec![(ending.to_owned(), data)]),
        }
        self
    }

    /// Opens the file beside this one that has the same name except for `ending`; returns `None` if there is no such
    /// file.
    pub(super) fn beside(&self, ending: &str) -> Result<Option<Self>> {
        match &self.beside {
            Beside::Folder(path) => {
                let path = unpacked(path).with_extension(ending);
                if path.is_file() { Self::open_file(&path, &self.control).map(Some) } else { Ok(None) }
            }
            Beside::Memory(files) => {
                let name = unpacked(Path::new(&self.name)).with_extension(ending).display().to_string();
                let found = files.iter().find(|file| file.0 == ending);
                Ok(found.map(|file| Self::from_bytes(name, file.1.clone())))
            }
        }
    }

    /// Returns the number of bytes from byte `at` on, or a bound that no file reaches if this is only the start of the
    /// file.
    pub(super) fn rest(&self, at: usize) -> usize {
        if self.is_cut() { usize::MAX - 1 } else { self.len() - at }
    }

    /// Returns true if this is only the start of the file.
    pub(super) fn is_cut(&self) -> bool {
        self.whole.is_some()
    }

    /// Returns the estimated length of the whole content if this is only the start of the file.
    pub(super) fn whole(&self) -> Option<u64> {
        self.whole
    }

    /// Returns the name of the file, for messages and for detection by its ending.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the mapping if the bytes are those of a mapped file, and `None` if they are in memory of their own.
    pub fn map(&self) -> Option<&Arc<MappedFile>> {
        match &self.data {
            Data::Mapped(map) => Some(map),
            Data::Owned(_) => None,
        }
    }
}

impl Default for Beside {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

/// Returns the error for a file that the system does not map.
fn not_mapped(path: &Path, bytes: u64, error: std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::OutOfMemory => memory::shortage(format!("{}: mapping it", path.display()), bytes),
        _ => Error::io(path, "read", error),
    }
}

/// Returns the path without the ending of a compressed file.
fn unpacked(path: &Path) -> PathBuf {
    let is_packed = |ending: &std::ffi::OsStr| ENDINGS.iter().any(|p| ending.eq_ignore_ascii_case(p));
    if path.extension().is_some_and(is_packed) { path.with_extension("") } else { path.to_owned() }
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
