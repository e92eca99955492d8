//! Text edge lists: lines of `source target [weight]`, as SNAP, KONECT, GAP and spreadsheets write them.
//!
//! - Blanks, tabs, `,`, `;` or `|` separate the fields; lines end in LF or CRLF; `"` may quote a field. The reader
//!   skips a byte order mark, blank lines, and lines that start with `#`, `%` or `//`.
//! - The first line may name the columns (`header` says when it does). The reader skips it, and the names decide which
//!   columns are read (see [`super::columns`]). Without names, the columns are source, target and, if there is a third
//!   one, weight (SNAP's temporal files store the time there); more columns are an error, unless the options say what
//!   they are or leave weights out.
//! - Ids are numbers of up to 64 bits if the ids of the first 1000 edges are; a later id that is no number is then an
//!   error. Otherwise all ids are names, and also if a comment at the top says `# Ids: names`.
//!   [`IdKind`](super::IdKind) overrides this. The separator of names is the first
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
pub(super) mod fields;
mod head;
mod header;
mod layout;
mod merge;
pub(super) mod names;
pub(super) mod numbers;
mod pairs;
mod parts;
mod pieces;
mod preview;
mod sparse;
mod streamed;
pub(super) mod vertices;
pub(super) mod weights;

pub(super) use self::{
    pairs::{Pairs, Record},
    streamed::Text,
};

use self::{
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
    table::{Entry, Sign, Used},
};
use crate::{
    build::{Built, Filled, Options},
    control::Control,
    error::Result,
    graph::{Graph, Origin},
    ids::Ids,
};
use std::ops::Range;

pub(super) const ENTRY: Entry = Entry {
    name: "edge-list",
    aliases: &["el", "wel", "snap", "csv", "tsv", "txt"],
    endings: &[],
    sign: Sign::Ending,
    is_finished: false,
    read_parts: Some(|name, inputs, options, control| read_parts(name, &inputs, options, control)),
    uses: &[Used::BaseOfVertices, Used::Vertices, Used::Ids, Used::WeightType, Used::Columns, Used::Header],
    read: |input, options, control| read(&input, options, control),
    preview: |input, text, options| preview(&input, text, options),
};

/// The warning for a file without edges.
const NO_EDGES: &str = "the file has no edges";

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
    /// [`crate::Error::Parse`] with the position of the first text that is no edge; [`crate::Error::TooLarge`] if memory is short; or
    /// the error that `control` raises.
    pub fn read_edge_list(input: &Input, options: &ReadOptions, control: &Control) -> Result<Self> {
        read(input, options, control)
    }
}

/// Reads a text edge list.
pub(crate) fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    read_parts(input.name().to_owned(), std::slice::from_ref(input), options, control)
}

/// Reads files with the same columns as one edge list, in their order, and returns it as the graph `name`.
fn read_parts(name: String, inputs: &[Input], options: &ReadOptions, control: &Control) -> Result<Graph> {
    let heads = parts::heads(inputs, options)?;
    let (directed, because) = direction(options, &heads);
    let build_options = Options { directed, loops: options.loops, parallel: options.parallel };
    let readers: Vec<Reader<'_>> =
        inputs.iter().zip(&heads).map(|(input, head)| Reader::new(input, head, options)).collect();
    let job = Job { name: &name, readers: &readers, heads: &heads, options, control, build: build_options };
    let (ids, listed, built) = job.run()?;
    let origin = Origin {
        name,
        format: "edge-list".to_owned(),
        listed,
        direction_because: because,
        symmetrised: !directed,
        loops_dropped: built.loops_dropped,
        merged: built.merged,
        ..Origin::default()
    };
    finish(built, directed, ids, origin, parts::joined(inputs, heads))
}

/// Returns whether the edges are directed, and why.
fn direction(options: &ReadOptions, heads: &[Head]) -> (bool, String) {
    let direction = heads.iter().find_map(|head| head.direction.clone());
    match (options.directed, direction) {
        (Some(directed), _) => (directed, "the caller said so".to_owned()),
        (None, Some(direction)) => direction,
        (None, None) => (true, "text edge lists are directed unless they say otherwise".to_owned()),
    }
}

