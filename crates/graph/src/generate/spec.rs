//! Parses the text form of a generator into a [`Spec`], and generates the graph that it describes.

use super::{
    Edges,
    keys::Keys,
    model::{self, Model},
    pieces,
    section::{Section, section},
    weights::WeightRange,
};
use crate::{
    build::{self, EdgeList, Loops, Parallel},
    control::Control,
    csr::Vertex,
    error::{Error, Result, quote},
    graph::{Graph, Origin},
    ids::Ids,
    memory::{available, human_bytes},
    suggest::did_you_mean,
    timeline::Phase,
};
use serde::{Serialize, Serializer};
use std::{fmt, ops::Range, str::FromStr};

/// A graph to generate: `name:size{,key=value}`, e.g. `kron:20,seed=7,w=1..255`.
///
/// A `Spec` is parsed from text and prints as its canonical text, without default values and with keys in a fixed
/// order. It is always valid: its keys are known, its values are in range, and it has at most
/// [`crate::MAX_VERTICES`] vertices.
///
/// ```
/// use warpgraph_graph::{Control, generate::Spec};
/// let spec: Spec = "grid:30x20".parse()?;
/// let graph = spec.generate(&Control::new())?;
/// assert_eq!((graph.vertices(), graph.edges()), (600, 29 * 20 + 30 * 19));
/// # Ok::<(), warpgraph_graph::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    model: Model,
    seed: u64,
    directed: bool,
    weights: Option<WeightRange>,
}

/// The estimated size of a graph, known before it is generated.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The exact number of vertices.
    pub vertices: u64,
    /// The expected number of listed edges, rounded. The builder then drops self-loops and merges parallel edges.
    pub edges: u64,
    /// The bytes of memory that generating and building take, for the edge list and the finished arrays.
    pub bytes: u64,
}

const DEFAULT_SEED: u64 = 1;
/// The most blocks of [`Spec::arcs_by_block`].
const BLOCKS: u64 = 1 << 16;

impl Spec {
    /// Returns true if `text` starts with a generator's name and a colon. The rest of `text` is not checked.
    pub fn is_spec(text: &str) -> bool {
        text.split_once(':').is_some_and(|(name, _)| model::NAMES.contains(&name))
    }

