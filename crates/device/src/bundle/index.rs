//! The index of a bundle: the head of the file.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | magic number and version of the layout |
//! | 4 | bytes of the index that follows the checksum |
//! | 16 | checksum of that index |
//! | 32 | version of warpgraph, padded with zeros |
//! | 8 | major and minor version of NVRTC |
//! | 48 per entry | key, position, packed length, length, checksum of key and cubin; sorted by key |
//!
//! All numbers are little-endian. The packed cubins follow.

use std::{
    fs::File,
    io::{Read as _, Write},
};
use xxhash_rust::xxh3::xxh3_128;

const MAGIC: [u8; 8] = *b"wgkern\x00\x01";
/// Bytes before the index: magic, length, checksum.
const FRONT: usize = MAGIC.len() + 4 + 16;
/// Bytes of the index before its entries.
const HEAD: usize = VERSION + 8;
/// Bytes of a version of warpgraph.
const VERSION: usize = 32;
/// Bytes of an entry.
const ENTRY: usize = 16 + 8 + 4 + 4 + 16;
/// The most bytes of an index. A length beyond it is damage.
const MOST: usize = 8 << 20;
/// The most bytes of a cubin.
const MOST_CUBIN: u32 = 64 << 20;

/// The entries of a bundle, by key.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Index {
    /// The version of the NVRTC that made the cubins.
    pub(super) nvrtc: (u32, u32),
    /// Sorted by key.
    pub(super) entries: Vec<(u128, Place)>,
}

/// Where an entry lies in the file, and what it unpacks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) at: u64,
    pub(super) packed: u32,
    pub(super) length: u32,
    pub(super) checksum: u128,
}

impl Index {
    /// Returns the number of entries.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the entry of a key.
    pub(super) fn find(&self, key: u128) -> Option<Place> {
        let at = self.entries.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(self.entries[at].1)
    }

    /// Returns the bytes before the first cubin, for this many entries.
    pub(super) fn bytes(entries: usize) -> usize {
        FRONT + HEAD + ENTRY * entries
    }

    /// Reads and checks the index of a file; the error says what is wrong with it.
    pub(super) fn read(file: &mut File) -> Result<Self, String> {
        let end = file.metadata().map_err(|error| error.to_string())?.len();
        let mut front = [0; FRONT];
        let short = |_| "it is no bundle of kernels: it is too short".to_owned();
        file.read_exact(&mut front).map_err(short)?;
        let mut fields = Fields(&front);
        if fields.take::<8>() != Some(MAGIC) {
            return Err("it is no bundle of kernels, or one of another layout".to_owned());
        }
        let (length, checksum) = (fields.u32().unwrap_or(0) as usize, fields.u128());
        if !(HEAD..=MOST).contains(&length) || !(length - HEAD).is_multiple_of(ENTRY) {
            return Err(format!("its index is damaged: a length of {length} bytes"));
        }
        let mut bytes = vec![0; length];
        file.read_exact(&mut bytes).map_err(|_| "its index is cut off".to_owned())?;
        if Some(xxh3_128(&bytes)) != checksum {
            return Err("its index is damaged: the checksum does not match".to_owned());
        }
        Self::parse(&bytes, end)
    }

    /// Parses an index whose checksum matches, of a file of `end` bytes.
    fn parse(bytes: &[u8], end: u64) -> Result<Self, String> {
        let mut fields = Fields(bytes);
        let cut_off = || "its index is cut off".to_owned();
        let version = fields.take::<VERSION>().ok_or_else(cut_off)?;
        if version != our_version() {
            let its = String::from_utf8_lossy(&version).trim_end_matches('\0').to_owned();
            return Err(format!("it is of warpgraph {its}, and this is {}", env!("CARGO_PKG_VERSION")));
        }
        let nvrtc = fields.u32().zip(fields.u32()).ok_or_else(cut_off)?;
        let mut entries: Vec<(u128, Place)> = Vec::with_capacity(bytes.len() / ENTRY);
        while let Some(key) = fields.u128() {
            let place = fields.place().ok_or_else(cut_off)?;
            let is_inside = place.at.checked_add(u64::from(place.packed)).is_some_and(|last| last <= end);
            if !is_inside || place.length > MOST_CUBIN {
                return Err(format!("an entry lies outside of the file, at byte {}", place.at));
            }
            if entries.last().is_some_and(|(before, _)| *before >= key) {
                return Err("its entries are not sorted".to_owned());
            }
            entries.push((key, place));
        }
        Ok(Self { nvrtc, entries })
    }

    /// Writes the head of a file.
    pub(super) fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        let mut bytes = our_version().to_vec();
        bytes.extend(self.nvrtc.0.to_le_bytes());
        bytes.extend(self.nvrtc.1.to_le_bytes());
        for (key, Place { at, packed, length, checksum }) in &self.entries {
            bytes.extend(key.to_le_bytes());
            bytes.extend(at.to_le_bytes());
            bytes.extend(packed.to_le_bytes());
            bytes.extend(length.to_le_bytes());
            bytes.extend(checksum.to_le_bytes());
        }
        out.write_all(&MAGIC)?;
        out.write_all(&(bytes.len() as u32).to_le_bytes())?;
        out.write_all(&xxh3_128(&bytes).to_le_bytes())?;
        out.write_all(&bytes)
    }
}

/// Returns the version of warpgraph as the index has it.
fn our_version() -> [u8; VERSION] {
    let (mut field, version) = ([0; VERSION], env!("CARGO_PKG_VERSION").as_bytes());
    let length = version.len().min(VERSION);
    field[..length].copy_from_slice(&version[..length]);
    field
}

/// Bytes that are read from the front.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u128(&mut self) -> Option<u128> {
        self.take().map(u128::from_le_bytes)
    }

    fn place(&mut self) -> Option<Place> {
        let at = self.take().map(u64::from_le_bytes)?;
        Some(Place { at, packed: self.u32()?, length: self.u32()?, checksum: self.u128()? })
    }
}
