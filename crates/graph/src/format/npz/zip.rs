//! Reads the part of ZIP that NumPy uses: stored and deflated members, found through the directory at the end of the
//! file, with 64-bit sizes.
//!
//! The reader checks every position and size in an entry against the length of the file before using it, and checks
//! unpacked data against the size and the checksum in the entry.

use crate::{
    control::Control,
    error::{Error, Position, Result, quote},
    memory::Pages,
    par,
};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::ops::Deref;

const HELP: &str = "the file is cut short or damaged; fetch or make it anew";
/// Signatures of the end of the directory (three records), of a directory entry, and of a member.
const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";
const ENTRY: &[u8] = b"PK\x01\x02";
pub(in crate::format) const MEMBER: &[u8] = b"PK\x03\x04";
/// Lengths of the fixed parts of these records.
const END_LEN: usize = 22;
const LOCATOR_LEN: usize = 20;
const ENTRY_LEN: usize = 46;
const MEMBER_LEN: usize = 30;
/// Largest number of bytes that one deflated byte can unpack to.
const MAX_DEFLATE: u64 = 1032;
/// Number of bytes unpacked between two checks of the control, and number of bytes per task of the checksum.
const BLOCK: usize = 4 << 20;

/// A ZIP archive whose directory has been read.
#[derive(Debug)]
pub(in crate::format) struct Archive<'a> {
    file: &'a str,
    data: &'a [u8],
    members: Vec<Member<'a>>,
}

#[derive(Debug, Clone, Copy)]
struct Member<'a> {
    name: &'a [u8],
    is_encrypted: bool,
    method: u16,
    crc: u32,
    packed: u64,
    size: u64,
    start: u64,
}

/// The bytes of a member: borrowed from the file if stored, owned if unpacked.
#[derive(Debug)]
pub(super) enum Unpacked<'a> {
    Stored(&'a [u8]),
    Inflated(Pages<u8>),
}

impl Deref for Unpacked<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Stored(bytes) => bytes,
            Self::Inflated(pages) => pages,
        }
    }
}

/// Returns the little-endian number of `N` bytes in `bytes` at `at`, or `None` if it extends beyond their end.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let field = bytes.get(at..at.checked_add(N)?)?;
    Some(field.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}

fn broken(file: &str, problem: impl Into<String>) -> Error {
    Error::format(Position::file(file), problem, HELP)
}

impl<'a> Archive<'a> {
    /// Reads the directory of the archive `data`; `file` is its name in errors.
    pub(in crate::format) fn open(file: &'a str, data: &'a [u8]) -> Result<Self> {
        let directory = directory(data).ok_or_else(|| {
            broken(file, "the ZIP archive has no directory at its end, or one that lies outside of it")
        })?;
        let mut members = Vec::new();
        let mut rest = directory;
        while !rest.is_empty() {
            let (member, after) = entry(rest).ok_or_else(|| {
                broken(file, format!("entry {} of the ZIP directory is damaged", members.len() + 1))
            })?;
            members.push(member);
            rest = after;
        }
        Ok(Self { file, data, members })
    }

    /// Returns true if the archive has a member of this name.
    pub(in crate::format) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Returns the names of the first members (at most 8) for an error message.
    pub(super) fn names(&self) -> String {
        let names: Vec<String> = self.members.iter().take(8).map(|m| quote(m.name)).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    }

    fn find(&self, name: &str) -> Option<&Member<'a>> {
        self.members.iter().find(|m| m.name == name.as_bytes())
    }

    /// Returns the bytes of the member `name`, or `None` if the archive has no such member.
    pub(super) fn read(&self, name: &str, control: &Control) -> Result<Option<Unpacked<'a>>> {
        let Some(member) = self.find(name) else { return Ok(None) };
        let broken = |problem: String| broken(self.file, format!("{name}: {problem}"));
        if member.is_encrypted {
            return Err(broken("it is encrypted".to_owned()));
        }
        let packed = self
            .packed(member)
            .ok_or_else(|| broken("its entry in the ZIP directory points to no such member".to_owned()))?;
        let unpacked = match member.method {
            0 if member.packed == member.size => Unpacked::Stored(packed),
            0 => return Err(broken(format!("{} bytes stored as {}", member.size, member.packed))),
            8 => Unpacked::Inflated(self.inflate(member, packed, control).map_err(|e| match e {
                Inflate::Stop(error) => error,
                Inflate::Broken(problem) => broken(problem),
            })?),
            other => return Err(broken(format!("compression method {other}, expected 0 or 8 (deflate)"))),
        };
        let found = checksum(&unpacked);
        if found != member.crc {
            return Err(broken(format!("its checksum is {found:08x}, expected {:08x}", member.crc)));
        }
        Ok(Some(unpacked))
    }

    /// Returns the bytes of a member as they lie in the file, or `None` if its entry points to no member.
    fn packed(&self, member: &Member<'_>) -> Option<&'a [u8]> {
        let header = self.data.get(usize::try_from(member.start).ok()?..)?;
        if !header.starts_with(MEMBER) {
            return None;
        }
        let start = MEMBER_LEN + (number::<2>(header, 26)? + number::<2>(header, 28)?) as usize;
        header.get(start..start.checked_add(usize::try_from(member.packed).ok()?)?)
    }

    fn inflate(&self, member: &Member<'_>, packed: &[u8], control: &Control) -> Result<Pages<u8>, Inflate> {
        let size = member.size;
        if size / MAX_DEFLATE > member.packed {
            return Err(Inflate::Broken(format!("{} bytes cannot unpack to {size}", member.packed)));
        }
        let mut pages = Pages::<u8>::scratch(size as usize)?;
        let mut inflate = Decompress::new(false);
        loop {
            control.check("reading")?;
            let (read, written) = (inflate.total_in() as usize, inflate.total_out() as usize);
            let end = pages.len().min(written + BLOCK);
            let status = inflate.decompress(&packed[read..], &mut pages[written..end], FlushDecompress::None);
            let (is_end, is_stuck) = match status {
                Ok(Status::StreamEnd) => (true, false),
                Ok(_) => {
                    (false, inflate.total_in() as usize == read && inflate.total_out() as usize == written)
                }
                Err(_) => (false, true),
            };
            let written = inflate.total_out();
            if is_end && written == size {
                return Ok(pages);
            }
            if is_end || is_stuck {
                return Err(Inflate::Broken(format!(
                    "the data end or are damaged after {written} of {size} bytes"
                )));
            }
        }
    }
}

