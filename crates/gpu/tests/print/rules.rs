//! What becomes of parameters.

use crate::programs::{Settle, case};
use warpgraph_core::program::{
    Combine, Dialect, Edge, Scalar, Traced, Vertex, VertexProgram, library::Hops, trace::Param,
};
use warpgraph_gpu::print::{self, MAX_PARAMS, Types};

#[test]
fn another_parameter_value_gives_the_same_text_and_other_bits() {
    let one = case("one", &Hops { source: 1, limit: 9 }).printed;
    let other = case("other", &Hops { source: 2, limit: 7 }).printed;
    assert_eq!((&one.types, &one.program), (&other.types, &other.program));
    assert_eq!((&one.slots()[..2], &other.slots()[..2]), (&[1, 9][..], &[2, 7][..]));
    assert_eq!(one.slots()[2..], [0; MAX_PARAMS - 2]);
}

#[test]
fn slots_are_in_the_order_of_first_use_and_shared_by_name() {
    let printed = case("settle", &Settle { rate: -0.0, limit: -1, quiet: 0.5 }).printed;
    let names: Vec<&str> = printed.params.iter().map(|param: &Param| param.name).collect();
    assert_eq!(names, ["rate", "limit", "quiet"]);
    assert_eq!(printed.slots()[..3], [1 << 63, u64::from(u32::MAX), u64::from(0.5f32.to_bits())]);
    assert_eq!(printed.program.matches("params[0]").count(), 3, "in init, in start, and in apply");
}

/// Uses so many parameters, the last of which has a name of its own.
struct Many(usize, &'static str);

const NAMES: [&str; 32] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18",
    "19", "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31",
];

impl VertexProgram for Many {
    type Value = u64;
    type Weight = ();
    type Column = ();
    const NAME: &'static str = "many";
    const COMBINE: Combine = Combine::Min;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, ()>) -> D::Val<u64> {
        let names = NAMES.iter().copied().take(self.0 - 1).chain([self.1]);
        names.fold(d.cast(v.id), |sum, name| sum + d.param(name, u64::MAX))
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u64> {
        e.value + d.param(NAMES[0], u64::MAX)
    }
}

#[test]
fn more_parameters_than_slots_are_refused() {
    let print =
        |program: &Many| print::program(Many::NAME, &Traced::of(program).unwrap(), Types::of::<Many>());
    let full = print(&Many(MAX_PARAMS, "last")).unwrap();
    assert_eq!(full.slots(), [u64::MAX; MAX_PARAMS]);
    assert!(full.program.contains("params[31]); // \"last\""));
    let error = print(&Many(MAX_PARAMS + 1, "last")).unwrap_err();
    assert_eq!(error.to_string(), "many: it has 33 parameters, and a kernel takes 32 at most");
    assert!(error.help().unwrap().contains("d.lit"));
}

#[test]
fn no_name_of_a_parameter_ends_its_comment() {
    let text = case("many", &Many(2, "a\nb\\\n\u{2028}\"")).printed.program;
    let comments: Vec<&str> =
        text.lines().filter_map(|line| line.split_once("// ")).map(|(_, c)| c).collect();
    assert_eq!(comments[1], r#""a\nb\\\n\u{2028}\"""#);
    assert!(text.is_ascii());
}

#[test]
fn types_are_those_of_the_program() {
    let types = Types::of::<Settle>();
    assert_eq!((types.value, types.weight), (f32::TYPE, i32::TYPE));
    assert_eq!((types.column, types.columns, types.combine), (f64::TYPE, 2, Combine::Sum));
    let none = Types::of::<Many>();
    assert_eq!((none.weight, none.column, none.columns), (u32::TYPE, u32::TYPE, 0));
}
