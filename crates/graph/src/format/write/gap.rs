//! Writes the serialised graphs of the GAP benchmark suite; the reader's module describes the layout.

use super::{
    Output, OutputFormat,
    table::{Entry, Keeps},
};
use crate::{
    csr::{Offset, Offsets, Vertex},
    error::{Error, Result},
    graph::{Arcs, Graph},
    par, with_weights,
};

pub(super) const ENTRY: Entry = Entry {
    name: "sg",
    aliases: &[],
    unweighted: None,
    keeps: Keeps { weighted: Some("wsg"), renumbered_from: Some(0), ..Keeps::ALL },
    check: |graph| refuse_unfit(graph, OutputFormat::Gap),
    write: |graph, out| write(graph, false, out),
};

pub(super) const WEIGHTED_ENTRY: Entry = Entry {
    name: "wsg",
    aliases: &[],
    unweighted: Some("sg"),
    keeps: Keeps { renumbered_from: Some(0), ..Keeps::ALL },
    check: |graph| refuse_unfit(graph, OutputFormat::WeightedGap),
    write: |graph, out| write(graph, true, out),
};

/// Number of elements converted to bytes at a time.
const PIECE: usize = 1 << 20;

/// Writes the graph and, if it is directed, its transpose.
fn write(graph: &Graph, weighted: bool, out: &mut Output<'_>) -> Result<()> {
    let mut header = vec![u8::from(graph.is_directed())];
    header.extend_from_slice(&(graph.arcs() as i64).to_le_bytes());
    header.extend_from_slice(&(graph.vertices() as i64).to_le_bytes());
    out.put(&header)?;
    direction(graph.out(), weighted, out)?;
    if graph.is_directed() {
        direction(graph.incoming()?, weighted, out)?;
    }
    Ok(())
}

fn direction(arcs: &Arcs, weighted: bool, out: &mut Output<'_>) -> Result<()> {
    match arcs.csr.offsets() {
        Offsets::Narrow(o) => offsets(o, out)?,
        Offsets::Wide(o) => offsets(o, out)?,
    }
    let targets = arcs.csr.targets();
    if !weighted {
        return out.put(bytemuck::cast_slice(targets));
    }
    with_weights!(&arcs.weights, |w| pairs(targets, w, out), none: Ok(()))
}

fn offsets<O: Offset>(offsets: &[O], out: &mut Output<'_>) -> Result<()> {
    for piece in offsets.chunks(PIECE) {
        let wide: Vec<i64> = par::map(piece.len(), |i| piece[i].index() as i64);
        out.put(bytemuck::cast_slice(&wide))?;
    }
    Ok(())
}

/// Writes neighbours and weights alternately. `refuse_unfit` has checked that the weights are integers and fit in 32
/// bits.
fn pairs<W: Into<f64> + Copy + Sync>(targets: &[Vertex], weights: &[W], out: &mut Output<'_>) -> Result<()> {
    for (targets, weights) in targets.chunks(PIECE).zip(weights.chunks(PIECE)) {
        let pairs: Vec<[i32; 2]> = par::map(targets.len(), |i| [targets[i] as i32, weights[i].into() as i32]);
        out.put(bytemuck::cast_slice(&pairs))?;
    }
    Ok(())
}

/// Returns an error if the vertices, or the weights of a `.wsg` file, do not fit in signed 32-bit integers.
fn refuse_unfit(graph: &Graph, format: OutputFormat) -> Result<()> {
    if graph.vertices() > i32::MAX as usize {
        return Err(Error::invalid(
            format!(
                "a .{format} file numbers up to 2147483647 vertices, this graph has {}",
                graph.vertices()
            ),
            "write .wg instead",
        ));
    }
    if format != OutputFormat::WeightedGap {
        return Ok(());
    }
    match with_weights!(&graph.out().weights, |w| first_unfit(w), none: None) {
        None => Ok(()),
        Some(weight) => Err(Error::invalid(
            format!(
                "a .wsg file holds whole weights from -2147483648 to 2147483647, this graph has {weight}"
            ),
            "write .wg or .wel, which hold any weight",
        )),
    }
}

fn first_unfit<W: Into<f64> + Copy + Sync>(weights: &[W]) -> Option<f64> {
    let fits = |w: f64| w.fract() == 0.0 && w >= f64::from(i32::MIN) && w <= f64::from(i32::MAX);
    let found =
        par::find_first(weights.len(), par::FINE, |mut range| range.find(|&i| !fits(weights[i].into())));
    found.map(|i| weights[i].into())
}
