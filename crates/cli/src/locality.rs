//! Measures and describes the locality of neighbours and of the levels of searches, for `info --locality` and
//! `reorder`.

use crate::{
    console::{Rows, bytes, count, counted, number},
    failure::Result,
    session::Session,
};
use clap::Args;
use serde::Serialize;
use warpgraph::{
    Bfs, Control, DEFAULT_SEED, Graph, Loaded, Locality, Order, Source, VertexId,
    transform::{
        Frontiers, LevelLocality, Traversal,
        unified::{Model, REGION, Settings, Transfer},
    },
};

/// Bytes per edge of a stored graph.
const EDGE_BYTES: u32 = 4;

/// Flags of the searches whose levels are measured.
#[derive(Args)]
pub(crate) struct Searches {
    /// Number of searches whose levels are measured, from vertices with outgoing arcs
    #[arg(long, value_name = "K", default_value_t = 8, requires = "locality")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    sources: u64,
    /// Seed of the random choice of those vertices
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, requires = "locality")]
    seed: u64,
}

/// What `info --locality` measures.
#[derive(Serialize)]
pub(crate) struct Measured {
    #[serde(flatten)]
    arcs: Locality,
    levels: LevelLocality,
    /// With memory for half of the edges; `None` if that is less than a region.
    unified: Option<Transfer>,
}

/// Returns the locality of the order in which a graph is stored.
pub(crate) fn stored(graph: &Graph) -> Locality {
    Locality::of(&in_order(graph).out().csr)
}

/// Returns the graph in its stored order, as a graph of its own.
fn in_order(graph: &Graph) -> &Graph {
    graph.stored().map_or(graph, |stored| stored.graph())
}

/// Measures the order in which a graph is stored, also in searches.
pub(crate) fn measure(session: &Session, graph: &Graph, searches: &Searches) -> Result<Measured> {
    let loaded = session.engine.load(in_order(graph), Order::Natural)?;
    session.work(|control| {
        let arcs = stored(graph);
        let (levels, unified) = measure_levels(&loaded, graph, searches, control)?;
        Ok(Measured { arcs, levels, unified })
    })
}

/// Searches the stored graph from vertices drawn from the original one, so that the sources are the same in any order.
fn measure_levels(
    loaded: &Loaded,
    graph: &Graph,
    searches: &Searches,
    control: &Control,
) -> Result<(LevelLocality, Option<Transfer>)> {
    let csr = &loaded.graph().out().csr;
    let edges = csr.arcs() as u64;
    let memory = edges * u64::from(EDGE_BYTES) / 2;
    let settings = Settings { edge_bytes: EDGE_BYTES, ..Settings::with_memory(memory) };
    let mut model = (memory >= REGION).then(|| Model::new(edges, settings)).transpose()?;
    let mut sums = Traversal::default();
    for run in 0..if edges == 0 { 0 } else { searches.sources } {
        let source = source(graph, searches.seed, run)?;
        let answer = loaded.bfs(Bfs::from(source)).control(control).run()?;
        let frontiers = Frontiers::of(answer.distances(), control)?;
        sums.add(&Traversal::of(csr, &frontiers, EDGE_BYTES, control)?);
        if let Some(model) = &mut model {
            model.traverse(csr, &frontiers, control)?;
        }
        control.report("searching", run + 1, Some(searches.sources));
    }
    Ok((sums.means(), model.map(|model| model.report())))
}

/// Draws a vertex with outgoing arcs; returns its id in the stored graph.
fn source(graph: &Graph, seed: u64, run: u64) -> Result<VertexId> {
    let vertex = Source::Random.resolve(graph, seed, run)?;
    Ok(match graph.stored() {
        Some(stored) => stored.map().inner(vertex).into(),
        None => graph.ids().id(vertex),
    })
}

impl Measured {
    /// Adds rows for all measurements.
    pub(crate) fn rows(&self, rows: &mut Rows) {
        rows.add("locality", words(&self.arcs));
        let LevelLocality { sources, levels, intra_gap, inter_gap, .. } = self.levels;
        if sources == 0 {
            return rows.add("levels", "none: no vertex has outgoing arcs");
        }
        let (within, between, levels) = (figure(intra_gap), figure(inter_gap), figure(levels));
        let searches = counted(sources, "search", "searches");
        rows.add(
            "levels",
            format!("gap {within} bits within, {between} between; {searches} of {levels} levels"),
        );
        let LevelLocality { pages_per_level, page_ratio, .. } = self.levels;
        let (pages, ratio) = (figure(pages_per_level), figure(page_ratio));
        rows.add(
            "",
            format!("{pages} pages of 4 KiB of edges per level, {ratio} times as many as they fill"),
        );
        rows.add("unified", self.unified.as_ref().map_or_else(too_small, transfer));
    }
}

/// Returns `modelled, with memory for half of the edges (6.1 MiB): 1.84 bytes move for each read, 12 evictions`.
fn transfer(unified: &Transfer) -> String {
    let (moved, memory) = (figure(unified.amplification), bytes(unified.settings.memory));
    let evicted = count(unified.evicted_regions);
    format!(
        "modelled, with memory for half of the edges ({memory}): {moved} bytes move for each read, {evicted} evictions"
    )
}

fn too_small() -> String {
    format!("not modelled: half of the edges are less than a region of {}", bytes(REGION))
}

/// Returns `log gap 9.21 bits, 4.3 sectors per tile of 12.5 neighbours`.
pub(crate) fn words(locality: &Locality) -> String {
    let Locality { log_gap, sectors_per_tile, neighbours_per_tile } = *locality;
    let (gap, sectors, tile) = (figure(log_gap), figure(sectors_per_tile), figure(neighbours_per_tile));
    format!("log gap {gap} bits, {sectors} sectors per tile of {tile} neighbours")
}

fn figure(x: Option<f64>) -> String {
    x.map_or_else(|| "none".to_owned(), |x| number((x * 100.0).round() / 100.0))
}
