//! Delta-stepping [1] with bucket fusion [2].
//!
//! Vertices wait in buckets of distances, each `delta` wide. The vertices of the nearest bucket relax their arcs until
//! the bucket is empty, then those of the next bucket; arcs that end in the bucket in which they start may have to be
//! relaxed again. A thread that finds only a few new vertices for the current bucket continues with them at once
//! instead of waiting for the others.
//!
//! The processor cannot predict whether an arc lowers a distance, so the code does not branch on it: it filters arcs
//! into a small buffer by counting, and lowers only what passed, with an atomic minimum. A waiting vertex carries the
//! distance to which it was lowered, and is skipped if it has a smaller one by then, so no vertex relaxes its arcs
//! twice at one distance.
//!
//! [1] U. Meyer, P. Sanders, Δ-stepping: a parallelizable shortest path algorithm, J. Algorithms 49, 2003.
//! [2] Y. Zhang et al., Optimizing ordered graph algorithms with GraphIt, CGO 2020.

use super::{
    bins::{Bins, Entry},
    metric::{Metric, WeightOf},
};
use crate::{
    Options, Recorder,
    parts::{Team, atomics, prefetch, team},
};
use std::sync::{Mutex, MutexGuard, PoisonError};
use warpgraph_core::{Direction, Result};
use warpgraph_graph::{Offset, Vertex, View};

/// Vertices of a bucket that a thread takes at a time.
const PIECE: usize = 512;
/// A thread continues with its own finds while they are fewer than this.
const FUSE: usize = 1024;
/// Entries of the buffer of arcs that passed the filter; a power of two.
const FOUND: usize = 1024;
/// The buffer is emptied when it holds more than this.
const FULL: usize = FOUND - ROW;
/// How many entries ahead arcs are prefetched; offsets are prefetched twice as far ahead.
const AHEAD: usize = 6;
/// Vertices per cache line.
const LINE: usize = 16;
/// Arcs filtered at a time.
const ROW: usize = 256;

/// A search in progress.
pub(super) struct Search<'a, O, W, D: Metric> {
    out: View<'a, O>,
    weights: W,
    distances: &'a [D::Twin],
    width: D::Width,
}

/// The data of one thread. Its bins are empty between runs.
pub(super) struct Local<D> {
    bins: Bins<D>,
    found: Vec<Entry<D>>,
}

impl<'a, O: Offset, D: Metric, W: WeightOf<D>> Search<'a, O, W, D> {
    pub(super) fn new(out: View<'a, O>, weights: W, distances: &'a mut [D], width: D::Width) -> Self {
        Self { out, weights, distances: atomics(distances), width }
    }

    /// Computes all distances from `source`.
    pub(super) fn run(&self, source: Vertex, options: &Options, recorder: &mut Recorder) -> Result<()> {
        team(|team| {
            let all = self.distances.len().div_ceil(1 << 16);
            team.round(all, &|_, piece| {
                let part = piece << 16..self.distances.len().min((piece + 1) << 16);
                self.distances[part].iter().for_each(|cell| D::store(cell, D::UNREACHED));
            });
            D::store(&self.distances[source as usize], D::ZERO);
            self.buckets(team, source, options, recorder)
        })
    }

    fn buckets(&self, team: &Team, source: Vertex, options: &Options, recorder: &mut Recorder) -> Result<()> {
        let mut locals = D::spare().take_or(Vec::new);
        locals.resize_with(team.members(), || Mutex::new(Local::new()));
        let mut current = 0;
        let mut frontier = vec![vec![(source, D::ZERO)]];
        loop {
            let pieces = pieces(&frontier);
            team.round(pieces.len(), &|member, piece| {
                let mut local = lock(&locals[member]);
                self.relax(&mut local, pieces[piece], current);
                self.fuse(&mut local, current);
            });
            let size = frontier.iter().map(Vec::len).sum();
            recorder.step(size, Direction::Push, || format!("bucket {current}"));
            options.control.check("searching")?;
            options.control.report("sssp", recorder.rounds(), None);
            current = next_bucket(&locals, current);
            if current == u64::MAX {
                let bytes = locals.iter().map(|local| lock(local).bins.bytes()).sum();
                D::spare().keep(locals, bytes);
                return Ok(());
            }
            for (local, old) in locals.iter().zip(frontier.drain(..)) {
                lock(local).bins.recycle(old);
            }
            frontier.extend(locals.iter().map(|local| lock(local).bins.take(current)));
        }
    }

