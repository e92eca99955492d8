//! Generates the rows of a range of vertices, without a list of edges.
//!
//! The edges are listed twice. The first pass counts the arcs of each row, the second one writes their targets to where they
//! belong. Then each row is sorted, and parallel arcs merge. So the peak memory is 4 bytes per listed arc of the range and
//! 8 per vertex of it, whatever the size of the whole graph. Weights are functions of the two ends ([`super::weights`]), so
//! they are computed last.

use super::{
    Edges,
    pieces::{self, Weigher},
};
use crate::{
    atomics::atomics,
    control::Control,
    csr::{Offsets, Vertex},
    error::Result,
    memory::Pages,
    par,
    weights::Weights,
};
use std::{
    ops::Range,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

/// The rows of a range of vertices: outgoing arcs, and incoming ones if the graph is directed.
#[derive(Debug)]
pub struct Section {
    /// The outgoing arcs; of an undirected graph, all arcs.
    pub out: SectionRows,
    /// The incoming arcs of a directed graph.
    pub incoming: Option<SectionRows>,
}

/// The arcs of a range of vertices in one direction, by vertex and sorted by their other ends.
#[derive(Debug)]
pub struct SectionRows {
    /// Where the arcs of each vertex start, from 0, and the number of arcs.
    pub offsets: Offsets,
    /// The other ends of the arcs.
    pub targets: Pages<Vertex>,
    /// The weights of the arcs.
    pub weights: Weights,
}

/// Arcs that a thread sorts at a time.
const WORK: usize = 1 << 16;

/// Generates the rows of the vertices `own`.
///
/// # Errors
/// [`crate::Error::TooLarge`] if memory is short, and the error of `control` if `control` stops the work.
pub(super) fn section(
    edges: &dyn Edges,
    own: &Range<Vertex>,
    directed: bool,
    weigher: &Weigher,
    control: &Control,
) -> Result<Section> {
    let ways: &[Way] = if directed { &[Way::Out, Way::Incoming] } else { &[Way::Both] };
    let mut rows: Vec<Rows> = ways.iter().map(|&way| Rows::new(way, own.clone())).collect::<Result<_>>()?;
    let open: Vec<Open<'_>> = rows.iter_mut().map(Rows::open).collect();
    pieces::visit(edges, 0..2, control, &|pairs| open.iter().for_each(|rows| rows.count(pairs)))?;
    rows.iter_mut().try_for_each(Rows::lay_out)?;
    let open: Vec<Open<'_>> = rows.iter_mut().map(Rows::open).collect();
    pieces::visit(edges, 1..2, control, &|pairs| open.iter().for_each(|rows| rows.fill(pairs)))?;
    control.check("sorting arcs")?;
    let mut finished = rows.into_iter().map(|rows| rows.finish(weigher)).collect::<Result<Vec<_>>>()?;
    let incoming = if directed { finished.pop() } else { None };
    let out = finished.swap_remove(0);
    Ok(Section { out, incoming })
}

/// Which ends of an edge are its source and its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Out,
    Incoming,
    Both,
}

/// Rows in the making.
struct Rows {
    way: Way,
    own: Range<Vertex>,
    /// How many arcs each vertex has; then where its next arc belongs, and at last where its arcs end.
    ends: Pages<u64>,
    targets: Pages<Vertex>,
}

/// Rows whose arcs several threads count or write.
struct Open<'a> {
    way: Way,
    own: Range<Vertex>,
    ends: &'a [AtomicU64],
    targets: &'a [AtomicU32],
    /// True if there is only one thread.
    alone: bool,
}

impl Open<'_> {
    /// Calls `visit` with the number, within the range, of the source of each arc, and with its target.
    #[inline(always)]
    fn each(&self, pairs: &[[Vertex; 2]], visit: impl Fn(usize, Vertex)) {
        let arc = |from: Vertex, to: Vertex| {
            if self.own.contains(&from) {
                visit((from - self.own.start) as usize, to);
            }
        };
        for &[u, v] in pairs.iter().filter(|[u, v]| u != v) {
            if self.way != Way::Incoming {
                arc(u, v);
            }
            if self.way != Way::Out {
                arc(v, u);
            }
        }
    }

    /// Adds 1 to the entry of a row. Returns what it was.
    #[inline(always)]
    fn next(&self, row: usize) -> u64 {
        let end = &self.ends[row];
        if !self.alone {
            return end.fetch_add(1, Relaxed);
        }
        let old = end.load(Relaxed);
        end.store(old + 1, Relaxed);
        old
    }

    fn count(&self, pairs: &[[Vertex; 2]]) {
        self.each(pairs, |row, _| _ = self.next(row));
    }

    fn fill(&self, pairs: &[[Vertex; 2]]) {
        self.each(pairs, |row, to| self.targets[self.next(row) as usize].store(to, Relaxed));
    }
}

