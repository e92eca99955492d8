//! [`Ground`]: a program on a part, with everything that its forms share.

use crate::{
    Error, Exchange, Part, Result,
    bits::{Bits, claim},
    collective,
    halo::{Halo, Reach},
    part::Rows,
    run::{Column, PartAnswer, Report},
};
use bytemuck::Pod;
use std::{borrow::Cow, sync::Arc};
use warpgraph_core::{
    Halted,
    program::{
        Checked, Column as Columns, Combine, Edge, Held, Native, Plain, ProgramSummary, Scalar, ScalarType,
        Traced, Vertex, VertexProgram, Ways, Weight, converted, starts_with_nan,
        trace::{Field, Input},
    },
};
use warpgraph_graph::{Pages, with_weights};

/// Vertices that a thread takes at a time.
const BATCH: usize = 256;

pub(super) type Cell<P> = <<P as VertexProgram>::Value as Scalar>::Cell;
type WeightOf<P> = <<P as VertexProgram>::Weight as Weight>::Scalar;

/// The arcs along which a program sends in one direction, and their weights if they had to be converted.
struct Lane<W: Scalar> {
    rows: Rows,
    weights: Option<Pages<W>>,
}

/// A program on a part.
pub(crate) struct Ground<P: VertexProgram> {
    pub(super) program: Arc<P>,
    pub(super) part: Arc<Part>,
    pub(crate) halo: Arc<Halo>,
    pub(super) traced: Traced,
    /// The own vertices that send first; `None` for all.
    pub(super) seeds: Option<Vec<u32>>,
    lanes: Vec<Lane<WeightOf<P>>>,
    /// The out-degree at every place, if messages read that of their target.
    degrees: Vec<u32>,
}

impl<P: VertexProgram> Ground<P> {
    /// Checks the program, and learns what it reads about vertices of other parts; collective.
    pub(crate) fn new(
        program: &Arc<P>,
        part: &Arc<Part>,
        ways: Ways,
        exchange: &mut dyn Exchange,
    ) -> Result<Self> {
        let Checked { traced, seeds } =
            Checked::new(&**program, part.whole().vertices, part.out().weight_type())?;
        let rows = rows(part, ways)?;
        let reach = if rows.len() > 1 { Reach::Both } else { Reach::Out };
        let halo = Halo::meet(part, reach, exchange)?;
        let degrees = match traced.message.reads(Input::Target(Field::Degree)) {
            true => degrees(part, &halo, exchange)?,
            false => Vec::new(),
        };
        let lanes = rows.into_iter().map(lane::<P>).collect::<Result<_>>()?;
        let is_one = |seeds: &[u32], v: &u32| seeds.binary_search(&part.original(*v as usize)).is_ok();
        let own = |seeds: Vec<u32>| (0..part.vertices() as u32).filter(|v| is_one(&seeds, v)).collect();
        let (program, part) = (program.clone(), part.clone());
        Ok(Self { program, part, halo, traced, seeds: seeds.map(own), lanes, degrees })
    }

    /// Returns the number of own vertices.
    pub(super) fn vertices(&self) -> usize {
        self.part.vertices()
    }

