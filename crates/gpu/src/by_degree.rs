//! The vertices of a graph by decreasing out-degree, ordered on the device: the order `degree`, with the smallest vertex
//! first on ties.
//!
//! A radix sort with as many passes as the greatest degree has bytes. Memory: 24 bytes per vertex while sorting, 8 after.

use crate::{
    DeviceGraph,
    arguments::Edges,
    device_graph::{DeviceRows, Side},
    error::lift,
    machine::{Grid, Launch, Machine},
    memory::rows,
    renumber::{self, Renumbering},
    sort::{Pairs, Sort, digits},
    variants,
};
use bytemuck::Zeroable;
use warpgraph_core::{Options, Result};
use warpgraph_device::{Address, Array, arguments};
use warpgraph_graph::{NodeMap, Vertex};

arguments! {
    /// The arguments of the kernels that order vertices by degree.
    pub(crate) struct ByDegreeArgs {
        /// Outgoing rows: their lengths are the degrees.
        pub(crate) offsets: Address<()>,
        pub(crate) vertices: u64,
        /// The greatest degree.
        pub(crate) most: u64,
        /// The keys to sort by, the vertices in order, and the place of each vertex.
        pub(crate) keys: Address<u64>,
        pub(crate) order: Address<u32>,
        pub(crate) places: Address<u32>,
        /// Receives the number of arcs of the first `count` vertices.
        pub(crate) count: u64,
        pub(crate) sum: Address<u64>,
        /// Offsets of any rows, and what receives where the row of each place begins and ends, and its out-degree.
        pub(crate) rows: Address<()>,
        pub(crate) begins: Address<()>,
        pub(crate) ends: Address<()>,
        pub(crate) degrees: Address<u32>,
        /// Targets of these rows, and what receives their places.
        pub(crate) targets: Edges,
        pub(crate) arcs: u64,
        pub(crate) targets_out: Address<u32>,
    }
}

/// A graph in the order of degrees.
#[derive(Debug)]
pub struct DegreeOrdered {
    /// The graph, on the device and on the host.
    pub device_graph: DeviceGraph,
    /// Maps vertices of the old order to those of the new one.
    pub map: NodeMap,
}

/// Returns a graph in the order of decreasing out-degree, the smallest vertex first on ties; `None` if the device has too
/// little memory for it, or if arcs cannot be numbered by 32 bits, which sorting them takes.
///
/// # Errors
/// When interrupted or when the device fails.
pub fn degree_ordered(device_graph: &DeviceGraph, options: &Options) -> Result<Option<DegreeOrdered>> {
    let machine = Machine::new(device_graph.gpu(), options, "ordering the vertices");
    machine.check()?;
    let graph = device_graph.graph();
    let there = if device_graph.is_there() { 0 } else { rows(graph, false, 0).total() };
    let bytes = there + renumber::bytes(graph).max(28 * graph.vertices() as u64);
    if u32::try_from(graph.arcs()).is_err() || bytes > machine.gpu().memory().map_err(lift)?.free {
        return Ok(None);
    }
    let ByDegree { order, .. } = ByDegree::new(&machine, device_graph)?;
    let sort = Sort::new(&machine)?;
    let renumbering = Renumbering::new(&machine, device_graph, &sort, order)?;
    let map = renumbering.map()?;
    machine.check()?;
    Ok(Some(DegreeOrdered { device_graph: renumbering.graph()?, map }))
}

/// Rows that lie in the order of vertices, by places.
#[derive(Debug)]
pub(crate) struct PlacedRows {
    /// Where the row of each place begins and ends.
    pub(crate) begins: Array<u8>,
    pub(crate) ends: Array<u8>,
    /// The out-degree of each place.
    pub(crate) degrees: Array<u32>,
    /// The places of the targets of all arcs, in the order of the rows.
    pub(crate) targets: Array<Vertex>,
}

/// The vertices in their order, and the place of each vertex.
pub(crate) struct ByDegree<'m, 'a> {
    machine: &'m Machine<'a>,
    args: ByDegreeArgs,
    pub(crate) order: Array<Vertex>,
    // `args` holds its address.
    _places: Array<Vertex>,
    arcs: Launch<ByDegreeArgs>,
    rows: Launch<ByDegreeArgs>,
    targets: Launch<ByDegreeArgs>,
}

