//! Arrays in device memory and in pinned host memory. Dropping an array frees its memory.

use crate::{Address, Allocation, CopyKind, Gpu, MemoryKind, Result, ring::WORTH};
use bytemuck::Pod;
use std::marker::PhantomData;

/// Returns the bytes of `len` entries, but at least those of one: a kernel that takes an empty array gets a valid
/// address.
pub(crate) fn bytes_of<T>(gpu: &Gpu, len: usize, what: &str) -> Result<usize> {
    let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| gpu.too_large(what))?;
    Ok(bytes.max(size_of::<T>()))
}

/// An array in device memory.
#[derive(Debug)]
pub struct Array<T> {
    gpu: Gpu,
    allocation: Allocation,
    len: usize,
    kind: PhantomData<T>,
}

impl<T: Pod> Array<T> {
    pub(crate) fn new(gpu: &Gpu, len: usize, what: &str) -> Result<Self> {
        let allocation = gpu.alloc(bytes_of::<T>(gpu, len, what)?, MemoryKind::Device, what)?;
        Ok(Self { gpu: gpu.clone(), allocation, len, kind: PhantomData })
    }

    /// Returns the address of the first entry.
    pub fn address(&self) -> Address<T> {
        Address::new(self.allocation.device)
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the array has no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the device.
    pub(crate) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        self.allocation.bytes as u64
    }

    /// Copies `values` to the first entries of the array.
    ///
    /// # Errors
    /// If the device is lost.
    ///
    /// # Panics
    /// If there are more values than entries.
    pub fn write(&mut self, values: &[T]) -> Result<()> {
        let gpu = self.gpu.clone();
        let parcel = self.parcel(values);
        if size_of_val(values) >= WORTH {
            return gpu.send(&[parcel], |_, _, _| true);
        }
        let (to, from) = (self.allocation.device, values.as_ptr() as u64);
        // SAFETY: the parcel has checked both ranges. A slice is not pinned memory, so the copy has finished when this
        // returns.
        unsafe { self.gpu.copy(CopyKind::ToDevice, to, from, size_of_val(values)) }
    }

    /// Returns `values` as a parcel for [`Gpu::send`], which copies them to the first entries of the array.
    ///
    /// # Panics
    /// If there are more values than entries.
    pub fn parcel<'a>(&'a mut self, values: &'a [T]) -> Parcel<'a> {
        assert!(values.len() <= self.len, "{} values for {} entries", values.len(), self.len);
        Parcel { gpu: &self.gpu, to: self.allocation.device, bytes: bytemuck::cast_slice(values) }
    }

    /// Copies the first entries to `values`, after all work started before.
    ///
    /// # Errors
    /// The errors of the work started before.
    ///
    /// # Panics
    /// If `values` is longer than the array.
    pub fn read(&self, values: &mut [T]) -> Result<()> {
        assert!(values.len() <= self.len, "{} values of {} entries", values.len(), self.len);
        let (to, from) = (values.as_mut_ptr() as u64, self.allocation.device);
        if size_of_val(values) >= WORTH {
            // SAFETY: the array has at least as many entries, by the assertion.
            return unsafe { self.gpu.ring().fetch(&self.gpu, from, bytemuck::cast_slice_mut(values)) };
        }
        // SAFETY: the assertion checks both ranges. A slice is not pinned memory, so the copy has finished when this
        // returns.
        unsafe { self.gpu.copy(CopyKind::ToHost, to, from, size_of_val(values)) }
    }

    /// Returns all entries as a vector.
    ///
    /// # Errors
    /// As [`Array::read`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut values = vec![T::zeroed(); self.len];
        self.read(&mut values)?;
        Ok(values)
    }

    /// Sets every byte of the array.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn fill_bytes(&mut self, byte: u8) -> Result<()> {
        // SAFETY: the range is the array's own allocation.
        unsafe { self.gpu.fill(self.allocation.device, byte, self.allocation.bytes) }
    }

    /// Copies all entries of another array of the same length and device.
    ///
    /// # Errors
    /// If the device is lost.
    ///
    /// # Panics
    /// If the lengths or the devices differ.
    pub fn copy_from(&mut self, other: &Self) -> Result<()> {
        assert_eq!(self.len, other.len, "arrays of one length");
        assert!(self.gpu.is(&other.gpu), "arrays of one device");
        let bytes = self.len * size_of::<T>();
        // SAFETY: two different arrays of this device, both of that many bytes. `other` is freed only after a wait for
        // the copy.
        unsafe { self.gpu.copy(CopyKind::Within, self.allocation.device, other.allocation.device, bytes) }
    }

    /// Queues a copy of all entries of a pinned array to the first entries of this one. Do not change the pinned
    /// entries before the next wait.
    ///
    /// # Errors
    /// If the device is lost.
    ///
    /// # Panics
    /// If the pinned array is longer or of another device.
    pub fn copy_from_pinned(&mut self, other: &Pinned<T>) -> Result<()> {
        assert!(other.len <= self.len, "{} pinned entries for {}", other.len, self.len);
        assert!(self.gpu.is(&other.gpu), "arrays of one device");
        let bytes = other.len * size_of::<T>();
        // SAFETY: two ranges of at least that many bytes, on one device. Both are freed only after a wait for the copy.
        unsafe { self.gpu.copy(CopyKind::ToDevice, self.allocation.device, other.allocation.host, bytes) }
    }
}

