//! [`Part`]: the rows of the vertices that one member owns, and what it must know about the rest.
//!
//! Vertices are numbered `0..n` over the whole graph, in the order of the cut; part `p` owns a range. An *own* vertex also has
//! a number within its part, counted from 0. A part names the vertices that it stores something about by their *place* in
//! its arrays. Either a place is the number of the vertex, so that arcs are used as the graph holds them and arrays
//! have n entries; or the part is *compact*: places are only given to its own vertices and to those at the other end of
//! its arcs, in the order of their numbers, so that its memory does not grow with n. A vertex of another part that has a
//! place is a *ghost*.
//!
//! An original number is the position of a vertex among all ids in ascending order, as everywhere; it differs from the
//! number in the order of the cut if the graph was renumbered.

use crate::{
    Cut, Exchange, Result, collective,
    compact::{Compact, offsets},
    halo::Halos,
};
use std::{ops::Range, path::Path, sync::Arc};
use warpgraph_graph::{
    Arcs, Buffer, Control, Csr, Error, Graph, Ids, NodeMap, Offsets, Pages, Vertex, WeightType, Weights,
    format::wg::{Slice, SliceRows},
    generate::{Section, SectionRows, Spec},
    par, with_weights,
};

/// The arcs of the own vertices of a part in one direction. Arcs are counted from the first one of the part; the other ends
/// are places.
#[derive(Debug, Clone)]
pub struct Rows {
    offsets: Offsets,
    targets: Buffer<Vertex>,
    weights: Weights,
    /// The entry of `offsets` for own vertex 0, and the first arc.
    first: usize,
    base: usize,
    vertices: usize,
    arcs: usize,
}

impl Rows {
    /// Takes the rows of a range of vertices; shares the arrays.
    fn of(arcs: &Arcs, range: &Range<Vertex>) -> Self {
        Self::of_arrays(
            arcs.csr.offsets(),
            arcs.csr.targets(),
            &arcs.weights,
            range.start as usize,
            range.len(),
        )
    }

    /// Takes `vertices` rows from row `first`. The offsets must rise and stay within the targets.
    pub(crate) fn of_arrays(
        offsets: &Offsets,
        targets: &Buffer<Vertex>,
        weights: &Weights,
        first: usize,
        vertices: usize,
    ) -> Self {
        let base = offsets.get(first);
        let arcs = offsets.get(first + vertices) - base;
        let (offsets, targets, weights) = (offsets.clone(), targets.clone(), weights.clone());
        Self { offsets, targets, weights, first, base, vertices, arcs }
    }

    /// Returns the number of own vertices.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Returns the number of arcs.
    pub fn arcs(&self) -> usize {
        self.arcs
    }

    /// Returns the arcs of an own vertex. Panics if there is no such vertex.
    #[inline(always)]
    pub fn arcs_of(&self, v: usize) -> Range<usize> {
        let at = self.first + v;
        self.offsets.get(at) - self.base..self.offsets.get(at + 1) - self.base
    }

    /// Returns the number of arcs of an own vertex. Panics if there is no such vertex.
    #[inline(always)]
    pub fn degree(&self, v: usize) -> usize {
        self.arcs_of(v).len()
    }

    /// Returns the offsets of the own rows, one more than there are vertices, and what to subtract from them.
    pub(crate) fn offsets(&self) -> (OffsetsOf<'_>, usize) {
        let rows = self.first..self.first + self.vertices + 1;
        let offsets = match &self.offsets {
            Offsets::Narrow(offsets) => OffsetsOf::Narrow(&offsets[rows]),
            Offsets::Wide(offsets) => OffsetsOf::Wide(&offsets[rows]),
        };
        (offsets, self.base)
    }

    /// Returns the places of the other ends of all arcs.
    #[inline(always)]
    pub fn targets(&self) -> &[Vertex] {
        &self.targets[self.base..self.base + self.arcs]
    }

    /// Returns the type of the weights; `None` for an unweighted graph.
    pub fn weight_type(&self) -> Option<WeightType> {
        self.weights.weight_type()
    }

    /// Returns the weights of the whole array that these rows are a section of.
    pub(crate) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Returns where the arcs of the part start in [`Rows::weights`].
    pub(crate) fn base(&self) -> usize {
        self.base
    }

    /// Returns the first arc of an own vertex, or the number of arcs after the last one.
    fn offset(&self, v: usize) -> usize {
        self.offsets.get(self.first + v) - self.base
    }

