//! Bellman and Ford's algorithm with a queue, in the order of NetworkX.
//!
//! A node joins the queue when its distance falls. It is skipped when it leaves if one of its predecessors waits in the queue,
//! because it will come again. A negative cycle shows in one of two ways: a node joins n times, or (with the heuristic) a
//! distance falls along a path on which the same node caused a recent fall.

use super::{bfs::NONE, dijkstra::Distance, rows::Rows};
use crate::work::Signals;
use pyo3::PyResult;
use std::collections::VecDeque;

/// What a search has found.
#[derive(Debug)]
pub(crate) struct Found<D> {
    /// The nodes in the order in which they were first reached.
    pub(crate) order: Vec<u32>,
    pub(crate) distances: Vec<D>,
    /// Predecessors on shortest paths, in order of discovery.
    pub(crate) predecessors: Vec<Vec<u32>>,
}

/// Searches from `source`. `weights` has one entry per arc. Returns `None` if a cycle of negative weight is within reach.
///
/// # Errors
/// The exception that a signal raises.
pub(crate) fn search<D: Distance>(
    rows: &Rows,
    weights: &[D],
    source: u32,
    heuristic: bool,
) -> PyResult<Option<Found<D>>> {
    let (n, mut signals) = (rows.nodes(), Signals::default());
    let mut reached = vec![false; n];
    let (mut distances, mut predecessors) = (vec![D::ZERO; n], vec![Vec::new(); n]);
    let (mut last, mut recent) = (vec![NONE; n], vec![[NONE; 2]; n]);
    let (mut waits, mut times) = (vec![false; n], vec![0_usize; n]);
    let mut order = vec![source];
    let mut queue = VecDeque::from([source]);
    (reached[source as usize], waits[source as usize]) = (true, true);
    while let Some(u) = queue.pop_front() {
        signals.step()?;
        waits[u as usize] = false;
        if predecessors[u as usize].iter().any(|&p: &u32| waits[p as usize]) {
            continue;
        }
        let distance = distances[u as usize];
        for place in rows.range(u) {
            let target = rows.targets[place];
            let v = target as usize;
            let length = distance.plus(weights[place]);
            if reached[v] && length == distances[v] {
                predecessors[v].push(u);
            } else if !reached[v] || length < distances[v] {
                if heuristic {
                    if recent[u as usize].contains(&target) {
                        return Ok(None);
                    }
                    recent[v] = if last[v] == u { recent[u as usize] } else { [u, target] };
                }
                if !std::mem::replace(&mut waits[v], true) {
                    queue.push_back(target);
                    times[v] += 1;
                    if times[v] == n {
                        return Ok(None);
                    }
                }
                if !std::mem::replace(&mut reached[v], true) {
                    order.push(target);
                }
                (distances[v], last[v]) = (length, u);
                predecessors[v].clear();
                predecessors[v].push(u);
            }
        }
    }
    Ok(Some(Found { order, distances, predecessors }))
}

impl<D> Found<D> {
    /// Returns the path from the source to `target` along first predecessors; others if those lead round a cycle of weight
    /// zero.
    pub(crate) fn path(&self, source: u32, target: u32, seen: &mut [bool]) -> Option<Vec<u32>> {
        let mut stack = vec![(target, 0)];
        seen[target as usize] = true;
        let mut visited = vec![target];
        while let Some((v, next)) = stack.last_mut() {
            if *v == source {
                break;
            }
            match self.predecessors[*v as usize].get(*next) {
                Some(&u) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[u as usize], true) {
                        visited.push(u);
                        stack.push((u, 0));
                    }
                }
                None => {
                    seen[*v as usize] = false;
                    stack.pop();
                }
            }
        }
        visited.into_iter().for_each(|v| seen[v as usize] = false);
        let path: Vec<u32> = stack.into_iter().rev().map(|(v, _)| v).collect();
        (!path.is_empty()).then_some(path)
    }
}
