//! Recorded programs give what the programs in Rust give from which they were traced.

use super::recorded;
use crate::{Options, program};
use std::sync::Arc;
use warpgraph_core::{
    Answer, Halt,
    program::{
        Column, Kind, ProgramAnswer, Recorded, RecordedAnswer, Scalar, Seeds, Traced, VertexProgram,
        library::{Components, HopTree, Hops, Ranks, Reach, ShortestPaths, WidestPaths},
        recorded::Functions,
        trace::Lane,
    },
};
use warpgraph_graph::{Graph, NodeMap, generate::Spec};

/// Returns a program in Rust as a recorded one.
fn of<P: VertexProgram>(program: &P) -> Arc<Recorded> {
    let traced = Traced::of(program).unwrap();
    let functions = Functions {
        init: traced.init,
        message: traced.message,
        apply: Some(traced.apply),
        active: Some(traced.active),
    };
    let lane = |(name, values): (&str, &[<P::Column as Column>::Scalar])| {
        let mut lane = Lane::new(<P::Column as Column>::Scalar::TYPE);
        lane.fill(values.iter().copied());
        (name.to_owned(), lane)
    };
    let columns = program.columns().into_iter().map(lane).collect();
    Arc::new(Recorded::new(Kind::of::<P>(), functions, columns, program.seeds(), program.halt()).unwrap())
}

fn graphs() -> Vec<Graph> {
    [
        "kron:9,w=1..9",
        "grid:30x20,w=1..9",
        "uniform:8,directed,degree=3,w=1..9",
        "uniform:11,degree=20,w=1..9",
    ]
    .map(|spec| spec.parse::<Spec>().unwrap().generate(&Default::default()).unwrap())
    .into()
}

fn agree<P: VertexProgram>(
    make: impl Fn(&Graph) -> P,
    values: impl Fn(&RecordedAnswer) -> &ProgramAnswer<P::Value>,
) {
    for graph in graphs() {
        let expected = program(&graph, &Arc::new(make(&graph)), &Options::default()).unwrap();
        let recorded_program = of(&make(&graph));
        recorded_program.check(&graph).unwrap();
        let found = recorded(&graph, &recorded_program, &Options::default()).unwrap();
        assert_eq!(values(&found).values(), expected.values(), "{} on {:?}", P::NAME, graph.origin().name);
        found.verify(&graph).unwrap();
        // The same in another order, which the program must not notice.
        let order: Vec<u32> = (0..graph.vertices() as u32).rev().collect();
        let map = NodeMap::of_order(order).unwrap();
        let turned = graph.renumbered(&map, &Default::default()).unwrap();
        let options = Options { map: Some(map.clone()), ..Options::default() };
        let answer = recorded(&turned, &recorded_program, &options).unwrap().restore(&graph, &map).unwrap();
        assert_eq!(values(&answer).values(), expected.values(), "{} renumbered", P::NAME);
    }
}

macro_rules! typed {
    ($variant:ident) => {
        |answer| match answer {
            RecordedAnswer::$variant(answer) => answer,
            other => panic!("{other:?}"),
        }
    };
}

#[test]
fn programs_of_the_library_give_the_same_bits_when_they_are_recorded() {
    agree(|_| Hops::from(3), typed!(U32));
    agree(|graph| Reach::from([3, 5], graph.vertices()), typed!(U32));
    agree(|_| HopTree { source: 3, limit: 100 }, typed!(U64));
    agree(|_| Components {}, typed!(U32));
    agree(|_| ShortestPaths::<f32>::from(3), typed!(F32));
    agree(|_| ShortestPaths::<f64>::from(3), typed!(F64));
    agree(|_| WidestPaths::<f32>::from(3), typed!(F32));
}

#[test]
fn sums_converge_to_the_same_values_and_verify() {
    for graph in graphs() {
        let make = || Ranks::<f64>::of(&graph, 0.85, Halt::l1(1e-12).or(Halt::rounds(500)));
        let expected = program(&graph, &Arc::new(make()), &Options::default()).unwrap();
        let found = recorded(&graph, &of(&make()), &Options::default()).unwrap();
        let RecordedAnswer::F64(found) = found else { panic!("{found:?}") };
        for (a, b) in found.values().iter().zip(expected.values()) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
        found.verify(&graph).unwrap();
    }
}

/// A vertex takes what it hears if that is more than what it holds by 2, and wakes its neighbours for changes of 3.
struct Own;