    /// Returns the weights of the own arcs in an array of their own.
    fn own_weights(&self) -> Result<Weights> {
        let arcs = self.base..self.base + self.arcs;
        Ok(match &self.weights {
            Weights::None => Weights::None,
            Weights::U32(w) => Weights::U32(w[arcs].to_vec().into()),
            Weights::I32(w) => Weights::I32(w[arcs].to_vec().into()),
            Weights::F32(w) => Weights::F32(w[arcs].to_vec().into()),
            Weights::F64(w) => Weights::F64(w[arcs].to_vec().into()),
        })
    }

    /// Returns the weight of an arc as f64; 1 for an unweighted graph.
    pub fn weight(&self, arc: usize) -> f64 {
        self.weights.get(self.base + arc)
    }

    /// Returns the smallest and the largest weight; `None` if there are none.
    #[allow(clippy::useless_conversion, reason = "one of the four types is f64 already")]
    pub fn weight_range(&self) -> Option<(f64, f64)> {
        let all = |range: Option<(f64, f64)>, w: f64| range.map_or((w, w), |(a, b)| (a.min(w), b.max(w)));
        let arcs = self.base..self.base + self.arcs;
        with_weights!(&self.weights, |w| w[arcs].iter().fold(None, |range, &w| Some(all(range, w.into()))), none: None)
    }

    /// Returns the bytes that the part needs for these rows.
    pub fn bytes(&self) -> u64 {
        let offset = if matches!(self.offsets, Offsets::Narrow(_)) { 4 } else { 8 };
        let weight = with_weights!(&self.weights, |w| size_of_val(&w[..]) / w.len().max(1), none: 0);
        (offset * (self.vertices + 1) + (4 + weight) * self.arcs) as u64
    }
}

/// The offsets of rows, in one of two widths.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OffsetsOf<'a> {
    Narrow(&'a [u32]),
    Wide(&'a [u64]),
}

/// Where the vertices are that a part stores something about.
#[derive(Debug, Clone)]
enum Places {
    /// The place of a vertex is its number.
    Whole,
    /// The numbers of the vertices that have a place, rising, and the place of own vertex 0.
    Compact { numbers: Buffer<Vertex>, base: usize },
}

/// What all parts know about the whole graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole {
    /// The number of vertices.
    pub vertices: usize,
    /// The number of arcs; 0 while a part that was not cut from a graph in memory has not met the others.
    pub arcs: u64,
    /// True if the graph is directed.
    pub directed: bool,
}

/// The ids of the vertices that a part may have to write.
#[derive(Debug, Clone)]
pub(crate) enum Names {
    /// The ids of all vertices of the graph.
    All(Ids),
    /// The ids of the own vertices, in the order of the ids, and their original numbers.
    Own { ids: Ids, numbers: Buffer<Vertex> },
}

/// One part of a graph. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Part {
    number: usize,
    cut: Cut,
    whole: Whole,
    out: Rows,
    incoming: Option<Rows>,
    places: Places,
    /// The original number at every place; `None` if it is the number in the order of the cut.
    originals: Option<Buffer<Vertex>>,
    names: Names,
    /// What runs on this part have learned about the others.
    halos: Arc<Halos>,
}

impl Part {
    /// Returns a part of a graph in memory, in the order of its ids. Shares all arrays with the graph.
    ///
    /// # Errors
    /// If the cut is of another number of vertices, if it has no such part, or if memory is short for the transpose of a
    /// directed graph.
    pub fn of(graph: &Graph, cut: &Cut, number: usize) -> Result<Self> {
        Self::assemble(graph, graph.ids(), None, cut, number)
    }

    /// Returns a part of a graph that was renumbered: `graph` is in the new order, and `map` leads there from `original`.
    ///
    /// # Errors
    /// As [`Part::of`], and if the map is not a renumbering of this graph.
    pub fn of_renumbered(
        original: &Graph,
        graph: &Graph,
        map: &NodeMap,
        cut: &Cut,
        number: usize,
    ) -> Result<Self> {
        let n = original.vertices();
        if !map.is_renumbering() || map.len() != n || graph.vertices() != n {
            let what = format!("a map of {} vertices for graphs of {n} and {}", map.len(), graph.vertices());
            return Err(Error::invalid(what, "cut the graph that the order was computed for").into());
        }
        Self::assemble(graph, original.ids(), Some(map.originals().clone()), cut, number)
    }

