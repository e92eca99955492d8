//! [`Link`]: moves values between the arrays of a run and the other parts.
//!
//! Values for few ghosts are read by their places; for many, a kernel goes over all ghosts and marks those that have one. What
//! arrives goes to the device as places and values, one after the other.

use super::member::{Member, lifted};
use crate::{
    advance::Queue,
    arguments::ProgramArgs,
    machine::{Grid, Launch, Machine},
    program::{GHOSTS, OWN, Stage},
};
use bytemuck::Zeroable;
use warpgraph_core::{Result as CoreResult, program::Scalar};
use warpgraph_device::{Address, Array, arguments};
use warpgraph_graph::Vertex;
use warpgraph_parts::{Error, Exchange};

type Result<T, E = Error> = std::result::Result<T, E>;

arguments! {
    /// The arguments of the kernels in `parts.cu`.
    pub(crate) struct PartsArgs {
        /// The queue or frontier, the stamps, the round and the parameters.
        pub(crate) program: ProgramArgs,
        /// The array whose values are read or written, and these values one after the other.
        pub(crate) array: Address<()>,
        pub(crate) packed: Address<()>,
        /// Gets a bit per entry.
        pub(crate) bits: Address<u32>,
        /// The places of the entries; null for all ghosts, in the order of their places.
        pub(crate) places: Address<u32>,
        pub(crate) count: u64,
        /// The first own place, and the number of own vertices.
        pub(crate) first: u64,
        pub(crate) own: u64,
        /// Get the own vertices and the ghosts of a queue.
        pub(crate) mine: Address<u32>,
        pub(crate) mine_size: Address<u64>,
        pub(crate) others: Address<u32>,
        pub(crate) others_size: Address<u64>,
    }
}

/// Go over all ghosts if at least one in so many has a value.
const MANY: usize = 8;

/// The kernels of a run, and room for values on their way.
pub(super) struct Link<'m> {
    member: &'m Member,
    split: Launch<PartsArgs>,
    read: Launch<PartsArgs>,
    reset: Launch<PartsArgs>,
    tell: Launch<PartsArgs>,
    take: Launch<PartsArgs>,
    learn: Launch<PartsArgs>,
    packed: Array<u8>,
    bits: Array<u32>,
    /// The ghosts that received messages, and the places of values that arrived.
    others: Array<Vertex>,
    arrived: Array<Vertex>,
}

impl<'m> Link<'m> {
    /// Compiles the kernels, for values of type `T`.
    ///
    /// # Errors
    /// Those of compiling; when memory is short.
    pub(super) fn new<T: Scalar>(stage: &Stage<'_>, member: &'m Member) -> CoreResult<Self> {
        let source = stage.functor.parts(stage.device_graph.is_wide())?;
        let kernel = |name| stage.machine.kernel(&source, name);
        let (ghosts, asked) = (member.halo().ghosts.len(), member.asked().len());
        let most = ghosts.max(asked);
        Ok(Self {
            member,
            split: kernel("parts_split")?,
            read: kernel("parts_read")?,
            reset: kernel("parts_reset")?,
            tell: kernel("parts_tell")?,
            take: kernel("parts_take")?,
            learn: kernel("parts_learn")?,
            packed: stage.machine.array(most * size_of::<T>(), "values of other parts")?,
            bits: stage.machine.array(most.div_ceil(32), "marks of values")?,
            others: stage.machine.array(ghosts, "ghosts")?,
            arrived: stage.machine.array(most, "places of values")?,
        })
    }

    /// Returns the bytes of its arrays.
    pub(super) fn bytes(&self) -> u64 {
        self.packed.bytes() + self.bits.bytes() + self.others.bytes() + self.arrived.bytes()
    }

    fn args(&self, program: ProgramArgs, array: Address<()>) -> PartsArgs {
        let own = self.member.part().own();
        PartsArgs {
            program,
            array,
            packed: self.packed.address().cast(),
            bits: self.bits.address(),
            first: own.start as u64,
            own: own.len() as u64,
            ..PartsArgs::zeroed()
        }
    }

