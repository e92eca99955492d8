//! Searches from both ends at once: the path between two nodes that NetworkX finds.

use super::{
    bfs::NONE,
    dijkstra::{Distance, Stopped},
    rows::Rows,
};
use crate::work::Signals;
use pyo3::PyResult;
use std::{cmp::Reverse, collections::BinaryHeap};

/// Outgoing and incoming neighbours; the same for an undirected graph.
pub(crate) struct Ends<'a> {
    pub(crate) out: &'a Rows,
    pub(crate) incoming: &'a Rows,
}

/// Joins the paths that meet in `meeting`.
fn joined(before: &[u32], after: &[u32], meeting: u32) -> Vec<u32> {
    let mut path = super::build::path(before, meeting);
    let mut at = meeting;
    while after[at as usize] != at {
        at = after[at as usize];
        path.push(at);
    }
    path
}

/// Returns a path with the fewest arcs. Whole levels are searched, on the side whose level is smaller; the first node found
/// from both sides is on the path.
///
/// # Errors
/// The exception that a signal raises.
pub(crate) fn by_hops(ends: &Ends<'_>, source: u32, target: u32) -> PyResult<Option<Vec<u32>>> {
    let (n, mut signals) = (ends.out.nodes(), Signals::default());
    let mut trees = [vec![NONE; n], vec![NONE; n]];
    trees[0][source as usize] = source;
    trees[1][target as usize] = target;
    if source == target {
        return Ok(Some(vec![source]));
    }
    let mut levels = [vec![source], vec![target]];
    while levels.iter().all(|level| !level.is_empty()) {
        let side = usize::from(levels[0].len() > levels[1].len());
        let rows = [ends.out, ends.incoming][side];
        for u in std::mem::take(&mut levels[side]) {
            signals.step()?;
            for &v in rows.of(u) {
                if trees[side][v as usize] == NONE {
                    trees[side][v as usize] = u;
                    levels[side].push(v);
                }
                if trees[1 - side][v as usize] != NONE {
                    return Ok(Some(joined(&trees[0], &trees[1], v)));
                }
            }
        }
    }
    Ok(None)
}

/// Returns length and nodes of a shortest path by weight. The sides take turns; the search ends when a node is final on both.
/// `weights` are those of outgoing and incoming arcs.
pub(crate) fn by_weight<D: Distance>(
    ends: &Ends<'_>,
    weights: [&[D]; 2],
    source: u32,
    target: u32,
) -> Result<Option<(D, Vec<u32>)>, Stopped> {
    let (n, mut signals) = (ends.out.nodes(), Signals::default());
    let mut trees = [vec![NONE; n], vec![NONE; n]];
    let mut distances = [vec![D::ZERO; n], vec![D::ZERO; n]];
    let mut is_final = [vec![false; n], vec![false; n]];
    let mut heaps = [BinaryHeap::new(), BinaryHeap::new()];
    let mut count = 0_u64;
    for (side, end) in [source, target].into_iter().enumerate() {
        trees[side][end as usize] = end;
        heaps[side].push(Reverse((Key(D::ZERO), count, end)));
        count += 1;
    }
    let (mut best, mut side): (Option<(D, u32)>, usize) = (None, 1);
    while heaps.iter().all(|heap| !heap.is_empty()) {
        signals.step()?;
        side = 1 - side;
        let Some(Reverse((Key(distance), _, u))) = heaps[side].pop() else { break };
        if std::mem::replace(&mut is_final[side][u as usize], true) {
            continue;
        }
        if is_final[1 - side][u as usize] {
            return Ok(best.map(|(length, meeting)| (length, joined(&trees[0], &trees[1], meeting))));
        }
        let rows = [ends.out, ends.incoming][side];
        for place in rows.range(u) {
            let v = rows.targets[place] as usize;
            let length = distance.plus(weights[side][place]);
            let seen = trees[side][v] != NONE;
            if is_final[side][v] {
                if length < distances[side][v] {
                    return Err(Stopped::Contradiction);
                }
            } else if !seen || length < distances[side][v] {
                distances[side][v] = length;
                trees[side][v] = u;
                heaps[side].push(Reverse((Key(length), count, v as u32)));
                count += 1;
                if trees[1 - side][v] != NONE {
                    let total = length.plus(distances[1 - side][v]);
                    if best.is_none_or(|(best, _)| best > total) {
                        best = Some((total, v as u32));
                    }
                }
            }
        }
    }
    Ok(None)
}

/// Orders distances, which are never NaN.
#[derive(Debug, Clone, Copy)]
struct Key<D>(D);

impl<D: Distance> Ord for Key<D> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.order(&other.0)
    }
}

impl<D: Distance> PartialOrd for Key<D> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<D: Distance> PartialEq for Key<D> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<D: Distance> Eq for Key<D> {}
