//! Triangles on graphs without large degrees: one pass over the graph's own rows.
//!
//! On a grid or a road network nearly all vertices have two or three neighbours before them, and the cost is not memory
//! but mispredicted branches. Rows are read four entries at a time, whatever they hold, and entries beyond the end of
//! the row are masked out.

use super::{FEW, count::Counting, tally::Tally};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_core::Result;
use warpgraph_graph::{Offset, Vertex, View};

/// Vertices per piece of work.
const PIECE: usize = 1 << 13;

/// Counts on an undirected graph whose rows have at most [`FEW`] entries.
pub(super) fn count<O: Offset>(out: View<'_, O>, tally: &impl Tally, counting: &Counting<'_>) -> Result<u64> {
    let (n, total) = (out.vertices(), AtomicU64::new(0));
    let scratch = counting.scratch(|| Ok(()))?;
    counting.pieces("counting triangles", n.div_ceil(PIECE), &scratch, |(), piece| {
        let vertices = piece * PIECE..n.min((piece + 1) * PIECE);
        let found = vertices.map(|u| at(out, u as Vertex, tally)).sum();
        total.fetch_add(found, Relaxed);
    })?;
    Ok(total.into_inner())
}

/// Counts the triangles whose largest vertex is `u`.
#[inline(always)]
fn at<O: Offset>(out: View<'_, O>, u: Vertex, tally: &impl Tally) -> u64 {
    let arcs = out.arcs_of(u);
    let Some(&[w, v, third, ..]) = out.targets().get(arcs.start..).and_then(|rest| rest.first_chunk::<4>())
    else {
        return at_many(out, u, tally);
    };
    let len = arcs.end - arcs.start;
    if (len < 2) | (v >= u) {
        return 0;
    }
    if (len > 2) & (third < u) {
        return at_many(out, u, tally);
    }
    // Exactly two entries before u.
    let found = w < v && has(out, v, w);
    if found {
        tally.triangle([u, v, w]);
    }
    u64::from(found)
}

/// [`at`] for any number of neighbours.
#[inline(never)]
fn at_many<O: Offset>(out: View<'_, O>, u: Vertex, tally: &impl Tally) -> u64 {
    let (mut before, mut len) = ([0; FEW], 0);
    for &x in out.neighbors(u).iter().take_while(|&&x| x < u) {
        if len == 0 || before[len - 1] != x {
            before[len] = x;
            len += 1;
        }
    }
    let mut found = 0;
    for (i, &v) in before[..len].iter().enumerate() {
        for &w in before[..i].iter().filter(|&&w| has(out, v, w)) {
            tally.triangle([u, v, w]);
            found += 1;
        }
    }
    found
}

/// Returns whether `w` is in the row of `v`.
#[inline(always)]
fn has<O: Offset>(out: View<'_, O>, v: Vertex, w: Vertex) -> bool {
    let arcs = out.arcs_of(v);
    let len = arcs.end - arcs.start;
    match out.targets().get(arcs.start..).and_then(|rest| rest.first_chunk::<4>()) {
        Some(row) if len <= 4 => (0..4).fold(false, |found, i| found | ((row[i] == w) & (i < len))),
        _ => out.neighbors(v).contains(&w),
    }
}
