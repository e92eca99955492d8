//! How far numbers in `DELTA_BINARY_PACKED` reach: the lengths of texts are encoded so.
//!
//! Block size, miniblocks a block, number of values, first value; then blocks of a smallest delta, a width in bits for
//! each miniblock, and the miniblocks. Widths of miniblocks after the last value do not count.

use super::thrift::Thrift;

/// Where the numbers end; `None` if they say to be more than `most`, or contradict themselves.
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
