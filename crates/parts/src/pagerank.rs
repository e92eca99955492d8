//! PageRank in parts, by sweeps that pull.
//!
//! The state is the share that every vertex sends along each of its arcs, as on one machine. In a superstep each part sweeps
//! over its own vertices in place, so that new shares are used at once within the part, and then publishes the shares that
//! other parts read: one value per (vertex, reading part), without ids. So a superstep is Gauss-Seidel within a part, and
//! Jacobi between parts; with more parts, a few more sweeps are needed.
//!
//! The residual is a bound on what an exact sweep would still change. Every share that a vertex was computed from, be it old
//! or new, has changed at most once since; so the bound of in-place sweeps on one machine holds here as well.
//!
//! Shares are f32 while the tolerance allows it, then f64: 4 or 8 bytes per value on the wire.

use crate::{
    Error, Exchange, Part, PartAnswer, PartRun, Question, Result, State, collective,
    halo::{Halo, Reach},
    names,
    part::{OffsetsOf, Rows},
    program::Ended,
    run::Column,
    source,
};
use std::{ops::Range, sync::Arc};
use warpgraph_core::{
    Error as CoreError, Halt, Halted, Source,
    pagerank::{PageRank, PageRankSummary, Ranked},
    program::Scalar,
};
use warpgraph_graph::{Control, Offset, Pages, Vertex, VertexId, par};

const NAME: &str = "pagerank";
/// Independent chains of additions, and shares added in their own precision before the sum is widened.
const CHAINS: usize = 4;
const BLOCK: usize = 128;
/// The least total change to which sweeps with f32 shares may be run, and what rounding alone may add to it.
const FLOOR: f64 = 2.5 * (BLOCK / CHAINS) as f64 * f32::EPSILON as f64;
const ROUNDING_F32: f64 = (BLOCK / CHAINS + 4) as f64 * f32::EPSILON as f64;
const ROUNDING_F64: f64 = (BLOCK / CHAINS + 4) as f64 * f64::EPSILON;
/// Vertices with fewer arcs than this start at 1/n.
const FEW: usize = 8;
/// Arcs and vertices that a thread takes at a time.
const WORK: usize = 1 << 15;
/// How many sweeps may leave more than plain ones would before sums are no longer corrected.
const PATIENCE: u32 = 3;
/// How many of the highest ranks are listed.
const TOP: usize = 10;

/// The shares at all places, in one of two widths.
#[derive(Debug)]
enum Shares {
    Narrow(Pages<f32>),
    Wide(Pages<f64>),
}

/// A run of sweeps.
pub(crate) struct Ranks {
    part: Arc<Part>,
    halo: Arc<Halo>,
    config: PageRank,
    /// The teleport vector of own vertices; `None` if it is uniform.
    teleport: Option<Vec<f64>>,
    /// The sum of the outgoing weights of own vertices, if arcs are followed by weight.
    strengths: Option<Vec<f64>>,
    shares: Shares,
    /// What a share of 1 stands for. Correcting the sum of all ranks changes this number alone.
    unit: f64,
    pieces: Vec<Range<usize>>,
    sweeps: u64,
    residual: f64,
    last: Option<f64>,
    strikes: u32,
}

/// The totals of a sweep.
#[derive(Debug, Clone, Copy, Default)]
struct Swept {
    change: f64,
    sum: f64,
    sunk: f64,
}

impl Swept {
    /// Returns a bound on what an exact sweep would still change once the sum is scaled to 1.
    fn residual(&self, damping: f64) -> f64 {
        let off = (1.0 - damping) + damping * (self.sum - self.sunk) - self.sum;
        self.change.max(damping * self.change + off.abs()) / self.sum
    }

    /// Returns the factor that gives the ranks the sum that they must have.
    fn factor(&self, damping: f64) -> f64 {
        (1.0 - self.sunk / (1.0 - damping)) / (self.sum - self.sunk)
    }
}

