//! [`Frontier`]: the rows of a frontier one behind the other, as the host sends them. It says where each row begins, and
//! copies any part of them.

use std::ops::Range;
use warpgraph_graph::{Csr, Offsets, Pages, Result, Vertex, par};

/// Entries whose arcs one thread adds up.
const BLOCK: usize = par::FINE;
/// Arcs that one thread copies at a time.
const PIECE: usize = 1 << 15;
/// How many entries ahead the arcs of a row are prefetched; offsets are prefetched twice as far ahead.
const AHEAD: usize = 8;
/// Arcs of a cache line.
const LINE: usize = 16;

/// The entries of a frontier, and the rows that they have in the host's memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frontier<'a> {
    pub(super) csr: &'a Csr,
    pub(super) len: usize,
    /// `None` if the entries are 0, 1, 2, ...
    pub(super) listed: Option<Listed<'a>>,
}

/// The entries of a list, and their arcs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed<'a> {
    items: &'a [Vertex],
    /// For each entry, the arcs of its block up to and including its own.
    sums: &'a [u64],
    /// The arcs before each block.
    bases: &'a [u64],
}

/// Memory for [`Listed`], which grows to the longest list.
#[derive(Debug)]
pub(super) struct List {
    items: Pages<Vertex>,
    sums: Pages<u64>,
    bases: Vec<u64>,
}

impl Default for List {
    fn default() -> Self {
        Self { items: Vec::new().into(), sums: Vec::new().into(), bases: Vec::new() }
    }
}

impl List {
    /// Makes room for a list of this length, and returns its entries for the caller to write.
    ///
    /// # Errors
    /// When memory is short.
    pub(super) fn entries(&mut self, len: usize) -> Result<&mut [Vertex]> {
        if self.items.len() < len {
            let room = len.next_power_of_two();
            // What is too short makes room first.
            *self = Self::default();
            (self.items, self.sums) = (Pages::scratch(room)?, Pages::scratch(room)?);
        }
        Ok(&mut self.items[..len])
    }

    /// Adds up the arcs of the entries.
    pub(super) fn summed<'a>(&'a mut self, csr: &Csr, len: usize) -> Listed<'a> {
        let (items, sums) = (&self.items[..len], &mut self.sums[..len]);
        par::chunks_mut(sums, BLOCK, |block, sums| {
            let (items, mut sum) = (&items[block * BLOCK..], 0);
            for (i, (sum_here, &v)) in sums.iter_mut().zip(items).enumerate() {
                if let Some(&far) = items.get(i + 2 * AHEAD) {
                    prefetch_offset(csr, far);
                }
                sum += row(csr, v as usize).len() as u64;
                *sum_here = sum;
            }
        });
        self.bases.clear();
        self.bases.push(0);
        let mut all = 0;
        for block in sums.chunks(BLOCK) {
            all += block.last().copied().unwrap_or(0);
            self.bases.push(all);
        }
        Listed { items, sums, bases: &self.bases }
    }
}

