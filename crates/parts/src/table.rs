//! The one table of algorithms that run in parts.

use crate::{Error, Exchange, Part, PartRun, Question, Result, bfs, pagerank, sssp, wcc};
use std::sync::Arc;
use warpgraph_core::{Algorithm, bfs::Bfs, pagerank::PageRank, sssp::Sssp, wcc::Wcc};
use warpgraph_graph::Control;

type Start = fn(&Question, &Arc<Part>, &mut dyn Exchange, &Control) -> Result<Box<dyn PartRun>>;

/// An algorithm that runs in parts.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it does in parts, as a phrase.
    pub how: &'static str,
    start: Start,
}

/// The algorithms that run in parts.
pub const RUNS: &[Entry] = &[
    Entry {
        name: Bfs::NAME,
        how: "pushes or pulls level by level; parents travel to owners, and bitmaps of the frontier to readers",
        start: |question, part, exchange, _| {
            Ok(Box::new(bfs::Search::start(&config(question)?, question, part, exchange)?))
        },
    },
    Entry {
        name: Sssp::NAME,
        how: "relaxes arcs bucket by bucket; distances travel to owners",
        start: |question, part, exchange, _| sssp::start(&config(question)?, question, part, exchange),
    },
    Entry {
        name: PageRank::NAME,
        how: "pulls in place within a part; the shares that other parts read travel after each sweep",
        start: |question, part, exchange, _| {
            Ok(Box::new(pagerank::Ranks::start(&config(question)?, question, part, exchange)?))
        },
    },
    Entry {
        name: Wcc::NAME,
        how: "joins the arcs of each part, then labels travel between parts until none falls",
        start: |question, part, exchange, _| {
            config::<Wcc>(question)?;
            Ok(Box::new(wcc::Components::start(part, exchange)?))
        },
    },
];

/// Returns the configuration of a question.
fn config<A: Algorithm>(question: &Question) -> Result<A> {
    let config = match question.config.is_null() {
        true => A::default(),
        false => serde_json::from_value(question.config.clone()).map_err(|error| {
            let help = "write the configuration as the JSON of `run` does";
            warpgraph_core::Error::config(A::NAME, error.to_string(), help)
        })?,
    };
    config.check_config()?;
    Ok(config)
}

/// Starts a question on one part; collective.
///
/// # Errors
/// When the algorithm does not run in parts, when the configuration is refused, or when another member fails.
pub fn start(
    question: &Question,
    part: &Arc<Part>,
    exchange: &mut dyn Exchange,
    control: &Control,
) -> Result<Box<dyn PartRun>> {
    let entry = entry(&question.algorithm)?;
    let part = Arc::new(part.known(exchange)?);
    (entry.start)(question, &part, exchange, control)
}

/// Returns the entry of an algorithm.
///
/// # Errors
/// [`warpgraph_core::Error::Refused`] if it does not run in parts, with the names of those that do.
pub fn entry(algorithm: &str) -> Result<&'static Entry> {
    RUNS.iter().find(|entry| entry.name == algorithm).ok_or_else(|| {
        let names: Vec<&str> = RUNS.iter().map(|entry| entry.name).collect();
        let help = format!("{} run in parts; run others on one machine and one device", names.join(", "));
        Error::refused(format!("{algorithm} does not run in parts"), help)
    })
}