    fn assemble(
        graph: &Graph,
        ids: &Ids,
        originals: Option<Buffer<Vertex>>,
        cut: &Cut,
        number: usize,
    ) -> Result<Self> {
        cut.check(number)?;
        if cut.vertices() != graph.vertices() {
            let what = format!("a cut of {} vertices for a graph of {}", cut.vertices(), graph.vertices());
            return Err(Error::invalid(what, "cut this graph").into());
        }
        let range = cut.range(number);
        let incoming = if graph.is_directed() { Some(Rows::of(graph.incoming()?, &range)) } else { None };
        Ok(Self {
            number,
            cut: cut.clone(),
            whole: Whole {
                vertices: graph.vertices(),
                arcs: graph.arcs() as u64,
                directed: graph.is_directed(),
            },
            out: Rows::of(graph.out(), &range),
            incoming,
            places: Places::Whole,
            originals,
            names: Names::All(ids.clone()),
            halos: Arc::default(),
        })
    }

    /// Generates a part: only the arcs of its own vertices, in memory for these and 2 bits per vertex of the whole, which it
    /// gives back. The rows are those of the whole graph.
    ///
    /// # Errors
    /// If the cut is of another number of vertices, if it has no such part, if memory is short, or if `control` stops the work.
    pub fn generate(spec: &Spec, cut: &Cut, number: usize, control: &Control) -> Result<Self> {
        cut.check(number)?;
        let (vertices, directed) = (spec.estimate().vertices as usize, spec.is_directed());
        if cut.vertices() != vertices {
            let what = format!("a cut of {} vertices for a graph of {vertices}", cut.vertices());
            return Err(Error::invalid(what, "cut this graph").into());
        }
        let own = cut.range(number);
        let Section { mut out, mut incoming } = spec.generate_part(own.clone(), control)?;
        let targets = [Some(&out), incoming.as_ref()].into_iter().flatten().map(|rows| &rows.targets[..]);
        let compact = Compact::of(vertices, own.clone(), targets);
        [Some(&mut out), incoming.as_mut()]
            .into_iter()
            .flatten()
            .for_each(|rows| compact.renumber(&mut rows.targets));
        let rows = |rows: SectionRows| {
            Rows::of_arrays(&rows.offsets, &rows.targets.into(), &rows.weights, 0, own.len())
        };
        Ok(Self {
            number,
            cut: cut.clone(),
            whole: Whole { vertices, arcs: 0, directed },
            out: rows(out),
            incoming: incoming.map(rows),
            places: Places::Compact { numbers: compact.numbers()?, base: compact.base() },
            originals: None,
            names: Names::All(Ids::zero_based(vertices)),
            halos: Arc::default(),
        })
    }

    /// Opens a part that [`Part::write`] wrote.
    ///
    /// # Errors
    /// Those of [`Slice::open`].
    pub fn open(path: impl AsRef<Path>, control: &Control) -> Result<Self> {
        Self::of_slice(Slice::open(path.as_ref(), control)?)
    }

    fn of_slice(slice: Slice) -> Result<Self> {
        let (cut, number) = (Cut::new(slice.starts.clone())?, slice.part);
        cut.check(number)?;
        let own = cut.range(number);
        let rows =
            |rows: &SliceRows| Rows::of_arrays(&rows.offsets, &rows.targets, &rows.weights, 0, own.len());
        let base = slice.places.partition_point(|&v| v < own.start);
        let names = match &slice.ids {
            ids @ Ids::Range { .. } => Names::All(ids.clone()),
            ids => {
                let originals =
                    |place: usize| slice.originals.as_ref().map_or(slice.places[place], |o| o[place]);
                let mut numbers: Vec<Vertex> = (base..base + own.len()).map(originals).collect();
                numbers.sort_unstable();
                Names::Own { ids: ids.clone(), numbers: numbers.into() }
            }
        };
        Ok(Self {
            number,
            whole: Whole { vertices: cut.vertices(), arcs: 0, directed: slice.directed },
            cut,
            out: rows(&slice.out),
            incoming: slice.incoming.as_ref().map(rows),
            places: Places::Compact { numbers: slice.places, base },
            originals: slice.originals,
            names,
            halos: Arc::default(),
        })
    }