impl Ranks {
    /// Learns which vertices parts share, and starts at a guess; collective.
    pub(crate) fn start(
        config: &PageRank,
        question: &Question,
        part: &Arc<Part>,
        exchange: &mut dyn Exchange,
    ) -> Result<Self> {
        let missing = collective::sum(exchange, u64::from(part.incoming().is_none()))?;
        if missing > 0 {
            return Err(Error::refused(
                "pagerank pulls, and a part of this directed graph has no incoming arcs",
                "make the parts with their incoming arcs",
            ));
        }
        if config.weighted {
            check_weights(part, exchange)?;
        }
        let rows = part.out();
        let strength = |v: usize| rows.arcs_of(v).map(|arc| rows.weight(arc)).sum();
        let strengths = config.weighted.then(|| (0..part.vertices()).map(strength).collect());
        let mut ranks = Self {
            halo: Halo::meet(part, Reach::Incoming, exchange)?,
            teleport: teleport(config, question, part, exchange)?,
            pieces: pieces(part),
            strengths,
            config: config.clone(),
            shares: Shares::Wide(Vec::new().into()),
            unit: 1.0,
            sweeps: 0,
            residual: f64::INFINITY,
            last: None,
            strikes: 0,
            part: part.clone(),
        };
        let scale = ranks.right_sum(exchange)?;
        let guess = |v: usize| ranks.guess(v, scale) / ranks.divisor(v);
        let is_moderate = |s: &f64| *s == 0.0 || (1e-15..1e15).contains(s);
        let strange = ranks.strengths.iter().flatten().any(|s| !is_moderate(s));
        let is_narrow = collective::sum(exchange, u64::from(strange))? == 0;
        ranks.shares = match is_narrow {
            true => Shares::Narrow(ranks.laid_out(|v| guess(v) as f32, exchange)?),
            false => Shares::Wide(ranks.laid_out(guess, exchange)?),
        };
        Ok(ranks)
    }

    /// Returns shares at all places, from those of own vertices; collective.
    fn laid_out<S: Scalar>(
        &self,
        own: impl Fn(usize) -> S + Sync,
        exchange: &mut dyn Exchange,
    ) -> Result<Pages<S>> {
        let mut shares = Pages::zeroed(self.part.places())?;
        par::parts_mut(&mut shares[self.part.own()], par::FINE, |first, shares| {
            shares.iter_mut().zip(first..).for_each(|(share, v)| *share = own(v));
        });
        publish(&self.part, &self.halo, &mut shares, exchange)?;
        Ok(shares)
    }

    /// Returns into how many shares the rank of an own vertex is divided; 1 for a sink, whose share no vertex reads.
    fn divisor(&self, v: usize) -> f64 {
        let scale = self.scale(v);
        if scale > 0.0 { scale } else { 1.0 }
    }

    #[inline(always)]
    fn scale(&self, v: usize) -> f64 {
        match &self.strengths {
            None => self.part.out().degree(v) as f64,
            Some(strengths) => strengths[v],
        }
    }

    fn is_by_degree(&self) -> bool {
        !self.part.whole().directed && self.teleport.is_none() && self.strengths.is_none()
    }

    /// Returns the initial rank of an own vertex: by its degree where that is nearly right, as on one machine.
    fn guess(&self, v: usize, scale: f64) -> f64 {
        match &self.teleport {
            Some(teleport) => teleport[v],
            None if self.is_by_degree() => scale * self.raw(self.part.out().degree(v)),
            None => 1.0 / self.part.whole().vertices as f64,
        }
    }

    fn raw(&self, degree: usize) -> f64 {
        let (whole, damping) = (self.part.whole(), self.config.damping);
        let uniform = 1.0 / whole.vertices as f64;
        if degree < FEW {
            return uniform;
        }
        (1.0 - damping) * uniform + damping * degree as f64 / whole.arcs.max(1) as f64
    }

