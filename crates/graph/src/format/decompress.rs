//! Recognises compressed files by their first bytes, and unpacks them into memory.
//!
//! The members of a gzip file, the frames of a zstd file and the streams of an xz file are joined end to end. Data that
//! ends early, fails its checksum or exceeds the machine's memory is an error and never yields a partial graph.

use crate::{
    error::{Error, Position, Result},
    memory::{human_bytes, physical},
};
use std::io::{self, Read};

/// The compression of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    Zstd,
    Xz,
}

impl Compression {
    /// Recognises the compression by the first bytes; returns `None` if there is none.
    pub(super) fn of(data: &[u8]) -> Option<Self> {
        match data {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            // A zstd file may start with a skippable frame.
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

    /// Unpacks `data`; error messages name `file`.
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

    /// Unpacks at least the first `wanted` bytes, or fewer if the data ends or is damaged before them. Returns an error
    /// only if decoding fails before the first byte.
    pub(super) fn unpack_start(self, file: &str, data: &[u8], wanted: u64) -> Result<Vec<u8>> {
        let mut source = Source { rest: data, ran_out: false };
        let mut out = Vec::new();
        match self.decode(&mut source, &mut out, wanted) {
            Err(error) if out.is_empty() => Err(self.broken(file, 0, source.ran_out, &error)),
            _ => Ok(out),
        }
    }

    /// Decodes to the end, or until `out` has more than `limit` bytes.
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

/// The compressed bytes. `ran_out` records whether the decoder asked for more bytes than there are, which its errors do
/// not always say.
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

/// Reads to the end, or until `out` has one byte more than `limit`.
fn drain(from: impl Read, out: &mut Vec<u8>, limit: u64) -> io::Result<()> {
    let room = limit.saturating_add(1).saturating_sub(out.len() as u64);
    from.take(room).read_to_end(out).map(drop)
}

/// Unpacks all zstd frames in their order.
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

/// Returns an error if the frame has a checksum that differs from the checksum of its data.
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
