//! Recognises compressed files by their first bytes, and unpacks them into memory.
//!
//! The members of a gzip file, the frames of a zstd file and the streams of an xz or bzip2 file are joined end to end.
//! Data that ends early, fails its checksum or exceeds its [`Budget`] is an error and never yields a partial graph.

use super::budget::{Budget, STEP};
use crate::{
    control::Control,
    error::{Error, Position, Result},
};
use std::io::{self, BufRead, Read};

/// The endings of compressed files, in lower case.
pub(super) const ENDINGS: [&str; 4] = ["gz", "zst", "xz", "bz2"];

/// The compression of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
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
            // After the name and the size of a block: the start of a block, or of the end of an empty file.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => Some(Self::Bzip2),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Xz => "xz",
            Self::Bzip2 => "bzip2",
        }
    }

    /// Unpacks `data`; error messages name `file`.
    pub(super) fn unpack(self, file: &str, data: &[u8], control: &Control) -> Result<Vec<u8>> {
        self.unpack_within(file, data, &Budget::new(file, "unpacking it", control))
    }

    fn unpack_within(self, file: &str, data: &[u8], budget: &Budget<'_>) -> Result<Vec<u8>> {
        let (mut source, mut out) = (Source { rest: data, ran_out: false }, Vec::new());
        match self.decode(&mut source, &mut out, budget) {
            Ok(()) if out.len() as u64 > budget.most() => Err(budget.exceeded()),
            Ok(()) => Ok(out),
            Err(Stop::Given(error)) => Err(error),
            Err(Stop::Broken(error)) => Err(self.broken(budget, file, out.len(), source.ran_out, &error)),
        }
    }

    /// Unpacks at least the first `wanted` bytes, or fewer if the data ends or is damaged before them. Returns them and
    /// the length of the whole content, which is an estimate: it supposes that the rest packs as well as the start.
    /// Returns an error only if decoding fails before the first byte.
    pub(super) fn unpack_start(self, file: &str, data: &[u8], wanted: u64) -> Result<(Vec<u8>, u64)> {
        let (mut source, mut out) = (Source { rest: data, ran_out: false }, Vec::new());
        let control = Control::new();
        let budget = Budget::new(file, "unpacking it", &control).at_most(wanted);
        match self.decode(&mut source, &mut out, &budget) {
            Err(Stop::Broken(error)) if out.is_empty() => {
                Err(self.broken(&budget, file, 0, source.ran_out, &error))
            }
            _ => {
                let packed = data.len() - source.rest.len();
                let ratio = out.len() as f64 / packed.max(1) as f64;
                let whole = (data.len() as f64 * ratio).round() as u64;
                Ok((out, whole))
            }
        }
    }

    /// Decodes to the end, or until `out` exceeds the budget.
    fn decode(self, source: &mut Source<'_>, out: &mut Vec<u8>, budget: &Budget<'_>) -> Result<(), Stop> {
        // The header of an xz file says how much of its output the decoder must keep, up to 4 GiB.
        let xz_kib = u32::try_from(budget.most() / 1024).unwrap_or(u32::MAX).max(64 << 10);
        match self {
            Self::Gzip => drain(flate2::bufread::MultiGzDecoder::new(source), out, budget),
            Self::Zstd => unpack_frames(source, out, budget),
            Self::Xz => drain(lzma_rust2::XzReader::new_mem_limit(source, true, xz_kib), out, budget),
            Self::Bzip2 => drain(bzip2::bufread::MultiBzDecoder::new(source), out, budget),
        }
    }

    fn broken(self, budget: &Budget<'_>, file: &str, len: usize, ran_out: bool, error: &io::Error) -> Error {
        if error.kind() == io::ErrorKind::OutOfMemory {
            return budget.exceeded();
        }
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

impl BufRead for Source<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.ran_out |= self.rest.is_empty();
        Ok(self.rest)
    }

    fn consume(&mut self, len: usize) {
        self.rest = &self.rest[len..];
    }
}

/// The reason why decoding stopped.
enum Stop {
    /// The data is damaged or ends early.
    Broken(io::Error),
    /// The caller stopped the work, or memory is short.
    Given(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Given(error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Broken(error)
    }
}

/// Reads to the end, in steps, or until `out` exceeds the budget.
fn drain(mut from: impl Read, out: &mut Vec<u8>, budget: &Budget<'_>) -> Result<(), Stop> {
    while out.len() as u64 <= budget.most() {
        budget.step(out)?;
        let room = (budget.most() - out.len() as u64).saturating_add(1).min(STEP as u64);
        if from.by_ref().take(room).read_to_end(out)? == 0 {
            break;
        }
    }
    Ok(())
}

/// Unpacks all zstd frames in their order.
fn unpack_frames(source: &mut Source<'_>, out: &mut Vec<u8>, budget: &Budget<'_>) -> Result<(), Stop> {
    use ruzstd::decoding::{
        StreamingDecoder,
        errors::{FrameDecoderError, ReadFrameHeaderError},
    };
    while !source.rest.is_empty() && out.len() as u64 <= budget.most() {
        match StreamingDecoder::new(&mut *source) {
            Ok(mut decoder) => {
                drain(&mut decoder, out, budget)?;
                check_frame(&decoder.decoder)?;
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                budget.control().check("reading")?;
                source.rest = source
                    .rest
                    .get(length as usize..)
                    .ok_or(io::ErrorKind::UnexpectedEof)
                    .map_err(io::Error::from)?;
            }
            Err(error) => return Err(io::Error::other(error).into()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn packed(data: &[u8]) -> [(Compression, Vec<u8>); 3] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(data).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(data).unwrap();
        let zstd = ruzstd::encoding::compress_to_vec(data, ruzstd::encoding::CompressionLevel::Fastest);
        [
            (Compression::Gzip, gzip.finish().unwrap()),
            (Compression::Zstd, zstd),
            (Compression::Bzip2, bzip2.finish().unwrap()),
        ]
    }

    #[test]
    fn unpacking_stops_at_the_budget_and_with_its_control() {
        for (compression, data) in packed(&[b'7'; 3 << 20]) {
            assert_eq!(Compression::of(&data), Some(compression));
            let control = Control::new();
            let budget = |most| Budget::new("a", "unpacking it", &control).at_most(most);
            let whole = compression.unpack_within("a", &data, &budget(3 << 20)).unwrap();
            assert!(whole.len() == 3 << 20 && whole.iter().all(|&byte| byte == b'7'));
            let error = compression.unpack_within("a", &data, &budget((3 << 20) - 1)).unwrap_err();
            assert!(error.to_string().starts_with("a: unpacking it needs more than 3.0 MiB"), "{error}");
            control.cancel();
            assert_eq!(compression.unpack("a", &data, &control).unwrap_err().kind(), "interrupted");
        }
    }
}
