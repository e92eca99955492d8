//! Betweenness by Brandes' algorithm \[1\], one source after the other, as filters over distances that a program found.
//!
//! For a source: distances (the program `hops`, or `sssp` by weights); how many arcs of shortest paths lead to each vertex; then forward,
//! taking a vertex with the last of these arcs, so that one queue holds all vertices in an order of layers; the paths to a
//! layer are counted over its incoming arcs. Backward by layer, what depends on a vertex is gathered over its outgoing arcs. Sums
//! over a row are one thread's under `node`, so that `--deterministic` gives the same bits.
//!
//! Counts of paths are f64. Where one leaves its range, the run ends with an error that says so.
//!
//! \[1\] U. Brandes, A faster algorithm for betweenness centrality, 2001.

mod walk;

use crate::{
    Resident,
    machine::Machine,
    program::{Ended, Stage, Ways, arcs},
    resident::Side,
    sssp::Lengths,
    variants::Functor,
};
use std::time::Instant;
use walk::{Trouble, Walk};
use warpgraph_core::{
    Algorithm, Direction, Error, Halted, Options, Plan, Result,
    bc::{Bc, BcAnswer, vanishes},
    program::{Prepared, Scalar, ScalarType, VertexProgram, library::Hops},
};
use warpgraph_graph::{Pages, Vertex, Weights};

/// [`BcArgs::flags`]: a path counts for its ends too.
pub(crate) const ENDPOINTS: u32 = 1;
/// [`BcArgs::problems`]: a count left the range of f64; a weight vanished beside a distance.
pub(crate) const OVERFLOWED: usize = 0;
pub(crate) const VANISHED: usize = 1;

/// The types of distances and weights.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Types {
    pub(crate) distance: ScalarType,
    pub(crate) weight: ScalarType,
}

/// All that occur: hops, whole weights, decimals.
pub(crate) const TYPES: [Types; 4] = [
    Types { distance: ScalarType::U32, weight: ScalarType::U32 },
    Types { distance: ScalarType::U64, weight: ScalarType::U32 },
    Types { distance: ScalarType::U64, weight: ScalarType::I32 },
    Types { distance: ScalarType::F64, weight: ScalarType::F64 },
];

/// The score of every vertex.
///
/// # Errors
/// When interrupted, when memory is short, when a source is not in the graph, when a weight vanishes beside a distance, when there
/// are more paths than f64 can count, or when the device fails.
pub fn bc(resident: &Resident, config: &Bc, options: &Options) -> Result<BcAnswer> {
    let [hops, by_u32, by_i32, by_f64] = TYPES;
    let task = |types| Task { resident, config, options, types };
    match &resident.graph().out().weights {
        _ if !config.weighted => task(hops).answer(Hops::from),
        Weights::U32(_) => task(by_u32).answer(Lengths::<u64, u32>::from),
        Weights::I32(_) => task(by_i32).answer(Lengths::<u64, i32>::from),
        _ => task(by_f64).answer(Lengths::<f64, f64>::from),
    }
}

/// What is asked.
#[derive(Clone, Copy)]
struct Task<'a> {
    resident: &'a Resident,
    config: &'a Bc,
    options: &'a Options,
    types: Types,
}

impl<'a> Task<'a> {
    /// `distances` is the program that finds distances from a vertex, by its original number.
    fn answer<P: VertexProgram>(self, distances: impl Fn(u32) -> P) -> Result<BcAnswer> {
        let (graph, options) = (self.resident.graph(), self.options);
        let chosen = self.config.resolve(graph, options.seed, options.run)?;
        let n = graph.vertices();
        let mut sources: Vec<Vertex> = chosen.clone().unwrap_or_else(|| (0..n as Vertex).collect());
        // Others reach nothing.
        sources.retain(|&s| graph.out().csr.degree(s) > 0);
        let machine = Machine::new(self.resident.gpu(), options, "counting paths");
        machine.check()?;
        let transferred = self.resident.transfer_seconds();
        let mut walk = Walk::new(self, &machine)?;
        let mut stage = match sources.first() {
            Some(&first) => Some(self.stage(&distances(options.original(first)))?),
            None => None,
        };
        let mut recorder = machine.recorder(self.resident.transfer_seconds() - transferred);
        let compiled = machine.gpu().compile_seconds();
        walk.begin()?;
        for (done, &source) in sources.iter().enumerate() {
            let program = distances(options.original(source));
            let prepared = Prepared::new(&program, graph, options.map.as_ref())?;
            let Some(stage) = &mut stage else { break };
            stage.renew(&prepared)?;
            let incoming = arcs(self.resident, &prepared, Side::In)?;
            let found = stage.run()?;
            let layers = walk.source(source, stage, &incoming, &found).map_err(|error| match error {
                Trouble::Vanished => self.find_vanished::<P::Value>(&found),
                Trouble::Other(error) => error,
            })?;
            recorder.step(walk.reached, Direction::Push, || format!("{layers} layers"));
            options.control.report(Bc::NAME, done as u64 + 1, Some(sources.len() as u64));
        }
        let start = Instant::now();
        let mut sums = Pages::<f64>::scratch(n)?;
        walk.scores.read(&mut sums).map_err(crate::lift)?;
        recorder.hold_on_device(machine.gpu().memory().map_or(0, |memory| memory.peak));
        let searches = stage.as_ref().map_or(0.0, |stage| stage.machine.kernel_seconds());
        recorder.expand(searches + machine.kernel_seconds(), walk.extra_bytes());
        let plan = Plan::Bsp { direction: None, balance: options.plan.balance() };
        let mut run = recorder.finish(plan, Halted::Converged, walk.bytes());
        run.fetch_seconds += start.elapsed().as_secs_f64();
        // The first search compiles its kernels after the clock was started.
        let late = machine.gpu().compile_seconds() - compiled;
        run.compile_seconds += late;
        run.seconds = (run.seconds - late).max(0.0);
        Ok(BcAnswer::new(graph, self.config, chosen, sums, walk.arcs_reached, run))
    }

    /// Everything that searches need, brought to the device.
    fn stage<P: VertexProgram>(self, program: &P) -> Result<Stage<'a>> {
        let prepared = Prepared::new(program, self.resident.graph(), self.options.map.as_ref())?;
        arcs(self.resident, &prepared, Side::In)?;
        let functor = Functor::new::<P>(&prepared.traced)?;
        Stage::new(self.resident, &prepared, functor, self.options, Ways::Out)
    }

    /// The arc whose weight vanished beside the distance.
    fn find_vanished<T: Scalar>(self, found: &Ended) -> Error {
        let graph = self.resident.graph();
        let distances = match found.read::<T>(graph.vertices()) {
            Ok(distances) => distances,
            Err(error) => return error,
        };
        let (out, is_reached) = (graph.out(), |d: T| d != T::GREATEST);
        let vertices = (0..graph.vertices() as Vertex).filter(|&u| is_reached(distances[u as usize]));
        for u in vertices {
            for arc in out.csr.arcs_of(u) {
                let (v, distance) = (out.csr.targets()[arc], distances[u as usize]);
                let longer = distance.plus(out.weights.get(arc).cast::<T>());
                if longer == distance && distances[v as usize] == distance {
                    return vanishes(graph, u, v, arc, distance.to_f64());
                }
            }
        }
        unreachable!("the device has met such an arc")
    }
}