    /// Returns the same part with places for its own vertices and its ghosts only.
    ///
    /// # Errors
    /// When memory is short.
    pub fn compacted(self) -> Result<Self> {
        if let Places::Compact { .. } = self.places {
            return Ok(self);
        }
        let all = [Some(&self.out), self.incoming.as_ref()].into_iter().flatten().map(Rows::targets);
        let compact = Compact::of(self.whole.vertices, self.cut.range(self.number), all);
        let numbers = compact.numbers()?;
        let rows = |rows: &Rows| -> Result<Rows> {
            let mut targets = Pages::<Vertex>::scratch(rows.arcs())?;
            par::parts_mut(&mut targets, par::FINE, |first, part| {
                let place = |(to, &v): (&mut Vertex, &Vertex)| *to = compact.place(v);
                part.iter_mut().zip(&rows.targets()[first..]).for_each(place);
            });
            let offsets = offsets(rows.vertices(), |v| rows.offset(v))?;
            Ok(Rows::of_arrays(&offsets, &targets.into(), &rows.own_weights()?, 0, rows.vertices()))
        };
        let originals = self.originals.as_ref().map(|all| {
            let originals: Vec<Vertex> = numbers.iter().map(|&v| all[v as usize]).collect();
            originals.into()
        });
        Ok(Self {
            out: rows(&self.out)?,
            incoming: self.incoming.as_ref().map(rows).transpose()?,
            places: Places::Compact { numbers, base: compact.base() },
            originals,
            halos: Arc::default(),
            ..self
        })
    }

    /// Writes the part as a slice, a `.wg` file for the process that runs it; `name` is the name of the graph.
    ///
    /// # Errors
    /// Those of [`Slice::write`], and when memory is short.
    pub fn write(&self, path: impl AsRef<Path>, name: &str, force: bool, control: &Control) -> Result<()> {
        Ok(self.clone().compacted()?.slice()?.write(path.as_ref(), name, force, control)?)
    }

    /// Returns a compact part as a slice.
    fn slice(&self) -> Result<Slice> {
        let rows = |rows: &Rows| -> Result<SliceRows> {
            let offsets = offsets(rows.vertices(), |v| rows.offset(v))?;
            Ok(SliceRows { offsets, targets: rows.targets().to_vec().into(), weights: rows.own_weights()? })
        };
        let places: Vec<Vertex> = (0..self.places()).map(|place| self.number_at(place)).collect();
        let ids = match &self.names {
            Names::All(ids @ Ids::Range { .. }) => ids.clone(),
            Names::Own { ids, .. } => ids.clone(),
            Names::All(ids) => {
                let mut own: Vec<Vertex> = (0..self.vertices()).map(|v| self.original(v)).collect();
                own.sort_unstable();
                ids.of(&own)?
            }
        };
        Ok(Slice {
            part: self.number,
            starts: self.cut.starts().to_vec(),
            directed: self.whole.directed,
            out: rows(&self.out)?,
            incoming: self.incoming.as_ref().map(rows).transpose()?,
            places: places.into(),
            originals: self.originals.clone(),
            ids,
        })
    }

    /// Returns rows of a compact part as arcs between places: those of the own vertices; ghosts have none.
    ///
    /// # Errors
    /// If memory is short.
    pub fn arcs_by_place(&self, rows: &Rows) -> Result<Arcs> {
        let (own, places) = (self.own(), self.places());
        let offset = |place: usize| rows.offset(place.clamp(own.start, own.end) - own.start);
        let offsets = match u32::try_from(rows.arcs()) {
            Ok(_) => {
                let mut offsets = Pages::<u32>::scratch(places + 1)?;
                par::parts_mut(&mut offsets, par::FINE, |first, part| {
                    part.iter_mut().zip(first..).for_each(|(to, place)| *to = offset(place) as u32);
                });
                Offsets::Narrow(offsets.into())
            }
            Err(_) => {
                let mut offsets = Pages::<u64>::scratch(places + 1)?;
                par::parts_mut(&mut offsets, par::FINE, |first, part| {
                    part.iter_mut().zip(first..).for_each(|(to, place)| *to = offset(place) as u64);
                });
                Offsets::Wide(offsets.into())
            }
        };
        let mut targets = Pages::<Vertex>::scratch(rows.arcs())?;
        par::parts_mut(&mut targets, par::FINE, |first, part| {
            part.copy_from_slice(&rows.targets()[first..first + part.len()]);
        });
        let csr = Csr::new(offsets, targets.into(), "a part of a graph")?;
        Ok(Arcs { csr, weights: rows.own_weights()? })
    }

