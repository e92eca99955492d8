//! Writes CSV and TSV files: a header `source,target` or `source,target,weight`, then one line per edge in original ids,
//! quoted as in RFC 4180. The header has other words if vertices have these names.
//!
//! Such a file has no place to say that ids are names. A reader finds that by the ids themselves, so the writer refuses
//! names that look like numbers where the reader would decide for numbers.

use super::{
    Output, edges, names,
    table::{Entry, Keeps},
    text::Line,
};
use crate::{
    csr::Vertex,
    error::{Error, Result, quote},
    graph::Graph,
    ids::{Ids, Names},
};

/// The number of edges, from the first on, by which a reader may tell names from numbers.
const SAMPLE: usize = 500;

const KEEPS: Keeps = Keeps { assumed_directed: Some(true), isolated: false, single: false, ..Keeps::ALL };

pub(super) const CSV: Entry = Entry {
    name: "csv",
    aliases: &[],
    unweighted: None,
    keeps: KEEPS,
    check: |graph| refuse_unfit(graph, "csv"),
    write: |graph, out| write(graph, ",", out),
};

pub(super) const TSV: Entry = Entry {
    name: "tsv",
    aliases: &[],
    unweighted: None,
    keeps: KEEPS,
    check: |graph| refuse_unfit(graph, "tsv"),
    write: |graph, out| write(graph, "\t", out),
};

fn write(graph: &Graph, separator: &str, out: &mut Output<'_>) -> Result<()> {
    let header = names::columns(graph, graph.weight_type().is_some()).join(separator);
    out.put(format!("{header}\n").as_bytes())?;
    let line = Line {
        ids: graph.ids(),
        weights: &graph.out().weights,
        open: "",
        between: separator,
        before_weight: separator,
        close: "\n",
        escape: names::push_field,
        flipped: false,
    };
    line.write(graph, out)
}

fn refuse_unfit(graph: &Graph, format: &str) -> Result<()> {
    names::refuse_no_field(graph, format)?;
    let Ids::Names(ids) = graph.ids() else { return Ok(()) };
    match first_number(graph, ids) {
        None => Ok(()),
        Some(id) => Err(Error::invalid(
            format!("the name {} would be read from a .{format} file as a number", quote(id.as_bytes())),
            "write .wg, .el, .parquet or .graphml, which record that ids are names",
        )),
    }
}

/// Returns the first name that looks like a number, if a reader would decide for numbers by the first edges. It decides
/// for names if the first edge has no number, if two edges have another id, or if the only edge has one.
fn first_number<'g>(graph: &'g Graph, ids: &'g Names) -> Option<&'g str> {
    let is_number = |v: &Vertex| names::is_number(ids.get(*v as usize));
    let sample = first_edges(graph);
    let first = sample.iter().flatten().find(|v| is_number(v))?;
    let others = sample.iter().filter(|edge| !edge.iter().all(is_number)).count();
    let decides_for_names =
        others > 1 || (others == 1 && sample.len() == 1) || !sample[0].iter().any(is_number);
    (!decides_for_names).then(|| ids.get(*first as usize))
}

/// Returns the first edges in the order in which they are written.
fn first_edges(graph: &Graph) -> Vec<[Vertex; 2]> {
    let targets = graph.out().csr.targets();
    let mut sample = Vec::new();
    for piece in edges::pieces(graph) {
        piece.rows(graph, |u, arcs| {
            sample.extend(arcs.take(SAMPLE - sample.len()).map(|arc| [u, targets[arc]]));
        });
        if sample.len() == SAMPLE {
            break;
        }
    }
    sample
}
