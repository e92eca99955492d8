//! What makes a vertex important (the paper's IOP): its degree, closeness or betweenness, or a number of the user's own.
//!
//! - `degree`: incoming and outgoing arcs together; the degree if undirected. 4 bytes per vertex of a directed graph.
//! - `closeness`: the harmonic centrality of the order `halo1`, from 64 sampled searches.
//! - `betweenness`: Brandes' sums over 32 sampled sources.
//!
//! The last two need the transpose of a directed graph and 8 bytes per vertex.

use crate::{Means, order::harmonic};
use std::sync::atomic::Ordering::Relaxed;
use warpgraph_core::{Error, Importance, Options, Result, bc::Bc};
use warpgraph_graph::{Graph, Pages, Vertex, atomics::atomics, par, paths::Recipe};

/// Sampled searches for closeness: as many as run at once.
const SEARCHES: u32 = crate::AT_ONCE as u32;
/// Sampled sources for betweenness.
const SOURCES: u64 = 32;

/// The importance of all vertices.
pub(super) enum Scores<'a> {
    /// Outgoing arcs, and a count of incoming ones if the graph is directed.
    Degrees(&'a Graph, Option<Pages<u32>>),
    /// Numbers that this module computed.
    Own(Pages<f64>),
    /// Numbers that the caller gave.
    Given(&'a [f64]),
}

impl<'a> Scores<'a> {
    /// Computes the importance that a recipe names, unless one is given.
    pub(super) fn of(
        graph: &'a Graph,
        recipe: &Recipe,
        given: Option<&'a [f64]>,
        means: &Means<'_>,
    ) -> Result<Self> {
        if let Some(given) = given {
            return Ok(Self::Given(given));
        }
        let named = Importance::ALL.into_iter().find(|named| named.name() == recipe.importance);
        match named {
            Some(Importance::Degree) => Ok(Self::Degrees(graph, in_degrees(graph)?)),
            Some(Importance::Closeness) => Ok(Self::Own(harmonic(graph, SEARCHES, means)?)),
            Some(Importance::Betweenness) => Ok(Self::Own(betweenness(graph, means)?)),
            None => Err(unknown(&recipe.importance)),
        }
    }

    /// Returns the importance of a vertex.
    #[inline]
    pub(super) fn get(&self, v: Vertex) -> f64 {
        match self {
            Self::Degrees(graph, None) => graph.out().csr.degree(v) as f64,
            Self::Degrees(graph, Some(incoming)) => {
                graph.out().csr.degree(v) as f64 + f64::from(incoming[v as usize])
            }
            Self::Own(scores) => scores[v as usize],
            Self::Given(scores) => scores[v as usize],
        }
    }
}

/// Counts the incoming arcs of a directed graph, without its transpose. There are fewer than 2^32 arcs.
fn in_degrees(graph: &Graph) -> Result<Option<Pages<u32>>> {
    if !graph.is_directed() {
        return Ok(None);
    }
    let targets = graph.out().csr.targets();
    let mut counts = Pages::<u32>::zeroed(graph.vertices())?;
    let cells = atomics(&mut counts);
    par::ranges(targets.len(), par::FINE, |range| {
        for &v in &targets[range] {
            cells[v as usize].fetch_add(1, Relaxed);
        }
    });
    Ok(Some(counts))
}

fn betweenness(graph: &Graph, means: &Means<'_>) -> Result<Pages<f64>> {
    let sources = SOURCES.min(graph.vertices() as u64);
    let options = Options { seed: means.seed, control: means.control.clone(), ..Options::default() };
    let answer = warpgraph_cpu::bc(graph, &Bc::default().sources(sources), &options)?;
    let mut scores = Pages::scratch(graph.vertices())?;
    scores.copy_from_slice(answer.scores());
    // The only source of a graph has no score.
    scores.iter_mut().filter(|score| score.is_nan()).for_each(|score| *score = 0.0);
    Ok(scores)
}

/// Refuses an importance of another length, or one that is not a number.
pub(super) fn check(given: &[f64], vertices: usize) -> Result<()> {
    let refuse = |what: String| {
        let help = "give one number per vertex; the most important ones become hubs".to_owned();
        Err(Error::Refused { what, help })
    };
    if given.len() != vertices {
        return refuse(format!("the importance has {} numbers for {vertices} vertices", given.len()));
    }
    match given.iter().position(|score| score.is_nan()) {
        Some(v) => refuse(format!("the importance of vertex {v} is NaN")),
        None => Ok(()),
    }
}

fn unknown(name: &str) -> Error {
    Error::Refused {
        what: format!("the importance {name:?} is none that can be computed"),
        help: "take degree, closeness or betweenness, or give one number per vertex".to_owned(),
    }
}
