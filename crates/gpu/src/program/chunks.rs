//! Chunks of vertices that a run iterates in shared memory before each superstep (`kernels/chunks.cu`).
//!
//! A chunk is loaded by one block if a member is in the frontier. The block relaxes the arcs inside the chunk until nothing
//! changes, a bounded number of times, and puts the members that improved in the frontier. Programs under `Min`, `Max` and
//! `Or` reach the same fixed point, in fewer supersteps.
//!
//! The arcs inside chunks lie on the device once per graph and type of weights, so edges may be stored anywhere: 4 bytes
//! per vertex, 16 per member, 2 and a weight per arc between members. A run has 8 more bytes per chunk.

use super::stage::{LISTED, Stage};
use crate::{
    DeviceGraph,
    arguments::ProgramArgs,
    device_graph::{Made, Prepare, Side},
    error::lift,
    frontier::Members,
    machine::{Grid, Launch},
};
use std::{fmt::Write as _, sync::Arc};
use warpgraph_core::{
    Chunks, Options, Result,
    program::{Prepared, Scalar, ScalarType, VertexProgram, Ways, Weight},
};
use warpgraph_device::{Address, Array, arguments};
use warpgraph_graph::{Arcs, Graph, NO_VERTEX, Vertex, par};

/// How often a block relaxes the arcs of its chunk at most.
const TURNS: u32 = 16;

arguments! {
    /// The arguments of the kernels in `chunks.cu`.
    pub(crate) struct ChunkArgs {
        /// The values, the frontier, and the parameters.
        pub(crate) program: ProgramArgs,
        /// The chunk of every vertex; `NO_CHUNK` if it is in none.
        pub(crate) chunk_of: Address<u32>,
        /// Where the members of each chunk begin, and the end of the last ones.
        pub(crate) starts: Address<u32>,
        pub(crate) members: Address<u32>,
        /// Where the arcs of each member begin, and the end of the last ones.
        pub(crate) rows: Address<u64>,
        /// Places of the targets in their chunk, 2 bytes each.
        pub(crate) targets: Address<()>,
        /// The weights of these arcs; all share the first where the mask is 0.
        pub(crate) weights: Address<()>,
        pub(crate) weight_mask: u64,
        /// The round that each chunk was last listed in.
        pub(crate) stamps: Address<u32>,
        /// The chunks that have a member in the frontier.
        pub(crate) active: Address<u32>,
        pub(crate) active_size: Address<u64>,
    }
}

/// Returns the `#define` lines that the kernels need.
pub(crate) fn defines() -> String {
    let mut text = String::new();
    let _ = writeln!(text, "#define CHUNK_MOST {}u\n#define CHUNK_TURNS {TURNS}u", Chunks::MOST);
    text
}

/// The chunks of a graph with the arcs between their members, on the device.
#[derive(Debug)]
pub(crate) struct ChunkTable {
    chunk_of: Array<u32>,
    starts: Array<u32>,
    members: Array<Vertex>,
    rows: Array<u64>,
    targets: Array<u16>,
    weights: Array<u8>,
    /// 0 if all arcs share the first weight.
    weight_mask: u64,
    /// What the table was made of. They stay alive, so no others can have their address.
    _chunks: Arc<Chunks>,
}

impl Prepare for ChunkTable {
    /// The type of the weights, `Bool` if the program reads none; true if messages go along arcs of both directions.
    type Slot = (ScalarType, bool);
    /// The address of the chunks.
    type Options = usize;
    const PURPOSE: &'static str = "chunks";

    fn bytes(&self) -> u64 {
        let words = [&self.chunk_of, &self.starts, &self.members].map(Array::bytes);
        words.iter().sum::<u64>() + self.rows.bytes() + self.targets.bytes() + self.weights.bytes()
    }
}

