//! `Sum`: supersteps over all vertices, or over those that have a change to send.
//!
//! A program that distributes is run by its changes: `x` starts at the guess, the pending change at `init + messages(x) - x`,
//! and a superstep adds the pending changes to `x` and sends them along the arcs, which gives the next ones. So `x` goes
//! through the same values as in full supersteps, up to rounding, and vertices without a change send nothing. The sum of
//! the pending changes is exactly what another superstep would change, so the halt rule looks at the values that are
//! returned.
//!
//! Any other program goes from `x` to `apply(x, messages(x))` in full supersteps. The rule looks at the values from which a
//! superstep started, which are then the answer.

use super::ground::{Ended, Ground, add};
use crate::{Exchange, PartAnswer, PartRun, Result, State, bits::Bits, collective};
use warpgraph_core::{
    Halted,
    program::{Scalar, VertexProgram, Watch},
};
use warpgraph_graph::Control;

/// A run of a sum.
pub(super) struct Sum<P: VertexProgram> {
    ground: Ground<P>,
    values: Vec<P::Value>,
    /// What is added to the values in the next superstep, or their next values if the program does not distribute.
    next: Vec<P::Value>,
    /// The sums of messages, by place.
    told: Vec<P::Value>,
    touched: Bits,
    watch: Watch,
    supersteps: u64,
    residual: f64,
}

impl<P: VertexProgram> Sum<P> {
    pub(super) fn new(ground: Ground<P>) -> Result<Self> {
        let (n, places) = (ground.vertices(), ground.part.places());
        let mut values = vec![P::Value::ZERO; n];
        match P::DISTRIBUTES {
            true => ground.guess(&mut values)?,
            false => ground.init(&mut values)?,
        }
        let watch = Watch::new(P::NAME, ground.program.halt());
        let told = vec![P::Value::ZERO; places];
        let (next, touched) = (vec![P::Value::ZERO; n], Bits::empty(places));
        Ok(Self { ground, values, next, told, touched, watch, supersteps: 0, residual: f64::INFINITY })
    }

    /// Sums the messages of own vertices with these values, at every own vertex; collective.
    fn tell(&mut self, changes: bool, exchange: &mut dyn Exchange) -> Result<()> {
        let Self { ground, values, next, told, touched, .. } = self;
        told.fill(P::Value::ZERO);
        let sent = if changes { next } else { values };
        let is_active = |v: &u32| !changes || sent[*v as usize] != P::Value::ZERO;
        let queue: Vec<u32> = (0..sent.len() as u32).filter(is_active).collect();
        let (first, cells) = (ground.part.own().start, P::Value::cells(told));
        let alone = rayon::current_num_threads() == 1;
        let join = |cell: &_, message: P::Value| {
            if message != P::Value::ZERO {
                add::<P::Value>(cell, message, alone);
            }
            message != P::Value::ZERO
        };
        let found = ground.push(&queue, |v| sent[v], cells, touched, join);
        let (_, positions) = ground.split(&found, touched);
        let at = |place: usize| P::Value::load(&cells[place]);
        ground.exchange(exchange, &positions, at, |v, value| add::<P::Value>(&cells[first + v], value, true))
    }

    /// Computes what comes next from the messages, and returns by how much it differs from the values.
    fn prepare(&mut self, is_first: bool) -> Result<f64> {
        let own = self.ground.part.own();
        let told = &self.told[own];
        if !P::DISTRIBUTES {
            let (values, next) = (&self.values, &mut self.next);
            self.ground.apply(0..values.len(), |v, apply| next[v] = apply(values[v], told[v]));
            return Ok(values.iter().zip(&*next).map(|(old, new)| old.apart(*new)).sum());
        }
        if is_first {
            self.ground.init(&mut self.next)?;
            for ((next, told), value) in self.next.iter_mut().zip(told).zip(&self.values) {
                *next = next.plus(*told).minus(*value);
            }
        } else {
            self.next.copy_from_slice(told);
        }
        Ok(self.values.iter().zip(&self.next).map(|(x, change)| x.apart(x.plus(*change))).sum())
    }

    /// Goes on to what comes next.
    fn advance(&mut self) {
        if P::DISTRIBUTES {
            self.values.iter_mut().zip(&self.next).for_each(|(x, change)| *x = x.plus(*change));
        } else {
            std::mem::swap(&mut self.values, &mut self.next);
        }
    }
}

impl<P: VertexProgram> PartRun for Sum<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    /// Looks at the values after so many supersteps as were done, and makes another superstep unless they are the answer.
    fn step(&mut self, exchange: &mut dyn Exchange, control: &Control) -> Result<Option<Halted>> {
        control.check("running a program")?;
        let is_first = self.supersteps == 0;
        self.tell(P::DISTRIBUTES && !is_first, exchange)?;
        let change = self.prepare(is_first)?;
        let [change] = collective::sums_f64(exchange, [change])?;
        self.residual = change;
        let halt = self.ground.program.halt();
        // Before the first superstep no value was computed yet that a rule could end with; an exact one ends at once.
        if change == 0.0 {
            return Ok(Some(Halted::Converged));
        }
        if halt.tolerance().is_some_and(|tolerance| change < tolerance) {
            return Ok(Some(Halted::Tolerance));
        }
        if halt.limit().is_some_and(|limit| self.supersteps >= limit) {
            return Ok(Some(Halted::MaxIterations));
        }
        self.watch.see(self.supersteps, change)?;
        self.advance();
        self.supersteps += 1;
        control.report(P::NAME, self.supersteps, halt.limit());
        Ok(None)
    }

    fn supersteps(&self) -> u64 {
        self.supersteps
    }

    fn state(&self) -> State {
        let state = State::after(self.supersteps).with("values", &self.values);
        if P::DISTRIBUTES { state.with("changes", &self.next) } else { state }
    }

    fn restore(&mut self, state: &State) -> Result<()> {
        state.fill("values", &mut self.values)?;
        if P::DISTRIBUTES {
            state.fill("changes", &mut self.next)?;
        }
        self.supersteps = state.superstep;
        Ok(())
    }

    fn answer(
        self: Box<Self>,
        halted: Halted,
        exchange: &mut dyn Exchange,
        _: &Control,
    ) -> Result<PartAnswer> {
        let bytes = 2 * size_of_val(&self.values[..]) + size_of_val(&self.told[..]);
        let state_bytes = bytes as u64 + self.ground.bytes();
        let ended = Ended { supersteps: self.supersteps, halt: halted, state_bytes };
        self.ground.answer(&self.values, Some(self.residual), ended, exchange)
    }
}
