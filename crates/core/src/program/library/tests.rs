//! Every program computes the same bits natively and interpreted, and every program that declares `DISTRIBUTES`
//! distributes.

use super::*;
use crate::{
    Halt,
    program::{
        Column, Edge, Native, Plain, Scalar, Traced, Vertex, VertexProgram, Weight,
        trace::{BLOCK, Expression, Field, Input, Interpreter, Lane},
    },
};
use proptest::prelude::*;
use warpgraph_graph::{Graph, hash};

/// Returns a number for an input of arc `i`: often small or at the end of its type's range, sometimes random bits.
fn drawn<T: Scalar>(seed: u64, input: Input, i: usize) -> T {
    let salt = input.to_string().bytes().fold(seed, |h, b| hash::mix(h, u64::from(b)));
    let bits = hash::mix(salt, i as u64);
    match bits % 8 {
        0 => T::GREATEST,
        1 => T::LEAST,
        2 => T::ZERO,
        3 | 4 => ((bits >> 8) % 100).cast(),
        5 => (((bits >> 8) % 10_000) as f64 / 64.0).cast(),
        _ => T::from_bits(bits >> 3),
    }
}

fn vertex<P: VertexProgram>(seed: u64, i: usize, input: fn(Field) -> Input) -> Vertex<Native, P::Column> {
    Vertex {
        id: Plain(drawn(seed, input(Field::Id), i)),
        degree: Plain(drawn(seed, input(Field::Degree), i)),
        columns: P::Column::each::<Native>(|c| Plain(drawn(seed, input(Field::Column(c as u32)), i))),
    }
}

fn edge<P: VertexProgram>(seed: u64, i: usize) -> Edge<Native, P> {
    Edge {
        value: Plain(drawn(seed, Input::Value, i)),
        weight: P::Weight::pass::<Native>(|| Plain(drawn(seed, Input::Weight, i))),
        source: vertex::<P>(seed, i, Input::Source),
        target: vertex::<P>(seed, i, Input::Target),
    }
}

/// Interprets a block and compares it with `native`, bit by bit; all NaNs count as equal.
fn same<P: VertexProgram>(
    seed: u64,
    expression: &Expression,
    native: impl Fn(usize) -> P::Value,
    what: &str,
) {
    let fill = |input: Input, lane: &mut Lane| match input {
        Input::Value | Input::Arrived => lane.fill((0..BLOCK).map(|i| drawn::<P::Value>(seed, input, i))),
        Input::Weight => {
            lane.fill((0..BLOCK).map(|i| drawn::<<P::Weight as Weight>::Scalar>(seed, input, i)));
        }
        Input::Source(field) | Input::Target(field) | Input::Own(field) => match field {
            Field::Column(_) => {
                lane.fill((0..BLOCK).map(|i| drawn::<<P::Column as Column>::Scalar>(seed, input, i)));
            }
            _ => lane.fill((0..BLOCK).map(|i| drawn::<u32>(seed, input, i))),
        },
    };
    let mut interpreter = Interpreter::new(expression);
    let lane = interpreter.run(BLOCK, fill);
    for i in 0..BLOCK {
        let (native, traced) = (native(i), P::Value::from_bits(lane.constant(i).bits));
        let same = native.bits() == traced.bits() || !(native.is_number() || traced.is_number());
        assert!(same, "{} {what}, arc {i}: {native} natively, {traced} interpreted\n{expression}", P::NAME);
    }
}

fn agrees<P: VertexProgram>(program: &P, seed: u64) {
    let traced = Traced::of(program).unwrap();
    let own = |i| vertex::<P>(seed, i, Input::Own);
    let value = |i| Plain(drawn::<P::Value>(seed, Input::Value, i));
    let arrived = |i| Plain(drawn::<P::Value>(seed, Input::Arrived, i));
    same::<P>(seed, &traced.init, |i| program.init(&Native, own(i)).0, "init");
    same::<P>(seed, &traced.start, |i| program.start(&Native, own(i)).0, "start");
    same::<P>(seed, &traced.message, |i| program.message(&Native, edge::<P>(seed, i)).0, "message");
    same::<P>(seed, &traced.apply, |i| program.apply(&Native, own(i), value(i), arrived(i)).0, "apply");
    let truth = |i| program.active(&Native, value(i), arrived(i));
    let as_value = |i| if truth(i) { P::Value::from_bits(1) } else { P::Value::ZERO };
    same::<P>(seed, &traced.active, as_value, "active");
}

