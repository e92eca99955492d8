//! Brandes' algorithm for a batch of sources at once, level by level, on all threads.
//!
//! A level holds the vertices that some source of the batch reaches at that distance, each with a [`Row`]: the number
//! of shortest paths in the lanes of those sources, 0 in the others. A vertex is on as many levels as it has different
//! distances. On the way back, `(mass + delta) / sigma` replaces the counts, so that a step is the same in both
//! directions: it sums rows of one level at the vertices of the next.
//!
//! The arcs between two levels can be processed from either end, and every step takes the end with fewer arcs. Forward,
//! the level pushes, or all vertices that still miss a lane pull; backward, the nearer level pulls or the farther one
//! pushes. Pulling gathers from `rows`, into which one level is scattered; pushing adds up in `rows`, where one thread
//! owns each group of vertices. Between steps `rows` is all zero. Either way the terms of a sum come in a fixed order.
//!
//! On a graph with copies of vertices, a copy is on the levels of its master, behind all vertices that are no copies, with the
//! same row. On the way back only masters have dependencies, which they gather over the rows of their copies too; the farther
//! level does not push then.
//!
//! Work O(levels + n + m) per batch. Memory: 8 bytes per lane and vertex for `rows`, and the same plus 4 bytes for
//! every level that a vertex is on.

mod backward;
mod forward;

use super::{Masses, Row, Task};
use crate::parts::{Bitmap, Team};
use std::mem::replace;
use warpgraph_core::{Result, program::Copies};
use warpgraph_graph::{Offset, Pages, Vertex, View};

/// Parts that the vertices are cut into. The number must not depend on the threads, since the order of sums depends on
/// it.
const PARTS: usize = 64;
/// Groups of parts per thread, on average, when it pushes.
const GROUPS_PER_THREAD: usize = 4;
/// The cost of pushing along an arc, relative to pulling: a push reads and writes a row, a pull only reads it.
const PUSH_COST: usize = 2;
/// Counts above this might exceed the range of f64 within one level.
const HUGE: f64 = 1e250;
/// From this level on, a batch continues only if it pays off.
const DEEP: usize = 12;
/// A batch pays off only if a level has this many vertices on average.
const WIDE: usize = 2048;

/// Returns true if sweeps of a graph are likely to be too deep and narrow, given a bound on the hops of shortest paths that is
/// about twice the depth of a search.
pub(super) fn is_likely_narrow(vertices: usize, hops: u64) -> bool {
    let depth = hops as usize / 2;
    depth > DEEP && vertices < WIDE * depth
}

/// The vertices of a part that are on one level, in increasing order.
#[derive(Default)]
struct Part<R> {
    vertices: Vec<Vertex>,
    rows: Vec<R>,
    tally: Tally,
}

/// Totals of the vertices on a level.
#[derive(Default, Clone, Copy)]
struct Tally {
    vertices: usize,
    /// Outgoing and incoming arcs of the vertices.
    out_arcs: usize,
    in_arcs: usize,
    /// Incoming arcs of the vertices that all lanes have reached now.
    finished: usize,
    /// Number of lanes reached, and the outgoing arcs of the vertices counted once per lane.
    lanes: usize,
    lane_arcs: u64,
    huge: bool,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.vertices += other.vertices;
        self.out_arcs += other.out_arcs;
        self.in_arcs += other.in_arcs;
        self.finished += other.finished;
        self.lanes += other.lanes;
        self.lane_arcs += other.lane_arcs;
        self.huge |= other.huge;
    }
}

struct Level<R> {
    parts: Vec<Part<R>>,
    tally: Tally,
}

impl<R: Row> Level<R> {
    fn count(&mut self) -> Tally {
        self.tally = Tally::default();
        self.parts.iter().for_each(|part| self.tally.add(&part.tally));
        self.tally
    }

    fn empty(&mut self, parts: usize) {
        self.parts.resize_with(parts, || Part {
            vertices: Vec::new(),
            rows: Vec::new(),
            tally: Tally::default(),
        });
        for part in &mut self.parts {
            part.vertices.clear();
            part.rows.clear();
            part.tally = Tally::default();
        }
    }
}

/// The arrays, kept between batches and runs.
pub(in crate::bc) struct Scratch<R: bytemuck::Pod> {
    rows: Pages<R>,
    /// The lanes that have reached each vertex.
    seen: Pages<u8>,
    /// Vertices that a push has touched, or may touch; empty between steps.
    marks: Bitmap,
    levels: Vec<Level<R>>,
}

