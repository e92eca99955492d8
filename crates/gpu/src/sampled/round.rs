//! The end of a round: vertices that gain move, and the graph is rewritten on the device.

use super::SECTOR;
use crate::{
    DeviceGraph,
    error::lift,
    machine::{Grid, Machine},
    renumber::{RenumberArgs, Renumbering},
    sort::{Pairs, Sort, digits},
    variants,
};
use bytemuck::Zeroable;
use std::time::Instant;
use warpgraph_core::{Error, Options, Result};
use warpgraph_device::Array;
use warpgraph_graph::{NodeMap, Vertex};

/// A graph in the order that sampling found.
#[derive(Debug)]
pub struct Renumbered {
    /// The graph, on the device and on the host. No accesses are sampled in this order yet.
    pub device_graph: DeviceGraph,
    /// Maps vertices of the old order to those of the new one.
    pub map: NodeMap,
    /// Vertices that moved to another sector.
    pub moved: u64,
    /// Seconds that the round's end took.
    pub seconds: f64,
}

/// Ends a round: builds the graph in the order that sampling found. The old graph stays as it is, except that its
/// balances drop what they keep.
///
/// # Errors
/// When sampling is not ready, when interrupted, when memory is short, or when the device fails.
pub fn renumber(device_graph: &DeviceGraph, options: &Options) -> Result<Renumbered> {
    let start = Instant::now();
    let machine = Machine::new(device_graph.gpu(), options, "renumbering the graph");
    machine.check()?;
    device_graph.forget_prepared();
    let sort = Sort::new(&machine)?;
    let (originals, moved) = order(&machine, device_graph, &sort)?;
    let renumbering = Renumbering::new(&machine, device_graph, &sort, originals)?;
    let map = renumbering.map()?;
    let device_graph = renumbering.graph()?.sampled();
    Ok(Renumbered { device_graph, map, moved, seconds: start.elapsed().as_secs_f64() })
}

/// Returns the vertices ordered by their new sectors, and how many of them move.
fn order(machine: &Machine<'_>, device_graph: &DeviceGraph, sort: &Sort) -> Result<(Array<Vertex>, u64)> {
    let Some(tallies) = device_graph.sampler().and_then(|sampler| sampler.ready()) else {
        return Err(Error::Refused {
            what: "no order is known: not enough accesses were sampled".to_owned(),
            help: "run with --plan tiled or --plan resident until enough were".to_owned(),
        });
    };
    let n = device_graph.graph().vertices();
    let (mut pairs, mut spare) = (Pairs::new(machine, n)?, Pairs::new(machine, n)?);
    let moved = machine.zeros::<u64>(1, "a counter")?;
    let args = RenumberArgs {
        vertices: n as u64,
        locality: tallies.locality.address(),
        gain: tallies.gain.address(),
        candidates: tallies.candidates.address(),
        moved: moved.address(),
        keys: pairs.keys.address(),
        values: pairs.values.address(),
        ..RenumberArgs::zeroed()
    };
    let source = variants::renumber(device_graph.is_wide())?;
    let keys = machine.kernel(&source, "renumber_keys")?;
    // SAFETY: all arrays have an entry per vertex, and live until sorting has waited.
    unsafe { machine.start(&keys, Grid::For(args.vertices), &args)? };
    sort.run(machine, &mut pairs, &mut spare, digits(n.div_ceil(SECTOR as usize), 0))?;
    Ok((pairs.values, moved.to_vec().map_err(lift)?[0]))
}
