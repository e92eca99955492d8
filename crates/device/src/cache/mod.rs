//! The compile cache on disk.
//!
//! An entry is one file. Its name is a hash of everything that its content was made from. A reader reads the whole file
//! and accepts it only if head and checksum match; otherwise the content is made again and replaced. A writer writes to
//! a temporary name and renames the file, so processes that share the folder see only whole entries.
//!
//! The folder holds code that is loaded and run, so it must belong to the user, and no other user may write to it. If
//! the folder fails these checks or cannot be written, the cache does not use it. All modules are then compiled every
//! time, which is slower but never an error.

mod folder;

use crate::Result;
use std::{
    fs::{self, File},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// The most bytes of all entries together.
const LIMIT: u64 = 512 << 20;
/// The first bytes of an entry: a magic number and the version of the layout.
const MAGIC: [u8; 8] = *b"wgcode\x00\x01";
/// Bytes before the content: magic, the hash in the file name, the length of the content, the hash of the content.
const HEAD: usize = MAGIC.len() + 16 + 8 + 16;
/// Extension of an entry's file name.
const ENTRY: &str = ".code";
/// The age after which a temporary file is taken to be left by a process that has ended.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Compiled code on disk, found by what it was compiled from. Clones share the cache.
#[derive(Debug, Clone)]
pub struct Cache {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    folder: Option<PathBuf>,
    limit: u64,
    /// Whether the folder passed all checks and can hold code.
    usable: bool,
    /// Why the folder is not used, or the last failure.
    problem: Mutex<Option<String>>,
}

impl Cache {
    /// Opens the cache in a folder. `None` selects `$XDG_CACHE_HOME/warpgraph/kernels` or `~/.cache/warpgraph/kernels`.
    pub fn open(folder: Option<PathBuf>) -> Self {
        Self::with_limit(folder, LIMIT)
    }

    /// Opens the cache in a folder with room for this many bytes.
    pub fn with_limit(folder: Option<PathBuf>, limit: u64) -> Self {
        let folder = folder.or_else(|| folder::of_user(&|name| std::env::var_os(name).map(PathBuf::from)));
        let problem = match &folder {
            None => Some("there is no folder for it: neither XDG_CACHE_HOME nor HOME is set".to_owned()),
            Some(folder) => {
                folder::make_ready(folder).err().map(|why| format!("{}: {why}", folder.display()))
            }
        };
        let usable = problem.is_none();
        Self { shared: Arc::new(Shared { folder, limit, usable, problem: Mutex::new(problem) }) }
    }

    /// Returns the folder, whether or not it can be used.
    pub fn folder(&self) -> Option<&Path> {
        self.shared.folder.as_deref()
    }

    /// Returns why entries are not kept, if so: the folder fails a check, or the last write failed.
    pub fn problem(&self) -> Option<String> {
        self.shared.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the entry for these parts (text, options, target, compiler version), or what `make` returns, and keeps
    /// that.
    ///
    /// # Errors
    /// Those of `make`. A cache that cannot be read or written is not an error.
    pub fn get_or_make(&self, parts: &[&str], make: impl FnOnce() -> Result<Vec<u8>>) -> Result<Vec<u8>> {
        match self.get(parts) {
            Some(content) => Ok(content),
            None => self.make(key_of(parts), make),
        }
    }

    /// Returns the entry for these parts.
    pub fn get(&self, parts: &[&str]) -> Option<Vec<u8>> {
        let key = key_of(parts);
        self.entry(key).and_then(|file| read(&file, key))
    }

    /// Keeps `content` as the entry for these parts, if the folder can be written.
    pub fn put(&self, parts: &[&str], content: &[u8]) {
        self.keep(key_of(parts), content);
    }

    /// Returns what `make` returns, and replaces the entry for these parts by it.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn make_anew(&self, parts: &[&str], make: impl FnOnce() -> Result<Vec<u8>>) -> Result<Vec<u8>> {
        self.make(key_of(parts), make)
    }

    fn make(&self, key: u128, make: impl FnOnce() -> Result<Vec<u8>>) -> Result<Vec<u8>> {
        let content = make()?;
        self.keep(key, &content);
        Ok(content)
    }

    fn keep(&self, key: u128, content: &[u8]) {
        if let Some(file) = self.entry(key) {
            let failed = self.write(&file, key, content).err();
            let problem = failed.map(|why| format!("{}: {why}", file.display()));
            *self.shared.problem.lock().unwrap_or_else(PoisonError::into_inner) = problem;
        }
    }

    /// Returns the file of a key, if the folder can be used.
    fn entry(&self, key: u128) -> Option<PathBuf> {
        let folder = self.shared.folder.as_ref().filter(|_| self.shared.usable)?;
        Some(folder.join(format!("{key:032x}{ENTRY}")))
    }

    fn write(&self, file: &Path, key: u128, content: &[u8]) -> io::Result<()> {
        let bytes = (HEAD + content.len()) as u64;
        if bytes > self.shared.limit {
            return Ok(());
        }
        make_room(file, self.shared.limit - bytes)?;

        let unfinished = file.with_file_name(folder::unfinished_name());
        let written = write_whole(&unfinished, key, content).and_then(|()| fs::rename(&unfinished, file));
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        written
    }
}

/// Returns the hash of all parts and of this crate's version. It covers the length of each part, so different lists of
/// parts differ.
pub(crate) fn key_of(parts: &[&str]) -> u128 {
    let mut hash = Xxh3::new();
    for part in parts.iter().chain([&env!("CARGO_PKG_VERSION")]) {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.digest128()
}

/// Returns the content of an entry, if it is whole and belongs to this key.
fn read(file: &Path, key: u128) -> Option<Vec<u8>> {
    let mut open = File::open(file).ok()?;
    let mut bytes = Vec::new();
    open.read_to_end(&mut bytes).ok()?;
    let content = bytes.get(HEAD..)?;
    if bytes[..HEAD] != head(key, content) {
        return None;
    }
    // Marks the entry as used, so that it is removed last. The file system may not record access times.
    let _ = open.set_modified(SystemTime::now());
    bytes.drain(..HEAD);
    Some(bytes)
}

fn head(key: u128, content: &[u8]) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    let fields: [&[u8]; 4] =
        [&MAGIC, &key.to_le_bytes(), &(content.len() as u64).to_le_bytes(), &xxh3_128(content).to_le_bytes()];
    let mut at = 0;
    for field in fields {
        head[at..at + field.len()].copy_from_slice(field);
        at += field.len();
    }
    head
}

fn write_whole(file: &Path, key: u128, content: &[u8]) -> io::Result<()> {
    let mut open = File::options().write(true).create_new(true).open(file)?;
    open.write_all(&head(key, content))?;
    open.write_all(content)
}

/// Removes the least recently used entries, until all entries except `replaced` take at most `room` bytes. Also removes
/// abandoned temporary files.
fn make_room(replaced: &Path, room: u64) -> io::Result<()> {
    let Some(folder) = replaced.parent() else { return Ok(()) };
    let (mut entries, mut total) = (Vec::new(), 0);
    for found in fs::read_dir(folder)? {
        // Another process may have removed it meanwhile.
        let Ok((path, meta)) = found.and_then(|found| Ok((found.path(), found.metadata()?))) else {
            continue;
        };
        let Ok(used) = meta.modified() else { continue };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(folder::UNFINISHED) {
            if used.elapsed().is_ok_and(|age| age > ABANDONED) {
                let _ = fs::remove_file(&path);
            }
        } else if name.ends_with(ENTRY) && path != replaced {
            total += meta.len();
            entries.push((used, meta.len(), path));
        }
    }
    entries.sort();
    for (_, bytes, path) in entries {
        if total <= room {
            break;
        }
        let _ = fs::remove_file(path);
        total -= bytes;
    }
    Ok(())
}
