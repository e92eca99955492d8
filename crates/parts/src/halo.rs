//! [`Halo`]: which vertices of others a part has arcs with, known to both sides.
//!
//! Every part lists the places of its ghosts by owner, and tells each owner its list once. From then on a value for a ghost
//! needs no id: it travels at its position in the list, or with its position as a 32-bit number ([`crate::mail`]).

use crate::{Error, Exchange, Part, Result, bits::Bits, mail, part::Rows};
use bytemuck::Pod;
use warpgraph_graph::Vertex;

/// The lists of a part and of those that share vertices with it.
#[derive(Debug, Clone, Default)]
pub struct Halo {
    /// The places of all ghosts, rising, and so by owner.
    pub ghosts: Vec<Vertex>,
    /// Where the ghosts of each owner start, and how many there are.
    starts: Vec<usize>,
    /// Of each part, the own vertices that are ghosts there, rising.
    pub asked: Vec<Vec<u32>>,
}

impl Halo {
    /// Lists the ghosts at the other ends of these rows, and learns the lists of all others; collective.
    ///
    /// # Errors
    /// [`Error::Run`] if the exchange is that of another part or number of parts; otherwise those of the exchange.
    pub fn meet(part: &Part, rows: &[&Rows], exchange: &mut dyn Exchange) -> Result<Self> {
        let parts = part.cut().parts();
        if exchange.parts() != parts || exchange.part() != part.number() {
            let (number, members) = (exchange.part(), exchange.parts());
            let what = format!("member {number} of {members} cannot run part {} of {parts}", part.number());
            return Err(Error::refused(what, "start one member per part, each with its own part"));
        }
        let ghosts = ghosts(part, rows);
        let end = |owner: usize| {
            let end = part.cut().range(owner).end;
            ghosts.partition_point(|&place| part.number_at(place as usize) < end)
        };
        let starts: Vec<usize> = [0].into_iter().chain((0..parts).map(end)).collect();
        for owner in (0..parts).filter(|&owner| starts[owner] < starts[owner + 1]) {
            let first = part.cut().range(owner).start;
            let number = |&place: &u32| part.number_at(place as usize) - first;
            let positions: Vec<u32> = ghosts[starts[owner]..starts[owner + 1]].iter().map(number).collect();
            let len = part.cut().range(owner).len();
            if let Some(bytes) = mail::pack(len, &positions, [0u8; 0], |_| [0u8; 0]) {
                exchange.send(owner, bytes)?;
            }
        }
        let (mut asked, own) = (vec![Vec::new(); parts], part.vertices());
        exchange.flush(&mut |from, bytes| {
            if from == part.number() || !asked[from].is_empty() {
                return Err("a list of its ghosts that this part did not ask for".to_owned());
            }
            let list = &mut asked[from];
            mail::unpack(bytes, own, |v, _: [u8; 0]| {
                list.push(v as u32);
                Ok(())
            })
        })?;
        Ok(Self { ghosts, starts, asked })
    }

    /// Returns the ghosts that a part owns.
    pub fn of(&self, owner: usize) -> &[Vertex] {
        &self.ghosts[self.starts[owner]..self.starts[owner + 1]]
    }

    /// Sends a value for some ghosts to their owners, at the end of the round; `chosen` lists their positions among all
    /// ghosts, rising.
    ///
    /// # Errors
    /// Those of the exchange.
    pub fn send<T: Pod>(
        &self,
        exchange: &mut dyn Exchange,
        chosen: &[u32],
        filler: T,
        value: impl Fn(usize) -> T,
    ) -> Result<()> {
        let mut rest = chosen;
        for owner in 0..self.asked.len() {
            let (first, end) = (self.starts[owner], self.starts[owner + 1]);
            let (here, others) = rest.split_at(rest.partition_point(|&at| (at as usize) < end));
            rest = others;
            let positions: Vec<u32> = here.iter().map(|&at| at - first as u32).collect();
            if let Some(bytes) = mail::pack(end - first, &positions, filler, |at| value(first + at)) {
                exchange.send(owner, bytes)?;
            }
        }
        Ok(())
    }

    /// Ends a round: calls `take` with the own vertices for which values arrived, and the values.
    ///
    /// # Errors
    /// Those of the exchange.
    pub fn receive<T: Pod>(&self, exchange: &mut dyn Exchange, mut take: impl FnMut(usize, T)) -> Result<()> {
        self.receive_checked(exchange, |v, value| {
            take(v, value);
            Ok(())
        })
    }

    /// Ends a round as [`Halo::receive`]; `take` returns what is wrong with a value.
    pub(crate) fn receive_checked<T: Pod>(
        &self,
        exchange: &mut dyn Exchange,
        mut take: impl FnMut(usize, T) -> Result<(), String>,
    ) -> Result<()> {
        exchange.flush(&mut |from, bytes| {
            let list = &self.asked[from];
            mail::unpack(bytes, list.len(), |at, value| take(list[at] as usize, value))
        })?;
        Ok(())
    }

