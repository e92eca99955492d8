//! Memory of the simulator: one host allocation each, tagged with its kind, poisoned, and counted against the budget.

use super::{super::LABEL, wrong};
use crate::{Allocation, CopyKind, Error, MemoryInfo, MemoryKind, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The byte that fills memory before anything is written to it.
const POISON: u8 = 0xCD;
const ALIGNMENT: usize = 256;

/// All allocations of the device.
#[derive(Debug)]
pub(super) struct Memory {
    /// Allocations by their addresses.
    allocations: BTreeMap<u64, Allocation>,
    /// The addresses of those that a caller owns and pinned. This device never frees them.
    of_callers: BTreeSet<u64>,
    /// Ranges of host memory that kernels read in place, and how many times each is mapped.
    mapped: HashMap<(u64, usize), usize>,
    budget: u64,
    /// Whether managed memory may exceed the budget.
    oversubscribe: bool,
    /// Bytes in use, and those of managed memory among them.
    held: u64,
    managed: u64,
    peak: u64,
}

/// How a range of addresses relates to the allocations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Range {
    /// Inside an allocation of this kind.
    In(MemoryKind),
    /// Partly inside this allocation.
    Across(Allocation),
    /// Outside of all allocations.
    Unknown,
}

impl Memory {
    pub(super) fn new(budget: u64, oversubscribe: bool) -> Self {
        let (allocations, of_callers, mapped) = (BTreeMap::new(), BTreeSet::new(), HashMap::new());
        Self { allocations, of_callers, mapped, budget, oversubscribe, held: 0, managed: 0, peak: 0 }
    }

    pub(super) fn info(&self) -> MemoryInfo {
        MemoryInfo { free: self.free_bytes(), total: self.budget, held: self.held, peak: self.peak }
    }

    fn free_bytes(&self) -> u64 {
        let counted = if self.oversubscribe { self.held - self.managed } else { self.held };
        self.budget.saturating_sub(counted)
    }

    /// Returns the error of an allocation for which there is no room.
    pub(super) fn full(&self, asked: usize) -> Error {
        let (label, what) = (LABEL.to_owned(), "an allocation".to_owned());
        Error::OutOfMemory { label, what, asked: asked as u64, free: self.free_bytes(), total: self.budget }
    }

    pub(super) fn alloc(&mut self, bytes: usize, kind: MemoryKind) -> Result<Allocation> {
        let may_exceed = kind == MemoryKind::Managed && self.oversubscribe;
        if is_counted(kind) && !may_exceed && bytes as u64 > self.free_bytes() {
            return Err(self.full(bytes));
        }
        let mut at = std::ptr::null_mut();
        // Exactly this size, so that AddressSanitizer reports an access to the first byte beyond.
        // SAFETY: a place for the address, and an alignment that is a power of two.
        let refused = unsafe { libc::posix_memalign(&raw mut at, ALIGNMENT, bytes.max(1)) } != 0;
        if refused {
            return Err(self.full(bytes));
        }
        // SAFETY: the memory was just allocated with at least that many bytes.
        unsafe { std::ptr::write_bytes(at.cast::<u8>(), POISON, bytes) };
        let device = at as u64;
        let host = if kind == MemoryKind::Device { 0 } else { device };
        let allocation = Allocation { device, host, bytes, kind };
        self.allocations.insert(device, allocation);
        if is_counted(kind) {
            self.held += bytes as u64;
            self.managed += managed_bytes(&allocation);
            self.peak = self.peak.max(self.held);
        }
        Ok(allocation)
    }

    /// Frees an allocation.
    ///
    /// # Safety
    /// The memory is no longer used.
    pub(super) unsafe fn free(&mut self, allocation: Allocation) -> Result<()> {
        let is_known = self.allocations.get(&allocation.device) == Some(&allocation);
        if !is_known || self.of_callers.contains(&allocation.device) {
            let at = allocation.device;
            return Err(wrong("free", format!("{at:#x} is not the address of an allocation of this device")));
        }
        self.allocations.remove(&allocation.device);
        if is_counted(allocation.kind) {
            self.held -= allocation.bytes as u64;
            self.managed -= managed_bytes(&allocation);
        }
        // SAFETY: the table shows that it came from `alloc` and was not freed; by the caller's promise it is no longer
        // used.
        unsafe { libc::free(allocation.device as *mut libc::c_void) };
        Ok(())
    }