    /// Returns the factor that gives vertices with arcs the sum that they must have; collective.
    fn right_sum(&self, exchange: &mut dyn Exchange) -> Result<f64> {
        let degrees = (0..self.part.vertices()).map(|v| self.part.out().degree(v)).filter(|d| *d > 0);
        let (count, sum) = degrees.fold((0.0, 0.0), |(n, sum), degree| (n + 1.0, sum + self.raw(degree)));
        let [count, sum] = collective::sums_f64(exchange, [count, sum])?;
        Ok(if sum > 0.0 { count / self.part.whole().vertices as f64 / sum } else { 1.0 })
    }

    /// Computes the shares of all own vertices anew, in place.
    fn sweep<S: Scalar>(&self, shares: &mut [S]) -> Swept {
        let cells = S::cells(shares);
        let parts = par::map(self.pieces.len(), |piece| self.renew::<S>(cells, self.pieces[piece].clone()));
        let add = |a: Swept, b: Swept| Swept {
            change: a.change + b.change,
            sum: a.sum + b.sum,
            sunk: a.sunk + b.sunk,
        };
        parts.into_iter().fold(Swept::default(), add)
    }

    fn renew<S: Scalar>(&self, cells: &[S::Cell], vertices: Range<usize>) -> Swept {
        let Some(rows) = self.part.incoming() else { return Swept::default() };
        let plain = self.strengths.is_none() && self.teleport.is_none() && !self.part.whole().directed;
        let (offsets, base) = rows.offsets();
        match (offsets, plain) {
            (OffsetsOf::Narrow(o), true) => self.renew_rows::<S, _, true>(cells, rows, o, base, vertices),
            (OffsetsOf::Narrow(o), false) => self.renew_rows::<S, _, false>(cells, rows, o, base, vertices),
            (OffsetsOf::Wide(o), true) => self.renew_rows::<S, _, true>(cells, rows, o, base, vertices),
            (OffsetsOf::Wide(o), false) => self.renew_rows::<S, _, false>(cells, rows, o, base, vertices),
        }
    }

    /// Updates a range of own vertices. `PLAIN` means undirected, unweighted, and teleports go anywhere.
    fn renew_rows<S: Scalar, O: Offset, const PLAIN: bool>(
        &self,
        cells: &[S::Cell],
        rows: &Rows,
        offsets: &[O],
        base: usize,
        vertices: Range<usize>,
    ) -> Swept {
        let (targets, damping, first) = (rows.targets(), self.config.damping, self.part.own().start);
        let scalar = |x: f64| x.cast::<S>();
        let flow = scalar(damping);
        let teleports = (1.0 - damping) / self.unit;
        let uniform = scalar(teleports / self.part.whole().vertices as f64);
        let mut swept = Swept::default();
        let own = &cells[first + vertices.start..first + vertices.end];
        for ((v, pair), cell) in vertices.clone().zip(offsets[vertices.start..].windows(2)).zip(own) {
            let arcs = pair[0].index() - base..pair[1].index() - base;
            let scale = if PLAIN { arcs.len() as f64 } else { self.scale(v) };
            let sinks = scale == 0.0;
            let whole = if sinks { S::ONE } else { scalar(scale) };
            let part = S::ONE.over(whole);
            let teleported = match &self.teleport {
                Some(teleport) if !PLAIN => scalar(teleports * teleport[v]),
                _ => uniform,
            };
            let gathered = match &self.strengths {
                Some(_) if !PLAIN => {
                    let weighted =
                        |arc: usize| S::load(&cells[targets[arc] as usize]).to_f64() * rows.weight(arc);
                    scalar(arcs.map(weighted).sum())
                }
                // SAFETY: the other ends of arcs are places, and there is a cell for each.
                _ => unsafe { gather::<S>(cells, &targets[arcs]) },
            };
            let old = S::load(cell);
            let share = teleported.times(part).plus(flow.times(part).times(gathered));
            S::store(cell, share);
            swept.change += share.minus(old).magnitude().times(whole).to_f64();
            swept.sum += share.times(whole).to_f64();
            if sinks {
                swept.sunk += share.to_f64();
            }
        }
        swept
    }

