//! Reads sparse matrices as `scipy.sparse.save_npz` writes them: a ZIP archive of NumPy arrays.
//!
//! ```text
//! format.npy   csr, csc or coo              shape.npy   rows, columns
//! csr, csc:    indptr.npy, indices.npy, data.npy
//! coo:         row.npy, col.npy, data.npy
//! ```
//!
//! Entry (i, j) is the edge i -> j, as in Matrix Market; ids count from 0. The file does not record whether the graph
//! is directed, so the graph is directed unless the caller says otherwise. Every stored entry is an edge, whatever its
//! value; several entries at one position are parallel edges. `data` holds the weights: integers and doubles get the
//! same weight types as in all other formats, float32 stays f32, boolean values mean that the graph has no weights, and
//! complex values are an error. The matrix must be square.
//!
//! The reader unpacks members in parallel and converts them on all threads. If a CSR matrix is read as a directed graph
//! and its rows are sorted and free of duplicates, the graph takes its arrays as they are; the builder handles every
//! other matrix. The work is O(entries). In addition to the arcs, memory holds the unpacked members, and 8 bytes per
//! entry if the builder runs.

mod npy;
mod values;
pub(super) mod zip;

use self::{npy::Array, zip::Archive};
use super::{
    Format, Input, ReadOptions, claim, finished, preview,
    table::{Entry, Sign, Used},
};
use crate::{
    build::{self, EdgeChunk, EdgeList, EdgeWeights, Options},
    control::Control,
    csr::{Csr, Offsets, Vertex},
    error::{Error, Position, Result},
    graph::{Arcs, Graph, Origin},
    ids::Ids,
    memory::Pages,
    par,
    weights::Weights,
};
use std::ops::Range;

pub(super) const ENTRY: Entry = Entry {
    name: "npz",
    aliases: &[],
    endings: &["npz"],
    sign: Sign::Content(is_npz),
    is_finished: false,
    read_parts: None,
    uses: &[Used::Vertices, Used::WeightType],
    read: |input, options, control| read(&input, options, control),
    preview: preview::not_at_start,
};

/// Returns true if `data` is an archive that holds a sparse matrix.
fn is_npz(data: &[u8]) -> bool {
    let is_matrix = |archive: Archive<'_>| archive.has("format.npy") && archive.has("shape.npy");
    data.starts_with(zip::MEMBER) && Archive::open("", data).is_ok_and(is_matrix)
}

/// Reads a sparse matrix and returns it as a graph.
fn read(input: &Input, options: &ReadOptions, control: &Control) -> Result<Graph> {
    let archive = Archive::open(input.name(), input)?;
    let file = File { name: input.name(), archive, control };
    let [format, shape] = file.arrays(["format.npy", "shape.npy"])?;
    let vertices = file.vertices(&shape)?;
    let form = format.text();
    let matrix = match form.as_str() {
        "csr" | "csc" => file.compressed(vertices, form == "csc")?,
        "coo" => {
            claim::backed(&Position::file(input.name()), vertices, input.len(), options)?;
            file.coordinates(vertices)?
        }
        other => return Err(file.unknown(other)),
    };
    control.check("reading")?;
    matrix.graph(input.name(), options, control)
}

struct File<'a> {
    name: &'a str,
    archive: Archive<'a>,
    control: &'a Control,
}

impl<'a> File<'a> {
    /// Returns the named members as arrays, unpacked in parallel.
    fn arrays<const N: usize>(&self, names: [&str; N]) -> Result<[Array<'a>; N]> {
        let read = |name: &&str| match self.archive.read(name, self.control)? {
            Some(bytes) => Array::new(self.name, name, bytes),
            None => Err(self.missing(name)),
        };
        let arrays: Vec<Array<'a>> = par::try_map(N, |i| read(&names[i]))?;
        arrays.try_into().map_err(|_| self.missing("an array"))
    }

