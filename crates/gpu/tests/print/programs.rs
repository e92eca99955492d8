//! Programs to print: those of the library, and two of the tests' own.

use warpgraph_core::{
    Halt,
    graph::Graph,
    program::{Combine, Dialect, Edge, Float, Integer, Scalar, Traced, Vertex, VertexProgram, library::*},
};
use warpgraph_gpu::print::{self, Printed, Types};

/// A program, traced and printed.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) types: Types,
    pub(crate) traced: Traced,
    pub(crate) printed: Printed,
}

pub(crate) fn case<P: VertexProgram>(name: &'static str, program: &P) -> Case {
    let (types, traced) = (Types::of::<P>(), Traced::of(program).unwrap());
    let printed = print::program(P::NAME, &traced, types).unwrap();
    Case { name, types, traced, printed }
}

/// All programs of the library, and [`Settle`].
pub(crate) fn all() -> Vec<Case> {
    let graph = Graph::from_edges(4, &[(0, 1), (1, 2), (0, 3)], false).unwrap();
    let halt = Halt::l1(1e-6);
    let adsorption = |weighted| Adsorption { inject: vec![0.2; 4], pass: vec![0.4; 4], weighted, halt };
    vec![
        case("hops", &Hops { source: 3, limit: 9 }),
        case("hop-tree", &HopTree { source: 3, limit: 9 }),
        case("shortest-paths-u32", &ShortestPaths::<u32>::from(3)),
        case("shortest-paths-i32", &ShortestPaths::<i32>::from(3)),
        case("shortest-paths-u64", &ShortestPaths::<u64>::from(3)),
        case("shortest-paths-f32", &ShortestPaths::<f32>::from(3)),
        case("shortest-paths-f64", &ShortestPaths::<f64>::from(3)),
        case("widest-paths-f32", &WidestPaths::<f32>::from(3)),
        case("widest-paths-f64", &WidestPaths::<f64>::from(3)),
        case("components", &Components {}),
        case("ranks-f32", &Ranks::<f32>::of(&graph, 0.85, halt)),
        case("ranks-f64", &Ranks::<f64>::of(&graph, 0.85, halt)),
        case("adsorption", &adsorption(true)),
        case("adsorption-unweighted", &adsorption(false)),
        case("reach", &Reach::from([1, 2], 4)),
        case("settle", &Settle { rate: 0.5, limit: i32::MIN, quiet: 1e-3 }),
    ]
}

/// Has everything that a program may have: parameters shared by functions, columns, casts, an `apply` and an `active`.
pub(crate) struct Settle {
    pub(crate) rate: f64,
    pub(crate) limit: i32,
    pub(crate) quiet: f32,
}

impl VertexProgram for Settle {
    type Value = f32;
    type Weight = i32;
    type Column = [f64; 2];
    const NAME: &'static str = "settle";
    const COMBINE: Combine = Combine::Sum;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, [f64; 2]>) -> D::Val<f32> {
        let [_, second] = v.columns;
        d.cast(second * d.param("rate", self.rate))
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<f32> {
        let [first, _] = e.source.columns;
        let limit = d.param("limit", self.limit);
        let near = d.ge(e.weight, limit) & d.ne(e.target.id, e.source.id);
        let share = d.cast::<f64, f32>(first) * e.value / d.cast(e.source.degree);
        d.select(near, share, d.abs(d.cast(e.weight - d.lit(i32::MIN))))
    }
    fn apply<D: Dialect>(
        &self,
        d: &D,
        v: Vertex<D, [f64; 2]>,
        old: D::Val<f32>,
        arrived: D::Val<f32>,
    ) -> D::Val<f32> {
        let rate: D::Val<f32> = d.cast(d.param("rate", self.rate));
        let new = old + rate * (d.sqrt(arrived) - old);
        d.select(d.eq(v.degree, d.lit(0)), d.lit(-0.0), new)
    }
    fn active<D: Dialect>(&self, d: &D, old: D::Val<f32>, new: D::Val<f32>) -> D::Bool {
        d.not(d.lt(d.abs(new - old), d.param("quiet", self.quiet)))
    }
    fn halt(&self) -> Halt {
        Halt::rounds(9)
    }
}

