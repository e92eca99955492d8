//! [`Source`]: where a traversal starts.

use serde::{Deserialize, Serialize};
use std::{convert::Infallible, fmt, str::FromStr};
use warpgraph_graph::{Graph, NodeMap, Vertex, VertexId, hash};

/// A source vertex, or the rule that picks it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Source {
    /// The vertex with the largest out-degree; smallest id on ties.
    #[default]
    MaxDegree,
    /// A vertex with outgoing arcs, drawn for each run from the run's seed.
    Random,
    /// This vertex, by its original id.
    Vertex(VertexId),
}

impl Source {
    /// Returns the internal vertex. Only [`Source::Random`] uses `seed` and `run`.
    ///
    /// # Errors
    /// When the vertex is not in the graph, or the graph has no vertex at all.
    pub fn resolve(&self, graph: &Graph, seed: u64, run: u64) -> warpgraph_graph::Result<Vertex> {
        match self {
            Self::MaxDegree | Self::Random if graph.vertices() == 0 => {
                let help =
                    "check the file and the flags it was read with; `warpgraph info` describes the graph";
                Err(warpgraph_graph::Error::invalid("the graph has no vertices to start from", help))
            }
            Self::Vertex(id) => graph.ids().vertex(id),
            Self::MaxDegree => Ok(graph.counts().max_degree_vertex),
            Self::Random => Ok(draw(graph, seed, run)),
        }
    }

    /// Returns the same source in a graph renumbered by `map`, whose ids are its vertex numbers. Rules are resolved on
    /// the original graph.
    ///
    /// # Errors
    /// The same as [`Source::resolve`].
    pub fn renumbered(
        &self,
        graph: &Graph,
        map: &NodeMap,
        seed: u64,
        run: u64,
    ) -> warpgraph_graph::Result<Self> {
        Ok(Self::from(map.inner(self.resolve(graph, seed, run)?)))
    }
}

/// Draws until it finds a vertex with arcs. After many misses it takes the next vertex with arcs, or vertex 0 if none
/// has any.
fn draw(graph: &Graph, seed: u64, run: u64) -> Vertex {
    let n = graph.vertices() as u64;
    let pick = |attempt: u64| (hash::mix(hash::mix(seed, run), attempt) % n) as Vertex;
    let has_arcs = |&v: &Vertex| graph.degree(v) > 0;
    (0..1000).map(pick).find(has_arcs).unwrap_or_else(|| {
        let start = pick(0);
        (start..n as Vertex).chain(0..start).find(has_arcs).unwrap_or(0)
    })
}

impl From<Vertex> for Source {
    fn from(v: Vertex) -> Self {
        Self::Vertex(v.into())
    }
}

/// Parses `random`, `max-degree`, or an id; `id:random` is the vertex named "random".
impl FromStr for Source {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "random" => Self::Random,
            "max-degree" => Self::MaxDegree,
            _ => Self::Vertex(text.strip_prefix("id:").unwrap_or(text).into()),
        })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MaxDegree => f.write_str("max-degree"),
            Self::Random => f.write_str("random"),
            Self::Vertex(id) => match id.to_string().as_str() {
                name @ ("max-degree" | "random") => write!(f, "id:{name}"),
                name if name.starts_with("id:") => write!(f, "id:{name}"),
                name => f.write_str(name),
            },
        }
    }
}

impl Serialize for Source {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Vertex(VertexId::Number(n)) => serializer.serialize_u64(*n),
            other => serializer.collect_str(other),
        }
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match VertexId::deserialize(deserializer)? {
            VertexId::Name(text) => text.parse().unwrap_or_else(|never: Infallible| match never {}),
            number => Self::Vertex(number),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_reads_back_as_it_prints() {
        for text in ["random", "max-degree", "17", "libc6", "id:random", "id:max-degree", "id:id:x"] {
            let source: Source = text.parse().unwrap();
            assert_eq!(source.to_string(), text);
            assert_eq!(
                serde_json::from_str::<Source>(&serde_json::to_string(&source).unwrap()).unwrap(),
                source
            );
        }
    }
}
