//! Collects the edges: pairs of nodes, their weights, and which of them are directed.

use super::Place;
use crate::{
    build::Filled,
    csr::Vertex,
    error::{Error, Position, Result},
    format::edge_list::weights::{Column, Piece, Weight},
};

/// The length in bytes of the shortest edge, `<edge source="" target=""/>`.
const SHORTEST: usize = 27;

/// The edges read so far.
#[derive(Debug)]
pub(super) struct Edges<'i> {
    place: Place<'i>,
    pairs: Filled<[Vertex; 2]>,
    column: Column,
    /// True if edges of the outermost graph are directed unless they say otherwise; `None` before that graph starts.
    pub(super) default: Option<bool>,
    /// The indices of the edges whose direction differs from `default`.
    others: Vec<usize>,
    /// The offset of the first edge without a weight.
    bare: Option<usize>,
}

/// An edge whose end tag the parser has not read yet.
#[derive(Debug)]
pub(super) struct Edge {
    /// The offset where it starts.
    pub(super) at: usize,
    pub(super) pair: [Vertex; 2],
    pub(super) directed: bool,
    pub(super) weight: Option<Weight>,
}

impl<'i> Edges<'i> {
    /// Returns an empty collection with room for the edges of a text of `bytes` bytes.
    pub(super) fn new(place: Place<'i>, bytes: usize) -> Result<Self> {
        let pairs = Filled::with_room(bytes / SHORTEST + 1)?;
        Ok(Self { place, pairs, column: Column::None, default: None, others: Vec::new(), bare: None })
    }

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Appends an edge. Fails if only one of it and the edges before has a weight.
    pub(super) fn push(&mut self, edge: Edge) -> Result<()> {
        match edge.weight {
            None if self.pairs.is_empty() || self.bare.is_some() => {
                self.bare = self.bare.or(Some(edge.at));
            }
            None => return Err(self.no_weight(edge.at)),
            Some(weight) => {
                if let Some(bare) = self.bare {
                    return Err(self.no_weight(bare));
                }
                if self.pairs.is_empty() {
                    self.column = Column::new(true, self.place.data.len() / SHORTEST + 1)?;
                }
                self.column.push(weight)?;
            }
        }
        if self.default != Some(edge.directed) {
            self.others.push(self.pairs.len());
        }
        self.pairs.push(edge.pair);
        Ok(())
    }

    fn no_weight(&self, at: usize) -> Error {
        let help = "other edges have one; give the key a <default>, or pass --no-weights to leave them out";
        self.place.error(at, "this edge has no weight", help)
    }

    /// Returns whether the graph is directed, the reason, and the edges.
    ///
    /// `asked` overrides the file. Otherwise, if directed and undirected edges both occur, the graph is directed and
    /// each undirected edge becomes two arcs.
    pub(super) fn finish(self, asked: Option<bool>) -> Result<(bool, String, Piece)> {
        let default = self.default.unwrap_or(false);
        let word = if default { "directed" } else { "undirected" };
        if let Some(directed) = asked {
            return Ok((directed, "asked for".to_owned(), (self.pairs, self.column)));
        }
        if self.others.is_empty() {
            return Ok((default, format!("edgedefault is {word:?}"), (self.pairs, self.column)));
        }
        if self.others.len() == self.pairs.len() {
            let because = format!("every edge says directed=\"{}\"", !default);
            return Ok((!default, because, (self.pairs, self.column)));
        }
        Ok((true, "some edges are directed".to_owned(), self.mirrored(default)?))
    }

    /// Returns the number of undirected edges if directed edges occur too, else 0.
    pub(super) fn mixed(&self) -> usize {
        let (all, others) = (self.pairs.len(), self.others.len());
        let undirected = if self.default == Some(true) { others } else { all - others };
        if others == 0 || undirected == all { 0 } else { undirected }
    }

    /// Returns all edges as arcs: two per undirected edge, but one per loop.
    fn mirrored(self, default: bool) -> Result<Piece> {
        let room = 2 * self.pairs.len();
        let mut pairs = Filled::with_room(room)?;
        let mut column = Column::new(self.bare.is_none(), room)?;
        let mut others = self.others.iter().copied().peekable();
        for (i, &[u, v]) in self.pairs.iter().enumerate() {
            let directed = default ^ others.next_if_eq(&i).is_some();
            let arcs = [[u, v], [v, u]];
            for &arc in &arcs[..if directed || u == v { 1 } else { 2 }] {
                pairs.push(arc);
                self.column.get(i).map_or(Ok(()), |weight| column.push(weight))?;
            }
        }
        Ok((pairs, column))
    }
}

/// Returns the error for a text that is not the weight expected.
pub(super) fn expected(at: Position, expected: &str, got: String) -> Error {
    let help = "a weight is a number such as 3, -1 or 2.5e-3; --no-weights leaves them out".to_owned();
    Error::Parse { at, expected: expected.to_owned(), got, help }
}
