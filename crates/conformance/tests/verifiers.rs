//! A verifier that accepts everything is no verifier: right answers are damaged, and the damage must be named.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use warpgraph::{
    Adsorption, AdsorptionAnswer, Answer, Bc, BcAnswer, Bfs, BfsAnswer, ClosenessAnswer, Direction, Graph,
    Halted, KcoreAnswer, LabelPropagation, LabelPropagationAnswer, MstAnswer, Order, PageRank,
    PageRankAnswer, Plan, ProgramAnswer, Run, SccAnswer, SsspAnswer, TrianglesAnswer, VertexProgram,
    WccAnswer,
    bfs::UNREACHED,
    graph::{NO_VERTEX, Pages, Vertex, build::EdgeWeights},
    program::{
        Combine, Dialect, Edge, Scalar, Vertex as Seen,
        library::{Hops, Ranks, Reach, ShortestPaths, WidestPaths},
    },
    sssp::Distances,
    triangles::Local,
};
use warpgraph_conformance::{Backend, Cpu, fixtures::Edges};

fn run(halt: Halted) -> Run {
    Run {
        device: "cpu".to_owned(),
        plan: Plan::Bsp { direction: Some(Direction::Push) },
        order: Order::Natural,
        threads: 1,
        rounds: 1,
        halt,
        fetch_seconds: 0.0,
        prepare_seconds: 0.0,
        seconds: 0.0,
        state_bytes: 0,
        trace: Vec::new(),
    }
}

/// The rule that an answer breaks; empty if none.
fn broken(answer: &impl Answer, graph: &Graph) -> &'static str {
    answer.verify(graph).map_or_else(|violation| violation.rule, |()| "")
}

/// 0 -> 1 -> 2 -> 3, 0 -> 4 -> 3, 5 -> 0, 6 alone; vertices 5 and 6 are out of reach of 0.
fn graph() -> Graph {
    Edges::new(7, [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (5, 0)]).build(true)
}

mod bfs {
    use super::*;

    const DISTANCES: [u32; 7] = [0, 1, 2, 2, 1, UNREACHED, UNREACHED];
    const PARENTS: [Vertex; 7] = [0, 0, 1, 4, 0, NO_VERTEX, NO_VERTEX];
    const ROOT: &str = "only the source has distance 0 and is its own parent";
    const BOTH: &str = "a parent if and only if a distance";
    const PARENT: &str = "the parent is a neighbour one hop nearer";
    const NEAR: &str = "no arc leads more than one hop further out";

    fn verdict(distances: &[u32], parents: &[Vertex], limit: Option<u32>) -> &'static str {
        let (distances, parents) = (distances.to_vec().into(), parents.to_vec().into());
        let answer = BfsAnswer::new(&graph(), 0, limit, distances, parents, run(Halted::Converged));
        broken(&answer, &graph())
    }

    /// The right answer with vertex `v` given another distance and parent.
    fn damaged(v: usize, distance: u32, parent: Vertex) -> &'static str {
        let (mut distances, mut parents) = (DISTANCES, PARENTS);
        (distances[v], parents[v]) = (distance, parent);
        verdict(&distances, &parents, None)
    }

    #[test]
    fn the_right_tree_passes() {
        assert_eq!(verdict(&DISTANCES, &PARENTS, None), "");
        assert_eq!(verdict(&DISTANCES, &PARENTS, Some(2)), "");
    }

    #[test]
    fn every_damage_is_named() {
        assert_eq!(damaged(0, 1, 0), ROOT);
        assert_eq!(damaged(0, 0, 1), ROOT);
        assert_eq!(damaged(1, 0, 0), ROOT);
        assert_eq!(damaged(2, 2, 2), ROOT);
        assert_eq!(damaged(2, 2, NO_VERTEX), BOTH);
        assert_eq!(damaged(6, UNREACHED, 0), BOTH);
        assert_eq!(damaged(6, 3, NO_VERTEX), BOTH);
        assert_eq!(damaged(3, 2, 2), PARENT, "an arc, but not from one hop nearer");
        assert_eq!(damaged(3, 2, 1), PARENT, "one hop nearer, but no arc");
        assert_eq!(damaged(3, 2, 100), PARENT, "not a vertex");
        assert_eq!(damaged(6, 1, 0), PARENT, "invented");
        assert_eq!(damaged(5, 1, 0), PARENT, "against the arc");
        assert_eq!(damaged(3, UNREACHED, NO_VERTEX), NEAR, "left out");
    }

    #[test]
    fn a_longer_way_is_no_answer() {
        let distances = [0, 1, 2, 3, 1, UNREACHED, UNREACHED];
        assert_eq!(verdict(&distances, &[0, 0, 1, 2, 0, NO_VERTEX, NO_VERTEX], None), NEAR);
    }

    #[test]
    fn the_depth_limit_is_kept_and_reached() {
        let near = [0, 1, UNREACHED, UNREACHED, 1, UNREACHED, UNREACHED];
        let parents = [0, 0, NO_VERTEX, NO_VERTEX, 0, NO_VERTEX, NO_VERTEX];
        assert_eq!(verdict(&near, &parents, Some(1)), "");
        assert_eq!(verdict(&near, &parents, Some(2)), NEAR, "it stopped too early");
        let beyond = "no distance is beyond the depth limit";
        assert_eq!(verdict(&DISTANCES, &PARENTS, Some(1)), beyond, "it went too far");
    }

    #[test]
    fn an_answer_of_another_graph_is_refused() {
        let answer = Cpu::threads(1).ask(&graph(), &Bfs::from(0), Plan::Auto).expect("an answer");
        assert_eq!(broken(&answer, &Edges::new(3, [(0, 1)]).build(true)), "one value a vertex");
    }
}