/// Returns the chunks that the program iterates on the device, and copies them there if they are not; `None` if it iterates
/// none.
///
/// # Errors
/// When memory is short.
pub(super) fn table<P: VertexProgram>(
    device_graph: &DeviceGraph,
    prepared: &Prepared<'_, P>,
    options: &Options,
    ways: Ways,
) -> Result<Option<Arc<Made<ChunkTable>>>> {
    let (Some(_), Some(chunks)) = (prepared.chunks(options), &options.chunks) else { return Ok(None) };
    let kind = if P::Weight::USED { <P::Weight as Weight>::Scalar::TYPE } else { ScalarType::Bool };
    let is_both = ways == Ways::Both && device_graph.graph().is_directed();
    let make = || ChunkTable::new::<<P::Weight as Weight>::Scalar>(device_graph, chunks, kind, is_both);
    device_graph.prepared((kind, is_both), Arc::as_ptr(chunks) as usize, make).map(Some)
}

impl ChunkTable {
    fn new<W: Scalar>(
        device_graph: &DeviceGraph,
        chunks: &Arc<Chunks>,
        kind: ScalarType,
        is_both: bool,
    ) -> Result<Self> {
        let mut sides = vec![device_graph.host(Side::Out)?];
        if is_both {
            sides.push(device_graph.host(Side::In)?);
        }
        let is_shared = kind == ScalarType::Bool || sides[0].weights.weight_type().is_none();
        let inside = Inside::<W>::of(device_graph.graph(), chunks, &sides, is_shared);
        let (gpu, weights) = (device_graph.gpu(), if is_shared { &[W::ONE][..] } else { &inside.weights });
        Ok(Self {
            chunk_of: gpu.array_of(&inside.chunk_of, "chunks of vertices").map_err(lift)?,
            starts: gpu.array_of(chunks.starts(), "chunks").map_err(lift)?,
            members: gpu.array_of(chunks.all(), "members of chunks").map_err(lift)?,
            rows: gpu.array_of(&inside.rows, "rows of chunks").map_err(lift)?,
            targets: gpu.array_of(&inside.targets, "arcs of chunks").map_err(lift)?,
            weights: gpu.array_of(bytemuck::cast_slice(weights), "weights of chunks").map_err(lift)?,
            weight_mask: if is_shared { 0 } else { u64::MAX },
            _chunks: Arc::clone(chunks),
        })
    }
}

/// The arcs between members of the same chunk, on the host.
struct Inside<W> {
    chunk_of: Vec<u32>,
    rows: Vec<u64>,
    targets: Vec<u16>,
    weights: Vec<W>,
}

impl<W: Scalar> Inside<W> {
    /// Finds these arcs; `sides` are the arcs that messages go along.
    fn of(graph: &Graph, chunks: &Chunks, sides: &[&Arcs], is_shared: bool) -> Self {
        let (mut chunk_of, mut places) = (vec![NO_VERTEX; graph.vertices()], vec![0u16; graph.vertices()]);
        for chunk in 0..chunks.len() {
            for (place, &v) in chunks.members(chunk).iter().enumerate() {
                (chunk_of[v as usize], places[v as usize]) = (chunk as u32, place as u16);
            }
        }
        let row_of = |u: Vertex| -> (Vec<u16>, Vec<W>) {
            let arcs = sides.iter().flat_map(|side| {
                side.csr.neighbors(u).iter().zip(side.csr.arcs_of(u)).map(|(&v, arc)| (v, arc, *side))
            });
            let inside = arcs.filter(|(v, ..)| chunk_of[*v as usize] == chunk_of[u as usize]);
            let weight = |arc, side: &Arcs| if is_shared { W::ONE } else { side.weights.get(arc).cast() };
            inside.map(|(v, arc, side)| (places[v as usize], weight(arc, side))).unzip()
        };
        let all = par::map(chunks.all().len(), |at| row_of(chunks.all()[at]));
        let (mut rows, mut targets, mut weights) = (vec![0], Vec::new(), Vec::new());
        for (row, own) in all {
            targets.extend(row);
            weights.extend(own.into_iter().filter(|_| !is_shared));
            rows.push(targets.len() as u64);
        }
        Self { chunk_of, rows, targets, weights }
    }
}