    /// Treats host memory of the caller as pinned: copies from and to it only run when a call needs their result.
    pub(super) fn pin(&mut self, host: u64, bytes: usize) -> Result<()> {
        if self.range(host, bytes as u64) != Range::Unknown {
            return Err(wrong("pin", format!("{bytes} bytes at {host:#x} are of this device already")));
        }
        let pinned = Allocation { device: host, host, bytes, kind: MemoryKind::Pinned };
        self.allocations.insert(host, pinned);
        self.of_callers.insert(host);
        Ok(())
    }

    /// Treats host memory as ordinary again.
    pub(super) fn unpin(&mut self, host: u64) -> Result<()> {
        if !self.of_callers.remove(&host) {
            return Err(wrong("unpin", format!("the memory at {host:#x} is not pinned")));
        }
        self.allocations.remove(&host);
        Ok(())
    }

    /// Lets kernels read host memory in place, as they can anyway.
    pub(super) fn map(&mut self, host: u64, bytes: usize) {
        *self.mapped.entry((host, bytes)).or_default() += 1;
    }

    /// Ends one mapping of a range.
    pub(super) fn unmap(&mut self, host: u64, bytes: usize) -> Result<()> {
        match self.mapped.get_mut(&(host, bytes)) {
            None => return Err(wrong("unmap", format!("{bytes} bytes at {host:#x} are not mapped"))),
            Some(1) => drop(self.mapped.remove(&(host, bytes))),
            Some(times) => *times -= 1,
        }
        Ok(())
    }

    /// Checks that a range is in managed memory.
    pub(super) fn check_managed(&self, at: u64, bytes: usize) -> std::result::Result<(), String> {
        match bytes > 0 && self.range(at, bytes as u64) == Range::In(MemoryKind::Managed) {
            true => Ok(()),
            false => Err(format!("{bytes} bytes at {at:#x} are not in managed memory")),
        }
    }

    /// Checks the two ranges of a copy. Returns whether the copy must finish before the call returns.
    pub(super) fn check_copy(&self, kind: CopyKind, to: u64, from: u64, bytes: usize) -> Result<bool> {
        let (to_host, from_host) = (kind == CopyKind::ToHost, kind == CopyKind::ToDevice);
        let unknown_to =
            self.check(to, bytes, to_host).map_err(|why| wrong("copy", format!("its target, {why}")))?;
        let unknown_from =
            self.check(from, bytes, from_host).map_err(|why| wrong("copy", format!("its source, {why}")))?;
        Ok(unknown_to || unknown_from)
    }

    /// Returns true if a range of host memory is mapped.
    pub(super) fn is_mapped(&self, host: u64, bytes: usize) -> bool {
        let end = host.saturating_add(bytes as u64);
        self.mapped.keys().any(|&(start, len)| start <= host && end <= start + len as u64)
    }

    /// Checks the range of a fill.
    pub(super) fn check_fill(&self, to: u64, bytes: usize) -> Result<()> {
        self.check(to, bytes, false).map(|_| ()).map_err(|why| wrong("fill", format!("its target, {why}")))
    }

    /// Checks that a range is host memory, if `is_host`, or else in an allocation. Returns whether it is host memory
    /// that this device did not allocate.
    fn check(&self, at: u64, bytes: usize, is_host: bool) -> std::result::Result<bool, String> {
        let range = format!("{bytes} bytes at {at:#x},");
        match self.range(at, bytes as u64) {
            Range::In(MemoryKind::Device) if is_host => {
                Err(format!("{range} should be host memory and is device memory"))
            }
            Range::In(_) => Ok(false),
            Range::Across(Allocation { device, bytes, .. }) => {
                Err(format!("{range} goes beyond the allocation of {bytes} bytes at {device:#x}"))
            }
            Range::Unknown if is_host => Ok(true),
            Range::Unknown => Err(format!("{range} is in no allocation of this device")),
        }
    }

