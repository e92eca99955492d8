//! What the border refuses, word for word; and control.

use super::ask;
use crate::{
    Backend,
    fixtures::{self, Edges},
};
use warpgraph::{
    Control, Error, Halt, Plan, VertexProgram,
    graph::{Error as GraphError, build::EdgeWeights},
    program::{
        Combine, Dialect, Edge, Scalar, Seeds, Vertex,
        library::{Adsorption, Components, Hops, Ranks, ShortestPaths},
    },
};

/// A program of any kind.
#[derive(Clone)]
struct Any<T, const COMBINE: usize, const DISTRIBUTES: bool> {
    start: T,
    seeds: Seeds,
    halt: Halt,
    column: Vec<f64>,
    keep: bool,
}

fn any<T, const C: usize, const D: bool>(start: T) -> Any<T, C, D> {
    Any { start, seeds: Seeds::All, halt: Halt::default(), column: vec![0.0; 10], keep: true }
}

impl<T: Scalar, const C: usize, const DISTRIBUTES: bool> VertexProgram for Any<T, C, DISTRIBUTES> {
    type Value = T;
    type Weight = ();
    type Column = [f64; 1];
    const NAME: &'static str = "any";
    const COMBINE: Combine = [Combine::Min, Combine::Max, Combine::Sum, Combine::Or][C];
    const DISTRIBUTES: bool = DISTRIBUTES;
    fn init<D: Dialect>(&self, d: &D, _: Vertex<D, [f64; 1]>) -> D::Val<T> {
        d.param("start", self.start)
    }
    fn seeds(&self) -> Seeds {
        self.seeds.clone()
    }
    fn message<D: Dialect>(&self, _: &D, e: Edge<D, Self>) -> D::Val<T> {
        e.value
    }
    fn apply<D: Dialect>(
        &self,
        d: &D,
        _: Vertex<D, [f64; 1]>,
        old: D::Val<T>,
        arrived: D::Val<T>,
    ) -> D::Val<T> {
        if self.keep { d.combine(Self::COMBINE, old, arrived) } else { arrived }
    }
    fn halt(&self) -> Halt {
        self.halt
    }
    fn columns(&self) -> Vec<(&'static str, &[f64])> {
        if self.column.is_empty() { Vec::new() } else { vec![("column", &self.column)] }
    }
}

type Min = Any<f64, 0, false>;
type Sum = Any<f64, 2, false>;
type Delta = Any<f64, 2, true>;

fn refuses<P: VertexProgram>(backend: &Backend, program: P, expected: &str) {
    refuses_on(backend, "path, directed", program, Plan::AUTO, expected);
}

fn refuses_on<P: VertexProgram>(backend: &Backend, fixture: &str, program: P, plan: Plan, expected: &str) {
    match ask(backend, &fixtures::named(fixture).graph, program, plan) {
        Ok(_) => panic!("{fixture}: {} ran, expected: {expected}", P::NAME),
        Err(error) => assert_eq!(error.to_string(), expected, "{fixture}"),
    }
}

/// Every refusal, word for word.
pub(super) fn impossible_programs_get_their_exact_answer(backend: &Backend) {
    let rule = Halt::l1(1e-6);
    let decimal_or = "any: `Or` joins bits, and its values are decimals";
    refuses(backend, any::<f64, 3, false>(1.0), decimal_or);
    refuses(backend, any::<f64, 2, false>(1.0), "any: a sum needs a rule that ends it");
    let seeded = Sum { seeds: Seeds::one(3), halt: rule, ..any(1.0) };
    refuses(backend, seeded, "any: a sum starts at all vertices");
    let tolerant = "any: `min` ends when nothing changes any more, it has no tolerance";
    refuses(backend, Min { halt: rule, ..any(1.0) }, tolerant);
    let own = "any: a sum that distributes adds what arrives, and has an `apply` or `active` of its own";
    refuses(backend, Delta { halt: rule, keep: false, ..any(1.0) }, own);
    refuses(backend, Sum { halt: Halt::l1(f64::NAN), ..any(1.0) }, "any: its halt rule can never be met");
    refuses(backend, Min { halt: Halt::rounds(0), ..any(1.0) }, "any: its halt rule can never be met");
    let seed = "any: seed 10 is not a vertex, the graph has 10";
    refuses(backend, Min { seeds: Seeds::many([1, 10]), ..any(1.0) }, seed);
    refuses(backend, Min { column: Vec::new(), ..any(1.0) }, "any: it has 0 columns, and 1 are declared");
    let short = "any: column \"column\" has 9 values for 10 vertices";
    refuses(backend, Min { column: vec![0.0; 9], ..any(1.0) }, short);
    let mut column = vec![0.0; 10];
    column[7] = f64::NAN;
    refuses(backend, Min { column, ..any(1.0) }, "any: column \"column\" has NaN at vertex 7");
    refuses(backend, any::<f64, 0, false>(f64::NAN), "any: vertex number 0 starts with NaN");
    graphs_and_plans(backend);
}

