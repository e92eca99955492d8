//! Reads edges that a file stores as pairs of fixed-length numbers, and numbers the vertices as for text edge lists.

use super::{
    fast::Sink,
    numbers::{Dense, Marks, Wide},
    vertices::{Done, Numbered, check_universe},
    weights::Column,
};
use crate::{
    build::{Filled, Options},
    control::Control,
    error::{Error, Position, Result},
    format::{Input, ReadOptions, claim::Meter},
    par,
};

/// The layout of an edge in the file.
#[derive(Debug, Clone, Copy)]
pub(in crate::format) struct Record {
    pub(in crate::format) bytes: usize,
    /// Decodes the source and the target from a record of `bytes` bytes.
    pub(in crate::format) decode: fn(&[u8]) -> [u64; 2],
}

/// A file of records.
pub(in crate::format) struct Pairs<'a> {
    pub(in crate::format) input: &'a Input,
    pub(in crate::format) options: &'a ReadOptions,
    pub(in crate::format) control: &'a Control,
    pub(in crate::format) build: Options,
    pub(in crate::format) record: Record,
}

impl Pairs<'_> {
    /// Reads the file and returns the ids, the number of edges listed, and the arcs built from them.
    pub(in crate::format) fn read(&self) -> Result<Done> {
        self.numbered()?.build(self.options.narrow_weights, &self.build, self.control)
    }

    fn numbered(&self) -> Result<Numbered> {
        if let Some(vertices) = self.options.vertices {
            let base = self.options.base.unwrap_or(0);
            check_universe(self.input.name(), false, base, vertices)?;
            return match self.dense(base, vertices, None)? {
                Some(pieces) => Ok(Numbered::universe(pieces, base, vertices)),
                None => Err(self.beyond(base, vertices)),
            };
        }
        let marks = Marks::for_file(self.input.len())?;
        match self.dense(0, marks.limit(), Some(&marks))? {
            Some(pieces) => Ok(Numbered::marked(pieces, &marks)),
            None => Numbered::compacted(self.wide()?),
        }
    }

    /// Reads numbers from `base` to below `base + limit`; returns `None` if another number occurs.
    fn dense<'m>(&self, base: u64, limit: u64, marks: Option<&'m Marks>) -> Result<Option<Vec<Dense<'m>>>> {
        let read = |bytes: &[u8]| {
            let pairs = Filled::with_room(bytes.len() / self.record.bytes)?;
            let mut piece = Dense { base, limit, marks, pairs, column: Column::None, end: 0 };
            let fits = self.edges(bytes).all(|[u, v]| piece.edge::<false>(u, v, 0));
            Ok(fits.then_some(piece))
        };
        Ok(self.pieces(read)?.into_iter().collect())
    }

    /// Reads numbers of up to 63 bits. Fails if a larger one occurs.
    fn wide(&self) -> Result<Vec<Wide>> {
        let read = |bytes: &[u8]| {
            let pairs = Filled::with_room(bytes.len() / self.record.bytes)?;
            let mut piece = Wide { pairs, column: Column::None };
            let is_right = self.edges(bytes).all(|[u, v]| {
                piece.pairs.push([u, v]);
                (u | v) >> 63 == 0
            });
            Ok(is_right.then_some(piece))
        };
        let pieces: Option<Vec<Wide>> = self.pieces(read)?.into_iter().collect();
        pieces.ok_or_else(|| self.beyond(0, 1 << 63))
    }

    fn edges(&self, bytes: &[u8]) -> impl Iterator<Item = [u64; 2]> {
        bytes.chunks_exact(self.record.bytes).map(self.record.decode)
    }

    fn pieces<T: Send>(&self, read: impl Fn(&[u8]) -> Result<T> + Sync) -> Result<Vec<T>> {
        let edges = self.input.len() / self.record.bytes;
        let meter = Meter::new(self.control, self.input.len());
        let size = crate::build::part_size(edges) * self.record.bytes;
        let one = |bytes: &[u8]| {
            meter.advance(bytes.len())?;
            read(bytes)
        };
        let pieces: Vec<&[u8]> = self.input.chunks(size).collect();
        par::map(pieces.len(), |i| one(pieces[i])).into_iter().collect()
    }

    /// Returns the error for the first number that is not from `base` to below `base + limit`.
    fn beyond(&self, base: u64, limit: u64) -> Error {
        let is_beyond = |id: &u64| id.wrapping_sub(base) >= limit;
        let found = self.edges(self.input).enumerate().find(|(_, pair)| pair.iter().any(is_beyond));
        let (edge, pair) = found.unwrap_or_default();
        let id = pair.into_iter().find(is_beyond).unwrap_or_default();
        let end = base.saturating_add(limit);
        Error::format(
            Position::file(self.input.name()),
            format!("edge {edge}: vertex {}, expected {base} to below {end}", id as i64),
            "allow for more vertices, or check the format: graph500 has 12 bytes per edge, graph500-64 has 16",
        )
    }
}