mod sssp {
    use super::*;

    const NONE: u32 = u32::MAX;
    const SHORTER: &str = "no arc makes a distance shorter";
    const NO_PATH: &str = "every distance is the length of a path";
    const TYPE: &str = "distances hold sums of the weights";

    fn verdict(graph: &Graph, distances: Distances) -> &'static str {
        broken(&SsspAnswer::new(graph, 0, distances, run(Halted::Converged)), graph)
    }

    fn weighted(weights: EdgeWeights) -> Graph {
        Edges::new(5, [(0, 1), (0, 2), (2, 1), (1, 3), (4, 0)]).weights(weights).build(true)
    }

    #[test]
    fn every_damage_is_named() {
        let graph = weighted(EdgeWeights::U32(vec![10, 1, 2, 1, 1]));
        let verdict = |d: [u32; 5]| verdict(&graph, Distances::U32(d.to_vec().into()));
        assert_eq!(verdict([0, 3, 1, 4, NONE]), "");
        assert_eq!(verdict([1, 3, 1, 4, NONE]), "the source has distance 0");
        assert_eq!(verdict([NONE, 3, 1, 4, NONE]), "the source has distance 0");
        assert_eq!(verdict([0, 10, 1, 11, NONE]), SHORTER, "the detour is shorter");
        assert_eq!(verdict([0, 3, 1, NONE, NONE]), SHORTER, "left out");
        assert_eq!(verdict([0, 3, 1, 3, NONE]), NO_PATH, "too short");
        assert_eq!(verdict([0, 2, 1, 3, NONE]), NO_PATH, "a vertex and what hangs on it, too short");
        assert_eq!(verdict([0, 3, 1, 4, 0]), NO_PATH, "invented");
    }

    #[test]
    fn a_ring_of_weight_zero_does_not_hold_itself_up() {
        let graph = Edges::new(4, [(0, 1), (2, 3), (3, 2)]).weigh(|_| 0).build(true);
        assert_eq!(verdict(&graph, Distances::U32(vec![0, 0, NONE, NONE].into())), "");
        assert_eq!(verdict(&graph, Distances::U32(vec![0, 0, 5, 5].into())), NO_PATH);
    }

    #[test]
    fn distances_that_wrapped_are_found() {
        let graph = Edges::new(3, [(0, 1), (1, 2)]).weigh(|i| [u32::MAX - 1, 5][i]).build(true);
        let wrapped = (u32::MAX - 1).wrapping_add(5);
        assert_eq!(verdict(&graph, Distances::U32(vec![0, u32::MAX - 1, wrapped].into())), NO_PATH);
        assert_eq!(verdict(&graph, Distances::U64(vec![0, 4_294_967_294, 4_294_967_299].into())), "");
    }

    #[test]
    fn a_type_that_cannot_hold_the_sums_is_refused() {
        let negative = weighted(EdgeWeights::I32(vec![-3, 1, 2, 1, 1]));
        assert_eq!(verdict(&negative, Distances::I64(vec![0, -3, 1, -2, i64::MAX].into())), "");
        assert_eq!(verdict(&negative, Distances::U32(vec![0, 3, 1, 4, NONE].into())), TYPE);
        let decimal = weighted(EdgeWeights::F64(vec![0.5, 0.5, 0.5, 0.5, 0.5]));
        assert_eq!(verdict(&decimal, Distances::U64(vec![0, 0, 0, 0, u64::MAX].into())), TYPE);
    }

    #[test]
    fn decimals_are_held_to_the_last_bit() {
        let graph = weighted(EdgeWeights::F64(vec![10.0, 0.1, 0.2, 0.3, 1.0]));
        let far = f64::INFINITY;
        let right = [0.0, 0.1 + 0.2, 0.1, 0.1 + 0.2 + 0.3, far];
        let verdict = |d: [f64; 5]| verdict(&graph, Distances::F64(d.to_vec().into()));
        assert_eq!(verdict(right), "");
        let [zero, one, two, three, _] = right;
        assert_eq!(verdict([zero, one, two, three.next_up(), far]), SHORTER);
        assert_eq!(verdict([zero, one, two, three.next_down(), far]), NO_PATH);
        assert_eq!(verdict([zero, one, two, f64::NEG_INFINITY, far]), NO_PATH);
        assert_eq!(verdict([zero, one, two, f64::NAN, far]), "every distance is a number");
    }
}

