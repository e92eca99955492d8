//! An order in which every vertex is followed by its out-neighbours.

use super::{DURING, marks::Marks};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, Pages, Vertex, with_view};

/// Vertices processed between two checks of the control.
const PIECE: usize = 1 << 14;

/// Takes the vertices in the given order and places each, unless it is placed already, and then its unplaced
/// out-neighbours. One thread, since earlier placements decide later ones. O(m); one bit per vertex besides the result.
pub(super) fn neighbours(graph: &Graph, vertices: &[Vertex], control: &Control) -> Result<Pages<Vertex>> {
    let mut placed =
        Placed { marks: Marks::none(vertices.len())?, order: Pages::scratch(vertices.len())?, len: 0 };
    with_view!(graph.out().csr, |out| {
        for (i, piece) in vertices.chunks(PIECE).enumerate() {
            control.check(DURING)?;
            control.report("following", (i * PIECE) as u64, Some(vertices.len() as u64));
            for &u in piece {
                placed.place(u);
                out.neighbors(u).iter().for_each(|&v| placed.place(v));
            }
        }
    });
    Ok(placed.order)
}

/// The order so far.
struct Placed {
    marks: Marks,
    order: Pages<Vertex>,
    len: usize,
}

impl Placed {
    #[inline(always)]
    fn place(&mut self, v: Vertex) {
        if self.marks.insert(v) {
            self.order[self.len] = v;
            self.len += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_brings_its_neighbours_also_if_it_was_brought_itself() {
        // 3 places 1 and 4; then 1, which has its number, places 0; 2 comes last.
        let graph = Graph::from_edges(6, &[(3, 1), (3, 4), (1, 0), (0, 5), (2, 3)], true).unwrap();
        let got = neighbours(&graph, &[3, 1, 2, 0, 4, 5], &Control::new()).unwrap();
        assert_eq!(got[..], [3, 1, 4, 0, 2, 5]);
    }

    #[test]
    fn it_is_algorithm_3_on_any_graph() {
        let graph = "kron:9,directed".parse::<warpgraph_graph::generate::Spec>().unwrap();
        let graph = graph.generate(&Control::new()).unwrap();
        let vertices: Vec<Vertex> = (0..512).map(|v| v * 205 % 512).collect();
        let mut expected: Vec<Vertex> = Vec::new();
        for &u in &vertices {
            for &v in std::iter::once(&u).chain(graph.out().csr.neighbors(u)) {
                if !expected.contains(&v) {
                    expected.push(v);
                }
            }
        }
        assert_eq!(neighbours(&graph, &vertices, &Control::new()).unwrap()[..], expected[..]);
    }
}
