//! Reverse Cuthill-McKee \[1, 2\]: a search from a vertex at the rim, which takes the neighbours of each vertex by
//! increasing degree; the resulting order is reversed.
//!
//! Neighbours get numbers close to each other, since the search goes level by level: the band of the adjacency matrix
//! becomes narrow. Made for meshes and roads; on undirected graphs also good for traversals. A directed graph is
//! ordered as if its arcs went both ways.
//!
//! Roots are pseudo-peripheral \[3\]: each search starts from the vertex of least degree on the last level of the
//! previous search, until the depth no longer grows. Components follow each other by their smallest vertex; vertices
//! without arcs come last.
//!
//! One thread, since the number of a vertex depends on that of its parent. Work O(m log d) plus about five searches;
//! memory 8 bytes and one bit per vertex besides the result, and the transpose of a directed graph.
//!
//! \[1\] E. Cuthill, J. McKee. Reducing the bandwidth of sparse symmetric matrices. ACM National Conference 1969.
//! \[2\] A. George. Computer implementation of the finite element method. Stanford 1971.
//! \[3\] A. George, J. Liu. An implementation of a pseudoperipheral node finder. ACM TOMS 5(3), 1979.

use super::{DURING, marks::Marks};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Csr, Graph, Pages, Vertex};

/// Vertices processed between two checks of the control.
const PIECE: usize = 1 << 12;
/// The most searches for one root.
const TRIES: usize = 8;

/// Returns all vertices, component by component.
pub(super) fn order(graph: &Graph, control: &Control) -> Result<Pages<Vertex>> {
    let n = graph.vertices();
    let mut work = Work {
        rows: Rows::of(graph)?,
        control,
        placed: Marks::none(n)?,
        order: Pages::scratch(n)?,
        len: 0,
        seen: Pages::zeroed(n)?,
        searches: 0,
        queue: Pages::scratch(n)?,
    };
    for v in 0..n as Vertex {
        if !work.placed.has(v) && work.rows.degree(v) > 0 {
            let root = work.rim(v)?;
            work.walk(root)?;
        }
    }
    for v in 0..n as Vertex {
        if work.placed.insert(v) {
            work.order[work.len] = v;
            work.len += 1;
        }
    }
    Ok(work.order)
}

/// The arcs of a vertex in both directions. In a directed graph, a pair of opposite arcs is met twice.
struct Rows<'a> {
    out: &'a Csr,
    incoming: Option<&'a Csr>,
}

impl<'a> Rows<'a> {
    fn of(graph: &'a Graph) -> Result<Self> {
        let incoming = if graph.is_directed() { Some(&graph.incoming()?.csr) } else { None };
        Ok(Self { out: &graph.out().csr, incoming })
    }

    fn degree(&self, v: Vertex) -> usize {
        self.out.degree(v) + self.incoming.map_or(0, |csr| csr.degree(v))
    }

    fn for_each(&self, v: Vertex, visit: impl FnMut(&Vertex)) {
        let incoming = self.incoming.map_or(&[][..], |csr| csr.neighbors(v));
        self.out.neighbors(v).iter().chain(incoming).for_each(visit);
    }
}

struct Work<'a> {
    rows: Rows<'a>,
    control: &'a Control,
    placed: Marks,
    order: Pages<Vertex>,
    len: usize,
    /// The last search that met each vertex; searches are numbered from 1.
    seen: Pages<u32>,
    searches: u32,
    queue: Pages<Vertex>,
}

