//! What is known about a graph that is not loaded.

use super::About;
use crate::{failure::Result, load};
use serde::Serialize;
use warpgraph::{
    cost::Shape,
    graph::{Format, Preview, ReadOptions, WeightType, generate::Spec},
};
use warpgraph_bench::footprint;

/// A graph that is not loaded.
#[derive(Serialize)]
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) format: String,
    pub(super) edges: u64,
    #[serde(flatten)]
    pub(super) shape: Shape,
    /// True if the sizes come from the user, a header, or an exact formula.
    pub(super) exact: bool,
    pub(super) basis: String,
    #[serde(skip)]
    source: Source,
}

/// Where the graph comes from, which decides the memory for building it.
enum Source {
    /// A generator, which states the memory for its list of edges and the graph's arrays.
    Generated { building: u64 },
    /// A file whose arrays are those of the graph.
    Finished,
    /// Text that is memory-mapped, or unpacked to this many bytes.
    Text { held: u64 },
}

impl Subject {
    /// Returns the graph of this name, or one of the size that the user gave.
    pub(super) fn of(name: Option<&str>, about: &About) -> Result<Self> {
        match name {
            None => Ok(Self::given(about)),
            Some(name) => match load::find_source(name)? {
                load::Source::Generator(spec) => Ok(Self::generated(&spec)),
                load::Source::File(path) => Ok(Self::filed(name, &Preview::of(path, &about.options()?)?)),
            },
        }
    }

    fn given(about: &About) -> Self {
        let edges = about.edges.unwrap_or(0);
        let shape = Shape {
            vertices: about.vertices.unwrap_or(0),
            arcs: edges.saturating_mul(if about.directed { 1 } else { 2 }),
            directed: about.directed,
            weights: about.weighted.then_some(WeightType::U32),
            largest_weight: None,
            id_bytes: 0,
        };
        let basis = "as given".to_owned();
        let name = "a graph of this size".to_owned();
        Self {
            name,
            format: "given".to_owned(),
            edges,
            shape,
            exact: true,
            basis,
            source: Source::Text { held: 0 },
        }
    }

    fn generated(spec: &Spec) -> Self {
        let estimate = spec.estimate();
        let range = spec.weight_range();
        let kind = |(least, _)| if least < 0 { WeightType::I32 } else { WeightType::U32 };
        let shape = Shape {
            vertices: estimate.vertices,
            arcs: estimate.edges * if spec.is_directed() { 1 } else { 2 },
            directed: spec.is_directed(),
            weights: range.map(kind),
            largest_weight: range.map(|(_, most)| most as f64),
            id_bytes: 0,
        };
        Self {
            name: spec.to_string(),
            format: "generated".to_owned(),
            edges: estimate.edges,
            shape,
            exact: false,
            basis: "expected; loops that are dropped and parallel edges that merge make it smaller"
                .to_owned(),
            source: Source::Generated { building: estimate.bytes },
        }
    }

    fn filed(name: &str, preview: &Preview) -> Self {
        let shape = Shape {
            vertices: preview.vertices,
            arcs: preview.arcs,
            directed: preview.directed,
            weights: preview.weights,
            largest_weight: None,
            id_bytes: preview.id_bytes,
        };
        Self {
            name: name.to_owned(),
            format: preview.format.to_string(),
            edges: if preview.directed { preview.arcs } else { preview.arcs.div_ceil(2) },
            shape,
            exact: preview.exact,
            basis: preview.basis.clone(),
            source: match preview.format.is_finished() {
                true => Source::Finished,
                false => Source::Text { held: preview.unpacked },
            },
        }
    }

    /// Returns the peak memory until the graph, of `bytes` with its transpose, is complete: while it is built (twice
    /// the finished arrays, or a generator's list beside them), or while it is transposed (each arc once more, with its
    /// weight).
    pub(super) fn building(&self, bytes: u64) -> u64 {
        let plain = footprint::total(&footprint::arrays(&self.shape, false));
        let built = match self.source {
            Source::Generated { building } => building.max(2 * plain),
            Source::Finished => plain,
            Source::Text { held } => held + 2 * plain,
        };
        let key = if self.shape.vertices > 1 << 21 { 8 } else { 4 };
        let turned = match bytes > plain {
            true => bytes + self.shape.arcs * (key + self.shape.weight_bytes()),
            false => 0,
        };
        built.max(turned)
    }
}

impl About {
    fn options(&self) -> Result<ReadOptions> {
        Ok(ReadOptions {
            format: self.format.as_deref().map(str::parse::<Format>).transpose()?,
            directed: (self.directed || self.undirected).then_some(self.directed),
            no_weights: self.no_weights,
            columns: self.columns.as_deref().map(str::parse).transpose()?.unwrap_or_default(),
            ..ReadOptions::default()
        })
    }
}
