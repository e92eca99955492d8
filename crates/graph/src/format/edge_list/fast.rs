//! Reads plain lines of numbers, eight digits at a time.
//!
//! A line is plain if it is `number separator number [separator number]` with one separator byte and numbers of at most
//! 15 digits, and ends in LF or CRLF. This module leaves to the general reader the first line that is not plain, and
//! lines that start in the last 64 bytes of the data, where a read of eight bytes might pass the end.

/// A receiver of edges, which may reject an edge and so leave it to the general reader.
pub(in crate::format) trait Sink {
    /// Appends an edge, and its weight if `WEIGHTED`, and returns true.
    ///
    /// Returns false and appends nothing if an id is out of range or the weights are of another type.
    fn edge<const WEIGHTED: bool>(&mut self, source: u64, target: u64, weight: u32) -> bool;
}

/// An upper bound on the bytes that reading one plain line touches.
const REACH: usize = 64;

/// Reads plain lines from `at` to `end` and returns the start of the first line it did not read.
#[inline(always)]
pub(super) fn read_lines<const WEIGHTED: bool>(
    data: &[u8],
    mut at: usize,
    end: usize,
    sink: &mut impl Sink,
) -> usize {
    let end = end.min(data.len().saturating_sub(REACH));
    while at < end {
        let Some(next) = read_line::<WEIGHTED>(&data[at..at + REACH], sink) else { return at };
        at += next;
    }
    at
}

/// Reads the first line of a window of [`REACH`] bytes and returns its length, or `None` if the line is not plain.
#[inline(always)]
fn read_line<const WEIGHTED: bool>(window: &[u8], sink: &mut impl Sink) -> Option<usize> {
    let window: &[u8; REACH] = window.try_into().ok()?;
    let (source, at) = number(window, 0)?;
    let at = separator(window, at)?;
    let (target, mut at) = number(window, at)?;
    let mut weight = 0;
    if WEIGHTED {
        at = separator(window, at)?;
        (weight, at) = number(window, at)?;
        if weight > u32::MAX.into() {
            return None;
        }
    }
    if window[at] == b'\r' {
        at += 1;
    }
    (window[at] == b'\n' && sink.edge::<WEIGHTED>(source, target, weight as u32)).then_some(at + 1)
}

#[inline(always)]
fn separator(window: &[u8; REACH], at: usize) -> Option<usize> {
    matches!(window[at], b' ' | b'\t' | b',' | b';').then_some(at + 1)
}

/// Reads a number of 1 to 15 digits at `at` and returns it with its end.
///
/// Three numbers stay inside the window: each takes at most 15 digits and a separator, and a read touches 16 bytes.
#[inline(always)]
fn number(window: &[u8; REACH], at: usize) -> Option<(u64, usize)> {
    let (value, digits) = eight(window, at);
    if digits < 8 {
        return (digits > 0).then_some((value, at + digits));
    }
    let (low, more) = eight(window, at + 8);
    (more < 8).then(|| (value * POWERS[more] + low, at + 8 + more))
}

const POWERS: [u64; 8] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000];

/// Returns the value and the count of the leading digits of the eight bytes at `at`.
#[inline(always)]
fn eight(window: &[u8; REACH], at: usize) -> (u64, usize) {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&window[at..at + 8]);
    // The first byte is the lowest. A digit is now 0..=9. In the first byte that is no digit, adding 6 sets a bit of
    // the upper half, or one is set already. Carries change only later bytes.
    let digits = u64::from_le_bytes(bytes) ^ 0x3030_3030_3030_3030;
    let others = (digits.wrapping_add(0x0606_0606_0606_0606) | digits) & 0xf0f0_f0f0_f0f0_f0f0;
    let count = (others.trailing_zeros() / 8) as usize;
    // Replace the bytes after the digits by leading zeros. There are two shifts because a shift by 64 is not allowed.
    let digits = digits << (4 * (8 - count)) << (4 * (8 - count));
    let pairs = (digits.wrapping_mul(2561) >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(6_553_601) >> 16) & 0x0000_ffff_0000_ffff;
    (fours.wrapping_mul(42_949_672_960_001) >> 32, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_are_read_as_they_stand() {
        for text in ["0", "7", "42", "1234567", "12345678", "123456789", "999999999999999", "0000012"] {
            for after in [" ", "\n", ":", "/", "\u{ff}"] {
                let mut window = [b'9'; REACH];
                let line = format!("{text}{after}");
                window[..line.len()].copy_from_slice(line.as_bytes());
                assert_eq!(number(&window, 0), Some((text.parse().unwrap(), text.len())), "{line:?}");
            }
        }
        assert_eq!(number(&[b'1'; REACH], 0), None, "too long for the fast way");
        assert_eq!(number(&[b'-'; REACH], 0), None);
    }
}
