//! Breadth-first search as a program, with and without parents.

use crate::program::{Combine, Dialect, Edge, Seeds, Vertex, VertexProgram};

/// Finds the fewest hops from a source, `u32::MAX` if unreached: `hops[v] = min(hops[v], hops[u] + 1)`.
#[derive(Debug, Clone)]
pub struct Hops {
    /// The source.
    pub source: u32,
    /// The largest number of hops.
    pub limit: u32,
}

impl Hops {
    /// Searches from a vertex, without a limit.
    pub fn from(source: u32) -> Self {
        Self { source, limit: u32::MAX }
    }
}

impl VertexProgram for Hops {
    type Value = u32;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "hops";
    const COMBINE: Combine = Combine::Min;
    const DISTRIBUTES: bool = true;
    const ONCE: bool = true;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u32> {
        d.select(d.eq(v.id, d.param("source", self.source)), d.lit(0), d.lit(u32::MAX))
    }
    fn seeds(&self) -> Seeds {
        Seeds::one(self.source)
    }
    #[inline(always)]
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u32> {
        d.select(d.lt(e.value, d.param("limit", self.limit)), e.value + d.lit(1), d.lit(u32::MAX))
    }
}

/// Finds the fewest hops (upper half) and the smallest parent (lower half): `Min` breaks ties by the parent's number.
#[derive(Debug, Clone)]
pub struct HopTree {
    /// The source.
    pub source: u32,
    /// The largest number of hops.
    pub limit: u32,
}

impl VertexProgram for HopTree {
    type Value = u64;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "hop-tree";
    const COMBINE: Combine = Combine::Min;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u64> {
        d.select(d.eq(v.id, d.param("source", self.source)), d.pack(d.lit(0), v.id), d.lit(u64::MAX))
    }
    fn seeds(&self) -> Seeds {
        Seeds::one(self.source)
    }
    #[inline(always)]
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u64> {
        let hops = d.hi(e.value);
        let next = d.pack(hops + d.lit(1), e.source.id);
        d.select(d.lt(hops, d.param("limit", self.limit)), next, d.lit(u64::MAX))
    }
}