/// Checks `message(a joined b) = message(a) joined message(b)`: exactly for `Min`, `Max` and `Or`, up to rounding for
/// sums of numbers of moderate size.
fn distributes<P: VertexProgram>(program: &P, seed: u64) {
    assert!(P::DISTRIBUTES, "{}", P::NAME);
    for i in 0..200 {
        let edge = |value: P::Value| {
            let mut edge = edge::<P>(seed, i);
            edge.value = Plain(value);
            edge.source.degree = Plain(1 + i as u32 % 7);
            edge
        };
        let message = |value: P::Value| program.message(&Native, edge(value)).0;
        let moderate =
            |salt: u64| (((hash::mix(seed ^ salt, i as u64) % 4000) as f64) / 16.0).cast::<P::Value>();
        let (a, b) = (moderate(1), moderate(2));
        let (whole, parts) = (message(P::COMBINE.join(a, b)), P::COMBINE.join(message(a), message(b)));
        let (x, y) = (whole.to_f64(), parts.to_f64());
        let near =
            x == y || (x - y).abs() <= 1e-5 * x.abs().max(y.abs()) || !(x.is_finite() && y.is_finite());
        assert!(near, "{}: {a} and {b} give {whole} together, {parts} apart", P::NAME);
        assert!(
            P::COMBINE != crate::program::Combine::Sum
                || message(P::Value::ZERO).to_f64() == 0.0
                || !x.is_finite()
        );
    }
}

fn small() -> Graph {
    Graph::from_edges(4, &[(0, 1), (1, 2), (0, 3)], false).unwrap()
}

fn adsorption(weighted: bool) -> Adsorption {
    Adsorption { inject: vec![0.2; 4], pass: vec![0.4; 4], weighted, halt: Halt::l1(1e-6) }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn native_and_interpreted_agree_to_the_last_bit(seed: u64, source: u32, limit in 0..50u32) {
        let halt = Halt::l1(1e-6);
        agrees(&Reach::from([1, 2], 4), seed);
        agrees(&Hops { source, limit }, seed);
        agrees(&HopTree { source, limit }, seed);
        agrees(&ShortestPaths::<f32>::from(source), seed);
        agrees(&ShortestPaths::<f64>::from(source), seed);
        agrees(&ShortestPaths::<u32>::from(source), seed);
        agrees(&ShortestPaths::<u64>::from(source), seed);
        agrees(&ShortestPaths::<i32>::from(source), seed);
        agrees(&WidestPaths::<f32>::from(source), seed);
        agrees(&WidestPaths::<f64>::from(source), seed);
        agrees(&Components {}, seed);
        agrees(&Ranks::<f32>::of(&small(), 0.85, halt), seed);
        agrees(&Ranks::<f64>::of(&small(), 0.5, halt), seed);
        agrees(&adsorption(true), seed);
        agrees(&adsorption(false), seed);
    }

    #[test]
    fn programs_that_say_so_distribute(seed: u64) {
        distributes(&Reach::from([1], 4), seed);
        distributes(&Hops { source: 1, limit: 9 }, seed);
        distributes(&Hops::from(1), seed);
        distributes(&ShortestPaths::<f64>::from(1), seed);
        distributes(&ShortestPaths::<u64>::from(1), seed);
        distributes(&WidestPaths::<f32>::from(1), seed);
        distributes(&Components {}, seed);
        distributes(&Ranks::<f64>::of(&small(), 0.85, Halt::l1(1e-6)), seed);
        distributes(&adsorption(false), seed);
    }
}

#[test]
fn the_trace_knows_what_a_message_reads() {
    let of_source = |traced: Traced| traced.message_is_of_source();
    assert!(of_source(Traced::of(&Ranks::<f64>::of(&small(), 0.85, Halt::l1(1e-6))).unwrap()));
    assert!(of_source(Traced::of(&Hops::from(0)).unwrap()));
    assert!(!of_source(Traced::of(&ShortestPaths::<u32>::from(0)).unwrap()));
    assert!(!of_source(Traced::of(&adsorption(false)).unwrap()), "it reads the target's column");
    assert!(!Traced::of(&adsorption(false)).unwrap().message.reads(Input::Weight));
}