    /// Sweeps, publishes, and returns the totals of all parts; collective.
    fn superstep(&mut self, exchange: &mut dyn Exchange) -> Result<Swept> {
        let mut shares = std::mem::replace(&mut self.shares, Shares::Wide(Vec::new().into()));
        let swept = match &mut shares {
            Shares::Narrow(shares) => {
                let swept = self.sweep(shares);
                publish(&self.part, &self.halo, shares, exchange)?;
                swept
            }
            Shares::Wide(shares) => {
                let swept = self.sweep(shares);
                publish(&self.part, &self.halo, shares, exchange)?;
                swept
            }
        };
        self.shares = shares;
        let totals = [swept.change, swept.sum, swept.sunk].map(|total| total * self.unit);
        let [change, sum, sunk] = collective::sums_f64(exchange, totals)?;
        Ok(Swept { change, sum, sunk })
    }

    /// Corrects the sum of all ranks, unless sweeps have shown that it does not help.
    fn balance(&mut self, swept: &Swept) {
        if let Some(last) = self.last.replace(self.residual) {
            self.strikes += u32::from(self.residual > self.config.damping * last);
        }
        let factor = swept.factor(self.config.damping);
        if self.strikes < PATIENCE && (0.5..2.0).contains(&factor) {
            self.unit *= factor;
        }
    }

    /// Returns the rule that ended the sweeps, if one did. Goes on with f64 where f32 is no longer precise enough.
    fn ended(&mut self) -> Option<Halted> {
        let (target, most) = (self.config.target(), self.config.max_iterations);
        if let Shares::Narrow(shares) = &self.shares {
            let narrow = Halt::l1(target.max(FLOOR)).or(Halt::rounds(most));
            let halted = narrow.after(self.sweeps, self.residual)?;
            if target >= FLOOR || halted != Halted::Tolerance {
                return Some(halted);
            }
            let wide: Vec<f64> = shares.iter().map(|&share| share.into()).collect();
            self.shares = Shares::Wide(wide.into());
            self.last = None;
            return (self.sweeps >= most).then_some(Halted::MaxIterations);
        }
        self.config.halt().after(self.sweeps, self.residual)
    }
}

/// Sends the shares that others read, and learns those that this part reads; collective.
fn publish<S: Scalar>(part: &Part, halo: &Halo, shares: &mut [S], exchange: &mut dyn Exchange) -> Result<()> {
    let first = part.own().start;
    let cells = S::cells(shares);
    let value = |v: usize| S::load(&cells[first + v]);
    halo.publish(exchange, value, |at, share| S::store(&cells[halo.ghosts[at] as usize], share))
}

/// Returns the sum of the shares at some places.
///
/// # Safety
/// There is a cell for each of the places.
#[inline(always)]
unsafe fn gather<S: Scalar>(cells: &[S::Cell], places: &[Vertex]) -> S {
    let load = |place: Vertex| {
        debug_assert!((place as usize) < cells.len());
        // SAFETY: the caller's promise.
        S::load(unsafe { cells.get_unchecked(place as usize) })
    };
    let mut total = 0.0f64;
    for block in places.chunks(BLOCK) {
        let (fours, rest) = block.as_chunks::<CHAINS>();
        let mut chains = [S::ZERO; CHAINS];
        for four in fours {
            for (chain, &place) in chains.iter_mut().zip(four) {
                *chain = chain.plus(load(place));
            }
        }
        let [a, b, c, d] = chains;
        let rest = rest.iter().fold(S::ZERO, |sum, &place| sum.plus(load(place)));
        total += a.plus(b).plus(c.plus(d)).plus(rest).to_f64();
    }
    total.cast()
}

