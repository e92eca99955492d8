//! Sorting on a device: pairs of a 64-bit key and a 32-bit value, by a radix sort \[1\] with 8 bits per pass, from the
//! least significant digit to the most significant one. A pass is stable: it keeps the order of pairs with equal
//! digits.
//!
//! Memory: both arrays twice, and half a byte per pair.
//!
//! \[1\] D. Merrill, A. Grimshaw, High performance and scalable radix sorting, Parallel Processing Letters 2011.
//! Departure: a warp processes its tile serially, 32 pairs at a time, which keeps their order without a scan over the
//! digits of the tile.

use crate::{
    machine::{Grid, Launch, Machine},
    memory::LEAST_BLOCK,
    scan::Scan,
    variants,
};
use warpgraph_core::Result;
use warpgraph_device::{Address, Array, arguments};

/// Pairs per tile; one warp sorts a tile. The counts of a tile take as much memory as about 85 pairs.
const TILE: usize = 2048;
/// The same for as many pairs as keep every warp busy: fewer counts have to be added up.
const LARGE_TILE: usize = 8192;
const LARGE: usize = 1 << 26;
/// Bits per digit, and the number of digit values.
pub(crate) const DIGIT_BITS: u32 = 8;
pub(crate) const DIGITS: usize = 1 << DIGIT_BITS;

arguments! {
    /// The arguments of the kernels that sort.
    pub(crate) struct SortArgs {
        pub(crate) keys: Address<u64>,
        pub(crate) values: Address<u32>,
        pub(crate) keys_out: Address<u64>,
        pub(crate) values_out: Address<u32>,
        /// The count of each digit in each tile, ordered by digit; after the scan, the position of the first such pair.
        pub(crate) counts: Address<u32>,
        pub(crate) count: u64,
        /// Pairs per tile.
        pub(crate) tile: u64,
        /// Number of bits below the digit.
        pub(crate) shift: u64,
    }
}

/// Keys with their values.
pub(crate) struct Pairs {
    pub(crate) keys: Array<u64>,
    pub(crate) values: Array<u32>,
}

impl Pairs {
    /// Allocates `len` pairs without initialising them.
    pub(crate) fn new(machine: &Machine<'_>, len: usize) -> Result<Self> {
        Ok(Self { keys: machine.array(len, "keys to sort")?, values: machine.array(len, "values to sort")? })
    }
}

/// The kernels that sort.
pub(crate) struct Sort {
    count: Launch<SortArgs>,
    place: Launch<SortArgs>,
    scan: Scan,
}

impl Sort {
    /// Compiles the kernels.
    pub(crate) fn new(machine: &Machine<'_>) -> Result<Self> {
        let source = variants::sort()?;
        Ok(Self {
            count: machine.kernel(&source, "sort_count")?,
            place: machine.kernel(&source, "sort_place")?,
            scan: Scan::new(machine, false)?,
        })
    }

    /// Sorts `pairs` by the digits that begin at these bits, the least significant digit first. Uses `spare`, which
    /// must be as long, as scratch memory, and returns when the device is idle.
    ///
    /// # Panics
    /// If the four arrays differ in length.
    pub(crate) fn run(
        &self,
        machine: &Machine<'_>,
        pairs: &mut Pairs,
        spare: &mut Pairs,
        shifts: impl Iterator<Item = u32>,
    ) -> Result<()> {
        let tile = if pairs.keys.len() < LARGE { TILE } else { LARGE_TILE };
        self.run_by(machine, pairs, spare, shifts, tile)
    }

    /// Does the same as [`Sort::run`], in tiles of this many pairs.
    fn run_by(
        &self,
        machine: &Machine<'_>,
        pairs: &mut Pairs,
        spare: &mut Pairs,
        shifts: impl Iterator<Item = u32>,
        tile: usize,
    ) -> Result<()> {
        let len = pairs.keys.len();
        let others = [pairs.values.len(), spare.keys.len(), spare.values.len()];
        assert_eq!(others, [len; 3], "as many keys as values, here and there");
        let tiles = len.div_ceil(tile);
        let room = self.scan.room(machine, DIGITS * tiles)?;
        let counts = machine.array::<u32>(DIGITS * tiles + 1, "counts of digits")?;
        for shift in shifts {
            let args = SortArgs {
                keys: pairs.keys.address(),
                values: pairs.values.address(),
                keys_out: spare.keys.address(),
                values_out: spare.values.address(),
                counts: counts.address(),
                count: len as u64,
                tile: tile as u64,
                shift: u64::from(shift),
            };
            let grid = Grid::For(32 * tiles as u64);
            // SAFETY: all four arrays have `len` entries, and `counts` one per digit and tile; they live until the wait
            // below.
            unsafe { machine.start(&self.count, grid, &args)? };
            self.scan.run(machine, &counts, DIGITS * tiles, &room)?;
            // SAFETY: as above; the position of a pair is the number of pairs before it, so it is below `len` and no
            // other pair's.
            unsafe { machine.start(&self.place, grid, &args)? };
            std::mem::swap(pairs, spare);
        }
        machine.wait()
    }
}

/// Returns the first bits of all digits that numbers below `most` have, from bit `first` on.
pub(crate) fn digits(most: usize, first: u32) -> impl Iterator<Item = u32> {
    let bits = usize::BITS - most.saturating_sub(1).leading_zeros();
    (0..bits.div_ceil(DIGIT_BITS)).map(move |digit| first + digit * DIGIT_BITS)
}

/// Returns the most bytes of device memory that sorting this many pairs takes beside them.
pub(crate) fn bytes(pairs: u64) -> u64 {
    let counts = DIGITS as u64 * pairs.div_ceil(TILE as u64);
    4 * (counts + 1) + 4 * counts.div_ceil(LEAST_BLOCK)
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::testing::simt;
    use warpgraph_core::Options;
    use warpgraph_graph::hash;

    #[test]
    fn pairs_come_out_by_the_digits_asked_for_and_in_their_order_where_those_are_the_same() {
        let gpu = simt();
        let options = Options::default();
        let machine = Machine::new(&gpu, &options, "sorting");
        let sort = Sort::new(&machine).unwrap();
        // Few values of the middle digit occur; the test does not sort by the other digits.
        let mask = 0xffff_ffff_ff03_ff0f;
        for len in [0, 1, 31, 32, 33, TILE - 1, TILE, TILE + 1, 5 * TILE + 77] {
            let mut expected: Vec<(u64, u32)> =
                (0..len as u32).map(|i| (hash::mix(7, i.into()) & mask, i)).collect();
            let [mut pairs, mut spare] = [(); 2].map(|()| Pairs::new(&machine, len).unwrap());
            pairs.keys.write(&expected.iter().map(|pair| pair.0).collect::<Vec<_>>()).unwrap();
            pairs.values.write(&expected.iter().map(|pair| pair.1).collect::<Vec<_>>()).unwrap();
            let tile = if len % 2 == 0 { TILE } else { 3 * 32 };
            sort.run_by(&machine, &mut pairs, &mut spare, [8, 16, 40].into_iter(), tile).unwrap();
            expected.sort_by_key(|(key, _)| (key >> 40 & 0xff, key >> 8 & 0xffff));
            let (keys, values) = (pairs.keys.to_vec().unwrap(), pairs.values.to_vec().unwrap());
            assert_eq!(keys.into_iter().zip(values).collect::<Vec<_>>(), expected, "{len} pairs");
        }
    }
}
