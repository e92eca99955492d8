//! An order in which every vertex is followed by its out-neighbours.

use super::{DURING, marks::Marks};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, Pages, Vertex, with_view};

/// Vertices between two looks at the control.
const PIECE: usize = 1 << 14;

/// Takes the vertices as they come; each is placed unless it is, and then its out-neighbours that are not. One thread: who is
/// placed first decides. O(m); one bit a vertex beside the result.
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