/// Returns ranges of own vertices with about equally many incoming arcs.
fn pieces(part: &Part) -> Vec<Range<usize>> {
    let (mut pieces, mut first, mut work) = (Vec::new(), 0, 0);
    let degree = |v: usize| part.incoming().map_or(0, |rows| rows.degree(v));
    for v in 0..part.vertices() {
        work += degree(v) + 1;
        if work >= WORK {
            pieces.push(first..v + 1);
            (first, work) = (v + 1, 0);
        }
    }
    pieces.push(first..part.vertices());
    pieces
}

/// Refuses weights by which arcs cannot be followed; collective.
fn check_weights(part: &Part, exchange: &mut dyn Exchange) -> Result<()> {
    let range = part.out().weight_range();
    let least = collective::least(exchange, range.map(|(least, _)| least))?;
    let most = collective::greatest(exchange, range.map(|(_, most)| most))?;
    let refuse = |what: String| {
        Err(CoreError::config(NAME, what, "leave --weighted out to follow all arcs alike").into())
    };
    match least.zip(most) {
        Some((least, _)) if least < 0.0 => {
            refuse(format!("weights must not be negative, the least is {least}"))
        }
        Some((_, most)) if !(2.0 * most * part.whole().arcs as f64).is_finite() => {
            refuse(format!("sums of weights may be beyond the range of f64, the largest is {most:e}"))
        }
        None if part.out().weight_type().is_none() && part.whole().arcs > 0 => {
            refuse("--weighted needs a weighted graph, and this one has no weights".to_owned())
        }
        _ => Ok(()),
    }
}

/// Returns the teleport vector of own vertices; collective.
fn teleport(
    config: &PageRank,
    question: &Question,
    part: &Part,
    exchange: &mut dyn Exchange,
) -> Result<Option<Vec<f64>>> {
    if config.personalize.is_empty() {
        return Ok(None);
    }
    let total: f64 = config.personalize.iter().map(|share| share.share).sum();
    let mut teleport = vec![0.0; part.vertices()];
    for share in &config.personalize {
        let found = source::find(&Source::Vertex(share.vertex.clone()), question, part, exchange)?;
        if let Some(v) = found.own {
            teleport[v] += share.share / total;
        }
    }
    Ok(Some(teleport))
}

