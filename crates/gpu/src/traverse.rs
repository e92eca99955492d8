//! Breadth-first searches from up to 64 sources at once, which report when they reach each vertex.
//!
//! After every level the host copies the vertices that were found and their sets of sources: 12 bytes per vertex and
//! level on which some source finds it.

use crate::{DeviceGraph, batch::Batch, device_graph::Side, machine::Machine};
use warpgraph_core::{Options, Result};
use warpgraph_graph::{Control, Pages, Vertex, par};

/// Searches along outgoing arcs from at most 64 different sources. Calls `reach(v, depth, new)` once per vertex and
/// depth, from depth 1 on, where bit i of `new` says that `sources[i]` reaches v at this depth. The calls come from any
/// thread, but never two at once for the same vertex, and the depths of a vertex only rise.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
pub fn traverse(
    device_graph: &DeviceGraph,
    sources: &[Vertex],
    control: &Control,
    reach: &(dyn Fn(Vertex, u32, u64) + Sync),
) -> Result<()> {
    assert!(sources.len() <= 64, "a set of sources is a word");
    let options = Options { control: control.clone(), ..Options::default() };
    let machine = Machine::new(device_graph.gpu(), &options, "searching");
    machine.check()?;
    let n = device_graph.graph().vertices();
    let (mut found, mut sets): (Pages<Vertex>, Pages<u64>) = (Pages::scratch(n)?, Pages::scratch(n)?);
    let mut batch = Batch::new(device_graph, &machine, None, Side::Out, 1)?.listing()?;
    batch.run(sources, |level| {
        let (found, sets) = (&mut found[..level.len], &mut sets[..level.len]);
        level.read(found, sets)?;
        par::ranges(found.len(), par::FINE, |range| {
            range.for_each(|i| reach(found[i], level.depth, sets[i]));
        });
        Ok(())
    })?;
    Ok(())
}
