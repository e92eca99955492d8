//! Breadth-first search in the order of NetworkX: a queue, and neighbours in the order of the graph.
//!
//! Nodes of a level are found in the order of the level before; the parent of a node is the first that names it. The search
//! ends as soon as every node is found.

use super::rows::Rows;
use crate::work::Signals;
use pyo3::PyResult;

/// No parent: the node was not found.
pub(crate) const NONE: u32 = u32::MAX;

/// What a search has found.
#[derive(Debug)]
pub(crate) struct Found {
    /// The nodes in the order in which they were found, sources first.
    pub(crate) order: Vec<u32>,
    /// The parent of each node, itself for a source, else [`NONE`].
    pub(crate) parents: Vec<u32>,
    /// `order[levels[i] .. levels[i + 1]]` are at distance i.
    pub(crate) levels: Vec<usize>,
}

impl Found {
    /// Returns node and distance, in order.
    pub(crate) fn lengths(&self) -> impl Iterator<Item = (u32, i64)> + '_ {
        let levels = self.levels.windows(2).enumerate();
        levels.flat_map(|(level, ends)| self.order[ends[0]..ends[1]].iter().map(move |&v| (v, level as i64)))
    }

    /// Returns parent and child of all nodes but the sources, in order.
    pub(crate) fn edges(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        let first = self.levels.get(1).copied().unwrap_or(0);
        self.order[first..].iter().map(|&v| (self.parents[v as usize], v))
    }
}

/// Searches from `sources`, each named once, up to `depth` levels away.
///
/// # Errors
/// The exception that a signal raises.
pub(crate) fn search(rows: &Rows, sources: &[u32], depth: usize) -> PyResult<Found> {
    let (n, mut signals) = (rows.nodes(), Signals::default());
    let mut parents = vec![NONE; n];
    let mut order = Vec::with_capacity(n);
    for &source in sources {
        parents[source as usize] = source;
        order.push(source);
    }
    let mut levels = vec![0, order.len()];
    let mut first = 0;
    while first < order.len() && levels.len() <= depth.saturating_add(1) && order.len() < n {
        let end = order.len();
        for at in first..end {
            signals.step()?;
            let u = order[at];
            for &v in rows.of(u) {
                if parents[v as usize] == NONE {
                    parents[v as usize] = u;
                    order.push(v);
                }
            }
            if order.len() == n {
                break;
            }
        }
        if order.len() > end {
            levels.push(order.len());
        }
        first = end;
    }
    Ok(Found { order, parents, levels })
}

/// All parents of the nodes on shortest paths from one source.
#[derive(Debug)]
pub(crate) struct Parents {
    /// The nodes in the order in which they were found.
    pub(crate) order: Vec<u32>,
    /// Per node, in order of discovery.
    pub(crate) parents: Vec<Vec<u32>>,
    /// The level of each found node.
    pub(crate) levels: Vec<u32>,
}

/// Searches from `source`, up to `limit` levels away; 0 for no limit.
///
/// # Errors
/// The exception that a signal raises.
pub(crate) fn all_parents(rows: &Rows, source: u32, limit: u32) -> PyResult<Parents> {
    let (n, mut signals) = (rows.nodes(), Signals::default());
    let (mut parents, mut levels) = (vec![Vec::new(); n], vec![NONE; n]);
    let mut order = vec![source];
    levels[source as usize] = 0;
    let mut next = 0;
    while let Some(&u) = order.get(next) {
        signals.step()?;
        let level = levels[u as usize] + 1;
        if limit > 0 && level > limit {
            break;
        }
        for &v in rows.of(u) {
            if levels[v as usize] == NONE {
                levels[v as usize] = level;
                order.push(v);
            }
            if levels[v as usize] == level {
                parents[v as usize].push(u);
            }
        }
        next += 1;
    }
    Ok(Parents { order, parents, levels })
}