    /// Returns how a range of at least one byte relates to the allocations.
    fn range(&self, at: u64, bytes: u64) -> Range {
        let (last, end_of) = (at.saturating_add(bytes - 1), |of: &Allocation| of.device + of.bytes as u64);
        // The allocation that contains the start of the range; otherwise the last one that starts inside the range.
        let around = self.allocations.range(..=at).next_back().map(|(_, of)| of).filter(|of| at < end_of(of));
        match around {
            Some(of) if last < end_of(of) => Range::In(of.kind),
            Some(of) => Range::Across(*of),
            None => {
                let inside = self.allocations.range(at..=last).next_back();
                inside.map_or(Range::Unknown, |(_, of)| Range::Across(*of))
            }
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        for &at in self.allocations.keys().filter(|&at| !self.of_callers.contains(at)) {
            // SAFETY: `alloc` allocated it, since no caller owns it, and the device is gone, so nothing uses it.
            unsafe { libc::free(at as *mut libc::c_void) };
        }
    }
}

/// Returns whether memory of this kind counts against the budget. Pinned memory is the host's, so it does not.
fn is_counted(kind: MemoryKind) -> bool {
    kind != MemoryKind::Pinned
}

fn managed_bytes(allocation: &Allocation) -> u64 {
    if allocation.kind == MemoryKind::Managed { allocation.bytes as u64 } else { 0 }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn memory_is_poisoned_aligned_and_counted() {
        let mut memory = Memory::new(1000, false);
        let a = memory.alloc(700, MemoryKind::Device).unwrap();
        assert_eq!(a.device % ALIGNMENT as u64, 0);
        // SAFETY: just allocated.
        let bytes = unsafe { std::slice::from_raw_parts(a.device as *const u8, 700) };
        assert!(bytes.iter().all(|&byte| byte == POISON));
        assert!(matches!(
            memory.alloc(301, MemoryKind::Managed),
            Err(Error::OutOfMemory { asked: 301, free: 300, total: 1000, .. })
        ));
        let pinned = memory.alloc(5000, MemoryKind::Pinned).unwrap();
        assert_eq!(pinned.host, pinned.device);
        memory.alloc(300, MemoryKind::Managed).unwrap();
        // SAFETY: nothing uses it.
        unsafe { memory.free(a) }.unwrap();
        assert_eq!(memory.info(), MemoryInfo { free: 700, total: 1000, held: 300, peak: 1000 });
    }

    #[test]
    fn memory_that_was_not_allocated_cannot_be_freed() {
        let mut memory = Memory::new(1000, false);
        let a = memory.alloc(8, MemoryKind::Device).unwrap();
        // SAFETY: nothing uses it.
        unsafe { memory.free(a) }.unwrap();
        // SAFETY: the call refuses it.
        let error = unsafe { memory.free(a) }.unwrap_err();
        assert!(error.to_string().contains("not the address of an allocation"), "{error}");
    }

    #[test]
    fn copies_stay_inside_of_allocations_of_the_right_kind() {
        let mut memory = Memory::new(1000, false);
        let a = memory.alloc(100, MemoryKind::Device).unwrap().device;
        let pinned = memory.alloc(100, MemoryKind::Pinned).unwrap().device;
        let here = [0u8; 100];
        let host = here.as_ptr() as u64;
        assert!(memory.check_copy(CopyKind::ToDevice, a, host, 100).unwrap());
        assert!(!memory.check_copy(CopyKind::ToHost, pinned, a + 50, 50).unwrap());
        for (kind, to, from, what) in [
            (CopyKind::ToDevice, a + 1, host, "goes beyond the allocation of 100 bytes"),
            (CopyKind::ToDevice, a - 1, host, "goes beyond the allocation of 100 bytes"),
            (CopyKind::ToDevice, host, host, "is in no allocation"),
            (CopyKind::ToHost, a, a, "should be host memory and is device memory"),
            (CopyKind::Within, a, host, "copy failed: its source"),
        ] {
            let error = memory.check_copy(kind, to, from, 100).unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
        }
    }
    #[test]
    fn pinned_memory_of_a_caller_is_never_freed() {
        let mut memory = Memory::new(1000, false);
        let here = vec![7u8; 100];
        let host = here.as_ptr() as u64;
        memory.pin(host, 100).unwrap();
        let pinned = Allocation { device: host, host, bytes: 100, kind: MemoryKind::Pinned };
        // SAFETY: the call refuses it.
        assert!(unsafe { memory.free(pinned) }.is_err());
        let own = memory.alloc(100, MemoryKind::Pinned).unwrap();
        assert!(memory.unpin(own.host).is_err(), "the device allocated it");
        // Dropped while the memory is pinned, as after the loss of a device.
        drop(memory);
        assert_eq!(here, [7; 100]);
    }
}
