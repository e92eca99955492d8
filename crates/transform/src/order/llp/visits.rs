//! The order of visits: vertices assigned at random to the blocks of a round, sorted by number within each block.

use super::{DURING, around::Around};
use std::ops::Range;
use warpgraph_graph::{Control, Pages, Result, Vertex, hash};

/// Blocks per round. The vertices of one block do not see each other move.
pub(super) const BLOCKS: usize = 64;

/// Vertices processed between two checks of the control.
const PATIENCE: usize = 1 << 16;

/// All vertices that have neighbours, block after block.
pub(super) struct Visits {
    vertices: Pages<Vertex>,
    starts: [usize; BLOCKS + 1],
}

impl Visits {
    /// Assigns the vertices by a hash of `seed` and their number; O(n).
    pub(super) fn new(around: &Around<'_>, seed: u64, control: &Control) -> Result<Self> {
        let block = |v: Vertex| (hash::mix(seed, u64::from(v)) % BLOCKS as u64) as usize;
        let mut starts = [0; BLOCKS + 1];
        each_joined(around, control, |v| starts[block(v) + 1] += 1)?;
        for i in 0..BLOCKS {
            starts[i + 1] += starts[i];
        }
        let mut vertices: Pages<Vertex> = Pages::scratch(starts[BLOCKS])?;
        let mut ends = starts;
        each_joined(around, control, |v| {
            let end = &mut ends[block(v)];
            vertices[*end] = v;
            *end += 1;
        })?;
        Ok(Self { vertices, starts })
    }

    /// Returns the number of vertices.
    pub(super) fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Iterates over the blocks.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &[Vertex]> {
        self.starts.windows(2).map(|ends| &self.vertices[ends[0]..ends[1]])
    }
}

/// Calls `visit` with every vertex that has neighbours.
fn each_joined(around: &Around<'_>, control: &Control, mut visit: impl FnMut(Vertex)) -> Result<()> {
    let n = around.vertices();
    let parts = (0..n).step_by(PATIENCE).map(|first| first..n.min(first + PATIENCE));
    for Range { start, end } in parts {
        control.check(DURING)?;
        (start as Vertex..end as Vertex).filter(|&v| around.is_joined(v)).for_each(&mut visit);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph_graph::Graph;

    #[test]
    fn every_vertex_with_neighbours_is_in_one_block() {
        // Vertices 3 i have no neighbours; 3 i + 1 and 3 i + 2 have each other.
        let edges: Vec<_> = (0..3000).step_by(3).map(|v| (v + 1, v + 2)).chain([(0, 0)]).collect();
        let graph = Graph::from_edges(3000, &edges, false).unwrap();
        let around = Around::new(&graph).unwrap();
        let visits = Visits::new(&around, 5, &Control::new()).unwrap();
        assert!(visits.blocks().count() == BLOCKS && visits.blocks().all(<[Vertex]>::is_sorted));
        assert!(visits.blocks().all(|block| block.len() < 3 * 2000 / BLOCKS));
        let mut all = visits.blocks().flatten().copied().collect::<Vec<_>>();
        all.sort_unstable();
        assert!(all.into_iter().eq((0..3000).filter(|v| v % 3 > 0)) && visits.len() == 2000);
    }
}
