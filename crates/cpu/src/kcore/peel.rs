//! The state of a peeling, and one level of it.

use crate::{
    Options,
    parts::{BothWays, Team, atomics, prefetch},
};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Offset, Vertex};

/// The fewest vertices per part.
const PART: usize = 1 << 12;
/// Parts per member, since some parts have more work than others.
const PARTS: usize = 8;
/// How many vertices ahead in a queue rows are prefetched.
const AHEAD: usize = 6;
/// Vertices removed between two checks of the control.
const CHECK: usize = 1 << 14;

/// See the head of the parent module.
pub(super) struct Peeling<'a, O, I> {
    arcs: BothWays<'a, O, I>,
    /// Number of arcs to remaining vertices; for a removed vertex, its core number.
    degrees: &'a [AtomicU32],
    parts: Vec<Part<'a>>,
    team: &'a Team,
    next_level: u32,
    gone: u64,
}

/// A share of the vertices.
struct Part<'a> {
    /// The vertices of the share. Only the first `left` of them may remain.
    vertices: &'a mut [Vertex],
    left: usize,
    /// The vertices removed at this level: first those of the share, then those that follow them.
    queue: Vec<Vertex>,
    /// The least degree above the level.
    least: u32,
}

impl<'a, O: Offset, I: Offset> Peeling<'a, O, I> {
    /// Computes degrees. Vertices without arcs are removed at level 0.
    pub(super) fn new(
        arcs: BothWays<'a, O, I>,
        degrees: &'a mut [u32],
        vertices: &'a mut [Vertex],
        has_loops: bool,
        team: &'a Team,
    ) -> Self {
        let size = PART.max(degrees.len().div_ceil(PARTS * team.members()));
        let degrees = atomics(degrees);
        let part = |vertices| Part { vertices, left: 0, queue: Vec::new(), least: u32::MAX };
        let mut parts: Vec<Part<'_>> = vertices.chunks_mut(size).map(part).collect();
        team.each(&mut parts, |number, part| {
            for i in 0..part.vertices.len() {
                let v = (number * size + i) as Vertex;
                let degree = (arcs.degree(v) - if has_loops { loops(&arcs, v) } else { 0 }) as u32;
                degrees[v as usize].store(degree, Relaxed);
                part.vertices[i] = v;
            }
            part.left = part.vertices.len();
        });
        Self { arcs, degrees, parts, team, next_level: 0, gone: 0 }
    }

    /// Removes all vertices of the next core number that occurs. Returns that number and how many vertices have it;
    /// `None` if no vertex is left.
    pub(super) fn level(&mut self, options: &Options) -> Result<Option<(u32, usize)>> {
        loop {
            let level = self.next_level;
            let degrees = self.degrees;
            self.team.each(&mut self.parts, |_, part| part.look(degrees, level));
            if self.parts.iter().any(|part| !part.queue.is_empty()) {
                self.next_level = level + 1;
                return self.take_away(level, &options.control).map(Some);
            }
            match self.parts.iter().map(|part| part.least).min().filter(|&least| least < u32::MAX) {
                Some(least) => self.next_level = least,
                None => return Ok(None),
            }
        }
    }

    fn take_away(&mut self, level: u32, control: &Control) -> Result<(u32, usize)> {
        let (arcs, degrees, alone) = (&self.arcs, self.degrees, self.team.members() == 1);
        self.team.each(&mut self.parts, |_, part| part.go(arcs, degrees, level, alone, control));
        control.check("peeling")?;
        let gone: usize = self.parts.iter().map(|part| part.queue.len()).sum();
        self.gone += gone as u64;
        control.report("kcore", self.gone, Some(degrees.len() as u64));
        Ok((level, gone))
    }
}

/// Counts the entries of v's rows that are v.
fn loops<O: Offset, I: Offset>(arcs: &BothWays<'_, O, I>, v: Vertex) -> usize {
    let count = |row: &[Vertex]| row.partition_point(|&x| x <= v) - row.partition_point(|&x| x < v);
    arcs.rows(v).into_iter().map(count).sum()
}

impl Part<'_> {
    /// Queues the vertices of degree `level`, and keeps those above it.
    fn look(&mut self, degrees: &[AtomicU32], level: u32) {
        self.queue.clear();
        self.least = u32::MAX;
        let mut kept = 0;
        for i in 0..self.left {
            let v = self.vertices[i];
            let degree = degrees[v as usize].load(Relaxed);
            if degree == level {
                self.queue.push(v);
            }
            self.vertices[kept] = v;
            kept += usize::from(degree > level);
            self.least = self.least.min(if degree > level { degree } else { u32::MAX });
        }
        self.left = kept;
    }

    /// Removes the vertices of the queue, and those that fall to the level by that.
    fn go<O: Offset, I: Offset>(
        &mut self,
        arcs: &BothWays<'_, O, I>,
        degrees: &[AtomicU32],
        level: u32,
        alone: bool,
        control: &Control,
    ) {
        let mut at = 0;
        while let Some(&v) = self.queue.get(at) {
            if let Some(&next) = self.queue.get(at + AHEAD) {
                ask(arcs, next);
            }
            at += 1;
            if at.is_multiple_of(CHECK) && control.should_stop() {
                return;
            }
            for &u in arcs.rows(v).into_iter().flatten() {
                if lower(&degrees[u as usize], level, alone) {
                    self.queue.push(u);
                }
            }
        }
    }
}

/// Prefetches the rows of a vertex.
#[inline(always)]
fn ask<O: Offset, I: Offset>(arcs: &BothWays<'_, O, I>, v: Vertex) {
    prefetch(arcs.out.targets(), arcs.out.arcs_of(v).start);
    if let Some(incoming) = arcs.incoming {
        prefetch(incoming.targets(), incoming.arcs_of(v).start);
    }
}

/// Subtracts one arc, unless the degree is at the level or below. Returns whether the degree reached the level by that.
///
/// A vertex that was removed at a lower level is below. A vertex that is removed at this level is at the level,
/// including the vertex itself, so its loops change nothing.
#[inline(always)]
fn lower(degree: &AtomicU32, level: u32, alone: bool) -> bool {
    let before = degree.load(Relaxed);
    if before <= level {
        return false;
    }
    if alone {
        degree.store(before - 1, Relaxed);
        return before == level + 1;
    }
    let before = degree.fetch_sub(1, Relaxed);
    if before <= level {
        // Other threads were faster.
        degree.fetch_add(1, Relaxed);
    }
    before == level + 1
}
