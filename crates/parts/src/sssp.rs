//! Shortest paths in parts, by the program [`Lengths`].
//!
//! Distances have the type that a run on one machine gives them. If no weight is negative, the nearest vertices send first,
//! bucket by bucket as in delta-stepping: all parts share the limit up to which vertices send. Otherwise arcs are relaxed in
//! rounds until no distance falls, or until as many rounds as there are vertices show a negative cycle.
//!
//! The tree of paths is found at the end, from the distances alone: a parent is the smallest tight predecessor that is
//! strictly nearer, as on one machine. If a vertex has none, because of arcs of weight zero or less, a search over tight arcs
//! assigns all parents instead. For this, the distances of ghosts travel once more, and one parent per (sender, vertex).

use crate::{
    Error, Exchange, Part, PartAnswer, PartRun, Question, Result, State,
    bits::Bits,
    collective,
    halo::Halo,
    names,
    program::{Ground, Spread, Stepped, column},
    run::Column,
    source::{self, Found},
};
use serde_json::Number;
use std::sync::Arc;
use warpgraph_core::{
    Halted,
    program::{Scalar, ScalarType, Ways, library::Lengths},
    sssp::{Sssp, SsspSummary, kinds},
};
use warpgraph_graph::{Control, NO_VERTEX, Vertex, VertexId};

const NAME: &str = "sssp";
/// A mean degree below this is typical of a mesh or a road network.
const FEW_ARCS: f64 = 8.0;

/// Starts a search; collective.
///
/// # Errors
/// When the source is not in the graph, or negative whole weights are so large that their sums cannot be exact.
pub(crate) fn start(
    config: &Sssp,
    question: &Question,
    part: &Arc<Part>,
    exchange: &mut dyn Exchange,
) -> Result<Box<dyn PartRun>> {
    if config.max_error.is_some() {
        return Err(Error::refused(
            "sssp in parts is exact, and has no --max-error",
            "leave --max-error out, or run it on one machine",
        ));
    }
    let range = part.out().weight_range();
    let least = collective::least(exchange, range.map(|(least, _)| least))?.unwrap_or(1.0);
    let most = collective::greatest(exchange, range.map(|(_, most)| most))?.unwrap_or(1.0);
    let source = source::find(&config.source, question, part, exchange)?;
    let whole = part.whole();
    let start = Start { config, part, source, least, most };
    use ScalarType::{F32, F64, I32, U32};
    match kinds(part.out().weight_type(), (least, most), whole.vertices as u64) {
        Some((F32, _)) => start.search::<f32, f32>(exchange),
        Some((F64, F64)) => start.search::<f64, f64>(exchange),
        Some((F64, _)) => start.search::<f64, i32>(exchange),
        Some((U32, I32)) => start.search::<u32, i32>(exchange),
        Some((_, I32)) => start.search::<u64, i32>(exchange),
        Some((U32, _)) => start.search::<u32, u32>(exchange),
        Some(_) => start.search::<u64, u32>(exchange),
        None => Err(Error::refused(
            "sssp in parts cannot add up negative weights of this size exactly",
            "run it on one machine with --device cpu",
        )),
    }
}

struct Start<'a> {
    config: &'a Sssp,
    part: &'a Arc<Part>,
    source: Found,
    least: f64,
    most: f64,
}

impl Start<'_> {
    fn search<T: Scalar, W: Scalar>(self, exchange: &mut dyn Exchange) -> Result<Box<dyn PartRun>> {
        let whole = self.part.whole();
        let mut program = Lengths::<T, W>::from(self.source.number);
        // A shortest path has fewer arcs than there are vertices. One more round shows that no distance falls.
        program.rounds = (self.least < 0.0).then(|| whole.vertices as u64 + 1);
        let degree = whole.arcs as f64 / whole.vertices.max(1) as f64;
        let inside = if degree < FEW_ARCS { 2.0 } else { 0.5 };
        let width = self.config.delta.unwrap_or(inside * self.most / degree.max(1.0));
        let pace = (self.least >= 0.0).then(|| Stepped::by(width));
        let ground = Ground::new(&Arc::new(program), self.part, Ways::Out, exchange)?;
        let beyond = 2.0 * self.least.abs().max(self.most.abs()) * whole.vertices as f64;
        let may_overflow = match (T::TYPE, W::TYPE) {
            (ScalarType::F32, _) => beyond > f32::MAX.into(),
            (ScalarType::F64, ScalarType::F64) => beyond > f64::MAX,
            _ => false,
        };
        Ok(Box::new(Search {
            may_overflow,
            is_whole: T::TYPE == ScalarType::F64 && W::TYPE == ScalarType::I32,
            part: self.part.clone(),
            source: self.source,
            spread: Spread::new(ground, pace)?,
        }))
    }
}

/// A search by distances of type `T` over weights of type `W`.
struct Search<T: Scalar, W: Scalar> {
    part: Arc<Part>,
    source: Found,
    /// Whether the distances are sums of whole numbers, though they are held as decimals.
    is_whole: bool,
    /// Whether a distance may be beyond the range of its type.
    may_overflow: bool,
    spread: Spread<Lengths<T, W>>,
}