mod pagerank {
    use super::*;

    fn verdict(ranks: Vec<f64>, residual: f64, halt: Halted) -> &'static str {
        let config = PageRank::default();
        let answer = PageRankAnswer::new(&graph(), &config, Pages::from(ranks), residual, run(halt));
        broken(&answer, &graph())
    }

    fn right() -> Vec<f64> {
        warpgraph::oracle::pagerank(&graph(), &PageRank::default()).expect("ranks")
    }

    /// The right ranks with `amount` moved from vertex 3 to vertex `to`.
    fn moved(amount: f64, to: usize) -> Vec<f64> {
        let mut ranks = right();
        ranks[3] -= amount;
        ranks[to] += amount;
        ranks
    }

    #[test]
    fn every_damage_is_named() {
        let fixed = "a sweep does not change the ranks";
        let verdict = |ranks| verdict(ranks, 1e-7, Halted::Tolerance);
        assert_eq!(verdict(right()), "");
        assert_eq!(verdict(moved(1e-8, 6)), "", "within the tolerance");
        assert_eq!(verdict(moved(1e-5, 6)), fixed);
        assert_eq!(verdict(vec![1.0 / 7.0; 7]), fixed, "where it started");
        assert_eq!(verdict(moved(1.0, 0)), "every rank is a number from 0");
        assert_eq!(verdict(moved(f64::NAN, 0)), "every rank is a number from 0");
        assert_eq!(verdict(right().iter().map(|x| x * 7.0).collect()), "ranks sum to 1", "a sum of n");
        assert_eq!(verdict(vec![1.0]), "one value a vertex");
    }

    #[test]
    fn a_run_that_used_its_sweeps_up_is_held_to_the_change_it_reported() {
        assert_eq!(verdict(moved(1e-3, 6), 1e-2, Halted::MaxIterations), "");
        let fixed = "a sweep does not change the ranks";
        assert_eq!(verdict(moved(1e-3, 6), 1e-5, Halted::MaxIterations), fixed);
        assert_eq!(verdict(moved(1e-3, 6), f64::NAN, Halted::MaxIterations), fixed);
    }
}

mod wcc {
    use super::*;

    #[test]
    fn every_damage_is_named() {
        let verdict = |names: &[Vertex]| {
            let names = Pages::from(names.to_vec());
            broken(&WccAnswer::new(&graph(), names, run(Halted::Converged)), &graph())
        };
        let smallest = "a component is named by its smallest vertex";
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, 6]), "");
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, 0]), "a component hangs together", "6 is alone");
        assert_eq!(verdict(&[0, 0, 2, 2, 0, 0, 6]), "both ends of an arc are in one component");
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 5, 6]), "both ends of an arc are in one component");
        assert_eq!(verdict(&[1, 1, 1, 1, 1, 1, 6]), smallest);
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, 5]), smallest, "a name that is not its own");
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 0, NO_VERTEX]), smallest);
        assert_eq!(verdict(&[0]), "one value a vertex");
    }
}

mod triangles {
    use super::*;

    /// Two triangles that share an edge, 0 1 2 and 1 2 3, an arm 3 - 4, and 5 alone; one edge has both directions, one is
    /// there twice, and there is a loop.
    fn graph() -> Graph {
        Edges::new(6, [(0, 1), (1, 0), (1, 2), (2, 0), (2, 3), (2, 3), (3, 1), (3, 4), (4, 4)]).build(true)
    }

    const COUNTS: [u64; 6] = [1, 2, 2, 1, 0, 0];
    const DEGREES: [u32; 6] = [2, 3, 3, 3, 1, 0];

