//! Packs files while they are written: with gzip if the name ends in `.gz`, with zstd if it ends in `.zst`.
//!
//! All threads pack blocks of 1 MiB, each as a gzip member or a zstd frame of its own. Every reader of these
//! formats joins them. Memory is bounded by one block per thread, plain and packed.

use crate::{error::Error, par};
use std::{
    io::{self, Write},
    path::Path,
};

/// Number of bytes per member or frame, before packing.
const BLOCK: usize = 1 << 20;

/// The compression of a whole file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// None.
    Plain,
    /// gzip, `.gz`.
    Gzip,
    /// zstd, `.zst`.
    Zstd,
}

impl Packing {
    /// Returns the packing that the ending of a path asks for, and the ending before it in lower case, which says the
    /// format: gzip and `csv` for `a.csv.gz`, no packing and `csv` for `a.csv`.
    pub fn of_path(path: &Path) -> (Self, String) {
        let ending =
            |path: &Path| path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let stem = path.file_stem().map(Path::new).unwrap_or(path);
        match &*ending(path) {
            "gz" => (Self::Gzip, ending(stem)),
            "zst" => (Self::Zstd, ending(stem)),
            other => (Self::Plain, other.to_owned()),
        }
    }

    fn pack(self, block: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Plain => Ok(block.to_vec()),
            Self::Gzip => {
                let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
                packer.write_all(block)?;
                packer.finish()
            }
            // The other levels of the library are not implemented.
            Self::Zstd => {
                use ruzstd::encoding::{CompressionLevel, compress_to_vec};
                Ok(compress_to_vec(block, CompressionLevel::Fastest))
            }
        }
    }
}

/// Returns the error for a packed file of a format that is packed inside.
pub fn packed_inside(path: &Path) -> Error {
    let what = format!("{}: a Parquet file is compressed inside, and not packed again", path.display());
    Error::invalid(what, "leave .gz or .zst out, or write .csv.gz")
}

/// A writer that packs what it is given. [`Packer::finish`] must be called at the end.
pub struct Packer<'a> {
    out: &'a mut (dyn Write + Send),
    packing: Packing,
    waiting: Vec<u8>,
    /// The number of waiting bytes at which they are packed: one block per thread.
    full: usize,
    /// True if the packer has written a block.
    started: bool,
}

impl<'a> Packer<'a> {
    /// Returns a writer that packs into `out`.
    pub fn new(out: &'a mut (dyn Write + Send), packing: Packing) -> Self {
        let full = BLOCK * rayon::current_num_threads();
        Self { out, packing, waiting: Vec::new(), full, started: false }
    }

    /// Writes the last block.
    ///
    /// # Errors
    /// Those of the writer underneath.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.waiting.is_empty() || !self.started {
            self.put()?;
        }
        self.out.flush()
    }

    /// Packs and writes what is waiting, as one empty block if nothing is.
    fn put(&mut self) -> io::Result<()> {
        let (packing, waiting) = (self.packing, &self.waiting);
        let block = |i: usize| &waiting[i * BLOCK..waiting.len().min((i + 1) * BLOCK)];
        let blocks = waiting.len().div_ceil(BLOCK).max(1);
        for packed in par::try_map(blocks, |i| packing.pack(block(i)))? {
            self.out.write_all(&packed)?;
        }
        self.started = true;
        self.waiting.clear();
        Ok(())
    }
}

impl Write for Packer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.packing == Packing::Plain {
            self.started = true;
            return self.out.write(bytes);
        }
        let room = self.full - self.waiting.len();
        let taken = room.min(bytes.len());
        self.waiting.extend_from_slice(&bytes[..taken]);
        if taken == room {
            self.put()?;
        }
        Ok(taken)
    }

    /// Does nothing: a block is written once it is full, so that blocks do not become small.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl std::fmt::Debug for Packer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Packer").field("packing", &self.packing).finish_non_exhaustive()
    }
}
