//! Provides large arrays: [`Pages`] for writing, [`Buffer`] for sharing and reading.
//!
//! Algorithms read graph arrays at random, so address translation costs as much as the data itself. On Linux, arrays of
//! 2 MiB and more request huge pages, which speeds up random reads by about 1.3x. Other systems, and kernels without
//! free huge pages, use 4 KiB pages. Both types hold plain data ([`Pod`]): any bytes are a valid value.
//!
//! An array that does not fit is an [`Error::TooLarge`] before the memory is touched: [`available`] says how much is
//! left to the process.

mod available;
mod handled;

pub(crate) use handled::reserve;
pub use {
    available::{Available, Limit, available, limit},
    handled::is_handled,
};

use crate::{
    error::{Error, Result},
    mapped::MappedFile,
};
use bytemuck::Pod;
use memmap2::MmapMut;
use std::{
    any::Any,
    marker::PhantomData,
    ops::{Deref, DerefMut},
    ptr::NonNull,
    sync::Arc,
};

const HUGE_PAGE: usize = 2 << 20;
/// Arrays of at least this many bytes are compared with the available memory first. Smaller ones are not worth the
/// 0.1 ms, which is more than the system takes to provide them.
const WORTH_CHECKING: u64 = 32 << 20;

/// An owned array of fixed length; large arrays lie in huge pages where the system provides them.
pub struct Pages<T: Pod> {
    start: NonNull<T>,
    len: usize,
    /// Owns the memory that `start` points into.
    memory: Memory<T>,
}

enum Memory<T: Pod> {
    /// Heap memory of a vector.
    Heap { vec: Vec<T> },
    /// An anonymous map; `None` only while it is dropped or moved to another array.
    Mapped { map: Option<MmapMut>, huge: bool },
}

impl<T: Pod> Drop for Memory<T> {
    fn drop(&mut self) {
        if let Self::Mapped { map, huge: true } = self
            && let Some(map) = map.take()
        {
            spare::put(map);
        }
    }
}

// SAFETY: Pages owns its memory as a Vec<T> does, and T: Pod is Send + Sync (plain data without interior mutability).
unsafe impl<T: Pod + Send> Send for Pages<T> {}
// SAFETY: as above; shared access is only by shared slices.
unsafe impl<T: Pod + Sync> Sync for Pages<T> {}

impl<T: Pod> Pages<T> {
    /// Returns `len` zeroes, in huge pages if the array is large.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the machine does not have enough memory.
    pub fn zeroed(len: usize) -> Result<Self> {
        match size_of::<T>().checked_mul(len).and_then(spare::take) {
            Some(map) => {
                let mut pages = Self::inside(map, len, true);
                bytemuck::cast_slice_mut::<T, u8>(&mut pages).fill(0);
                Ok(pages)
            }
            None => Self::allocate(len, true),
        }
    }

    /// Returns `len` elements of arbitrary value, for arrays that are written before they are read. May reuse released
    /// memory without clearing it.
    ///
    /// # Errors
    /// As [`Pages::zeroed`].
    pub fn scratch(len: usize) -> Result<Self> {
        match size_of::<T>().checked_mul(len).and_then(spare::take) {
            Some(map) => Ok(Self::inside(map, len, true)),
            None => Self::allocate(len, true),
        }
    }

    /// Returns `len` zeroes in ordinary pages, which take physical memory only once written: for arrays that fill up
    /// slowly while others are released.
    ///
    /// # Errors
    /// As [`Pages::zeroed`].
    pub fn zeroed_lazily(len: usize) -> Result<Self> {
        Self::allocate(len, false)
    }