/// Every operation on every type, and a cast for every pair of types, all of which its message depends on.
pub(crate) struct Sink {}

/// Puts a number into what is told of all: NaN and what is below 0 count as 0.
fn told<D: Dialect, T: Scalar>(d: &D, sum: &mut D::Val<u64>, x: D::Val<T>) {
    *sum = *sum * d.lit(0x9e37_79b9_7f4a_7c15) + d.cast(x);
}

/// 0 in the place of NaN. Computers do not agree on the sign of a NaN that they compute, and a join tells it apart.
pub(crate) fn number<D: Dialect, T: Scalar>(d: &D, x: D::Val<T>) -> D::Val<T> {
    d.select(d.eq(x, x), x, d.lit(T::ZERO))
}

fn of_all<D: Dialect, T: Scalar>(d: &D, sum: &mut D::Val<u64>, x: D::Val<T>, y: D::Val<T>) {
    let (one, none) = (d.lit(T::ONE), d.lit(T::ZERO));
    let old = number(d, x);
    for z in [
        x + y,
        x - y,
        x * y,
        x / y,
        d.abs(x),
        d.min(x, y),
        d.max(x, y),
        d.combine(Combine::Min, old, y),
        d.combine(Combine::Max, old, y),
        d.combine(Combine::Sum, x, y),
        d.combine(Combine::Or, old, y),
        d.select(d.eq(x, y), one, none),
        d.select(d.lt(x, y) | d.le(y, d.lit(T::GREATEST)), one, none),
        d.select(d.le(x, y) & !d.ge(x, d.lit(T::LEAST)), one, none),
    ] {
        told(d, sum, z);
        // Of what casts lose below 0, at least something.
        told(d, sum, d.lit(T::ZERO) - z);
    }
    told(d, sum, d.cast::<T, u32>(x));
    told(d, sum, d.cast::<T, i32>(x));
    told(d, sum, d.cast::<T, u64>(x));
    told(d, sum, d.cast::<T, f32>(x) * d.lit(4.0));
    told(d, sum, d.cast::<T, f64>(x) * d.lit(4.0));
}

fn of_whole<D: Dialect, T: Integer>(d: &D, sum: &mut D::Val<u64>, x: D::Val<T>, y: D::Val<T>) {
    of_all(d, sum, x, y);
    told(d, sum, d.bits_and(x, y));
    told(d, sum, d.bits_or(x, y));
}

fn of_decimal<D: Dialect, T: Float>(d: &D, sum: &mut D::Val<u64>, x: D::Val<T>, y: D::Val<T>) {
    of_all(d, sum, x, y);
    told(d, sum, d.sqrt(x));
}

impl VertexProgram for Sink {
    type Value = u64;
    type Weight = f64;
    type Column = [f32; 2];
    const NAME: &'static str = "sink";
    const COMBINE: Combine = Combine::Max;

    fn init<D: Dialect>(&self, d: &D, v: Vertex<D, [f32; 2]>) -> D::Val<u64> {
        d.pack(v.id, v.degree)
    }
    fn message<D: Dialect>(&self, d: &D, e: Edge<D, Self>) -> D::Val<u64> {
        let (source, target) = (e.source, e.target);
        let ([a, b], [c, _]) = (source.columns, target.columns);
        let sum = &mut d.lit(0);
        of_whole(d, sum, source.id, target.id);
        of_whole(d, sum, d.cast::<u32, i32>(source.degree), d.cast::<u32, i32>(target.degree));
        of_whole(d, sum, e.value, d.pack(source.id, target.degree));
        of_decimal(d, sum, a, b);
        of_decimal(d, sum, e.weight, d.cast(c));
        told(d, sum, d.hi(e.value));
        told(d, sum, d.lo(e.value));
        *sum
    }
}
