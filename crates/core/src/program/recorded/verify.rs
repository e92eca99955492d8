//! Verifies that the values are the fixed point of a recorded program: the same properties as for programs in Rust (see
//! `program::verify`), over the messages along all outgoing arcs, which are computed once.
//!
//! For `Or`, rounds from the initial values find the bits that follow. Memory: one message per arc.

use super::{Block, Recorded, RecordedSight, numbers};
use crate::{
    Halted, Violation,
    program::{Combine, ProgramAnswer, Scalar, trace::BLOCK, verify::rounding},
    verify::first,
};
use warpgraph_graph::{Graph, Vertex, par};

/// Checks an answer.
pub(super) fn verify<T: Scalar>(
    recorded: &Recorded,
    answer: &ProgramAnswer<T>,
    graph: &Graph,
) -> Result<(), Violation> {
    if answer.values.len() != graph.vertices() {
        let what = format!("{} for {} vertices", answer.values.len(), graph.vertices());
        return Err(Violation::new("one value per vertex", what));
    }
    let failed = |e: crate::Error| Violation::new("the program can be checked", e.to_string());
    recorded.check(graph).map_err(failed)?;
    let seeds = recorded.inner_seeds(graph.vertices(), None).map_err(failed)?;
    let out = graph.out();
    let sight = RecordedSight::new(recorded, &out.csr, &out.weights, None);
    let init = sight.init();
    Check { recorded, answer, graph, sight, seeds, init }.all()
}

struct Check<'a, T: Scalar> {
    recorded: &'a Recorded,
    answer: &'a ProgramAnswer<T>,
    graph: &'a Graph,
    sight: RecordedSight<'a>,
    seeds: Option<Vec<Vertex>>,
    init: Vec<T>,
}