    fn allocate(len: usize, huge: bool) -> Result<Self> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| shortage("an array", u64::MAX))?;
        if bytes < HUGE_PAGE {
            return Ok(Self::from(handled::zeroes(len)?));
        }
        if huge {
            refuse_beyond_memory(bytes as u64)?;
        } else {
            refuse_beyond_limit(bytes as u64)?;
        }
        let slack = if huge { HUGE_PAGE } else { 0 };
        let map = map(bytes.saturating_add(slack)).ok_or_else(|| shortage("an array", bytes as u64))?;
        if huge {
            advise_huge(&map);
        }
        Ok(Self::inside(map, len, huge))
    }

    /// Uses the first `len` elements of a map, starting at its first huge page boundary if `huge` is set.
    fn inside(mut map: MmapMut, len: usize, huge: bool) -> Self {
        let skip = if huge { map.as_ptr().align_offset(HUGE_PAGE) } else { 0 };
        assert!(map.len() - skip >= len * size_of::<T>(), "a map too small for its array");
        // `start` is aligned for T, since the alignment of pages exceeds that of any Pod type in use.
        let start = NonNull::from(&mut map[skip]).cast::<T>();
        Self { start, len, memory: Memory::Mapped { map: Some(map), huge } }
    }

    /// Returns the physical memory under `range` to the system, on Linux and for mapped arrays only. Elements that lie
    /// entirely on its whole pages then read as zero.
    pub fn discard(&mut self, range: std::ops::Range<usize>) {
        assert!(range.start <= range.end && range.end <= self.len, "discard beyond the array");
        if let Memory::Mapped { map: Some(map), .. } = &self.memory {
            let address = |index: usize| self.start.as_ptr() as usize + index * size_of::<T>();
            discard_pages(map, address(range.start), address(range.end));
        }
    }
}

/// Maps `bytes` of zeroes; gives back what is kept for reuse if the system refuses them otherwise.
fn map(bytes: usize) -> Option<MmapMut> {
    MmapMut::map_anon(bytes).ok().or_else(|| {
        spare::clear();
        MmapMut::map_anon(bytes).ok()
    })
}

impl<T: Pod> Pages<T> {
    /// Returns the same bytes as an array of another type. Panics unless both types have the same size and alignment.
    pub(crate) fn cast<U: Pod>(mut self) -> Pages<U> {
        assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>(), "types of one size");
        let (start, len) = (self.start.cast(), self.len);
        let memory = match &mut self.memory {
            Memory::Heap { vec } => Memory::Heap { vec: bytemuck::cast_vec(std::mem::take(vec)) },
            Memory::Mapped { map, huge } => Memory::Mapped { map: map.take(), huge: *huge },
        };
        Pages { start, len, memory }
    }

    /// Shortens the array and returns the rest to the system.
    pub fn truncate(&mut self, len: usize) {
        if len < self.len {
            self.discard(len..self.len);
            self.len = len;
        }
    }

    /// Cuts the array at `starts` (increasing, from 0 to the length) into sections for several threads.
    pub(crate) fn sections(&mut self, starts: &[usize]) -> Vec<Section<'_, T>> {
        assert_eq!(
            (starts.first(), starts.last()),
            (Some(&0), Some(&self.len)),
            "sections of the whole array"
        );
        assert!(starts.is_sorted(), "sections one after the other");
        let map = match &self.memory {
            Memory::Mapped { map, .. } => map.as_ref(),
            Memory::Heap { .. } => None,
        };
        let cut = |w: &[usize]| {
            // SAFETY: the sections lie inside the array, do not overlap, and borrow self exclusively.
            let slice = unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().add(w[0]), w[1] - w[0]) };
            Section { slice, map }
        };
        starts.windows(2).map(cut).collect()
    }
}

/// A section of [`Pages`] that can be returned to the system on its own.
pub(crate) struct Section<'a, T: Pod> {
    slice: &'a mut [T],
    map: Option<&'a MmapMut>,
}

impl<T: Pod> Section<'_, T> {
    /// Returns the memory of the section to the system, except for pages shared with neighbouring sections.
    pub(crate) fn discard(self) {
        if let Some(map) = self.map {
            let bytes = self.slice.as_ptr_range();
            discard_pages(map, bytes.start as usize, bytes.end as usize);
        }
    }
}

