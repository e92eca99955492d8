//! Text edge lists: lines of `source target [weight]`, as SNAP, KONECT, GAP and spreadsheets write them.
//!
//! - Fields stand apart by blanks, tabs, `,`, `;` or `|`; lines end in LF or CRLF; `"` may quote a field. Blank lines and
//!   lines that start with `#`, `%` or `//` are skipped. A byte order mark is skipped.
//! - A first line that names the columns (`source,target`), or whose ids are no numbers where all others' are, is skipped.
//! - Ids are numbers of up to 64 bits if those of the first 1000 edges are; a later id that is none is then an error. If
//!   they are not, all ids are names. [`IdKind`](super::IdKind) overrides this. Names are separated by what the first
//!   edge has of tab, `;`, `,`, `|`, or else by blanks.
//! - The third column is the weight, whatever its header says (SNAP's temporal files have the time there): whole numbers
//!   are u32, or i32 if one is negative; decimals, and whole numbers beyond 32 bits, are f64. All edges have one, or
//!   none. A fourth column is an error, unless weights are left out: then only the ids are read.
//! - The graph is directed, unless a comment at the top says "undirected graph" (SNAP) or `% sym` (KONECT).
//! - Vertices are the ids that occur, in order, or `base..base + vertices` if that is asked for.
//!
//! The file is read once, in parallel pieces, plain numbers by a faster way than the rest; a second time if ids are much larger
//! than the file is long. Beside the arcs it takes 8 bytes an edge, and 4 or 8 for a weight, freed while arcs are built.

mod fast;
mod fields;
mod head;
mod names;
mod numbers;
mod pieces;
mod preview;
mod sparse;
mod weights;

pub(super) use preview::preview;

use self::{
    fields::Separator,
    head::Head,
    names::Named,
    numbers::{Dense, Marks, Wide},
    pieces::{Reader, Stop, room},
    weights::{Column, Kind, Piece},
};
use super::{Input, ReadOptions};
use crate::{
    build::{self, Built, Filled, Numbering, Options, Ranks},
    control::Control,
    csr::MAX_VERTICES,
    error::{Error, Result},
    graph::{Graph, Origin},
    ids::Ids,
};

impl Graph {
    /// Reads a text edge list, whatever its file is called.
    ///
    /// ```
    /// use warpgraph_graph::{Control, Graph, Input, ReadOptions};
    /// let input = Input::from_bytes("tiny.csv", b"source,target\n10,30\n30,20\n".to_vec());
    /// let graph = Graph::read_edge_list(&input, &ReadOptions::default(), &Control::new())?;
    /// assert_eq!((graph.vertices(), graph.arcs(), graph.is_directed()), (3, 2, true));
    /// assert_eq!(graph.ids().id(1), 20.into());
    /// # Ok::<(), warpgraph_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`] with the position of the first thing that is no edge; [`Error::TooLarge`] when memory is short;
    /// or what `control` asks for.
    pub fn read_edge_list(input: &Input, options: &ReadOptions, control: &Control) -> Result<Self> {
        read(input, options, control)
    }
}

/// Reads a text edge list.
pub(crate) fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let head = Head::read(input, options);
    let (directed, because) = match (options.directed, &head.direction) {
        (Some(directed), _) => (directed, "the caller said so".to_owned()),
        (None, Some((directed, because))) => (*directed, because.clone()),
        (None, None) => (true, "text edge lists are directed unless they say otherwise".to_owned()),
    };
    let build_options = Options { directed, loops: options.loops, parallel: options.parallel };
    let job = Job { input, options, control, build: build_options };
    let (ids, listed, built) = job.run(&head)?;
    let origin = Origin {
        name: input.name().to_owned(),
        format: "edge-list".to_owned(),
        listed,
        direction_because: because,
        symmetrised: !directed,
        loops_dropped: built.loops_dropped,
        merged: built.merged,
        warnings: Vec::new(),
    };
    finish(built, directed, ids, origin, head)
}

/// Puts the graph together and compares it with what its head promised.
fn finish(built: Built, directed: bool, ids: Ids, mut origin: Origin, head: Head) -> Result<Graph> {
    let (vertices, arcs) = (built.arcs.csr.vertices() as u64, built.arcs.csr.arcs() as u64);
    origin.warnings = head.warnings;
    if origin.listed == 0 {
        origin.warnings.push("the file has no edges".to_owned());
    }
    if let Some((nodes, edges)) = head.promised {
        let kept = origin.listed - origin.loops_dropped - origin.merged;
        if nodes != vertices || ![origin.listed, kept, arcs].contains(&edges) {
            origin.warnings.push(format!(
                "the header says {nodes} vertices and {edges} edges, found {vertices} and {}",
                origin.listed
            ));
        }
    }
    // SAFETY: the builder makes as many weights as arcs, and mirrors every arc of an undirected list with the same
    // weight; the ids are those the vertices were numbered by.
    Ok(unsafe { Graph::new_unchecked(built.arcs, directed, ids, origin) })
}

/// All that reading one file needs.
struct Job<'a> {
    input: &'a Input,
    options: &'a ReadOptions,
    control: &'a Control,
    build: Options,
}

/// The ids, how many edges were listed, and what was built of them.
type Done = (Ids, u64, Built);