    fn verdict(total: u64, counts: &[u64], degrees: &[u32]) -> &'static str {
        let local = Local { triangles: counts.to_vec().into(), degrees: degrees.to_vec().into() };
        broken(&TrianglesAnswer::new(&graph(), total, Some(local), run(Halted::Converged)), &graph())
    }

    fn total(total: u64) -> &'static str {
        broken(&TrianglesAnswer::new(&graph(), total, None, run(Halted::Converged)), &graph())
    }

    #[test]
    fn every_damage_is_named() {
        assert_eq!(verdict(2, &COUNTS, &DEGREES), "");
        assert_eq!(verdict(2, &COUNTS, &[2, 3, 3, 4, 1, 0]), "a degree counts every other vertex once");
        assert_eq!(verdict(2, &COUNTS, &[3, 3, 3, 3, 1, 0]), "a degree counts every other vertex once");
        assert_eq!(verdict(2, &[1, 2, 2, 0, 1, 0], &DEGREES), "no more triangles than pairs of neighbours");
        assert_eq!(verdict(2, &[1, 2, 2, 2, 0, 0], &DEGREES), "every triangle has three vertices");
        let at_every = "a recount finds as many triangles at every vertex";
        assert_eq!(verdict(2, &[1, 3, 1, 1, 0, 0], &DEGREES), at_every, "one moved");
        assert_eq!(verdict(3, &[1, 3, 3, 2, 0, 0], &DEGREES), "a recount finds as many triangles");
        assert_eq!(verdict(2, &[2], &DEGREES), "one value a vertex");
    }

    #[test]
    fn a_total_alone_is_recounted() {
        assert_eq!(total(2), "");
        assert_eq!(total(1), "a recount finds as many triangles");
        assert_eq!(total(12), "a recount finds as many triangles", "each counted six times");
    }
}

mod kcore {
    use super::*;

    #[test]
    fn every_damage_is_named() {
        // A triangle 0 1 2 with a tail 2 - 3 - 4, a loop at the end of it, and 5 alone.
        let graph = Edges::new(6, [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 4)]).build(false);
        let verdict = |cores: &[u32]| {
            broken(&KcoreAnswer::new(&graph, cores.to_vec().into(), run(Halted::Converged)), &graph)
        };
        let (lower, higher) =
            ("as many arcs into its core as its number", "no vertex belongs to a higher core");
        assert_eq!(verdict(&[2, 2, 2, 1, 1, 0]), "");
        assert_eq!(verdict(&[2, 2, 2, 2, 1, 0]), lower);
        assert_eq!(verdict(&[2, 2, 2, 1, 1, 1]), lower, "5 has no arc");
        assert_eq!(verdict(&[2, 2, 2, 1, 2, 0]), lower, "a loop is no arc to another");
        assert_eq!(verdict(&[1, 1, 1, 1, 1, 0]), higher, "a triangle is a core of 2");
        assert_eq!(verdict(&[2, 2, 2, 0, 0, 0]), higher, "3 and 4 hold each other");
        assert_eq!(verdict(&[2, 2, 1, 1, 1, 0]), lower);
        assert_eq!(verdict(&[0; 6]), higher);
        assert_eq!(verdict(&[u32::MAX; 6]), lower);
        assert_eq!(verdict(&[2]), "one value a vertex");
    }
}

mod scc {
    use super::*;

    /// 0 <-> 1 -> 2 -> 3 -> 4 -> 2, and 5 alone.
    fn graph() -> Graph {
        Edges::new(6, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2)]).build(true)
    }

    #[test]
    fn every_damage_is_named() {
        let verdict = |names: &[Vertex]| {
            let names = Pages::from(names.to_vec());
            broken(&SccAnswer::new(&graph(), names, run(Halted::Converged)), &graph())
        };
        let named = "a component is named by its smallest vertex";
        let reached = "its name reaches all of a component inside it";
        let reaching = "all of a component reach its name inside it";
        let cycle = "no cycle joins two components";
        assert_eq!(verdict(&[0, 0, 2, 2, 2, 5]), "");
        assert_eq!(verdict(&[0, 0, 0, 0, 0, 5]), reaching, "one way only");
        assert_eq!(verdict(&[0, 0, 2, 2, 2, 2]), reached, "5 is alone");
        assert_eq!(verdict(&[0, 1, 2, 2, 2, 5]), cycle, "0 and 1 taken apart");
        assert_eq!(verdict(&[0, 0, 2, 3, 4, 5]), cycle, "a ring taken apart");
        assert_eq!(verdict(&[0, 0, 2, 3, 2, 5]), reached, "4 without the way to it");
        assert_eq!(verdict(&[0, 0, 3, 3, 3, 5]), named);
        assert_eq!(verdict(&[0, 0, 2, 2, 2, NO_VERTEX]), named);
        assert_eq!(verdict(&[0]), "one value a vertex");
    }
}

