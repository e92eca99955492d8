//! RGB pixels as a PNG file: one compressed block, every row as its difference from the one above, which leaves little of
//! figures that are mostly flat. After "Portable Network Graphics (PNG) Specification", third edition, W3C 2025.

use flate2::{Compression, Crc, write::ZlibEncoder};
use std::io::{self, Write};

pub(super) const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Bytes of a pixel.
const PIXEL: usize = 3;
/// Eight bits a channel, red, green and blue; the only compression and set of filters there is; rows from top to bottom.
const FORMAT: [u8; 5] = [8, 2, 0, 0, 0];
/// The filter that stores differences from the row above.
const UP: u8 = 2;

/// The file of `size.0 * size.1` pixels.
pub(super) fn png(size: (u32, u32), pixels: &[u8]) -> io::Result<Vec<u8>> {
    let header = [&size.0.to_be_bytes()[..], &size.1.to_be_bytes(), &FORMAT].concat();
    let mut file = SIGNATURE.to_vec();
    chunk(&mut file, *b"IHDR", &header)?;
    chunk(&mut file, *b"IDAT", &compressed(size.0 as usize * PIXEL, pixels)?)?;
    chunk(&mut file, *b"IEND", &[])?;
    Ok(file)
}

fn compressed(row: usize, pixels: &[u8]) -> io::Result<Vec<u8>> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::default());
    let mut above = vec![0; row];
    let mut filtered = vec![UP; 1 + row];
    for row in pixels.chunks_exact(row) {
        for ((filtered, here), above) in filtered[1..].iter_mut().zip(row).zip(&above) {
            *filtered = here.wrapping_sub(*above);
        }
        out.write_all(&filtered)?;
        above.copy_from_slice(row);
    }
    out.finish()
}

/// Length, name, content, and the sum of the last two.
fn chunk(file: &mut Vec<u8>, name: [u8; 4], content: &[u8]) -> io::Result<()> {
    let length = u32::try_from(content.len()).ok().filter(|length| *length < 1 << 31);
    let length = length.ok_or_else(|| io::Error::other("a figure of more than 2 GiB"))?;
    let mut sum = Crc::new();
    sum.update(&name);
    sum.update(content);
    file.extend(length.to_be_bytes());
    file.extend(name);
    file.extend(content);
    file.extend(sum.sum().to_be_bytes());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::testing::decoded;

    #[test]
    fn what_is_written_is_what_another_program_reads() {
        let pixels: Vec<u8> = (0..7 * 5 * 3).map(|i| (i * i % 251) as u8).collect();
        let file = png((7, 5), &pixels).unwrap();
        assert_eq!(file[..8], SIGNATURE);
        assert_eq!(decoded(&file), ((7, 5), pixels));
    }

    #[test]
    fn a_flat_figure_is_a_small_file() {
        assert!(png((2000, 1000), &vec![255; 2000 * 1000 * 3]).unwrap().len() < 20_000);
    }
}
