//! Text edge lists: lines of `source target [weight]`, as SNAP, KONECT, GAP and spreadsheets write them.
//!
//! - Blanks, tabs, `,`, `;` or `|` separate the fields; lines end in LF or CRLF; `"` may quote a field. The reader
//!   skips a byte order mark, blank lines, and lines that start with `#`, `%` or `//`.
//! - The first line may name the columns (`header` says when it does). The reader skips it, and the names decide which
//!   columns are read (see [`super::columns`]). Without names, the columns are source, target and, if there is a third
//!   one, weight (SNAP's temporal files store the time there); more columns are an error, unless the options say what
//!   they are or leave weights out.
//! - Ids are numbers of up to 64 bits if the ids of the first 1000 edges are; a later id that is no number is then an
//!   error. Otherwise all ids are names. [`IdKind`](super::IdKind) overrides this. The separator of names is the first
//!   of tab, `;`, `,` and `|` that the first edge contains, or blanks if it contains none.
//! - Whole weights are u32, or i32 if one is negative; decimals, and whole numbers beyond 32 bits, are f64. Either all
//!   edges have a weight or none has. NetworkX's attributes (`1 2 {'weight': 4}`) are read by `attributes`.
//! - The graph is directed, unless a comment at the top starts with "undirected graph" (SNAP) or `% sym` (KONECT).
//! - The vertices are the ids that occur, in order, or `base..base + vertices` if the options give `vertices`.
//!
//! The reader reads the file once, in parallel pieces, and has a faster path for plain lines of numbers. It reads the
//! file a second time if ids are much larger than the file is long. Besides the arcs it takes 8 bytes per edge (16 for
//! such large ids) and 4 or 8 bytes per weight, which it frees while it builds the arcs.

mod attributes;
pub(super) mod fast;
mod fields;
mod head;
mod header;
mod layout;
pub(super) mod names;
pub(super) mod numbers;
mod pairs;
mod pieces;
mod preview;
mod sparse;
pub(super) mod vertices;
pub(super) mod weights;

pub(super) use self::pairs::{Pairs, Record};

use self::{
    fields::Separator,
    head::Head,
    names::Named,
    numbers::{Dense, Marks, Wide},
    pieces::{Reader, Stop, room},
    preview::preview,
    vertices::{Done, Numbered},
    weights::Column,
};
use super::{
    Input, ReadOptions,
    table::{Entry, Sign},
};
use crate::{
    build::{Built, Filled, Options},
    control::Control,
    error::{Error, Result},
    graph::{Graph, Origin},
    ids::Ids,
};

pub(super) const ENTRY: Entry = Entry {
    name: "edge-list",
    aliases: &["el", "wel", "snap", "csv", "tsv", "txt"],
    endings: &[],
    sign: Sign::Ending,
    is_finished: false,
    read: |input, options, control| read(&input, options, control),
    preview: |input, text, options| preview(&input, text, options),
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
    /// [`Error::Parse`] with the position of the first text that is no edge; [`Error::TooLarge`] if memory is short; or
    /// the error that `control` raises.
    pub fn read_edge_list(input: &Input, options: &ReadOptions, control: &Control) -> Result<Self> {
        read(input, options, control)
    }
}

/// Reads a text edge list.
pub(crate) fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let head = Head::read(input.name(), input, options)?;
    let (directed, because) = match (options.directed, &head.direction) {
        (Some(directed), _) => (directed, "the caller said so".to_owned()),
        (None, Some((directed, because))) => (*directed, because.clone()),
        (None, None) => (true, "text edge lists are directed unless they say otherwise".to_owned()),
    };
    let build_options = Options { directed, loops: options.loops, parallel: options.parallel };
    let job = Job { input, options, control, head: &head, build: build_options };
    let (ids, listed, built) = job.run()?;
    let origin = Origin {
        name: input.name().to_owned(),
        format: "edge-list".to_owned(),
        listed,
        direction_because: because,
        symmetrised: !directed,
        loops_dropped: built.loops_dropped,
        merged: built.merged,
        ..Origin::default()
    };
    finish(built, directed, ids, origin, head)
}