impl VertexProgram for Own {
    type Value = f64;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "own";
    const COMBINE: warpgraph_core::program::Combine = warpgraph_core::program::Combine::Max;
    fn init<D: warpgraph_core::program::Dialect>(
        &self,
        d: &D,
        v: warpgraph_core::program::Vertex<D, ()>,
    ) -> D::Val<f64> {
        d.cast(v.id)
    }
    fn message<D: warpgraph_core::program::Dialect>(
        &self,
        d: &D,
        e: warpgraph_core::program::Edge<D, Self>,
    ) -> D::Val<f64> {
        e.value * d.lit(0.75)
    }
    fn apply<D: warpgraph_core::program::Dialect>(
        &self,
        d: &D,
        _: warpgraph_core::program::Vertex<D, ()>,
        old: D::Val<f64>,
        arrived: D::Val<f64>,
    ) -> D::Val<f64> {
        d.select(d.gt(arrived, old + d.lit(2.0)), arrived, old)
    }
    fn active<D: warpgraph_core::program::Dialect>(
        &self,
        d: &D,
        old: D::Val<f64>,
        new: D::Val<f64>,
    ) -> D::Bool {
        d.gt(new - old, d.lit(3.0))
    }
}

#[test]
fn a_program_with_an_apply_of_its_own_goes_through_the_same_supersteps() {
    for graph in graphs() {
        let expected = program(&graph, &Arc::new(Own), &Options::default()).unwrap();
        let found = recorded(&graph, &of(&Own), &Options::default()).unwrap();
        let RecordedAnswer::F64(found) = found else { panic!("{found:?}") };
        assert_eq!(found.values(), expected.values());
        found.verify(&graph).unwrap();
    }
}

#[test]
fn columns_weights_and_seeds_are_checked_in_words() {
    let graph = Graph::from_weighted_edges(3, &[(0, 1, 0.5)], true).unwrap();
    let traced = Traced::of(&Hops::from(0)).unwrap();
    let functions = || Functions {
        init: traced.init.clone(),
        message: traced.message.clone(),
        apply: None,
        active: None,
    };
    let kind = Kind::of::<Hops>();
    let said = |kind, columns, seeds| {
        let made = Recorded::new(kind, functions(), columns, seeds, Halt::default());
        made.and_then(|program| program.check(&graph)).unwrap_err().to_string()
    };
    let short = vec![("toll".to_owned(), Lane::U32(vec![1, 2]))];
    assert!(said(kind, short, Seeds::All).contains("column \"toll\" has 2 values for 3 vertices"));
    let nan = vec![("toll".to_owned(), Lane::F64(vec![1.0, f64::NAN, 2.0]))];
    assert!(said(kind, nan, Seeds::All).contains("NaN at vertex 1"));
    assert!(said(kind, Vec::new(), Seeds::one(7)).contains("seed 7 is not a vertex"));
    let weighted = Kind { weight: Some(warpgraph_core::program::ScalarType::U32), ..kind };
    assert!(said(weighted, Vec::new(), Seeds::All).contains("it reads weights as u32"));
    let decimal = Kind { value: warpgraph_core::program::ScalarType::F64, ..kind };
    assert!(said(decimal, Vec::new(), Seeds::All).contains("`init` returns u32, and f64 is expected"));
}

#[test]
fn a_wrong_answer_is_found_out() {
    let graph = &graphs()[0];
    let wrong = |seed: u32| {
        let RecordedAnswer::U32(answer) =
            recorded(graph, &of(&Hops::from(seed)), &Options::default()).unwrap()
        else {
            panic!()
        };
        answer
    };
    let (right, other) = (wrong(3), wrong(4));
    assert!(right.verify(graph).is_ok() && right.values() != other.values());
    let changed = |change: &dyn Fn(&mut [u32])| {
        let mut values = right.values().to_vec();
        change(&mut values);
        let program = of(&Hops::from(3));
        ProgramAnswer::of_recorded(graph, program, values.into(), None, right.run().clone()).verify(graph)
    };
    let at = right.values().iter().position(|&hops| hops == 2).unwrap();
    assert!(changed(&|_| ()).is_ok());
    assert!(changed(&|values| values[at] = 1).is_err());
    assert!(changed(&|values| values[at] = 5).is_err());
    assert!(changed(&|values| values[3] = 1).is_err());
}
