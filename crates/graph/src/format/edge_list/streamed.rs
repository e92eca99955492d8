//! [`Text`]: a text edge list that is read several times, a few pieces at a time, and never held as a whole.
//!
//! The first pass finds the ids and the type of the weights, the second counts arcs, and the third hands out the edges. All
//! three parse the file as [`super::read`] does.

use super::{
    NO_EDGES,
    head::Head,
    numbers::{Dense, Marks},
    pieces::{self, Reader, Stop, room},
    vertices::{check_universe, of_marks},
    weights::{Column, Kinds, Weight},
};
use crate::{
    build::{Filled, Loops, Numbering},
    control::Control,
    csr::Vertex,
    error::Result,
    format::{Input, ReadOptions},
    graph::Origin,
    ids::Ids,
    weights::WeightType,
};
use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

/// A text edge list whose ids are known.
#[derive(Debug)]
pub(in crate::format) struct Text {
    input: Input,
    head: Head,
    options: ReadOptions,
    numbering: Numbering,
    base: u64,
    bound: u64,
    pub(in crate::format) ids: Ids,
    pub(in crate::format) directed: bool,
    /// Why it is directed or not.
    because: String,
    pub(in crate::format) weights: Option<WeightType>,
    /// The edges that the file lists.
    listed: u64,
}

/// What a pass over a piece finds.
struct Seen {
    end: u64,
    kinds: Kinds,
    listed: u64,
}

impl Text {
    /// Finds the ids. Returns `None` if they are names, or numbers so large that no bit set of a quarter of the
    /// file has them.
    ///
    /// # Errors
    /// As [`super::read`].
    pub(in crate::format) fn open(
        input: Input,
        options: &ReadOptions,
        control: &Control,
    ) -> Result<Option<Self>> {
        let mut heads = super::parts::heads(std::slice::from_ref(&input), options)?;
        let Some(head) = heads.pop().filter(|head| !head.names) else { return Ok(None) };
        let (directed, because) = super::direction(options, std::slice::from_ref(&head));
        let base = options.vertices.map_or(0, |_| options.base.unwrap_or(0));
        let mut text = Self {
            input,
            head,
            options: options.clone(),
            numbering: Numbering::From(0),
            base,
            bound: 0,
            ids: Ids::zero_based(0),
            directed,
            because,
            weights: None,
            listed: 0,
        };
        match text.find_ids(control) {
            Ok(()) => Ok(Some(text)),
            Err(Stop::Sparse) => Ok(None),
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    fn find_ids(&mut self, control: &Control) -> Result<(), Stop> {
        let marks = match self.options.vertices {
            Some(vertices) => {
                check_universe(self.input.name(), false, self.base, vertices)?;
                self.bound = vertices;
                None
            }
            None => {
                let marks = Marks::for_file(self.input.len())?;
                self.bound = marks.limit();
                Some(marks)
            }
        };
        let mut all = Seen { end: 0, kinds: Kinds::NONE, listed: 0 };
        let digest = |piece: Dense<'_>| {
            let kinds = Kinds::of(&piece.column);
            Ok(Seen { end: piece.end, kinds, listed: piece.pairs.len() as u64 })
        };
        self.each(marks.as_ref(), control, digest, |seen| {
            let (end, kinds) = (all.end.max(seen.end), all.kinds.and(seen.kinds));
            all = Seen { end, kinds, listed: all.listed + seen.listed };
            Ok(())
        })?;
        self.weights = all.kinds.weight_type(self.options.narrow_weights);
        self.listed = all.listed;
        (self.ids, self.numbering) = match &marks {
            Some(marks) => {
                self.bound = all.end;
                of_marks(marks, all.end)
            }
            None => (Ids::Range { first: self.base, len: self.bound as usize }, Numbering::From(0)),
        };
        Ok(())
    }

    /// Reads the file, and digests its pieces.
    fn each<'m, T: Send>(
        &self,
        marks: Option<&'m Marks>,
        control: &Control,
        digest: impl Fn(Dense<'m>) -> Result<T> + Sync,
        take: impl FnMut(T) -> Result<()>,
    ) -> Result<(), Stop> {
        let reader = Reader::new(&self.input, &self.head, &self.options);
        let is_weighted = self.head.layout.is_weighted();
        let collection = |piece: &Range<usize>| {
            let column = Column::new(is_weighted, room(piece))?;
            let pairs = Filled::with_room(room(piece))?;
            Ok(Dense { base: self.base, limit: self.bound, marks, pairs, column, end: 0 })
        };
        pieces::each(&[reader], control, collection, digest, take)
    }

    /// Reads the file once more; `digest` gets edges between vertices, with their weights.
    ///
    /// # Errors
    /// As [`super::read`], and those of `digest` and `take`.
    pub(in crate::format) fn edges<T: Send>(
        &self,
        control: &Control,
        digest: impl Fn(&mut dyn Iterator<Item = ([Vertex; 2], f64)>) -> Result<T> + Sync,
        take: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        let drops_loops = self.options.loops == Loops::Drop;
        let digest = |piece: Dense<'_>| {
            let edge = |(at, pair): (usize, &[Vertex; 2])| {
                let pair = pair.map(|end| self.numbering.vertex(end));
                let weight = piece.column.get(at).map_or(0.0, |weight| match weight {
                    Weight::Unsigned(w) => w.into(),
                    Weight::Signed(w) => w.into(),
                    Weight::Decimal(w) => w,
                });
                (pair, weight)
            };
            let is_kept = |([u, v], _): &([Vertex; 2], f64)| u != v || !drops_loops;
            digest(&mut piece.pairs.iter().enumerate().map(edge).filter(is_kept))
        };
        self.each(None, control, digest, take).map_err(Stop::settled)
    }

    /// Counts the arcs that the file lists before each vertex, mirrored ones included if it is undirected, and before parallel
    /// ones are merged.
    ///
    /// # Errors
    /// As [`Text::edges`].
    pub(in crate::format) fn arcs_before(&self, control: &Control) -> Result<Vec<u64>> {
        let mut counts: Vec<AtomicU64> = (0..=self.ids.len()).map(|_| AtomicU64::new(0)).collect();
        let count = |v: Vertex| counts[v as usize + 1].fetch_add(1, Ordering::Relaxed);
        self.edges(
            control,
            |edges| {
                edges.for_each(|([u, v], _)| {
                    count(u);
                    if !self.directed && u != v {
                        count(v);
                    }
                });
                Ok(())
            },
            Ok,
        )?;
        let mut before = 0;
        for count in &mut counts {
            before += *count.get_mut();
            *count.get_mut() = before;
        }
        Ok(counts.into_iter().map(AtomicU64::into_inner).collect())
    }

    /// Returns what is known of the file. How many edges are dropped or merged is not known before they are built.
    pub(in crate::format) fn origin(&self) -> Origin {
        let mut warnings = self.head.warnings.clone();
        if self.listed == 0 {
            warnings.push(NO_EDGES.to_owned());
        }
        Origin {
            name: self.input.name().to_owned(),
            format: "edge-list".to_owned(),
            listed: self.listed,
            direction_because: self.because.clone(),
            symmetrised: !self.directed,
            header: self.head.header.clone(),
            columns: self.head.columns.clone(),
            ignored: self.head.ignored.clone(),
            warnings,
            ..Origin::default()
        }
    }
}
