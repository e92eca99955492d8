//! Shares in the order of degrees, for graphs whose vertices are in another order.
//!
//! A few vertices start most arcs of a skewed graph. In degree order, they come first: every block keeps their shares in
//! shared memory, and the next ones share few cache lines. The graph need not be renumbered for that. Sweeps number the
//! vertices by their *places* in this order: rows stay where they are, and two arrays say where the row of each place begins
//! and ends. A copy of the targets names places. One pass over the arcs makes it, while renumbering would sort them. Sums
//! add the same numbers in the same order, so the bits of ranks are the same with and without places.
//!
//! Memory: 4 bytes per arc, and 16 per vertex, 24 if offsets are wide, kept with the graph for later runs; 24 per vertex
//! more while they are made, and 8 more for ranks where shares have 64 bits. They are made only if a quarter of the free
//! memory holds them, so estimates name them apart (`Footprint::extra`).

use super::{
    PullArgs,
    sweeps::{HOT_ARCS, MOST_HOT},
};
use crate::{
    DeviceGraph,
    arguments::Edges,
    by_degree::{ByDegree, PlacedRows},
    device_graph::{Made, Prepare, Side},
    error::lift,
    machine::Machine,
    memory::Extent,
    sort,
};
use std::sync::Arc;
use warpgraph_core::Result;
use warpgraph_device::Array;
use warpgraph_graph::{Vertex, timeline::Phase};

/// The vertices of highest degree start at least so many times as many arcs as others would.
const SKEW: u64 = 2;
/// Places take no more than this share of the memory that is free.
const FREE_SHARE: u64 = 4;

/// The vertices in the order of their places, and the incoming rows of places; `None` if they do not pay off.
#[derive(Debug)]
pub(crate) struct Places(Option<(Array<Vertex>, PlacedRows)>);

impl Prepare for Places {
    type Slot = ();
    /// The number of vertices whose shares every block keeps.
    type Options = usize;
    const PURPOSE: &'static str = "places";

    fn bytes(&self) -> u64 {
        let bytes = |(order, rows): &(Array<Vertex>, PlacedRows)| {
            let vertices = order.bytes() + rows.begins.bytes() + rows.ends.bytes() + rows.degrees.bytes();
            vertices + rows.targets.bytes()
        };
        self.0.as_ref().map_or(0, bytes)
    }
}

/// Places that later runs use again.
pub(super) struct KeptPlaces(Arc<Made<Places>>);

impl KeptPlaces {
    /// Returns false if sweeps are better off without places.
    pub(super) fn pay_off(&self) -> bool {
        self.0.0.is_some()
    }

    /// Adds the addresses of places to the arguments of kernels.
    pub(super) fn args(&self, base: PullArgs) -> PullArgs {
        let Some((order, rows)) = &self.0.0 else { return base };
        let offsets = rows.begins.address().cast();
        PullArgs {
            order: order.address(),
            offsets,
            ends: rows.ends.address().cast(),
            out_degrees: rows.degrees.address(),
            // Says whether rows have as many arcs as start at their vertices.
            out_offsets: if base.out_offsets.raw() == base.offsets.raw() {
                offsets
            } else {
                base.out_offsets
            },
            targets: Edges::plain(rows.targets.address().cast()),
            ..base
        }
    }
}

impl Places {
    /// Returns the places of a graph, made now or by an earlier run, for blocks that keep so many shares; `None` if too few
    /// arcs could start at so many vertices, or if memory is short.
    pub(super) fn of(
        machine: &Machine<'_>,
        device_graph: &DeviceGraph,
        hot: usize,
    ) -> Result<Option<KeptPlaces>> {
        let graph = device_graph.graph();
        if !may_pay(graph, hot) || device_graph.is_short() {
            return Ok(None);
        }
        if !device_graph.has_prepared::<Self>((), hot) {
            let free = machine.gpu().memory().map_err(lift)?.free;
            if bytes(graph.vertices() as u64, graph.arcs() as u64) > free / FREE_SHARE {
                return Ok(None);
            }
        }
        let made = device_graph.prepared((), hot, || Self::make(machine, device_graph, hot))?;
        Ok(Some(KeptPlaces(made)))
    }

