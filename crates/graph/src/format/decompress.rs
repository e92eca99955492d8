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
        let mut out = Vec::new();
        let done = match self {
            Self::Gzip => drain(flate2::read::MultiGzDecoder::new(data), &mut out, limit),
            Self::Zstd => unpack_frames(data, &mut out, limit),
            Self::Xz => drain(lzma_rust2::XzReader::new(data, true), &mut out, limit),
        };
        match done {
            Ok(()) if out.len() as u64 > limit => Err(too_large(file, limit)),
            Ok(()) => Ok(out),
            Err(error) => Err(self.broken(file, out.len(), &error)),
        }
    }

    fn broken(self, file: &str, len: usize, error: &io::Error) -> Error {
        let name = self.name();
        let problem = if error.kind() == io::ErrorKind::UnexpectedEof {
            format!("the {name} data ends early, after {len} unpacked bytes")
        } else {
            format!("the {name} data is damaged after {len} unpacked bytes: {error}")
        };
        Error::format(Position::file(file), problem, "download or copy the file again")
    }
}

/// Reads all there is, and at most one byte more than `limit` in all.
fn drain(from: impl Read, out: &mut Vec<u8>, limit: u64) -> io::Result<()> {
    let room = limit.saturating_add(1).saturating_sub(out.len() as u64);
    from.take(room).read_to_end(out).map(drop)
}

/// Unpacks zstd frames one after the other.
fn unpack_frames(mut data: &[u8], out: &mut Vec<u8>, limit: u64) -> io::Result<()> {
    use ruzstd::decoding::{
        StreamingDecoder,
        errors::{FrameDecoderError, ReadFrameHeaderError},
    };
    while !data.is_empty() && out.len() as u64 <= limit {
        match StreamingDecoder::new(&mut data) {
            Ok(mut decoder) => {
                drain(&mut decoder, out, limit)?;
                check_frame(&decoder.decoder)?;
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                data = data.get(length as usize..).ok_or(io::ErrorKind::UnexpectedEof)?;
            }
            Err(error) => return Err(early_or_other(error)),
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

/// An error of a decoder that hides the kind of the error below it.
fn early_or_other(error: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(inner) = cause {
        if inner.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::UnexpectedEof) {
            return io::ErrorKind::UnexpectedEof.into();
        }
        cause = inner.source();
    }
    io::Error::other(error)
}

fn too_large(file: &str, limit: u64) -> Error {
    Error::TooLarge {
        what: format!("{file}: unpacking it"),
        needed: format!("more than {}", human_bytes(limit)),
        limit: format!("{} of memory", human_bytes(limit)),
        help: "unpack the file on disk first; it is then mapped and not held in memory".to_owned(),
    }
}
