//! [`Sources`]: the source vertices of an algorithm that sums over searches.

use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, fmt, str::FromStr};
use warpgraph_graph::{Graph, NodeMap, Vertex, VertexId, hash};

/// The number of sources: every vertex, or some drawn from the run's seed.
///
/// ```
/// use warpgraph_core::Sources;
/// assert_eq!("all".parse::<Sources>().unwrap(), Sources::All);
/// assert_eq!("64".parse::<Sources>().unwrap(), Sources::Count(64));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sources {
    /// Every vertex: the exact answer.
    #[default]
    All,
    /// This many, drawn uniformly from all vertices without repetition.
    Count(u64),
}

impl Sources {
    /// Refuses no sources, and a number together with `named` vertices.
    pub(crate) fn check_config(self, algorithm: &'static str, named: &[VertexId]) -> Result<()> {
        let refuse = |what: String, help: &str| Err(Error::config(algorithm, what, help));
        match self {
            Self::Count(_) if !named.is_empty() => refuse(
                format!("{self} sources to draw and {} named ones", named.len()),
                "give --sources or --source, not both",
            ),
            Self::Count(0) => refuse("sources must be at least 1, got 0".to_owned(), "all is the default"),
            _ => Ok(()),
        }
    }

    /// Refuses a number that this graph cannot provide, and vertices that it does not have.
    pub(crate) fn check(self, algorithm: &'static str, named: &[VertexId], graph: &Graph) -> Result<()> {
        let refuse = |what: String, help: &str| Err(Error::config(algorithm, what, help));
        match self {
            Self::Count(k) if k > graph.vertices() as u64 => refuse(
                format!("{k} sources asked for, the graph has {} vertices", graph.vertices()),
                "ask for fewer, or leave --sources out for all",
            ),
            _ => find_all(algorithm, named, graph).map(|_| ()),
        }
    }

    /// Returns the named vertices, or else those drawn, in ascending order; `None` if they are all vertices.
    pub(crate) fn resolve(
        self,
        algorithm: &'static str,
        named: &[VertexId],
        graph: &Graph,
        seed: u64,
        run: u64,
    ) -> Result<Option<Vec<Vertex>>> {
        let mut chosen = match self {
            _ if !named.is_empty() => find_all(algorithm, named, graph)?,
            Self::All => return Ok(None),
            Self::Count(k) => draw(graph.vertices(), k, hash::mix(seed, run)),
        };
        chosen.sort_unstable();
        Ok(Some(chosen).filter(|chosen| chosen.len() < graph.vertices()))
    }

    /// Returns the same sources as ids of a graph renumbered by `map`; empty if they are all vertices.
    pub(crate) fn renumbered(chosen: Option<Vec<Vertex>>, map: &NodeMap) -> Vec<VertexId> {
        chosen.unwrap_or_default().into_iter().map(|v| map.inner(v).into()).collect()
    }
}

/// Returns the vertices of these ids. Refuses duplicates.
fn find_all(algorithm: &'static str, ids: &[VertexId], graph: &Graph) -> Result<Vec<Vertex>> {
    let found = ids.iter().map(|id| graph.ids().vertex(id)).collect::<warpgraph_graph::Result<Vec<_>>>()?;
    let mut sorted = found.clone();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::config(
            algorithm,
            format!("source {} is named twice", graph.ids().id(pair[0])),
            "name every source once",
        )),
        None => Ok(found),
    }
}

/// Draws `count` different numbers below `vertices` uniformly, or all of them if there are fewer: a partial
/// Fisher-Yates shuffle that stores only the positions it touches.
pub fn draw(vertices: usize, count: u64, seed: u64) -> Vec<Vertex> {
    let mut moved: HashMap<u64, u64> = HashMap::new();
    let swap = |i: u64| {
        let j = i + hash::mix(seed, i) % (vertices as u64 - i);
        let last = moved.get(&i).copied().unwrap_or(i);
        moved.insert(j, last).unwrap_or(j) as Vertex
    };
    (0..count.min(vertices as u64)).map(swap).collect()
}

impl fmt::Display for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Count(k) => write!(f, "{k}"),
        }
    }
}

/// Parses `all`, or a number.
impl FromStr for Sources {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            _ => text.parse().map(Self::Count).map_err(|_| format!("expected all or a number, got {text:?}")),
        }
    }
}

impl Serialize for Sources {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::All => serializer.serialize_str("all"),
            Self::Count(k) => serializer.serialize_u64(*k),
        }
    }
}

impl<'de> Deserialize<'de> for Sources {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match VertexId::deserialize(deserializer)? {
            VertexId::Number(k) => Ok(Self::Count(k)),
            VertexId::Name(text) => text.parse().map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_read_back_as_they_print() {
        for sources in [Sources::All, Sources::Count(1), Sources::Count(1 << 40)] {
            assert_eq!(sources.to_string().parse::<Sources>().unwrap(), sources);
            let json = serde_json::to_string(&sources).unwrap();
            assert_eq!(serde_json::from_str::<Sources>(&json).unwrap(), sources);
        }
        assert!("-1".parse::<Sources>().is_err() && "some".parse::<Sources>().is_err());
    }

    #[test]
    fn a_draw_repeats_nothing_and_follows_its_seed() {
        for (n, k) in [(1, 1), (10, 10), (1000, 30), (5000, 4999)] {
            let mut drawn = draw(n, k, 7);
            assert_eq!(drawn, draw(n, k, 7));
            drawn.sort_unstable();
            drawn.dedup();
            assert!(drawn.len() == k as usize && drawn.iter().all(|&v| (v as usize) < n));
        }
        assert_ne!(draw(1000, 30, 7), draw(1000, 30, 8));
    }

    #[test]
    fn every_vertex_is_drawn_about_as_often() {
        let mut times = [0; 20];
        (0..4000).flat_map(|seed| draw(20, 5, seed)).for_each(|v| times[v as usize] += 1);
        assert!(times.iter().all(|t| (850..1150).contains(t)), "{times:?}");
    }
}
