//! [`Ring`]: page-locked buffers through which large arrays travel between host and device at the speed of the bus.
//!
//! A driver copies ordinary host memory through a buffer of its own, on one thread: 6.7 GB/s where the bus has 55. A
//! ring has lanes, each with a thread and two buffers ([`lane`]). While one buffer of a lane travels, its thread fills
//! or empties the other one. Before a filled buffer travels, the caller may look at it while it is in the cache of that
//! core, for example to compute a checksum.
//!
//! The ring keeps its buffers until the device is closed. If no memory can be locked, the driver copies.

mod lane;

use crate::{CopyKind, Device, Error, Gpu, Parcel, Result};
use lane::Lane;
use std::{
    panic::resume_unwind,
    sync::{Mutex, PoisonError},
    thread,
};

/// Bytes of a buffer, and of the smallest piece that travels.
pub(crate) const CHUNK: usize = 2 << 20;
const LEAST: usize = 1 << 20;
/// The least bytes that travel through a ring. For fewer, starting threads takes longer than the driver's own copy.
pub(crate) const WORTH: usize = 8 << 20;
/// The most lanes. With more, the bus or the host's memory is the limit.
const MOST_LANES: usize = 16;

/// Looks at bytes before they travel: the number of their parcel, their place in it, and the bytes themselves. Returns
/// false to stop.
pub(crate) type Look<'a> = dyn Fn(usize, usize, &[u8]) -> bool + Sync + 'a;

/// The lanes of one device.
#[derive(Debug)]
pub(crate) struct Ring {
    lanes: Vec<Lane>,
}

impl Default for Ring {
    /// Returns one lane per processor, [`MOST_LANES`] at most. They have no buffers yet.
    fn default() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self { lanes: (0..cores.min(MOST_LANES)).map(|_| Lane::default()).collect() }
    }
}

impl Ring {
    /// Copies parcels to the device after all work started before, in pieces of at most [`CHUNK`] bytes that start at
    /// multiples of [`LEAST`]. When it returns, all bytes are there.
    ///
    /// # Safety
    /// The target of every parcel is memory of this device with room for its bytes.
    ///
    /// # Errors
    /// [`Error::Stopped`] if `look` stops it; if the device fails.
    pub(crate) unsafe fn send(&mut self, gpu: &Gpu, parcels: &[Parcel<'_>], look: &Look<'_>) -> Result<()> {
        let total = parcels.iter().map(|parcel| parcel.bytes.len()).sum();
        let piece = self.piece(total);
        let next = Mutex::new(parcels.iter().enumerate().flat_map(|(number, parcel)| {
            let cut = parcel.bytes.chunks(piece).enumerate();
            cut.map(move |(index, bytes)| (number, index * piece, parcel.to, bytes))
        }));
        let look = |number: usize, at: usize, bytes: &[u8]| match look(number, at, bytes) {
            true => Ok(()),
            false => Err(Error::Stopped { label: gpu.properties().label.clone() }),
        };
        let begin = |buffer: &mut [u8]| {
            let Some((number, at, to, bytes)) = taken(&next) else { return Ok(None) };
            let filled = &mut buffer[..bytes.len()];
            filled.copy_from_slice(bytes);
            look(number, at, filled)?;
            // SAFETY: the caller's promise for the target. A lane leaves its buffer alone until the copy has finished.
            let event = unsafe {
                gpu.copy_beside(CopyKind::ToDevice, to + at as u64, filled.as_ptr() as u64, bytes.len())
            }?;
            Ok(Some((event, ())))
        };
        self.run(gpu, total, |lane| lane.take_turns(gpu, begin, |_, ()| {}))?;
        while let Some((number, at, to, bytes)) = taken(&next) {
            look(number, at, bytes)?;
            // SAFETY: as above. A slice is not pinned memory, so the copy has finished when the call returns.
            unsafe { gpu.copy(CopyKind::ToDevice, to + at as u64, bytes.as_ptr() as u64, bytes.len()) }?;
        }
        Ok(())
    }

    /// Copies bytes from the device after all work started before. When it returns, all bytes are here.
    ///
    /// # Safety
    /// `from` is memory of this device with at least as many bytes.
    ///
    /// # Errors
    /// The errors of the work started before; if the device fails.
    pub(crate) unsafe fn fetch(&mut self, gpu: &Gpu, from: u64, into: &mut [u8]) -> Result<()> {
        let total = into.len();
        let piece = self.piece(total);
        let next = Mutex::new(into.chunks_mut(piece).enumerate());
        let begin = |buffer: &mut [u8]| {
            let Some((index, target)) = taken(&next) else { return Ok(None) };
            let (to, from) = (buffer.as_mut_ptr() as u64, from + (index * piece) as u64);
            // SAFETY: the caller's promise for the source; the buffer has CHUNK bytes, the target at most as many. A
            // lane leaves its buffer alone until the copy has finished.
            let event = unsafe { gpu.copy_beside(CopyKind::ToHost, to, from, target.len()) }?;
            Ok(Some((event, target)))
        };
        let end = |buffer: &[u8], target: &mut [u8]| target.copy_from_slice(&buffer[..target.len()]);
        self.run(gpu, total, |lane| lane.take_turns(gpu, begin, end))?;
        while let Some((index, target)) = taken(&next) {
            let (to, from) = (target.as_mut_ptr() as u64, from + (index * piece) as u64);
            // SAFETY: as above. A slice is not pinned memory, so the copy has finished when the call returns.
            unsafe { gpu.copy(CopyKind::ToHost, to, from, target.len()) }?;
        }
        Ok(())
    }

    /// Returns how many lanes take part in a copy: each has two buffers to fill at least.
    fn lanes_for(&self, total: usize) -> usize {
        self.lanes.len().min(total.div_ceil(2 * CHUNK)).max(1)
    }

    /// Returns the bytes per piece of a copy. Every lane carries some, so that travelling overlaps with the rest.
    fn piece(&self, total: usize) -> usize {
        (total / (4 * self.lanes_for(total))).next_multiple_of(LEAST).clamp(LEAST, CHUNK)
    }

    /// Runs `work` on lanes, each on a thread of its own. When it returns, nothing travels.
    /// Lanes are not worth it for few bytes, and a lane without a thread or without locked memory does nothing,
    /// so pieces may be left.
    fn run(&mut self, gpu: &Gpu, total: usize, work: impl Fn(&mut Lane) -> Result<()> + Sync) -> Result<()> {
        if total < WORTH {
            return Ok(());
        }
        gpu.order_copies()?;
        let most = self.lanes_for(total);
        let lanes = &mut self.lanes[..most];
        let ended: Vec<_> = thread::scope(|scope| {
            let start = |lane| thread::Builder::new().spawn_scoped(scope, || work(lane)).ok();
            let threads: Vec<_> = lanes.iter_mut().filter_map(start).collect();
            threads.into_iter().map(|thread| thread.join()).collect()
        });
        // After an error or a panic, copies may still travel. They use memory that the caller frees next.
        let waited: Vec<_> = lanes.iter_mut().map(|lane| lane.wait(gpu)).collect();
        for end in ended {
            end.unwrap_or_else(|panic| resume_unwind(panic))?;
        }
        waited.into_iter().collect()
    }

    /// Unlocks and frees all buffers. Nothing may travel.
    pub(crate) fn clear(&mut self, device: &dyn Device) {
        self.lanes.iter_mut().for_each(|lane| lane.clear(device));
    }
}

/// Takes the next piece.
fn taken<P>(pieces: &Mutex<impl Iterator<Item = P>>) -> Option<P> {
    pieces.lock().unwrap_or_else(PoisonError::into_inner).next()
}
