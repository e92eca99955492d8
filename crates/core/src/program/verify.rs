//! Verifies that the values are the fixed point of the program.
//!
//! For `Min` and `Max`, let `F(v)` be the join of `init(v)` and the messages of all neighbours that send (seeds, and
//! vertices that changed):
//! 1. no message improves a value: `F(v)` is not better than `x[v]`;
//! 2. every value is attained: `x[v] = F(v)`;
//! 3. no value supports only itself: a chain of arcs, on each of which the message equals the value at its end, leads
//!    to every changed vertex from one that still has its initial value.
//!
//! For `Or`, the values are the bits that follow from the initial values, found by a serial worklist. For a program
//! with a custom `apply` or `active`, applying all messages activates no vertex. A run that reached its limit of rounds
//! is not finished: apart from NaN, only the length is checked. For `Sum`, another superstep would change no more than
//! the tolerance, or than the run reported, plus rounding. No value may be NaN.

use super::{Combine, Held, Prepared, ProgramAnswer, Scalar, ScalarType, Sight, VertexProgram, Weight};
use crate::{Halted, Violation, verify::first};
use warpgraph_graph::{Graph, Offset, Vertex, View, par, with_views};

pub(super) fn verify<P: VertexProgram>(
    program: &P,
    answer: &ProgramAnswer<P::Value>,
    graph: &Graph,
) -> Result<(), Violation> {
    if answer.values.len() != graph.vertices() {
        let what = format!("{} for {} vertices", answer.values.len(), graph.vertices());
        return Err(Violation::new("one value per vertex", what));
    }
    let failed = |e: crate::Error| Violation::new("the program can be checked", e.to_string());
    let prepared = Prepared::new(program, graph, None).map_err(failed)?;
    let incoming = graph.incoming().map_err(|e| failed(e.into()))?;
    let weights: Held<'_, <P::Weight as Weight>::Scalar> = prepared.weights(incoming).map_err(failed)?;
    let check = || -> crate::Result<Result<(), Violation>> {
        Ok(with_views!(graph.out().csr, incoming.csr, |out, incoming| {
            let sight = Sight::new(&prepared, out, &weights);
            Check { graph, sight, incoming, out, prepared: &prepared, answer }.all()
        }))
    };
    check().map_err(failed)?
}

struct Check<'a, P: VertexProgram, O, I> {
    graph: &'a Graph,
    sight: Sight<'a, P, O>,
    out: View<'a, O>,
    incoming: View<'a, I>,
    prepared: &'a Prepared<'a, P>,
    answer: &'a ProgramAnswer<P::Value>,
}

