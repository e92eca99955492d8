//! Semi-synchronous label propagation [1] as NetworkX does it: no choice is random, so the communities are the same.
//!
//! Nodes are coloured greedily, those of greatest degree first, so that neighbours differ in colour. Colour by colour, every
//! node takes the label that most of its neighbours have; among several it keeps its own, or else takes the greatest. The
//! rounds end when every label is one of those that most neighbours have. Labels are numbers of nodes at first.
//!
//! Work O(m) per round; memory 28 bytes per node.
//!
//! [1] G. Cordasco, L. Gargano, Community detection via semi-synchronous label propagation algorithms, BASNA 2010.

use super::rows::Rows;
use crate::work::Signals;
use pyo3::PyResult;

/// Returns the label of each node. `parallel` has the number of edges of each arc of a multigraph.
///
/// # Errors
/// The exception that a signal raises.
pub(crate) fn propagate(rows: &Rows, parallel: Option<&[u32]>) -> PyResult<Vec<u32>> {
    let n = rows.nodes();
    let (colored, mut signals) = (by_color(rows, parallel), Signals::default());
    let mut labels: Vec<u32> = (0..n as u32).collect();
    let mut votes = Votes { counts: vec![0; n] };
    loop {
        let mut is_complete = true;
        for v in 0..n as u32 {
            signals.step()?;
            if !rows.of(v).is_empty() {
                is_complete &= votes.new_label(rows.of(v), &labels, labels[v as usize]).1;
            }
        }
        if is_complete {
            return Ok(labels);
        }
        for &v in &colored {
            signals.step()?;
            if !rows.of(v).is_empty() {
                labels[v as usize] = votes.new_label(rows.of(v), &labels, labels[v as usize]).0;
            }
        }
    }
}

/// Counts of labels, all 0 between nodes.
struct Votes {
    counts: Vec<u32>,
}

impl Votes {
    /// Returns the label that a node with these neighbours takes, and whether its own label is among the most frequent.
    fn new_label(&mut self, neighbors: &[u32], labels: &[u32], own: u32) -> (u32, bool) {
        let of = |&v: &u32| labels[v as usize];
        neighbors.iter().map(of).for_each(|label| self.counts[label as usize] += 1);
        let (count, greatest) = neighbors
            .iter()
            .map(of)
            .map(|label| (self.counts[label as usize], label))
            .max()
            .unwrap_or((0, own));
        let is_own = self.counts[own as usize] == count;
        neighbors.iter().map(of).for_each(|label| self.counts[label as usize] = 0);
        (if is_own { own } else { greatest }, is_own)
    }
}

/// Returns the nodes by ascending colour. Nodes of one colour are no neighbours, so their order does not matter.
fn by_color(rows: &Rows, parallel: Option<&[u32]>) -> Vec<u32> {
    let n = rows.nodes();
    let edges = |place: usize| parallel.map_or(1, |parallel| u64::from(parallel[place]));
    // Both ends of a self-loop count.
    let ends = |v: u32, place: usize| if rows.targets[place] == v { 2 * edges(place) } else { edges(place) };
    let degree = |v: u32| rows.range(v).map(|place| ends(v, place)).sum::<u64>();
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_cached_key(|&v| std::cmp::Reverse(degree(v)));
    let mut colors = vec![u32::MAX; n];
    // The last node that has seen a colour at a neighbour.
    let mut seen = vec![u32::MAX; n + 1];
    for &v in &order {
        for &u in rows.of(v) {
            if let Some(by) = seen.get_mut(colors[u as usize] as usize) {
                *by = v;
            }
        }
        colors[v as usize] = (0..).find(|&color: &u32| seen[color as usize] != v).unwrap_or(0);
    }
    order.sort_by_key(|&v| colors[v as usize]);
    order
}
