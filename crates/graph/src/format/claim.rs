//! What a header claims, judged before anything is allocated for it; and how much of a file has been read.

use super::lex;
use crate::{
    control::Control,
    csr::MAX_VERTICES,
    error::{Error, Position, Result},
    memory,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that every vertex takes while a graph is built: its offset and a counter.
const BYTES_PER_VERTEX: u64 = 8;

/// The line of a byte of a text file.
pub(super) fn line_of(file: &str, data: &[u8], offset: usize) -> Position {
    Position { column: None, ..lex::position(file, data, offset) }
}

/// Refuses more vertices than can be numbered, or than the machine has memory for.
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

/// Refuses a count that the rest of the file cannot hold at `bytes_each`, the last without its line end.
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

/// The error for a header that promises another count than follows.
pub(super) fn mismatch(at: Position, what: &str, promised: u64, found: u64) -> Error {
    let help = if found < promised {
        "the file is cut short or its header is wrong; fetch or make it anew"
    } else {
        "the header is wrong, or two files were joined; correct the count or make the file anew"
    };
    Error::format(at, format!("the header promises {promised} {what}, but {found} follow"), help)
}

/// Bytes read so far by all threads together, for the watcher of a [`Control`].
pub(super) struct Meter<'a> {
    control: &'a Control,
    done: AtomicU64,
    total: u64,
}

impl<'a> Meter<'a> {
    pub(super) fn new(control: &'a Control, total: usize) -> Self {
        Self { control, done: AtomicU64::new(0), total: total as u64 }
    }

    /// Counts a piece that is about to be read, unless the work must stop.
    pub(super) fn advance(&self, bytes: usize) -> Result<()> {
        self.control.check("reading")?;
        let done = self.done.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64;
        self.control.report("reading", done, Some(self.total));
        Ok(())
    }

    /// Says that all up to a byte has been read, unless the work must stop.
    #[cfg(feature = "webgraph")]
    pub(super) fn reach(&self, byte: usize) -> Result<()> {
        self.control.check("reading")?;
        self.control.report("reading", byte as u64, Some(self.total));
        Ok(())
    }
}
