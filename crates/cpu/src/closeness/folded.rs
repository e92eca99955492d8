//! A graph whose pendant trees are folded away, for searches that only need the number of vertices at each distance.
//!
//! A vertex with one edge is folded into its neighbour, up to [`ROUNDS`] times in a row. What remains is the *core*; each of
//! its vertices stands for the tree that hangs at it, by the number of vertices at each depth. A search of the core then
//! knows how many vertices of the graph are at each distance. A folded vertex needs no search: below it, distances are
//! those in its own tree; all other vertices are one farther away than from its parent ([`Folded::step`]).
//!
//! Vertices have new numbers here, the core's first, so that vertices that are close together share cache lines.
//!
//! Work O(n + m); memory 20 bytes per vertex, 4 per arc, and 4 per vertex and depth of its trees.

use super::near::near;
use std::ops::Range;
use warpgraph_graph::{Csr, Vertex};

/// How often leaves are folded: a bound on the depth of trees, and so on the memory for their sizes.
const ROUNDS: usize = 32;
/// Core vertices that get consecutive numbers if they are close together.
const TOGETHER: usize = 256;

/// The core, and the trees of all vertices.
pub(super) struct Folded {
    /// The vertices by their new numbers.
    pub(super) ids: Vec<Vertex>,
    /// The core has the numbers up to this one.
    pub(super) core: usize,
    /// The arcs of core vertex v are `targets[offsets[v]..offsets[v + 1]]`.
    pub(super) offsets: Vec<u32>,
    pub(super) targets: Vec<u32>,
    /// The trees of v have `sizes[starts[v] + k]` vertices at depth k: itself at depth 0, and so on.
    starts: Vec<u32>,
    sizes: Vec<u32>,
    /// The vertices that were folded into v are `children[firsts[v]..firsts[v + 1]]`.
    firsts: Vec<u32>,
    children: Vec<u32>,
}

impl Folded {
    /// Folds a graph if `folds` is true, which needs every arc to have its reverse; otherwise only renumbers it. `csr` has
    /// fewer than 2^32 arcs.
    pub(super) fn new(csr: &Csr, folds: bool) -> Self {
        let n = csr.vertices();
        let Peeled { order, parents } = if folds { Peeled::new(csr) } else { Peeled::none(n) };
        let is_core = |v: Vertex| parents[v as usize] == v;
        let mut ids = near(csr, TOGETHER, is_core);
        let core = ids.len();
        ids.extend(order.iter().rev());
        let mut numbers = vec![0; n];
        (0..).zip(&ids).for_each(|(number, &v)| numbers[v as usize] = number);
        let (mut offsets, mut targets) = (Vec::with_capacity(core + 1), Vec::new());
        offsets.push(0);
        for &v in &ids[..core] {
            let kept = csr.neighbors(v).iter().filter(|&&u| is_core(u));
            targets.extend(kept.map(|&u| numbers[u as usize]));
            offsets.push(targets.len() as u32);
        }
        // Parents come before their children in the new numbers, so heights and sizes are summed up from the last.
        let parent = |number: usize| numbers[parents[ids[number] as usize] as usize] as usize;
        let mut heights = vec![0_u32; n];
        let mut firsts = vec![0; n + 1];
        for number in (core..n).rev() {
            let above = parent(number);
            heights[above] = heights[above].max(heights[number] + 1);
            firsts[above + 1] += 1;
        }
        let mut starts = Vec::with_capacity(n + 1);
        starts.push(0);
        heights.iter().for_each(|height| starts.push(starts[starts.len() - 1] + height + 1));
        let mut sizes = vec![0; starts[n] as usize];
        (0..n).for_each(|number| sizes[starts[number] as usize] = 1);
        (0..n).for_each(|number| firsts[number + 1] += firsts[number]);
        let (mut next, mut children) = (firsts.clone(), vec![0; n - core]);
        for number in (core..n).rev() {
            let above = parent(number);
            for depth in 0..=heights[number] {
                sizes[(starts[above] + depth + 1) as usize] += sizes[(starts[number] + depth) as usize];
            }
            children[next[above] as usize] = number as u32;
            next[above] += 1;
        }
        Self { ids, core, offsets, targets, starts, sizes, firsts, children }
    }

