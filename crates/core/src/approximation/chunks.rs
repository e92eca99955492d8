//! [`Chunks`]: disjoint groups of vertices that a run iterates together before it goes on.

use warpgraph_graph::Vertex;

/// Groups of vertices, of which none is in two. The technique `latency` makes them: a vertex of high clustering coefficient,
/// and neighbours of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chunks {
    /// Where the members of each chunk begin in `members`, and the end of the last one: one entry more than chunks.
    starts: Vec<u32>,
    members: Vec<Vertex>,
}

impl Chunks {
    /// The most vertices of a chunk: their values fit the shared memory of a block.
    pub const MOST: usize = 1024;

    /// Adds a chunk. Panics if it has more than [`Chunks::MOST`] members.
    pub fn push(&mut self, members: &[Vertex]) {
        assert!(members.len() <= Self::MOST, "a chunk of {} vertices", members.len());
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.members.extend_from_slice(members);
        self.starts.push(self.members.len() as u32);
    }

    /// Returns the number of chunks.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the members of a chunk. Panics if there is no such chunk.
    pub fn members(&self, chunk: usize) -> &[Vertex] {
        &self.members[self.starts[chunk] as usize..self.starts[chunk + 1] as usize]
    }

    /// Returns where the members of each chunk begin in [`Chunks::all`], and the end of the last one; empty without chunks.
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Returns the members of all chunks, one chunk after the other.
    pub fn all(&self) -> &[Vertex] {
        &self.members
    }

    /// Returns the same chunks with every vertex renamed.
    pub fn renamed(&self, name: impl Fn(Vertex) -> Vertex) -> Self {
        Self { starts: self.starts.clone(), members: self.members.iter().map(|&v| name(v)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_keep_their_members_apart() {
        let mut chunks = Chunks::default();
        assert!(chunks.is_empty() && chunks.starts().is_empty());
        chunks.push(&[3, 1]);
        chunks.push(&[2]);
        assert_eq!((chunks.len(), chunks.members(0), chunks.members(1)), (2, &[3, 1][..], &[2][..]));
        let renamed = chunks.renamed(|v| v + 10);
        assert_eq!((renamed.members(0), renamed.all()), (&[13, 11][..], &[13, 11, 12][..]));
    }
}
