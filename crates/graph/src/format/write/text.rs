//! Writes text formats: formats ranges of rows on all threads and writes them in order.

use super::{
    Output,
    table::{Entry, Keeps},
};
use crate::{
    csr::Vertex,
    error::{Error, Result},
    graph::Graph,
    ids::Ids,
    par,
    weights::{WeightType, Weights},
};
use std::{io::Write, ops::Range};

pub(super) const EDGE_LIST: Entry = Entry {
    name: "el",
    aliases: &["txt", "edge-list"],
    unweighted: None,
    keeps: Keeps { weighted: Some("wel"), isolated: false, ..Keeps::ALL },
    check: refuse_names,
    write: |graph, out| edge_list(graph, false, out),
};

pub(super) const WEIGHTED_EDGE_LIST: Entry = Entry {
    name: "wel",
    aliases: &[],
    unweighted: Some("el"),
    keeps: Keeps { isolated: false, ..Keeps::ALL },
    check: refuse_names,
    write: |graph, out| edge_list(graph, true, out),
};

pub(super) const MATRIX_MARKET: Entry = Entry {
    name: "mtx",
    aliases: &["matrix-market"],
    unweighted: None,
    keeps: Keeps { renumbered_from: Some(1), ..Keeps::ALL },
    check: |_| Ok(()),
    write: matrix_market,
};

/// Number of arcs and vertices, added together, per piece.
const PIECE: usize = 1 << 16;

/// Writes one line `u v` or `u v w` per edge in original ids, an undirected edge once. The comment at the top of the
/// file says whether the graph is directed.
fn edge_list(graph: &Graph, weighted: bool, out: &mut Output<'_>) -> Result<()> {
    let word = if graph.is_directed() { "Directed" } else { "Undirected" };
    let (name, nodes, edges) = (&graph.origin().name, graph.vertices(), graph.edges());
    let name = name.replace(['\n', '\r'], " ");
    out.put(format!("# {word} graph: {name}\n# Nodes: {nodes} Edges: {edges}\n").as_bytes())?;
    let weights = if weighted { &graph.out().weights } else { &Weights::None };
    let is_written = |u, v| graph.is_directed() || u <= v;
    entries(graph, graph.ids(), weights, is_written, out)
}

/// Writes a coordinate matrix with rows and columns numbered from 1; if the graph is undirected, only the lower
/// triangle.
fn matrix_market(graph: &Graph, out: &mut Output<'_>) -> Result<()> {
    let field = match graph.out().weights.weight_type() {
        None => "pattern",
        Some(WeightType::U32 | WeightType::I32) => "integer",
        Some(WeightType::F32 | WeightType::F64) => "real",
    };
    let symmetry = if graph.is_directed() { "general" } else { "symmetric" };
    let (n, edges) = (graph.vertices(), graph.edges());
    let header = format!("%%MatrixMarket matrix coordinate {field} {symmetry}\n{n} {n} {edges}\n");
    out.put(header.as_bytes())?;
    let ids = Ids::Range { first: 1, len: n };
    let is_written = |row, column| graph.is_directed() || column <= row;
    entries(graph, &ids, &graph.out().weights, is_written, out)
}

