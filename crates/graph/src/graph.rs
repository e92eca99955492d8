//! Defines [`Graph`]: structure, weights and original ids of a graph that was read, built or generated.

use crate::{
    csr::{Csr, Offset, Offsets, Vertex},
    error::{Error, Position, Result},
    hash,
    ids::Ids,
    labels::Labels,
    mapped::MappedFile,
    par,
    paths::Paths,
    stored::Stored,
    transpose,
    weights::{WeightType, Weights},
};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// A graph in memory or in a mapped file; clones share the same data.
///
/// An undirected graph stores every edge as two arcs (a self-loop as one). The first call of [`Graph::incoming`] builds
/// the transpose of a directed graph and keeps it.
#[derive(Debug, Clone)]
pub struct Graph {
    inner: Arc<Inner>,
}

#[derive(Debug, Clone)]
struct Inner {
    /// The outgoing arcs: set from the start, unless only `stored` holds the arcs.
    out: OnceLock<Arcs>,
    stored: Option<Arc<Stored>>,
    transpose: OnceLock<Arcs>,
    directed: bool,
    ids: Ids,
    labels: Option<Labels>,
    /// Paths of the arcs in `out`.
    paths: Option<Arc<Paths>>,
    origin: Origin,
    counts: OnceLock<Counts>,
    hash: OnceLock<u64>,
    weight_range: OnceLock<Option<(f64, f64)>>,
}

/// The arcs of one direction: their structure and their weights.
#[derive(Debug, Clone)]
pub struct Arcs {
    /// The adjacency lists.
    pub csr: Csr,
    /// The weights, in the order of `csr.targets()`.
    pub weights: Weights,
}

/// Records where a graph comes from and every change made to it on the way, so that no assumption stays hidden.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// The file or generator, as the user named it.
    pub name: String,
    /// The format of the file (`snap`, `mtx`, ...), or `generated`, or `memory`.
    pub format: String,
    /// The number of edges in the source, before any were dropped, merged or mirrored.
    pub listed: u64,
    /// The reason why the graph is directed or undirected, e.g. `the header says "symmetric"`.
    pub direction_because: String,
    /// True if the builder added the arcs of the opposite direction.
    pub symmetrised: bool,
    /// The number of self-loops dropped.
    pub loops_dropped: u64,
    /// The number of parallel edges merged into others.
    pub merged: u64,
    /// The line that was skipped because it names the columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// The columns of sources, targets and weights, by name or position, if they are not the first ones in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
    /// The columns that were ignored, by name or position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// Warnings for the user, one sentence each.
    pub warnings: Vec<String>,
}

/// Counts that take one pass over the graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// The number of arcs from a vertex to itself.
    pub self_loops: u64,
    /// The number of vertices with neither outgoing nor incoming arcs.
    pub isolated: u64,
    /// The number of vertices without outgoing arcs.
    pub sinks: u64,
    /// The largest out-degree.
    pub max_degree: u64,
    /// The vertex with the largest out-degree; the smallest such vertex on ties, 0 in an empty graph.
    pub max_degree_vertex: Vertex,
}

/// What a pass over the arrays of a graph has found besides, so that nothing counts it again.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    /// What [`Graph::counts`] returns.
    pub counts: Option<Counts>,
    /// What [`Graph::weight_range`] returns for a graph with weights and arcs.
    pub weight_range: Option<(f64, f64)>,
    /// What [`Graph::hash`] returns.
    pub hash: Option<u64>,
}

