//! Numbers the nodes: in the order of the file first, then in the order of their ids.

use super::Place;
use crate::{
    build,
    csr::{MAX_VERTICES, Vertex},
    error::{Result, quote},
    format::IdKind,
    ids::{Ids, Names},
};
use rayon::prelude::*;
use std::{borrow::Cow, collections::HashMap};
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

/// The nodes read so far.
#[derive(Debug)]
pub(in crate::format) struct Nodes<'i> {
    place: Place<'i>,
    ids: IdKind,
    numbers: HashMap<Cow<'i, str>, Vertex, Xxh3DefaultBuilder>,
    /// The nodes that an edge names and no element has declared yet, each with the offset where an edge first names it.
    undeclared: HashMap<Vertex, usize>,
    /// The labels by number, `None` for a node without one; the last ones may be missing.
    labels: Vec<Option<Cow<'i, str>>>,
}

impl<'i> Nodes<'i> {
    pub(in crate::format) fn new(place: Place<'i>, ids: IdKind) -> Self {
        let numbers = HashMap::with_hasher(Xxh3DefaultBuilder::new());
        Self { place, ids, numbers, undeclared: HashMap::new(), labels: Vec::new() }
    }

    /// Takes all ids as names, unless the caller has asked for numbers.
    #[cfg(feature = "graphml")]
    pub(in crate::format) fn expect_names(&mut self) {
        if self.ids == IdKind::Auto {
            self.ids = IdKind::Names;
        }
    }

    /// Declares a node and returns its number. Fails if it is declared already.
    pub(in crate::format) fn declare(&mut self, id: Cow<'i, str>, at: usize) -> Result<Vertex> {
        match self.numbers.get(&id) {
            None => self.add(id, at),
            Some(v) if self.undeclared.remove(v).is_some() => Ok(*v),
            Some(_) => Err(self.place.error(
                at,
                format!("the node {} is declared a second time", quote(id.as_bytes())),
                "give every node an id of its own",
            )),
        }
    }

    /// Returns the number of a node that an edge names, and assigns the next one to a new node, which the file must
    /// declare later.
    pub(in crate::format) fn number(&mut self, id: Cow<'i, str>, at: usize) -> Result<Vertex> {
        if let Some(&number) = self.numbers.get(&id) {
            return Ok(number);
        }
        let number = self.add(id, at)?;
        self.undeclared.insert(number, at);
        Ok(number)
    }

    /// Returns the number of a node, and assigns the next one to a new node, which needs no declaration.
    pub(in crate::format) fn mention(&mut self, id: Cow<'i, str>, at: usize) -> Result<Vertex> {
        self.numbers.get(&id).copied().map_or_else(|| self.add(id, at), Ok)
    }

    /// Makes all nodes that edges name declared.
    pub(in crate::format) fn forgive(&mut self) {
        self.undeclared.clear();
    }

    /// Gives a node a label, which becomes its id if all nodes have one and all of them differ.
    pub(in crate::format) fn label(&mut self, node: Vertex, label: Cow<'i, str>) {
        if self.labels.len() <= node as usize {
            self.labels.resize(node as usize + 1, None);
        }
        self.labels[node as usize] = Some(label);
    }

    fn add(&mut self, id: Cow<'i, str>, at: usize) -> Result<Vertex> {
        if self.ids == IdKind::Numbers && whole(&id).is_none() {
            let help = "pass --ids names to take all ids as names";
            return Err(self.place.expected(at, "a node id that is a whole number", &id, help));
        }
        let number = self.numbers.len() as u64;
        if number >= MAX_VERTICES {
            return Err(build::too_many_vertices(number + 1));
        }
        self.numbers.insert(id, number as Vertex);
        Ok(number as Vertex)
    }

    /// Returns the ids in ascending order, and the vertex of each number. Adds a warning if there are labels that
    /// cannot be the ids. Fails, with `help`, if an edge names a node that is not declared.
    pub(in crate::format) fn finish(
        self,
        help: &str,
        warnings: &mut Vec<String>,
    ) -> Result<(Ids, Vec<Vertex>)> {
        if let Some((&number, &at)) = self.undeclared.iter().min_by_key(|(_, at)| **at) {
            let id = self.numbers.iter().find(|(_, n)| **n == number).map(|(id, _)| &id[..]);
            let problem = format!("there is no node {}", quote(id.unwrap_or_default().as_bytes()));
            return Err(self.place.error(at, problem, help));
        }
        if !self.labels.is_empty() && self.ids != IdKind::Numbers {
            let labels = self.labels.iter().zip(0..).filter_map(|(label, v)| Some((&label.as_ref()?[..], v)));
            match usable(labels.collect(), self.numbers.len()) {
                Ok(labels) => return ids_of(labels, self.ids, self.place.file),
                Err(warning) => warnings.push(warning),
            }
        }
        let ids = self.numbers.iter().map(|(id, &v)| (&id[..], v)).collect();
        ids_of(ids, self.ids, self.place.file)
    }
}

/// Returns the labels if every one of `nodes` nodes has one and all of them differ, else a warning.
pub(in crate::format) fn usable(
    mut labels: Vec<(&str, Vertex)>,
    nodes: usize,
) -> Result<Vec<(&str, Vertex)>, String> {
    if labels.len() < nodes {
        let none = nodes - labels.len();
        return Err(format!("the labels are not used as ids: {none} of {nodes} nodes have none"));
    }
    labels.par_sort_unstable();
    match labels.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => {
            let label = quote(pair[0].0.as_bytes());
            Err(format!("the labels are not used as ids: two nodes have the label {label}"))
        }
        None => Ok(labels),
    }
}

/// Returns ids that all differ, in ascending order, and the vertex of each number. They are numbers if all of them are
/// whole numbers in their usual form and `kind` allows it, else names.
pub(in crate::format) fn ids_of(
    ids: Vec<(&str, Vertex)>,
    kind: IdKind,
    file: &str,
) -> Result<(Ids, Vec<Vertex>)> {
    let numbers = match kind {
        IdKind::Names => None,
        _ => ids.iter().map(|&(id, v)| Some((whole(id)?, v))).collect::<Option<Vec<_>>>(),
    };
    match numbers {
        Some(numbers) => Ok(of_numbers(numbers)),
        None => of_names(ids, file),
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
