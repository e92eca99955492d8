//! Frontiers on a device: queues, and what is derived from them (arc counts, bitmaps, prefix sums of degrees).

use crate::{
    arguments::{FrontierArgs, Telling},
    device_graph::DeviceRows,
    machine::{Grid, Launch, Machine},
    variants,
};
use bytemuck::Zeroable;
use warpgraph_core::Result;
use warpgraph_device::{Address, Array};
use warpgraph_graph::Vertex;

/// The most tiles that a single block scans. For so few, the extra rounds of one block cost less than the two launches
/// that they save.
pub(crate) const SHORT_TILES: u64 = 8;

/// The kernels that work on frontiers alone, and the arrays that they need, allocated when first needed.
pub(crate) struct Frontiers {
    wide: bool,
    /// Vertices of one copy of the graph, and of all copies.
    vertices: usize,
    slots: usize,
    arcs: Launch<FrontierArgs>,
    bitmap: Launch<FrontierArgs>,
    order: Launch<FrontierArgs>,
    stamp: Launch<FrontierArgs>,
    scan: [Launch<FrontierArgs>; 3],
    scan_short: Launch<FrontierArgs>,
    /// Prefix sums of degrees, and the sums of their tiles.
    prefix: Option<(Array<u8>, Array<u8>)>,
    bits: Option<Array<u32>>,
}

/// The vertices of a frontier.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Members {
    /// The vertices; null if they are 0, 1, 2, ...
    pub(crate) items: Address<Vertex>,
    /// Where the unexpanded part of each member's row begins; null if it is the whole row.
    pub(crate) starts: Address<()>,
    /// The number of members, or the most there can be if `size` is set.
    pub(crate) count: u64,
    /// Address of the number of members on the device, if the host does not know it yet; otherwise null.
    pub(crate) size: Address<u64>,
}

/// A frontier whose arcs have been counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted {
    pub(crate) members: Members,
    /// Arcs of all members, and of the longest row; `None` if any row may be the longest.
    pub(crate) arcs: u64,
    pub(crate) longest: Option<u64>,
    /// The same two numbers for incoming arcs, if the run also goes along these.
    pub(crate) behind: Option<[u64; 2]>,
}

/// Where the counts of a frontier's arcs go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tally {
    /// The kernel adds the number of all arcs to this counter.
    pub(crate) arcs: Address<u64>,
    /// The kernel raises this counter to the length of the longest row; null if the caller does not want it.
    pub(crate) longest: Address<u64>,
    /// The counters that the kernel tells afterwards.
    pub(crate) tell: Telling,
}

impl Tally {
    /// Counts arcs only, and tells no counters.
    pub(crate) fn of(arcs: Address<u64>) -> Self {
        Self { arcs, longest: Address::NULL, tell: Telling::zeroed() }
    }
}

impl Members {
    /// Returns this many vertices of a list on the device.
    pub(crate) fn listed(items: Address<Vertex>, count: u64) -> Self {
        Self { items, starts: Address::NULL, count, size: Address::NULL }
    }

    /// Returns all vertices.
    pub(crate) fn all(vertices: usize) -> Self {
        Self::of(Address::NULL, vertices as u64)
    }

    /// Returns the first `count` entries of a queue.
    pub(crate) fn of(items: Address<Vertex>, count: u64) -> Self {
        Self { items, starts: Address::NULL, count, size: Address::NULL }
    }

    /// Returns as many entries of a queue as a counter on the device says, at most `most`.
    pub(crate) fn counted(items: Address<Vertex>, size: Address<u64>, most: u64) -> Self {
        Self { size, ..Self::of(items, most) }
    }

    /// Returns true if these are all vertices.
    pub(crate) fn is_all(&self) -> bool {
        self.items.raw() == 0
    }

    /// True if these are all vertices of all copies of a graph, `slots` in all.
    pub(crate) fn is_everything(&self, slots: u64) -> bool {
        self.is_all() && self.count == slots
    }
}

impl Frontiers {
    /// Compiles the kernels for a graph of `vertices` vertices, with `slots` in all its copies.
    pub(crate) fn new(machine: &Machine<'_>, wide: bool, vertices: usize, slots: usize) -> Result<Self> {
        let source = variants::frontier(wide)?;
        let kernel = |name| machine.kernel(&source, name);
        Ok(Self {
            wide,
            vertices,
            slots,
            arcs: kernel("frontier_arcs")?,
            bitmap: kernel("frontier_bitmap")?,
            order: kernel("frontier_order")?,
            stamp: kernel("frontier_stamp")?,
            scan: [kernel("scan_tiles")?, kernel("scan_sums")?, kernel("scan_add")?],
            scan_short: kernel("scan_short")?,
            prefix: None,
            bits: None,
        })
    }

