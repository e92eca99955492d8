//! Random programs: operations drawn one after the other, each on results of earlier ones.

use crate::{
    draw,
    programs::{Case, number},
};
use warpgraph_core::{
    graph::hash,
    program::{
        Combine, Dialect, Expression, Scalar, ScalarType, Traced,
        trace::{Field, Handle, Input, Trace, Tracer, Truth},
    },
};
use warpgraph_gpu::print::{self, Types};

/// Operations a function.
const STEPS: u64 = 30;
const KINDS: [ScalarType; 5] =
    [ScalarType::U32, ScalarType::I32, ScalarType::U64, ScalarType::F32, ScalarType::F64];

/// A stream of numbers.
struct Draws {
    seed: u64,
    count: u64,
}

impl Draws {
    fn next(&mut self) -> u64 {
        self.count += 1;
        hash::mix(self.seed, self.count)
    }
    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 8) as usize % end
    }
    fn kind(&mut self) -> ScalarType {
        KINDS[self.below(KINDS.len())]
    }
    /// Rather a new one than an old one.
    fn pick<H: Copy>(&mut self, pool: &[H]) -> H {
        let range = if self.below(3) == 0 { pool.len() } else { pool.len().min(4) };
        pool[pool.len() - 1 - self.below(range)]
    }
}

/// What there is already, by type.
struct Pools<'t> {
    d: Trace<'t>,
    u32s: Vec<Handle<'t, u32>>,
    i32s: Vec<Handle<'t, i32>>,
    u64s: Vec<Handle<'t, u64>>,
    f32s: Vec<Handle<'t, f32>>,
    f64s: Vec<Handle<'t, f64>>,
    truths: Vec<Truth<'t>>,
}

/// Runs `$body` with `$T` the type of a kind and `$pool` the field that holds its numbers.
macro_rules! with_pool {
    ($kind:expr, |$T:ident, $pool:ident| $body:expr) => {
        with_pool!(@ $kind, $T, $pool, $body; U32 u32 u32s, I32 i32 i32s, U64 u64 u64s, F32 f32 f32s, F64 f64 f64s)
    };
    (@ $kind:expr, $T:ident, $pool:ident, $body:expr; $($name:ident $type:ident $field:ident),*) => {
        match $kind {
            ScalarType::Bool => unreachable!("truth values are apart"),
            $(ScalarType::$name => {
                #[allow(dead_code, reason = "not every body names it")]
                type $T = $type;
                fn pool<'p, 't>(pools: &'p mut Pools<'t>) -> &'p mut Vec<Handle<'t, $type>> {
                    &mut pools.$field
                }
                let $pool = pool;
                $body
            })*
        }
    };
}

impl<'t> Pools<'t> {
    /// Holds a literal and a parameter of every type, and the inputs.
    fn new(d: Trace<'t>, inputs: &[(Input, ScalarType)], draws: &mut Draws) -> Self {
        let (u32s, i32s, u64s, f32s, f64s) = Default::default();
        let mut pools = Self { d, u32s, i32s, u64s, f32s, f64s, truths: Vec::new() };
        for kind in KINDS {
            with_pool!(kind, |T, pool| {
                let literal = <T as Scalar>::from_bits(draw::bits(kind, draws.next()));
                // One value a name, whatever function it is in.
                let param = <T as Scalar>::from_bits(draw::bits(kind, draws.seed >> 8));
                let pool = pool(&mut pools);
                pool.push(d.lit(literal));
                pool.push(d.param(kind.name(), param));
            });
        }
        for &(input, kind) in inputs {
            with_pool!(kind, |T, pool| pool(&mut pools).push(d.input::<T>(input)));
        }
        for &(_, kind) in inputs {
            with_pool!(kind, |T, pool| {
                let pool = pool(&mut pools);
                let truth = d.lt(pool[0], pool[pool.len() - 1]);
                pools.truths.push(truth);
            });
        }
        pools
    }

    fn step(&mut self, draws: &mut Draws) {
        let d = self.d;
        match draws.below(20) {
            0..8 => with_pool!(draws.kind(), |T, pool| {
                let (a, b) = (draws.pick(pool(self)), draws.pick(pool(self)));
                // Joins tell the sign of a NaN apart, about which computers do not agree.
                let old =
                    if matches!(T::TYPE, ScalarType::F32 | ScalarType::F64) { number(&d, a) } else { a };
                let made = match draws.below(8) {
                    0 => a + b,
                    1 => a - b,
                    2 => a * b,
                    3 => a / b,
                    4 => d.combine(Combine::Min, old, b),
                    5 => d.combine(Combine::Max, old, b),
                    6 => d.combine(Combine::Or, old, b),
                    _ => d.abs(a),
                };
                pool(self).push(made);
            }),
            8..11 => with_pool!(draws.kind(), |T, pool| {
                let (a, b) = (draws.pick(pool(self)), draws.pick(pool(self)));
                let truth = [d.eq(a, b), d.lt(a, b), d.le(a, b), d.ne(a, b)][draws.below(4)];
                self.truths.push(truth);
            }),
            11..13 => {
                let (a, b) = (draws.pick(&self.truths), draws.pick(&self.truths));
                let truth = [a & b, a | b, !a][draws.below(3)];
                self.truths.push(truth);
            }
            13..15 => with_pool!(draws.kind(), |T, pool| {
                let condition = draws.pick(&self.truths);
                let (a, b) = (draws.pick(pool(self)), draws.pick(pool(self)));
                pool(self).push(d.select(condition, a, b));
            }),
            15..18 => self.cast(draws),
            _ => self.special(draws),
        }
    }