impl<T: Scalar, W: Scalar> PartRun for Search<T, W> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn step(&mut self, exchange: &mut dyn Exchange, control: &Control) -> Result<Option<Halted>> {
        match self.spread.step(exchange, control)? {
            Some(Halted::MaxIterations) => Err(Error::NegativeCycle),
            halted => Ok(halted),
        }
    }

    fn supersteps(&self) -> u64 {
        self.spread.supersteps()
    }

    fn state(&self) -> State {
        self.spread.state()
    }

    fn restore(&mut self, state: &State) -> Result<()> {
        self.spread.restore(state)
    }

    fn answer(
        self: Box<Self>,
        halt: Halted,
        exchange: &mut dyn Exchange,
        control: &Control,
    ) -> Result<PartAnswer> {
        let part = &self.part;
        let distances = self.spread.values().to_vec();
        let tight = Tight::<T>::learn(part, &self.spread.ground.halo, &distances, exchange)?;
        if self.may_overflow {
            tight.refuse_overflow(exchange)?;
        }
        let parents = tight.parents(&self.source, exchange, control)?;
        let summary = summary(&self.source.id, &distances, self.is_whole, exchange)?;
        let summary = serde_json::to_value(summary).unwrap_or_default();
        let report = self.spread.ended(halt).report(exchange)?;
        let distances = match self.is_whole {
            true => Column::I64(distances.iter().map(|d| whole(*d)).collect()),
            false => column(&distances),
        };
        let columns = vec![("distance", distances), ("parent", Column::Vertices(parents))];
        names::answer(part, summary, report, columns, exchange)
    }
}

/// Returns a sum of whole numbers that is held as a decimal.
fn whole<T: Scalar>(distance: T) -> i64 {
    if distance.to_f64().is_finite() { distance.to_f64() as i64 } else { i64::MAX }
}

/// Returns the figures of all parts; collective. Sums of integers are exact; decimals are added part by part.
fn summary<T: Scalar>(
    source: &VertexId,
    distances: &[T],
    is_whole: bool,
    exchange: &mut dyn Exchange,
) -> Result<SsspSummary> {
    let reached = || distances.iter().copied().filter(|d| *d != T::GREATEST);
    let later = |a: T, b: T| if b > a { b } else { a };
    let count = collective::sum(exchange, reached().count() as u64)?;
    let farthest = collective::greatest(exchange, reached().reduce(later))?;
    let is_decimal = matches!(T::TYPE, ScalarType::F32 | ScalarType::F64) && !is_whole;
    let number = |d: T| match is_decimal {
        true => Number::from_f64(d.to_f64()),
        false if is_whole => Some(whole(d).into()),
        false => Some(d.cast::<u64>().into()),
    };
    let sum = match is_decimal {
        true => Number::from_f64(collective::sums_f64(exchange, [reached().map(|d| d.to_f64()).sum()])?[0]),
        false => {
            let each = |d: T| if is_whole { i128::from(whole(d)) } else { i128::from(d.cast::<u64>()) };
            let sum = exact_sum(reached().map(each).sum(), exchange)?;
            i64::try_from(sum).map(Number::from).or_else(|_| u64::try_from(sum).map(Number::from)).ok()
        }
    };
    Ok(SsspSummary { source: source.clone(), reached: count, farthest: farthest.and_then(number), sum })
}

/// Returns the sum of whole numbers of all parts, in words of 32 bits that cannot overflow.
fn exact_sum(sum: i128, exchange: &mut dyn Exchange) -> Result<i128> {
    let word = |at: u32| (sum as u128 >> (32 * at)) as u64 & u64::from(u32::MAX);
    let words = collective::sums(exchange, [word(0), word(1), word(2), word(3)])?;
    let add = |sum: u128, (at, word): (u32, u64)| sum.wrapping_add(u128::from(word) << (32 * at));
    Ok((0..4).zip(words).fold(0u128, add) as i128)
}

/// The distances of own vertices and ghosts, which tell which arcs are tight.
struct Tight<'a, T> {
    part: &'a Part,
    halo: &'a Halo,
    /// The distance at every place; the largest number where none was reached, or where nothing is known.
    distances: Vec<T>,
}

impl<'a, T: Scalar> Tight<'a, T> {
    /// Learns the distances of ghosts; collective.
    fn learn(part: &'a Part, halo: &'a Halo, own: &[T], exchange: &mut dyn Exchange) -> Result<Self> {
        let mut distances = vec![T::GREATEST; part.places()];
        distances[part.own()].copy_from_slice(own);
        let cells = T::cells(&mut distances);
        halo.publish(exchange, |v| own[v], |at, value| T::store(&cells[halo.ghosts[at] as usize], value))?;
        Ok(Self { part, halo, distances })
    }

    fn own(&self, v: usize) -> T {
        self.distances[self.part.own().start + v]
    }