    /// Returns the bytes of the bitmap; 0 if there is none yet.
    pub(crate) fn bitmap_bytes(&self) -> u64 {
        self.bits.as_ref().map_or(0, Array::bytes)
    }

    /// Returns the bytes of the prefix sums; 0 if there are none yet.
    pub(crate) fn prefix_bytes(&self) -> u64 {
        self.prefix.as_ref().map_or(0, |(first, sums)| first.bytes() + sums.bytes())
    }

    /// Returns the bytes that the prefix sums of this many degrees take.
    pub(crate) fn prefix_bytes_of(&self, vertices: u64) -> u64 {
        // A tile has at least 32 entries.
        self.width() as u64 * (vertices + vertices.div_ceil(32) + 1)
    }

    /// Sets the number of vertices in all copies. Call it before anything runs on them.
    pub(crate) fn set_slots(&mut self, slots: usize) {
        if slots != self.slots {
            (self.slots, self.prefix) = (slots, None);
        }
    }

    /// Returns true if offsets are 64 bits wide.
    pub(crate) fn is_wide(&self) -> bool {
        self.wide
    }

    fn width(&self) -> usize {
        if self.wide { 8 } else { 4 }
    }

    fn args(&self, members: Members) -> FrontierArgs {
        FrontierArgs {
            vertices: self.vertices as u64,
            items: members.items,
            starts: members.starts,
            count: members.count,
            size: members.size,
            ..FrontierArgs::zeroed()
        }
    }

    /// Counts the arcs of all members.
    pub(crate) fn count_arcs(
        &self,
        machine: &Machine<'_>,
        members: Members,
        rows: &DeviceRows,
        tally: Tally,
    ) -> Result<()> {
        self.count(machine, members, FrontierArgs { offsets: rows.offsets(), ..self.args(members) }, tally)
    }

    /// Counts the arcs of all members in both directions. Each of the two counters must be followed by one for the
    /// second direction.
    pub(crate) fn count_both(
        &self,
        machine: &Machine<'_>,
        members: Members,
        [ahead, behind]: [&DeviceRows; 2],
        tally: Tally,
    ) -> Result<()> {
        let (offsets, behind) = (ahead.offsets(), behind.offsets());
        self.count(machine, members, FrontierArgs { offsets, behind, ..self.args(members) }, tally)
    }

    fn count(&self, machine: &Machine<'_>, members: Members, args: FrontierArgs, tally: Tally) -> Result<()> {
        let Tally { arcs, longest, tell } = tally;
        // An empty frontier still needs one block, which tells the counters.
        let grid = Grid::For(members.count.max(1));
        // SAFETY: members are vertices of the graph that the rows belong to; the caller's counters live until the run
        // has ended.
        unsafe { machine.start(&self.arcs, grid, &FrontierArgs { arcs, longest, tell, ..args }) }
    }

    /// Stamps all members as claimed in this round.
    pub(crate) fn stamp(
        &self,
        machine: &Machine<'_>,
        members: Members,
        stamps: &Array<u32>,
        round: u32,
    ) -> Result<()> {
        let args = FrontierArgs { stamps: stamps.address(), round, ..self.args(members) };
        // SAFETY: members are vertices, and there is one stamp per vertex.
        unsafe { machine.start(&self.stamp, Grid::For(members.count), &args) }
    }

    /// Returns the members as a bitmap.
    pub(crate) fn bitmap(&mut self, machine: &Machine<'_>, members: Members) -> Result<Address<u32>> {
        let bits = match &mut self.bits {
            Some(bits) => bits,
            none => none.insert(machine.array(self.slots.div_ceil(32), "a bitmap")?),
        };
        bits.fill_bytes(0).map_err(crate::lift)?;
        let args = FrontierArgs { bitmap: bits.address(), ..self.args(members) };
        // SAFETY: members are vertices, and there is one bit per vertex.
        unsafe { machine.start(&self.bitmap, Grid::For(members.count), &args)? };
        Ok(args.bitmap)
    }