    /// Returns the number of vertices at each depth of the tree at `v`.
    #[inline]
    pub(super) fn sizes(&self, v: u32) -> &[u32] {
        &self.sizes[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }

    /// Returns the places of the vertices that were folded into `v`.
    pub(super) fn below(&self, v: u32) -> Range<usize> {
        self.firsts[v as usize] as usize..self.firsts[v as usize + 1] as usize
    }

    /// Returns the folded vertex at a place.
    pub(super) fn child(&self, place: usize) -> u32 {
        self.children[place]
    }

    /// Returns the bytes of the arrays.
    pub(super) fn bytes(&self) -> u64 {
        let words = [
            &self.ids,
            &self.offsets,
            &self.targets,
            &self.starts,
            &self.sizes,
            &self.firsts,
            &self.children,
        ];
        words.into_iter().map(|words| 4 * words.len() as u64).sum()
    }

    /// Sets `counts` to the number of vertices at each distance from the folded vertex `child`, given those of its parent.
    pub(super) fn step(&self, child: u32, parent: &[u32], counts: &mut Vec<u32>) {
        counts.clear();
        counts.push(0);
        counts.extend_from_slice(parent);
        for (depth, size) in self.sizes(child).iter().enumerate() {
            // From the parent, these are at distance depth + 1, and moved to depth + 2; they are at depth.
            counts[depth + 2] -= size;
            counts[depth] += size;
        }
        while counts.last() == Some(&0) {
            counts.pop();
        }
    }
}

/// The folded vertices, each after those that were folded into it.
struct Peeled {
    order: Vec<Vertex>,
    /// The vertex that each was folded into; itself for the core.
    parents: Vec<Vertex>,
}

impl Peeled {
    fn none(n: usize) -> Self {
        Self { order: Vec::new(), parents: (0..n as Vertex).collect() }
    }

    fn new(csr: &Csr) -> Self {
        let n = csr.vertices();
        let mut peeled = Self::none(n);
        let others = |v: Vertex| csr.neighbors(v).iter().filter(move |&&u| u != v);
        let mut degrees: Vec<u32> = (0..n as Vertex).map(|v| others(v).count() as u32).collect();
        let mut leaves: Vec<Vertex> = (0..n as Vertex).filter(|&v| degrees[v as usize] == 1).collect();
        for _ in 0..ROUNDS {
            for v in std::mem::take(&mut leaves) {
                let is_core = |u: Vertex| peeled.parents[u as usize] == u;
                // The last two vertices of a tree are leaves of one another: the second one stays.
                let Some(&u) = others(v).find(|&&u| is_core(u)).filter(|_| degrees[v as usize] == 1) else {
                    continue;
                };
                peeled.parents[v as usize] = u;
                peeled.order.push(v);
                degrees[u as usize] -= 1;
                if degrees[u as usize] == 1 {
                    leaves.push(u);
                }
            }
        }
        peeled
    }
}

#[cfg(test)]
mod tests {
    use super::{Folded, ROUNDS};
    use warpgraph_graph::{Graph, Vertex};

    fn folded(n: usize, edges: &[(Vertex, Vertex)]) -> Folded {
        Folded::new(&Graph::from_edges(n, edges, false).unwrap().out().csr, true)
    }

    #[test]
    fn trees_are_folded_into_the_cycle_that_they_hang_at() {
        // A triangle 0 1 2, the path 2 3 4, and 5 beside 4.
        let folded = folded(7, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (3, 5)]);
        assert_eq!(folded.core, 4, "the triangle, and the vertex without edges");
        let at = |id: Vertex| folded.ids.iter().position(|&v| v == id).unwrap() as u32;
        assert_eq!(
            (folded.sizes(at(2)), folded.sizes(at(3)), folded.sizes(at(0))),
            (&[1, 1, 2][..], &[1, 2][..], &[1][..])
        );
        let below: Vec<Vertex> =
            folded.below(at(3)).map(|place| folded.ids[folded.child(place) as usize]).collect();
        assert_eq!(below.len(), 2);
        // From 2: itself; 0, 1 and 3; 4 and 5. From 3: itself; 2, 4 and 5; 0 and 1.
        let mut counts = Vec::new();
        folded.step(at(3), &[1, 3, 2], &mut counts);
        assert_eq!(counts, [1, 3, 2]);
        folded.step(at(4), &[1, 3, 2], &mut counts);
        assert_eq!(counts, [1, 1, 2, 2]);
    }

    #[test]
    fn a_tree_keeps_one_vertex_and_a_long_path_its_middle() {
        let star: Vec<_> = (1..9).map(|v| (0, v)).collect();
        assert_eq!(folded(9, &star).core, 1);
        assert_eq!(folded(2, &[(0, 1)]).core, 1);
        let path: Vec<_> = (0..999).map(|v| (v, v + 1)).collect();
        let folded = folded(1000, &path);
        assert_eq!(folded.core, 1000 - 2 * ROUNDS);
        assert_eq!(folded.sizes.len(), folded.core + 2 * (ROUNDS * (ROUNDS + 1) / 2 + ROUNDS));
    }

    #[test]
    fn loops_do_not_keep_a_leaf_and_parallel_edges_do() {
        let edges = [(0, 1), (1, 1), (0, 2), (2, 3), (3, 0), (4, 4)];
        assert_eq!(folded(5, &edges).core, 4);
    }
}