    fn missing(&self, name: &str) -> Error {
        let problem = format!("{name} is missing; the archive has {}", self.archive.names());
        let help = "write the file with scipy.sparse.save_npz";
        Error::format(Position::file(self.name), problem, help)
    }

    fn unknown(&self, form: &str) -> Error {
        let problem = format!("a sparse matrix in the form {form:?}, expected csr, csc or coo");
        let help = "convert it first: scipy.sparse.save_npz(\"out.npz\", a.tocsr())";
        Error::format(Position::file(self.name), problem, help)
    }

    /// Returns the number of vertices: the number of rows, which must equal the number of columns.
    fn vertices(&self, shape: &Array<'_>) -> Result<u64> {
        let wide = |bytes: &[u8; 8]| u64::try_from(i64::from_le_bytes(*bytes)).ok();
        let sizes: Option<Vec<u64>> = match shape.kind.as_str() {
            "<i8" => shape.bytes().as_chunks::<8>().0.iter().map(wide).collect(),
            "<i4" => {
                let narrow = |bytes: &[u8; 4]| u64::try_from(i32::from_le_bytes(*bytes)).ok();
                shape.bytes().as_chunks::<4>().0.iter().map(narrow).collect()
            }
            _ => None,
        };
        let at = Position::file(self.name);
        match sizes.as_deref() {
            Some(&[rows, columns]) if rows == columns => {
                claim::vertices(&at, rows)?;
                Ok(rows)
            }
            Some(&[rows, columns]) => Err(Error::format(
                at,
                format!("the matrix has {rows} rows and {columns} columns; only a square one is a graph"),
                "a bipartite graph needs one numbering for both sides: add the row count to the columns",
            )),
            _ => Err(shape.wrong("expected two whole numbers, the rows and columns of a matrix")),
        }
    }

    fn compressed(&self, vertices: u64, by_column: bool) -> Result<Matrix> {
        let [starts, indices, data] = self.arrays(["indptr.npy", "indices.npy", "data.npy"])?;
        let entries = indices.len()?;
        if starts.len()? as u64 != vertices + 1 {
            return Err(starts.wrong(format!("{} offsets for {vertices} rows", starts.len()?)));
        }
        let offsets = values::offsets(&starts, entries)?;
        let others = values::vertices(&indices, vertices)?;
        let weights = weights(&data, entries)?;
        Ok(Matrix {
            vertices: vertices as usize,
            lines: Lines::Starts { offsets, by_column },
            others,
            weights,
        })
    }

    fn coordinates(&self, vertices: u64) -> Result<Matrix> {
        let [rows, columns, data] = self.arrays(["row.npy", "col.npy", "data.npy"])?;
        let entries = columns.len()?;
        if rows.len()? != entries {
            return Err(rows.wrong(format!("{} rows for {entries} columns", rows.len()?)));
        }
        let others = values::vertices(&columns, vertices)?;
        let rows = values::vertices(&rows, vertices)?;
        let weights = weights(&data, entries)?;
        Ok(Matrix { vertices: vertices as usize, lines: Lines::Each(rows), others, weights })
    }
}

fn weights(data: &Array<'_>, entries: usize) -> Result<Weights> {
    if data.len()? == entries {
        return values::weights(data);
    }
    Err(data.wrong(format!("{} values for {entries} entries", data.len()?)))
}

/// A matrix whose entries have been checked.
struct Matrix {
    vertices: usize,
    lines: Lines,
    /// The column of each entry, or the row of each entry if the matrix is stored by column.
    others: Pages<Vertex>,
    weights: Weights,
}

/// The row of each entry, or the column of each entry if the matrix is stored by column.
enum Lines {
    Starts { offsets: Offsets, by_column: bool },
    Each(Pages<Vertex>),
}