    /// Returns the part as all members know it, with the number of arcs of the whole; collective.
    pub(crate) fn known(&self, exchange: &mut dyn Exchange) -> Result<Self> {
        let arcs = collective::sum(exchange, self.out.arcs() as u64)?;
        Ok(Self { whole: Whole { arcs, ..self.whole }, ..self.clone() })
    }

    /// Returns the number of outgoing arcs that lead to vertices of other parts.
    pub fn crossing(&self) -> u64 {
        let own = self.own();
        self.out.targets().iter().filter(|place| !own.contains(&(**place as usize))).count() as u64
    }

    /// Returns the number of this part.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the cut that it is a part of.
    pub fn cut(&self) -> &Cut {
        &self.cut
    }

    /// Returns what is known about the whole graph.
    pub fn whole(&self) -> Whole {
        self.whole
    }

    /// Returns the outgoing arcs.
    pub fn out(&self) -> &Rows {
        &self.out
    }

    /// Returns the incoming arcs, which are the outgoing ones of an undirected graph; `None` if the part has none.
    pub fn incoming(&self) -> Option<&Rows> {
        if self.whole.directed { self.incoming.as_ref() } else { Some(&self.out) }
    }

    /// Returns the number of own vertices.
    pub fn vertices(&self) -> usize {
        self.cut.range(self.number).len()
    }

    /// Returns the number of places: the length of an array with an entry for every vertex that an arc leads to.
    pub fn places(&self) -> usize {
        match &self.places {
            Places::Whole => self.whole.vertices,
            Places::Compact { numbers, .. } => numbers.len(),
        }
    }

    /// Returns the places of the own vertices.
    pub fn own(&self) -> Range<usize> {
        let first = match &self.places {
            Places::Whole => self.cut.range(self.number).start as usize,
            Places::Compact { base, .. } => *base,
        };
        first..first + self.vertices()
    }

    /// Returns the number, in the order of the cut, of the vertex at a place. Panics if there is no such place.
    pub fn number_at(&self, place: usize) -> Vertex {
        match &self.places {
            Places::Whole => place as Vertex,
            Places::Compact { numbers, .. } => numbers[place],
        }
    }

    /// Writes the numbers of the vertices at the places from `first` on.
    pub(crate) fn numbers_from(&self, first: usize, numbers: &mut [Vertex]) {
        match &self.places {
            Places::Whole => numbers.iter_mut().zip(first..).for_each(|(number, at)| *number = at as Vertex),
            Places::Compact { numbers: all, .. } => {
                numbers.copy_from_slice(&all[first..first + numbers.len()]);
            }
        }
    }

    /// Returns the original number of the vertex at a place, 0 if there is no such place.
    #[inline(always)]
    pub fn original_at(&self, place: usize) -> Vertex {
        match (&self.originals, &self.places) {
            (Some(originals), _) => originals.get(place).copied().unwrap_or_default(),
            (None, Places::Whole) => place as Vertex,
            (None, Places::Compact { numbers, .. }) => numbers.get(place).copied().unwrap_or_default(),
        }
    }

    /// Returns the original number of an own vertex.
    #[inline(always)]
    pub fn original(&self, v: usize) -> Vertex {
        self.original_at(self.own().start + v)
    }

    /// Returns the original numbers of all own vertices.
    pub(crate) fn own_originals(&self) -> Vec<Vertex> {
        let own = self.own();
        match (&self.originals, &self.places) {
            (Some(numbers), _) | (None, Places::Compact { numbers, .. }) => numbers[own].to_vec(),
            (None, Places::Whole) => own.map(|place| place as Vertex).collect(),
        }
    }

    /// Returns true if original numbers are the numbers in the order of the cut.
    pub fn is_in_order(&self) -> bool {
        self.originals.is_none()
    }

    /// Returns true if places are only given to own vertices and to ghosts.
    pub(crate) fn is_compact(&self) -> bool {
        matches!(self.places, Places::Compact { .. })
    }

    /// Returns the lists that runs on this part have kept.
    pub(crate) fn halos(&self) -> &Halos {
        &self.halos
    }

    /// Returns the ids that the part knows.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the bytes of the part: its rows, and its tables of places and original numbers.
    pub fn bytes(&self) -> u64 {
        let tables = match &self.places {
            Places::Whole => 0,
            Places::Compact { numbers, .. } => numbers.bytes(),
        };
        let originals = self.originals.as_ref().map_or(0, |_| 4 * self.places() as u64);
        self.out.bytes() + self.incoming.as_ref().map_or(0, Rows::bytes) + tables + originals
    }
}