    /// Returns an own vertex as the program sees it, with the columns `columns`.
    #[inline(always)]
    fn vertex<'a>(
        &self,
        v: usize,
        columns: &<P::Column as Columns>::Arrays<'a>,
    ) -> Vertex<Native, P::Column> {
        self.seen(self.part.own().start + v, self.lanes[0].rows.degree(v) as u32, columns)
    }

    #[inline(always)]
    fn seen<'a>(
        &self,
        place: usize,
        degree: u32,
        columns: &<P::Column as Columns>::Arrays<'a>,
    ) -> Vertex<Native, P::Column> {
        let id = self.part.original_at(place);
        Vertex {
            id: Plain(id),
            degree: Plain(degree),
            // SAFETY: `columns` has checked that every column has an entry for each vertex of the graph, and original
            // numbers are such vertices.
            columns: unsafe { P::Column::at::<Native>(columns, id as usize, |_, value| Plain(value)) },
        }
    }

    /// Returns the columns of the program. They were checked before; a program that then returns others panics.
    fn columns(&self) -> <P::Column as Columns>::Arrays<'_> {
        let columns = self.program.columns();
        let n = self.part.whole().vertices;
        assert!(
            columns.len() == P::Column::COUNT && columns.iter().all(|(_, values)| values.len() >= n),
            "columns change while the program runs"
        );
        P::Column::arrays(|at| columns[at].1)
    }

    /// Computes a value for every own vertex. Refuses NaN.
    fn fill(
        &self,
        values: &mut [P::Value],
        value: impl Fn(Vertex<Native, P::Column>) -> P::Value,
    ) -> Result<()> {
        let columns = self.columns();
        for (v, slot) in values.iter_mut().enumerate() {
            *slot = value(self.vertex(v, &columns));
            if !slot.is_number() {
                return Err(starts_with_nan(P::NAME, self.part.original(v)).into());
            }
        }
        Ok(())
    }

    /// Computes the value of every own vertex before any message arrives.
    pub(super) fn init(&self, values: &mut [P::Value]) -> Result<()> {
        self.fill(values, |v| self.program.init(&Native, v).0)
    }

    /// Computes the initial guess of a sum at every own vertex.
    pub(super) fn guess(&self, values: &mut [P::Value]) -> Result<()> {
        self.fill(values, |v| self.program.start(&Native, v).0)
    }

    /// Calls `apply` of the program for own vertices: `each(v, new value of v from its old one and what arrived)`.
    pub(super) fn apply(
        &self,
        vertices: impl Iterator<Item = usize>,
        mut each: impl FnMut(usize, &dyn Fn(P::Value, P::Value) -> P::Value),
    ) {
        let columns = self.columns();
        for v in vertices {
            let vertex = self.vertex(v, &columns);
            each(v, &|old, arrived| self.program.apply(&Native, vertex, Plain(old), Plain(arrived)).0);
        }
    }

    /// Returns true if this change makes the vertex send messages.
    pub(super) fn active(&self, old: P::Value, new: P::Value) -> bool {
        self.program.active(&Native, Plain(old), Plain(new))
    }

    /// Sends along the arcs of some own vertices: `join` combines a message with what is at its place, and returns whether
    /// that changed it. Adds the places that changed to `touched`, and returns the new ones among them.
    pub(super) fn push(
        &self,
        queue: &[u32],
        value: impl Fn(usize) -> P::Value + Sync,
        cells: &[Cell<P>],
        touched: &mut Bits,
        join: impl Fn(&Cell<P>, P::Value) -> bool + Sync,
    ) -> Vec<u32> {
        let alone = rayon::current_num_threads() == 1 || queue.len() <= BATCH;
        let (columns, claims) = (self.columns(), touched.cells());
        let weights: Vec<_> = self.lanes.iter().map(Lane::weights::<P>).collect();
        let walk = |queue: &[u32]| {
            let mut found = Vec::new();
            for &u in queue {
                let (u, value) = (u as usize, value(u as usize));
                let source = self.vertex(u, &columns);
                for (lane, (weights, mask)) in self.lanes.iter().zip(&weights) {
                    let (arcs, targets) = (lane.rows.arcs_of(u), lane.rows.targets());
                    for (arc, &place) in arcs.clone().zip(&targets[arcs]) {
                        let place = place as usize;
                        let degree = self.degrees.get(place).copied().unwrap_or_default();
                        let target = self.seen(place, degree, &columns);
                        let weight = || Plain(weights.get(arc & mask).copied().unwrap_or(WeightOf::<P>::ONE));
                        let weight = P::Weight::pass::<Native>(weight);
                        let edge = Edge { value: Plain(value), weight, source, target };
                        let message = self.program.message(&Native, edge).0;
                        if join(&cells[place], message) && claim(claims, place, alone) {
                            found.push(place as u32);
                        }
                    }
                }
            }
            found
        };
        if alone {
            return walk(queue);
        }
        let batches: Vec<&[u32]> = queue.chunks(BATCH).collect();
        warpgraph_graph::par::map(batches.len(), |batch| walk(batches[batch])).concat()
    }

    /// Splits places that were touched into own vertices, and positions among the ghosts, rising; clears `touched`.
    pub(super) fn split(&self, found: &[u32], touched: &mut Bits) -> (Vec<u32>, Vec<u32>) {
        let (own, ghosts) = (self.part.own(), &self.halo.ghosts);
        let is_own = |place: &&u32| own.contains(&(**place as usize));
        let vertices: Vec<u32> = found.iter().filter(is_own).map(|&place| place - own.start as u32).collect();
        let others = found.len() - vertices.len();
        // A few are looked up; for many it is cheaper to go through all ghosts.
        let positions = if others < ghosts.len() / 16 {
            let outside = found.iter().filter(|place| !is_own(place));
            let mut positions: Vec<u32> =
                outside.filter_map(|place| ghosts.binary_search(place).ok()).map(|at| at as u32).collect();
            positions.sort_unstable();
            positions
        } else {
            let is_touched = |at: &u32| touched.contains(ghosts[*at as usize] as usize);
            (0..ghosts.len() as u32).filter(is_touched).collect()
        };
        found.iter().for_each(|&place| touched.remove(place as usize));
        (vertices, positions)
    }

    /// Sends the values at some ghosts to their owners, and calls `take` with the own vertices for which values arrived;
    /// collective.
    pub(super) fn exchange(
        &self,
        exchange: &mut dyn Exchange,
        positions: &[u32],
        value: impl Fn(usize) -> P::Value,
        take: impl FnMut(usize, P::Value),
    ) -> Result<()>
    where
        P::Value: Pod,
    {
        let at = |position: usize| value(self.halo.ghosts[position] as usize);
        self.halo.send(exchange, positions, P::COMBINE.identity::<P::Value>(), at)?;
        match P::COMBINE {
            Combine::Sum => self.halo.receive_in_order(exchange, take),
            _ => self.halo.receive(exchange, take),
        }
    }

    /// Returns the bytes of the lists that the run needs beside its values.
    pub(super) fn bytes(&self) -> u64 {
        let lanes = self.lanes.iter().filter_map(|lane| lane.weights.as_ref());
        self.halo.bytes()
            + 4 * self.degrees.len() as u64
            + lanes.map(|weights| size_of_val(&weights[..]) as u64).sum::<u64>()
    }

    /// Returns the answer, whose figures are those of the whole; collective.
    pub(super) fn answer(
        &self,
        values: &[P::Value],
        residual: Option<f64>,
        ended: Ended,
        exchange: &mut dyn Exchange,
    ) -> Result<PartAnswer> {
        let identity = P::COMBINE.identity::<P::Value>();
        let held = || values.iter().filter(|value| **value != identity).map(|value| value.to_f64());
        let least = collective::least(exchange, held().reduce(f64::min))?;
        let greatest = collective::greatest(exchange, held().reduce(f64::max))?;
        let reached = collective::sum(exchange, held().count() as u64)?;
        let summary = ProgramSummary { program: P::NAME, reached, least, greatest, residual };
        let summary = serde_json::to_value(summary).unwrap_or_default();
        let report = ended.report(exchange)?;
        crate::names::answer(&self.part, summary, report, vec![("value", column(values))], exchange)
    }
}