mod mst {
    use super::*;
    use warpgraph::graph::Weights;

    /// A square with a diagonal, and an edge apart; ties between the sides of weight 2.
    fn graph(directed: bool) -> Graph {
        Edges::new(7, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (4, 5)])
            .weigh(|i| [1, 2, 2, 3, 2, 9][i])
            .build(directed)
    }

    fn verdict(edges: &[(Vertex, Vertex, u32)]) -> &'static str {
        let ends = |end: fn(&(Vertex, Vertex, u32)) -> Vertex| {
            Pages::from(edges.iter().map(end).collect::<Vec<_>>())
        };
        let weights = Weights::U32(edges.iter().map(|e| e.2).collect::<Vec<_>>().into());
        let verdicts = [false, true].map(|directed| {
            let graph = graph(directed);
            let (sources, targets) = (ends(|e| e.0), ends(|e| e.1));
            broken(&MstAnswer::new(&graph, sources, targets, weights.clone(), run(Halted::Converged)), &graph)
        });
        assert_eq!(verdicts[0], verdicts[1], "directions are ignored");
        verdicts[0]
    }

    #[test]
    fn every_damage_is_named() {
        let ordered = "edges come in order, the smaller end first";
        let real = "every edge is in the graph";
        let forest = "no edge closes a cycle";
        let spans = "both ends of an edge of the graph are in one tree";
        let least = "no edge of the graph is less than the greatest on the way between its ends";
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 5, 9)]), "");
        assert_eq!(
            verdict(&[(0, 1, 1), (1, 2, 2), (2, 3, 2), (4, 5, 9)]),
            least,
            "as light, but not the first"
        );
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (0, 3, 3), (4, 5, 9)]), least, "too heavy");
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2)]), spans, "4 and 5 are apart");
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (4, 5, 9)]), spans, "3 is left out");
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (1, 2, 2), (4, 5, 9)]), forest);
        assert_eq!(verdict(&[(0, 1, 1), (0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 5, 9)]), forest, "twice");
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 1), (2, 3, 2), (4, 5, 9)]), real, "a lighter weight");
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 6, 9)]), real, "invented");
        assert_eq!(verdict(&[(0, 1, 1), (2, 0, 2), (2, 3, 2), (4, 5, 9)]), ordered, "turned round");
        assert_eq!(verdict(&[(0, 2, 2), (0, 1, 1), (2, 3, 2), (4, 5, 9)]), ordered);
        assert_eq!(verdict(&[(0, 1, 1), (0, 2, 2), (2, 3, 2), (4, 100, 9)]), ordered, "not a vertex");
    }
}

mod label_propagation {
    use super::*;

    /// Two triangles, a path of two between them that swaps labels, and 8 alone.
    fn graph() -> Graph {
        Edges::new(9, [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (6, 7)]).build(false)
    }

    fn verdict(labels: &[Vertex], rounds: u64, halt: Halted, limit: u64) -> &'static str {
        let config = LabelPropagation::default().max_iterations(limit);
        let mut run = run(halt);
        run.rounds = rounds;
        let labels = Pages::from(labels.to_vec());
        broken(&LabelPropagationAnswer::new(&graph(), &config, labels, run), &graph())
    }

    #[test]
    fn every_damage_is_named() {
        let vertex = "a label is a vertex that hangs together with those it labels";
        let defined = "the labels are those of the definition";
        let cut = |labels: &[Vertex]| verdict(labels, 1, Halted::MaxIterations, 1);
        assert_eq!(cut(&[1, 0, 0, 4, 3, 3, 7, 6, 8]), "");
        assert_eq!(cut(&[0, 0, 0, 4, 3, 3, 7, 6, 8]), defined, "a round too far");
        assert_eq!(cut(&[0, 1, 2, 3, 4, 5, 6, 7, 8]), defined, "where it started");
        assert_eq!(cut(&[1, 0, 0, 4, 3, 3, 7, 6, 0]), vertex, "8 is alone");
        assert_eq!(cut(&[1, 0, 0, 4, 3, 3, 7, 6, NO_VERTEX]), vertex);
        assert_eq!(cut(&[0]), "one value a vertex");
        let swapped = [0, 0, 0, 3, 3, 3, 6, 7, 8];
        assert_eq!(
            verdict(&swapped, 4, Halted::MaxIterations, 10),
            "",
            "after 4 rounds all but 6 and 7 have settled"
        );
        assert_eq!(verdict(&swapped, 4, Halted::MaxIterations, 11), defined, "an odd number");
        assert_eq!(verdict(&swapped, 1, Halted::MaxIterations, 10), defined, "one round does not tell");
        assert_eq!(verdict(&swapped, 4, Halted::MaxIterations, 3), "no more rounds than allowed");
        assert_eq!(verdict(&swapped, 4, Halted::Converged, 10), "every vertex has the label it would take");
    }
}

