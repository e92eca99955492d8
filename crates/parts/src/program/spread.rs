//! `Min`, `Max` and `Or`: values improve in place until no message improves any.

use super::ground::{Ended, Ground, improve};
use crate::{Error, Exchange, PartAnswer, PartRun, Result, State, bits::Bits, collective};
use warpgraph_core::{
    Halted,
    program::{Scalar, VertexProgram, place},
};
use warpgraph_graph::Control;

/// The own vertices that wait to send, each once.
struct Waiting {
    list: Vec<u32>,
    member: Bits,
}

impl Waiting {
    fn add(&mut self, v: usize) {
        if self.member.insert(v) {
            self.list.push(v as u32);
        }
    }

    /// Takes out those for which `is_due` holds.
    fn take(&mut self, is_due: impl Fn(usize) -> bool) -> Vec<u32> {
        let all = std::mem::take(&mut self.list);
        let (due, rest): (Vec<u32>, Vec<u32>) = all.into_iter().partition(|&v| is_due(v as usize));
        due.iter().for_each(|&v| self.member.remove(v as usize));
        self.list = rest;
        due
    }
}

/// A run that goes superstep by superstep under one of these monoids.
pub(crate) struct Spread<P: VertexProgram> {
    pub(crate) ground: Ground<P>,
    /// The value of every own vertex at its place; the best value sent so far at the place of every ghost.
    cells: Vec<P::Value>,
    waiting: Waiting,
    touched: Bits,
    supersteps: u64,
    pace: Option<Stepped>,
}

/// Sends the best values first: those up to a limit, which rises by a width when none is left below it. As in delta-stepping,
/// few values are then sent that a better one corrects later.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stepped {
    /// By how much the limit rises.
    width: f64,
    limit: f64,
}

impl Stepped {
    /// Returns a limit that rises by this width.
    pub(crate) fn by(width: f64) -> Self {
        Self { width, limit: f64::NEG_INFINITY }
    }
}

impl<P: VertexProgram> Spread<P> {
    /// Starts at the initial values.
    pub(crate) fn new(ground: Ground<P>, pace: Option<Stepped>) -> Result<Self> {
        let (n, places, own) = (ground.vertices(), ground.part.places(), ground.part.own());
        let mut cells = vec![P::COMBINE.identity(); places];
        ground.init(&mut cells[own])?;
        let mut waiting = Waiting { list: Vec::new(), member: Bits::empty(n) };
        match &ground.seeds {
            None => (0..n).for_each(|v| waiting.add(v)),
            Some(seeds) => seeds.iter().for_each(|&v| waiting.add(v as usize)),
        }
        Ok(Self { ground, cells, waiting, touched: Bits::empty(places), supersteps: 0, pace })
    }

    /// Returns the values of the own vertices.
    pub(crate) fn values(&self) -> &[P::Value] {
        &self.cells[self.ground.part.own()]
    }

    /// Returns the own vertices that send in this superstep, or `None` if no vertex of any part waits; collective.
    fn due(&mut self, exchange: &mut dyn Exchange) -> Result<Option<Vec<u32>>> {
        let Some(pace) = &mut self.pace else {
            let all = self.waiting.take(|_| true);
            return Ok((collective::sum(exchange, all.len() as u64)? > 0).then_some(all));
        };
        let (cells, first) = (&self.cells, self.ground.part.own().start);
        let place = |v: usize| place(P::COMBINE, cells[first + v]).unwrap_or(f64::NEG_INFINITY);
        let best = self.waiting.list.iter().map(|&v| place(v as usize)).reduce(f64::min);
        let Some(best) = collective::least(exchange, best)? else { return Ok(None) };
        if best > pace.limit {
            pace.limit = best + pace.width;
        }
        Ok(Some(self.waiting.take(|v| place(v) <= pace.limit)))
    }

    fn superstep(&mut self, queue: &[u32], exchange: &mut dyn Exchange) -> Result<()> {
        let Self { ground, cells, waiting, touched, .. } = self;
        let first = ground.part.own().start;
        let shared = P::Value::cells(cells);
        let value = |v: usize| P::Value::load(&shared[first + v]);
        let join = |cell: &_, message| improve::<P::Value>(P::COMBINE, cell, message);
        let found = ground.push(queue, value, shared, touched, join);
        let (vertices, positions) = ground.split(&found, touched);
        vertices.iter().for_each(|&v| waiting.add(v as usize));
        let sent = |place: usize| P::Value::load(&shared[place]);
        ground.exchange(exchange, &positions, sent, |v, value| {
            if improve::<P::Value>(P::COMBINE, &shared[first + v], value) {
                waiting.add(v);
            }
        })
    }

    /// Returns how the run ended, for its report.
    pub(crate) fn ended(&self, halt: Halted) -> Ended {
        let bytes = size_of_val(&self.cells[..]) + 4 * self.cells.len() / 8;
        Ended { supersteps: self.supersteps, halt, state_bytes: bytes as u64 + self.ground.bytes() }
    }
}

impl<P: VertexProgram> PartRun for Spread<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn step(&mut self, exchange: &mut dyn Exchange, control: &Control) -> Result<Option<Halted>> {
        control.check("running a program")?;
        let Some(queue) = self.due(exchange)? else { return Ok(Some(Halted::Converged)) };
        let limit = self.ground.program.halt().limit();
        if limit.is_some_and(|limit| self.supersteps >= limit) {
            return Ok(Some(Halted::MaxIterations));
        }
        self.superstep(&queue, exchange)?;
        self.supersteps += 1;
        control.report(P::NAME, self.supersteps, limit);
        Ok(None)
    }

    fn supersteps(&self) -> u64 {
        self.supersteps
    }

    fn state(&self) -> State {
        let limit = self.pace.map_or(f64::NEG_INFINITY, |pace| pace.limit);
        State::after(self.supersteps)
            .with("values", self.values())
            .with("waiting", &self.waiting.list)
            .with("limit", &[limit])
    }

    fn restore(&mut self, state: &State) -> Result<()> {
        let (own, n) = (self.ground.part.own(), self.ground.vertices());
        let waiting: Vec<u32> = state.array("waiting")?;
        if let Some(v) = waiting.iter().find(|&&v| v as usize >= n) {
            return Err(Error::state(format!("own vertex {v} waits, and the part has {n}")));
        }
        let mut limit = [0.0];
        state.fill("limit", &mut limit)?;
        state.fill("values", &mut self.cells[own])?;
        self.waiting = Waiting { list: Vec::new(), member: Bits::empty(n) };
        waiting.iter().for_each(|&v| self.waiting.add(v as usize));
        self.pace = self.pace.map(|pace| Stepped { limit: limit[0], ..pace });
        self.supersteps = state.superstep;
        Ok(())
    }

    fn answer(
        self: Box<Self>,
        halted: Halted,
        exchange: &mut dyn Exchange,
        _: &Control,
    ) -> Result<PartAnswer> {
        self.ground.answer(self.values(), None, self.ended(halted), exchange)
    }
}
