//! [`Halo`]: which vertices of others a part has arcs with, known to both sides.
//!
//! Every part lists the places of its ghosts by owner, and tells each owner its list once. From then on a value for a ghost
//! needs no id: it travels at its position in the list, or with its position as a 32-bit number (`mail.rs`).
//!
//! A part keeps its lists, so that the next run on it needs no meeting. All members must decide alike: each list bears the
//! number of the meeting that made it, which all members drew together, and lists are used again only if all members have
//! those of one meeting.

use crate::{Error, Exchange, Part, Reduce, Result, bits::Bits, mail, part::Rows};
use bytemuck::Pod;
use std::{
    hash::{BuildHasher, Hasher, RandomState},
    sync::{Arc, Mutex, PoisonError},
};
use warpgraph_graph::Vertex;

/// The arcs of a part whose other ends a run reads or writes. The same arcs in an undirected graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Outgoing arcs.
    Out,
    /// Incoming arcs.
    Incoming,
    /// Arcs of both directions.
    Both,
}

/// The lists that a part keeps between runs, by [`Reach`], each with the number of its meeting.
#[derive(Debug, Default)]
pub(crate) struct Halos(Mutex<[Kept; 3]>);

/// Lists and the number of their meeting; `None` before the first one.
type Kept = Option<(u64, Arc<Halo>)>;

impl Halos {
    /// Returns the lists for a reach, and the number of their meeting; 0 if there are none.
    fn get(&self, reach: Reach) -> (u64, Option<Arc<Halo>>) {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept[reach as usize].clone().map_or((0, None), |(meeting, halo)| (meeting, Some(halo)))
    }

    fn keep(&self, reach: Reach, meeting: u64, halo: &Arc<Halo>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept[reach as usize] = Some((meeting, halo.clone()));
    }
}

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
    /// Returns the lists of the ghosts that these arcs lead to: those of an earlier run, or else lists the ghosts and learns
    /// the lists of all others. Collective.
    ///
    /// # Errors
    /// If the exchange is not that of the part, or if another member fails.
    pub fn meet(part: &Part, reach: Reach, exchange: &mut dyn Exchange) -> Result<Arc<Self>> {
        let parts = part.cut().parts();
        if exchange.parts() != parts || exchange.part() != part.number() {
            let (number, members) = (exchange.part(), exchange.parts());
            let what = format!("member {number} of {members} cannot run part {} of {parts}", part.number());
            return Err(Error::refused(what, "start one member per part, each with its own part"));
        }
        let reach = if part.whole().directed { reach } else { Reach::Out };
        let (meeting, kept) = part.halos().get(reach);
        let drawn = RandomState::new().build_hasher().finish();
        let mut words = [meeting, !meeting, drawn];
        exchange.all_reduce(&mut words, Reduce::Max)?;
        // The largest and the smallest number of a meeting are equal.
        if let Some(halo) = kept.filter(|_| words[0] == !words[1]) {
            return Ok(halo);
        }
        let halo = Arc::new(Self::listed(part, reach, exchange)?);
        part.halos().keep(reach, words[2] | 1, &halo);
        Ok(halo)
    }

    /// Lists the ghosts, and learns the lists of all others; collective.
    fn listed(part: &Part, reach: Reach, exchange: &mut dyn Exchange) -> Result<Self> {
        let parts = part.cut().parts();
        let ghosts = ghosts(part, reach);
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
            let (first, positions) = (self.starts[owner], self.next_of(owner, &mut rest));
            let bytes = mail::pack(self.of(owner).len(), &positions, filler, |at| value(first + at));
            if let Some(bytes) = bytes {
                exchange.send(owner, bytes)?;
            }
        }
        Ok(())
    }

    /// Takes those of an owner from positions among all ghosts, which must rise and none of which is of an owner before.
    /// Returns them as positions among the ghosts of that owner.
    pub(crate) fn next_of(&self, owner: usize, positions: &mut &[u32]) -> Vec<u32> {
        let (first, end) = (self.starts[owner] as u32, self.starts[owner + 1]);
        let (here, others) = positions.split_at(positions.partition_point(|&at| (at as usize) < end));
        *positions = others;
        here.iter().map(|&at| at - first).collect()
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
        value: impl Fn(usize) -> T + Sync,
        take: impl Fn(usize, T) + Sync,
    ) -> Result<()> {
        for (to, list) in self.asked.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
            exchange.send(to, mail::pack_all(list.len(), |at| value(list[at] as usize)))?;
        }
        let mut missing = vec![true; self.asked.len()];
        exchange.flush(&mut |from, bytes| {
            let (first, len) = (self.starts[from], self.of(from).len());
            missing[from] = false;
            mail::unpack_all(bytes, len, |at, value| take(first + at, value))
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

/// Returns the places at the other ends of these arcs that are not the part's own, rising.
fn ghosts(part: &Part, reach: Reach) -> Vec<Vertex> {
    let (own, places) = (part.own(), part.places());
    if part.is_compact() && !part.whole().directed {
        // No other places were given.
        return (0..own.start).chain(own.end..places).map(|place| place as Vertex).collect();
    }
    let out = Some(part.out()).filter(|_| reach != Reach::Incoming);
    let incoming = part.incoming().filter(|_| reach != Reach::Out);
    let mut met = Bits::empty(places);
    met.insert_all([out, incoming].into_iter().flatten().map(Rows::targets));
    met.iter().filter(|place| !own.contains(place)).map(|place| place as Vertex).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cut, together};
    use warpgraph_graph::Graph;

    fn parts(cut: &Cut, edges: &[(Vertex, Vertex)]) -> Vec<Part> {
        let graph = Graph::from_edges(6, edges, false).unwrap();
        (0..cut.parts()).map(|part| Part::of(&graph, cut, part).unwrap().compacted().unwrap()).collect()
    }

    /// Meets as members of these parts; returns the lists, and the bytes that each meeting sent.
    fn meet(parts: &[Part]) -> Vec<(Arc<Halo>, u64)> {
        let meet = |mut member: crate::exchange::Local| {
            let halo = Halo::meet(&parts[member.part()], Reach::Out, &mut member).unwrap();
            (halo, member.traffic().0)
        };
        together(parts.len(), 1, meet).unwrap()
    }

    #[test]
    fn lists_are_used_again_only_if_all_members_have_those_of_one_meeting() {
        let cut = Cut::new(vec![0, 2, 4, 6]).unwrap();
        let edges = [(0, 1), (1, 2), (3, 4), (0, 5)];
        let [mut first, second] = [parts(&cut, &edges), parts(&cut, &edges)];
        let (met, again) = (meet(&first), meet(&first));
        for ((halo, sent), (same, silent)) in met.iter().zip(&again) {
            assert!(Arc::ptr_eq(halo, same) && *sent > 0 && *silent == 0);
        }
        assert_eq!(met[0].0.ghosts, [2, 3], "vertices 2 and 5");
        assert_eq!(met[0].0.asked, [vec![], vec![1], vec![0]]);
        let other = meet(&second);
        // A part that met others ends the use of the lists of all.
        first[1] = second[1].clone();
        let mixed = meet(&first);
        assert!(mixed.iter().zip(met.iter().chain(&other)).all(|(new, old)| !Arc::ptr_eq(&new.0, &old.0)));
        assert!(mixed.iter().all(|(_, sent)| *sent > 0));
        assert!(meet(&first).iter().all(|(_, sent)| *sent == 0));
    }
}