mod bc {
    use super::*;

    const NUMBER: &str = "every score is a number from 0";
    const END: &str = "no path leads through an end";
    const SHARES: &str = "scores are sums of shares of shortest paths";
    const SUM: &str = "scores sum to the inner vertices of all paths";

    /// A ring of 6 with a tail, 5 - 6 - 7.
    fn ring() -> Graph {
        Edges::new(8, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (5, 6), (6, 7)]).build(false)
    }

    /// The verdict on raw sums from all vertices, each path counted both ways.
    fn verdict(config: &Bc, sources: Option<Vec<Vertex>>, sums: Vec<f64>) -> &'static str {
        broken(&BcAnswer::new(&ring(), config, sources, sums.into(), 0, run(Halted::Converged)), &ring())
    }

    fn raw(config: &Bc) -> Vec<f64> {
        warpgraph::oracle::bc(&ring(), config, None).into_iter().map(|score| 2.0 * score).collect()
    }

    #[test]
    fn every_damage_is_named() {
        let config = Bc::default();
        let damaged = |v: usize, sum: f64| {
            let mut sums = raw(&config);
            sums[v] = sum;
            verdict(&config, None, sums)
        };
        let right = raw(&config);
        assert_eq!(verdict(&config, None, right.clone()), "");
        assert_eq!(damaged(3, -1.0), NUMBER);
        assert_eq!(damaged(3, f64::NAN), NUMBER);
        assert_eq!(damaged(3, f64::INFINITY), NUMBER);
        assert_eq!(damaged(7, 1e-3), END, "a leaf");
        assert_eq!(damaged(5, right[5] + 0.5), SHARES, "the highest");
        assert_eq!(damaged(5, right[5] * (1.0 + 1e-7)), SHARES, "by a little");
        assert_eq!(verdict(&config, None, vec![0.0; 8]), SHARES, "nothing done");
        assert_eq!(verdict(&config, None, vec![1.0]), "one value a vertex");
        let wrong = (0..5).map(|v| damaged(v, right[v] + 1e-6)).collect::<Vec<_>>();
        assert!(wrong.contains(&SUM) && wrong.iter().all(|rule| [SUM, SHARES].contains(rule)), "{wrong:?}");
    }

    #[test]
    fn ends_and_sources_are_taken_as_asked() {
        let ends = Bc::default().endpoints();
        assert_eq!(verdict(&ends, None, raw(&ends)), "");
        assert_eq!(verdict(&ends, None, raw(&Bc::default())), SHARES, "ends left out");
        assert_eq!(verdict(&Bc::default(), None, raw(&ends)), END, "ends counted");
        let one = vec![0.0, 1.5, 0.5, 0.0, 0.5, 3.5, 1.0, 0.0];
        assert_eq!(verdict(&Bc::default(), Some(vec![0]), one.clone()), "");
        assert_eq!(verdict(&Bc::default(), Some(vec![1]), one.clone()), SHARES, "another source");
        let mut own = one;
        own[0] = 1.0;
        assert_eq!(verdict(&Bc::default().endpoints(), Some(vec![0]), own), SHARES);
    }

    #[test]
    fn only_the_only_source_may_be_nan() {
        let config = Bc::default().source(0);
        let answer = Cpu::threads(1).ask(&ring(), &config, Plan::Auto).expect("an answer");
        assert!(answer.scores()[0].is_nan() && broken(&answer, &ring()).is_empty());
        assert!(answer.figures().top.iter().all(|scored| !scored.score.is_nan()));
    }
}

mod closeness {
    use super::*;
    use warpgraph::closeness::Distances;

    /// 0 - 1 - 2 - 3, and 4 alone: how many are at distance 1, 2 and 3 of each.
    const COUNTS: [[u64; 3]; 5] = [[1, 1, 1], [2, 1, 0], [2, 1, 0], [1, 1, 1], [0, 0, 0]];

    fn path() -> Graph {
        Edges::new(5, [(0, 1), (1, 2), (2, 3)]).build(false)
    }

