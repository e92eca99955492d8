//! [`Counts`]: the work of a run by supersteps, if the caller wants it counted ([`Options::count_work`]).
//!
//! Runs that do not count have no counters: loops over arcs are compiled twice, or count in a pass of their own.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_core::{Options, Work};

/// What the threads of a run have counted. Each adds once per piece of work.
#[derive(Default)]
pub(super) struct Counts {
    updates: AtomicU64,
    edges: AtomicU64,
    /// Arcs whose other end was read, with or without a message.
    arcs: AtomicU64,
    /// Vertices whose arcs were read.
    rows: AtomicU64,
}

/// What one thread has counted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    /// Messages that changed what they arrived at.
    pub(super) updates: u64,
    /// Messages.
    pub(super) edges: u64,
    /// Arcs whose other end was read.
    pub(super) arcs: u64,
    /// Vertices whose arcs were read.
    pub(super) rows: u64,
}

/// The bytes that runs read.
pub(super) struct Widths {
    /// Per value, per weight, and per offset.
    pub(super) value: usize,
    pub(super) weight: usize,
    pub(super) offset: usize,
}

impl Counts {
    /// Returns counters if the caller wants them.
    pub(super) fn wanted(options: &Options) -> Option<Self> {
        options.count_work.then(Self::default)
    }

    pub(super) fn add(&self, tally: Tally) {
        self.updates.fetch_add(tally.updates, Relaxed);
        self.edges.fetch_add(tally.edges, Relaxed);
        self.arcs.fetch_add(tally.arcs, Relaxed);
        self.rows.fetch_add(tally.rows, Relaxed);
    }

    /// Returns the work. Every arc that was read took the number of a vertex, every message a weight and a value, every
    /// row an offset and a value.
    pub(super) fn work(&self, widths: &Widths) -> Work {
        let read = |counter: &AtomicU64| counter.load(Relaxed);
        let edges = read(&self.edges);
        let bytes = 4 * read(&self.arcs)
            + (widths.weight + widths.value) as u64 * edges
            + (widths.offset + widths.value) as u64 * read(&self.rows);
        Work { updates: read(&self.updates), merges: 0, edges, bytes }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, program::program};
    use std::sync::Arc;
    use warpgraph_core::{
        Answer, Direction, Halt, Plan, Work,
        program::{
            Combine, Dialect, Edge, Scalar, Vertex, VertexProgram,
            library::{Hops, Ranks, ShortestPaths},
        },
    };
    use warpgraph_graph::{Graph, hash};

    /// Runs by a plan with and without counting, and returns what was counted and the number of rounds.
    fn counted<P: VertexProgram + Clone>(graph: &Graph, program_of: &P, plan: Plan) -> (Work, u64) {
        let run = |count_work: bool| {
            let options = Options { plan, count_work, ..Options::default() };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            pool.install(|| program(graph, &Arc::new(program_of.clone()), &options)).unwrap()
        };
        let (plain, answer) = (run(false), run(true));
        assert_eq!(plain.run().work, None);
        let bits = |x: &P::Value| x.bits();
        assert!(
            plain.values().iter().map(bits).eq(answer.values().iter().map(bits)),
            "counting changes values"
        );
        (answer.run().work.unwrap(), answer.run().rounds)
    }

    fn path() -> Graph {
        let edges: Vec<_> = (0..30).map(|v| (v, v + 1)).collect();
        Graph::from_edges(31, &edges, false).unwrap()
    }

    fn random(n: u64, m: u64) -> Graph {
        let end = |i: u64| (hash::mix(i, 3) % n) as u32;
        let edges: Vec<_> = (0..m).map(|i| (end(2 * i), end(2 * i + 1))).collect();
        Graph::from_edges(n as usize, &edges, false).unwrap()
    }

    const PLANS: [Plan; 3] = [Plan::AUTO, Plan::bsp(Some(Direction::Push)), Plan::bsp(Some(Direction::Pull))];

    #[test]
    fn a_search_updates_every_vertex_that_it_reaches_once() {
        for plan in PLANS {
            assert_eq!(counted(&path(), &Hops::from(0), plan).0.updates, 30, "{plan}");
            let graph = random(500, 2000);
            let hops = program(&graph, &Arc::new(Hops::from(0)), &Options::default()).unwrap();
            let reached = hops.values().iter().filter(|&&hops| hops != u32::MAX).count() as u64;
            assert_eq!(counted(&graph, &Hops::from(0), plan).0.updates, reached - 1, "{plan}");
        }
    }

    #[test]
    fn pushing_sends_along_all_arcs_of_the_frontier() {
        let (work, _) = counted(&path(), &Hops::from(0), PLANS[1]);
        // Each of 60 arcs once. Rows: an offset and a value; arcs: a target; messages: a value.
        assert_eq!(work, Work { updates: 30, merges: 0, edges: 60, bytes: 60 * (4 + 4) + 31 * (4 + 4) });
    }

    #[test]
    fn a_value_that_improves_twice_is_two_updates() {
        // The direct way to vertex 2 is longer than the one through vertex 1.
        let graph = Graph::from_weighted_edges(3, &[(0, 1, 1.0), (0, 2, 5.0), (1, 2, 1.0)], true).unwrap();
        let work = counted(&graph, &ShortestPaths::<f64>::from(0), PLANS[1]).0;
        assert_eq!((work.updates, work.edges, work.merges), (3, 3, 0));
        // Vertex 2 has a row in two frontiers.
        assert_eq!(work.bytes, 3 * (4 + 8 + 8) + 4 * (4 + 8));
    }

    #[test]
    fn sums_count_every_message_that_is_not_zero() {
        let graph = random(300, 900);
        let ranks = Ranks::<f64>::of(&graph, 0.85, Halt::rounds(5));
        let (pulled, rounds) = counted(&graph, &ranks, PLANS[2]);
        assert_eq!((pulled.updates, pulled.edges), (rounds * graph.arcs() as u64, pulled.updates));
        let (pushed, _) = counted(&graph, &ranks, PLANS[1]);
        // A vertex that has sent its change already, because it came in the same superstep, sends 0.
        let most = pushed.edges / 10 * 9..=pushed.edges;
        assert!(pushed.edges > graph.arcs() as u64 && most.contains(&pushed.updates), "{pushed:?}");
    }

    /// Takes a third of what arrives.
    #[derive(Clone)]
    struct Applied;

    impl VertexProgram for Applied {
        type Value = u32;
        type Weight = ();
        type Column = ();
        const NAME: &'static str = "applied";
        const COMBINE: Combine = Combine::Max;
        fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u32> {
            v.id * d.lit(1000)
        }
        fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<u32> {
            e.value
        }
        fn apply<D: Dialect>(
            &self,
            d: &D,
            _: Vertex<D, ()>,
            old: D::Val<u32>,
            arrived: D::Val<u32>,
        ) -> D::Val<u32> {
            d.max(old, arrived / d.lit(3))
        }
    }

    #[test]
    fn programs_with_their_own_apply_count_as_much_in_both_directions() {
        let graph = random(300, 900);
        let (pushed, pulled) = (counted(&graph, &Applied, PLANS[1]).0, counted(&graph, &Applied, PLANS[2]).0);
        assert_eq!(pushed.edges, pulled.edges);
        assert!(pushed.updates > 0 && pulled.updates > 0 && pulled.updates <= pulled.edges, "{pulled:?}");
    }
}
