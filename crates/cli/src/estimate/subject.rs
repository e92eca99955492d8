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
    /// A file whose arrays are those of the graph: mapped, or copied while `file` bytes are mapped.
    Finished { file: u64 },
    /// A list of edges in a file, of which this many bytes are in memory while it is read.
    Listed { file: u64, by: Lines },
}

/// How a list of edges is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    /// Between ids, which the reader collects.
    Ids,
    /// Between numbers of vertices; the builder releases the list as it goes.
    Numbers,
}

impl Subject {
    /// Returns the graph of this name, or one of the size that the user gave.
    pub(super) fn of(name: Option<&str>, about: &About) -> Result<Self> {
        match name {
            None => Ok(Self::given(about)),
            Some(name) => match load::find_source(name)? {
                load::Source::Generator(spec) => Ok(Self::generated(&spec)),
                load::Source::File(path) => {
                    let preview = Preview::of(path, &about.options()?)?;
                    let mapped = path.metadata().map_or(0, |about| about.len());
                    let file = match preview.unpacked {
                        // The pages of a mapped file count once they have been read.
                        0 => mapped,
                        // The start of a file packs better than the rest, because its ids are shorter.
                        unpacked => unpacked + unpacked / 8,
                    };
                    Ok(Self::filed(name, &preview, file))
                }
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
            source: Source::Listed { file: 0, by: Lines::Numbers },
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

    fn filed(name: &str, preview: &Preview, file: u64) -> Self {
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
            source: match preview.format {
                Format::Wg => Source::Finished { file: 0 },
                format if format.is_finished() => Source::Finished { file },
                Format::EdgeList => Source::Listed { file, by: Lines::Ids },
                _ => Source::Listed { file, by: Lines::Numbers },
            },
        }
    }

    /// Returns the bytes of the file that are in memory while the graph is built from it.
    pub(super) fn file(&self) -> u64 {
        match self.source {
            Source::Generated { .. } => 0,
            Source::Finished { file } | Source::Listed { file, .. } => file,
        }
    }

    /// Returns the peak memory until the graph, of `bytes` with its transpose, is complete: while it is read and built,
    /// or while it is transposed (each arc once more, with its weight).
    pub(super) fn building(&self, bytes: u64) -> u64 {
        let plain = footprint::total(&footprint::arrays(&self.shape, false));
        let built = match self.source {
            Source::Generated { building } => building.max(2 * plain),
            Source::Finished { file } => file + plain,
            Source::Listed { file, by } => file + self.listed(by),
        };
        let turned = match bytes > plain {
            true => bytes + self.partition(),
            false => 0,
        };
        built.max(turned)
    }

    /// Returns the bytes of the builder's partition: a key per arc, and its weight.
    fn partition(&self) -> u64 {
        self.shape.arcs * (if self.is_narrow() { 4 } else { 8 } + self.shape.weight_bytes())
    }

    /// Returns true if source and target of an arc fit one key of 32 bits in the builder.
    fn is_narrow(&self) -> bool {
        self.shape.vertices <= 1 << 21
    }

    /// Returns the peak memory of building from a list of edges: the list (8 bytes per edge, and its weight) turns into
    /// the partition, and the partition into the arcs. Each is released as the next grows, so that the larger one
    /// decides; except that the partition of an undirected graph with narrow keys is scattered to all of its pages at
    /// once, unless the file names neighbours together. The offsets are there from the start, and so are ids.
    fn listed(&self, by: Lines) -> u64 {
        let shape = &self.shape;
        let list = self.edges * (8 + shape.weight_bytes());
        let both = match shape.directed || !self.is_narrow() {
            true => list.max(self.partition()),
            false => list + self.partition(),
        };
        // Numbers with gaps take 8 bytes each; names also an entry in a table while they are collected.
        let ids = match by {
            Lines::Ids if shape.id_bytes > 0 => 2 * shape.id_bytes,
            Lines::Ids => 8 * shape.vertices,
            Lines::Numbers => 0,
        };
        both + (shape.vertices + 1) * shape.offset_bytes() + ids
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
