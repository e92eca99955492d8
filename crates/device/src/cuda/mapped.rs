//! Host memory of callers that kernels read in place: which pages are registered with the driver, and for how many
//! callers.
//!
//! The driver registers whole pages, and each page once. Arrays of callers start and end anywhere, so two of them may
//! share a page. A range is therefore registered in up to three regions: its first page, its last page, and the pages
//! between them, which hold nothing else. A region with several users is registered until the last one leaves: each of
//! its users keeps its bytes allocated, and with them the page. A range that overlaps a region in any other way is
//! refused.
//!
//! The driver may refuse a copy from memory that is registered in part. [`Mapped::cut`] says where to cut such a copy.

use super::context::Context;
use crate::{Error, Result};
use cudarc::driver::{result::DriverError, sys};
use std::{
    collections::BTreeMap,
    ffi::c_void,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The size of a page. Where pages are larger, the driver refuses what shares one of them.
const PAGE: u64 = 4096;

/// The registered regions.
#[derive(Debug, Default)]
pub(super) struct Mapped {
    /// Held while regions come and go, which may take seconds.
    order: Mutex<()>,
    /// Regions by their first addresses, disjoint. A region is here before the driver registers it, and until the driver
    /// has unregistered it.
    regions: Mutex<BTreeMap<u64, Region>>,
}

/// Whole pages that are registered together.
#[derive(Debug, Clone, Copy)]
struct Region {
    end: u64,
    /// The address at which kernels find the first byte.
    device: u64,
    users: usize,
}

impl Mapped {
    /// [`crate::Device::map`].
    ///
    /// # Safety
    /// As for [`crate::Device::map`].
    pub(super) unsafe fn map(&self, context: &Context, host: u64, bytes: usize) -> Result<u64> {
        let _order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = parts(host, bytes);
        let mut found = Vec::with_capacity(parts.len());
        for &(start, end) in &parts {
            // SAFETY: the caller's promise: every page of the range is of valid memory.
            match unsafe { self.enter(context, start, end) } {
                Ok(device) => found.push(device),
                Err(error) => {
                    // SAFETY: entered above, and no kernel has an address yet.
                    let _ = unsafe { self.leave_all(context, &parts[..found.len()]) };
                    return Err(error);
                }
            }
        }
        let first = found[0];
        let is_one_range =
            parts.iter().zip(&found).all(|(part, device)| device.wrapping_sub(first) == part.0 - parts[0].0);
        if !is_one_range {
            // SAFETY: as above.
            let _ = unsafe { self.leave_all(context, &parts) };
            return Err(refused(context, "the driver maps its pages at addresses that are not contiguous"));
        }
        Ok(first + (host - parts[0].0))
    }

    /// [`crate::Device::unmap`].
    ///
    /// # Safety
    /// As for [`crate::Device::unmap`].
    pub(super) unsafe fn unmap(&self, context: &Context, host: u64, bytes: usize) -> Result<()> {
        let _order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the caller's promise.
        unsafe { self.leave_all(context, &parts(host, bytes)) }
    }

    /// Returns how many bytes at the start of a range of host memory are either all registered or all not, and true if they
    /// are.
    pub(super) fn cut(&self, host: u64, bytes: usize) -> (usize, bool) {
        let regions = self.regions();
        let around = regions.range(..=host).next_back().map(|(_, region)| region.end);
        let next = regions.range(host + 1..).next().map(|(start, _)| *start);
        let inside = around.filter(|&end| host < end);
        let piece = inside.or(next).map_or(bytes, |edge| bytes.min((edge - host) as usize));
        (piece, inside.is_some())
    }

    /// Adds a user to a region, which the driver registers for its first user. Returns the address for kernels.
    ///
    /// # Safety
    /// Valid host memory, which stays so until the user leaves.
    unsafe fn enter(&self, context: &Context, start: u64, end: u64) -> Result<u64> {
        {
            let mut regions = self.regions();
            if let Some(region) = regions.get_mut(&start).filter(|region| region.end == end) {
                region.users += 1;
                return Ok(region.device);
            }
            let below = regions.range(..end).next_back();
            if below.is_some_and(|(_, region)| region.end > start) {
                return Err(refused(context, "part of its pages is mapped already"));
            }
            regions.insert(start, Region { end, device: 0, users: 1 });
        }
        // SAFETY: the caller's promise.
        let registered = unsafe { register(context, start, (end - start) as usize) };
        let mut regions = self.regions();
        match registered {
            Ok(device) => {
                regions.insert(start, Region { end, device, users: 1 });
            }
            Err(_) => {
                regions.remove(&start);
            }
        }
        registered
    }

    /// Takes a user from each of these regions. Returns the first error, after all of them.
    ///
    /// # Safety
    /// The user entered them. No work in a stream uses its bytes, now or later.
    unsafe fn leave_all(&self, context: &Context, parts: &[(u64, u64)]) -> Result<()> {
        let mut left = Ok(());
        for &(start, _) in parts {
            // SAFETY: the caller's promise.
            left = left.and(unsafe { self.leave(context, start) });
        }
        left
    }

    /// Takes a user from a region. The driver unregisters it after its last user.
    ///
    /// # Safety
    /// As for [`Mapped::leave_all`].
    unsafe fn leave(&self, context: &Context, start: u64) -> Result<()> {
        match self.regions().get_mut(&start) {
            None => return Err(refused(context, "the memory is not mapped")),
            Some(region) if region.users > 1 => {
                region.users -= 1;
                return Ok(());
            }
            Some(_) => {}
        }
        // SAFETY: `enter` registered it, and its last user is gone.
        let gone = context.call("cuMemHostUnregister", || unsafe {
            sys::cuMemHostUnregister(start as *mut c_void).result()
        });
        self.regions().remove(&start);
        gone
    }

    fn regions(&self) -> MutexGuard<'_, BTreeMap<u64, Region>> {
        self.regions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Registers whole pages of host memory: as memory that the device only reads, or else as any memory, since old drivers
/// do not know the former. Pages that the process cannot write need the former. Returns the address for kernels.
///
/// # Safety
/// As for [`crate::Device::map`].
unsafe fn register(context: &Context, host: u64, bytes: usize) -> Result<u64> {
    let any = sys::CU_MEMHOSTREGISTER_PORTABLE | sys::CU_MEMHOSTREGISTER_DEVICEMAP;
    let at = host as *mut c_void;
    // SAFETY: the caller's promise.
    let with = |flags| context.ask(|| unsafe { sys::cuMemHostRegister_v2(at, bytes, flags) }.result());
    let fails = |error: DriverError| context.error("cuMemHostRegister", error);
    with(any | sys::CU_MEMHOSTREGISTER_READ_ONLY).or_else(|_| with(any)).map_err(fails)?;
    let mut device = 0;
    // SAFETY: the memory was just registered and mapped; one address to write to.
    let mapped = || unsafe { sys::cuMemHostGetDevicePointer_v2(&raw mut device, at, 0) }.result();
    if let Err(error) = context.call("cuMemHostGetDevicePointer", mapped) {
        // SAFETY: registered above, and nothing has its address.
        let _ = context.ask(|| unsafe { sys::cuMemHostUnregister(at) }.result());
        return Err(error);
    }
    Ok(device)
}

/// Cuts a range of at least one byte into the regions that it needs, as first address and end.
fn parts(host: u64, bytes: usize) -> Vec<(u64, u64)> {
    let last = host + bytes.max(1) as u64;
    let (start, end) = (host - host % PAGE, last.next_multiple_of(PAGE));
    let mut edges = vec![start];
    if !host.is_multiple_of(PAGE) {
        edges.push(start + PAGE);
    }
    if !last.is_multiple_of(PAGE) {
        edges.push(end - PAGE);
    }
    edges.push(end);
    edges.sort_unstable();
    edges.dedup();
    edges.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

fn refused(context: &Context, what: &str) -> Error {
    let (label, call) = (context.label().to_owned(), "mapping host memory".to_owned());
    Error::Call { label, call, what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_that_others_may_share_are_regions_of_their_own() {
        let page = PAGE as usize;
        for (host, bytes, expected) in [
            (8192, 2 * page, vec![(8192, 16384)]),
            (8192, 2 * page + 1, vec![(8192, 16384), (16384, 20480)]),
            (8200, 2 * page - 8, vec![(8192, 12288), (12288, 16384)]),
            (8200, 3 * page, vec![(8192, 12288), (12288, 20480), (20480, 24576)]),
            (8200, page, vec![(8192, 12288), (12288, 16384)]),
            (8200, 4, vec![(8192, 12288)]),
            (8192, 4, vec![(8192, 12288)]),
        ] {
            assert_eq!(parts(host, bytes), expected, "{bytes} bytes at {host}");
        }
    }
}