impl Graph {
    /// Assembles a graph from checked arcs.
    ///
    /// # Errors
    /// [`Error::Format`] if weights or ids do not match the structure, or if an undirected graph is not symmetric.
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
        // SAFETY: the checks above establish the conditions.
        Ok(unsafe { Self::new_unchecked(arcs, directed, ids, origin) })
    }

    /// Assembles a graph from arcs known to be consistent, such as those of a builder or of a trusted file.
    ///
    /// # Safety
    /// There are as many ids as vertices, and as many weights as arcs (or none); the arcs are symmetric unless
    /// `directed`.
    pub unsafe fn new_unchecked(arcs: Arcs, directed: bool, ids: Ids, origin: Origin) -> Self {
        Self::assemble(OnceLock::from(arcs), None, directed, ids, origin)
    }

    /// Returns the graph with the given incoming arcs as its transpose, so that it need not be built. Has no effect on
    /// an undirected graph.
    ///
    /// # Safety
    /// `incoming` is the transpose of [`Graph::out`], weights included.
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
            stored: stored.map(Arc::new),
            transpose: OnceLock::new(),
            directed,
            ids,
            labels: None,
            paths: None,
            origin,
            counts: OnceLock::new(),
            hash: OnceLock::new(),
            weight_range: OnceLock::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Returns a graph whose arcs exist only in another order; `hash` is the value that [`Graph::hash`] returns.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the number of ids differs from the number of vertices; [`Error::TooLarge`] if there is no
    /// memory for the arcs in the original order.
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

    /// Returns the same graph stored in another order, or in the order of its ids if `stored` is `None`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if `stored` differs in size or direction.
    pub fn stored_as(&self, stored: Option<Stored>) -> Result<Self> {
        let shape = |graph: &Self| (graph.vertices(), graph.arcs(), graph.is_directed());
        if stored.as_ref().is_some_and(|stored| shape(stored.graph()) != shape(self)) {
            return Err(Error::invalid("the stored order is of another graph", "reorder this graph"));
        }
        let out = OnceLock::from(self.out().clone());
        let (ids, origin) = (self.ids().clone(), self.origin().clone());
        let mut graph = Self::assemble(out, stored, self.is_directed(), ids, origin);
        let _ = graph.inner.hash.set(self.hash());
        Arc::make_mut(&mut graph.inner).paths = self.inner.paths.clone();
        graph.with_labels(self.labels().cloned())
    }

    /// Returns the graph with these labels of its vertices, or without labels.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the number of labels differs from the number of vertices.
    pub fn with_labels(mut self, labels: Option<Labels>) -> Result<Self> {
        let n = self.vertices();
        if let Some(labels) = labels.as_ref().filter(|labels| labels.len() != n) {
            let what = format!("{} labels for {n} vertices", labels.len());
            return Err(Error::invalid(what, "give one label per vertex; it may be empty"));
        }
        Arc::make_mut(&mut self.inner).labels = labels;
        Ok(self)
    }

    /// Returns the graph with these paths, or without paths: runs of the model `paths` use them, and a `.wg` file keeps
    /// them. The paths are those of [`Graph::out`]; for arcs in a stored order, give them to [`Stored::graph`].
    ///
    /// Checks that vertices and arcs are in bounds, and not that the paths are those of this graph; [`Paths::check`] does.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the paths name a vertex or an arc that the graph does not have.
    pub fn with_paths(mut self, paths: Option<Paths>) -> Result<Self> {
        if let Some(paths) = &paths {
            paths.check_bounds(self.vertices(), self.arcs())?;
        }
        Arc::make_mut(&mut self.inner).paths = paths.map(Arc::new);
        Ok(self)
    }

    /// Returns the paths of [`Graph::out`] that the graph keeps, if there are any.
    pub fn paths(&self) -> Option<&Arc<Paths>> {
        self.inner.paths.as_ref()
    }

    /// Returns the graph with another account of where it comes from.
    pub(crate) fn with_origin(mut self, origin: Origin) -> Self {
        Arc::make_mut(&mut self.inner).origin = origin;
        self
    }

    /// Returns the labels of the vertices, if a vertex table gave some.
    pub fn labels(&self) -> Option<&Labels> {
        self.inner.labels.as_ref()
    }

    /// Returns the arcs in their stored order, if it differs from the order of the ids.
    pub fn stored(&self) -> Option<&Stored> {
        self.inner.stored.as_deref()
    }

    /// Returns the arcs in whichever order is available, for computations that do not depend on the order.
    fn any_order(&self) -> &Arcs {
        match &self.inner.stored {
            Some(stored) => stored.graph().out(),
            None => self.out(),
        }
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.ids().len()
    }

    /// Returns the number of arcs; an undirected edge counts twice, a self-loop once.
    pub fn arcs(&self) -> usize {
        self.any_order().csr.arcs()
    }

    /// Returns the number of arcs from `v`. Panics if `v` is not a vertex.
    pub fn degree(&self, v: Vertex) -> usize {
        match self.stored() {
            Some(stored) => stored.graph().degree(stored.map().inner(v)),
            None => self.out().csr.degree(v),
        }
    }

    /// Returns the number of arcs from all vertices for which `is_counted` returns true.
    pub fn arcs_where(&self, is_counted: impl Fn(Vertex) -> bool + Sync) -> u64 {
        fn sum<O: Offset>(offsets: &[O], is_counted: impl Fn(Vertex) -> bool + Sync) -> u64 {
            par::sum(offsets.len() - 1, par::FINE, |range| {
                let rows = offsets[range.start..=range.end].windows(2);
                let counted = |(v, row): (usize, &[O])| match is_counted(v as Vertex) {
                    true => (row[1].index() - row[0].index()) as u64,
                    false => 0,
                };
                range.zip(rows).map(counted).sum()
            })
        }
        let original = |v| self.stored().map_or(v, |stored| stored.map().original(v));
        match (self.any_order().csr.offsets(), self.stored()) {
            (Offsets::Narrow(offsets), None) => sum(offsets, is_counted),
            (Offsets::Narrow(offsets), Some(_)) => sum(offsets, |v| is_counted(original(v))),
            (Offsets::Wide(offsets), _) => sum(offsets, |v| is_counted(original(v))),
        }
    }

    /// Returns the type of the weights; `None` for an unweighted graph.
    pub fn weight_type(&self) -> Option<WeightType> {
        self.any_order().weights.weight_type()
    }

    /// Returns the number of edges; an undirected edge counts once.
    pub fn edges(&self) -> u64 {
        let arcs = self.arcs() as u64;
        if self.is_directed() { arcs } else { (arcs + self.counts().self_loops) / 2 }
    }

    /// Returns true if the graph is directed.
    pub fn is_directed(&self) -> bool {
        self.inner.directed
    }

    /// Returns the outgoing arcs. For a graph that is [stored](Stored) in another order, the first call puts them in
    /// the order of the ids and keeps the result.
    pub fn out(&self) -> &Arcs {
        self.inner.out.get_or_init(|| match &self.inner.stored {
            Some(stored) => stored.restore(),
            None => unreachable!("a graph has arcs"),
        })
    }

    /// Returns the incoming arcs: those of [`Graph::out`] if undirected, otherwise the transpose, which the first call
    /// builds and keeps.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if memory is short.
    pub fn incoming(&self) -> Result<&Arcs> {
        if !self.is_directed() {
            return Ok(self.out());
        }
        if self.inner.transpose.get().is_none() {
            // Two threads may both build the transpose. Their results are equal, and one is kept.
            let _ = self.inner.transpose.set(transpose::transpose(self.out())?);
        }
        Ok(self.inner.transpose.get().unwrap_or(self.out()))
    }

    /// Returns true if the transpose has been built or is not needed.
    pub fn has_incoming(&self) -> bool {
        !self.is_directed() || self.inner.transpose.get().is_some()
    }

    /// Returns the original ids.
    pub fn ids(&self) -> &Ids {
        &self.inner.ids
    }

    /// Returns where the graph comes from and which changes were made to it.
    pub fn origin(&self) -> &Origin {
        &self.inner.origin
    }

    /// Returns the counts of self-loops, isolated vertices and sinks, and the largest degree; one pass, cached.
    pub fn counts(&self) -> &Counts {
        self.inner.counts.get_or_init(|| count(self))
    }

    /// Checks that the file that arcs are read from in place is what it was when it was opened; reads no page of it. A
    /// graph in memory of its own always passes.
    ///
    /// # Errors
    /// Returns [`Error::Changed`] if it is not.
    pub fn check_file(&self) -> Result<()> {
        self.any_order().csr.targets().file().map_or(Ok(()), MappedFile::check)
    }

    /// Returns true if both are handles to the same graph in memory.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Takes over what another pass has found, so that nothing counts it again.
    pub(crate) fn knows(&self, seen: &Seen) {
        if let Some(counts) = seen.counts {
            let _ = self.inner.counts.set(counts);
        }
        if let Some(range) = seen.weight_range {
            let _ = self.inner.weight_range.set(Some(range));
        }
        if let Some(hash) = seen.hash {
            let _ = self.inner.hash.set(hash);
        }
    }

    /// Returns a hash of structure, weights, direction and ids; cached. Equal graphs have equal hashes on any machine.
    pub fn hash(&self) -> u64 {
        *self.inner.hash.get_or_init(|| hash::graph(self))
    }

    /// Returns the smallest and the largest weight, cached; `None` if the graph has no weights or no arcs.
    pub fn weight_range(&self) -> Option<(f64, f64)> {
        *self.inner.weight_range.get_or_init(|| self.any_order().weights.range())
    }

    /// Returns the bytes that arcs, weights and ids occupy, including the stored order, the transpose and paths if they
    /// exist.
    pub fn bytes(&self) -> u64 {
        let arcs = |a: &Arcs| a.csr.bytes() + a.weights.bytes();
        let Inner { out, transpose, stored, paths, .. } = &*self.inner;
        let stored = stored.as_deref().map_or(0, Stored::bytes);
        let labels = self.labels().map_or(0, Labels::bytes);
        let paths = paths.as_deref().map_or(0, Paths::bytes);
        out.get().map_or(0, arcs)
            + transpose.get().map_or(0, arcs)
            + self.ids().bytes()
            + labels
            + paths
            + stored
    }
}

fn count(graph: &Graph) -> Counts {
    let csr = &graph.any_order().csr;
    // On ties the vertex with the smallest original number wins.
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
    let zero = Counts::default();
    let add = |mut c: Counts, v: Vertex| {
        let row = csr.neighbors(v);
        // Parallel self-loops are adjacent in the sorted row.
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
    par::reduce(n, 4096, count, |a, b| a.joined(&b)).unwrap_or(zero)
}

impl Counts {
    /// Returns the counts of both parts of a graph together.
    pub(crate) fn joined(&self, other: &Self) -> Self {
        let is_other = other.max_degree > self.max_degree
            || (other.max_degree == self.max_degree && other.max_degree_vertex < self.max_degree_vertex);
        Self {
            self_loops: self.self_loops + other.self_loops,
            isolated: self.isolated + other.isolated,
            sinks: self.sinks + other.sinks,
            ..if is_other { *other } else { *self }
        }
    }
}
