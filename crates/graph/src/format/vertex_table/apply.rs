//! Adds the vertices of a table to a graph.

use super::{VertexTable, number};
use crate::{
    csr::{Csr, MAX_VERTICES, Offset, Offsets, Vertex},
    error::{Error, Position, Result},
    graph::{Arcs, Graph},
    ids::{Ids, Names},
    labels::{Labels, Texts},
    memory::{Buffer, Pages},
    par,
};

impl VertexTable {
    /// Returns the graph with all vertices of the table, and with its labels.
    ///
    /// Work O(arcs + vertices log vertices). If the table has more vertices than the graph, the targets and the offsets
    /// of the arcs are written anew.
    ///
    /// # Errors
    /// Returns [`Error::Format`] if an id is twice in the table, or in the graph but not in the table, and
    /// [`Error::TooLarge`] if memory is short.
    pub(in crate::format) fn apply(self, graph: Graph) -> Result<Graph> {
        let rows = self.sorted(graph.ids())?;
        let places = self.places(graph.ids(), &rows)?;
        let mut origin = graph.origin().clone();
        origin.warnings.extend(self.warnings.iter().cloned());
        if rows.len() == graph.vertices() {
            return graph.with_origin(origin).with_labels(self.labels(&rows));
        }
        let ids = self.ids(graph.ids(), &rows)?;
        let csr = expanded(&graph.out().csr, &places, rows.len())?;
        let arcs = Arcs { csr, weights: graph.out().weights.clone() };
        // SAFETY: there are as many ids as rows, which is the number of vertices of `arcs`. The map of vertices is
        // increasing, so the arcs are those of the graph under new numbers: as many weights, symmetric if they were.
        let graph = unsafe { Graph::new_unchecked(arcs, graph.is_directed(), ids, origin) };
        graph.with_labels(self.labels(&rows))
    }

    /// Returns the rows in the order of their ids, as `like` orders them.
    fn sorted(&self, like: &Ids) -> Result<Vec<Row>> {
        let row = |row: usize| -> Result<Row> {
            let id = self.ids.get(row);
            let key = match (like, number(id)) {
                (Ids::Names(_), _) => 0,
                (_, Some(number)) => number,
                (_, None) => {
                    return Err(self.wrong(
                        format!("the id {id:?}, but the edges have numbers"),
                        "check the column of ids",
                    ));
                }
            };
            Ok(Row { key, row })
        };
        if self.ids.len() as u64 > MAX_VERTICES {
            return Err(crate::build::too_many_vertices(self.ids.len() as u64));
        }
        let mut rows = (0..self.ids.len()).map(row).collect::<Result<Vec<Row>>>()?;
        let text = |row: &Row| if matches!(like, Ids::Names(_)) { self.ids.get(row.row) } else { "" };
        rows.sort_by(|a, b| (a.key, text(a)).cmp(&(b.key, text(b))));
        match rows.windows(2).find(|pair| (pair[0].key, text(&pair[0])) == (pair[1].key, text(&pair[1]))) {
            None => Ok(rows),
            Some(pair) => {
                let problem = format!("the id {} is there twice", self.ids.get(pair[0].row));
                Err(self.wrong(problem, "a vertex has one row; drop the other ones"))
            }
        }
    }

    /// Returns the place among the rows of every vertex of the graph.
    fn places(&self, ids: &Ids, rows: &[Row]) -> Result<Vec<Vertex>> {
        let mut at = 0;
        let place = |v: usize| {
            let is_before = |row: &Row| match ids {
                Ids::Range { first, .. } => row.key < first + v as u64,
                Ids::Numbers(numbers) => row.key < numbers[v],
                Ids::Names(names) => self.ids.get(row.row) < names.get(v),
            };
            while rows.get(at).is_some_and(is_before) {
                at += 1;
            }
            let is_here = |row: &Row| match ids {
                Ids::Range { first, .. } => row.key == first + v as u64,
                Ids::Numbers(numbers) => row.key == numbers[v],
                Ids::Names(names) => self.ids.get(row.row) == names.get(v),
            };
            match rows.get(at).is_some_and(is_here) {
                true => Ok(at as Vertex),
                false => Err(self.wrong(
                    format!("an edge names the vertex {}, which is not in the table", ids.id(v as Vertex)),
                    "add its row, or leave the vertex table out to take the ids that occur",
                )),
            }
        };
        (0..ids.len()).map(place).collect()
    }

    fn ids(&self, like: &Ids, rows: &[Row]) -> Result<Ids> {
        if let Ids::Names(_) = like {
            let mut names = Texts::new();
            rows.iter().for_each(|row| names.push(self.ids.get(row.row)));
            let (starts, text) = names.into_parts();
            return Ok(Ids::Names(Names::new(starts.into(), text.into(), &self.file)?));
        }
        let (first, last) = (rows.first().map_or(0, |row| row.key), rows.last().map_or(0, |row| row.key));
        if rows.is_empty() || last - first == rows.len() as u64 - 1 {
            return Ok(Ids::Range { first, len: rows.len() });
        }
        Ok(Ids::Numbers(rows.iter().map(|row| row.key).collect::<Vec<_>>().into()))
    }

    fn labels(&self, rows: &[Row]) -> Option<Labels> {
        let labels = self.labels.as_ref()?;
        Some(Labels::new(rows.iter().map(|row| labels.get(row.row))))
    }

    fn wrong(&self, problem: String, help: &str) -> Error {
        Error::format(Position::file(&self.file), problem, help)
    }
}

/// A row of the table: its id if the ids are numbers, and its place in the file.
struct Row {
    key: u64,
    row: usize,
}

/// Returns the adjacency lists with vertex `v` at `places[v]` of `vertices`, the others without arcs.
fn expanded(csr: &Csr, places: &[Vertex], vertices: usize) -> Result<Csr> {
    let mut targets = Pages::<Vertex>::zeroed(csr.arcs())?;
    par::parts_mut(&mut targets, par::FINE, |start, part| {
        for (new, &old) in part.iter_mut().zip(&csr.targets()[start..]) {
            *new = places[old as usize];
        }
    });
    let offsets = match csr.offsets() {
        Offsets::Narrow(old) => Offsets::Narrow(spread(old, places, vertices)?),
        Offsets::Wide(old) => Offsets::Wide(spread(old, places, vertices)?),
    };
    // SAFETY: `places` is increasing and below `vertices`, so lists stay sorted and targets are vertices. `spread` keeps
    // the ends of all lists, starts at 0 and does not decrease.
    Ok(unsafe { Csr::new_unchecked(offsets, targets.into()) })
}

/// Returns the offsets of `vertices` lists; a vertex that is not among the increasing `places` has an empty list.
fn spread<O: Offset>(old: &[O], places: &[Vertex], vertices: usize) -> Result<Buffer<O>> {
    let mut new = Pages::<O>::zeroed(vertices + 1)?;
    let mut from = 0;
    for (v, &place) in places.iter().enumerate() {
        new[from..=place as usize].fill(old[v]);
        from = place as usize + 1;
    }
    new[from..].fill(old[places.len()]);
    Ok(new.into())
}