/// Returns an error if the graph has a name that an edge list cannot hold.
fn refuse_names(graph: &Graph) -> Result<()> {
    let Ids::Names(names) = graph.ids() else { return Ok(()) };
    let unfit = |name: &str| {
        name.is_empty()
            || name.starts_with(['#', '%'])
            || name.contains(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"'))
    };
    match (0..names.len()).map(|i| names.get(i)).find(|name| unfit(name)) {
        None => Ok(()),
        Some(name) => Err(Error::invalid(
            format!(
                "the name {name:?} cannot stand in an edge list: blanks, commas, quotes or a comment mark"
            ),
            "write .wg, which keeps all names, or .mtx, which numbers the vertices",
        )),
    }
}

/// Formats the arcs for which `is_written` returns true, in parallel pieces of rows, and writes the pieces in order.
fn entries(
    graph: &Graph,
    ids: &Ids,
    weights: &Weights,
    is_written: impl Fn(Vertex, Vertex) -> bool + Sync,
    out: &mut Output<'_>,
) -> Result<()> {
    let csr = &graph.out().csr;
    let row = |text: &mut Vec<u8>, u: Vertex| {
        let mut start = Vec::with_capacity(24);
        push_id(&mut start, ids, u);
        start.push(b' ');
        for (arc, &v) in csr.arcs_of(u).zip(csr.neighbors(u)).filter(|&(_, &v)| is_written(u, v)) {
            text.extend_from_slice(&start);
            push_id(text, ids, v);
            push_weight(text, weights, arc);
            text.push(b'\n');
        }
    };
    for wave in pieces(graph).chunks(4 * rayon::current_num_threads()) {
        let texts = par::map(wave.len(), |i| {
            let mut text = Vec::with_capacity(16 * PIECE);
            wave[i].clone().for_each(|u| row(&mut text, u));
            text
        });
        for text in texts {
            out.put(&text)?;
        }
        let done = wave.last().map_or(0, |vertices| vertices.end.into());
        out.control.report("writing", done, Some(graph.vertices() as u64));
    }
    Ok(())
}

/// Returns ranges of vertices, each with about [`PIECE`] arcs and vertices together.
pub(super) fn pieces(graph: &Graph) -> Vec<Range<Vertex>> {
    let offsets = graph.out().csr.offsets();
    let n = graph.vertices();
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in 1..=n {
        let load = end - start + offsets.get(end) - offsets.get(start);
        if load >= PIECE || end == n {
            pieces.push(start as Vertex..end as Vertex);
            start = end;
        }
    }
    pieces
}

#[inline]
fn push_id(text: &mut Vec<u8>, ids: &Ids, v: Vertex) {
    match ids {
        Ids::Range { first, .. } => push_number(text, first + u64::from(v)),
        Ids::Numbers(ids) => push_number(text, ids[v as usize]),
        Ids::Names(names) => text.extend_from_slice(names.get(v as usize).as_bytes()),
    }
}

/// Appends a blank and the weight: an integer as it is, a decimal with a point or an exponent and as many digits as it
/// needs to be read back exactly.
#[inline]
fn push_weight(text: &mut Vec<u8>, weights: &Weights, arc: usize) {
    if !matches!(weights, Weights::None) {
        text.push(b' ');
    }
    match weights {
        Weights::None => {}
        Weights::U32(w) => push_number(text, w[arc].into()),
        Weights::I32(w) => {
            if w[arc] < 0 {
                text.push(b'-');
            }
            push_number(text, w[arc].unsigned_abs().into());
        }
        // Writing to a `Vec` cannot fail.
        Weights::F32(w) => drop(write!(text, "{:?}", w[arc])),
        Weights::F64(w) => drop(write!(text, "{:?}", w[arc])),
    }
}

const PAIRS: &[u8; 200] = b"00010203040506070809101112131415161718192021222324252627282930313233343536373839\
40414243444546474849505152535455565758596061626364656667686970717273747576777879\
8081828384858687888990919293949596979899";

/// Appends a number in decimal; makes two digits at a time, from the last.
#[inline]
fn push_number(text: &mut Vec<u8>, mut number: u64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    while number >= 100 {
        let pair = (number % 100) as usize * 2;
        number /= 100;
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    }
    if number >= 10 {
        let pair = number as usize * 2;
        at -= 2;
        digits[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    } else {
        at -= 1;
        digits[at] = b'0' + number as u8;
    }
    text.extend_from_slice(&digits[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_as_the_standard_library_prints_them() {
        let powers = (0..20).map(|e| 10u64.pow(e));
        for number in powers.flat_map(|p| [p - 1, p, p + 1, 7u64.saturating_mul(p / 3)]).chain([u64::MAX]) {
            let mut text = Vec::new();
            push_number(&mut text, number);
            assert_eq!(String::from_utf8(text).unwrap(), number.to_string());
        }
    }
}
