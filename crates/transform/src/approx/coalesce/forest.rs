//! Searches from the highest out-degree down, until every vertex is in a tree: the forest by whose levels vertices are numbered.
//!
//! The first root is the vertex of the highest out-degree, and the next root is always the unvisited vertex of the highest
//! out-degree. A level of a tree is made from the level before in rounds: in each round every parent, in order, claims the next
//! unvisited vertex of its row.
//!
//! Level i of the *forest* is level i of every tree, one tree after the other. (If each tree started levels of its own, every
//! isolated vertex would take 32 numbers.)

use super::super::DURING;
use crate::order::Marks;
use std::ops::Range;
use warpgraph_core::Result;
use warpgraph_graph::{Control, Csr, Pages, Vertex};

/// The forest.
pub(super) struct Forest {
    /// The vertices level by level.
    pub(super) order: Pages<Vertex>,
    /// The number of vertices of each level.
    pub(super) levels: Vec<usize>,
}

/// Searches between two looks at the control.
const OFTEN: usize = 1 << 12;

/// Returns the forest; `roots` are all vertices in the order in which they become roots. O(vertices + arcs) on one thread.
pub(super) fn forest(csr: &Csr, roots: &[Vertex], control: &Control) -> Result<Forest> {
    let n = csr.vertices();
    let mut search =
        Search { csr, seen: Marks::none(n)?, found: Pages::scratch(n)?, len: 0, runs: Vec::new() };
    let (mut parents, mut trees) = (Vec::new(), 0);
    for &root in roots {
        if search.seen.insert(root) {
            if trees % OFTEN == 0 {
                control.check(DURING)?;
            }
            trees += 1;
            search.tree(root, &mut parents, control)?;
        }
    }
    search.by_levels()
}

/// A search in progress.
struct Search<'a> {
    csr: &'a Csr,
    seen: Marks,
    /// The vertices in the order in which they were found.
    found: Pages<Vertex>,
    len: usize,
    /// The levels of all trees in that order: each with its depth and its first vertex in `found`.
    runs: Vec<(usize, usize)>,
}

/// The arcs of a parent that no round has looked at yet.
type Rest = Range<usize>;

impl Search<'_> {
    fn tree(&mut self, root: Vertex, parents: &mut Vec<Rest>, control: &Control) -> Result<()> {
        self.runs.push((0, self.len));
        self.push(root);
        let (mut depth, mut start) = (0, self.len - 1);
        loop {
            let level = start..self.len;
            start = self.len;
            self.children(level, parents);
            if self.len == start {
                return Ok(());
            }
            depth += 1;
            self.runs.push((depth, start));
            if depth % OFTEN == 0 {
                control.check(DURING)?;
            }
        }
    }

    fn push(&mut self, v: Vertex) {
        self.found[self.len] = v;
        self.len += 1;
    }

    /// Finds the next level: in each round one child of each parent that has another one.
    fn children(&mut self, level: Range<usize>, parents: &mut Vec<Rest>) {
        parents.clear();
        parents.extend(self.found[level].iter().map(|&v| self.csr.arcs_of(v)));
        let targets = self.csr.targets();
        while !parents.is_empty() {
            parents.retain_mut(|rest| {
                let child = rest.find(|&arc| self.seen.insert(targets[arc]));
                if let Some(arc) = child {
                    self.found[self.len] = targets[arc];
                    self.len += 1;
                }
                child.is_some()
            });
        }
    }

    /// Puts the levels of all trees together: those of one depth next to each other, in the order of the trees.
    fn by_levels(self) -> Result<Forest> {
        let ends = self.runs.iter().skip(1).map(|run| run.1).chain([self.len]);
        let runs: Vec<(usize, Range<usize>)> =
            self.runs.iter().zip(ends).map(|(&(depth, start), end)| (depth, start..end)).collect();
        let mut levels = vec![0; runs.iter().map(|run| run.0 + 1).max().unwrap_or(0)];
        runs.iter().for_each(|(depth, run)| levels[*depth] += run.len());
        let mut next: Vec<usize> = Vec::with_capacity(levels.len());
        let mut sum = 0;
        for len in &levels {
            next.push(sum);
            sum += len;
        }
        let mut order: Pages<Vertex> = Pages::scratch(self.len)?;
        for (depth, run) in runs {
            let to = next[depth];
            next[depth] += run.len();
            order[to..next[depth]].copy_from_slice(&self.found[run]);
        }
        Ok(Forest { order, levels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph_graph::Graph;

    fn found(n: usize, edges: &[(Vertex, Vertex)], roots: &[Vertex]) -> (Vec<Vertex>, Vec<usize>) {
        let graph = Graph::from_edges(n, edges, true).unwrap();
        let Forest { order, levels } = forest(&graph.out().csr, roots, &Control::new()).unwrap();
        (order.to_vec(), levels)
    }

    #[test]
    fn parents_take_turns() {
        // 0 has the children 1, 2; 1 has 3, 4, 5; 2 has 4, 6, 7. Vertex 4 is the second child of 1, so 2 takes 6 in the first
        // round, and 7 in the second.
        let edges = [(0, 1), (0, 2), (1, 3), (1, 4), (1, 5), (2, 6), (2, 4), (2, 7)];
        let (order, levels) = found(8, &edges, &[1, 2, 0, 3, 4, 5, 6, 7]);
        assert_eq!((order, levels), (vec![1, 2, 0, 3, 4, 5, 6, 7], vec![3, 5]));
        let (order, levels) = found(8, &edges, &[0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!((order, levels), (vec![0, 1, 2, 3, 4, 5, 6, 7], vec![1, 2, 5]));
    }

    #[test]
    fn a_child_goes_to_the_parent_whose_turn_it_is() {
        // In the first round 1 takes 3, and 2 finds 3 taken and takes 4; so 1 takes 5 in the second round.
        let (order, levels) =
            found(6, &[(0, 1), (0, 2), (1, 3), (1, 4), (1, 5), (2, 3), (2, 4)], &[0, 1, 2, 3, 4, 5]);
        assert_eq!((order, levels), (vec![0, 1, 2, 3, 4, 5], vec![1, 2, 3]));
    }

    #[test]
    fn trees_share_the_levels_of_the_forest() {
        let (order, levels) = found(5, &[(3, 4), (0, 1)], &[3, 0, 1, 2, 4]);
        assert_eq!((order, levels), (vec![3, 0, 2, 4, 1], vec![3, 2]));
        assert_eq!(found(0, &[], &[]), (vec![], vec![]));
    }
}