    fn verdict(counts: &[[u64; 3]], sources: Option<Vec<Vertex>>) -> &'static str {
        let mut distances = Distances::none(counts.len()).expect("a small graph");
        for (v, counts) in counts.iter().enumerate() {
            let v = v as Vertex;
            if sources.as_ref().is_none_or(|list| list.contains(&v)) {
                distances.add(v, 0, 0);
                counts.iter().zip(1..).for_each(|(&count, distance)| distances.add(v, distance, count));
            }
        }
        let run = run(Halted::Converged);
        broken(&ClosenessAnswer::new(&path(), sources, distances, run), &path())
    }

    /// The right answer with other counts for vertex `v`.
    fn damaged(v: usize, counts: [u64; 3]) -> &'static str {
        let mut all = COUNTS;
        all[v] = counts;
        verdict(&all, None)
    }

    #[test]
    fn every_damage_is_named() {
        let (near, sums, found) =
            ("neighbours differ by one hop", "sums that distances can have", "a search finds the same sums");
        assert_eq!(verdict(&COUNTS, None), "");
        assert_eq!(verdict(&COUNTS, Some(vec![1, 4])), "");
        assert_eq!(damaged(0, [3, 0, 0]), found, "as if next to all");
        assert_eq!(damaged(0, [1, 1, 0]), near, "one was not counted");
        assert_eq!(damaged(0, [0, 1, 2]), sums, "nobody next to it");
        assert_eq!(damaged(0, [0, 0, 3]), sums);
        assert_eq!(damaged(4, [1, 0, 0]), found, "nobody reaches it");
        assert_eq!(damaged(1, [1, 2, 0]), found, "one step too far");
        assert_eq!(verdict(&COUNTS[..4], None), "one value a vertex");
    }

    #[test]
    fn values_are_for_those_asked_about() {
        let answer = |sources| {
            let mut distances = Distances::none(5).expect("a small graph");
            distances.add(4, 0, 0);
            ClosenessAnswer::new(&path(), sources, distances, run(Halted::Converged))
        };
        assert_eq!(broken(&answer(Some(vec![4])), &path()), "");
        let asked = "values for the vertices asked about";
        assert_eq!(broken(&answer(Some(vec![3])), &path()), asked);
        assert_eq!(broken(&answer(None), &path()), asked);
    }
}

mod adsorption {
    use super::*;

    fn verdict(values: Vec<f64>, residual: f64, halt: Halted) -> &'static str {
        let answer = AdsorptionAnswer::new(&graph(), &config(), Pages::from(values), residual, run(halt));
        broken(&answer, &graph())
    }

    fn config() -> Adsorption {
        Adsorption::default().inject(0, 1.0)
    }

    fn right() -> Vec<f64> {
        warpgraph::oracle::adsorption(&graph(), &config()).expect("values")
    }

    /// The right values with `amount` more at vertex `at`.
    fn with(amount: f64, at: usize) -> Vec<f64> {
        let mut values = right();
        values[at] += amount;
        values
    }

    #[test]
    fn every_damage_is_named() {
        let still = "a sweep does not change the values";
        let verdict = |values| verdict(values, 1e-7, Halted::Tolerance);
        assert_eq!(verdict(right()), "");
        assert_eq!(verdict(with(1e-8, 3)), "", "within the tolerance");
        assert_eq!(verdict(with(1e-3, 3)), still);
        assert_eq!(verdict(with(1e-3, 6)), still, "a vertex nothing arrives at");
        assert_eq!(verdict(vec![0.0; 7]), still, "where it started");
        assert_eq!(verdict(with(2.0, 3)), "no value is beyond what is injected");
        assert_eq!(verdict(with(f64::NAN, 3)), "every value is a number");
        assert_eq!(verdict(vec![0.0]), "one value a vertex");
    }

    #[test]
    fn a_run_that_used_its_sweeps_up_is_held_to_the_residual_it_reported() {
        assert_eq!(verdict(with(1e-3, 3), 1e-2, Halted::MaxIterations), "");
        let still = "a sweep does not change the values";
        assert_eq!(verdict(with(1e-3, 3), 1e-5, Halted::MaxIterations), still);
        assert_eq!(verdict(with(1e-3, 3), f64::NAN, Halted::MaxIterations), still);
    }
}

mod programs {
    use super::*;
    use std::sync::Arc;
    use warpgraph::Halt;

    const FAR: u32 = u32::MAX;
    const BETTER: &str = "no message improves a value";
    const ATTAINED: &str = "every value is attained";
    const GROUND: &str = "a value does not hold itself up";