impl Matrix {
    fn graph(self, name: &str, options: &ReadOptions, control: &Control) -> Result<Graph> {
        let directed = options.directed.unwrap_or(true);
        let origin = Origin {
            name: name.to_owned(),
            format: Format::Npz.name().to_owned(),
            listed: self.others.len() as u64,
            direction_because: match options.directed {
                None => "a sparse matrix is directed unless it is said to be symmetric".to_owned(),
                Some(_) => "asked for".to_owned(),
            },
            symmetrised: !directed,
            ..Origin::default()
        };
        match self.lines {
            Lines::Starts { offsets, by_column: false } if directed && are_rows(&offsets, &self.others) => {
                let csr = Csr::new(offsets, self.others.into(), name)?;
                let ids = Ids::zero_based(self.vertices);
                let graph = Graph::new(Arcs { csr, weights: self.weights }, true, ids, origin)?;
                finished::apply(graph, options, control)
            }
            _ => self.build(directed, origin, options, control),
        }
    }

    fn build(
        self,
        directed: bool,
        mut origin: Origin,
        options: &ReadOptions,
        control: &Control,
    ) -> Result<Graph> {
        let weights = match &self.weights {
            _ if options.no_weights => Weights::None,
            Weights::F64(_) if options.narrow_weights => self.weights.narrowed()?,
            weights => weights.clone(),
        };
        let step = build::part_size(self.others.len());
        let starts: Vec<usize> = (0..self.others.len()).step_by(step).collect();
        let chunk = |start: usize| {
            let range = start..self.others.len().min(start + step);
            EdgeChunk { pairs: self.pairs(range.clone()), weights: section(&weights, range) }
        };
        let chunks = par::map_each(starts, |_, start| chunk(start));
        let list = EdgeList { vertices: self.vertices, chunks };
        let vertices = self.vertices;
        drop(self);
        let how = Options { directed, loops: options.loops, parallel: options.parallel };
        let built = build::build(list, &how, control)?;
        (origin.loops_dropped, origin.merged) = (built.loops_dropped, built.merged);
        // SAFETY: the builder returns either one weight per arc or no weights, and it mirrors every edge unless the
        // graph is directed; `Ids::zero_based(vertices)` holds one id per vertex.
        Ok(unsafe { Graph::new_unchecked(built.arcs, directed, Ids::zero_based(vertices), origin) })
    }

    /// Returns the row and the column of each entry in `range`.
    fn pairs(&self, range: Range<usize>) -> Vec<[Vertex; 2]> {
        match &self.lines {
            Lines::Each(rows) => {
                rows[range.clone()].iter().zip(&self.others[range]).map(|(&u, &v)| [u, v]).collect()
            }
            Lines::Starts { offsets, by_column } => {
                let mut line = line_of(offsets, range.start);
                let mut pairs = Vec::with_capacity(range.len());
                for entry in range {
                    while offsets.get(line + 1) <= entry {
                        line += 1;
                    }
                    let (line, other) = (line as Vertex, self.others[entry]);
                    pairs.push(if *by_column { [other, line] } else { [line, other] });
                }
                pairs
            }
        }
    }
}

/// Returns the line (row, or column if stored by column) that contains `entry`. Binary search: O(log lines).
fn line_of(offsets: &Offsets, entry: usize) -> usize {
    let (mut low, mut high) = (0, offsets.len() - 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if offsets.get(middle + 1) <= entry { low = middle + 1 } else { high = middle }
    }
    low
}

/// Returns true if every row is sorted and free of duplicates.
fn are_rows(offsets: &Offsets, columns: &[Vertex]) -> bool {
    let is_row = |v: usize| columns[offsets.get(v)..offsets.get(v + 1)].is_sorted_by(|a, b| a < b);
    par::all(offsets.len() - 1, 1024, |mut range| range.all(is_row))
}

fn section(weights: &Weights, range: Range<usize>) -> EdgeWeights {
    match weights {
        Weights::None => EdgeWeights::None,
        Weights::U32(w) => EdgeWeights::U32(w[range].to_vec()),
        Weights::I32(w) => EdgeWeights::I32(w[range].to_vec()),
        Weights::F32(w) => EdgeWeights::F32(w[range].to_vec()),
        Weights::F64(w) => EdgeWeights::F64(w[range].to_vec()),
    }
}
