//! Encodes and decodes one block of targets.

use super::BLOCK;
use crate::csr::Vertex;

/// Bits of an entry for the position of the block's words.
pub const POSITION_BITS: u32 = 36;
/// Bits of an entry for the base.
pub const BASE_BITS: u32 = 19;
/// Bits of an entry for the width of targets.
const WIDTH_BITS: u32 = 6;
/// Bits of an entry for the number of bits that the upper word saves per arc.
const SAVED_BITS: u32 = 2;
/// The words that the upper bits take.
const UPPER: usize = 2;

/// The entry of a block: where its words are and how to read them.
///
/// | bits | meaning |
/// | --- | --- |
/// | 0..36 | position: the index of the block's first word |
/// | 36..55 | base: the least target of the block, shifted to the right by [`shift`](super::Coded::shift) |
/// | 55..61 | width `k`: all targets are below base + 2^k; 0 to 32 |
/// | 61..63 | saved `s`: 0 for fixed-width numbers, else Elias-Fano code with `l = k - 2 - s` lower bits |
/// | 63 | near: the position is one in a second array of words, which lies in the memory of a device |
///
/// Let `t[i]` be the targets. Fixed-width numbers: number `i` is `t[i] - base`, in the bits `i * k..(i + 1) * k` of the
/// words. Elias-Fano: let `x[i]` be `t[i] - base + f * 2^k`, where `f` is the number of targets up to `i` in the block that
/// are less than the one before them. Then `x` never decreases, and `t[i]` is `base + x[i] % 2^k`. The first two words are
/// a 64-bit number, in which bit `(x[i] >> l) + i` is set for every `i`. The words after them have the lower `l` bits of
/// `x[i]` as fixed-width numbers. `l` is the least number for which all `x[i] >> l` are below 32. The last `x` has `k` bits
/// or more, so `l` is at least `k - 5`. If `l` is more than `k - 3`, fixed-width numbers take no more words than the code,
/// and are used. So `s` is at most 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry(u64);

impl Entry {
    /// The bit that says that the words of a block lie in the second array.
    pub const NEAR: u64 = 1 << 63;

    /// Takes the bits of an entry.
    #[inline]
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the bits.
    #[inline]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Returns the entry at position 0 of the smallest code for a block of 1 to [`BLOCK`] targets.
    #[inline]
    pub(super) fn of(block: &[Vertex], shift: u32) -> Self {
        let (mut least, mut greatest) = (Vertex::MAX, 0);
        for &target in block {
            (least, greatest) = (least.min(target), greatest.max(target));
        }
        let base = least >> shift;
        let span = greatest - (base << shift);
        let width = Vertex::BITS - span.leading_zeros();
        let falls = block.windows(2).map(|pair| u64::from(pair[1] < pair[0])).sum::<u64>();
        let last = (falls << width) + u64::from(block[block.len() - 1] - (base << shift));
        let lower = (u64::BITS - last.leading_zeros()).saturating_sub(BLOCK.ilog2());
        let plain = Self(u64::from(width) << (POSITION_BITS + BASE_BITS) | u64::from(base) << POSITION_BITS);
        let saved = width.saturating_sub(lower + UPPER as u32);
        let coded = Self(plain.0 | u64::from(saved) << (POSITION_BITS + BASE_BITS + WIDTH_BITS));
        if coded.words(block.len()) < plain.words(block.len()) { coded } else { plain }
    }

    /// Returns the same entry for words at another position of the same array.
    #[inline]
    pub fn at(self, position: u64) -> Self {
        debug_assert!(position < 1 << POSITION_BITS);
        Self(self.0 >> POSITION_BITS << POSITION_BITS | position)
    }

    /// Returns the same entry for words at a position of the second array.
    #[inline]
    pub fn near(self, position: u64) -> Self {
        Self(self.at(position).0 | Self::NEAR)
    }

    /// Returns true if the words lie in the second array.
    #[inline]
    pub fn is_near(self) -> bool {
        self.0 & Self::NEAR != 0
    }

    /// Returns the position of the block's first word.
    #[inline]
    pub fn position(self) -> u64 {
        self.field(0, POSITION_BITS)
    }

    /// Returns the number of words of the block if it has `arcs` arcs.
    #[inline]
    pub fn words(self, arcs: usize) -> usize {
        self.upper() + (arcs * self.lower() as usize).div_ceil(u32::BITS as usize)
    }