/// A batch in progress.
pub(in crate::bc) struct Sweep<'a, O, I, R: Row> {
    out: View<'a, O>,
    incoming: View<'a, I>,
    /// Vertices per part: a multiple of 64.
    size: usize,
    scratch: Scratch<R>,
    /// Number of levels in use.
    depth: usize,
    /// All lanes of the batch.
    full: u8,
    masses: Masses<'a>,
    /// The masses of the sources.
    sources: R,
    /// Copies of vertices, if there are any.
    copies: Option<&'a Copies>,
}

impl<'a, O: Offset, I: Offset, R: Row> Sweep<'a, O, I, R> {
    pub(in crate::bc) fn new(
        out: View<'a, O>,
        incoming: View<'a, I>,
        masses: Masses<'a>,
        copies: Option<&'a Copies>,
    ) -> Result<Self> {
        let n = out.vertices();
        let size = n.div_ceil(PARTS).next_multiple_of(64).max(64);
        let kept = R::spare().take_or(Scratch::none);
        let scratch = if kept.rows.len() == n { kept } else { Scratch::new(n)? };
        Ok(Self { out, incoming, size, scratch, depth: 0, full: 0, masses, sources: R::ZERO, copies })
    }

    /// Keeps the arrays for the next run and returns their size in bytes.
    pub(in crate::bc) fn keep(self) -> usize {
        let bytes = self.scratch.bytes();
        R::spare().keep(self.scratch, bytes);
        bytes
    }

    /// Adds the dependencies of all vertices on these sources to `sums`. Returns false, and adds nothing, if sweeps do
    /// not suit this graph.
    pub(in crate::bc) fn batch(
        &mut self,
        team: &Team,
        sources: &[Vertex],
        task: &mut Task<'_>,
        sums: &mut [f64],
    ) -> Result<bool> {
        self.start(sources);
        let Some(total) = self.forward(team, task)? else { return Ok(false) };
        self.backward(team, task, sums)?;
        if task.config.endpoints {
            self.add_ends(sources, sums);
        }
        let depth = self.depth - 1;
        task.tell(sources.len(), total.lanes, total.lane_arcs, || {
            format!("{} sources at once, {depth} levels", sources.len())
        });
        Ok(true)
    }

    /// Puts the sources on level 0.
    fn start(&mut self, sources: &[Vertex]) {
        self.full = (u16::MAX >> (16 - sources.len())) as u8;
        let masses: Vec<f64> = sources.iter().map(|&s| self.masses.of(s)).collect();
        self.sources = R::of(&masses);
        self.scratch.seen.fill(0);
        self.depth = 0;
        let (out, incoming, size, full) = (self.out, self.incoming, self.size, self.full);
        let seen = &mut self.scratch.seen;
        let level = next_level(&mut self.scratch.levels, &mut self.depth, seen.len().div_ceil(size));
        for (lane, &s) in sources.iter().enumerate() {
            let (part, v) = (&mut level.parts[s as usize / size], s as usize);
            part.take(s, R::unit(lane), &mut seen[v], full, [out.degree(s), incoming.degree(s)]);
        }
        self.reflect();
        self.scratch.levels[0].count();
    }

    /// Puts the copies of the vertices on the last level on it too, behind all others, with the same counts.
    fn reflect(&mut self) {
        let (Some(copies), size, full) = (self.copies, self.size, self.full) else { return };
        let Scratch { levels, seen, .. } = &mut self.scratch;
        let level = &mut levels[self.depth - 1];
        let mut woken = Vec::new();
        for part in &level.parts {
            for (&v, &row) in part.vertices.iter().zip(&part.rows) {
                woken.extend(copies.of_master(v).iter().map(|&copy| (copy, row)));
            }
        }
        for (copy, row) in woken {
            let (part, degrees) =
                (&mut level.parts[copy as usize / size], [self.out.degree(copy), self.incoming.degree(copy)]);
            part.take(copy, row, &mut seen[copy as usize], full, degrees);
        }
    }

    /// Adds the endpoints: 1 for every vertex that a source reaches, and their number for the source.
    fn add_ends(&self, sources: &[Vertex], sums: &mut [f64]) {
        let mut reached = vec![0.0; sources.len()];
        for part in self.scratch.levels[1..self.depth].iter().flat_map(|level| &level.parts) {
            for (&v, row) in part.vertices.iter().zip(&part.rows) {
                if self.copies.is_some_and(|copies| !copies.is_master(v)) {
                    continue;
                }
                let lanes = row.lanes();
                sums[v as usize] += f64::from(lanes.count_ones());
                reached.iter_mut().enumerate().for_each(|(i, r)| *r += f64::from(lanes >> i & 1));
            }
        }
        sources.iter().zip(reached).for_each(|(&s, reached)| sums[s as usize] += reached);
    }
}