    /// Ends a round as [`Halo::receive`], with the values in the order of the parts, so that sums of decimals do not depend on
    /// who came first.
    pub(crate) fn receive_in_order<T: Pod>(
        &self,
        exchange: &mut dyn Exchange,
        mut take: impl FnMut(usize, T),
    ) -> Result<()> {
        let mut mail = Vec::new();
        exchange.flush(&mut |from, bytes| {
            mail::unpack(bytes, self.asked[from].len(), |_, _: T| Ok(()))?;
            mail.push((from, bytes.to_vec()));
            Ok(())
        })?;
        mail.sort_by_key(|(from, _)| *from);
        for (from, bytes) in &mail {
            let list = &self.asked[*from];
            let taken = mail::unpack(bytes, list.len(), |at, value| {
                take(list[at] as usize, value);
                Ok(())
            });
            debug_assert!(taken.is_ok(), "it was read before");
        }
        Ok(())
    }

    /// Sends the values of own vertices to the parts where they are ghosts, all of them; collective. `take` gets positions
    /// among all ghosts, and the values.
    ///
    /// # Errors
    /// Those of the exchange.
    pub fn publish<T: Pod>(
        &self,
        exchange: &mut dyn Exchange,
        value: impl Fn(usize) -> T,
        mut take: impl FnMut(usize, T),
    ) -> Result<()> {
        for (to, list) in self.asked.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
            exchange.send(to, mail::pack_all(list.iter().map(|&v| value(v as usize))))?;
        }
        let mut missing = vec![true; self.asked.len()];
        exchange.flush(&mut |from, bytes| {
            let (first, len) = (self.starts[from], self.of(from).len());
            missing[from] = false;
            mail::unpack(bytes, len, |at, value| {
                take(first + at, value);
                Ok(())
            })
        })?;
        match (0..missing.len()).find(|&part| missing[part] && !self.of(part).is_empty()) {
            None => Ok(()),
            Some(part) => {
                let what = "nothing, where the values of its vertices were due".to_owned();
                Err(crate::exchange::ExchangeError::Invalid { part, name: String::new(), what }.into())
            }
        }
    }

    /// Sends the values of some own vertices to the parts where they are ghosts, at the end of the round; `chosen` lists
    /// the vertices.
    pub(crate) fn publish_some<T: Pod>(
        &self,
        exchange: &mut dyn Exchange,
        chosen: &Bits,
        filler: T,
        value: impl Fn(usize) -> T,
    ) -> Result<()> {
        for (to, list) in self.asked.iter().enumerate() {
            let positions = list.iter().enumerate().filter(|(_, v)| chosen.contains(**v as usize));
            let positions: Vec<u32> = positions.map(|(at, _)| at as u32).collect();
            let bytes = mail::pack(list.len(), &positions, filler, |at| value(list[at] as usize));
            if let Some(bytes) = bytes {
                exchange.send(to, bytes)?;
            }
        }
        Ok(())
    }

    /// Sends values for some entries of the list that a part asked for, and for no others, at the end of the round; `chosen`
    /// lists their positions in that list, rising.
    ///
    /// # Errors
    /// Those of the exchange.
    pub fn tell<T: Pod>(
        &self,
        exchange: &mut dyn Exchange,
        to: usize,
        chosen: &[u32],
        value: impl Fn(usize) -> T,
    ) -> Result<()> {
        match mail::pack_only(self.asked[to].len(), chosen, value) {
            Some(bytes) => Ok(exchange.send(to, bytes)?),
            None => Ok(()),
        }
    }

    /// Ends a round of [`Halo::tell`]: calls `take` with positions among all ghosts, and the values.
    ///
    /// # Errors
    /// Those of the exchange.
    pub fn learn<T: Pod>(&self, exchange: &mut dyn Exchange, mut take: impl FnMut(usize, T)) -> Result<()> {
        exchange.flush(&mut |from, bytes| {
            let (first, len) = (self.starts[from], self.of(from).len());
            mail::unpack(bytes, len, |at, value| {
                take(first + at, value);
                Ok(())
            })
        })?;
        Ok(())
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        4 * (self.ghosts.len() + self.asked.iter().map(Vec::len).sum::<usize>()) as u64
    }
}

/// Returns the places at the other ends of these rows that are not the part's own, rising.
fn ghosts(part: &Part, rows: &[&Rows]) -> Vec<Vertex> {
    let mut met = Bits::empty(part.places());
    for target in rows.iter().flat_map(|rows| rows.targets()) {
        met.insert(*target as usize);
    }
    let own = part.own();
    let met = met.iter().filter(|place| !own.contains(place));
    met.map(|place| place as Vertex).collect()
}