    /// Continues with what this thread found for the current bucket, while that is little.
    fn fuse(&self, local: &mut Local<D>, current: u64) {
        while (1..FUSE).contains(&local.bins.len(current)) {
            let bin = local.bins.take(current);
            self.relax(local, &bin, current);
            local.bins.recycle(bin);
        }
    }

    /// Relaxes the arcs of the entries that are not stale.
    fn relax(&self, local: &mut Local<D>, entries: &[Entry<D>], current: u64) {
        let Local { bins, found } = local;
        let found = &mut found[..FOUND];
        bins.begin();
        let mut passed = 0;
        for (i, &(u, distance)) in entries.iter().enumerate() {
            self.ask_ahead(entries, i);
            if D::load(self.cell(u)) < distance {
                continue;
            }
            let arcs = self.out.arcs_of(u);
            for start in arcs.clone().step_by(ROW) {
                let row = start..arcs.end.min(start + ROW);
                let targets = &self.out.targets()[row.clone()];
                for (&v, weight) in targets.iter().zip(self.weights.of(row)) {
                    let longer = distance.plus(weight);
                    found[passed % FOUND] = (v, longer);
                    passed += usize::from(longer < D::load(self.cell(v)));
                }
                if passed > FULL {
                    self.lower(bins, &found[..passed], current);
                    passed = 0;
                }
            }
        }
        self.lower(bins, &found[..passed], current);
    }

    /// Prefetches the memory that entries after `i` need: first the offsets, then the arcs.
    #[inline(always)]
    fn ask_ahead(&self, entries: &[Entry<D>], i: usize) {
        if let Some(&(u, _)) = entries.get(i + 2 * AHEAD) {
            prefetch(self.distances, u as usize);
            prefetch(self.out.offsets(), u as usize);
        }
        if let Some(&(u, _)) = entries.get(i + AHEAD) {
            let first = self.out.arcs_of(u).start;
            for line in [first, first + LINE] {
                prefetch(self.out.targets(), line);
                self.weights.prefetch(line);
            }
        }
    }

    /// Lowers distances, and puts the vertices for which that succeeded into their buckets.
    #[inline(always)]
    fn lower(&self, bins: &mut Bins<D>, found: &[Entry<D>], current: u64) {
        for &(v, distance) in found {
            if D::lower(self.cell(v), distance) {
                bins.push(current, distance.bucket(self.width), (v, distance));
            }
        }
    }

    #[inline(always)]
    fn cell(&self, v: Vertex) -> &D::Twin {
        debug_assert!((v as usize) < self.distances.len());
        // SAFETY: v is the source or a target of a checked CSR over as many vertices as there are distances.
        unsafe { self.distances.get_unchecked(v as usize) }
    }
}

impl<D: Metric> Local<D> {
    fn new() -> Self {
        Self { bins: Bins::new(), found: vec![(0, D::ZERO); FOUND] }
    }
}

/// Cuts the bins of the frontier into pieces.
fn pieces<D>(frontier: &[Vec<Entry<D>>]) -> Vec<&[Entry<D>]> {
    frontier.iter().flat_map(|bin| bin.chunks(PIECE)).collect()
}

/// Returns the nearest bucket for which any thread has entries, ready to be taken; `u64::MAX` if there is none.
fn next_bucket<D: Metric>(locals: &[Mutex<Local<D>>], current: u64) -> u64 {
    let next = locals.iter().map(|local| lock(local).bins.first(current)).min().unwrap_or(u64::MAX);
    if next != u64::MAX {
        locals.iter().for_each(|local| lock(local).bins.advance(next));
    }
    next
}

/// Locks the data of a thread. The lock is always free, and a poisoned lock means that the run is panicking anyway.
fn lock<D>(local: &Mutex<Local<D>>) -> MutexGuard<'_, Local<D>> {
    local.lock().unwrap_or_else(PoisonError::into_inner)
}