/// How a run ended, as it knows itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) supersteps: u64,
    pub(crate) halt: Halted,
    pub(crate) state_bytes: u64,
}

impl Ended {
    /// Returns the report; collective.
    pub(crate) fn report(self, exchange: &mut dyn Exchange) -> Result<Report> {
        let (sent, received) = exchange.traffic();
        let Self { supersteps, halt, state_bytes } = self;
        let sent_by_all = collective::sum(exchange, sent)?;
        Ok(Report { parts: exchange.parts(), supersteps, halt, sent, received, sent_by_all, state_bytes })
    }
}

impl<W: Scalar> Lane<W> {
    /// Returns the weights of the arcs, and a mask for their numbers: all ones, or 0 if there is one weight for all.
    fn weights<P: VertexProgram>(&self) -> (Cow<'_, [W]>, usize) {
        if !P::Weight::USED {
            return (Cow::Borrowed(&[]), 0);
        }
        if let Some(weights) = &self.weights {
            return (Cow::Borrowed(weights), usize::MAX);
        }
        let arcs = self.rows.base()..self.rows.base() + self.rows.arcs();
        let same =
            with_weights!(self.rows.weights(), |w| bytemuck::try_cast_slice(&w[arcs]).ok(), none: None);
        match same {
            Some(weights) => (Cow::Borrowed(weights), usize::MAX),
            None => (Cow::Owned(vec![W::ONE]), 0),
        }
    }
}

