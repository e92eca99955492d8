//! [`Copies`]: what an engine must know of a graph that has copies of vertices, or holes ([`NodeMap`]).
//!
//! A copy has outgoing arcs that belong to its master, and no incoming ones. An engine *reflects*: after each superstep the
//! copies of the vertices that send next take over their values and send with them. So the values of masters are those of the
//! graph in which every copy is merged into its master. Sums over vertices, such as residuals, leave copies and holes out.
//!
//! What an engine gathers over outgoing arcs, a copy gathers in part. The engine then *combines back*: it adds the parts of
//! copies to those of their masters.

use super::Scalar;
use crate::{Options, Result};
use warpgraph_graph::{Csr, Graph, NO_VERTEX, NodeMap, Pages, Vertex};

/// The copies of every vertex, and the degrees that programs see.
#[derive(Debug)]
pub struct Copies {
    /// Where the copies of each vertex begin in `copies`, and the end of the last ones.
    starts: Pages<u32>,
    copies: Vec<Vertex>,
    /// The master of each entry of `copies`.
    masters: Vec<Vertex>,
    degrees: Pages<u32>,
    /// A bit for every copy and every hole.
    idle: Vec<u64>,
    /// A bit for every vertex that has copies: few have, and a look at the bits is cheaper than one at `starts`.
    copied: Vec<u64>,
}

impl Copies {
    /// Returns the copies of the graph of a run; `None` if it has neither copies nor holes.
    ///
    /// # Errors
    /// If memory is short.
    pub fn of_run(graph: &Graph, options: &Options) -> Result<Option<Self>> {
        options.map.as_ref().map_or(Ok(None), |map| Self::of(map, &graph.out().csr))
    }

    /// Returns the copies of a map's inner vertices, whose outgoing arcs are `out`; `None` if the map has neither copies nor
    /// holes.
    ///
    /// # Errors
    /// If memory is short.
    pub fn of(map: &NodeMap, out: &Csr) -> Result<Option<Self>> {
        if map.is_renumbering() {
            return Ok(None);
        }
        let (n, originals) = (map.inner_len(), map.originals());
        let mut idle = vec![0u64; n.div_ceil(64)];
        let mut pairs = Vec::new();
        let mut sums = Pages::<u32>::zeroed(map.len())?;
        for (v, &original) in originals.iter().enumerate() {
            let master = if original == NO_VERTEX { NO_VERTEX } else { map.inner(original) };
            if master != v as Vertex {
                idle[v / 64] |= 1 << (v % 64);
            }
            if master == NO_VERTEX {
                continue;
            }
            sums[original as usize] += out.degree(v as Vertex) as u32;
            if master != v as Vertex {
                pairs.push((master, v as Vertex));
            }
        }
        pairs.sort_unstable();
        let mut starts = Pages::<u32>::zeroed(n + 1)?;
        pairs.iter().for_each(|&(master, _)| starts[master as usize + 1] += 1);
        let mut copied = vec![0u64; n.div_ceil(64)];
        pairs.iter().for_each(|&(master, _)| copied[master as usize / 64] |= 1 << (master % 64));
        for v in 0..n {
            starts[v + 1] += starts[v];
        }
        let mut degrees = Pages::<u32>::zeroed(n)?;
        for (degree, &original) in degrees.iter_mut().zip(&originals[..]) {
            *degree = sums.get(original as usize).copied().unwrap_or(0);
        }
        let (masters, copies) = pairs.into_iter().unzip();
        Ok(Some(Self { starts, copies, masters, degrees, idle, copied }))
    }

    /// Returns the copies of a vertex. Panics if there is no such vertex.
    #[inline]
    pub fn of_master(&self, v: Vertex) -> &[Vertex] {
        if self.copied[v as usize / 64] >> (v % 64) & 1 == 0 {
            return &[];
        }
        &self.copies[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }

    /// Returns masters, and a copy of each of them. They are in ascending order of masters, then of copies.
    pub fn pairs(&self) -> (&[Vertex], &[Vertex]) {
        (&self.masters, &self.copies)
    }

    /// Returns the out-degree of every vertex together with all its copies, or with its master and all copies of that: the
    /// degree that programs see. 0 for holes.
    pub fn degrees(&self) -> &[u32] {
        &self.degrees
    }

    /// Returns true if `v` is neither a copy nor a hole. Panics if there is no such vertex.
    #[inline]
    pub fn is_master(&self, v: Vertex) -> bool {
        self.idle[v as usize / 64] >> (v % 64) & 1 == 0
    }

    /// Returns a bitmap with a bit for every copy and every hole.
    pub fn idle(&self) -> &[u64] {
        &self.idle
    }

    /// Gives all copies the values of their masters.
    pub fn reflect<T: Scalar>(&self, values: &[T::Cell]) {
        for (&master, &copy) in self.masters.iter().zip(&self.copies) {
            T::store(&values[copy as usize], T::load(&values[master as usize]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_shares_the_degree_of_its_master_and_a_hole_has_none() {
        // Original 0 is inner 1 with the copy 3; original 1 is inner 0; inner 2 is a hole.
        let originals = vec![1, 0, NO_VERTEX, 0];
        let map = NodeMap::new(vec![1, 0].into(), originals.into(), "a test").unwrap();
        let graph = Graph::from_edges(4, &[(1, 0), (3, 0), (3, 1), (0, 1)], true).unwrap();
        let copies = Copies::of(&map, &graph.out().csr).unwrap().unwrap();
        assert_eq!(copies.degrees(), [1, 3, 0, 3]);
        assert_eq!((copies.of_master(1), copies.of_master(0)), (&[3][..], &[][..]));
        assert_eq!(copies.pairs(), (&[1][..], &[3][..]));
        assert_eq!(copies.idle(), [0b1100]);
        assert_eq!([0, 1, 2, 3].map(|v| copies.is_master(v)), [true, true, false, false]);
        let plain = NodeMap::renumbering(vec![1, 0]).unwrap();
        assert!(Copies::of(&plain, &graph.out().csr).unwrap().is_none());
    }
}