    fn cast(&mut self, draws: &mut Draws) {
        let d = self.d;
        let (from, to) = (draws.kind(), draws.kind());
        with_pool!(from, |A, old| {
            let a = draws.pick(old(self));
            with_pool!(to, |B, new| new(self).push(d.cast::<A, B>(a)));
        });
    }

    /// The last few of every type put together, so that little of what was drawn goes unused.
    fn all<R: Scalar>(&mut self, draws: &mut Draws) -> Handle<'t, R> {
        let d = self.d;
        let mut all = d.lit(R::ONE);
        for kind in KINDS {
            with_pool!(kind, |T, pool| {
                for at in 1..=2 {
                    let pool = pool(self);
                    let last = d.cast::<T, R>(pool[pool.len() - at]);
                    // Not the sum alone, or one NaN would be all there is to see.
                    all = d.select(draws.pick(&self.truths), all + last, last);
                }
            });
        }
        all
    }

    /// What only some types have.
    fn special(&mut self, draws: &mut Draws) {
        let d = self.d;
        let (small, wide) = (draws.pick(&self.u32s), draws.pick(&self.u64s));
        let signed = [draws.pick(&self.i32s), draws.pick(&self.i32s)];
        match draws.below(6) {
            0 => self.u64s.push(d.pack(small, draws.pick(&self.u32s))),
            1 => self.u32s.push(d.hi(wide)),
            2 => self.u32s.push(d.lo(wide)),
            3 => self.i32s.push(d.bits_and(signed[0], signed[1])),
            4 => self.f32s.push(d.sqrt(draws.pick(&self.f32s))),
            _ => self.f64s.push(d.sqrt(draws.pick(&self.f64s))),
        }
    }
}

/// A function of some inputs, whose result is of a type, or a truth value.
fn function(result: ScalarType, inputs: &[(Input, ScalarType)], draws: &mut Draws) -> Expression {
    let tracer = Tracer::default();
    let mut pools = Pools::new(tracer.dialect(), inputs, draws);
    (0..STEPS).for_each(|_| pools.step(draws));
    if result == ScalarType::Bool {
        let (all, last) = (pools.all::<f64>(draws), draws.pick(&pools.f64s));
        let truth = draws.pick(&pools.truths) | tracer.dialect().le(all, last);
        return tracer.finish_truth(truth).unwrap();
    }
    with_pool!(result, |T, _pool| tracer.finish(pools.all::<T>(draws)).unwrap())
}

/// A random program.
pub(crate) fn program(seed: u64) -> Case {
    let mut draws = Draws { seed, count: 0 };
    let combine = [Combine::Min, Combine::Max, Combine::Sum][draws.below(3)];
    let [value, weight, column] = [draws.kind(), draws.kind(), draws.kind()];
    let types = Types { value, weight, column, columns: draws.below(4), combine };
    let vertex = |of: fn(Field) -> Input| {
        let fixed = [(of(Field::Id), ScalarType::U32), (of(Field::Degree), ScalarType::U32)];
        let columns = (0..types.columns as u32).map(move |at| (of(Field::Column(at)), column));
        fixed.into_iter().chain(columns)
    };
    let own: Vec<_> = vertex(Input::Own).collect();
    let both = [(Input::Value, value), (Input::Arrived, value)];
    let edge = [(Input::Value, value), (Input::Weight, weight)];
    let edge: Vec<_> = edge.into_iter().chain(vertex(Input::Source)).chain(vertex(Input::Target)).collect();
    let all: Vec<_> = own.iter().copied().chain(both).collect();
    let traced = Traced {
        init: function(value, &own, &mut draws),
        start: function(value, &own, &mut draws),
        message: function(value, &edge, &mut draws),
        apply: function(value, &all, &mut draws),
        active: function(ScalarType::Bool, &both, &mut draws),
        plain: false,
    };
    let printed = print::program("random", &traced, types).unwrap();
    Case { name: "random", types, traced, printed }
}