/// Assembles the graph and adds a warning if its counts differ from those that its head promised.
fn finish(built: Built, directed: bool, ids: Ids, mut origin: Origin, head: Head) -> Result<Graph> {
    let (vertices, arcs) = (built.arcs.csr.vertices() as u64, built.arcs.csr.arcs() as u64);
    (origin.header, origin.columns, origin.ignored) = (head.header, head.columns, head.ignored);
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
    // weight; the ids are those by which the vertices were numbered.
    Ok(unsafe { Graph::new_unchecked(built.arcs, directed, ids, origin) })
}

/// The inputs of one read.
struct Job<'a> {
    input: &'a Input,
    options: &'a ReadOptions,
    control: &'a Control,
    head: &'a Head,
    build: Options,
}

impl<'a> Job<'a> {
    fn run(&self) -> Result<Done> {
        let head = self.head;
        let reader = Reader {
            file: self.input.name(),
            data: self.input,
            separator: head.separator.unwrap_or(Separator::Any),
            layout: &head.layout,
            no_weights: self.options.no_weights,
        };
        if let Some(vertices) = self.options.vertices {
            return self.universe(&reader, vertices);
        }
        if head.names {
            return self.names(&reader);
        }
        match self.dense(&reader) {
            Ok(done) => Ok(done),
            Err(Stop::Sparse) => self.sparse(&reader),
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    /// Reads a graph whose vertices are the `vertices` numbers from the base on.
    fn universe(&self, reader: &Reader<'a>, vertices: u64) -> Result<Done> {
        let base = self.options.base.unwrap_or(0);
        vertices::check_universe(reader.file, self.head.names, base, vertices)?;
        let pieces =
            reader.read(self.head.start, self.control, |piece| dense(reader, piece, base, vertices, None));
        self.build(Numbered::universe(settled(pieces)?, base, vertices))
    }

    fn dense(&self, reader: &Reader<'a>) -> Result<Done, Stop> {
        let marks = Marks::for_file(reader.data.len())?;
        let pieces = reader.read(self.head.start, self.control, |piece| {
            dense(reader, piece, 0, marks.limit(), Some(&marks))
        })?;
        let numbered = Numbered::marked(pieces, &marks);
        drop(marks);
        Ok(self.build(numbered)?)
    }

    fn sparse(&self, reader: &Reader<'a>) -> Result<Done> {
        let pieces = reader.read(self.head.start, self.control, |piece| {
            let (pairs, column) = (Filled::with_room(room(piece))?, column(reader, piece)?);
            Ok(Wide { pairs, column })
        });
        self.build(Numbered::compacted(settled(pieces)?)?)
    }

    fn names(&self, reader: &Reader<'a>) -> Result<Done> {
        let pieces = reader.read(self.head.start, self.control, |piece| {
            Ok(Named::new(Filled::with_room(room(piece))?, column(reader, piece)?))
        });
        self.build(Numbered::named(settled(pieces)?, reader.file)?)
    }

    fn build(&self, edges: Numbered) -> Result<Done> {
        edges.build(self.options.narrow_weights, &self.build, self.control)
    }
}

fn column(reader: &Reader<'_>, piece: &std::ops::Range<usize>) -> Result<Column> {
    Column::new(reader.layout.is_weighted(), room(piece))
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

/// Unwraps the pieces of a read that never stops for an id beyond its limit.
fn settled<C>(pieces: Result<Vec<C>, Stop>) -> Result<Vec<C>> {
    pieces.map_err(|stop| match stop {
        Stop::Failed(error) => error,
        Stop::Sparse => Error::invalid("an id is out of range", "report this as a bug"),
    })
}