impl<'m, 'a> ByDegree<'m, 'a> {
    /// Orders the vertices of a graph. Its outgoing rows must stay on the device.
    ///
    /// # Errors
    /// When memory is short or the device fails.
    pub(crate) fn new(machine: &'m Machine<'a>, device_graph: &DeviceGraph) -> Result<Self> {
        let (graph, out) = (device_graph.graph(), device_graph.rows(Side::Out)?);
        let source = variants::by_degree(device_graph.is_wide())?;
        let kernel = |name| machine.kernel(&source, name);
        let (n, most) = (graph.vertices(), graph.counts().max_degree);
        let (mut pairs, mut spare) = (Pairs::new(machine, n)?, Pairs::new(machine, n)?);
        let args = ByDegreeArgs {
            offsets: out.offsets(),
            vertices: n as u64,
            most,
            keys: pairs.keys.address(),
            order: pairs.values.address(),
            ..ByDegreeArgs::zeroed()
        };
        // SAFETY: there is a key and a value per vertex, which live until sorting has waited, as the rows do.
        unsafe { machine.start(&kernel("degree_keys")?, Grid::For(args.vertices), &args)? };
        Sort::new(machine)?.run(machine, &mut pairs, &mut spare, digits(most as usize + 1, 0))?;
        drop(spare);
        let (order, places) = (pairs.values, machine.array(n, "places of vertices")?);
        let args = ByDegreeArgs { order: order.address(), places: places.address(), ..args };
        // SAFETY: the order has every vertex once, and there is a place for each; both live until the wait.
        unsafe { machine.start(&kernel("degree_places")?, Grid::For(args.vertices), &args)? };
        machine.wait()?;
        Ok(Self {
            machine,
            args,
            order,
            _places: places,
            arcs: kernel("degree_arcs")?,
            rows: kernel("degree_rows")?,
            targets: kernel("degree_targets")?,
        })
    }

    /// Returns the number of arcs of the first vertices.
    pub(crate) fn arcs_of_first(&self, count: usize) -> Result<u64> {
        let sum = self.machine.zeros::<u64>(1, "a counter")?;
        let args = ByDegreeArgs { count: count as u64, sum: sum.address(), ..self.args };
        // SAFETY: there are at least so many vertices; the caller keeps the rows; the counter lives until it is read.
        unsafe { self.machine.start(&self.arcs, Grid::For(args.count), &args)? };
        self.machine.wait()?;
        Ok(sum.to_vec().map_err(lift)?[0])
    }

    /// Returns rows by places, which stay where they are.
    pub(crate) fn rows(&self, rows: &DeviceRows, wide: bool) -> Result<PlacedRows> {
        let n = self.order.len();
        let offsets = || self.machine.array::<u8>(n * if wide { 8 } else { 4 }, "rows of places");
        let (begins, ends) = (offsets()?, offsets()?);
        let degrees = self.machine.array(n, "degrees of places")?;
        let targets = self.machine.array(rows.arcs(), "places of targets")?;
        let args = ByDegreeArgs {
            rows: rows.offsets(),
            begins: begins.address().cast(),
            ends: ends.address().cast(),
            degrees: degrees.address(),
            targets: rows.targets(),
            arcs: rows.arcs() as u64,
            targets_out: targets.address(),
            ..self.args
        };
        // SAFETY: there is room for every arc and every vertex; targets are vertices; all arrays live until the wait.
        unsafe {
            self.machine.start(&self.rows, Grid::For(args.vertices), &args)?;
            self.machine.start(&self.targets, Grid::For(args.arcs), &args)?;
        }
        self.machine.wait()?;
        Ok(PlacedRows { begins, ends, degrees, targets })
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::testing::{generated, simt};
    use std::cmp::Reverse;
    use warpgraph_device::{
        Settings,
        simt::{Simt, SimtOptions},
    };
    use warpgraph_graph::{Control, Graph, Weights};

    fn arrays(graph: &Graph) -> (Vec<u32>, Vec<u32>) {
        let out = graph.out();
        let weights = match &out.weights {
            Weights::U32(weights) => weights.to_vec(),
            _ => Vec::new(),
        };
        (out.csr.targets().to_vec(), weights)
    }

    #[test]
    fn the_device_orders_by_degree_as_the_processor_does() {
        let loops = [(0, 0), (0, 1), (0, 1), (2, 1), (5, 5), (3, 3), (3, 3)];
        for graph in [
            generated("kron:9"),
            generated("kron:8,w=1..9"),
            generated("kron:9,directed"),
            generated("uniform:8,degree=300"),
            Graph::from_edges(6, &loops, false).unwrap(),
            Graph::from_edges(6, &loops, true).unwrap(),
            Graph::from_edges(3, &[], false).unwrap(),
        ] {
            let device_graph = DeviceGraph::new(&simt(), &graph);
            let ordered = degree_ordered(&device_graph, &Options::default()).unwrap().unwrap();
            let mut order: Vec<u32> = (0..graph.vertices() as u32).collect();
            order.sort_by_key(|&v| (Reverse(graph.degree(v)), v));
            assert_eq!(ordered.map.originals()[..], order, "{}", graph.origin().name);
            let expected = graph.renumbered(&ordered.map, &Control::new()).unwrap();
            let new = ordered.device_graph.graph();
            assert_eq!(arrays(new), arrays(&expected), "{}", graph.origin().name);
            assert!(ordered.device_graph.is_there());
        }
    }

    #[test]
    fn a_device_with_too_little_memory_leaves_it_to_the_processor() {
        let graph = generated("kron:9");
        let settings = Settings { memory_budget: Some(100_000), ..Settings::default() };
        let gpu = Simt::open(&settings, SimtOptions::default()).unwrap();
        let ordered = degree_ordered(&DeviceGraph::new(&gpu, &graph), &Options::default()).unwrap();
        assert!(ordered.is_none());
    }
}