impl PartRun for Ranks {
    fn name(&self) -> &'static str {
        NAME
    }

    fn step(&mut self, exchange: &mut dyn Exchange, control: &Control) -> Result<Option<Halted>> {
        control.check("ranking")?;
        if self.part.whole().vertices == 0 {
            self.residual = 0.0;
            return Ok(Some(Halted::Converged));
        }
        let swept = self.superstep(exchange)?;
        self.sweeps += 1;
        let rounding = if matches!(self.shares, Shares::Narrow(_)) { ROUNDING_F32 } else { ROUNDING_F64 };
        self.residual = swept.residual(self.config.damping) + rounding;
        control.report(NAME, self.sweeps, Some(self.config.max_iterations));
        if let Some(halted) = self.ended() {
            return Ok(Some(halted));
        }
        self.balance(&swept);
        Ok(None)
    }

    fn supersteps(&self) -> u64 {
        self.sweeps
    }

    fn state(&self) -> State {
        let own = self.part.own();
        let state = State::after(self.sweeps)
            .with("residuals", &[self.residual, self.last.unwrap_or(f64::NAN), self.unit])
            .with("strikes", &[self.strikes]);
        match &self.shares {
            Shares::Narrow(shares) => state.with("shares-f32", shares),
            Shares::Wide(shares) => state.with("shares-f64", shares),
        }
        .with("own", &[own.start as u64, own.end as u64])
    }

    fn restore(&mut self, state: &State) -> Result<()> {
        let own = self.part.own();
        if state.array::<u64>("own")? != [own.start as u64, own.end as u64] {
            return Err(Error::state("it is of another part"));
        }
        let (mut residuals, mut strikes) = ([0.0f64; 3], [0u32]);
        state.fill("residuals", &mut residuals)?;
        state.fill("strikes", &mut strikes)?;
        let places = self.part.places();
        self.shares = match state.arrays.iter().any(|(name, _)| name == "shares-f32") {
            true => {
                let mut shares = Pages::<f32>::zeroed(places)?;
                state.fill("shares-f32", &mut shares)?;
                Shares::Narrow(shares)
            }
            false => {
                let mut shares = Pages::<f64>::zeroed(places)?;
                state.fill("shares-f64", &mut shares)?;
                Shares::Wide(shares)
            }
        };
        (self.residual, self.last) = (residuals[0], Some(residuals[1]).filter(|last| !last.is_nan()));
        (self.strikes, self.sweeps, self.unit) = (strikes[0], state.superstep, residuals[2]);
        Ok(())
    }

    fn answer(self: Box<Self>, halt: Halted, exchange: &mut dyn Exchange, _: &Control) -> Result<PartAnswer> {
        let (part, own) = (&self.part, self.part.own());
        let rank = |v: usize| {
            let share = match &self.shares {
                Shares::Narrow(shares) => f64::from(shares[own.start + v]),
                Shares::Wide(shares) => shares[own.start + v],
            };
            share * self.divisor(v)
        };
        let mut ranks = vec![0.0; part.vertices()];
        par::parts_mut(&mut ranks, par::FINE, |first, ranks| {
            ranks.iter_mut().zip(first..).for_each(|(to, v)| *to = rank(v));
        });
        let [sum] = collective::sums_f64(exchange, [ranks.iter().sum()])?;
        par::parts_mut(&mut ranks, par::FINE, |_, ranks| ranks.iter_mut().for_each(|rank| *rank /= sum));
        let top = top(part, &ranks, exchange)?;
        let summary = PageRankSummary { iterations: self.sweeps, residual: self.residual, top };
        let width = if matches!(self.shares, Shares::Narrow(_)) { 4 } else { 8 };
        let bytes = width * part.places() + 8 * part.vertices();
        let ended = Ended { supersteps: self.sweeps, halt, state_bytes: bytes as u64 + self.halo.bytes() };
        let report = ended.report(exchange)?;
        let columns = vec![("rank", Column::F64(ranks))];
        names::answer(part, serde_json::to_value(summary).unwrap_or_default(), report, columns, exchange)
    }
}

/// Returns the highest ranks of all parts, smallest number first on ties; collective.
fn top(part: &Part, ranks: &[f64], exchange: &mut dyn Exchange) -> Result<Vec<Ranked>> {
    let better = |a: &(f64, Vertex), b: &(f64, Vertex)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    let mut best: Vec<(f64, Vertex)> = Vec::with_capacity(TOP + 1);
    for (v, &rank) in ranks.iter().enumerate() {
        if best.len() == TOP && rank < best[TOP - 1].0 {
            continue;
        }
        let found = (rank, part.original(v));
        let at = best.partition_point(|other| better(other, &found).is_lt());
        best.insert(at, found);
        best.truncate(TOP);
    }
    let named = best.into_iter().map(|(rank, number)| (rank, number, source::id_of(part, number)));
    let own: Vec<(f64, Vertex, Option<VertexId>)> = named.collect();
    let bytes = serde_json::to_vec(&own).unwrap_or_default();
    let mut all = Vec::new();
    for (part, bytes) in collective::gather(exchange, &bytes)?.into_iter().enumerate() {
        let listed: Vec<(f64, Vertex, Option<VertexId>)> =
            serde_json::from_slice(&bytes).map_err(|error| crate::exchange::ExchangeError::Invalid {
                part,
                name: String::new(),
                what: format!("ranks: {error}"),
            })?;
        all.extend(listed.into_iter().take(TOP));
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let ranked = |(rank, number, id): (f64, Vertex, Option<VertexId>)| Ranked {
        vertex: id.unwrap_or_else(|| number.into()),
        rank,
    };
    Ok(all.into_iter().take(TOP).map(ranked).collect())
}