impl<T: Pod> Deref for Section<'_, T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.slice
    }
}

impl<T: Pod> DerefMut for Section<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.slice
    }
}

/// Discards the whole pages from address `first` to `last` of an anonymous map; the caller owns them exclusively.
#[cfg(target_os = "linux")]
fn discard_pages(map: &MmapMut, first: usize, last: usize) {
    let base = map.as_ptr() as usize;
    let (first, last) = (first.next_multiple_of(4096), last / 4096 * 4096);
    assert!(base <= first && last <= base + map.len(), "discard beyond the map");
    if first < last {
        // SAFETY: the range lies inside the map; discarded anonymous pages read as zero, a valid T: Pod; both callers
        // hold the range exclusively.
        let _ = unsafe {
            map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, first - base, last - first)
        };
    }
}

#[cfg(not(target_os = "linux"))]
fn discard_pages(_: &MmapMut, _: usize, _: usize) {}

#[cfg(target_os = "linux")]
fn advise_huge(map: &MmapMut) {
    // The call fails where the kernel has no huge pages; ordinary pages serve then.
    let _ = map.advise(memmap2::Advice::HugePage);
}

#[cfg(not(target_os = "linux"))]
fn advise_huge(_: &MmapMut) {}

impl<T: Pod> From<Vec<T>> for Pages<T> {
    fn from(mut vec: Vec<T>) -> Self {
        // Moving the Vec does not move its heap memory.
        let start = NonNull::from(vec.as_mut_slice()).cast::<T>();
        Self { start, len: vec.len(), memory: Memory::Heap { vec } }
    }
}

impl<T: Pod> Deref for Pages<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: start points to len initialised elements owned by memory for as long as self lives.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Pod> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in deref, and &mut self makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.deref().fmt(f)
    }
}

/// Keeps released maps for the next array of about their size. Allocating memory from the system and releasing it costs
/// as much as a short run: zeroing, page faults, and a flush of every core's address translations.
mod spare {
    use super::{HUGE_PAGE, MmapMut};
    use std::sync::{Mutex, OnceLock};

    static SPARE: Mutex<Vec<MmapMut>> = Mutex::new(Vec::new());

    /// Returns the most bytes to keep: 1/32 of the process's memory limit, or 256 MiB if it is unknown.
    fn limit() -> usize {
        static LIMIT: OnceLock<usize> = OnceLock::new();
        *LIMIT.get_or_init(|| super::limit().map_or(256 << 20, |b| (b / 32) as usize))
    }

    /// Releases all maps.
    pub(super) fn clear() {
        if let Ok(mut spare) = SPARE.lock() {
            spare.clear();
        }
    }

    /// Takes a spare map with room for `bytes` after its first huge page boundary, and not much more.
    pub(super) fn take(bytes: usize) -> Option<MmapMut> {
        if bytes < HUGE_PAGE {
            return None;
        }
        let mut spare = SPARE.lock().ok()?;
        let fits = bytes + HUGE_PAGE..=bytes + bytes / 4 + 2 * HUGE_PAGE;
        let best =
            (0..spare.len()).filter(|&i| fits.contains(&spare[i].len())).min_by_key(|&i| spare[i].len())?;
        Some(spare.swap_remove(best))
    }

    /// Keeps a map, and releases the oldest maps while the total exceeds the limit.
    pub(super) fn put(map: MmapMut) {
        let Ok(mut spare) = SPARE.lock() else { return };
        spare.push(map);
        while spare.iter().map(|m| m.len()).sum::<usize>() > limit() {
            spare.remove(0);
        }
    }
}

/// A read-only array that is cheap to clone: owned memory, a section of a mapped file, or memory of another owner.
pub struct Buffer<T: Pod> {
    start: *const T,
    len: usize,
    owner: Owner<T>,
}

enum Owner<T: Pod> {
    Pages(Arc<Pages<T>>),
    File(Arc<MappedFile>, PhantomData<T>),
    Foreign(Arc<dyn Any + Send + Sync>),
}

