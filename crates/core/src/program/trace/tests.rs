//! Tests the text of expressions, word for word, folding, and contradictory parameters.

use super::*;
use crate::program::{Combine, Edge, VertexProgram, Weight, library::*};

fn message<P: VertexProgram>(program: &P) -> String {
    Traced::of(program).unwrap().message.to_string()
}

#[test]
fn expressions_print_as_they_were_written() {
    assert_eq!(
        message(&ShortestPaths::<f32>::from(3)),
        "%0: f32 = value\n\
         %1: f32 = weight\n\
         %2: f32 = add %0 %1\n\
         %3: bool = lt %2 %0\n\
         %4: f32 = inf\n\
         %5: f32 = select %3 %4 %2\n"
    );
    assert_eq!(
        message(&HopTree { source: 3, limit: 9 }),
        "%0: u64 = value\n\
         %1: u32 = source.id\n\
         %2: u32 = hi %0\n\
         %3: u32 = 1\n\
         %4: u32 = add %2 %3\n\
         %5: u64 = pack %4 %1\n\
         %6: u32 = param \"limit\"\n\
         %7: bool = lt %2 %6\n\
         %8: u64 = 18446744073709551615\n\
         %9: u64 = select %7 %5 %8\n"
    );
    let hops = Traced::of(&Hops::from(3)).unwrap();
    assert_eq!(hops.apply.to_string(), "%0: u32 = value\n%1: u32 = arrived\n%2: u32 = least %0 %1\n");
    assert_eq!(
        hops.active.to_string(),
        "%0: u32 = value\n%1: u32 = arrived\n%2: bool = eq %0 %1\n%3: bool = not %2\n"
    );
    assert!(hops.plain);
}

#[test]
fn a_new_parameter_value_changes_no_expression() {
    let (one, other) = (Traced::of(&Hops::from(1)).unwrap(), Traced::of(&Hops::from(2)).unwrap());
    assert_eq!(one.init.to_string(), other.init.to_string());
    assert_eq!(one.init.nodes(), other.init.nodes());
    assert_eq!((one.init.params[0].name, one.init.params[0].value), ("source", Constant::of(1u32)));
    assert_eq!(other.init.params[0].value, Constant::of(2u32));
}

#[test]
fn equal_expressions_are_one_and_literals_are_computed() {
    let tracer = Tracer::default();
    let d = tracer.dialect();
    let x: Handle<'_, f64> = d.input(Input::Value);
    let twice = d.lit(1.0) + d.lit(1.0);
    let y = x * twice + x * d.lit(2.0);
    assert_eq!(
        tracer.finish(y).unwrap().to_string(),
        "%0: f64 = value\n%1: f64 = 2.0\n%2: f64 = mul %0 %1\n%3: f64 = add %2 %2\n"
    );
    let z = d.select(d.lt(d.lit(1u32), d.lit(2)), d.cast::<u32, i32>(d.lit(u32::MAX)), d.lit(5));
    assert_eq!(tracer.finish(z).unwrap().to_string(), "%0: i32 = -1\n");
}

/// Uses a parameter in a way that depends on its field.
struct Twice(u32);

impl VertexProgram for Twice {
    type Value = f64;
    type Weight = f64;
    type Column = ();
    const NAME: &'static str = "twice";
    const COMBINE: Combine = Combine::Max;
    fn init<D: Dialect>(&self, d: &D, _: crate::program::Vertex<D, ()>) -> D::Val<f64> {
        d.param("a", 1.0)
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<f64> {
        let weight: <f64 as Weight>::In<D> = e.weight;
        match self.0 {
            0 => e.value * d.param("a", 1.0) + weight,
            1 => e.value * d.param("a", 2.0),
            2 => d.param("b", 1.0) + d.cast(d.param("b", 1u32)),
            _ => d.param("b", 1.0) + d.param("b", 2.0),
        }
    }
}

#[test]
fn one_name_has_one_type_and_one_value() {
    let problem = |n| Traced::of(&Twice(n)).map_or_else(|e| e.to_string(), |_| String::new());
    assert_eq!(problem(0), "");
    assert_eq!(problem(1), "twice: parameter \"a\" has two values in one run", "in two functions");
    assert_eq!(problem(2), "twice: parameter \"b\" is used as f64 and as u32");
    assert_eq!(problem(3), "twice: parameter \"b\" has two values in one run");
}

#[test]
fn blocks_of_any_length_are_interpreted() {
    let traced = Traced::of(&Twice(0)).unwrap();
    let mut interpreter = Interpreter::new(&traced.message);
    for len in [0, 1, 7, BLOCK] {
        let lane = interpreter.run(len, |input, lane| match input {
            Input::Value => lane.fill((0..len).map(|i| i as f64)),
            _ => lane.fill((0..len).map(|_| 0.5)),
        });
        assert_eq!(*lane, Lane::F64((0..len).map(|i| i as f64 + 0.5).collect()));
    }
}
