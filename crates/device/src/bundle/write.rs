//! Writing a bundle: the step of a release that compiles and packs the cubins. It needs NVRTC, and no GPU.

use super::{
    checksum,
    index::{Index, Place},
    key,
};
use crate::{Error, Result, Source, nvrtc, nvrtc::Nvrtc};
use flate2::{Compression, write::ZlibEncoder};
use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write as _},
    path::Path,
    sync::{Mutex, PoisonError},
};

/// A module to be compiled for an architecture (90 for `sm_90`).
pub type Making<'a> = (&'a Source, u32);

/// A packed cubin, its length and its checksum.
pub(super) struct Packed {
    bytes: Vec<u8>,
    length: u32,
    checksum: u128,
}

/// Compiles all modules on this many threads and writes the bundle. Calls `tell` with the name of each module, its
/// architecture and its packed bytes. Returns the bytes of the file.
///
/// # Errors
/// [`Error::Compile`]; [`Error::Capability`] if NVRTC does not support an architecture; [`Error::File`].
pub fn write(
    path: &Path,
    nvrtc: &Nvrtc,
    all: &[Making<'_>],
    threads: usize,
    tell: &(dyn Fn(&str, u32, usize) + Sync),
) -> Result<u64> {
    let (next, done) = (Mutex::new(all.iter()), Mutex::new(Ok(BTreeMap::new())));
    let work = || {
        // The guard of the queue is released before the module is compiled.
        let take = || next.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some(&(source, sm)) = take() {
            let made = packed(nvrtc, source, sm);
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            match (&mut *done, made) {
                (Ok(all), Ok((key, packed))) => {
                    tell(&source.name, sm, packed.bytes.len());
                    all.insert(key, packed);
                }
                (Ok(_), Err(error)) => *done = Err(error),
                (Err(_), _) => return,
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    let packed = done.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    let failed = |error: io::Error| Error::File { path: path.to_owned(), what: error.to_string() };
    let bytes = file(nvrtc.version(), &packed).map_err(failed)?;
    fs::write(path, &bytes).map_err(failed)?;
    Ok(bytes.len() as u64)
}

fn packed(nvrtc: &Nvrtc, source: &Source, sm: u32) -> Result<(u128, Packed)> {
    let cubin = nvrtc.compile(source, sm, nvrtc::BUNDLED)?;
    let key = key(&source.text, sm);
    let failed = |error: io::Error| Error::File { path: source.name.clone().into(), what: error.to_string() };
    Ok((key, Packed::of(key, &cubin).map_err(failed)?))
}

impl Packed {
    /// Packs a cubin.
    pub(super) fn of(key: u128, cubin: &[u8]) -> io::Result<Self> {
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        packer.write_all(cubin)?;
        let bytes = packer.finish()?;
        Ok(Self { bytes, length: cubin.len() as u32, checksum: checksum(key, cubin) })
    }
}

/// Returns the content of a bundle.
pub(super) fn file(nvrtc: (u32, u32), packed: &BTreeMap<u128, Packed>) -> io::Result<Vec<u8>> {
    let mut at = Index::bytes(packed.len()) as u64;
    let place = |(&key, one): (&u128, &Packed)| {
        let place = Place { at, packed: one.bytes.len() as u32, length: one.length, checksum: one.checksum };
        at += u64::from(place.packed);
        (key, place)
    };
    let index = Index { nvrtc, entries: packed.iter().map(place).collect() };
    let mut bytes = Vec::new();
    index.write(&mut bytes)?;
    packed.values().for_each(|one| bytes.extend(&one.bytes));
    Ok(bytes)
}
