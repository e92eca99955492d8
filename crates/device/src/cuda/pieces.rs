//! Pieces of memory as the driver returns them, and the pieces that are idle.
//!
//! `cuMemAlloc` and `cuMemFree` wait for all running work and take up to milliseconds, and each run allocates the same
//! few sizes as the one before. So sizes are rounded up to classes ([`class_of`]), and freed pieces stay idle, by
//! class, until the next allocation of that class.

use super::context::Context;
use crate::{Advice, MemoryKind};
use cudarc::driver::{
    result::{self, DriverError},
    sys::{self, CUresult},
};
use std::{collections::HashMap, ffi::c_void};

/// The most bytes of idle pinned memory.
const IDLE_PINNED: u64 = 256 << 20;
const MIB: usize = 1 << 20;

/// A piece of memory as the driver returned it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// The address that kernels use.
    pub(super) device: u64,
    /// The address that the host uses, or 0.
    pub(super) host: u64,
}

/// The pieces that no allocation uses.
#[derive(Debug)]
pub(super) struct Idle {
    pieces: HashMap<(MemoryKind, usize), Vec<Piece>>,
    /// Idle bytes of device memory and of pinned memory.
    device: u64,
    pinned: u64,
    /// The most idle bytes of device memory.
    limit: u64,
}

impl Idle {
    /// Creates an empty list with room for this many bytes of device memory.
    pub(super) fn new(limit: u64) -> Self {
        Self { pieces: HashMap::new(), device: 0, pinned: 0, limit }
    }

    /// Returns the idle bytes of device memory.
    pub(super) fn device(&self) -> u64 {
        self.device
    }

    /// Returns whether there is an idle piece of this class.
    pub(super) fn has(&self, kind: MemoryKind, class: usize) -> bool {
        self.pieces.get(&(kind, class)).is_some_and(|pieces| !pieces.is_empty())
    }

    /// Takes an idle piece of this class, or allocates one. If the driver has no room, first returns all idle pieces to
    /// it.
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

    /// Puts a piece back: keeps it idle or returns it to the driver. Managed memory is always returned, since its pages
    /// lie where its last user needed them.
    ///
    /// # Safety
    /// The piece came from [`Idle::take`] for that kind and class, and is no longer used.
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

    /// Returns all idle pieces to the driver.
    pub(super) fn clear(&mut self, context: &Context) {
        for ((kind, _), pieces) in self.pieces.drain() {
            for piece in pieces {
                // SAFETY: `put` put it here, no allocation uses it, and it is no longer in the list.
                unsafe { unmake(context, kind, piece) };
            }
        }
        (self.device, self.pinned) = (0, 0);
    }

    fn bytes_of(&mut self, kind: MemoryKind) -> &mut u64 {
        if kind == MemoryKind::Pinned { &mut self.pinned } else { &mut self.device }
    }
}

/// Returns the size to allocate for this many bytes: powers of two from 512 bytes to one MiB, then multiples of two
/// MiB, the driver's own granularity. `None` if there is no such number.
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
            // SAFETY: returns new memory. Callers know that it is not initialised.
            let device = unsafe { result::malloc_sync(bytes) }?;
            Ok(Piece { device, host: 0 })
        }
        MemoryKind::Pinned => {
            // Not write-combined, since the host reads it too.
            let flags = sys::CU_MEMHOSTALLOC_PORTABLE | sys::CU_MEMHOSTALLOC_DEVICEMAP;
            // SAFETY: as above.
            let host = unsafe { result::malloc_host(bytes, flags) }?;
            let mut device = 0;
            // SAFETY: mapped host memory that was just allocated, and one address to write to.
            let mapped = unsafe { sys::cuMemHostGetDevicePointer_v2(&raw mut device, host, 0) }.result();
            if let Err(error) = mapped {
                // SAFETY: just allocated, and no one else has its address.
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

/// Tells the driver how managed memory will be used.
///
/// # Safety
/// As for [`crate::Device::advise`], with the context current.
pub(super) unsafe fn advise(
    device: sys::CUdevice,
    at: u64,
    bytes: usize,
    advice: Advice,
) -> Result<(), DriverError> {
    let advice = match advice {
        Advice::None => sys::CUmem_advise::CU_MEM_ADVISE_UNSET_READ_MOSTLY,
        Advice::ReadMostly => sys::CUmem_advise::CU_MEM_ADVISE_SET_READ_MOSTLY,
    };
    // Not `cuMemAdvise_v2`, which drivers before CUDA 12.2 do not have.
    // SAFETY: the caller's promise.
    unsafe { sys::cuMemAdvise(at, bytes, advice, device) }.result()
}

/// Locks pages of host memory.
///
/// # Safety
/// As for [`crate::Device::pin`], with the context current.
pub(super) unsafe fn lock(host: u64, bytes: usize) -> Result<(), DriverError> {
    let flags = sys::CU_MEMHOSTREGISTER_PORTABLE | sys::CU_MEMHOSTREGISTER_DEVICEMAP;
    // SAFETY: the caller's promise.
    unsafe { sys::cuMemHostRegister_v2(host as *mut c_void, bytes, flags) }.result()
}

/// Unlocks pages of host memory.
///
/// # Safety
/// As for [`crate::Device::unpin`], with the context current.
pub(super) unsafe fn unlock(host: u64) -> Result<(), DriverError> {
    // SAFETY: the caller's promise.
    unsafe { sys::cuMemHostUnregister(host as *mut c_void) }.result()
}

/// # Safety
/// The piece came from [`make`] for that kind, and is no longer used.
unsafe fn unmake(context: &Context, kind: MemoryKind, piece: Piece) {
    // The driver's answer no longer matters: the piece is not in any list.
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
    fn classes_are_large_enough_and_waste_little() {
        for bytes in [0, 1, 511, 512, 513, 4096, MIB - 1, MIB, MIB + 1, 2 * MIB, 5 * MIB, 3 << 30] {
            let class = class_of(bytes).unwrap();
            assert!(class >= bytes.max(1), "{bytes} in {class}");
            assert!(class <= (2 * bytes).max(512) && class < bytes + 2 * MIB, "{bytes} in {class}");
            assert_eq!(class_of(class), Some(class), "a class is its own");
        }
        assert_eq!(class_of(usize::MAX), None);
    }
}
