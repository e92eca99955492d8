//! Edges between ids that are names: each piece numbers its own names, then [`merge`] numbers all of them.

use super::{
    fast::Sink,
    merge,
    pieces::{Collect, Line, Reader, Stop},
    weights::{Column, Piece},
};
use crate::{build::Filled, csr::Vertex, error::Result, ids::Names, par};
use std::{borrow::Cow, collections::HashMap};
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

/// The edges of a piece, between names that are numbered in the order of their first occurrence.
#[derive(Debug)]
pub(in crate::format) struct Named<'a> {
    names: HashMap<Cow<'a, [u8]>, Vertex, Xxh3DefaultBuilder>,
    pairs: Filled<[Vertex; 2]>,
    pub(in crate::format) column: Column,
}

impl<'a> Named<'a> {
    pub(in crate::format) fn new(pairs: Filled<[Vertex; 2]>, column: Column) -> Self {
        Self { names: HashMap::with_hasher(Xxh3DefaultBuilder::new()), pairs, column }
    }

    fn number(&mut self, reader: &Reader<'a>, line: &Line<'a>, which: usize) -> Result<Vertex> {
        let id = &line.ids[which];
        self.number_of(id.text.clone()).ok_or_else(|| {
            line.fields.expected(
                reader.file,
                Some(id),
                "a name in UTF-8",
                "convert the file, e.g. with `iconv -f latin1 -t utf8`",
            )
        })
    }

    /// Appends an edge between copies of two names. The error is the index of the name that is not UTF-8.
    #[cfg(feature = "parquet")]
    pub(in crate::format) fn copy(&mut self, names: [&[u8]; 2]) -> Result<(), usize> {
        let mut pair = [0; 2];
        for (which, name) in names.into_iter().enumerate() {
            let number = match self.names.get(name) {
                Some(&number) => Some(number),
                None => self.number_of(Cow::Owned(name.to_vec())),
            };
            pair[which] = number.ok_or(which)?;
        }
        self.pairs.push(pair);
        Ok(())
    }

    /// Returns the number of a name, and assigns the next one to a new name. Returns `None` if the name is not UTF-8.
    fn number_of(&mut self, name: Cow<'a, [u8]>) -> Option<Vertex> {
        if let Some(&number) = self.names.get(&name) {
            return Some(number);
        }
        std::str::from_utf8(&name).ok()?;
        let number = self.names.len() as Vertex;
        self.names.insert(name, number);
        Some(number)
    }
}

impl<'a> Named<'a> {
    /// Returns the names by their numbers, and the rest. The table of names takes several times as much memory.
    fn listed(self) -> (Vec<Cow<'a, [u8]>>, Piece) {
        let mut list = vec![Cow::Borrowed(&[][..]); self.names.len()];
        for (name, number) in self.names {
            list[number as usize] = name;
        }
        (list, (self.pairs, self.column))
    }
}

impl Sink for Named<'_> {
    fn edge<const WEIGHTED: bool>(&mut self, _: u64, _: u64, _: u32) -> bool {
        false
    }
}

impl<'a> Collect<'a> for Named<'a> {
    const FAST: bool = false;

    fn take(&mut self, reader: &Reader<'a>, line: Line<'a>) -> Result<(), Stop> {
        let pair = [self.number(reader, &line, 0)?, self.number(reader, &line, 1)?];
        self.pairs.push(pair);
        line.weight.map_or(Ok(()), |weight| Ok(self.column.push(weight)?))
    }
}

/// Returns all names, in ascending order, and the pieces with vertices instead of the numbers of each piece.
pub(super) fn compact(pieces: Vec<Named<'_>>, file: &str) -> Result<(Names, Vec<Piece>)> {
    let (lists, pieces): (Vec<_>, Vec<_>) =
        par::map_each(pieces, |_, piece| piece.listed()).into_iter().unzip();
    let merged = merge::merge(&lists)?;
    let mut starts = vec![0];
    starts.extend(merged.names.iter().scan(0, |end, name| {
        *end += name.len() as u64;
        Some(*end)
    }));
    let names = Names::new(starts.into(), merged.names.concat().into(), file)?;
    let number = |i: usize, (mut pairs, column): Piece| {
        pairs.iter_mut().flatten().for_each(|v| *v = merged.places[i][*v as usize]);
        (pairs, column)
    };
    Ok((names, par::map_each(pieces, number)))
}
