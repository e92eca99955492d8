//! Prefix sums on a device.

use crate::{
    frontier::SHORT_TILES,
    machine::{Grid, Launch, Machine},
    variants,
};
use bytemuck::Pod;
use warpgraph_core::Result;
use warpgraph_device::{Address, Array, arguments};

arguments! {
    /// The arguments of the kernels of prefix sums.
    pub(crate) struct ScanArgs {
        pub(crate) values: Address<()>,
        /// Receives the sums of tiles.
        pub(crate) sums: Address<()>,
        pub(crate) count: u64,
        /// Entries per tile: the threads of a block.
        pub(crate) tile: u64,
    }
}

/// The kernels that compute prefix sums of numbers of 32 or 64 bits.
pub(crate) struct Scan {
    width: usize,
    tiles: Launch<ScanArgs>,
    over: Launch<ScanArgs>,
    add: Launch<ScanArgs>,
    short: Launch<ScanArgs>,
}

/// Scratch memory for the sums of tiles.
pub(crate) struct Room {
    most: usize,
    sums: Array<u8>,
}

impl Scan {
    /// Compiles the kernels. If `wide`, the numbers have 64 bits.
    pub(crate) fn new(machine: &Machine<'_>, wide: bool) -> Result<Self> {
        let source = variants::scan(wide)?;
        Ok(Self {
            width: if wide { 8 } else { 4 },
            tiles: machine.kernel(&source, "scan_tiles")?,
            over: machine.kernel(&source, "scan_sums")?,
            add: machine.kernel(&source, "scan_add")?,
            short: machine.kernel(&source, "scan_short")?,
        })
    }

    /// Allocates scratch memory for at most `most` numbers.
    pub(crate) fn room(&self, machine: &Machine<'_>, most: usize) -> Result<Room> {
        let tiles = most.div_ceil(machine.block() as usize);
        Ok(Room { most, sums: machine.array(tiles * self.width, "sums of tiles")? })
    }

    /// Replaces each of the first `count` numbers by the sum of all numbers before it, and writes the total behind the
    /// last one.
    ///
    /// # Panics
    /// If the array has no entry for the total, or if `count` is more than the scratch memory was made for.
    pub(crate) fn run<T: Pod>(
        &self,
        machine: &Machine<'_>,
        values: &Array<T>,
        count: usize,
        room: &Room,
    ) -> Result<()> {
        let places = values.len() * size_of::<T>() / self.width;
        assert!(count < places && count <= room.most, "{count} numbers in {places}, {} at most", room.most);
        let args = ScanArgs {
            values: values.address().cast(),
            sums: room.sums.address().cast(),
            count: count as u64,
            tile: u64::from(machine.block()),
        };
        // SAFETY: both arrays are long enough, as checked above and by `room`; their owner waits before it frees them.
        unsafe {
            if args.count <= SHORT_TILES * args.tile {
                return machine.start(&self.short, Grid::One, &args);
            }
            machine.start(&self.tiles, Grid::For(args.count), &args)?;
            machine.start(&self.over, Grid::One, &args)?;
            machine.start(&self.add, Grid::For(args.count), &args)
        }
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::testing::simt;
    use warpgraph_core::Options;

    #[test]
    fn every_number_becomes_the_sum_of_those_before_it_and_the_last_is_that_of_all() {
        let gpu = simt();
        let options = Options::default();
        let machine = Machine::new(&gpu, &options, "adding up");
        let (narrow, wide) = (Scan::new(&machine, false).unwrap(), Scan::new(&machine, true).unwrap());
        // One block at a time adds up the sums of as many tiles as it has threads.
        let tile = machine.block() as usize;
        for count in [0, 1, 31, 32, 8 * tile, 8 * tile + 1, tile * tile, 2 * tile * tile + 65] {
            let number = |i: usize| (i as u64 * 7 + 3) % 11;
            let sums = (0..=count).scan(0, |sum, i| Some(std::mem::replace(sum, *sum + number(i))));
            let expected: Vec<u64> = sums.collect();
            let values: Vec<u64> = (0..=count).map(number).collect();
            let array = gpu.array_of(&values, "numbers").unwrap();
            wide.run(&machine, &array, count, &wide.room(&machine, count).unwrap()).unwrap();
            assert_eq!(array.to_vec().unwrap(), expected, "{count} wide ones");
            let values: Vec<u32> = values.iter().map(|&x| x as u32).collect();
            let array = gpu.array_of(&values, "numbers").unwrap();
            narrow.run(&machine, &array, count, &narrow.room(&machine, count).unwrap()).unwrap();
            let sums: Vec<u64> = array.to_vec().unwrap().into_iter().map(u64::from).collect();
            assert_eq!(sums, expected, "{count} narrow ones");
        }
    }
}