/// Takes the first level that is not in use, and empties it.
fn next_level<'a, R: Row>(
    levels: &'a mut Vec<Level<R>>,
    depth: &mut usize,
    parts: usize,
) -> &'a mut Level<R> {
    if levels.len() == *depth {
        levels.push(Level { parts: Vec::new(), tally: Tally::default() });
    }
    *depth += 1;
    let level = &mut levels[*depth - 1];
    level.empty(parts);
    level
}

impl<R: Row> Part<R> {
    /// Puts `v` on the level, in the lanes of `row` that had not seen it. `degrees` are the numbers of arcs out and in.
    #[inline(always)]
    fn take(&mut self, v: Vertex, row: R, seen: &mut u8, full: u8, degrees: [usize; 2]) {
        let new = row.lanes() & !*seen;
        if new == 0 {
            return;
        }
        let row = row.keep(new);
        *seen |= new;
        self.vertices.push(v);
        self.rows.push(row);
        let lanes = new.count_ones() as usize;
        self.tally.add(&Tally {
            vertices: 1,
            out_arcs: degrees[0],
            in_arcs: degrees[1],
            finished: if *seen == full { degrees[1] } else { 0 },
            lanes,
            lane_arcs: (lanes * degrees[0]) as u64,
            huge: row.most() > HUGE,
        });
    }
}

impl<R: Row> Scratch<R> {
    fn none() -> Self {
        let (rows, seen) = (Pages::from(Vec::new()), Pages::from(Vec::new()));
        Self { rows, seen, marks: Bitmap::none(), levels: Vec::new() }
    }

    fn new(n: usize) -> Result<Self> {
        let (rows, seen, marks) = (Pages::zeroed(n)?, Pages::zeroed(n)?, Bitmap::empty(n)?);
        Ok(Self { rows, seen, marks, levels: Vec::new() })
    }

    fn bytes(&self) -> usize {
        let parts = self.levels.iter().flat_map(|level| &level.parts);
        let listed: usize =
            parts.map(|p| 4 * p.vertices.capacity() + size_of::<R>() * p.rows.capacity()).sum();
        listed + self.rows.len() * (size_of::<R>() + 1) + self.rows.len() / 8
    }
}

/// Scatters a level over `rows`.
fn scatter<R: Row>(team: &Team, level: &Level<R>, rows: &mut [R], size: usize) {
    let mut work: Vec<_> = rows.chunks_mut(size).zip(&level.parts).collect();
    team.each(&mut work, |p, (rows, part)| {
        for (&v, &row) in part.vertices.iter().zip(&part.rows) {
            rows[v as usize - p * size] = row;
        }
    });
}

/// Sets the rows of a level to zero again.
fn clear<R: Row>(team: &Team, level: &Level<R>, rows: &mut [R], size: usize) {
    let mut work: Vec<_> = rows.chunks_mut(size).zip(&level.parts).collect();
    team.each(&mut work, |p, (rows, part)| {
        for &v in &part.vertices {
            rows[v as usize - p * size] = R::ZERO;
        }
    });
}

/// Returns the sum of the rows of some vertices.
#[inline(always)]
fn gather<R: Row>(rows: &[R], vertices: &[Vertex]) -> R {
    let mut sum = R::ZERO;
    for &v in vertices {
        debug_assert!((v as usize) < rows.len());
        // SAFETY: v is a target of a checked CSR over as many vertices as there are rows.
        sum = sum.plus(unsafe { *rows.get_unchecked(v as usize) });
    }
    sum
}

/// Returns how many parts one thread pushes to at a time.
fn parts_per_group(parts: usize, team: &Team) -> usize {
    let groups = if team.members() == 1 { 1 } else { team.members() * GROUPS_PER_THREAD };
    parts.div_ceil(groups).max(1)
}

/// Returns the part of a sorted row from `low` to below `high`.
#[inline(always)]
fn within(row: &[Vertex], low: usize, high: usize) -> &[Vertex] {
    let is_all =
        row.first().is_none_or(|&v| v as usize >= low) && row.last().is_none_or(|&v| (v as usize) < high);
    if is_all {
        return row;
    }
    let start = row.partition_point(|&v| (v as usize) < low);
    let len = row[start..].partition_point(|&v| (v as usize) < high);
    &row[start..start + len]
}

/// Adds a row to those of the vertices that `may` accepts. `rows` begins at vertex `low`.
#[inline(always)]
fn add_to<R: Row>(
    rows: &mut [R],
    low: usize,
    vertices: &[Vertex],
    row: R,
    mut may: impl FnMut(usize) -> bool,
) {
    for &v in vertices {
        let i = v as usize - low;
        if may(i) {
            rows[i] = rows[i].plus(row);
        }
    }
}

/// Takes a row out and leaves zero.
#[inline(always)]
fn take_out<R: Row>(rows: &mut [R], i: usize) -> R {
    replace(&mut rows[i], R::ZERO)
}
