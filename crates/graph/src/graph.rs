//! [`Graph`]: structure, weights and original ids, as read, built or generated.

use crate::{
    csr::{Csr, Vertex},
    error::{Error, Position, Result},
    hash,
    ids::Ids,
    par,
    stored::Stored,
    transpose,
    weights::{WeightType, Weights},
};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// A graph in memory or in a mapped file; a clone is another handle to the same one.
///
/// An undirected graph stores every edge as two arcs (a self-loop as one). The transpose of a directed graph is built
/// when it is first asked for, and kept.
#[derive(Debug, Clone)]
pub struct Graph {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// There from the start, unless `stored` has the arcs.
    out: OnceLock<Arcs>,
    stored: Option<Stored>,
    transpose: OnceLock<Arcs>,
    directed: bool,
    ids: Ids,
    origin: Origin,
    counts: OnceLock<Counts>,
    hash: OnceLock<u64>,
    weight_range: OnceLock<Option<(f64, f64)>>,
}

/// Arcs of one direction: their structure and their weights.
#[derive(Debug, Clone)]
pub struct Arcs {
    /// Who points to whom.
    pub csr: Csr,
    /// The weights, in the order of `csr.targets()`.
    pub weights: Weights,
}

/// Where a graph comes from and what was done to it on the way, so that nothing is assumed in silence.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// The file or generator, as the user named it.
    pub name: String,
    /// The format it was read in (`snap`, `mtx`, ...), or `generated`, or `memory`.
    pub format: String,
    /// Edges as listed there, before anything was dropped, merged or mirrored.
    pub listed: u64,
    /// Why it was taken as directed or undirected, e.g. `the header says "symmetric"`.
    pub direction_because: String,
    /// Were the arcs of the other direction added?
    pub symmetrised: bool,
    /// Self-loops dropped.
    pub loops_dropped: u64,
    /// Parallel edges merged into others.
    pub merged: u64,
    /// What the user should know, a sentence each.
    pub warnings: Vec<String>,
}

/// Counts that need one pass over the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Arcs from a vertex to itself.
    pub self_loops: u64,
    /// Vertices without any arc, in or out.
    pub isolated: u64,
    /// Vertices without an outgoing arc.
    pub sinks: u64,
    /// The largest out-degree.
    pub max_degree: u64,
    /// The vertex that has it; the smallest on ties, 0 in an empty graph.
    pub max_degree_vertex: Vertex,
}

impl Graph {
    /// Puts a graph together from checked arcs.
    ///
    /// # Errors
    /// [`Error::Format`] when weights or ids do not match the structure, or an undirected graph is not symmetric.
    pub fn new(arcs: Arcs, directed: bool, ids: Ids, origin: Origin) -> Result<Self> {
        let damaged = |what: String| {
            Error::format(
                Position::file(&origin.name),
                what,
                "the file is damaged or mislabelled; make it anew",
            )
        };
        let (n, m) = (arcs.csr.vertices(), arcs.csr.arcs());
        if ids.len() != n {
            return Err(damaged(format!("{} ids for {n} vertices", ids.len())));
        }
        if arcs.weights.weight_type().is_some() && arcs.weights.len() != m {
            return Err(damaged(format!("{} weights for {m} arcs", arcs.weights.len())));
        }
        if !directed && !hash::is_symmetric(&arcs) {
            return Err(damaged("marked undirected, but some edges have only one direction".to_owned()));
        }
        // SAFETY: checked above.
        Ok(unsafe { Self::new_unchecked(arcs, directed, ids, origin) })
    }

    /// [`Graph::new`] for arcs known to be consistent, such as a builder's or a file the user vouches for.
    ///
    /// # Safety
    /// There are as many ids as vertices, as many weights as arcs (or none), and the arcs are symmetric unless
    /// `directed`.
    pub unsafe fn new_unchecked(arcs: Arcs, directed: bool, ids: Ids, origin: Origin) -> Self {
        Self::assemble(OnceLock::from(arcs), None, directed, ids, origin)
    }

    /// The graph with its incoming arcs, where they are at hand; they are not made anew then. Without effect on an undirected graph.
    ///
    /// # Safety
    /// They are the transpose of [`Graph::out`], weights included.
    pub unsafe fn with_incoming(self, incoming: Arcs) -> Self {
        if self.is_directed() {
            let _ = self.inner.transpose.set(incoming);
        }
        self
    }

