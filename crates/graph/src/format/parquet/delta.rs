//! Finds the end of numbers in the encoding `DELTA_BINARY_PACKED`, which holds the lengths of texts.
//!
//! The encoding starts with the block size, the number of miniblocks per block, the number of values and the first
//! value. Blocks follow; each has its smallest delta, a width in bits per miniblock, and the miniblocks. Miniblocks
//! after the last value have a width but no bytes.

use super::thrift::Thrift;

/// Returns the index of the first byte after the numbers, or `None` if they claim to be more than `most` or contradict
/// themselves.
pub(super) fn end(data: &[u8], most: usize) -> Option<usize> {
    let mut rest = Thrift(data);
    let (block, miniblocks, values) = (rest.varint()?, rest.varint()?, rest.varint()?);
    rest.zigzag()?;
    let per_miniblock = block.checked_div(miniblocks).filter(|&n| n > 0)?;
    if values > most as u64 {
        return None;
    }
    let mut left = values.saturating_sub(1);
    while left > 0 {
        rest.varint()?;
        let widths = rest.0.get(..usize::try_from(miniblocks).ok()?)?;
        let mut bytes = miniblocks;
        for &width in widths.iter().take(left.div_ceil(per_miniblock).min(miniblocks) as usize) {
            bytes = bytes.checked_add(u64::from(width).checked_mul(per_miniblock)? / 8)?;
        }
        rest.bytes(bytes)?;
        left = left.saturating_sub(block);
    }
    Some(data.len() - rest.0.len())
}
