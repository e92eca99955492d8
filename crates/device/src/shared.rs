//! [`Shared`]: host memory that kernels read in place, over the bus.
//!
//! Where the driver maps the caller's own memory, such as a mapped file, sharing copies nothing. Where it refuses, the
//! values are copied once into memory of huge pages, which is shared instead. Shared memory does not count against the
//! budget of the device. Kernels must not write to it: on a GPU, such a write may end the context.

use crate::{
    Address, Error, Gpu, Result,
    host::{self, Pages},
};
use bytemuck::Pod;
use std::{any::Any, fmt, marker::PhantomData, ops::Deref, sync::Arc};

/// Values in host memory that kernels read in place. Dropping it waits for the work started before, and then ends the
/// sharing. If the device is lost, it may still read the memory, which then stays allocated until the process ends.
pub struct Shared<T> {
    gpu: Gpu,
    /// The range that is mapped.
    host: u64,
    mapped: usize,
    device: u64,
    len: usize,
    is_copy: bool,
    /// Keeps the range allocated.
    owner: Option<Arc<dyn Any + Send + Sync>>,
    kind: PhantomData<T>,
}

impl Gpu {
    /// Lets kernels read a copy of `values` in host memory, on pages of its own. An error names `what`.
    ///
    /// # Errors
    /// The same as [`Gpu::share`].
    pub fn share_copied<T: Pod>(&self, values: &[T], what: &str) -> Result<Shared<T>> {
        match values {
            [] => self.share_copy(&[T::zeroed()], 0, what),
            _ => self.share_copy(values, values.len(), what),
        }
    }

    /// Lets kernels read `values` in place. Keeps their owner until the result is dropped. An error names `what`.
    ///
    /// # Errors
    /// [`Error::NotShared`] if neither the memory nor a copy of it can be locked and mapped; [`Error::OutOfMemory`] if it
    /// cannot, and the host has no room for a copy; if the device is lost.
    pub fn share<T, O>(&self, values: O, what: &str) -> Result<Shared<T>>
    where
        T: Pod,
        O: Deref<Target = [T]> + Send + Sync + 'static,
    {
        let owner = Arc::new(values);
        let values: &[T] = &owner;
        let (host, len, bytes) = (values.as_ptr() as u64, values.len(), size_of_val(values));
        if bytes == 0 {
            // A kernel that takes an empty array gets a valid address.
            return self.share_copy(&[T::zeroed()], 0, what);
        }
        // SAFETY: the owner is never moved or changed while it is shared, so its slice stays valid, and `Shared` drops the
        // owner only after `unmap`. Nothing writes to a slice of plain data that is borrowed.
        match unsafe { self.map(host, bytes) } {
            Ok(device) => Ok(Shared::new(self, (host, bytes), device, len, owner)),
            Err(error) if error.is_fatal() => Err(error),
            Err(refused) => self.share_copy(values, len, what).map_err(|error| match error {
                Error::NotShared { label, what, bytes, why } => Error::NotShared {
                    label,
                    what,
                    bytes,
                    why: format!("{refused}; a copy in huge pages: {why}"),
                },
                other => other,
            }),
        }
    }

    /// Shares a copy of values, of which the first `len` count.
    fn share_copy<T: Pod>(&self, values: &[T], len: usize, what: &str) -> Result<Shared<T>> {
        let bytes = size_of_val(values);
        let (free, total) = host::memory();
        let full = || {
            let (label, what) = ("the host".to_owned(), format!("a copy of {what} that kernels can read"));
            Error::OutOfMemory { label, what, asked: bytes as u64, free, total }
        };
        if bytes as u64 > free {
            return Err(full());
        }
        let pages = Arc::new(Pages::copy_of(bytemuck::cast_slice(values)).ok_or_else(full)?);
        let (host, bytes) = (pages.address(), bytes.max(1));
        // SAFETY: the pages own at least one byte and that many, and `Shared` drops them only after `unmap`.
        match unsafe { self.map(host, bytes) } {
            Ok(device) => {
                let mut shared = Shared::new(self, (host, bytes), device, len, pages);
                shared.is_copy = len > 0;
                Ok(shared)
            }
            Err(error) if error.is_fatal() => Err(error),
            Err(error) => Err(Error::NotShared {
                label: self.properties().label.clone(),
                what: what.to_owned(),
                bytes: bytes as u64,
                why: error.to_string(),
            }),
        }
    }
}

impl<T> Shared<T> {
    fn new(
        gpu: &Gpu,
        (host, mapped): (u64, usize),
        device: u64,
        len: usize,
        owner: Arc<dyn Any + Send + Sync>,
    ) -> Self {
        let (gpu, owner) = (gpu.clone(), Some(owner));
        Self { gpu, host, mapped, device, len, is_copy: false, owner, kind: PhantomData }
    }

    /// Returns the device.
    pub(crate) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Returns the address of the memory on the host.
    pub(crate) fn host(&self) -> u64 {
        self.host
    }

    /// Returns the address that kernels use.
    pub fn address(&self) -> Address<T> {
        Address::new(self.device)
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        (self.len * size_of::<T>()) as u64
    }

    /// Returns whether kernels read a copy of the values, because the memory of the caller could not be mapped.
    pub fn is_copy(&self) -> bool {
        self.is_copy
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        // SAFETY: this range was mapped, and this is its only owner, so no work that starts later uses its address.
        if unsafe { self.gpu.unmap(self.host, self.mapped) }.is_err() {
            // The device may still read the memory.
            std::mem::forget(self.owner.take());
        }
    }
}

impl<T> fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (label, copy) = (&self.gpu.properties().label, if self.is_copy { ", copied" } else { "" });
        write!(f, "{} entries at {:#x}, shared with {label}{copy}", self.len, self.device)
    }
}
