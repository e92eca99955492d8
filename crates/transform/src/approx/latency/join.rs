//! Joins the neighbours inside a chunk.

use super::{
    super::{DURING, changes::Edit, weigh::Mean},
    MEMBERS,
};
use warpgraph_core::{Chunks, Result};
use warpgraph_graph::{Control, Graph, Pages, Vertex, par};

/// No chunk.
const NONE: u32 = u32::MAX;

/// Returns the edges to add, chunk by chunk.
pub(super) fn join(graph: &Graph, chunks: &Chunks, control: &Control) -> Result<Vec<Edit>> {
    let homes = homes(graph.vertices(), chunks)?;
    let look = |range: std::ops::Range<usize>| {
        let mut edits = Vec::new();
        for chunk in range {
            if control.should_stop() {
                break;
            }
            Inside::of(graph, chunks.members(chunk), &homes, chunk as u32).missing(graph, &mut edits);
        }
        edits
    };
    let joined = par::reduce(chunks.len(), 64, look, |mut all: Vec<Edit>, more| {
        all.extend(more);
        all
    });
    control.check(DURING)?;
    Ok(joined.unwrap_or_default())
}

/// Returns the chunk of every vertex.
fn homes(n: usize, chunks: &Chunks) -> Result<Pages<u32>> {
    let mut homes: Pages<u32> = Pages::scratch(n)?;
    homes.fill(NONE);
    for chunk in 0..chunks.len() {
        chunks.members(chunk).iter().for_each(|&v| homes[v as usize] = chunk as u32);
    }
    Ok(homes)
}

/// The arcs inside a chunk.
struct Inside<'a> {
    /// The centre, and then its neighbours in increasing order.
    members: &'a [Vertex],
    /// A bit per member for every member that it has an arc to.
    rows: [u32; MEMBERS],
    mean: Mean,
}

impl<'a> Inside<'a> {
    fn of(graph: &Graph, members: &'a [Vertex], homes: &[u32], chunk: u32) -> Self {
        let (mut rows, mut mean, arcs) = ([0; MEMBERS], Mean::EMPTY, graph.out());
        for (row, &v) in rows.iter_mut().zip(members) {
            let inside = arcs
                .csr
                .arcs_of(v)
                .zip(arcs.csr.neighbors(v))
                .filter(|&(_, &u)| homes[u as usize] == chunk && u != v);
            for (arc, u) in inside {
                *row |= members.iter().position(|w| w == u).map_or(0, |place| 1 << place);
                mean.add(arcs.weights.get(arc));
            }
        }
        Self { members, rows, mean }
    }

    fn has(&self, i: usize, j: usize) -> bool {
        self.rows[i] >> j & 1 == 1
    }

    /// Adds the edges between neighbours that are not joined.
    fn missing(&self, graph: &Graph, edits: &mut Vec<Edit>) {
        let weight = self.mean.of(graph.weight_type());
        let edit = |i: usize, j: usize| Edit::new(self.members[i], self.members[j], weight);
        for j in 1..self.members.len() {
            for i in (1..j).filter(|&i| !self.has(i, j) && !self.has(j, i)) {
                if !graph.is_directed() {
                    edits.push(edit(i, j));
                    continue;
                }
                // Only along a path through the centre, member 0.
                edits.extend((self.has(i, 0) && self.has(0, j)).then(|| edit(i, j)));
                edits.extend((self.has(j, 0) && self.has(0, i)).then(|| edit(j, i)));
            }
        }
    }
}
