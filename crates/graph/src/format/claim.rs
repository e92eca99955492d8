//! Checks the counts in a header before the reader allocates memory for them, and reports how much of a file is read.

use super::{ReadOptions, lex};
use crate::{
    control::Control,
    csr::MAX_VERTICES,
    error::{Error, Position, Result},
    memory,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes per vertex while a graph is built: an offset and a counter.
const BYTES_PER_VERTEX: u64 = 8;

/// Returns the position of a byte in a text file, as a line without a column.
pub(super) fn line_of(file: &str, data: &[u8], offset: usize) -> Position {
    Position { column: None, ..lex::position(file, data, offset) }
}

/// Returns the number of vertices, or an error if they exceed [`MAX_VERTICES`] or the available memory.
pub(super) fn vertices(at: &Position, vertices: u64) -> Result<usize> {
    let what = format!("{at}: a graph of {vertices} vertices");
    if vertices > MAX_VERTICES {
        return Err(Error::TooLarge {
            what,
            needed: "vertex numbers beyond 32 bits".to_owned(),
            limit: format!("{MAX_VERTICES} vertices"),
            help: "check the header; larger graphs are not supported".to_owned(),
        });
    }
    match memory::refuse_beyond_memory(vertices * BYTES_PER_VERTEX) {
        Err(Error::TooLarge { needed, limit, help, .. }) => {
            Err(Error::TooLarge { what, needed, limit, help })
        }
        other => other.map(|()| vertices as usize),
    }
}

/// The number of vertices that every file may claim. They take about 50 MB and some 30 ms to build.
const FREE_VERTICES: u64 = 1 << 22;
/// The number of vertices that a file may claim per byte of its content. Vertices without edges take no bytes in some
/// formats, but a graph of mostly such vertices is rare, and a wrong or malicious header is not.
const VERTICES_PER_BYTE: u64 = 16;

/// Returns an error if a file of this length does not back so many vertices: it is for formats that need no bytes for
/// a vertex without edges. The caller confirms an unusual count by [`ReadOptions::vertices`]; another count there is an
/// error too.
pub(super) fn backed(at: &Position, vertices: u64, length: usize, options: &ReadOptions) -> Result<()> {
    if options.vertices.is_some_and(|asked| asked != vertices) {
        let problem = format!("--vertices has no effect: the file says {vertices} vertices");
        return Err(Error::format(at.clone(), problem, "leave --vertices out, or correct the file"));
    }
    let most = FREE_VERTICES.max((length as u64).saturating_mul(VERTICES_PER_BYTE));
    // [`vertices`] refuses what no file may claim.
    if vertices <= most || vertices > MAX_VERTICES || options.vertices == Some(vertices) {
        return Ok(());
    }
    Err(Error::format(
        at.clone(),
        format!("{vertices} vertices in a file of {length} bytes, expected {most} at most"),
        format!(
            "correct the count; if nearly all vertices have no edges, confirm it with --vertices {vertices}"
        ),
    ))
}

/// Returns an error if the rest of the file is too short for `count` lines of `bytes_each` bytes, where the last may
/// lack its line end.
pub(super) fn fits(at: &Position, what: &str, count: u64, rest: usize, bytes_each: u64) -> Result<()> {
    let room = (rest as u64 + 1) / bytes_each;
    if count > room {
        return Err(Error::format(
            at.clone(),
            format!("the header promises {count} {what}, the rest of the file has room for {room} at most"),
            "the file is cut short or its header is wrong; fetch or make it anew",
        ));
    }
    Ok(())
}

/// Returns the error for a header that promises a count other than the one found.
pub(super) fn mismatch(at: Position, what: &str, promised: u64, found: u64) -> Error {
    let help = if found < promised {
        "the file is cut short or its header is wrong; fetch or make it anew"
    } else {
        "the header is wrong, or two files were joined; correct the count or make the file anew"
    };
    Error::format(at, format!("the header promises {promised} {what}, but {found} follow"), help)
}

/// Counts the bytes that all threads have read, and reports them to a [`Control`].
pub(super) struct Meter<'a> {
    control: &'a Control,
    done: AtomicU64,
    total: u64,
}

impl<'a> Meter<'a> {
    pub(super) fn new(control: &'a Control, total: usize) -> Self {
        Self { control, done: AtomicU64::new(0), total: total as u64 }
    }

    /// Counts and reports a piece that a thread is about to read, or returns the error of the [`Control`] if it stops
    /// the work.
    pub(super) fn advance(&self, bytes: usize) -> Result<()> {
        self.control.check("reading")?;
        let done = self.done.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64;
        self.control.report("reading", done, Some(self.total));
        Ok(())
    }

    /// Reports that everything before `byte` has been read, or returns the error of the [`Control`] if it stops the
    /// work.
    #[cfg(feature = "webgraph")]
    pub(super) fn reach(&self, byte: usize) -> Result<()> {
        self.control.check("reading")?;
        self.control.report("reading", byte as u64, Some(self.total));
        Ok(())
    }
}
