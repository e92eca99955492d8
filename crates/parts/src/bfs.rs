//! Breadth-first search in parts, direction-optimising.
//!
//! A superstep is a level. While few arcs leave the frontier, its vertices *push*: an own vertex that is met for the first time
//! gets its distance and parent, and a ghost that is met for the first time travels to its owner with the number of its
//! parent, 4 bytes beside its position. While many arcs leave it, unreached vertices *pull*: every part learns which of its ghosts are in
//! the frontier, a bit per vertex without ids, and each unreached vertex looks for a parent among them and its own. All
//! parts turn together, by the arcs of the whole frontier [1].
//!
//! Pulling needs the incoming arcs of a part; without them a directed search only pushes. O(n + m) work.
//!
//! [1] S. Beamer, K. Asanović, D. Patterson, Direction-optimizing breadth-first search, SC 2012.

use crate::{
    Error, Exchange, Part, PartAnswer, PartRun, Question, Reduce, Result, State,
    bits::Bits,
    collective,
    halo::{Halo, Reach},
    names,
    program::Ended,
    run::Column,
    source::{self, Found},
};
use std::sync::Arc;
use warpgraph_core::{
    Halted,
    bfs::{Bfs, BfsSummary, UNREACHED},
};
use warpgraph_graph::{Control, NO_VERTEX, Vertex, par};

const NAME: &str = "bfs";
/// Pull once the arcs of the frontier exceed the unexplored arcs divided by this.
const PULL_SHARE: u64 = 15;
/// Push again once the frontier is smaller than the vertices divided by this.
const PUSH_SHARE: u64 = 18;
/// Words of a bitmap that a thread takes at a time.
const WORDS: usize = 64;

/// A search.
pub(crate) struct Search {
    part: Arc<Part>,
    source: Found,
    max_depth: Option<u32>,
    /// The ghosts of outgoing arcs, and those of incoming ones if the graph is directed and the part has them.
    halo: Arc<Halo>,
    halo_in: Option<Arc<Halo>>,
    distances: Vec<u32>,
    parents: Vec<Vertex>,
    /// The ghosts that were sent to their owners, by place.
    sent: Bits,
    /// The own vertices of the frontier.
    frontier: Vec<u32>,
    level: u32,
    pulling: bool,
    /// Outgoing arcs of all parts from vertices that were not reached.
    unexplored: u64,
}

impl Search {
    /// Finds the source, and learns which vertices parts share; collective.
    pub(crate) fn start(
        config: &Bfs,
        question: &Question,
        part: &Arc<Part>,
        exchange: &mut dyn Exchange,
    ) -> Result<Self> {
        let halo = Halo::meet(part, Reach::Out, exchange)?;
        let is_directed = part.whole().directed;
        // Either all parts have their incoming arcs or none pulls.
        let missing = collective::sum(exchange, u64::from(part.incoming().is_none()))?;
        let halo_in = match is_directed && missing == 0 {
            true => Some(Halo::meet(part, Reach::Incoming, exchange)?),
            false => None,
        };
        let source = source::find(&config.source, question, part, exchange)?;
        let (n, places) = (part.vertices(), part.places());
        let mut search = Self {
            source,
            max_depth: config.max_depth,
            halo,
            halo_in,
            distances: vec![UNREACHED; n],
            parents: vec![NO_VERTEX; n],
            sent: Bits::empty(places),
            frontier: Vec::new(),
            level: 0,
            pulling: false,
            unexplored: part.whole().arcs,
            part: part.clone(),
        };
        if let Some(v) = search.source.own {
            (search.distances[v], search.parents[v]) = (0, search.source.number);
            search.frontier.push(v as u32);
        }
        Ok(search)
    }

    /// Decides the direction of this level in all parts alike; `None` if the frontier is empty. Collective.
    fn direction(&mut self, exchange: &mut dyn Exchange) -> Result<Option<bool>> {
        let arcs: usize = self.frontier.iter().map(|&v| self.part.out().degree(v as usize)).sum();
        let mut words = [self.frontier.len() as u64, arcs as u64];
        exchange.all_reduce(&mut words, Reduce::Sum)?;
        let [vertices, arcs] = words;
        if vertices == 0 {
            return Ok(None);
        }
        let may_pull = !self.part.whole().directed || self.halo_in.is_some();
        self.pulling = may_pull
            && match self.pulling {
                false => arcs > self.unexplored / PULL_SHARE,
                true => vertices >= self.part.whole().vertices as u64 / PUSH_SHARE,
            };
        self.unexplored = self.unexplored.saturating_sub(arcs);
        Ok(Some(self.pulling))
    }

    fn push(&mut self, exchange: &mut dyn Exchange) -> Result<Vec<u32>> {
        let Self { part, halo, distances, parents, sent, frontier, level, .. } = self;
        let (own, rows, targets) = (part.own(), part.out(), part.out().targets());
        let (mut next, mut met, depth) = (Vec::new(), Vec::new(), *level + 1);
        for &u in frontier.iter() {
            let number = part.original(u as usize);
            for &place in &targets[rows.arcs_of(u as usize)] {
                let place = place as usize;
                if own.contains(&place) {
                    let v = place - own.start;
                    if distances[v] == UNREACHED {
                        (distances[v], parents[v]) = (depth, number);
                        next.push(v as u32);
                    }
                } else if sent.insert(place) {
                    met.push((place as u32, number));
                }
            }
        }
        met.sort_unstable();
        let position =
            |(place, number): (u32, u32)| Some((halo.ghosts.binary_search(&place).ok()? as u32, number));
        let met: Vec<(u32, u32)> = met.into_iter().filter_map(position).collect();
        let positions: Vec<u32> = met.iter().map(|(at, _)| *at).collect();
        let parent = |at: usize| met[positions.binary_search(&(at as u32)).unwrap_or_default()].1;
        halo.send(exchange, &positions, NO_VERTEX, parent)?;
        let n = part.whole().vertices as Vertex;
        halo.receive_checked(exchange, |v, parent: Vertex| {
            if parent == NO_VERTEX {
                return Ok(());
            }
            if parent >= n {
                return Err(format!("vertex {parent} as a parent, expected one below {n}"));
            }
            if distances[v] == UNREACHED {
                (distances[v], parents[v]) = (depth, parent);
                next.push(v as u32);
            } else if distances[v] == depth {
                parents[v] = parents[v].min(parent);
            }
            Ok(())
        })?;
        Ok(next)
    }