/// Assembles the graph and adds a warning if its counts differ from those that its head promised.
fn finish(built: Built, directed: bool, ids: Ids, mut origin: Origin, head: Head) -> Result<Graph> {
    let (vertices, arcs) = (built.arcs.csr.vertices() as u64, built.arcs.csr.arcs() as u64);
    (origin.header, origin.columns, origin.ignored) = (head.header, head.columns, head.ignored);
    origin.warnings = head.warnings;
    if origin.listed == 0 {
        origin.warnings.push(NO_EDGES.to_owned());
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
    name: &'a str,
    readers: &'a [Reader<'a>],
    heads: &'a [Head],
    options: &'a ReadOptions,
    control: &'a Control,
    build: Options,
}

impl<'a> Job<'a> {
    fn run(&self) -> Result<Done> {
        let names = self.heads.iter().any(|head| head.names);
        if let Some(vertices) = self.options.vertices {
            return self.universe(names, vertices);
        }
        if names {
            return self.names();
        }
        match self.dense() {
            Ok(done) => Ok(done),
            Err(Stop::Sparse) => self.sparse(),
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    /// Reads a graph with the vertices `base..base + vertices`. The base is that of the options, or 0.
    fn universe(&self, names: bool, vertices: u64) -> Result<Done> {
        let base = self.options.base.unwrap_or(0);
        vertices::check_universe(self.name, names, base, vertices)?;
        let pieces =
            pieces::read(self.readers, self.control, |piece| self.piece(piece, base, vertices, None));
        self.build(Numbered::universe(settled(pieces)?, base, vertices))
    }

    fn dense(&self) -> Result<Done, Stop> {
        let marks = Marks::for_file(self.readers.iter().map(|reader| reader.data.len()).sum())?;
        let piece = |piece: &Range<usize>| self.piece(piece, 0, marks.limit(), Some(&marks));
        let pieces = pieces::read(self.readers, self.control, piece)?;
        let numbered = Numbered::marked(pieces, &marks);
        drop(marks);
        Ok(self.build(numbered)?)
    }

    fn sparse(&self) -> Result<Done> {
        let pieces = pieces::read(self.readers, self.control, |piece| {
            let (pairs, column) = (Filled::with_room(room(piece))?, self.column(piece)?);
            Ok(Wide { pairs, column })
        });
        self.build(Numbered::compacted(settled(pieces)?)?)
    }

    fn names(&self) -> Result<Done> {
        let pieces = pieces::read(self.readers, self.control, |piece| {
            Ok(Named::new(Filled::with_room(room(piece))?, self.column(piece)?))
        });
        self.build(Numbered::named(settled(pieces)?, self.name)?)
    }

    /// Returns an empty collection for a piece of numbers from `base` to below `base + limit`.
    fn piece<'m>(
        &self,
        piece: &Range<usize>,
        base: u64,
        limit: u64,
        marks: Option<&'m Marks>,
    ) -> Result<Dense<'m>> {
        let (pairs, column) = (Filled::with_room(room(piece))?, self.column(piece)?);
        Ok(Dense { base, limit, marks, pairs, column, end: 0 })
    }

    /// Returns an empty column for the weights of a piece. All files have weights or none has.
    fn column(&self, piece: &Range<usize>) -> Result<Column> {
        Column::new(self.heads.iter().any(|head| head.layout.is_weighted()), room(piece))
    }

    fn build(&self, edges: Numbered) -> Result<Done> {
        edges.build(self.options.narrow_weights, &self.build, self.control)
    }
}

/// Unwraps the pieces of a read that never stops for an id beyond its limit.
fn settled<C>(pieces: Result<Vec<C>, Stop>) -> Result<Vec<C>> {
    pieces.map_err(Stop::settled)
}