impl<T: Scalar> Check<'_, T> {
    fn all(&self) -> Result<(), Violation> {
        first(self.values().len(), |v| {
            let is_wrong = !self.values()[v as usize].is_number();
            is_wrong.then(|| Violation::new("every value is a number", self.name(v)))
        })?;
        match self.combine() {
            Combine::Sum => self.is_still(),
            _ if self.answer.run.halt == Halted::MaxIterations => Ok(()),
            _ if !self.recorded.traced.plain => self.wakes_no_vertex(),
            Combine::Or => self.follows_bit_by_bit(),
            Combine::Min | Combine::Max => {
                let told = self.told(self.values());
                self.is_attained(&told)?;
                self.stands_on_ground(&told)
            }
        }
    }

    fn values(&self) -> &[T] {
        &self.answer.values
    }

    fn combine(&self) -> Combine {
        self.recorded.kind.combine
    }

    fn name(&self, v: Vertex) -> String {
        format!("vertex {} has {}", self.graph.ids().id(v), self.values()[v as usize])
    }

    fn changed(&self, v: Vertex, values: &[T]) -> bool {
        values[v as usize].bits() != self.init[v as usize].bits()
    }

    /// Returns true if `v` sends messages.
    fn speaks(&self, v: Vertex, values: &[T]) -> bool {
        self.seeds.as_ref().is_none_or(|seeds| seeds.binary_search(&v).is_ok()) || self.changed(v, values)
    }

    /// Returns the messages along all outgoing arcs, if vertices have these values.
    fn told(&self, values: &[T]) -> Vec<T> {
        let csr = &self.graph.out().csr;
        let ranges: Vec<_> =
            (0..csr.vertices()).step_by(BLOCK).map(|at| at..csr.vertices().min(at + BLOCK)).collect();
        let parts = par::map_each(ranges, |_, range| {
            let (mut block, mut told) = (Block::new(), Vec::new());
            let mut computer = self.sight.computer(&self.recorded.traced.message);
            for u in range {
                for (&v, arc) in csr.neighbors(u as Vertex).iter().zip(csr.arcs_of(u as Vertex)) {
                    if block.push(u as Vertex, v, arc) {
                        told.extend_from_slice(computer.messages(&block, |u| values[u as usize]));
                        block.clear();
                    }
                }
            }
            told.extend_from_slice(computer.messages(&block, |u| values[u as usize]));
            told
        });
        parts.concat()
    }

    /// Calls `take(u, v, message)` for every arc whose source sends.
    fn each(&self, told: &[T], values: &[T], mut take: impl FnMut(Vertex, Vertex, T)) {
        let csr = &self.graph.out().csr;
        for u in (0..csr.vertices() as Vertex).filter(|&u| self.speaks(u, values)) {
            for (&v, arc) in csr.neighbors(u).iter().zip(csr.arcs_of(u)) {
                take(u, v, told[arc]);
            }
        }
    }

    /// Returns what arrives at every vertex, combined with `from`.
    fn arrived(&self, told: &[T], mut from: Vec<T>, values: &[T]) -> Vec<T> {
        self.each(told, values, |_, v, told| from[v as usize] = self.combine().join(from[v as usize], told));
        from
    }

    fn is_attained(&self, told: &[T]) -> Result<(), Violation> {
        let right = self.arrived(told, self.init.clone(), self.values());
        first(self.values().len(), |v| {
            let (held, right) = (self.values()[v as usize], right[v as usize]);
            if self.combine().improves(held, right) {
                let what = format!("{}, and {right} arrives", self.name(v));
                return Some(Violation::new("no message improves a value", what));
            }
            let what = || format!("{}, and only {right} arrives", self.name(v));
            (held.bits() != right.bits()).then(|| Violation::new("every value is attained", what()))
        })
    }

    fn stands_on_ground(&self, told: &[T]) -> Result<(), Violation> {
        let (n, csr) = (self.values().len() as Vertex, &self.graph.out().csr);
        let mut grounded: Vec<bool> = (0..n).map(|v| !self.changed(v, self.values())).collect();
        let mut list: Vec<Vertex> = (0..n).filter(|&v| grounded[v as usize]).collect();
        while let Some(u) = list.pop() {
            if !self.speaks(u, self.values()) {
                continue;
            }
            for (&v, arc) in csr.neighbors(u).iter().zip(csr.arcs_of(u)) {
                if !grounded[v as usize] && told[arc].bits() == self.values()[v as usize].bits() {
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

    fn follows_bit_by_bit(&self) -> Result<(), Violation> {
        let mut bits = self.init.clone();
        loop {
            let next = self.arrived(&self.told(&bits), bits.clone(), &bits);
            if next == bits {
                break;
            }
            bits = next;
        }
        first(self.values().len(), |v| {
            let right = bits[v as usize];
            let what = || format!("{}, and {right} follows", self.name(v));
            (right.bits() != self.values()[v as usize].bits())
                .then(|| Violation::new("every bit follows, and no other", what()))
        })
    }

    fn wakes_no_vertex(&self) -> Result<(), Violation> {
        let identity: T = self.combine().identity();
        let told = self.told(self.values());
        let arrived = self.arrived(&told, vec![identity; self.values().len()], self.values());
        let vertices: Vec<Vertex> = (0..arrived.len() as Vertex)
            .filter(|&v| self.combine().improves(identity, arrived[v as usize]))
            .collect();
        for block in vertices.chunks(BLOCK) {
            let held: Vec<T> = block.iter().map(|&v| self.values()[v as usize]).collect();
            let arrived: Vec<T> = block.iter().map(|&v| arrived[v as usize]).collect();
            let new: Vec<T> = self.sight.applied(block, &held, &arrived);
            if let Some(at) = self.sight.woken(block, &held, &new).iter().position(|&wakes| wakes) {
                let what = format!("{}, and would get {}", self.name(block[at]), new[at]);
                return Err(Violation::new("applying all messages wakes no vertex", what));
            }
        }
        Ok(())
    }

    fn is_still(&self) -> Result<(), Violation> {
        let (halt, reported) = (self.recorded.halt, self.answer.residual.unwrap_or(0.0));
        let tolerance = halt.tolerance().unwrap_or(0.0);
        let at_limit = self.answer.run.halt == Halted::MaxIterations;
        let met = if at_limit { reported.max(tolerance) } else { tolerance };
        let n = self.values().len();
        let (mut sums, mut sizes) = (vec![T::wide_zero(); n], vec![0.0; n]);
        self.each(&self.told(self.values()), self.values(), |_, v, told| {
            sums[v as usize] = T::widen(sums[v as usize], told);
            sizes[v as usize] += told.to_f64().abs();
        });
        let arrived: Vec<T> = sums.into_iter().map(T::narrow).collect();
        let vertices: Vec<Vertex> = (0..n as Vertex).collect();
        let (mut change, mut size) = (0.0, 0.0);
        for (at, block) in vertices.chunks(BLOCK).enumerate() {
            let range = at * BLOCK..at * BLOCK + block.len();
            let held = &self.values()[range.clone()];
            let new = self.sight.summed(block, held, &arrived[range.clone()], &self.init[range.clone()]);
            for (i, (held, new)) in held.iter().zip(&new).enumerate() {
                change += held.apart(*new);
                size += sizes[range.start + i] + held.to_f64().abs() + new.to_f64().abs();
            }
        }
        let allowed = met + rounding(T::TYPE) * size;
        if change <= allowed {
            return Ok(());
        }
        let what = format!("it changes them by {change:e}, allowed are {allowed:e}");
        Err(Violation::new("a superstep does not change the values", what))
    }
}

impl RecordedSight<'_> {
    /// Returns the initial values of all vertices.
    pub fn init<T: Scalar>(&self) -> Vec<T> {
        let vertices: Vec<Vertex> = (0..self.vertices() as Vertex).collect();
        let parts = par::map_each(vertices.chunks(BLOCK).collect(), |_, block: &[Vertex]| {
            numbers(self.computer(&self.recorded.traced.init).at::<T>(block, &[], &[])).to_vec()
        });
        parts.concat()
    }

    /// Returns the new values of vertices from what they hold and what arrived.
    pub fn applied<T: Scalar>(&self, vertices: &[Vertex], held: &[T], arrived: &[T]) -> Vec<T> {
        numbers(self.computer(&self.recorded.traced.apply).at(vertices, held, arrived)).to_vec()
    }

    /// Returns for each of these changes whether it makes the vertex send.
    pub fn woken<T: Scalar>(&self, vertices: &[Vertex], held: &[T], new: &[T]) -> Vec<bool> {
        self.computer(&self.recorded.traced.active).at(vertices, held, new).truth_values().to_vec()
    }

    /// Returns the values of a sum after a superstep.
    pub fn summed<T: Scalar>(&self, vertices: &[Vertex], held: &[T], arrived: &[T], init: &[T]) -> Vec<T> {
        match self.recorded.kind.distributes {
            true => init.iter().zip(arrived).map(|(init, arrived)| init.plus(*arrived)).collect(),
            false => self.applied(vertices, held, arrived),
        }
    }
}