    /// Puts members of the only copy of the graph, of which none occurs twice, in about increasing order, in their own list.
    /// `counter` is a counter that no one reads.
    pub(crate) fn order(
        &mut self,
        machine: &Machine<'_>,
        members: Members,
        counter: &mut Array<u64>,
    ) -> Result<()> {
        let bitmap = self.bitmap(machine, members)?;
        counter.fill_bytes(0).map_err(crate::lift)?;
        let args = FrontierArgs { bitmap, arcs: counter.address(), ..self.args(members) };
        // SAFETY: the bitmap has as many set bits as the list has entries, which are vertices of the graph.
        unsafe { machine.start(&self.order, Grid::For(self.vertices.div_ceil(32) as u64), &args) }
    }

    /// Returns the prefix sums of the members' degrees: where the arcs of each member begin in the list of all their
    /// arcs. Writes their total to `scratch`. The host must know the number of members.
    pub(crate) fn prefix(
        &mut self,
        machine: &Machine<'_>,
        members: Members,
        rows: &DeviceRows,
        scratch: Address<u64>,
    ) -> Result<Address<()>> {
        if members.is_all() && members.count == self.vertices as u64 {
            return Ok(rows.offsets());
        }
        let (first, sums) = self.prefix_arrays(machine)?;
        let (first, sums) = (first.address().cast(), sums.address().cast());
        let args = FrontierArgs { offsets: rows.offsets(), first, sums, arcs: scratch, ..self.args(members) };
        self.scan(machine, args)?;
        Ok(first)
    }

    /// Returns the arrays for [`Frontiers::prefix`], and allocates them on the first call.
    pub(crate) fn prefix_arrays(&mut self, machine: &Machine<'_>) -> Result<&(Array<u8>, Array<u8>)> {
        let (width, block) = (self.width(), machine.block() as usize);
        Ok(match &mut self.prefix {
            Some(prefix) => prefix,
            none => {
                let first = machine.array((self.slots + 1) * width, "prefix sums of degrees")?;
                none.insert((first, machine.array(self.slots.div_ceil(block) * width, "sums of tiles")?))
            }
        })
    }

    /// Computes the prefix sums that `args` describes.
    fn scan(&self, machine: &Machine<'_>, args: FrontierArgs) -> Result<()> {
        let args = FrontierArgs { tile: machine.block(), ..args };
        let [tiles, over, add] = &self.scan;
        let is_short = args.count <= SHORT_TILES * u64::from(machine.block());
        // SAFETY: items are vertices without duplicates, so there are no more of them than the arrays were made for;
        // the callers own these arrays and keep them alive until the next wait.
        unsafe {
            if is_short {
                return machine.start(&self.scan_short, Grid::One, &args);
            }
            machine.start(tiles, Grid::For(args.count), &args)?;
            machine.start(over, Grid::One, &args)?;
            machine.start(add, Grid::For(args.count), &args)
        }
    }