impl Work<'_> {
    /// Returns a vertex at the rim of the component of `v`.
    fn rim(&mut self, v: Vertex) -> Result<Vertex> {
        let (mut root, mut depth) = (v, None);
        for _ in 0..TRIES {
            let (deeper, last) = self.search(root)?;
            if depth.is_some_and(|depth| deeper <= depth) {
                break;
            }
            (root, depth) = (last, Some(deeper));
        }
        Ok(root)
    }

    /// Returns the depth of the component from `root`, and the vertex of least degree on the last level.
    fn search(&mut self, root: Vertex) -> Result<(usize, Vertex)> {
        self.searches += 1;
        let (mark, seen, queue) = (self.searches, &mut self.seen, &mut self.queue);
        (seen[root as usize], queue[0]) = (mark, root);
        let (mut level, mut len, mut depth) = (0..1_usize, 1, 0);
        loop {
            for at in level.clone() {
                if at.is_multiple_of(PIECE) {
                    self.control.check(DURING)?;
                }
                self.rows.for_each(queue[at], |&v| {
                    if seen[v as usize] != mark {
                        (seen[v as usize], queue[len]) = (mark, v);
                        len += 1;
                    }
                });
            }
            if len == level.end {
                break;
            }
            (level, depth) = (level.end..len, depth + 1);
        }
        let least = queue[level].iter().min_by_key(|&&v| (self.rows.degree(v), v));
        Ok((depth, *least.unwrap_or(&root)))
    }

    /// Places the component of `root`, with the root last.
    fn walk(&mut self, root: Vertex) -> Result<()> {
        let start = self.len;
        self.placed.insert(root);
        self.order[self.len] = root;
        self.len += 1;
        let mut at = start;
        while at < self.len {
            if at.is_multiple_of(PIECE) {
                self.control.check(DURING)?;
                self.control.report("ordering", at as u64, Some(self.order.len() as u64));
            }
            let (placed, order, first) = (&mut self.placed, &mut self.order, self.len);
            let len = &mut self.len;
            self.rows.for_each(order[at], |&v| {
                if placed.insert(v) {
                    order[*len] = v;
                    *len += 1;
                }
            });
            let rows = &self.rows;
            self.order[first..self.len].sort_unstable_by_key(|&v| (rows.degree(v), v));
            at += 1;
        }
        self.order[start..self.len].reverse();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph_graph::{NodeMap, generate::Spec};

    fn generated(spec: &str) -> Graph {
        spec.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
    }

    /// Returns the largest distance between the ends of an arc.
    fn bandwidth(graph: &Graph, order: Pages<Vertex>) -> u32 {
        let map = NodeMap::of_order(order).unwrap();
        let far = |u: Vertex| {
            let csr = &graph.out().csr;
            csr.neighbors(u).iter().map(|&v| map.inner(u).abs_diff(map.inner(v))).max().unwrap_or(0)
        };
        (0..graph.vertices() as Vertex).map(far).max().unwrap_or(0)
    }

    #[test]
    fn the_band_of_a_mesh_is_narrow_whatever_its_ids() {
        // A path has a band of 1, a grid of its shorter side.
        assert_eq!(bandwidth(&generated("grid:1x500,shuffle"), of("grid:1x500,shuffle")), 1);
        let band = bandwidth(&generated("grid:20x90,shuffle"), of("grid:20x90,shuffle"));
        assert!((20..=22).contains(&band), "{band}");
    }

    fn of(spec: &str) -> Pages<Vertex> {
        order(&generated(spec), &Control::new()).unwrap()
    }

    #[test]
    fn neighbours_come_by_degree_from_the_rim_and_the_order_is_reversed() {
        // A path 2 - 0 - 4 - 6 with a leaf 1 at 0, and 5 - 3 apart.
        let graph = Graph::from_edges(7, &[(2, 0), (0, 4), (0, 1), (4, 6), (5, 3)], true).unwrap();
        let got = order(&graph, &Control::new()).unwrap();
        // From 0 the last level is {6}, from 6 it is {1, 2}; then come 1, 0, its neighbours 2 before 4, and 6.
        assert_eq!(got[..], [6, 4, 2, 0, 1, 3, 5]);
    }

    #[test]
    fn a_directed_graph_is_ordered_as_if_arcs_went_both_ways() {
        let arcs: Vec<(Vertex, Vertex)> = (0..400).map(|i| (i * 7 % 301, (i * i + 3) % 301)).collect();
        let arcs: Vec<_> = arcs.into_iter().filter(|(u, v)| u < v).collect();
        let [directed, both] = [true, false].map(|directed| {
            let mut arcs = arcs.clone();
            arcs.sort_unstable();
            arcs.dedup();
            order(&Graph::from_edges(301, &arcs, directed).unwrap(), &Control::new()).unwrap().to_vec()
        });
        assert_eq!(directed, both);
    }
}