    fn pull(&mut self, exchange: &mut dyn Exchange) -> Result<Vec<u32>> {
        let part = &self.part;
        let (own, n) = (part.own(), part.vertices());
        let mut front = Bits::empty(part.places());
        let mut here = Bits::empty(n);
        for &v in &self.frontier {
            front.insert(own.start + v as usize);
            here.insert(v as usize);
        }
        let halo = self.halo_in.as_ref().unwrap_or(&self.halo);
        halo.publish_some(exchange, &here, [0u8; 0], |_| [0u8; 0])?;
        halo.learn(exchange, |at, _: [u8; 0]| {
            front.insert(halo.ghosts[at] as usize);
        })?;
        let Some(rows) = part.incoming() else { return Ok(Vec::new()) };
        let (targets, depth) = (rows.targets(), self.level + 1);
        let pieces: Vec<(&mut [u32], &mut [Vertex])> =
            self.distances.chunks_mut(64 * WORDS).zip(self.parents.chunks_mut(64 * WORDS)).collect();
        let look = |piece: usize, distances: &mut [u32], parents: &mut [Vertex]| {
            let mut next = Vec::new();
            for (i, distance) in distances.iter_mut().enumerate().filter(|(_, d)| **d == UNREACHED) {
                let v = piece * 64 * WORDS + i;
                if let Some(&u) = targets[rows.arcs_of(v)].iter().find(|&&u| front.contains(u as usize)) {
                    (*distance, parents[i]) = (depth, part.original_at(u as usize));
                    next.push(v as u32);
                }
            }
            next
        };
        Ok(par::map_each(pieces, |piece, (distances, parents)| look(piece, distances, parents)).concat())
    }
}

impl PartRun for Search {
    fn name(&self) -> &'static str {
        NAME
    }

    fn step(&mut self, exchange: &mut dyn Exchange, control: &Control) -> Result<Option<Halted>> {
        control.check("searching")?;
        if self.max_depth == Some(self.level) {
            return Ok(Some(Halted::Converged));
        }
        let Some(pull) = self.direction(exchange)? else { return Ok(Some(Halted::Converged)) };
        self.frontier = if pull { self.pull(exchange)? } else { self.push(exchange)? };
        self.level += 1;
        control.report(NAME, self.level.into(), None);
        Ok(None)
    }

    fn supersteps(&self) -> u64 {
        self.level.into()
    }

    fn state(&self) -> State {
        State::after(self.level.into())
            .with("distances", &self.distances)
            .with("parents", &self.parents)
            .with("unexplored", &[self.unexplored, u64::from(self.pulling)])
    }

    fn restore(&mut self, state: &State) -> Result<()> {
        let wrong = |what: &str| Error::state(format!("the search {what}"));
        self.level = u32::try_from(state.superstep).map_err(|_| wrong("has too many levels"))?;
        let (mut distances, mut parents) = (self.distances.clone(), self.parents.clone());
        let mut words = [0; 2];
        state.fill("distances", &mut distances)?;
        state.fill("parents", &mut parents)?;
        state.fill("unexplored", &mut words)?;
        let n = self.part.whole().vertices as Vertex;
        let fits =
            |(d, p): (&u32, &Vertex)| (*d == UNREACHED && *p == NO_VERTEX) || (*d <= self.level && *p < n);
        if !distances.iter().zip(&parents).all(fits) {
            return Err(wrong("has a distance or a parent out of range"));
        }
        let is_last = |v: &u32| distances[*v as usize] == self.level;
        self.frontier = (0..distances.len() as u32).filter(is_last).collect();
        (self.distances, self.parents) = (distances, parents);
        (self.unexplored, self.pulling) = (words[0], words[1] != 0);
        Ok(())
    }

    fn answer(self: Box<Self>, halt: Halted, exchange: &mut dyn Exchange, _: &Control) -> Result<PartAnswer> {
        let reached = self.distances.iter().filter(|d| **d != UNREACHED);
        let (count, sum) = reached.clone().fold((0, 0), |(count, sum), &d| (count + 1, sum + u64::from(d)));
        let [reached_by_all, sum] = collective::sums(exchange, [count, sum])?;
        let depth = collective::greatest(exchange, reached.max().copied())?.unwrap_or(0);
        let summary = BfsSummary { source: self.source.id.clone(), reached: reached_by_all, depth, sum };
        let bytes = 8 * self.distances.len() + self.part.places() / 4;
        let halos = self.halo.bytes() + self.halo_in.as_ref().map_or(0, |halo| halo.bytes());
        let ended = Ended { supersteps: self.level.into(), halt, state_bytes: bytes as u64 + halos };
        let report = ended.report(exchange)?;
        let columns =
            vec![("distance", Column::U32(self.distances)), ("parent", Column::Vertices(self.parents))];
        let summary = serde_json::to_value(summary).unwrap_or_default();
        names::answer(&self.part, summary, report, columns, exchange)
    }
}
