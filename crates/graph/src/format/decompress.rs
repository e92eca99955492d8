//! Compressed files: told by their first bytes, unpacked whole into memory.
//!
//! gzip files of several members, zstd of several frames and xz of several streams are one file end to end. Data that
//! ends early or fails its checksum is an error, never half a graph; so is more than the machine's memory.

use crate::{
    error::{Error, Position, Result},
    memory::{human_bytes, physical},
};
use std::io::{self, Read};

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    Zstd,
    Xz,
}

impl Compression {
    /// By the first bytes.
    pub(super) fn of(data: &[u8]) -> Option<Self> {
        match data {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            // A zstd file may start with a frame to be skipped.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
        }
    }

    /// Unpacks `data`; `file` is for the error message.
    pub(super) fn unpack(self, file: &str, data: &[u8]) -> Result<Vec<u8>> {
        let limit = physical().unwrap_or(u64::MAX);
        let mut source = Source { rest: data, ran_out: false };
        let mut out = Vec::new();
        match self.decode(&mut source, &mut out, limit) {
            Ok(()) if out.len() as u64 > limit => Err(too_large(file, limit)),
            Ok(()) => Ok(out),
            Err(error) => Err(self.broken(file, out.len(), source.ran_out, &error)),
        }
    }

    /// Unpacks the first `wanted` bytes, or all there are; an error only if not even one comes out.
    pub(super) fn unpack_start(self, file: &str, data: &[u8], wanted: u64) -> Result<Vec<u8>> {
        let mut source = Source { rest: data, ran_out: false };
        let mut out = Vec::new();
        match self.decode(&mut source, &mut out, wanted) {
            Err(error) if out.is_empty() => Err(self.broken(file, 0, source.ran_out, &error)),
            _ => Ok(out),
        }
    }

    /// Decodes to the end, or until there is more than `limit`.
    fn decode(self, source: &mut Source<'_>, out: &mut Vec<u8>, limit: u64) -> io::Result<()> {
        match self {
            Self::Gzip => drain(flate2::read::MultiGzDecoder::new(source), out, limit),
            Self::Zstd => unpack_frames(source, out, limit),
            Self::Xz => drain(lzma_rust2::XzReader::new(source, true), out, limit),
        }
    }

    fn broken(self, file: &str, len: usize, ran_out: bool, error: &io::Error) -> Error {
        let name = self.name();
        let problem = if ran_out || error.kind() == io::ErrorKind::UnexpectedEof {
            format!("the {name} data ends early, after {len} unpacked bytes")
        } else {
            format!("the {name} data is damaged after {len} unpacked bytes: {error}")
        };
        Error::format(Position::file(file), problem, "download or copy the file again")
    }
}

/// Compressed bytes; remembers whether more were asked for than there are, which decoders' errors do not always tell.
struct Source<'a> {
    rest: &'a [u8],
    ran_out: bool,
}

impl Read for Source<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.ran_out |= self.rest.is_empty() && !into.is_empty();
        self.rest.read(into)
    }
}

/// Reads all there is, and at most one byte more than `limit` in all.
fn drain(from: impl Read, out: &mut Vec<u8>, limit: u64) -> io::Result<()> {
    let room = limit.saturating_add(1).saturating_sub(out.len() as u64);
    from.take(room).read_to_end(out).map(drop)
}

/// Unpacks zstd frames one after the other.
fn unpack_frames(source: &mut Source<'_>, out: &mut Vec<u8>, limit: u64) -> io::Result<()> {
    use ruzstd::decoding::{
        StreamingDecoder,
        errors::{FrameDecoderError, ReadFrameHeaderError},
    };
    while !source.rest.is_empty() && out.len() as u64 <= limit {
        match StreamingDecoder::new(&mut *source) {
            Ok(mut decoder) => {
                drain(&mut decoder, out, limit)?;
                check_frame(&decoder.decoder)?;
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                source.rest = source.rest.get(length as usize..).ok_or(io::ErrorKind::UnexpectedEof)?;
            }
            Err(error) => return Err(io::Error::other(error)),
        }
    }
    Ok(())
}

/// Is the checksum of a frame, if it has one, that of its data?
fn check_frame(decoder: &ruzstd::decoding::FrameDecoder) -> io::Result<()> {
    match (decoder.get_checksum_from_data(), decoder.get_calculated_checksum()) {
        (Some(stored), Some(found)) if stored != found => {
            Err(io::Error::other(format!("its checksum is {found:08x}, expected {stored:08x}")))
        }
        _ => Ok(()),
    }
}

fn too_large(file: &str, limit: u64) -> Error {
    Error::TooLarge {
        what: format!("{file}: unpacking it"),
        needed: format!("more than {}", human_bytes(limit)),
        limit: format!("{} of memory", human_bytes(limit)),
        help: "unpack the file on disk first; it is then mapped and not held in memory".to_owned(),
    }
}
