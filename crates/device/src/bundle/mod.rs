//! The bundle: one file of packed cubins that a release carries, so that a first run compiles nothing.
//!
//! The head of the file is an index: which text, options and architecture each cubin was made from (as a hash), where it
//! lies, and its checksum. A reader accepts the file only if the whole index passes its checks and this version of
//! warpgraph wrote it. It unpacks a cubin when a device asks for it, and accepts it only if length and checksum match.
//! Everything else counts as absent: the module is then compiled as if there were no bundle, and [`Bundle::problem`]
//! says why. The key has no version of NVRTC in it, because a device that finds its modules here never loads NVRTC; the
//! file says which one made it, and a driver of an earlier CUDA major version ignores the file.
//!
//! A bundle holds code that runs on the GPU. The checks find damage, not forgery, so use one only from where you would
//! take the program itself: by default it lies beside the executable.

mod index;
#[cfg(test)]
mod tests;
mod write;

pub use write::{Making, write};

use crate::{cache::key_of, nvrtc};
use flate2::read::ZlibDecoder;
use index::{Index, Place};
use std::{
    env,
    ffi::OsString,
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};
use xxhash_rust::xxh3::Xxh3;

/// The environment variable that names a bundle. If it is empty, no bundle is used.
pub const VARIABLE: &str = "WARPGRAPH_KERNELS";
/// The name of the file in a release.
pub const FILE: &str = "warpgraph.kernels";

/// A file of packed cubins, or the reason why there is none.
#[derive(Debug)]
pub struct Bundle {
    path: Option<PathBuf>,
    open: Option<(Mutex<File>, Index)>,
    /// Why the file, or one of its entries, is not used.
    problem: Mutex<Option<String>>,
}

impl Bundle {
    /// Opens the bundle of this process: the file `named`, else the file that `WARPGRAPH_KERNELS` names, else
    /// `warpgraph.kernels` in the folder of the executable, else `share/warpgraph/warpgraph.kernels` beside that folder.
    pub fn find(named: Option<&Path>) -> Self {
        let executable = env::current_exe().and_then(std::fs::canonicalize).ok();
        match place(named, env::var_os(VARIABLE), executable.as_deref()) {
            Some(path) => Self::open(&path),
            None => Self { path: None, open: None, problem: Mutex::new(None) },
        }
    }

    /// Opens a file and checks its index. A file that fails a check is an empty bundle with a problem.
    pub fn open(path: &Path) -> Self {
        let opened = File::open(path)
            .map_err(|error| error.to_string())
            .and_then(|mut file| Index::read(&mut file).map(|index| (Mutex::new(file), index)));
        let (open, problem) = match opened {
            Ok(open) => (Some(open), None),
            Err(why) => (None, Some(format!("{}: {why}", path.display()))),
        };
        Self { path: Some(path.to_owned()), open, problem: Mutex::new(problem) }
    }

    /// Returns the file, whether or not it can be used; `None` if there is none.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns why the file, or the first damaged entry that was asked for, is not used, if so.
    pub fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Unpacks and checks every entry; returns the first problem of file or entries.
    pub fn check(&self) -> Option<String> {
        if let Some((file, index)) = &self.open {
            for &(key, place) in &index.entries {
                let _ = self.unpack(file, key, place);
            }
        }
        self.problem()
    }

    /// Returns the number of cubins; 0 if the file cannot be used.
    pub fn len(&self) -> usize {
        self.open.as_ref().map_or(0, |(_, index)| index.len())
    }

    /// Returns whether there is no cubin.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the version of the NVRTC that made the cubins; `None` if the file cannot be used.
    pub fn nvrtc(&self) -> Option<(u32, u32)> {
        self.open.as_ref().map(|(_, index)| index.nvrtc)
    }

    /// Returns the cubin of a text for a GPU of this architecture (90 for `sm_90`), if it is there and whole: that of
    /// the latest architecture of the same generation up to this one, whose code this one runs.
    pub fn get(&self, text: &str, sm: u32) -> Option<Vec<u8>> {
        let (file, index) = self.open.as_ref()?;
        let generation = sm / 10 * 10;
        let (key, place) = (generation..=sm).rev().find_map(|sm| {
            let key = key(text, sm);
            Some((key, index.find(key)?))
        })?;
        self.unpack(file, key, place)
    }

    /// Returns a cubin, or notes what is wrong with its entry.
    fn unpack(&self, file: &Mutex<File>, key: u128, place: Place) -> Option<Vec<u8>> {
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        match unpacked(&mut file, key, place) {
            Ok(cubin) => Some(cubin),
            Err(error) => {
                let path = self.path.as_deref().unwrap_or(Path::new(FILE)).display();
                let what = || format!("{path}: the entry at byte {} is damaged: {error}", place.at);
                self.problem.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(what);
                None
            }
        }
    }
}

/// Returns the file to use. `variable` is the value of the environment variable.
fn place(named: Option<&Path>, variable: Option<OsString>, executable: Option<&Path>) -> Option<PathBuf> {
    if let Some(named) = named {
        return Some(named.to_owned());
    }
    if let Some(named) = variable {
        return Some(PathBuf::from(named)).filter(|path| !path.as_os_str().is_empty());
    }
    let folder = executable?.parent()?;
    let beside = folder.parent().map(|prefix| prefix.join("share/warpgraph").join(FILE));
    [Some(folder.join(FILE)), beside].into_iter().flatten().find(|path| path.is_file())
}

/// Returns the key of a text for an architecture: a hash of the text, the options, the architecture and our version.
fn key(text: &str, sm: u32) -> u128 {
    key_of(&[text, &nvrtc::BUNDLED.join(" "), &format!("sm_{sm}")])
}

/// Returns the checksum of an entry. It covers the key, so an index that confuses two entries does not pass.
fn checksum(key: u128, cubin: &[u8]) -> u128 {
    let mut hash = Xxh3::new();
    hash.update(&key.to_le_bytes());
    hash.update(cubin);
    hash.digest128()
}

/// Reads and unpacks one entry.
fn unpacked(file: &mut File, key: u128, place: Place) -> io::Result<Vec<u8>> {
    let wrong = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
    file.seek(SeekFrom::Start(place.at))?;
    let mut packed = vec![0; place.packed as usize];
    file.read_exact(&mut packed)?;
    let mut cubin = Vec::with_capacity(place.length as usize);
    // One byte more than expected shows that there is more, and a small packed entry cannot fill the memory.
    ZlibDecoder::new(&packed[..]).take(u64::from(place.length) + 1).read_to_end(&mut cubin)?;
    if cubin.len() != place.length as usize {
        return Err(wrong(format!("it does not unpack to {} bytes", place.length)));
    }
    if checksum(key, &cubin) != place.checksum {
        return Err(wrong("its checksum does not match".to_owned()));
    }
    Ok(cubin)
}