    fn verdict<P: VertexProgram>(
        graph: &Graph,
        program: P,
        values: &[P::Value],
        halt: Halted,
    ) -> &'static str {
        let values = Pages::from(values.to_vec());
        let residual = (P::COMBINE == Combine::Sum).then_some(1e-7);
        broken(&ProgramAnswer::new(graph, Arc::new(program), values, residual, run(halt)), graph)
    }

    #[test]
    fn every_damage_of_a_minimum_is_named() {
        let verdict = |values: [u32; 7]| verdict(&graph(), Hops::from(0), &values, Halted::Converged);
        assert_eq!(verdict([0, 1, 2, 2, 1, FAR, FAR]), "");
        assert_eq!(verdict([0, 1, 2, 3, 1, FAR, FAR]), BETTER, "a longer way");
        assert_eq!(verdict([0, 1, 2, FAR, 1, FAR, FAR]), BETTER, "left out");
        assert_eq!(verdict([0, 1, 2, 1, 1, FAR, FAR]), ATTAINED, "too near");
        assert_eq!(verdict([0, 1, 2, 2, 1, FAR, 4]), ATTAINED, "invented");
        assert_eq!(verdict([FAR, 1, 2, 2, 1, FAR, FAR]), BETTER, "the source");
    }

    #[test]
    fn a_ring_does_not_hold_itself_up() {
        let ring = Edges::new(4, [(0, 1), (2, 3), (3, 2)]).weigh(|_| 0).build(true);
        let shortest =
            |values: &[u32; 4]| verdict(&ring, ShortestPaths::<u32>::from(0), values, Halted::Converged);
        assert_eq!(shortest(&[0, 0, FAR, FAR]), "");
        assert_eq!(shortest(&[0, 0, 5, 5]), GROUND);
        let bits = "every bit follows, and no other";
        let reach = |values: &[u32; 4]| verdict(&ring, Reach::from([0], 4), values, Halted::Converged);
        assert_eq!(reach(&[1, 1, 0, 0]), "");
        assert_eq!(reach(&[1, 1, 1, 1]), bits);
        assert_eq!(reach(&[1, 0, 0, 0]), bits);
        let low = f64::NEG_INFINITY;
        let widest =
            |values: &[f64; 4]| verdict(&ring, WidestPaths::<f64>::from(0), values, Halted::Converged);
        assert_eq!(widest(&[f64::INFINITY, 0.0, low, low]), "");
        assert_eq!(widest(&[f64::INFINITY, 0.0, -3.0, -3.0]), GROUND);
        assert_eq!(widest(&[f64::INFINITY, f64::NAN, low, low]), "every value is a number");
    }

    #[test]
    fn a_sum_must_be_still() {
        let graph = graph();
        let program = || Ranks::<f64>::of(&graph, 0.85, Halt::l1(1e-6).or(Halt::rounds(100)));
        let loaded = Cpu::threads(1).engine().load(&graph, Order::Natural).unwrap();
        let right = loaded.program(program()).run().unwrap();
        let values = right.values().to_vec();
        assert_eq!(verdict(&graph, program(), &values, Halted::Tolerance), "");
        let still = "a superstep does not change the values";
        let mut wrong = values.clone();
        wrong[3] += 1e-4;
        assert_eq!(verdict(&graph, program(), &wrong, Halted::Tolerance), still);
        assert_eq!(verdict(&graph, program(), &wrong, Halted::MaxIterations), still, "more than it reported");
        let halved: Vec<f64> = values.iter().map(|x| x / 2.0).collect();
        assert_eq!(verdict(&graph, program(), &halved, Halted::Tolerance), still);
        assert_eq!(verdict(&graph, program(), &values[1..], Halted::Tolerance), "one value a vertex");
    }

    /// Says that a vertex changes once, and is wrong.
    #[derive(Clone)]
    struct Hasty;

    impl VertexProgram for Hasty {
        type Value = u32;
        type Weight = u32;
        type Column = ();
        const NAME: &'static str = "hasty";
        const COMBINE: Combine = Combine::Min;
        const ONCE: bool = true;
        fn init<D: Dialect>(&self, d: &D, v: Seen<D, ()>) -> D::Val<u32> {
            d.select(d.eq(v.id, d.lit(0)), d.lit(0), d.lit(u32::GREATEST))
        }
        fn seeds(&self) -> warpgraph::program::Seeds {
            warpgraph::program::Seeds::one(0)
        }
        fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<u32> {
            e.value + e.weight
        }
    }

    #[test]
    fn a_false_declaration_is_found_on_the_graph_at_hand() {
        let graph = Edges::new(3, [(0, 1), (0, 2), (2, 1)]).weigh(|i| [10, 1, 2][i]).build(true);
        let loaded = Cpu::threads(2).engine().load(&graph, Order::Natural).unwrap();
        let answer = loaded.program(Hasty).run().unwrap();
        assert_eq!(broken(&answer, &graph), BETTER);
    }
}