/// The kernels of a run that iterates chunks, and its arrays.
pub(super) struct Iteration {
    list: Launch<ChunkArgs>,
    iterate: Launch<ChunkArgs>,
    table: Arc<Made<ChunkTable>>,
    stamps: Array<u32>,
    active: Array<u32>,
}

impl Iteration {
    /// Compiles the kernels; `None` if the run iterates no chunks.
    ///
    /// # Errors
    /// Those of compiling; when memory is short.
    pub(super) fn new(stage: &Stage<'_>) -> Result<Option<Self>> {
        let Some(table) = &stage.chunks else { return Ok(None) };
        let source = stage.functor.chunks(stage.device_graph.is_wide())?;
        let chunks = table.starts.len() - 1;
        Ok(Some(Self {
            list: stage.machine.kernel(&source, "chunks_list")?,
            iterate: stage.machine.kernel(&source, "chunks_iterate")?,
            table: Arc::clone(table),
            stamps: stage.machine.zeros(chunks, "stamps of chunks")?,
            active: stage.machine.array(chunks, "active chunks")?,
        }))
    }

    /// Returns the bytes of its arrays.
    pub(super) fn bytes(&self) -> u64 {
        self.stamps.bytes() + self.active.bytes()
    }

    /// Returns the number of members of all chunks.
    pub(super) fn members(&self) -> u64 {
        self.table.members.len() as u64
    }

    /// Iterates the chunks that have a member in the frontier of `program`. Members that improve join its next frontier.
    ///
    /// # Safety
    /// `members` are vertices. The arrays of `program` have an entry per vertex and live until the next wait; the next
    /// frontier has room for all that join.
    pub(super) unsafe fn start(
        &self,
        stage: &Stage<'_>,
        program: ProgramArgs,
        members: Members,
    ) -> Result<()> {
        let args = ChunkArgs {
            program,
            chunk_of: self.table.chunk_of.address(),
            starts: self.table.starts.address(),
            members: self.table.members.address(),
            rows: self.table.rows.address(),
            targets: self.table.targets.address().cast(),
            weights: self.table.weights.address().cast(),
            weight_mask: self.table.weight_mask,
            stamps: self.stamps.address(),
            active: self.active.address(),
            active_size: stage.counter(LISTED),
        };
        let most = members.count.min(self.active.len() as u64).max(1);
        // SAFETY: every chunk is listed once per round, and the list has room for all; the table outlives the run; the
        // caller promises the rest.
        unsafe {
            stage.machine.start(&self.list, Grid::For(members.count), &args)?;
            stage.machine.start(&self.iterate, Grid::Blocks(most), &args)
        }
    }
}

/// Returns the bytes that chunks take on a graph in memory, for a program that goes along this many directions and reads
/// weights of so many bytes.
pub(crate) fn bytes(graph: &Graph, options: &Options, sides: u64, weight: u64) -> u64 {
    let Some(chunks) = &options.chunks else { return 0 };
    let inside =
        par::map(chunks.len(), |chunk| arcs_inside(graph, chunks.members(chunk))).iter().sum::<u64>();
    let (count, members) = (chunks.len() as u64, chunks.all().len() as u64);
    let table = 4 * graph.vertices() as u64 + 4 * (count + 1) + 12 * members + 8;
    table + 8 * count + sides * inside * (2 + weight) + 8
}

/// Returns the number of outgoing arcs between some vertices.
fn arcs_inside(graph: &Graph, members: &[Vertex]) -> u64 {
    let mut sorted = members.to_vec();
    sorted.sort_unstable();
    let arcs = members.iter().flat_map(|&v| graph.out().csr.neighbors(v));
    arcs.filter(|&v| sorted.binary_search(v).is_ok()).count() as u64
}