fn graphs_and_plans(backend: &Backend) {
    let push = "push".parse().expect("a plan");
    let all_at_once = format!(
        "any on {} cannot run with `push`: a sum that does not declare DISTRIBUTES needs all messages of a superstep at once",
        backend.engine().device()
    );
    let sum = Sum { halt: Halt::l1(1e-6), ..any(1.0) };
    refuses_on(backend, "path, directed", sum, push, &all_at_once);
    let directed = "components: messages follow arcs, and this graph is directed";
    refuses(backend, Components {}, directed);
    let negative = "shortest-paths: weights must not be negative, the least is -3";
    refuses_on(backend, "negative weights, directed", ShortestPaths::<f64>::from(0), Plan::AUTO, negative);
    let decimal = "shortest-paths: it reads weights as u32, and those of the graph are f64";
    refuses_on(backend, "f64 random 2000, directed", ShortestPaths::<u32>::from(0), Plan::AUTO, decimal);
    let signed = "shortest-paths: it reads weights as i32, and those of the graph are u32";
    refuses_on(backend, "weighted grid, directed", ShortestPaths::<i32>::from(0), Plan::AUTO, signed);
    refuses_on(
        backend,
        "empty, directed",
        Hops::from(0),
        Plan::AUTO,
        "hops: seed 0 is not a vertex, the graph has 0",
    );
}

/// Weights of every type are read as the type a program wants, where that holds them.
pub(super) fn weights_are_read_as_wanted(backend: &Backend) {
    let weigh = |weights: EdgeWeights| Edges::new(3, [(0, 1), (1, 2), (0, 2)]).weights(weights).build(true);
    let far = |graph: &warpgraph::Graph| {
        let f64s = ask(backend, graph, ShortestPaths::<f64>::from(0), Plan::AUTO).expect("distances");
        let f32s = ask(backend, graph, ShortestPaths::<f32>::from(0), Plan::AUTO).expect("distances");
        assert_eq!(f64s.value(2), f32s.value(2).map(f64::from));
        f64s.value(2).expect("a vertex")
    };
    assert_eq!(far(&weigh(EdgeWeights::None)), 1.0, "unweighted arcs weigh 1");
    assert_eq!(far(&weigh(EdgeWeights::U32(vec![2, 3, 9]))), 5.0);
    assert_eq!(far(&weigh(EdgeWeights::F32(vec![2.5, 3.0, 9.0]))), 5.5);
    assert_eq!(far(&weigh(EdgeWeights::F64(vec![2.5, 3.0, 9.0]))), 5.5);
    let one = Edges::new(2, [(0, 1)]);
    let single = one.clone().weights(EdgeWeights::U32(vec![7])).build(true);
    let answer = ask(backend, &single, ShortestPaths::<u32>::from(0), Plan::AUTO).expect("distances");
    assert_eq!((answer.value(1), answer.value(0)), (Some(7), Some(0)));
    let bare = ask(backend, &one.build(true), ShortestPaths::<u32>::from(0), Plan::AUTO).expect("distances");
    assert_eq!(bare.value(1), Some(1));
}

/// A cancelled program is interrupted, whatever its form.
pub(super) fn a_cancelled_program_is_interrupted(backend: &Backend) {
    let control = Control::new();
    control.cancel();
    let graph = &fixtures::named("random 4097, undirected").graph;
    let ranks = Ranks::<f64>::of(graph, 0.85, Halt::l1(1e-9));
    let n = graph.vertices();
    let halt = Halt::l1(1e-9);
    let adsorption = Adsorption { inject: vec![1.0; n], pass: vec![0.01; n], weighted: false, halt };
    interrupted(backend, Hops::from(0), &control);
    interrupted(backend, ranks, &control);
    interrupted(backend, adsorption, &control);
    let keeps = Min { keep: false, column: vec![0.0; n], ..any(1.0) };
    interrupted(backend, keeps, &control);
}

fn interrupted<P: VertexProgram + Clone>(backend: &Backend, program: P, control: &Control) {
    let fixture = fixtures::named("random 4097, undirected");
    let loaded = backend.engine().load(&fixture.graph, backend.order()).expect("a graph");
    for plan in super::plans(backend, fixture, &program) {
        match loaded.program(program.clone()).plan(plan).control(control).run() {
            Err(Error::Graph(GraphError::Interrupted { .. })) => {}
            Err(error) => panic!("{} by {plan}: {error}", P::NAME),
            Ok(_) => panic!("{} by {plan}: it went on to the end", P::NAME),
        }
    }
}