impl<T: Pod> Clone for Owner<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Pages(pages) => Self::Pages(pages.clone()),
            Self::File(map, marker) => Self::File(map.clone(), *marker),
            Self::Foreign(owner) => Self::Foreign(owner.clone()),
        }
    }
}

// SAFETY: a Buffer hands out only shared slices of memory that its owner keeps alive; T: Pod is plain data.
unsafe impl<T: Pod + Send + Sync> Send for Buffer<T> {}
// SAFETY: as above.
unsafe impl<T: Pod + Send + Sync> Sync for Buffer<T> {}

impl<T: Pod> Buffer<T> {
    /// Returns `len` elements of a mapped file from byte `start`; `None` if they exceed the file or are misaligned.
    pub fn mapped(map: Arc<MappedFile>, start: usize, len: usize) -> Option<Self> {
        let bytes = len.checked_mul(size_of::<T>())?;
        let section = map.get(start..start.checked_add(bytes)?)?;
        let slice: &[T] = bytemuck::try_cast_slice(section).ok()?;
        let start = slice.as_ptr();
        Some(Self { start, len, owner: Owner::File(map, PhantomData) })
    }

    /// Returns an array in memory of another owner, such as a library of another language.
    ///
    /// # Safety
    /// `start` is aligned and points to `len` initialised elements, or `len` is 0. They live as long as `owner`, and nobody
    /// changes them until then.
    pub unsafe fn foreign(start: *const T, len: usize, owner: Arc<dyn Any + Send + Sync>) -> Self {
        let start = if len == 0 { NonNull::dangling().as_ptr() } else { start };
        Self { start, len, owner: Owner::Foreign(owner) }
    }

    /// Returns true if the array lies in a mapped file rather than in its own memory.
    pub fn is_mapped(&self) -> bool {
        matches!(self.owner, Owner::File(..))
    }

    /// Returns the mapped file that the array lies in; `None` if it has memory of its own.
    pub fn file(&self) -> Option<&MappedFile> {
        match &self.owner {
            Owner::Pages(_) | Owner::Foreign(_) => None,
            Owner::File(file, _) => Some(file),
        }
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        (self.len * size_of::<T>()) as u64
    }
}

impl<T: Pod> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        Self { start: self.start, len: self.len, owner: self.owner.clone() }
    }
}

impl<T: Pod> From<Pages<T>> for Buffer<T> {
    fn from(pages: Pages<T>) -> Self {
        // Moving `pages` into the Arc does not move the elements, which lie behind the pointer of Pages.
        Self { start: pages.start.as_ptr(), len: pages.len, owner: Owner::Pages(Arc::new(pages)) }
    }
}

impl<T: Pod> From<Vec<T>> for Buffer<T> {
    fn from(vec: Vec<T>) -> Self {
        Self::from(Pages::from(vec))
    }
}

impl<T: Pod> Default for Buffer<T> {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl<T: Pod> Deref for Buffer<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        // SAFETY: start points to len initialised elements; owner keeps them alive, and a Buffer never writes them.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.deref().fmt(f)
    }
}

/// Returns the machine's physical memory in bytes, where `/proc/meminfo` states it.
pub fn physical() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemTotal:"))?;
    let kib: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

/// Refuses an allocation larger than the memory that is left, so that the result is an error and not a killed process.
///
/// # Errors
/// [`Error::TooLarge`] if `bytes` exceeds [`available`].
pub fn refuse_beyond_memory(bytes: u64) -> Result<()> {
    let is_beyond = |left: Option<Available>| left.is_some_and(|left| bytes > left.bytes);
    if bytes < WORTH_CHECKING || !is_beyond(available()) {
        return Ok(());
    }
    // What is kept for reuse counts as taken.
    spare::clear();
    if is_beyond(available()) { Err(shortage("an array", bytes)) } else { Ok(()) }
}