impl<P: VertexProgram, O: Offset, I: Offset> Check<'_, P, O, I> {
    fn all(&self) -> Result<(), Violation> {
        first(self.values().len(), |v| {
            let is_wrong = !self.values()[v as usize].is_number();
            is_wrong.then(|| Violation::new("every value is a number", self.name(v)))
        })?;
        match P::COMBINE {
            Combine::Sum => self.is_still(),
            _ if self.answer.run.halt == Halted::MaxIterations => Ok(()),
            _ if !self.prepared.traced.plain => self.wakes_no_vertex(),
            Combine::Or => self.follows_bit_by_bit(),
            Combine::Min | Combine::Max => self.is_attained().and_then(|()| self.stands_on_ground()),
        }
    }

    fn values(&self) -> &[P::Value] {
        &self.answer.values
    }

    fn name(&self, v: Vertex) -> String {
        format!("vertex {} has {}", self.graph.ids().id(v), self.values()[v as usize])
    }

    fn changed(&self, v: Vertex) -> bool {
        self.values()[v as usize].bits() != self.sight.init(v).bits()
    }

    /// Returns true if `v` sends messages.
    fn speaks(&self, v: Vertex) -> bool {
        let seeds = &self.prepared.seeds;
        seeds.as_ref().is_none_or(|seeds| seeds.binary_search(&v).is_ok()) || self.changed(v)
    }

    /// Returns the message from `u` to `v` along the incoming arc with index `arc`, if `u` has this value.
    fn told(&self, u: Vertex, v: Vertex, arc: usize, value: P::Value) -> P::Value {
        assert!((u as usize) < self.values().len() && (v as usize) < self.values().len());
        // SAFETY: both are vertices, and the callers' arcs are incoming ones, whose weights the sight has.
        unsafe { self.sight.message(u, v, arc, value) }
    }

    /// Returns all messages to `v`, combined with `from`.
    fn arrived(&self, v: Vertex, from: P::Value) -> P::Value {
        let arcs = self.incoming.arcs_of(v);
        let speaking = self.incoming.neighbors(v).iter().zip(arcs).filter(|(u, _)| self.speaks(**u));
        speaking.fold(from, |sum, (&u, arc)| {
            P::COMBINE.join(sum, self.told(u, v, arc, self.values()[u as usize]))
        })
    }

    fn is_attained(&self) -> Result<(), Violation> {
        first(self.values().len(), |v| {
            let (held, right) = (self.values()[v as usize], self.arrived(v, self.sight.init(v)));
            if P::COMBINE.improves(held, right) {
                let what = format!("{}, and {right} arrives", self.name(v));
                return Some(Violation::new("no message improves a value", what));
            }
            (held.bits() != right.bits()).then(|| {
                Violation::new(
                    "every value is attained",
                    format!("{}, and only {right} arrives", self.name(v)),
                )
            })
        })
    }

    fn stands_on_ground(&self) -> Result<(), Violation> {
        let n = self.values().len() as Vertex;
        let mut grounded: Vec<bool> = (0..n).map(|v| !self.changed(v)).collect();
        let mut list: Vec<Vertex> = (0..n).filter(|&v| grounded[v as usize]).collect();
        while let Some(u) = list.pop().filter(|_| self.incoming.arcs() > 0) {
            for &v in self.out.neighbors(u) {
                if !grounded[v as usize] && self.speaks(u) && self.is_told_by(u, v) {
                    grounded[v as usize] = true;
                    list.push(v);
                }
            }
        }
        match grounded.iter().position(|ground| !ground) {
            None => Ok(()),
            Some(v) => Err(Violation::new("a value does not hold itself up", self.name(v as Vertex))),
        }
    }

    /// Returns true if `v`'s value equals the message of an arc from `u`.
    fn is_told_by(&self, u: Vertex, v: Vertex) -> bool {
        let (row, first) = (self.incoming.neighbors(v), self.incoming.arcs_of(v).start);
        let parallel = row.partition_point(|&x| x < u)..row.partition_point(|&x| x <= u);
        let held = self.values()[v as usize].bits();
        parallel.into_iter().any(|i| self.told(u, v, first + i, self.values()[u as usize]).bits() == held)
    }

    fn follows_bit_by_bit(&self) -> Result<(), Violation> {
        let n = self.values().len() as Vertex;
        let mut bits: Vec<P::Value> = (0..n).map(|v| self.sight.init(v)).collect();
        let seeds = self.prepared.seeds.clone();
        let mut list: Vec<Vertex> = seeds.unwrap_or_else(|| (0..n).collect());
        let mut targets: Vec<Vertex> = Vec::new();
        while let Some(u) = list.pop() {
            targets.clear();
            targets.extend_from_slice(self.out.neighbors(u));
            targets.dedup();
            for &v in &targets {
                let (row, start) = (self.incoming.neighbors(v), self.incoming.arcs_of(v).start);
                for i in row.partition_point(|&x| x < u)..row.partition_point(|&x| x <= u) {
                    let told = self.told(u, v, start + i, bits[u as usize]);
                    if P::COMBINE.improves(bits[v as usize], told) {
                        bits[v as usize] = P::COMBINE.join(bits[v as usize], told);
                        list.push(v);
                    }
                }
            }
        }
        first(self.values().len(), |v| {
            let right = bits[v as usize];
            (right.bits() != self.values()[v as usize].bits()).then(|| {
                Violation::new(
                    "every bit follows, and no other",
                    format!("{}, and {right} follows", self.name(v)),
                )
            })
        })
    }

    fn wakes_no_vertex(&self) -> Result<(), Violation> {
        first(self.values().len(), |v| {
            let held = self.values()[v as usize];
            let arrived = self.arrived(v, P::COMBINE.identity());
            if !P::COMBINE.improves(P::COMBINE.identity(), arrived) {
                return None;
            }
            let new = self.sight.apply(v, held, arrived);
            self.sight.active(held, new).then(|| {
                Violation::new(
                    "applying all messages wakes no vertex",
                    format!("{}, and would get {new}", self.name(v)),
                )
            })
        })
    }

    fn is_still(&self) -> Result<(), Violation> {
        let (halt, reported) = (self.prepared.program.halt(), self.answer.residual.unwrap_or(0.0));
        let tolerance = halt.tolerance().unwrap_or(0.0);
        let met =
            if self.answer.run.halt == Halted::MaxIterations { reported.max(tolerance) } else { tolerance };
        let add = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
        let block =
            |range: std::ops::Range<usize>| range.map(|v| self.change(v as Vertex)).fold((0.0, 0.0), add);
        let (change, size) = par::reduce(self.values().len(), 256, block, add).unwrap_or_default();
        let allowed = met + rounding(P::Value::TYPE) * size;
        if change <= allowed {
            return Ok(());
        }
        let what = format!("it changes them by {change:e}, allowed are {allowed:e}");
        Err(Violation::new("a superstep does not change the values", what))
    }

    /// Returns how much a superstep would change `v`, and the sum of the magnitudes added for it.
    fn change(&self, v: Vertex) -> (f64, f64) {
        let (mut sum, mut size) = (P::Value::wide_zero(), 0.0);
        for (&u, arc) in self.incoming.neighbors(v).iter().zip(self.incoming.arcs_of(v)) {
            let told = self.told(u, v, arc, self.values()[u as usize]);
            sum = P::Value::widen(sum, told);
            size += told.to_f64().abs();
        }
        let (held, arrived) = (self.values()[v as usize], P::Value::narrow(sum));
        let new = if P::DISTRIBUTES {
            self.sight.init(v).plus(arrived)
        } else {
            self.sight.apply(v, held, arrived)
        };
        (held.apart(new), size + held.to_f64().abs() + new.to_f64().abs())
    }
}

/// Returns the rounding error allowed in a sum, relative to the magnitudes added.
pub(super) fn rounding(kind: ScalarType) -> f64 {
    match kind {
        ScalarType::F32 => 32.0 * f64::from(f32::EPSILON),
        ScalarType::F64 => 1e-12,
        _ => 0.0,
    }
}