    fn assemble(
        out: OnceLock<Arcs>,
        stored: Option<Stored>,
        directed: bool,
        ids: Ids,
        origin: Origin,
    ) -> Self {
        let inner = Inner {
            out,
            stored,
            transpose: OnceLock::new(),
            directed,
            ids,
            origin,
            counts: OnceLock::new(),
            hash: OnceLock::new(),
            weight_range: OnceLock::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// A graph of which only the arcs in another order are there; `hash` is what [`Graph::hash`] is to say of it.
    ///
    /// # Errors
    /// [`Error::Invalid`] when there are not as many ids as vertices, [`Error::TooLarge`] when there is no memory for
    /// the arcs in the original order.
    pub fn from_stored(mut stored: Stored, ids: Ids, hash: u64) -> Result<Self> {
        let n = stored.graph().vertices();
        if ids.len() != n {
            return Err(Error::invalid(format!("{} ids for {n} vertices", ids.len()), "make the file anew"));
        }
        stored.reserve()?;
        let (directed, origin) = (stored.graph().is_directed(), stored.graph().origin().clone());
        let graph = Self::assemble(OnceLock::new(), Some(stored), directed, ids, origin);
        let _ = graph.inner.hash.set(hash);
        Ok(graph)
    }

    /// The same graph, to be stored in another order than before, or (`None`) in the order of its ids.
    ///
    /// # Errors
    /// [`Error::Invalid`] when `stored` is of another size or direction.
    pub fn stored_as(&self, stored: Option<Stored>) -> Result<Self> {
        let shape = |graph: &Self| (graph.vertices(), graph.arcs(), graph.is_directed());
        if stored.as_ref().is_some_and(|stored| shape(stored.graph()) != shape(self)) {
            return Err(Error::invalid("the stored order is of another graph", "reorder this graph"));
        }
        let out = OnceLock::from(self.out().clone());
        let (ids, origin) = (self.ids().clone(), self.origin().clone());
        let graph = Self::assemble(out, stored, self.is_directed(), ids, origin);
        let _ = graph.inner.hash.set(self.hash());
        Ok(graph)
    }

    /// The arcs in the order they are stored in, if that is not the order of the ids.
    pub fn stored(&self) -> Option<&Stored> {
        self.inner.stored.as_ref()
    }

    /// The arcs in the order that is at hand: for what does not depend on it.
    fn any_order(&self) -> &Arcs {
        match &self.inner.stored {
            Some(stored) => stored.graph().out(),
            None => self.out(),
        }
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.ids().len()
    }

    /// Number of arcs: an undirected edge counts twice, a self-loop once.
    pub fn arcs(&self) -> usize {
        self.any_order().csr.arcs()
    }

    /// The number of arcs from `v`. Panics if `v` is not a vertex.
    pub fn degree(&self, v: Vertex) -> usize {
        match self.stored() {
            Some(stored) => stored.graph().degree(stored.map().inner(v)),
            None => self.out().csr.degree(v),
        }
    }

    /// The type of the weights; `None` for an unweighted graph.
    pub fn weight_type(&self) -> Option<WeightType> {
        self.any_order().weights.weight_type()
    }

    /// Number of edges: an undirected edge counts once.
    pub fn edges(&self) -> u64 {
        let arcs = self.arcs() as u64;
        if self.is_directed() { arcs } else { (arcs + self.counts().self_loops) / 2 }
    }

    /// Do arcs have one direction only?
    pub fn is_directed(&self) -> bool {
        self.inner.directed
    }

    /// Outgoing arcs. Those of a graph that is [stored](Stored) in another order are put in the order of its ids at the
    /// first call, and kept.
    pub fn out(&self) -> &Arcs {
        self.inner.out.get_or_init(|| match &self.inner.stored {
            Some(stored) => stored.restore(),
            None => unreachable!("a graph has arcs"),
        })
    }

    /// Incoming arcs: the same as [`Graph::out`] if undirected, else the transpose, built at the first call and kept.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when memory is short.
    pub fn incoming(&self) -> Result<&Arcs> {
        if !self.is_directed() {
            return Ok(self.out());
        }
        if self.inner.transpose.get().is_none() {
            // Two threads may both build it; one wins, both are right.
            let _ = self.inner.transpose.set(transpose::transpose(self.out())?);
        }
        Ok(self.inner.transpose.get().unwrap_or(self.out()))
    }

    /// Has the transpose been built (or is it not needed)?
    pub fn has_incoming(&self) -> bool {
        !self.is_directed() || self.inner.transpose.get().is_some()
    }

    /// Original ids.
    pub fn ids(&self) -> &Ids {
        &self.inner.ids
    }

    /// Where it comes from and what was done to it.
    pub fn origin(&self) -> &Origin {
        &self.inner.origin
    }

    /// Loops, isolated vertices, largest degree; one parallel pass, kept.
    pub fn counts(&self) -> &Counts {
        self.inner.counts.get_or_init(|| count(self))
    }

    /// A hash of structure, weights, direction and ids: equal graphs have equal hashes, on any machine; kept.
    pub fn hash(&self) -> u64 {
        *self.inner.hash.get_or_init(|| hash::graph(self))
    }

    /// The smallest and the largest weight; `None` without weights or arcs; kept.
    pub fn weight_range(&self) -> Option<(f64, f64)> {
        *self.inner.weight_range.get_or_init(|| self.any_order().weights.range())
    }

    /// Memory the arcs, weights and ids take: those in a stored order, and the transpose, included if they are there.
    pub fn bytes(&self) -> u64 {
        let arcs = |a: &Arcs| a.csr.bytes() + a.weights.bytes();
        let Inner { out, transpose, stored, .. } = &*self.inner;
        let stored = stored.as_ref().map_or(0, Stored::bytes);
        out.get().map_or(0, arcs) + transpose.get().map_or(0, arcs) + self.ids().bytes() + stored
    }
}

fn count(graph: &Graph) -> Counts {
    let csr = &graph.any_order().csr;
    // On ties the smallest vertex wins, by its original number.
    let original = |v: Vertex| graph.stored().map_or(v, |stored| stored.map().original(v));
    let n = csr.vertices();
    let mut pointed_at = Vec::new();
    if graph.is_directed() {
        pointed_at = (0..n.div_ceil(64)).map(|_| std::sync::atomic::AtomicU64::new(0)).collect();
        par::ranges(csr.arcs(), par::FINE, |range| {
            for &t in &csr.targets()[range] {
                let (word, bit) = (&pointed_at[t as usize / 64], 1u64 << (t % 64));
                if word.load(std::sync::atomic::Ordering::Relaxed) & bit == 0 {
                    word.fetch_or(bit, std::sync::atomic::Ordering::Relaxed);
                }
            }
        });
    }
    let is_pointed_at = |v: Vertex| {
        pointed_at
            .get(v as usize / 64)
            .is_some_and(|w| w.load(std::sync::atomic::Ordering::Relaxed) >> (v % 64) & 1 == 1)
    };
    let zero = Counts { self_loops: 0, isolated: 0, sinks: 0, max_degree: 0, max_degree_vertex: 0 };
    let add = |mut c: Counts, v: Vertex| {
        let row = csr.neighbors(v);
        // Parallel loops lie side by side in the sorted row.
        let first = row.partition_point(|&t| t < v);
        c.self_loops += row[first..].iter().take_while(|&&t| t == v).count() as u64;
        c.sinks += u64::from(row.is_empty());
        c.isolated += u64::from(row.is_empty() && !is_pointed_at(v));
        let (degree, name) = (row.len() as u64, original(v));
        if degree > c.max_degree || (degree == c.max_degree && name < c.max_degree_vertex) {
            (c.max_degree, c.max_degree_vertex) = (degree, name);
        }
        c
    };
    let count = |range: std::ops::Range<usize>| range.fold(zero, |counts, v| add(counts, v as Vertex));
    par::reduce(n, 4096, count, joined).unwrap_or(zero)
}

fn joined(a: Counts, b: Counts) -> Counts {
    let is_b = b.max_degree > a.max_degree
        || (b.max_degree == a.max_degree && b.max_degree_vertex < a.max_degree_vertex);
    Counts {
        self_loops: a.self_loops + b.self_loops,
        isolated: a.isolated + b.isolated,
        sinks: a.sinks + b.sinks,
        ..if is_b { b } else { a }
    }
}
