//! Chooses the chunks: clustered vertices, each with the neighbours that are still free.

use super::{super::DURING, Around, MEMBERS};
use crate::order::Marks;
use warpgraph_core::{
    Chunks, Knob, Result,
    triangles::{Local, Triangles},
};
use warpgraph_cpu::Options;
use warpgraph_graph::{Control, Graph, Vertex, par};

/// The fewest members of a chunk: with two there are no neighbours to join.
const FEWEST: usize = 3;

/// Returns the chunks; every chunk begins with its centre. Greedy on one thread, after the triangles were counted on all.
pub(super) fn clusters(graph: &Graph, threshold: Knob, control: &Control) -> Result<Chunks> {
    let options = Options { control: control.clone(), ..Options::default() };
    let answer = warpgraph_cpu::triangles(graph, &Triangles::local(), &options)?;
    let centres = answer.local().map(|local| centres(local, threshold)).unwrap_or_default();
    drop(answer);
    control.check(DURING)?;
    let (around, mut taken) = (Around::of(graph)?, Marks::none(graph.vertices())?);
    let (mut chunks, mut members, mut neighbours) = (Chunks::default(), Vec::new(), Vec::new());
    for [_, centre] in centres {
        let centre = centre as Vertex;
        if taken.has(centre) {
            continue;
        }
        around.write(centre, &mut neighbours);
        members.clear();
        members.push(centre);
        members.extend(neighbours.iter().copied().filter(|&u| !taken.has(u)));
        if members.len() >= FEWEST {
            members.iter().for_each(|&v| _ = taken.insert(v));
            chunks.push(&members);
        }
    }
    Ok(chunks)
}

/// Returns the vertices that may be centres, best first. The last 32 bits of the second number are the vertex.
fn centres(local: &Local, threshold: Knob) -> Vec<[u64; 2]> {
    let key = |v: usize| {
        let (degree, clustering) = (local.degrees[v], local.clustering(v));
        let is_centre = (FEWEST - 1..MEMBERS).contains(&(degree as usize)) && clustering >= threshold.value();
        // A coefficient is not negative, so its bits rise with it.
        is_centre.then(|| [u64::MAX - clustering.to_bits(), u64::from(u32::MAX - degree) << 32 | v as u64])
    };
    let join = |mut all: Vec<_>, more: Vec<_>| {
        all.extend(more);
        all
    };
    let mut centres =
        par::reduce(local.degrees.len(), par::FINE, |range| range.filter_map(key).collect(), join)
            .unwrap_or_default();
    par::sort_pairs(&mut centres);
    centres
}