    /// Parses a description.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for an unknown name or key, with the nearest known one, and for a value out of its
    /// range. Returns [`Error::TooLarge`] for more vertices than [`crate::MAX_VERTICES`].
    pub fn parse(text: &str) -> Result<Self> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let Some(known) = Model::keys_of(name) else { return Err(unknown_name(text, name)) };
        let keys = Keys::split(text, name, rest, known)?;
        let model = Model::read(name, &keys)?;
        Ok(Self {
            seed: keys.number("seed", DEFAULT_SEED, 0..=u64::MAX)?,
            directed: keys.flag("directed", model.directed_by_default())?,
            weights: WeightRange::read(&keys)?,
            model,
        })
    }

    /// Returns the generator's name: `kron`, `uniform`, `grid`, `powerlaw` or `community`.
    pub fn name(&self) -> &'static str {
        self.model.name()
    }

    /// Returns the names of all generators.
    pub fn names() -> &'static [&'static str] {
        &model::NAMES
    }

    /// Returns true if the graph will be directed.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// Returns the ends of the range that weights are drawn from, both included, or `None` for a graph without weights.
    pub fn weight_range(&self) -> Option<(i64, i64)> {
        self.weights.map(WeightRange::ends)
    }

    /// Estimates the size of the graph: the exact number of vertices and the expected number of edges.
    pub fn estimate(&self) -> Estimate {
        let vertices = self.model.vertices();
        let edges = self.model.expected_edges();
        let arcs = if self.directed { edges } else { 2.0 * edges };
        let offset = if arcs > f64::from(u32::MAX) { 8.0 } else { 4.0 };
        let weight = if self.weights.is_some() { 4.0 } else { 0.0 };
        let bytes = edges * (8.0 + weight) + arcs * (4.0 + weight) + vertices as f64 * offset;
        Estimate { vertices, edges: edges.round() as u64, bytes: bytes.ceil() as u64 }
    }

    /// Generates and builds the graph on all threads of the current rayon pool.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`], before it allocates anything, if the estimate exceeds the available memory. Returns
    /// the error of `control` if `control` stops the work.
    pub fn generate(&self, control: &Control) -> Result<Graph> {
        let _span = control.span(Phase::Generating);
        self.refuse_beyond_memory()?;
        self.built(self.list(control)?, control)
    }

    /// Generates only the rows of a range of vertices, which are those of the whole graph. Takes twice as long as listing the
    /// edges of the whole, and memory for the listed arcs of the range only.
    ///
    /// # Errors
    /// Those of [`Spec::generate`], except that the estimate is not compared with the available memory. Returns
    /// [`Error::Invalid`] if the range ends beyond the last vertex.
    pub fn generate_part(&self, vertices: Range<Vertex>, control: &Control) -> Result<Section> {
        let _span = control.span(Phase::Generating);
        let all = self.model.vertices();
        if u64::from(vertices.end) > all || vertices.start > vertices.end {
            let what = format!("vertices {vertices:?} of {self}, which has {all}");
            return Err(Error::invalid(what, "name a range of its vertices"));
        }
        section(self.edges(control)?.as_ref(), &vertices, self.directed, &self.weigher(), control)
    }

    /// Returns a number of vertices, and how many arcs are listed for each block of that many vertices: the outgoing ones,
    /// parallel ones included. Takes as long as generating, and 8 bytes for each of at most 65,536 blocks.
    ///
    /// # Errors
    /// The error of `control` if it stops the work.
    pub fn arcs_by_block(&self, control: &Control) -> Result<(u64, Vec<u64>)> {
        let _span = control.span(Phase::Generating);
        let vertices = self.model.vertices();
        let block = vertices.div_ceil(BLOCKS).max(1);
        let blocks = vertices.div_ceil(block) as usize;
        let edges = self.edges(control)?;
        Ok((block, pieces::count(edges.as_ref(), blocks, block, self.directed, control)?))
    }

    fn built(&self, list: EdgeList, control: &Control) -> Result<Graph> {
        let vertices = list.vertices;
        let listed = list.chunks.iter().map(|c| c.pairs.len() as u64).sum();
        let options = build::Options { directed: self.directed, loops: Loops::Drop, parallel: Parallel::Min };
        let built = build::build(list, &options, control)?;
        let origin = Origin {
            name: self.to_string(),
            format: "generated".to_owned(),
            listed,
            direction_because: self.direction_because(),
            symmetrised: !self.directed,
            loops_dropped: built.loops_dropped,
            merged: built.merged,
            warnings: Vec::new(),
            ..Origin::default()
        };
        // SAFETY: the builder gives every arc a weight, or no arc. Unless the graph is directed, the builder mirrors
        // every edge, with one weight for both directions. `Ids::zero_based` makes as many ids as there are vertices.
        Ok(unsafe { Graph::new_unchecked(built.arcs, self.directed, Ids::zero_based(vertices), origin) })
    }

    /// Lists all edges, before building.
    pub(super) fn list(&self, control: &Control) -> Result<EdgeList> {
        let vertices = self.model.vertices() as usize;
        pieces::list(self.edges(control)?.as_ref(), vertices, &self.weigher(), control)
    }

    /// Prepares the generator.
    pub(super) fn edges(&self, control: &Control) -> Result<Box<dyn Edges>> {
        self.model.edges(self.seed, control)
    }

    fn weigher(&self) -> pieces::Weigher {
        self.weights.map_or(pieces::Weigher::None, |range| range.weigher(self.seed, self.directed))
    }

    fn direction_because(&self) -> String {
        match (self.directed == self.model.directed_by_default(), self.directed) {
            (true, true) => format!("{} graphs are directed", self.name()),
            (true, false) => format!("{} graphs are undirected", self.name()),
            (false, true) => "its description says directed".to_owned(),
            (false, false) => "its description says directed=false".to_owned(),
        }
    }

    fn refuse_beyond_memory(&self) -> Result<()> {
        let Estimate { edges, bytes, .. } = self.estimate();
        match available() {
            Some(left) if bytes > left.bytes => Err(Error::TooLarge {
                what: self.to_string(),
                needed: format!("about {} for {edges} edges", human_bytes(bytes)),
                limit: left.to_string(),
                help: "choose a smaller size or degree, or a machine with more memory".to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name(), self.model)?;
        if self.seed != DEFAULT_SEED {
            write!(f, ",seed={}", self.seed)?;
        }
        if let Some(weights) = self.weights {
            write!(f, ",w={weights}")?;
        }
        match (self.directed, self.model.directed_by_default()) {
            (true, false) => f.write_str(",directed"),
            (false, true) => f.write_str(",directed=false"),
            _ => Ok(()),
        }
    }
}

impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text)
    }
}

impl Serialize for Spec {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn unknown_name(text: &str, name: &str) -> Error {
    let list = format!("generators are {}, such as kron:20", model::NAMES.join(", "));
    let what = match text.contains(':') {
        true => format!("{text}: there is no generator {}", quote(name.as_bytes())),
        false => format!("{}: expected a generator, name:size", quote(text.as_bytes())),
    };
    Error::invalid(what, did_you_mean(name, &model::NAMES, &list))
}