    /// Iterates over the arcs of an own vertex that was reached: the place at the other end, and the distance there that
    /// follows.
    fn arcs(&self, v: usize) -> impl Iterator<Item = (usize, T)> + '_ {
        let (rows, here) = (self.part.out(), self.own(v));
        let arcs = if here == T::GREATEST { 0..0 } else { rows.arcs_of(v) };
        arcs.map(move |arc| (rows.targets()[arc] as usize, here.plus(rows.weight(arc).cast())))
    }

    /// Refuses distances beyond the range of their type; collective.
    fn refuse_overflow(&self, exchange: &mut dyn Exchange) -> Result<()> {
        let beyond = |v: &usize| {
            let is_lost =
                |(place, there): (usize, T)| there == T::GREATEST && self.distances[place] == T::GREATEST;
            self.own(*v) == T::LEAST || self.arcs(*v).any(is_lost)
        };
        let found = (0..self.part.vertices()).find(beyond).map(|v| self.part.original(v));
        match collective::least(exchange, found)? {
            None => Ok(()),
            Some(number) => Err(warpgraph_core::Error::Config {
                algorithm: NAME,
                what: format!("a distance next to vertex number {number} is beyond the range of {}", T::TYPE),
                help: "read the weights as f64, or divide all weights by the same number".to_owned(),
            }
            .into()),
        }
    }

    /// Returns the parents of own vertices, by original numbers; collective.
    fn parents(&self, source: &Found, exchange: &mut dyn Exchange, control: &Control) -> Result<Vec<Vertex>> {
        control.check("finding paths")?;
        let own = self.part.own();
        let mut nearest = vec![NO_VERTEX; self.distances.len()];
        for v in 0..self.part.vertices() {
            let (here, number) = (self.own(v), self.part.original(v));
            for (place, there) in self.arcs(v).filter(|(_, there)| here < *there) {
                if there == self.distances[place] {
                    nearest[place] = nearest[place].min(number);
                }
            }
        }
        let ghosts = &self.halo.ghosts;
        let at = |at: usize| nearest[ghosts[at] as usize];
        let known = |p: &u32| at(*p as usize) != NO_VERTEX;
        let positions: Vec<u32> = (0..ghosts.len() as u32).filter(known).collect();
        self.halo.send(exchange, &positions, NO_VERTEX, at)?;
        let mut parents = nearest[own].to_vec();
        self.receive(exchange, |v, parent| parents[v] = parents[v].min(parent))?;
        if let Some(v) = source.own {
            parents[v] = source.number;
        }
        let lacks = |v: &usize| self.own(*v) != T::GREATEST && parents[*v] == NO_VERTEX;
        let lacking = (0..parents.len()).filter(lacks).count() as u64;
        if collective::sum(exchange, lacking)? == 0 {
            Ok(parents)
        } else {
            self.search(source, exchange, control)
        }
    }

    /// Finds parents by a search over tight arcs from the source; collective.
    fn search(&self, source: &Found, exchange: &mut dyn Exchange, control: &Control) -> Result<Vec<Vertex>> {
        let (own, mut sent) = (self.part.own(), Bits::empty(self.distances.len()));
        let mut parents = vec![NO_VERTEX; self.part.vertices()];
        let mut front: Vec<usize> = source.own.into_iter().collect();
        front.iter().for_each(|&v| parents[v] = source.number);
        while collective::sum(exchange, front.len() as u64)? > 0 {
            control.check("finding paths")?;
            let (mut next, mut met) = (Vec::new(), Vec::new());
            for u in front {
                let number = self.part.original(u);
                for (place, _) in self.arcs(u).filter(|&(place, there)| there == self.distances[place]) {
                    if !own.contains(&place) {
                        if sent.insert(place) {
                            met.push((place as u32, number));
                        }
                    } else if parents[place - own.start] == NO_VERTEX {
                        parents[place - own.start] = number;
                        next.push(place - own.start);
                    }
                }
            }
            met.sort_unstable();
            let position =
                |(place, _): &(u32, u32)| self.halo.ghosts.binary_search(place).ok().map(|at| at as u32);
            let positions: Vec<u32> = met.iter().filter_map(position).collect();
            let parent = |at: usize| met[positions.binary_search(&(at as u32)).unwrap_or_default()].1;
            self.halo.send(exchange, &positions, NO_VERTEX, parent)?;
            self.receive(exchange, |v, parent| {
                if parents[v] == NO_VERTEX && parent != NO_VERTEX {
                    parents[v] = parent;
                    next.push(v);
                }
            })?;
            front = next;
        }
        Ok(parents)
    }

    /// Receives parents, which must be vertices or none.
    fn receive(&self, exchange: &mut dyn Exchange, mut take: impl FnMut(usize, Vertex)) -> Result<()> {
        let n = self.part.whole().vertices as Vertex;
        self.halo.receive_checked(exchange, |v, parent: Vertex| {
            if parent >= n && parent != NO_VERTEX {
                return Err(format!("vertex {parent} as a parent, expected one below {n}"));
            }
            take(v, parent);
            Ok(())
        })
    }
}