    /// Starts a kernel over `count` entries; does nothing without any.
    fn start(
        &self,
        machine: &Machine<'_>,
        kernel: &Launch<PartsArgs>,
        places: Address<u32>,
        count: u64,
        args: PartsArgs,
    ) -> CoreResult<()> {
        if count == 0 {
            return Ok(());
        }
        let args = PartsArgs { places, count, ..args };
        // SAFETY: the arrays of the program have an entry per place and live until the run has ended; `packed`, `bits`,
        // `others` and `arrived` have room for every ghost and for every entry of what others ask for, and there are not
        // more entries than that; queues have an entry per place, and the kernels put a place into them once.
        unsafe { machine.start(kernel, Grid::For(count), &args) }
    }

    /// Splits the queue of at most `most` places that received messages: own vertices go to `mine`, ghosts to a list. Returns
    /// how many ghosts there are; waits.
    pub(super) fn split(
        &self,
        stage: &mut Stage<'_>,
        program: ProgramArgs,
        most: u64,
        mine: &Array<Vertex>,
    ) -> Result<u64> {
        let args = PartsArgs {
            mine: mine.address(),
            mine_size: stage.counter(OWN),
            others: self.others.address(),
            others_size: stage.counter(GHOSTS),
            ..self.args(program, Address::NULL)
        };
        self.start(&stage.machine, &self.split, Address::NULL, most, args)?;
        Ok(stage.read_counters()?[GHOSTS])
    }

    /// Sends the values of `count` ghosts that received messages to their owners, at the end of the round. `resets`: they get
    /// the identity afterwards.
    pub(super) fn send<T: Scalar>(
        &self,
        stage: &Stage<'_>,
        exchange: &mut dyn Exchange,
        (program, array): (ProgramArgs, Address<()>),
        count: u64,
        resets: bool,
    ) -> Result<()> {
        let (args, halo) = (self.args(program, array), self.member.halo());
        let (all, machine) = (halo.ghosts.len(), &stage.machine);
        let identity = stage.combine().identity::<T>();
        if count == 0 {
            return Ok(());
        }
        if (count as usize) < all / MANY {
            let places = self.others.address();
            self.start(machine, &self.read, places, count, args)?;
            let (mut values, mut ghosts) = (vec![T::ZERO; count as usize], vec![0; count as usize]);
            self.fetch(machine, &mut values)?;
            self.others.read(&mut ghosts).map_err(lifted)?;
            if resets {
                self.start(machine, &self.reset, places, count, args)?;
            }
            let mut pairs: Vec<(u32, T)> = ghosts.iter().map(|&g| self.number(g)).zip(values).collect();
            pairs.sort_unstable_by_key(|(at, _)| *at);
            let positions: Vec<u32> = pairs.iter().map(|(at, _)| *at).collect();
            let value = |at: usize| pairs[positions.binary_search(&(at as u32)).unwrap_or_default()].1;
            return halo.send(exchange, &positions, identity, value);
        }
        let program = ProgramArgs { bitmap: Address::NULL, ..program };
        let args = self.args(program, array);
        self.start(machine, &self.tell, Address::NULL, all as u64, args)?;
        let mut values = vec![T::ZERO; all];
        self.fetch(machine, &mut values)?;
        let positions = self.marked(0..all)?;
        if resets {
            self.start(machine, &self.reset, self.others.address(), count, args)?;
        }
        halo.send(exchange, &positions, identity, |at| values[at])
    }

    /// Ends the round of [`Link::send`]: joins what arrived into own vertices, of which those that improved join `next`.
    pub(super) fn receive<T: Scalar>(
        &mut self,
        stage: &Stage<'_>,
        exchange: &mut dyn Exchange,
        (program, array): (ProgramArgs, Address<()>),
        next: Queue,
    ) -> Result<()> {
        let first = self.member.part().own().start;
        let (mut places, mut values) = (Vec::new(), Vec::<T>::new());
        self.member.halo().receive(exchange, |v, value: T| {
            places.push((first + v) as Vertex);
            values.push(value);
        })?;
        // A sender gives a vertex at most one value, so there is room.
        self.deliver(&places, &values)?;
        let mut args = self.args(program, array);
        (args.program.along.next, args.program.along.next_size) = (next.items, next.size);
        Ok(self.start(&stage.machine, &self.take, self.arrived.address(), places.len() as u64, args)?)
    }