impl<T> Drop for Array<T> {
    fn drop(&mut self) {
        // SAFETY: this device allocated the memory, and the array is its only owner.
        unsafe { self.gpu.free(self.allocation) };
    }
}

/// Values on their way to an array: see [`Gpu::send`].
#[derive(Debug, Clone, Copy)]
pub struct Parcel<'a> {
    gpu: &'a Gpu,
    pub(crate) to: u64,
    pub(crate) bytes: &'a [u8],
}

impl<'a> Parcel<'a> {
    /// Returns the device of the array.
    pub(crate) fn gpu(&self) -> &'a Gpu {
        self.gpu
    }
}

/// An array in page-locked host memory that kernels can access too.
#[derive(Debug)]
pub struct Pinned<T> {
    gpu: Gpu,
    allocation: Allocation,
    len: usize,
    kind: PhantomData<T>,
}

impl<T: Pod> Pinned<T> {
    pub(crate) fn new(gpu: &Gpu, len: usize, what: &str) -> Result<Self> {
        const { assert!(align_of::<T>() <= 256, "host addresses are multiples of 256") };
        let bytes = bytes_of::<T>(gpu, len, what)?;
        let allocation = gpu.alloc(bytes, MemoryKind::Pinned, what)?;
        // SAFETY: the allocation is new, and its host memory has at least that many bytes, by the contract of `Device`.
        unsafe { std::ptr::write_bytes(allocation.host as *mut u8, 0, bytes) };
        Ok(Self { gpu: gpu.clone(), allocation, len, kind: PhantomData })
    }

    /// Returns the address that kernels use.
    pub fn address(&self) -> Address<T> {
        Address::new(self.allocation.device)
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        self.allocation.bytes as u64
    }

    /// Returns the address that the host uses.
    pub(crate) fn host(&self) -> u64 {
        self.allocation.host
    }

    /// Returns the current value of one entry. A running kernel may change it at any time.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn get(&self, at: usize) -> T {
        assert!(at < self.len, "entry {at} of {}", self.len);
        // SAFETY: inside the allocation and aligned. The read is volatile since a kernel may write the entry; any bits
        // are a T.
        unsafe { (self.allocation.host as *const T).add(at).read_volatile() }
    }

    /// Sets one entry.
    ///
    /// # Panics
    /// If there is no such entry.
    pub fn set(&mut self, at: usize, value: T) {
        assert!(at < self.len, "entry {at} of {}", self.len);
        // SAFETY: as for `get`.
        unsafe { (self.allocation.host as *mut T).add(at).write_volatile(value) };
    }

    /// Queues a copy of all entries of `array` to the first entries here, after all work started before. The next wait
    /// ends the copy.
    ///
    /// # Errors
    /// If the device is lost.
    ///
    /// # Panics
    /// If the array is longer or of another device.
    pub fn fetch(&mut self, array: &Array<T>) -> Result<()> {
        assert!(array.len <= self.len, "{} entries for {}", array.len, self.len);
        assert!(self.gpu.is(&array.gpu), "arrays of one device");
        let (to, from) = (self.allocation.host, array.allocation.device);
        // SAFETY: two ranges of at least that many bytes, on one device. Both are freed only after a wait for the copy.
        unsafe { self.gpu.copy(CopyKind::ToHost, to, from, array.len * size_of::<T>()) }
    }

    /// Queues a copy of the first `count` entries at an address to the first entries here, after all work started
    /// before. The next wait ends the copy.
    ///
    /// # Safety
    /// At least `count` entries lie at `from`, in memory of this device that lives until the next wait.
    ///
    /// # Errors
    /// If the device is lost.
    ///
    /// # Panics
    /// If there are fewer entries here.
    pub unsafe fn fetch_from(&mut self, from: Address<T>, count: usize) -> Result<()> {
        assert!(count <= self.len, "{count} entries for {}", self.len);
        // SAFETY: `count` entries lie at both addresses, by the caller's promise and the check above. This array is freed
        // only after a wait for the copy.
        unsafe { self.gpu.copy(CopyKind::ToHost, self.allocation.host, from.raw(), count * size_of::<T>()) }
    }

    /// Returns the first `count` entries.
    ///
    /// # Safety
    /// No kernel and no copy writes these entries while the slice is in use.
    ///
    /// # Panics
    /// If there are fewer entries.
    pub unsafe fn entries(&self, count: usize) -> &[T] {
        assert!(count <= self.len, "{count} entries of {}", self.len);
        // SAFETY: inside the allocation, aligned and initialised when it was allocated; any bits are a T. Nothing writes
        // them meanwhile, by the caller's promise.
        unsafe { std::slice::from_raw_parts(self.allocation.host as *const T, count) }
    }
}

impl<T> Drop for Pinned<T> {
    fn drop(&mut self) {
        // SAFETY: this device allocated the memory, and the array is its only owner.
        unsafe { self.gpu.free(self.allocation) };
    }
}