    /// Returns the number of the first child of every vertex, if rows are cut into children of at most `most` arcs, and
    /// the number of children.
    pub(crate) fn children(
        &self,
        machine: &Machine<'_>,
        rows: &DeviceRows,
        most: u64,
    ) -> Result<(Array<u8>, u64)> {
        let (n, width) = (self.vertices, self.width());
        let first = machine.array::<u8>((n + 1) * width, "first children, for `split`")?;
        let tiles = n.div_ceil(machine.block() as usize);
        let sums = machine.array::<u8>(tiles * width, "sums of tiles")?;
        let total = machine.zeros::<u64>(1, "a counter")?;
        let args = FrontierArgs {
            offsets: rows.offsets(),
            first: first.address().cast(),
            sums: sums.address().cast(),
            arcs: total.address(),
            most,
            ..self.args(Members::all(n))
        };
        self.scan(machine, args)?;
        let mut seen = machine.gpu().pinned(1, "a counter").map_err(crate::lift)?;
        machine.fetch(&mut seen, &total)?;
        Ok((first, seen.get(0)))
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::{
        DeviceGraph,
        device_graph::Side,
        testing::{generated, simt},
    };
    use warpgraph_core::Options;
    use warpgraph_graph::Graph;

    const COPIES: usize = 3;

    #[test]
    fn rows_ahead_and_behind_are_counted_at_once() {
        let (graph, gpu, options) = (generated("powerlaw:300,seed=5"), simt(), Options::default());
        assert!(graph.is_directed());
        let (machine, device_graph) =
            (Machine::new(&gpu, &options, "counting"), DeviceGraph::new(&gpu, &graph));
        let frontiers =
            Frontiers::new(&machine, device_graph.is_wide(), graph.vertices(), graph.vertices()).unwrap();
        let queue: Vec<Vertex> = (0..100).map(|i| i * 3).collect();
        let items = gpu.array_of(&queue, "a queue").unwrap();
        let counters = machine.zeros::<u64>(4, "counters").unwrap();
        let [arcs, longest] = [0, 16].map(|at| Address::new(counters.address().raw() + at));
        let rows = [Side::Out, Side::In].map(|side| device_graph.rows(side).unwrap());
        let members = Members::of(items.address(), queue.len() as u64);
        let tally = Tally { longest, ..Tally::of(arcs) };
        frontiers.count_both(&machine, members, [&rows[0], &rows[1]], tally).unwrap();
        let mut seen = gpu.pinned(4, "counters").unwrap();
        machine.fetch(&mut seen, &counters).unwrap();
        for (i, arcs) in [graph.out(), graph.incoming().unwrap()].into_iter().enumerate() {
            let degrees = queue.iter().map(|&v| arcs.csr.degree(v) as u64);
            let expected = (degrees.clone().sum(), degrees.max().unwrap());
            assert_eq!((seen.get(i), seen.get(2 + i)), expected, "side {i}");
        }
    }

    /// Returns what the kernel counts for some vertices of three copies, and what the host counts.
    fn counted(graph: &Graph, queue: Option<&[Vertex]>) -> ([u64; 2], [u64; 2]) {
        let (gpu, options) = (simt(), Options::default());
        let (machine, device_graph) =
            (Machine::new(&gpu, &options, "counting"), DeviceGraph::new(&gpu, graph));
        let n = graph.vertices();
        let frontiers = Frontiers::new(&machine, device_graph.is_wide(), n, COPIES * n).unwrap();
        let items = gpu.array_of(queue.unwrap_or(&[]), "a queue").unwrap();
        let size = gpu.array_of(&[items.len() as u64], "a counter").unwrap();
        let members = match queue {
            None => Members::all(COPIES * n),
            // The queue may have fewer entries than the most that is passed.
            Some(_) => Members::counted(items.address(), size.address(), (COPIES * n) as u64),
        };
        let counters = machine.zeros::<u64>(2, "counters").unwrap();
        let [arcs, longest] = [0, 8].map(|at| Address::new(counters.address().raw() + at));
        let tally = Tally { longest, ..Tally::of(arcs) };
        frontiers.count_arcs(&machine, members, &device_graph.rows(Side::Out).unwrap(), tally).unwrap();
        let mut seen = gpu.pinned(2, "counters").unwrap();
        machine.fetch(&mut seen, &counters).unwrap();
        let everyone: Vec<Vertex> = (0..(COPIES * n) as Vertex).collect();
        let degrees =
            queue.unwrap_or(&everyone).iter().map(|&v| graph.out().csr.degree(v % n as Vertex) as u64);
        ([seen.get(0), seen.get(1)], [degrees.clone().sum(), degrees.max().unwrap_or(0)])
    }

    #[test]
    fn arcs_and_the_longest_row_of_a_frontier_are_those_the_host_counts() {
        let graph = generated("powerlaw:500,alpha=2.1,seed=3");
        let n = (COPIES * graph.vertices()) as u64;
        let drawn = |length: u64, seed: u64| -> Vec<Vertex> {
            (0..length).map(|i| ((i * 7919 + seed * 104_729) % n) as Vertex).collect()
        };
        for (length, seed) in [(0, 1), (1, 2), (31, 3), (64, 4), (65, 5), (700, 6)] {
            let (seen, expected) = counted(&graph, Some(&drawn(length, seed)));
            assert_eq!(seen, expected, "{length} vertices");
        }
        let (seen, expected) = counted(&graph, None);
        assert_eq!(seen, expected);
        assert!(expected[1] > 20, "a row that is longer than others: {expected:?}");
    }

    #[test]
    fn rows_without_arcs_have_none_that_is_longest() {
        let graph = Graph::from_edges(5, &[], true).unwrap();
        assert_eq!(counted(&graph, None), ([0, 0], [0, 0]));
        let graph = Graph::from_edges(3, &[(1, 1), (1, 2), (1, 2)], true).unwrap();
        assert_eq!(counted(&graph, Some(&[0, 1, 4])).0, counted(&graph, Some(&[0, 1, 4])).1);
    }
}