    fn make(machine: &Machine<'_>, device_graph: &DeviceGraph, hot: usize) -> Result<Self> {
        let _span = machine.span(Phase::Preparing);
        let by_degree = ByDegree::new(machine, device_graph)?;
        let (n, arcs) = (device_graph.graph().vertices() as u64, device_graph.graph().arcs() as u64);
        let even = (arcs / n).saturating_mul(hot as u64);
        if by_degree.arcs_of_first(hot)? < (arcs / HOT_ARCS).max(SKEW * even) {
            return Ok(Self(None));
        }
        let rows = by_degree.rows(&*device_graph.rows(Side::In)?, device_graph.is_wide())?;
        Ok(Self(Some((by_degree.order, rows))))
    }
}

/// Returns true unless it is known that too few arcs start at so many vertices.
fn may_pay(graph: &dyn Extent, hot: usize) -> bool {
    let (most, arcs) = (graph.max_degree(), graph.arcs() as u64);
    let fits = u32::try_from(most).is_ok();
    arcs > 0 && fits && (hot as u64).saturating_mul(most) >= arcs / HOT_ARCS
}

/// Returns the most bytes that making and keeping the places of a graph takes; 0 if no run makes them.
pub(crate) fn bytes_of(graph: &dyn Extent) -> u64 {
    match may_pay(graph, MOST_HOT.min(graph.vertices())) {
        true => bytes(graph.vertices() as u64, graph.arcs() as u64),
        false => 0,
    }
}

/// Returns the most bytes that making places takes.
fn bytes(vertices: u64, arcs: u64) -> u64 {
    4 * arcs + (28 + 24) * vertices + sort::bytes(vertices)
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::super::pagerank;
    use super::*;
    use crate::testing::{generated, simt};
    use warpgraph_core::{Answer, Options, pagerank::PageRank};

    /// Vertices whose shares a block of the simulator keeps.
    const HOT: usize = 256;

    fn kept(device_graph: &DeviceGraph) -> bool {
        let kept = device_graph.has_prepared::<Places>((), HOT);
        kept && {
            let absent = || unreachable!("they are kept");
            device_graph.prepared::<Places>((), HOT, absent).unwrap().0.is_some()
        }
    }

    #[test]
    fn ranks_of_a_skewed_graph_have_the_same_bits_with_places_and_without() {
        let gpu = simt();
        let coarse = PageRank { tolerance: 1e-5, ..PageRank::default() };
        // Continues with 64-bit shares.
        let fine = PageRank { tolerance: 1e-9, ..PageRank::default() };
        // The last one has rows longer than a chunk.
        for spec in ["kron:12", "kron:11,directed", "kron:13,degree=24"] {
            let graph = generated(spec);
            for config in [&coarse, &fine, &coarse.clone().personalize(5, 1.0).personalize(77, 2.0)] {
                let (with, without) = (DeviceGraph::new(&gpu, &graph), DeviceGraph::new(&gpu, &graph));
                without.let_go();
                let [with_places, plain] = [&with, &without].map(|device_graph| {
                    let answer = pagerank(device_graph, config, &Options::default()).unwrap();
                    answer.verify(&graph).unwrap();
                    answer.ranks().iter().map(|rank| rank.to_bits()).collect::<Vec<_>>()
                });
                assert!(kept(&with), "places pay off on {spec}");
                assert!(!without.has_prepared::<Places>((), HOT), "memory is short");
                assert!(with_places == plain, "the bits differ on {spec}");
            }
        }
    }

    #[test]
    fn even_degrees_need_no_places() {
        let gpu = simt();
        let graph = generated("uniform:12");
        let device_graph = DeviceGraph::new(&gpu, &graph);
        pagerank(&device_graph, &PageRank::default(), &Options::default()).unwrap();
        assert!(!kept(&device_graph));
    }
}