/// The reason why a member cannot be unpacked.
enum Inflate {
    Stop(Error),
    Broken(String),
}

impl From<Error> for Inflate {
    fn from(error: Error) -> Self {
        Self::Stop(error)
    }
}

/// Returns the CRC-32 of `bytes`, computed on all threads.
fn checksum(bytes: &[u8]) -> u32 {
    let sum = |bytes: &[u8]| {
        let mut crc = Crc::new();
        crc.update(bytes);
        crc
    };
    let sums =
        par::map(bytes.len().div_ceil(BLOCK), |i| sum(&bytes[i * BLOCK..bytes.len().min((i + 1) * BLOCK)]));
    let mut all = Crc::new();
    sums.iter().for_each(|crc| all.combine(crc));
    all.sum()
}

/// Returns the directory of an archive, or `None` if it is missing or lies outside the file.
fn directory(data: &[u8]) -> Option<&[u8]> {
    let tail = data.len().saturating_sub(END_LEN + usize::from(u16::MAX));
    let end = tail + memchr::memmem::rfind(&data[tail..], END)?;
    let is_whole = end + END_LEN + number::<2>(data, end + 20)? as usize == data.len();
    if !is_whole {
        return None;
    }
    let (mut len, mut start) = (number::<4>(data, end + 12)?, number::<4>(data, end + 16)?);
    if let Some(locator) = end.checked_sub(LOCATOR_LEN)
        && data[locator..].starts_with(LOCATOR_64)
    {
        let end = usize::try_from(number::<8>(data, locator + 8)?).ok()?;
        if !data.get(end..)?.starts_with(END_64) {
            return None;
        }
        (len, start) = (number::<8>(data, end.checked_add(40)?)?, number::<8>(data, end.checked_add(48)?)?);
    }
    let start = usize::try_from(start).ok()?;
    data.get(start..start.checked_add(usize::try_from(len).ok()?)?)
}

/// Returns the first entry of a directory and the bytes after it, or `None` if the entry is damaged.
fn entry(bytes: &[u8]) -> Option<(Member<'_>, &[u8])> {
    if !bytes.starts_with(ENTRY) {
        return None;
    }
    let len = |at| number::<2>(bytes, at).map(|n| n as usize);
    let (name, extra, comment) = (len(28)?, len(30)?, len(32)?);
    let mut member = Member {
        name: bytes.get(ENTRY_LEN..ENTRY_LEN + name)?,
        is_encrypted: number::<2>(bytes, 8)? & 1 == 1,
        method: number::<2>(bytes, 10)? as u16,
        crc: number::<4>(bytes, 16)? as u32,
        packed: number::<4>(bytes, 20)?,
        size: number::<4>(bytes, 24)?,
        start: number::<4>(bytes, 42)?,
    };
    widen(&mut member, bytes.get(ENTRY_LEN + name..ENTRY_LEN + name + extra)?)?;
    Some((member, bytes.get(ENTRY_LEN + name + extra + comment..)?))
}

/// Replaces sizes and positions that do not fit in 32 bits by those in the extra field 1 (ZIP64).
fn widen(member: &mut Member<'_>, mut extra: &[u8]) -> Option<()> {
    const WIDE: u64 = u32::MAX as u64;
    let mut fields = [&mut member.size, &mut member.packed, &mut member.start];
    if fields.iter().all(|field| **field != WIDE) {
        return Some(());
    }
    while number::<2>(extra, 0)? != 1 {
        extra = extra.get(4 + number::<2>(extra, 2)? as usize..)?;
    }
    let mut at = 4;
    for field in fields.iter_mut().filter(|field| ***field == WIDE) {
        **field = number::<8>(extra, at)?;
        at += 8;
    }
    (at <= 4 + number::<2>(extra, 2)? as usize).then_some(())
}