    /// Writes the words of a block; `words` has room for exactly these.
    pub(super) fn encode(self, block: &[Vertex], shift: u32, words: &mut [u32]) {
        let (base, width, lower) = (self.base(shift), self.width(), self.lower());
        let (upper, rest) = words.split_at_mut(self.upper());
        let mut rest = rest.iter_mut();
        let (mut ones, mut falls, mut before) = (0_u64, 0_u64, 0);
        // Bits that fill the next word, and their number, which is below 32 between targets.
        let (mut bits, mut count) = (0_u64, 0);
        for (i, &target) in block.iter().enumerate() {
            let offset = u64::from(target - base);
            bits |= (offset & low_mask(lower)) << count;
            count += lower;
            if count >= u32::BITS {
                put(&mut rest, bits as u32);
                (bits, count) = (bits >> u32::BITS, count - u32::BITS);
            }
            if self.saved() > 0 {
                falls += u64::from(target < before);
                ones |= 1 << ((((falls << width) + offset) >> lower) + i as u64);
            }
            before = target;
        }
        if count > 0 {
            put(&mut rest, bits as u32);
        }
        if let [low, high] = upper {
            (*low, *high) = (ones as u32, (ones >> u32::BITS) as u32);
        }
    }

    /// Returns target `i` of the block with these words.
    pub(super) fn get(self, words: &[u32], shift: u32, i: usize) -> Vertex {
        let lower = self.lower();
        let mut offset = number(&words[self.upper()..], lower, i);
        if self.saved() > 0 {
            let mut ones = ones(words);
            for _ in 0..i {
                ones &= ones - 1;
            }
            offset |= (u64::from(ones.trailing_zeros()) - i as u64) << lower;
        }
        self.target(shift, offset)
    }

    /// Writes all targets of the block with these words.
    pub(super) fn decode(self, words: &[u32], shift: u32, targets: &mut [Vertex]) {
        let lower = self.lower();
        let rest = &words[self.upper()..];
        let mut ones = if self.saved() > 0 { ones(words) } else { 0 };
        for (i, target) in targets.iter_mut().enumerate() {
            let mut offset = number(rest, lower, i);
            if self.saved() > 0 {
                offset |= (u64::from(ones.trailing_zeros()) - i as u64) << lower;
                ones &= ones - 1;
            }
            *target = self.target(shift, offset);
        }
    }

    fn target(self, shift: u32, offset: u64) -> Vertex {
        self.base(shift) + (offset & low_mask(self.width())) as Vertex
    }

    fn base(self, shift: u32) -> Vertex {
        (self.field(POSITION_BITS, BASE_BITS) as Vertex) << shift
    }

    fn width(self) -> u32 {
        self.field(POSITION_BITS + BASE_BITS, WIDTH_BITS) as u32
    }

    fn saved(self) -> u32 {
        self.field(POSITION_BITS + BASE_BITS + WIDTH_BITS, SAVED_BITS) as u32
    }

    /// Returns the width of the fixed-width numbers.
    fn lower(self) -> u32 {
        if self.saved() == 0 { self.width() } else { self.width() - UPPER as u32 - self.saved() }
    }

    /// Returns the number of words of the upper bits.
    fn upper(self) -> usize {
        if self.saved() == 0 { 0 } else { UPPER }
    }

    fn field(self, first: u32, bits: u32) -> u64 {
        self.0 >> first & low_mask(bits)
    }
}

/// Returns a number whose lower `bits` bits, below 64, are set.
fn low_mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

fn put<'a>(words: &mut impl Iterator<Item = &'a mut u32>, value: u32) {
    if let Some(word) = words.next() {
        *word = value;
    }
}

/// Returns the upper bits of a block in Elias-Fano code.
fn ones(words: &[u32]) -> u64 {
    u64::from(words[0]) | u64::from(words[1]) << u32::BITS
}

/// Returns number `i` of fixed-width numbers of `bits` bits.
fn number(words: &[u32], bits: u32, i: usize) -> u64 {
    let first = i * bits as usize;
    let word = |i: usize| u64::from(words.get(i).copied().unwrap_or(0));
    let (at, skipped) = (first / u32::BITS as usize, first % u32::BITS as usize);
    (word(at) | word(at + 1) << u32::BITS) >> skipped & low_mask(bits)
}
