//! Estimates the graph in a file before it is read: from its header if it has one, else from some of its lines.

use super::{Format, Input, ReadOptions, detect, parts::Parts};
use crate::{
    csr::MAX_VERTICES,
    error::{Error, Result},
    weights::WeightType,
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A number of arcs that no machine can hold.
pub(super) const MOST_ARCS: u64 = 1 << 50;

/// The size and the kind of the graph in a file.
///
/// The graph may be smaller, because a preview does not know how many self-loops the reader drops and how many parallel
/// edges it merges.
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
    /// The format of the file.
    pub format: Format,
    /// The number of vertices.
    pub vertices: u64,
    /// The number of arcs; an undirected edge counts as two.
    pub arcs: u64,
    /// True if the graph will be directed.
    pub directed: bool,
    /// The type that the weights will most likely have.
    pub weights: Option<WeightType>,
    /// The bytes of the original ids; 0 if they are a range of numbers.
    pub id_bytes: u64,
    /// The estimated bytes of a compressed file once unpacked, which stay in memory while it is read; 0 for other
    /// files.
    pub unpacked: u64,
    /// True if the file itself says how many vertices and edges it has.
    pub exact: bool,
    /// The source of the figures, e.g. `the header`.
    pub basis: String,
}

impl Preview {
    /// Estimates the graph in a file from its header or from some of its lines.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the file cannot be opened, [`Error::Format`] or [`Error::Parse`] if its header is not
    /// valid, and [`Error::Invalid`] if the size is unknown before reading: for pipes, for compressed binary files, and
    /// for formats that do not state their size at the start.
    pub fn of(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Self> {
        match Parts::of(path.as_ref())? {
            Some(parts) => Self::of_parts(parts.paths(), options),
            None => Self::of_file(path.as_ref(), options),
        }
    }

    /// Scales the preview of the first file by the sizes of all of them. The parts of a graph share vertices, so that
    /// their number grows less than that of the arcs; the preview takes the larger bound.
    fn of_parts(paths: &[PathBuf], options: &ReadOptions) -> Result<Self> {
        let size =
            |path: &PathBuf| path.metadata().map(|about| about.len()).map_err(|e| Error::io(path, "open", e));
        let total = paths.iter().map(size).sum::<Result<u64>>()?;
        let share = total as f64 / size(&paths[0])?.max(1) as f64;
        let first = Self::of_file(&paths[0], options)?;
        let scaled = |count: u64, most: u64| ((count as f64 * share).ceil() as u64).min(most);
        Ok(Self {
            vertices: options.vertices.unwrap_or(scaled(first.vertices, MAX_VERTICES)),
            arcs: scaled(first.arcs, MOST_ARCS),
            id_bytes: scaled(first.id_bytes, u64::MAX),
            unpacked: scaled(first.unpacked, u64::MAX),
            exact: first.exact && paths.len() == 1,
            basis: format!("{}, times the sizes of {} files", first.basis, paths.len()),
            ..first
        })
    }

    fn of_file(path: &Path, options: &ReadOptions) -> Result<Self> {
        let input = Input::peek(path)?;
        let format = detect::format_of(&input, options)?;
        let size = path.metadata().map_err(|e| Error::io(path, "open", e))?.len();
        let unpacked = input.whole().unwrap_or(0);
        let preview = (format.entry().preview)(input, size.max(unpacked), options)?;
        Ok(Self { unpacked, ..preview })
    }

    /// Returns the preview that a header gives, with counts limited to what a machine could hold, so that a wrong
    /// header causes no overflow.
    pub(super) fn by_header(format: Format, vertices: u64, arcs: u64, directed: bool) -> Self {
        let (vertices, arcs) = (vertices.min(MAX_VERTICES), arcs.min(MOST_ARCS));
        let basis = "the header".to_owned();
        Self { format, vertices, arcs, directed, weights: None, id_bytes: 0, unpacked: 0, exact: true, basis }
    }

    /// Sets the weight type to `weights`, changed as the options ask.
    pub(super) fn with_weights(mut self, weights: Option<WeightType>, options: &ReadOptions) -> Self {
        self.weights = match weights {
            _ if options.no_weights => None,
            Some(WeightType::F64) if options.narrow_weights => Some(WeightType::F32),
            weights => weights,
        };
        self
    }
}

/// Returns an error for a compressed file. It is for formats that check their header against the length of the file.
pub(super) fn refuse_packed(input: &Input) -> Result<()> {
    match input.is_cut() {
        true => Err(unknown(input, "packed binary files say nothing")),
        false => Ok(()),
    }
}

/// Returns an error for every file. It is for formats that do not state their size at the start.
pub(super) fn not_at_start(input: Input, _: u64, _: &ReadOptions) -> Result<Preview> {
    Err(unknown(&input, "this format does not say it at its start"))
}

/// Returns the error for a file whose size is unknown before it is read.
pub(super) fn unknown(input: &Input, why: &str) -> Error {
    Error::invalid(
        format!("{}: its size cannot be told without reading it: {why}", input.name()),
        "give --vertices and --edges instead of the file",
    )
}