/// Returns the rows along which messages go.
fn rows(part: &Part, ways: Ways) -> Result<Vec<Rows>> {
    let mut rows = vec![part.out().clone()];
    if ways == Ways::Both && part.whole().directed {
        let incoming = part.incoming().ok_or_else(|| {
            Error::refused(
                "this part of a directed graph has no incoming arcs, along which messages go as well",
                "make the parts with their incoming arcs",
            )
        })?;
        rows.push(incoming.clone());
    }
    Ok(rows)
}

/// Converts the weights of rows, unless they have the wanted type, or there are none.
fn lane<P: VertexProgram>(rows: Rows) -> Result<Lane<WeightOf<P>>> {
    let arcs = rows.base()..rows.base() + rows.arcs();
    if !P::Weight::USED {
        return Ok(Lane { rows, weights: None });
    }
    let weights = with_weights!(rows.weights(), |w| match converted::<_, WeightOf<P>>(&w[arcs])? {
        Held::Borrowed(_) => None,
        Held::Owned(weights) => Some(weights),
    }, none: None);
    Ok(Lane { rows, weights })
}

/// Returns the out-degree at every place; collective.
fn degrees(part: &Part, halo: &Halo, exchange: &mut dyn Exchange) -> Result<Vec<u32>> {
    let (mut degrees, own) = (vec![0; part.places()], part.own());
    for v in 0..part.vertices() {
        degrees[own.start + v] = part.out().degree(v) as u32;
    }
    let degree = |v: usize| part.out().degree(v) as u32;
    let cells = u32::cells(&mut degrees);
    halo.publish(exchange, degree, |at, degree| u32::store(&cells[halo.ghosts[at] as usize], degree))?;
    Ok(degrees)
}

/// Returns values as a column of an answer.
pub(crate) fn column<T: Scalar>(values: &[T]) -> Column {
    match T::TYPE {
        ScalarType::U32 | ScalarType::Bool => Column::U32(bytemuck::cast_slice(values).to_vec()),
        ScalarType::U64 => Column::U64(bytemuck::cast_slice(values).to_vec()),
        ScalarType::I32 => Column::I64(values.iter().map(|x| i64::from(x.cast::<i32>())).collect()),
        ScalarType::F32 => Column::F32(bytemuck::cast_slice(values).to_vec()),
        ScalarType::F64 => Column::F64(bytemuck::cast_slice(values).to_vec()),
    }
}

/// Joins a message into a cell that other threads may change too. Returns whether it changed.
#[inline(always)]
pub(super) fn improve<T: Scalar>(combine: Combine, to: &T::Cell, message: T) -> bool {
    let mut old = T::load(to);
    while combine.improves(old, message) {
        match T::exchange(to, old, combine.join(old, message)) {
            Ok(()) => return true,
            Err(held) => old = held,
        }
    }
    false
}

/// Adds a message to a cell that other threads may change too, unless `alone`.
#[inline(always)]
pub(super) fn add<T: Scalar>(to: &T::Cell, message: T, alone: bool) {
    let mut old = T::load(to);
    if alone {
        return T::store(to, old.plus(message));
    }
    while let Err(held) = T::exchange(to, old, old.plus(message)) {
        old = held;
    }
}