impl Rows {
    fn new(way: Way, own: Range<Vertex>) -> Result<Self> {
        Ok(Self { way, ends: Pages::zeroed(own.len())?, own, targets: Pages::zeroed(0)? })
    }

    fn open(&mut self) -> Open<'_> {
        Open {
            way: self.way,
            own: self.own.clone(),
            ends: atomics(&mut self.ends),
            targets: atomics(&mut self.targets),
            alone: rayon::current_num_threads() == 1,
        }
    }

    /// Replaces counts by where rows start, and makes room for the arcs.
    fn lay_out(&mut self) -> Result<()> {
        let mut total = 0;
        for end in self.ends.iter_mut() {
            (*end, total) = (total, total + *end);
        }
        self.targets = Pages::scratch(total as usize)?;
        Ok(())
    }

    /// Sorts the rows and merges parallel arcs.
    fn finish(mut self, weigher: &Weigher) -> Result<SectionRows> {
        self.sort();
        let Self { way, own, ends, targets } = self;
        let offsets = offsets(&ends)?;
        drop(ends);
        let weigh = |row: usize, to: Vertex| {
            let from = own.start + row as Vertex;
            if way == Way::Incoming { [to, from] } else { [from, to] }
        };
        let weights = weigher.of_rows(&offsets, &targets, weigh)?;
        Ok(SectionRows { offsets, targets, weights })
    }

    fn sort(&mut self) {
        // Rows in groups of about equally many arcs, and where the arcs of each group start.
        let (mut groups, mut starts, mut first) = (Vec::new(), vec![0], 0);
        for (row, &end) in self.ends.iter().enumerate() {
            if end as usize - starts[starts.len() - 1] >= WORK || row + 1 == self.ends.len() {
                groups.push(row + 1 - first);
                starts.push(end as usize);
                first = row + 1;
            }
        }
        let mut rest = &mut self.ends[..];
        let mut work = Vec::with_capacity(groups.len());
        let sections = if groups.is_empty() { Vec::new() } else { self.targets.sections(&starts) };
        for (rows, (arcs, &start)) in groups.iter().zip(sections.into_iter().zip(&starts)) {
            let (ends, others) = std::mem::take(&mut rest).split_at_mut(*rows);
            rest = others;
            work.push((ends, arcs, start));
        }
        let kept =
            par::map_each(work, |_, (ends, mut arcs, start)| sort_and_merge(ends, &mut arcs, start as u64));
        let (mut total, mut row) = (0, 0);
        for ((&rows, &start), kept) in groups.iter().zip(&starts).zip(kept) {
            self.targets.copy_within(start..start + kept, total);
            self.ends[row..row + rows].iter_mut().for_each(|end| *end += total as u64);
            total += kept;
            row += rows;
        }
        self.targets.truncate(total);
    }
}

/// Sorts some rows and moves their different arcs to the front. `ends`, which count from `start`, then say from the front
/// where each row ends. Returns the number of arcs that are left.
fn sort_and_merge(ends: &mut [u64], arcs: &mut [Vertex], start: u64) -> usize {
    let (mut first, mut kept) = (0, 0);
    for end in ends {
        let stop = (*end - start) as usize;
        arcs[first..stop].sort_unstable();
        let row = kept;
        for at in first..stop {
            if kept == row || arcs[kept - 1] != arcs[at] {
                arcs[kept] = arcs[at];
                kept += 1;
            }
        }
        (first, *end) = (stop, kept as u64);
    }
    kept
}

/// Returns offsets in the narrowest width.
fn offsets(ends: &[u64]) -> Result<Offsets> {
    let arcs = ends.last().copied().unwrap_or(0);
    if u32::try_from(arcs).is_err() {
        let mut wide = Pages::<u64>::scratch(ends.len() + 1)?;
        wide[0] = 0;
        wide[1..].copy_from_slice(ends);
        return Ok(Offsets::Wide(wide.into()));
    }
    let mut narrow = Pages::<u32>::scratch(ends.len() + 1)?;
    narrow[0] = 0;
    narrow[1..].iter_mut().zip(ends).for_each(|(offset, &end)| *offset = end as u32);
    Ok(Offsets::Narrow(narrow.into()))
}
