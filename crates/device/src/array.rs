//! Memory that is given back when it is let go.

use crate::{Address, Allocation, CopyKind, Gpu, MemoryKind, Result};
use bytemuck::Pod;
use std::marker::PhantomData;

/// An array in a device's memory.
#[derive(Debug)]
pub struct Array<T> {
    gpu: Gpu,
    allocation: Allocation,
    len: usize,
    kind: PhantomData<T>,
}

impl<T: Pod> Array<T> {
    pub(crate) fn new(gpu: &Gpu, len: usize, what: &str) -> Result<Self> {
        // A kernel that is given an empty array still gets an address of its own.
        let bytes = (len * size_of::<T>()).max(size_of::<T>());
        let allocation = gpu.alloc(bytes, MemoryKind::Device, what)?;
        Ok(Self { gpu: gpu.clone(), allocation, len, kind: PhantomData })
    }

    /// Where it lies.
    pub fn address(&self) -> Address<T> {
        Address::new(self.allocation.device)
    }

    /// How many entries it has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Its bytes.
    pub fn bytes(&self) -> u64 {
        self.allocation.bytes as u64
    }

    /// Copies values to its start.
    ///
    /// # Errors
    /// When the device is lost.
    ///
    /// # Panics
    /// When there are more than it has.
    pub fn write(&mut self, values: &[T]) -> Result<()> {
        assert!(values.len() <= self.len, "{} values for {} entries", values.len(), self.len);
        let (to, from) = (self.allocation.device, values.as_ptr() as u64);
        // SAFETY: both ranges are valid, checked above; a slice is not pinned memory, so the copy is done on return.
        unsafe { self.gpu.copy(CopyKind::ToDevice, to, from, size_of_val(values)) }
    }

    /// Copies its first entries back, after all that was started before.
    ///
    /// # Errors
    /// Of what was started before.
    ///
    /// # Panics
    /// When more are asked for than it has.
    pub fn read(&self, values: &mut [T]) -> Result<()> {
        assert!(values.len() <= self.len, "{} values of {} entries", values.len(), self.len);
        let (to, from) = (values.as_mut_ptr() as u64, self.allocation.device);
        // SAFETY: both ranges are valid, checked above; a slice is not pinned memory, so the copy is done on return.
        unsafe { self.gpu.copy(CopyKind::ToHost, to, from, size_of_val(values)) }
    }

    /// All entries as a vector.
    ///
    /// # Errors
    /// As [`Array::read`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut values = vec![T::zeroed(); self.len];
        self.read(&mut values)?;
        Ok(values)
    }

    /// Sets every byte.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn fill_bytes(&mut self, byte: u8) -> Result<()> {
        // SAFETY: its own memory.
        unsafe { self.gpu.fill(self.allocation.device, byte, self.allocation.bytes) }
    }

    /// Copies all of another array of the same length.
    ///
    /// # Errors
    /// When the device is lost.
    ///
    /// # Panics
    /// When the lengths differ.
    pub fn copy_from(&mut self, other: &Self) -> Result<()> {
        assert_eq!(self.len, other.len, "arrays of one length");
        let bytes = self.len * size_of::<T>();
        // SAFETY: two different arrays of that many bytes.
        unsafe { self.gpu.copy(CopyKind::Within, self.allocation.device, other.allocation.device, bytes) }
    }

    /// Copies all of a pinned array to its start, in order with what is started: the pinned entries may be changed again after the next
    /// wait.
    ///
    /// # Errors
    /// When the device is lost.
    ///
    /// # Panics
    /// When the pinned array is longer.
    pub fn copy_from_pinned(&mut self, other: &Pinned<T>) -> Result<()> {
        assert!(other.len <= self.len, "{} pinned entries for {}", other.len, self.len);
        let bytes = other.len * size_of::<T>();
        // SAFETY: two ranges of that many bytes; pinned memory is freed only after a wait.
        unsafe { self.gpu.copy(CopyKind::ToDevice, self.allocation.device, other.allocation.host, bytes) }
    }
}

impl<T> Drop for Array<T> {
    fn drop(&mut self) {
        // SAFETY: allocated by this device, and this is its only owner.
        unsafe { self.gpu.free(self.allocation) };
    }
}

/// An array in the host's memory that kernels reach too.
#[derive(Debug)]
pub struct Pinned<T> {
    gpu: Gpu,
    allocation: Allocation,
    len: usize,
    kind: PhantomData<T>,
}

impl<T: Pod> Pinned<T> {
    pub(crate) fn new(gpu: &Gpu, len: usize, what: &str) -> Result<Self> {
        let bytes = (len * size_of::<T>()).max(size_of::<T>());
        let allocation = gpu.alloc(bytes, MemoryKind::Pinned, what)?;
        // SAFETY: just allocated, host memory of that size.
        unsafe { std::ptr::write_bytes(allocation.host as *mut u8, 0, bytes) };
        Ok(Self { gpu: gpu.clone(), allocation, len, kind: PhantomData })
    }

    /// Where kernels reach it.
    pub fn address(&self) -> Address<T> {
        Address::new(self.allocation.device)
    }

    /// Its bytes.
    pub fn bytes(&self) -> u64 {
        self.allocation.bytes as u64
    }

    /// One entry as it is now, which a running kernel may be about to change.
    ///
    /// # Panics
    /// When there is no such entry.
    pub fn get(&self, at: usize) -> T {
        assert!(at < self.len, "entry {at} of {}", self.len);
        // SAFETY: inside the allocation; volatile, since a kernel may write it, and any bits are a T.
        unsafe { (self.allocation.host as *const T).add(at).read_volatile() }
    }

    /// Sets one entry.
    ///
    /// # Panics
    /// When there is no such entry.
    pub fn set(&mut self, at: usize, value: T) {
        assert!(at < self.len, "entry {at} of {}", self.len);
        // SAFETY: as for `get`.
        unsafe { (self.allocation.host as *mut T).add(at).write_volatile(value) };
    }

    /// Copies the first entries of an array here, after all that was started before; they are here after the next wait.
    ///
    /// # Errors
    /// When the device is lost.
    ///
    /// # Panics
    /// When the array is longer.
    pub fn fetch(&mut self, array: &Array<T>) -> Result<()> {
        assert!(array.len <= self.len, "{} entries for {}", array.len, self.len);
        let (to, from) = (self.allocation.host, array.allocation.device);
        // SAFETY: both ranges are valid; this memory is freed only after a wait.
        unsafe { self.gpu.copy(CopyKind::ToHost, to, from, array.len * size_of::<T>()) }
    }
}

impl<T> Drop for Pinned<T> {
    fn drop(&mut self) {
        // SAFETY: allocated by this device, and this is its only owner.
        unsafe { self.gpu.free(self.allocation) };
    }
}