/// Refuses an allocation that would not fit even if nothing else took memory: for arrays that fill up while others are
/// released.
fn refuse_beyond_limit(bytes: u64) -> Result<()> {
    let is_beyond = bytes >= WORTH_CHECKING && limit().is_some_and(|limit| bytes > limit);
    if is_beyond { Err(shortage("an array", bytes)) } else { Ok(()) }
}

/// Returns the error for memory that the system does not have or refuses: `what` completes "... needs 2.0 GiB".
pub fn shortage(what: impl Into<String>, bytes: u64) -> Error {
    let limit = match available() {
        Some(left) if bytes > left.bytes => left.to_string(),
        Some(left) => format!("lower: the system refused it, with {left}"),
        None => "lower: the system refused it".to_owned(),
    };
    Error::TooLarge {
        what: what.into(),
        needed: human_bytes(bytes),
        limit,
        help: "use a smaller graph or a machine with more memory, or raise the limit; `warpgraph estimate` says how much a run takes".to_owned(),
    }
}

/// Formats a number of bytes for people: `1.5 GiB`.
pub fn human_bytes(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// Parses `4G`, `512MiB`, `1.5g` or `1048576` as bytes.
///
/// # Errors
/// What is expected instead.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    const EXPECTED: &str = "expected bytes, or a number with K, M, G or T, such as 512M or 4G";
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        unit => return Err(format!("{EXPECTED}; there is no unit {unit:?}")),
    };
    let whole = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(1 << shift));
    let decimal = || Some(digits.parse::<f64>().ok()? * (1u64 << shift) as f64);
    match (whole, decimal().filter(|n| (1.0..9e18).contains(n))) {
        (Some(0), _) => Err("expected more than nothing; --device cpu uses none of it".to_owned()),
        (Some(bytes), _) => Ok(bytes),
        (None, Some(bytes)) => Ok(bytes as u64),
        (None, None) => Err(EXPECTED.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        let sizes = ["1", "7b", "2K", "512M", "4G", "4GiB", "1.5g", "2tb"];
        let bytes = [1, 7, 2 << 10, 512 << 20, 4 << 30, 4 << 30, 3 << 29, 2 << 40];
        assert_eq!(sizes.map(|text| parse_bytes(text).unwrap()), bytes);
    }

    #[test]
    fn what_is_no_size_says_what_is() {
        for text in ["", "G", "x", "-4G", "1e3x", "NaNG", "99999999999999T"] {
            assert!(
                parse_bytes(text).unwrap_err().starts_with("expected bytes, or a number with K"),
                "{text}"
            );
        }
        assert!(parse_bytes("4X").unwrap_err().ends_with("there is no unit \"x\""));
        assert!(parse_bytes("0").unwrap_err().starts_with("expected more than nothing"));
    }

    #[test]
    fn sections_are_given_back_one_by_one_and_leave_their_neighbours_alone() {
        let len = 4 << 20;
        let mut pages = Pages::<u32>::zeroed_lazily(len).unwrap();
        pages.fill(7);
        let starts = [0, len / 4 + 5, len / 2 + 9, len];
        let mut sections = pages.sections(&starts);
        sections.remove(1).discard();
        drop(sections);
        assert!(pages[..starts[1]].iter().chain(&pages[starts[2]..]).all(|&x| x == 7));
        let zeroes = pages[starts[1]..starts[2]].iter().filter(|&&x| x == 0).count();
        let whole_pages = starts[2] - starts[1] - 2 * 1024;
        assert!(!cfg!(target_os = "linux") || zeroes >= whole_pages, "{zeroes} of {whole_pages}");
    }

    #[test]
    fn a_shorter_array_keeps_its_first_elements() {
        for mut pages in [Pages::<u64>::zeroed(1 << 20).unwrap(), Pages::from(vec![0; 100])] {
            pages[..10].fill(3);
            pages.truncate(10);
            assert_eq!(pages[..], [3; 10]);
            pages.truncate(11);
            assert_eq!(pages.len(), 10);
        }
    }
}
