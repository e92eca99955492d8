//! Memory as the driver gives it, and what of it lies idle.
//!
//! `cuMemAlloc` and `cuMemFree` wait for everything that runs and take up to milliseconds, and a run allocates the same few sizes
//! as the run before it. So sizes are rounded up to classes ([`class_of`]), and what is given back lies idle, by class, for
//! the next who asks for that class.

use super::context::Context;
use crate::MemoryKind;
use cudarc::driver::{
    result::{self, DriverError},
    sys::{self, CUresult},
};
use std::{collections::HashMap, ffi::c_void};

/// The most bytes of page-locked host memory that lie idle.
const IDLE_PINNED: u64 = 256 << 20;
const MIB: usize = 1 << 20;

/// Memory as the driver gave it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// The address kernels use.
    pub(super) device: u64,
    /// The address the host uses, or 0.
    pub(super) host: u64,
}

/// Pieces in nobody's hands.
#[derive(Debug)]
pub(super) struct Idle {
    pieces: HashMap<(MemoryKind, usize), Vec<Piece>>,
    /// Bytes of the device's memory and of the host's.
    device: u64,
    pinned: u64,
    /// The most of the device's.
    limit: u64,
}

impl Idle {
    /// None yet; at most so many bytes of the device's memory.
    pub(super) fn new(limit: u64) -> Self {
        Self { pieces: HashMap::new(), device: 0, pinned: 0, limit }
    }

    /// Bytes of the device's memory that lie here.
    pub(super) fn device(&self) -> u64 {
        self.device
    }

    /// Does a piece of a class lie here?
    pub(super) fn has(&self, kind: MemoryKind, class: usize) -> bool {
        self.pieces.get(&(kind, class)).is_some_and(|pieces| !pieces.is_empty())
    }

    /// A piece of a class: one that lies here, or one of the driver's, for which everything here goes back if there is
    /// otherwise no room.
    ///
    /// # Errors
    /// The driver's.
    pub(super) fn take(
        &mut self,
        context: &Context,
        kind: MemoryKind,
        class: usize,
    ) -> Result<Piece, DriverError> {
        if let Some(piece) = self.pieces.get_mut(&(kind, class)).and_then(Vec::pop) {
            *self.bytes_of(kind) -= class as u64;
            return Ok(piece);
        }
        let made = make(context, kind, class);
        if made.is_err_and(|error| error.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY) {
            self.clear(context);
            return make(context, kind, class);
        }
        made
    }

    /// Takes a piece back, to lie here or to go to the driver. Managed memory goes: its pages are where its last user wanted them.
    ///
    /// # Safety
    /// It came from [`Idle::take`] for that kind and class, and nobody uses it any more.
    pub(super) unsafe fn put(&mut self, context: &Context, kind: MemoryKind, class: usize, piece: Piece) {
        let limit = match kind {
            MemoryKind::Device => self.limit,
            MemoryKind::Pinned => IDLE_PINNED,
            MemoryKind::Managed => 0,
        };
        let bytes = self.bytes_of(kind);
        if *bytes + class as u64 > limit {
            // SAFETY: the caller's promise.
            unsafe { unmake(context, kind, piece) };
            return;
        }
        *bytes += class as u64;
        self.pieces.entry((kind, class)).or_default().push(piece);
    }

    /// Gives everything back to the driver.
    pub(super) fn clear(&mut self, context: &Context) {
        for ((kind, _), pieces) in self.pieces.drain() {
            for piece in pieces {
                // SAFETY: put here by `put`, in nobody's hands, and out of the list now.
                unsafe { unmake(context, kind, piece) };
            }
        }
        (self.device, self.pinned) = (0, 0);
    }

    fn bytes_of(&mut self, kind: MemoryKind) -> &mut u64 {
        if kind == MemoryKind::Pinned { &mut self.pinned } else { &mut self.device }
    }
}

/// Bytes that are allocated for so many: powers of two from 512 bytes to a mebibyte, then multiples of two mebibytes, which is
/// what the driver deals in anyway. `None` if there is no such number.
pub(super) fn class_of(bytes: usize) -> Option<usize> {
    if bytes <= MIB {
        Some(bytes.next_power_of_two().max(512))
    } else {
        bytes.checked_next_multiple_of(2 * MIB)
    }
}

fn make(context: &Context, kind: MemoryKind, bytes: usize) -> Result<Piece, DriverError> {
    context.ask(|| match kind {
        MemoryKind::Device => {
            // SAFETY: gives memory of its own; that it is not initialised is said to whoever asks.
            let device = unsafe { result::malloc_sync(bytes) }?;
            Ok(Piece { device, host: 0 })
        }
        MemoryKind::Pinned => {
            // Not write-combined: the host reads it too.
            let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
            // SAFETY: as above.
            let host = unsafe { result::malloc_host(bytes, flags) }?;
            let mut device = 0;
            // SAFETY: mapped host memory that was just made, and one address to write to.
            let mapped = unsafe { sys::cuMemHostGetDevicePointer_v2(&raw mut device, host, 0) }.result();
            if let Err(error) = mapped {
                // SAFETY: just made, given to nobody.
                let _ = unsafe { result::free_host(host) };
                return Err(error);
            }
            Ok(Piece { device, host: host as u64 })
        }
        MemoryKind::Managed => {
            let everyone = sys::CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL;
            // SAFETY: as above.
            let device = unsafe { result::malloc_managed(bytes, everyone) }?;
            Ok(Piece { device, host: device })
        }
    })
}

/// # Safety
/// The piece came from [`make`] of that kind, and nobody uses it any more.
unsafe fn unmake(context: &Context, kind: MemoryKind, piece: Piece) {
    // What the driver answers changes nothing: the memory is out of our hands.
    let _ = context.ask(|| match kind {
        // SAFETY: the caller's promise.
        MemoryKind::Pinned => unsafe { result::free_host(piece.host as *mut c_void) },
        // SAFETY: the caller's promise.
        MemoryKind::Device | MemoryKind::Managed => unsafe { result::free_sync(piece.device) },
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_what_is_asked_for_and_waste_little() {
        for bytes in [0, 1, 511, 512, 513, 4096, MIB - 1, MIB, MIB + 1, 2 * MIB, 5 * MIB, 3 << 30] {
            let class = class_of(bytes).unwrap();
            assert!(class >= bytes.max(1), "{bytes} in {class}");
            assert!(class <= (2 * bytes).max(512) && class < bytes + 2 * MIB, "{bytes} in {class}");
            assert_eq!(class_of(class), Some(class), "a class is its own");
        }
        assert_eq!(class_of(usize::MAX), None);
    }
}
