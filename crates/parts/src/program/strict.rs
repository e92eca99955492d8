//! `Min`, `Max` and `Or` for programs with their own `apply` or `active`: supersteps in the strict sense.
//!
//! The messages of a superstep are first joined, at the sender and then at the owner. Then every vertex that got a message
//! applies it to its value, and sends in the next superstep if that made it active.

use super::ground::{Ended, Ground, improve};
use crate::{Error, Exchange, PartAnswer, PartRun, Result, State, bits::Bits, collective};
use warpgraph_core::{
    Halted,
    program::{Scalar, VertexProgram},
};
use warpgraph_graph::Control;

/// A run of such a program.
pub(super) struct Strict<P: VertexProgram> {
    ground: Ground<P>,
    values: Vec<P::Value>,
    /// The joined messages of this superstep, by place.
    told: Vec<P::Value>,
    /// The own vertices that send next.
    queue: Vec<u32>,
    touched: Bits,
    supersteps: u64,
}

impl<P: VertexProgram> Strict<P> {
    pub(super) fn new(ground: Ground<P>) -> Result<Self> {
        let (n, places) = (ground.vertices(), ground.part.places());
        let mut values = vec![P::COMBINE.identity(); n];
        ground.init(&mut values)?;
        let queue = ground.seeds.clone().unwrap_or_else(|| (0..n as u32).collect());
        let told = vec![P::COMBINE.identity(); places];
        Ok(Self { ground, values, told, queue, touched: Bits::empty(places), supersteps: 0 })
    }

    /// Joins the messages of the queue, and returns the own vertices that got any; collective.
    fn tell(&mut self, exchange: &mut dyn Exchange) -> Result<Vec<u32>> {
        let Self { ground, values, told, touched, queue, .. } = self;
        let (first, identity) = (ground.part.own().start, P::COMBINE.identity::<P::Value>());
        let cells = P::Value::cells(told);
        let join = |cell: &_, message| improve::<P::Value>(P::COMBINE, cell, message);
        let found = ground.push(queue, |v| values[v], cells, touched, join);
        let (mut vertices, positions) = ground.split(&found, touched);
        vertices.iter().for_each(|&v| {
            touched.insert(first + v as usize);
        });
        ground.exchange(
            exchange,
            &positions,
            |place| P::Value::load(&cells[place]),
            |v, value| {
                if improve::<P::Value>(P::COMBINE, &cells[first + v], value) && touched.insert(first + v) {
                    vertices.push(v as u32);
                }
            },
        )?;
        vertices.iter().for_each(|&v| touched.remove(first + v as usize));
        for &at in &positions {
            P::Value::store(&cells[ground.halo.ghosts[at as usize] as usize], identity);
        }
        Ok(vertices)
    }

    /// Applies the joined messages to own vertices, and makes those that became active the queue.
    fn apply(&mut self, vertices: &[u32]) {
        let Self { ground, values, told, queue, .. } = self;
        let first = ground.part.own().start;
        queue.clear();
        ground.apply(vertices.iter().map(|&v| v as usize), |v, apply| {
            let (old, arrived) = (values[v], std::mem::replace(&mut told[first + v], P::COMBINE.identity()));
            values[v] = apply(old, arrived);
            if ground.active(old, values[v]) {
                queue.push(v as u32);
            }
        });
    }
}

impl<P: VertexProgram> PartRun for Strict<P> {
    fn name(&self) -> &'static str {
        P::NAME
    }

    fn step(&mut self, exchange: &mut dyn Exchange, control: &Control) -> Result<Option<Halted>> {
        control.check("running a program")?;
        if collective::sum(exchange, self.queue.len() as u64)? == 0 {
            return Ok(Some(Halted::Converged));
        }
        let limit = self.ground.program.halt().limit();
        if limit.is_some_and(|limit| self.supersteps >= limit) {
            return Ok(Some(Halted::MaxIterations));
        }
        let vertices = self.tell(exchange)?;
        self.apply(&vertices);
        self.supersteps += 1;
        control.report(P::NAME, self.supersteps, limit);
        Ok(None)
    }

    fn supersteps(&self) -> u64 {
        self.supersteps
    }

    fn state(&self) -> State {
        State::after(self.supersteps).with("values", &self.values).with("queue", &self.queue)
    }

    fn restore(&mut self, state: &State) -> Result<()> {
        let (queue, n): (Vec<u32>, _) = (state.array("queue")?, self.values.len());
        if let Some(v) = queue.iter().find(|&&v| v as usize >= n) {
            return Err(Error::state(format!("own vertex {v} is active, and the part has {n}")));
        }
        state.fill("values", &mut self.values)?;
        (self.queue, self.supersteps) = (queue, state.superstep);
        Ok(())
    }

    fn answer(
        self: Box<Self>,
        halted: Halted,
        exchange: &mut dyn Exchange,
        _: &Control,
    ) -> Result<PartAnswer> {
        let bytes = size_of_val(&self.values[..]) + size_of_val(&self.told[..]) + 4 * self.values.len();
        let state_bytes = bytes as u64 + self.ground.bytes();
        let ended = Ended { supersteps: self.supersteps, halt: halted, state_bytes };
        self.ground.answer(&self.values, None, ended, exchange)
    }
}
