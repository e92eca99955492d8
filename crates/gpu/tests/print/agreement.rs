//! Printed programs compute what the interpreter does, bit by bit.

use crate::{
    draw,
    host::Host,
    programs::{self, Case, Sink},
    random,
    words::same,
};
use std::fmt::Write as _;
use warpgraph_core::{
    graph::hash,
    program::{
        Expression, Scalar, ScalarType,
        trace::{BLOCK, Field, Input, Interpreter, Lane},
    },
};
use warpgraph_gpu::print::Types;

/// Shows one row of inputs to a program: the value, what arrived, the weight; source, target and the vertex itself.
const ROWS: &str = r"
struct VertexSight {
    const u64* fields;
    DEVICE u32 id() const { return (u32)fields[0]; }
    DEVICE u32 degree() const { return (u32)fields[1]; }
    DEVICE Column column(u32 i) const { return Scalar<Column>::of_bits(fields[2 + i]); }
};
";
const RUN: &str = r"(const u64* params, const u64* row, u64 count, u64* out) {
    const Program program{params};
    for (u64 i = 0; i < count; i++, row += 3 + 3 * (2 + COLUMNS), out += 5) {
        const Value value = Scalar<Value>::of_bits(row[0]), arrived = Scalar<Value>::of_bits(row[1]);
        const Weight weight = Scalar<Weight>::of_bits(row[2]);
        const VertexSight source{row + 3}, target{row + 5 + COLUMNS}, v{row + 7 + 2 * COLUMNS};
        out[0] = wide(program.init(v));
        out[1] = wide(program.start(v));
        out[2] = wide(program.message(value, weight, source, target));
        out[3] = wide(program.apply(v, value, arrived));
        out[4] = wide(program.active(value, arrived));
    }
}
}
#undef COLUMNS
#undef READS_WEIGHT
#undef MESSAGE_OF_SOURCE
#undef PLAIN
";

/// All programs in one text, each in a namespace of its own.
fn text(cases: &[Case]) -> String {
    let mut text = String::new();
    for (i, Case { printed, .. }) in cases.iter().enumerate() {
        let (types, program) = (&printed.types, &printed.program);
        let _ = write!(text, "namespace p{i} {{\n{types}{ROWS}{program}extern \"C\" void run{i}{RUN}");
    }
    text
}

/// The inputs in the order of a row, with their types.
fn row(types: Types) -> Vec<(Input, ScalarType)> {
    let mut row =
        vec![(Input::Value, types.value), (Input::Arrived, types.value), (Input::Weight, types.weight)];
    for of in [Input::Source, Input::Target, Input::Own] {
        row.extend([Field::Id, Field::Degree].map(|field| (of(field), ScalarType::U32)));
        row.extend((0..types.columns as u32).map(|at| (of(Field::Column(at)), types.column)));
    }
    row
}

/// Numbers by their bits, in a column of whatever type.
fn fill(lane: &mut Lane, bits: impl Iterator<Item = u64>) {
    match lane.kind() {
        ScalarType::Bool | ScalarType::U64 => lane.fill(bits),
        ScalarType::U32 => lane.fill(bits.map(<u32 as Scalar>::from_bits)),
        ScalarType::I32 => lane.fill(bits.map(<i32 as Scalar>::from_bits)),
        ScalarType::F32 => lane.fill(bits.map(<f32 as Scalar>::from_bits)),
        ScalarType::F64 => lane.fill(bits.map(<f64 as Scalar>::from_bits)),
    }
}

/// Compares so many blocks of drawn rows.
fn agree(cases: &[Case], blocks: usize) {
    let host = Host::compile(&text(cases));
    for (at, case) in cases.iter().enumerate() {
        let row = row(case.types);
        let traced = &case.traced;
        let functions: [(&str, &Expression); 5] = [
            ("init", &traced.init),
            ("start", &traced.start),
            ("message", &traced.message),
            ("apply", &traced.apply),
            ("active", &traced.active),
        ];
        let mut interpreters = functions.map(|(_, function)| Interpreter::new(function));
        for block in 0..blocks {
            let seed = hash::mix(at as u64, block as u64);
            let draw = |i: usize| draw::bits(row[i % row.len()].1, hash::mix(seed, i as u64));
            let rows: Vec<u64> = (0..BLOCK * row.len()).map(draw).collect();
            let mut out = vec![0; BLOCK * functions.len()];
            host.call(&format!("run{at}"), [&case.printed.slots(), &rows], BLOCK, &mut out);
            for (f, interpreter) in interpreters.iter_mut().enumerate() {
                let lane = interpreter.run(BLOCK, |input, lane| {
                    let column = row.iter().position(|(known, _)| *known == input).unwrap();
                    fill(lane, rows.iter().skip(column).step_by(row.len()).copied());
                });
                for i in 0..BLOCK {
                    let (expected, got) = (lane.constant(i), out[i * functions.len() + f]);
                    let inputs = &rows[i * row.len()..][..row.len()];
                    assert!(
                        same(expected.kind, got, expected.bits),
                        "{} {}: {got:#x} printed, {:#x} interpreted, of {row:?} = {inputs:x?}\n{}\n{}",
                        case.name,
                        functions[f].0,
                        expected.bits,
                        functions[f].1,
                        case.printed.program,
                    );
                }
            }
        }
    }
}

#[test]
fn programs_of_the_library_compute_what_the_interpreter_does() {
    agree(&programs::all(), 8);
}

#[test]
fn every_operation_and_cast_computes_what_the_interpreter_does() {
    agree(&[programs::case("sink", &Sink {})], 16);
}

#[test]
fn random_programs_compute_what_the_interpreter_does() {
    let cases: Vec<Case> = (0..50).map(random::program).collect();
    agree(&cases, 4);
}
