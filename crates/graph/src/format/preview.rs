//! What a file will make, before it is read: by its header where it has one, else by a look at some of its lines.

use super::{Format, Input, ReadOptions, detect};
use crate::{
    csr::MAX_VERTICES,
    error::{Error, Result},
    weights::WeightType,
};
use serde::Serialize;
use std::path::Path;

/// More arcs than any machine holds.
pub(super) const MOST_ARCS: u64 = 1 << 50;
/// Text of edges packs to about a quarter.
const PACKED: u64 = 4;

/// The size and kind of the graph in a file.
///
/// Loops that are dropped and parallel edges that are merged are not known beforehand, so the graph may be smaller.
///
/// ```
/// # fn main() -> warpgraph_graph::Result<()> {
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("road.gr");
/// std::fs::write(&path, "p sp 3 2\na 1 2 70\na 2 3 40\n").expect("written");
/// let preview = warpgraph_graph::Preview::of(&path, &Default::default())?;
/// assert_eq!((preview.vertices, preview.arcs, preview.exact), (3, 2, true));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Preview {
    /// The format.
    pub format: Format,
    /// Vertices.
    pub vertices: u64,
    /// Arcs: an undirected edge is two.
    pub arcs: u64,
    /// Will arcs have one direction only?
    pub directed: bool,
    /// The type the weights will most likely have.
    pub weights: Option<WeightType>,
    /// Bytes of the original ids; 0 where they are a range of numbers.
    pub id_bytes: u64,
    /// Bytes of text that are held in memory while it is read: those of a packed file, unpacked; guessed.
    pub unpacked: u64,
    /// Does the file itself say how many vertices and edges it has?
    pub exact: bool,
    /// Where the figures come from, e.g. `the header`.
    pub basis: String,
}

impl Preview {
    /// Looks at a file: at its header, or at some of its lines.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be opened, [`Error::Format`] or [`Error::Parse`] when its header is no header,
    /// [`Error::Invalid`] for what cannot be told beforehand: pipes, packed binary files, formats without a header.
    pub fn of(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        let path = path.as_ref();
        let input = Input::peek(path)?;
        let format = detect::format_of(&input, options)?;
        let size = path.metadata().map_err(|e| Error::io(path, "open", e))?.len();
        let unpacked = if input.is_cut() { PACKED * size } else { 0 };
        let preview = (format.entry().preview)(input, size.max(unpacked), options)?;
        Ok(Self { unpacked, ..preview })
    }

    /// As a header says; no more than could ever be held, so that a false one overflows nothing.
    pub(super) fn by_header(format: Format, vertices: u64, arcs: u64, directed: bool) -> Self {
        let (vertices, arcs) = (vertices.min(MAX_VERTICES), arcs.min(MOST_ARCS));
        let basis = "the header".to_owned();
        Self { format, vertices, arcs, directed, weights: None, id_bytes: 0, unpacked: 0, exact: true, basis }
    }

    /// With weights as the options want them.
    pub(super) fn with_weights(mut self, weights: Option<WeightType>, options: &ReadOptions) -> Self {
        self.weights = match weights {
            _ if options.no_weights => None,
            Some(WeightType::F64) if options.narrow_weights => Some(WeightType::F32),
            weights => weights,
        };
        self
    }
}

/// Refuses to say anything of a packed file, for formats whose header is held against the length of the file.
pub(super) fn refuse_packed(input: &Input) -> Result<()> {
    match input.is_cut() {
        true => Err(unknown(input, "packed binary files say nothing")),
        false => Ok(()),
    }
}

/// Refuses to say anything, for formats that do not have their size at the start.
pub(super) fn not_at_start(input: Input, _: u64, _: &ReadOptions) -> Result<Preview> {
    Err(unknown(&input, "this format does not say it at its start"))
}

/// Returns the error for a file whose size is known only once it is read.
pub(super) fn unknown(input: &Input, why: &str) -> Error {
    Error::invalid(
        format!("{}: its size cannot be told without reading it: {why}", input.name()),
        "give --vertices and --edges instead of the file",
    )
}
