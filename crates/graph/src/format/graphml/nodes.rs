//! Numbers the nodes: in the order of the file first, then in the order of their ids.

use super::Place;
use crate::{
    build,
    csr::{MAX_VERTICES, Vertex},
    error::{Error, Result, quote},
    format::IdKind,
    ids::{Ids, Names},
};
use rayon::prelude::*;
use std::{borrow::Cow, collections::HashMap};
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

/// The nodes read so far.
#[derive(Debug)]
pub(super) struct Nodes<'i> {
    place: Place<'i>,
    ids: IdKind,
    numbers: HashMap<Cow<'i, str>, Vertex, Xxh3DefaultBuilder>,
    /// The nodes that an edge names and no element has declared yet, each with the offset where an edge first names it.
    undeclared: HashMap<Vertex, usize>,
}

impl<'i> Nodes<'i> {
    pub(super) fn new(place: Place<'i>, ids: IdKind) -> Self {
        let numbers = HashMap::with_hasher(Xxh3DefaultBuilder::new());
        Self { place, ids, numbers, undeclared: HashMap::new() }
    }

    /// Takes all ids as names, unless the caller has asked for numbers.
    pub(super) fn expect_names(&mut self) {
        if self.ids == IdKind::Auto {
            self.ids = IdKind::Names;
        }
    }

    /// Declares a node. Fails if it is declared already.
    pub(super) fn declare(&mut self, id: Cow<'i, str>, at: usize) -> Result<()> {
        match self.numbers.get(&id) {
            None => self.add(id, at).map(drop),
            Some(v) if self.undeclared.remove(v).is_some() => Ok(()),
            Some(_) => Err(self.place.error(
                at,
                format!("the node {} is declared a second time", quote(id.as_bytes())),
                "give every node an id of its own",
            )),
        }
    }

    /// Returns the number of a node that an edge names, and assigns the next one to a new node.
    pub(super) fn number(&mut self, id: Cow<'i, str>, at: usize) -> Result<Vertex> {
        if let Some(&number) = self.numbers.get(&id) {
            return Ok(number);
        }
        let number = self.add(id, at)?;
        self.undeclared.insert(number, at);
        Ok(number)
    }

    fn add(&mut self, id: Cow<'i, str>, at: usize) -> Result<Vertex> {
        if self.ids == IdKind::Numbers && whole(&id).is_none() {
            return Err(Error::Parse {
                at: self.place.position(at),
                expected: "a node id that is a whole number".to_owned(),
                got: quote(id.as_bytes()),
                help: "pass --ids names to take all ids as names".to_owned(),
            });
        }
        let number = self.numbers.len() as u64;
        if number >= MAX_VERTICES {
            return Err(build::too_many_vertices(number + 1));
        }
        self.numbers.insert(id, number as Vertex);
        Ok(number as Vertex)
    }

    /// Returns the ids in ascending order, and the vertex of each number. Fails if an edge names a node that is not
    /// declared.
    pub(super) fn finish(self, file: &str) -> Result<(Ids, Vec<Vertex>)> {
        if let Some((&number, &at)) = self.undeclared.iter().min_by_key(|(_, at)| **at) {
            let id = self.numbers.iter().find(|(_, n)| **n == number).map(|(id, _)| &id[..]);
            let problem = format!("there is no node {}", quote(id.unwrap_or_default().as_bytes()));
            return Err(self.place.error(
                at,
                problem,
                "declare it with <node id=\"...\"/>, or remove the edge",
            ));
        }
        let as_number = |(id, &v): (&Cow<'i, str>, &Vertex)| Some((whole(id)?, v));
        let numbers = if self.ids == IdKind::Names {
            None
        } else {
            self.numbers.iter().map(as_number).collect::<Option<Vec<_>>>()
        };
        match numbers {
            Some(numbers) => Ok(of_numbers(numbers)),
            None => of_names(self.numbers.iter().map(|(id, &v)| (&id[..], v)).collect(), file),
        }
    }
}

/// Returns an id as a number, or `None` unless it is the usual decimal form of one.
fn whole(id: &str) -> Option<u64> {
    let is_canonical = id == "0" || id.starts_with(|c: char| ('1'..='9').contains(&c));
    if is_canonical { id.parse().ok() } else { None }
}

fn of_numbers(mut numbers: Vec<(u64, Vertex)>) -> (Ids, Vec<Vertex>) {
    numbers.par_sort_unstable();
    let vertices = places(numbers.iter().map(|n| n.1));
    let (first, len) = (numbers.first().map_or(0, |n| n.0), numbers.len());
    let is_range = numbers.last().is_none_or(|last| last.0 - first == len as u64 - 1);
    let ids = match is_range {
        true => Ids::Range { first, len },
        false => Ids::Numbers(numbers.iter().map(|n| n.0).collect::<Vec<_>>().into()),
    };
    (ids, vertices)
}

fn of_names(mut names: Vec<(&str, Vertex)>, file: &str) -> Result<(Ids, Vec<Vertex>)> {
    names.par_sort_unstable();
    let mut starts = vec![0];
    starts.extend(names.iter().scan(0, |end, (name, _)| {
        *end += name.len() as u64;
        Some(*end)
    }));
    let text: Vec<u8> = names.iter().flat_map(|(name, _)| name.bytes()).collect();
    let vertices = places(names.iter().map(|n| n.1));
    Ok((Ids::Names(Names::new(starts.into(), text.into(), file)?), vertices))
}

/// Returns the place of each number in `numbers`, which is a permutation: the inverse permutation.
fn places(numbers: impl ExactSizeIterator<Item = Vertex>) -> Vec<Vertex> {
    let mut places = vec![0; numbers.len()];
    numbers.enumerate().for_each(|(place, number)| places[number as usize] = place as Vertex);
    places
}