    /// Tells all other parts which of the own vertices that they read are in the frontier, and their values; learns the same
    /// of ghosts, which get these values and join the bitmap of the frontier; collective.
    pub(super) fn tell_frontier<T: Scalar>(
        &mut self,
        stage: &Stage<'_>,
        exchange: &mut dyn Exchange,
        program: ProgramArgs,
    ) -> Result<()> {
        let args = self.args(program, program.values);
        let asked = self.member.asked().len();
        let places = self.member.asked().address();
        self.start(&stage.machine, &self.tell, places, asked as u64, args)?;
        let mut values = vec![T::ZERO; asked];
        self.fetch(&stage.machine, &mut values)?;
        let mut first = 0;
        for (to, list) in self.member.halo().asked.iter().enumerate() {
            let chosen = self.marked(first..first + list.len())?;
            self.member.halo().tell(exchange, to, &chosen, |at| values[first + at])?;
            first += list.len();
        }
        self.learn::<T>(stage, exchange, args)
    }

    /// Sends the values of an array at all own vertices that others read, and gives ghosts those of their owners; collective.
    pub(super) fn publish<T: Scalar>(
        &mut self,
        stage: &Stage<'_>,
        exchange: &mut dyn Exchange,
        (program, array): (ProgramArgs, Address<()>),
    ) -> Result<()> {
        let program = ProgramArgs { bitmap: Address::NULL, ..program };
        let args = self.args(program, array);
        let asked = self.member.asked().len();
        self.start(&stage.machine, &self.read, self.member.asked().address(), asked as u64, args)?;
        let mut values = vec![T::ZERO; asked];
        self.fetch(&stage.machine, &mut values)?;
        let mut first = 0;
        for (to, list) in self.member.halo().asked.iter().enumerate() {
            let all: Vec<u32> = (0..list.len() as u32).collect();
            self.member.halo().tell(exchange, to, &all, |at| values[first + at])?;
            first += list.len();
        }
        self.learn::<T>(stage, exchange, args)
    }

    /// Ends a round: ghosts get the values that arrived.
    fn learn<T: Scalar>(
        &mut self,
        stage: &Stage<'_>,
        exchange: &mut dyn Exchange,
        args: PartsArgs,
    ) -> Result<()> {
        let (mut places, mut values) = (Vec::new(), Vec::<T>::new());
        let halo = self.member.halo();
        halo.learn(exchange, |at, value: T| {
            places.push(halo.ghosts[at]);
            values.push(value);
        })?;
        self.deliver(&places, &values)?;
        Ok(self.start(&stage.machine, &self.learn, self.arrived.address(), places.len() as u64, args)?)
    }

    /// Copies places and their values to the device.
    fn deliver<T: Scalar>(&mut self, places: &[Vertex], values: &[T]) -> Result<()> {
        self.arrived.write(places).map_err(lifted)?;
        self.packed.write(bytemuck::cast_slice(values)).map_err(lifted)
    }

    /// Copies the first values to the host, after all work started before. A copy cannot be stopped, so it waits first.
    fn fetch<T: Scalar>(&self, machine: &Machine<'_>, values: &mut [T]) -> Result<()> {
        machine.wait()?;
        self.packed.read(bytemuck::cast_slice_mut(values)).map_err(lifted)
    }

    /// Returns which entries of a range are marked, counted from its start.
    fn marked(&self, range: std::ops::Range<usize>) -> Result<Vec<u32>> {
        let mut bits = vec![0u32; range.end.div_ceil(32)];
        self.bits.read(&mut bits).map_err(lifted)?;
        let is_marked = |at: &usize| bits[at / 32] >> (at % 32) & 1 != 0;
        Ok(range.clone().filter(is_marked).map(|at| (at - range.start) as u32).collect())
    }

    /// Returns the number of a ghost among all ghosts.
    fn number(&self, place: Vertex) -> u32 {
        let own = self.member.part().own();
        if (place as usize) < own.start { place } else { place - own.len() as u32 }
    }
}