impl Frontier<'_> {
    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of arcs in the rows of the first `entries` entries.
    #[inline]
    pub(super) fn before(&self, entries: usize) -> u64 {
        match self.listed {
            Some(_) if entries == 0 => 0,
            Some(listed) => listed.bases[(entries - 1) / BLOCK] + listed.sums[entries - 1],
            None => {
                let (n, arcs) = (self.csr.vertices().max(1), self.csr.targets().len());
                // Copies of the graph lie one behind the other.
                let (copies, v) = if entries <= n { (0, entries) } else { (entries / n, entries % n) };
                (copies * arcs + self.csr.offsets().get(v.min(self.csr.vertices()))) as u64
            }
        }
    }

    /// Writes the number of arcs before each of some entries, without those before the first of them, by `write`.
    pub(super) fn firsts<T: Send>(&self, at: usize, into: &mut [T], write: impl Fn(u64) -> T + Sync) {
        let base = self.before(at);
        par::parts_mut(into, BLOCK, |first, part| {
            for (entry, into) in (at + first..).zip(part) {
                *into = write(self.before(entry) - base);
            }
        });
    }

    /// Copies the rows of some entries from an array that has `width` bytes per arc. Several threads share the bytes.
    pub(super) fn gather(&self, entries: Range<usize>, from: &[u8], width: usize, into: &mut [u8]) {
        let base = self.before(entries.start);
        par::chunks_mut(into, PIECE * width, |piece, into| {
            let first = base + (piece * PIECE) as u64;
            let source = Source { from, width };
            match self.listed {
                Some(listed) => self.gather_listed(listed, &entries, first, source, into),
                None => gather_all(first as usize, source, into),
            }
        });
    }

    /// Copies the arcs from number `first` on.
    fn gather_listed(
        &self,
        listed: Listed<'_>,
        entries: &Range<usize>,
        first: u64,
        source: Source<'_>,
        mut into: &mut [u8],
    ) {
        let mut entry = first_without(entries.clone(), |entry| self.before(entry + 1) <= first);
        let mut skipped = if entry < entries.end { (first - self.before(entry)) as usize } else { 0 };
        // Rows of consecutive vertices lie one behind the other, and are copied together.
        let (mut run, mut left) = (0..0, into.len() / source.width);
        while left > 0 {
            self.prefetch(listed, entry, source);
            let row = row(self.csr, listed.items[entry] as usize);
            let begin = row.start + skipped;
            let len = (row.end - begin).min(left);
            if begin != run.end && len > 0 {
                into = source.copy(run, into);
                run = begin..begin;
            }
            run.end += len;
            (left, entry, skipped) = (left - len, entry + 1, 0);
        }
        source.copy(run, into);
    }

    /// Starts to load what the entries behind this one will need.
    #[inline(always)]
    fn prefetch(&self, listed: Listed<'_>, entry: usize, source: Source<'_>) {
        let Some(&far) = listed.items.get(entry + 2 * AHEAD) else { return };
        prefetch_offset(self.csr, far);
        let near = row(self.csr, listed.items[entry + AHEAD] as usize);
        for line in (near.start..near.end).step_by(LINE).take(4) {
            prefetch(source.from, line * source.width);
        }
    }
}

/// An array that has an entry per arc, as bytes.
#[derive(Debug, Clone, Copy)]
struct Source<'a> {
    from: &'a [u8],
    /// Bytes of an entry.
    width: usize,
}

impl Source<'_> {
    /// Copies the entries of some arcs, and returns what is left of the target.
    #[inline]
    fn copy<'i>(&self, arcs: Range<usize>, into: &'i mut [u8]) -> &'i mut [u8] {
        let (here, rest) = into.split_at_mut(arcs.len() * self.width);
        here.copy_from_slice(&self.from[arcs.start * self.width..arcs.end * self.width]);
        rest
    }
}

/// Copies as many arcs as there is room for, from number `first` on. Copies of the graph lie one behind the other.
fn gather_all(first: usize, source: Source<'_>, mut into: &mut [u8]) {
    let all = source.from.len() / source.width;
    let mut begin = first % all.max(1);
    while !into.is_empty() {
        let end = all.min(begin + into.len() / source.width);
        into = source.copy(begin..end, into);
        begin = 0;
    }
}

/// Returns the first number of a range for which `holds` is false, or the end. It is true for all before.
pub(super) fn first_without(mut range: Range<usize>, holds: impl Fn(usize) -> bool) -> usize {
    while !range.is_empty() {
        let middle = range.start + range.len() / 2;
        match holds(middle) {
            true => range.start = middle + 1,
            false => range.end = middle,
        }
    }
    range.start
}

/// Returns the arcs of a vertex of any copy of the graph.
#[inline(always)]
fn row(csr: &Csr, v: usize) -> Range<usize> {
    let (offsets, n) = (csr.offsets(), csr.vertices());
    let v = if v < n { v } else { v % n };
    offsets.get(v)..offsets.get(v + 1)
}

/// Starts to load where the row of a vertex begins.
#[inline(always)]
fn prefetch_offset(csr: &Csr, v: Vertex) {
    match csr.offsets() {
        Offsets::Narrow(offsets) => prefetch(offsets, v as usize),
        Offsets::Wide(offsets) => prefetch(offsets, v as usize),
    }
}

/// Starts to load an entry into the cache. Does nothing if there is no such entry.
#[inline(always)]
fn prefetch<T>(slice: &[T], entry: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching is a hint and never faults, whatever the address. SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(slice.as_ptr().wrapping_add(entry).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, entry);
}

#[cfg(test)]
mod tests;
