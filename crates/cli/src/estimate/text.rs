//! The text form of the estimate.

use super::{Fits, Report, gpu::OnGpu};
use crate::console::{BAD, GOOD, NOTE, Rows, bytes, count, counted, number, seconds};
use warpgraph_parts::Forecast;

pub(super) fn report(report: &Report) -> String {
    let mut rows = Rows::default();
    let graph = &report.graph;
    rows.add("graph", format!("{} ({})", graph.name, graph.format));
    rows.add("size", size(report));
    rows.add("known by", &*graph.basis);
    if let Some(approx) = &report.approx {
        let edges = counted(approx.added, "edge", "edges");
        let arcs = counted(approx.arcs, "arc", "arcs");
        let what = format!(
            "{}: about {edges} added, {} dropped: {arcs}; {}",
            approx.approximation,
            count(approx.dropped),
            approx.basis
        );
        rows.add_wrapped("approx", &what);
    }
    for array in &report.bytes.arrays {
        rows.add(array.array, bytes(array.bytes));
    }
    let state = report.bytes.state.map_or_else(|| "?".to_owned(), bytes);
    rows.add("state", format!("{state} for {} ({})", report.algorithm, report.bytes.state_basis));
    if report.bytes.file > 0 {
        rows.add("file", format!("{} while it is read", bytes(report.bytes.file)));
    }
    rows.add("building", format!("about {} at one time", bytes(report.bytes.building)));
    rows.add("program", bytes(report.bytes.program));
    rows.add("in all", format!("about {} at one time", bytes(report.bytes.peak)));
    rows.add("fits", fits(report));
    if let Some(device) = &report.device {
        gpu(&mut rows, device);
    }
    if let Some(parts) = &report.parts {
        self::parts(&mut rows, parts);
    }
    rows.add("time", time(report));
    rows.text()
}

/// Adds what each process of a run in parts takes, and what all of them send.
fn parts(rows: &mut Rows, parts: &Forecast) {
    let [graph, state, sent] = [parts.graph_bytes, parts.state_bytes, parts.superstep_bytes].map(bytes);
    let ghosts = count(parts.ghosts);
    rows.add(
        "in parts",
        format!(
            "{} of them: {graph} and {state} state per process, with {ghosts} ghosts at most",
            count(parts.parts)
        ),
    );
    rows.add("loading", format!("{} at most where a generator makes the part", bytes(parts.loading_bytes)));
    rows.add("sent", format!("{sent} per superstep at most, by all processes together"));
}

/// Adds the memory that a run takes on a GPU, and where the edges would be.
fn gpu(rows: &mut Rows, device: &OnGpu) {
    let [rest, edges, total, least] = [device.rest, device.edges, device.total, device.least].map(bytes);
    rows.add("on a GPU", format!("{rest} offsets and state, {edges} edges: {total} in all"));
    if device.extra > 0 {
        rows.add("if free", format!("{} more, which make it faster", bytes(device.extra)));
    }
    rows.add("at least", format!("{least}, with all edges in host memory"));
    let Some(free) = device.free else {
        return rows.add("residency", "unknown: there is no GPU to ask; give its memory as --gpu-memory");
    };
    let free = bytes(free);
    match device.residency {
        Some(residency) if residency.is_on_device() => {
            rows.add("residency", format!("{residency}: {free} are free"));
        }
        Some(residency) => rows.add_wrapped(
            "residency",
            &format!(
                "{residency}: {free} are free; device(code=ef) if coded edges fit, which only the arcs tell"
            ),
        ),
        None => rows.add("residency", format!("none: {free} are free; use --device cpu")),
    }
}

fn size(report: &Report) -> String {
    let shape = &report.graph.shape;
    let direction = if shape.directed { "directed" } else { "undirected" };
    let weights = shape.weights.map_or_else(|| "without weights".to_owned(), |t| format!("{t} weights"));
    let vertices = counted(shape.vertices, "vertex", "vertices");
    let edges = counted(report.graph.edges, "edge", "edges");
    format!("{vertices}, {edges} ({} arcs), {direction}, {weights}", count(shape.arcs))
}

fn fits(report: &Report) -> String {
    let memory = &report.memory;
    let of = |bytes_of: Option<u64>| bytes_of.map_or_else(|| "?".to_owned(), bytes);
    let there = format!("{} available of {}", of(memory.available), of(memory.physical));
    match memory.fits {
        Fits::Yes => format!("{GOOD}yes{GOOD:#}: {there}"),
        Fits::Tight => format!("{NOTE}only if other programs give memory back{NOTE:#}: {there}"),
        Fits::No => format!("{BAD}no{BAD:#}: {there}"),
        Fits::Unknown => "unknown: this system does not tell its memory".to_owned(),
    }
}

fn time(report: &Report) -> String {
    match &report.seconds {
        None => format!("unknown: there is no model of what {} must move", report.algorithm),
        Some(time) => format!(
            "about {} a run, a guess; at least {}: {} GB in order and {} million random reads",
            seconds(time.guess),
            seconds(time.least),
            number((time.streamed as f64 / 1e7).round() / 100.0),
            number((time.gathers as f64 / 1e4).round() / 100.0),
        ),
    }
}