impl<'a> Job<'a> {
    fn run(&self, head: &Head) -> Result<Done> {
        let reader = Reader {
            file: self.input.name(),
            data: self.input,
            separator: head.separator.unwrap_or(Separator::Any),
            weighted: head.weighted,
            no_weights: self.options.no_weights,
        };
        if let Some(vertices) = self.options.vertices {
            return self.universe(&reader, head, vertices);
        }
        if head.names {
            return self.names(&reader, head);
        }
        match self.dense(&reader, head) {
            Ok(done) => Ok(done),
            Err(Stop::Sparse) => self.sparse(&reader, head),
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    /// All numbers from the base on are vertices.
    fn universe(&self, reader: &Reader<'a>, head: &Head, vertices: u64) -> Result<Done> {
        if head.names {
            return Err(Error::invalid(
                format!("{}: {vertices} vertices were asked for, but the ids are names", reader.file),
                "leave the number of vertices out; the vertices are the names that occur",
            ));
        }
        if vertices > MAX_VERTICES {
            return Err(build::too_many_vertices(vertices));
        }
        let base = self.options.base.unwrap_or(0);
        if base.checked_add(vertices).is_none() {
            return Err(Error::invalid(
                format!("ids from {base} on and {vertices} vertices reach beyond 64 bits"),
                "lower the base",
            ));
        }
        let pieces =
            reader.read(head.start, self.control, |piece| dense(reader, piece, base, vertices, None));
        let pieces = settled(pieces)?.into_iter().map(|p| (p.pairs, p.column)).collect();
        let ids = Ids::Range { first: base, len: vertices as usize };
        self.build(pieces, vertices, &Numbering::From(0), ids)
    }

    fn dense(&self, reader: &Reader<'a>, head: &Head) -> Result<Done, Stop> {
        let marks = Marks::for_file(reader.data.len())?;
        let pieces = reader
            .read(head.start, self.control, |piece| dense(reader, piece, 0, marks.limit(), Some(&marks)))?;
        let end = pieces.iter().map(|p| p.end).max().unwrap_or(0);
        let ranks = Ranks::new(marks.words_below(end));
        let pieces = pieces.into_iter().map(|p| (p.pairs, p.column)).collect();
        drop(marks);
        let first = ranks.numbers().next().unwrap_or(0);
        if end - first == ranks.len() as u64 {
            let ids = Ids::Range { first, len: ranks.len() };
            return Ok(self.build(pieces, end, &Numbering::From(first as u32), ids)?);
        }
        let ids = Ids::Numbers(ranks.numbers().collect::<Vec<_>>().into());
        Ok(self.build(pieces, end, &Numbering::Ranked(ranks), ids)?)
    }

    fn sparse(&self, reader: &Reader<'a>, head: &Head) -> Result<Done> {
        let pieces = reader.read(head.start, self.control, |piece| {
            let (pairs, column) = (Filled::with_room(room(piece))?, column(reader, piece)?);
            Ok(Wide { pairs, column })
        });
        let (ids, pieces) = sparse::compact(settled(pieces)?)?;
        let (first, len) = (ids.first().copied().unwrap_or(0), ids.len());
        let is_range = ids.last().is_none_or(|last| last - first == len as u64 - 1);
        let ids = if is_range { Ids::Range { first, len } } else { Ids::Numbers(ids.into()) };
        self.build(pieces, len as u64, &Numbering::From(0), ids)
    }

    fn names(&self, reader: &Reader<'a>, head: &Head) -> Result<Done> {
        let pieces = reader.read(head.start, self.control, |piece| {
            Ok(Named::new(Filled::with_room(room(piece))?, column(reader, piece)?))
        });
        let (names, pieces) = names::compact(settled(pieces)?, reader.file)?;
        self.build(pieces, names.len() as u64, &Numbering::From(0), Ids::Names(names))
    }

    fn build(&self, pieces: Vec<Piece>, bound: u64, numbering: &Numbering, ids: Ids) -> Result<Done> {
        let listed = pieces.iter().map(|p| p.0.len() as u64).sum();
        let (options, control) = (&self.build, self.control);
        let built = match weights::common_kind(&pieces) {
            Kind::None => {
                build::build_chunks(weights::unweighted(pieces)?, bound, numbering, options, control)
            }
            Kind::U32 => build::build_chunks(weights::unsigned(pieces)?, bound, numbering, options, control),
            Kind::I32 => build::build_chunks(weights::signed(pieces)?, bound, numbering, options, control),
            Kind::F64 if self.options.narrow_weights => {
                build::build_chunks(weights::narrowed(pieces)?, bound, numbering, options, control)
            }
            Kind::F64 => build::build_chunks(weights::decimal(pieces)?, bound, numbering, options, control),
        }?;
        Ok((ids, listed, built))
    }
}

fn column(reader: &Reader<'_>, piece: &std::ops::Range<usize>) -> Result<Column> {
    Column::new(reader.weighted, room(piece))
}

fn dense<'m>(
    reader: &Reader<'_>,
    piece: &std::ops::Range<usize>,
    base: u64,
    limit: u64,
    marks: Option<&'m Marks>,
) -> Result<Dense<'m>> {
    let (pairs, column) = (Filled::with_room(room(piece))?, column(reader, piece)?);
    Ok(Dense { base, limit, marks, pairs, column, end: 0 })
}

/// The pieces of a way of reading that takes ids of any size.
fn settled<C>(pieces: Result<Vec<C>, Stop>) -> Result<Vec<C>> {
    pieces.map_err(|stop| match stop {
        Stop::Failed(error) => error,
        Stop::Sparse => Error::invalid("an id is out of range", "report this as a bug"),
    })
}
