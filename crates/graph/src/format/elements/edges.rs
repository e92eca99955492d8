//! Collects the edges: pairs of nodes, their weights, and which of them are directed.

use super::Place;
use crate::{
    build::Filled,
    csr::Vertex,
    error::{Error, Position, Result},
    format::edge_list::weights::{Column, Piece, Weight},
    memory,
};

/// The least and the largest number of edges in a piece. A new piece has room for as many edges as there are, so that
/// memory grows with the edges.
const LEAST: usize = 1 << 10;
const MOST: usize = 1 << 20;
/// Bytes per edge: its pair and its weight.
const BYTES_PER_EDGE: usize = 16;

/// The edges read so far.
#[derive(Debug)]
pub(in crate::format) struct Edges<'i> {
    place: Place<'i>,
    pieces: Vec<Piece>,
    len: usize,
    /// The number of edges that fit in the pieces there are.
    room: usize,
    /// True if edges are directed unless they say otherwise; `None` before the file has said it.
    pub(in crate::format) default: Option<bool>,
    /// The indices of the edges whose direction differs from `default`.
    others: Vec<usize>,
    /// The offset of the first edge without a weight.
    bare: Option<usize>,
}

/// One edge.
#[derive(Debug)]
pub(in crate::format) struct Edge {
    /// The offset where it starts.
    pub(in crate::format) at: usize,
    pub(in crate::format) pair: [Vertex; 2],
    /// Its own direction; `None` if it has that of the graph.
    pub(in crate::format) directed: Option<bool>,
    pub(in crate::format) weight: Option<Weight>,
}

/// The reasons for the direction of a graph, in the words of its format.
#[derive(Debug)]
pub(in crate::format) struct Because {
    /// The reason if all edges have the default direction.
    pub(in crate::format) default: String,
    /// The reason if all edges have the other direction.
    pub(in crate::format) others: String,
}

impl Because {
    /// Returns the reason of a format in which all edges have one direction.
    pub(in crate::format) fn of(default: String) -> Self {
        Self { default, others: String::new() }
    }
}

impl<'i> Edges<'i> {
    /// Returns an empty collection.
    pub(in crate::format) fn new(place: Place<'i>) -> Self {
        Self { place, pieces: Vec::new(), len: 0, room: 0, default: None, others: Vec::new(), bare: None }
    }

    pub(in crate::format) fn len(&self) -> usize {
        self.len
    }

    /// Appends an edge. Fails if only one of it and the edges before has a weight.
    pub(in crate::format) fn push(&mut self, edge: Edge) -> Result<()> {
        match edge.weight {
            None if self.len == 0 || self.bare.is_some() => self.bare = self.bare.or(Some(edge.at)),
            None => return Err(self.no_weight(edge.at)),
            Some(_) => self.bare.map_or(Ok(()), |bare| Err(self.no_weight(bare)))?,
        }
        if edge.directed.is_some_and(|directed| self.default != Some(directed)) {
            self.others.push(self.len);
        }
        if self.len == self.room {
            self.grow()?;
        }
        self.len += 1;
        let Some((pairs, column)) = self.pieces.last_mut() else { return Ok(()) };
        pairs.push(edge.pair);
        edge.weight.map_or(Ok(()), |weight| column.push(weight))
    }

    /// Adds a piece.
    fn grow(&mut self) -> Result<()> {
        let room = self.len.clamp(LEAST, MOST);
        memory::refuse_beyond_memory(((self.len + room) * BYTES_PER_EDGE) as u64)?;
        self.pieces.push((Filled::with_room(room)?, Column::new(self.bare.is_none(), room)?));
        self.room += room;
        Ok(())
    }

    fn no_weight(&self, at: usize) -> Error {
        let help = "other edges have one; give every edge a weight, or pass --no-weights to leave them out";
        self.place.error(at, "this edge has no weight", help)
    }

    /// Returns whether the graph is directed, the reason, and the edges.
    ///
    /// `asked` overrides the file. Otherwise, if directed and undirected edges both occur, the graph is directed and
    /// each undirected edge becomes two arcs.
    pub(in crate::format) fn finish(
        self,
        asked: Option<bool>,
        because: Because,
    ) -> Result<(bool, String, Vec<Piece>)> {
        let default = self.default.unwrap_or(false);
        if let Some(directed) = asked {
            return Ok((directed, "asked for".to_owned(), self.pieces));
        }
        if self.others.is_empty() {
            return Ok((default, because.default, self.pieces));
        }
        if self.others.len() == self.len {
            return Ok((!default, because.others, self.pieces));
        }
        Ok((true, "some edges are directed".to_owned(), self.mirrored(default)?))
    }

    /// Returns a warning if directed and undirected edges both occur and nothing is `asked` of their direction.
    pub(in crate::format) fn mixed(&self, asked: Option<bool>) -> Option<String> {
        let (all, others) = (self.len, self.others.len());
        let undirected = if self.default == Some(true) { others } else { all - others };
        if asked.is_some() || others == 0 || undirected == all || undirected == 0 {
            return None;
        }
        Some(format!(
            "{undirected} of {all} edges are undirected and became two arcs each, since the others are directed"
        ))
    }

    /// Returns all edges as arcs: two per undirected edge, but one per loop.
    fn mirrored(self, default: bool) -> Result<Vec<Piece>> {
        let (weighted, mut first) = (self.bare.is_none(), 0);
        let mut others = self.others.iter().copied().peekable();
        let mut pieces = Vec::with_capacity(self.pieces.len());
        for (edges, weights) in self.pieces {
            let room = 2 * edges.len();
            let (mut pairs, mut column) = (Filled::with_room(room)?, Column::new(weighted, room)?);
            for (i, &[u, v]) in edges.iter().enumerate() {
                let directed = default ^ others.next_if_eq(&(first + i)).is_some();
                let arcs = [[u, v], [v, u]];
                for &arc in &arcs[..if directed || u == v { 1 } else { 2 }] {
                    pairs.push(arc);
                    weights.get(i).map_or(Ok(()), |weight| column.push(weight))?;
                }
            }
            first += edges.len();
            pieces.push((pairs, column));
        }
        Ok(pieces)
    }
}

/// Returns the error for a text that is not the weight expected.
pub(in crate::format) fn expected(at: Position, expected: &str, got: String) -> Error {
    let help = "a weight is a number such as 3, -1 or 2.5e-3; --no-weights leaves them out".to_owned();
    Error::Parse { at, expected: expected.to_owned(), got, help }
}
