//! The arcs of one direction under new numbers: sorted on the device, with weights moved on the host.

use super::{RenumberArgs, Renumbering};
use crate::{
    device_graph::{DeviceRows, Side},
    error::lift,
    scan::Scan,
    sort::{Pairs, digits},
};
use bytemuck::Pod;
use warpgraph_core::Result;
use warpgraph_device::Array;
use warpgraph_graph::{Arcs, Buffer, Csr, Offsets, Pages, Vertex, Weights, par};

/// Returns the arcs of a direction in the new order, on the host and on the device.
pub(super) fn rewrite(renumbering: &Renumbering<'_, '_>, side: Side) -> Result<(Arcs, DeviceRows)> {
    let Renumbering { machine, device_graph, .. } = renumbering;
    let old = device_graph.rows(side)?;
    let wide = device_graph.is_wide();
    let (n, m) = (device_graph.graph().vertices(), old.arcs());
    let offsets = machine.array::<u8>((n + 1) * if wide { 8 } else { 4 }, "offsets")?;
    let args = RenumberArgs {
        arcs: m as u64,
        offsets: old.offsets(),
        targets: old.targets(),
        offsets_out: offsets.address().cast(),
        ..renumbering.args()
    };
    renumbering.start("renumber_degrees", n as u64, &args)?;
    let scan = Scan::new(machine, wide)?;
    let room = scan.room(machine, n)?;
    scan.run(machine, &offsets, n, &room)?;
    let host = device_graph.host(side)?;
    let is_both_ways = !device_graph.graph().is_directed() && matches!(host.weights, Weights::None);
    let (targets, numbers) = match is_both_ways {
        true => (turned(renumbering, args, m)?, None),
        false => sorted(renumbering, args, m).map(|(targets, numbers)| (targets, Some(numbers)))?,
    };
    let csr = match wide {
        true => csr(&offsets, &targets, Offsets::Wide)?,
        false => csr(&offsets, &targets, Offsets::Narrow)?,
    };
    let weights = match numbers {
        Some(numbers) => weights(&host.weights, &numbers)?,
        None => Weights::None,
    };
    let rows = DeviceRows::new(offsets, targets, &csr);
    Ok((Arcs { csr, weights }, rows))
}

/// Returns the targets sorted by new source and target, and the old positions of these arcs. Waits.
fn sorted(
    renumbering: &Renumbering<'_, '_>,
    args: RenumberArgs,
    m: usize,
) -> Result<(Array<Vertex>, Array<u32>)> {
    let (machine, n) = (renumbering.machine, args.vertices as usize);
    let (mut pairs, mut spare) = (Pairs::new(machine, m)?, Pairs::new(machine, m)?);
    let args = RenumberArgs { keys: pairs.keys.address(), values: pairs.values.address(), ..args };
    renumbering.start("renumber_arcs", args.arcs, &args)?;
    renumbering.sort.run(machine, &mut pairs, &mut spare, digits(n, 0).chain(digits(n, 32)))?;
    drop(spare);
    let targets = machine.array::<Vertex>(m, "arcs")?;
    let args = RenumberArgs { keys: pairs.keys.address(), targets_out: targets.address(), ..args };
    renumbering.start("renumber_targets", args.arcs, &args)?;
    machine.wait()?;
    Ok((targets, pairs.values))
}

/// Returns the targets of undirected rows, sorted by new source and target. Waits.
fn turned(renumbering: &Renumbering<'_, '_>, args: RenumberArgs, m: usize) -> Result<Array<Vertex>> {
    let (machine, n) = (renumbering.machine, args.vertices as usize);
    let (mut pairs, mut spare) = (Pairs::new(machine, m)?, Pairs::new(machine, m)?);
    let args = RenumberArgs { keys: pairs.keys.address(), values: pairs.values.address(), ..args };
    renumbering.start("renumber_turned", args.arcs, &args)?;
    renumbering.sort.run(machine, &mut pairs, &mut spare, digits(n, 0))?;
    Ok(pairs.values)
}

/// Copies rows from the device and checks them.
fn csr<O: Pod>(
    offsets: &Array<u8>,
    targets: &Array<Vertex>,
    as_offsets: fn(Buffer<O>) -> Offsets,
) -> Result<Csr> {
    let mut from: Pages<O> = Pages::scratch(offsets.len() / size_of::<O>())?;
    offsets.read(bytemuck::cast_slice_mut(&mut from)).map_err(lift)?;
    let mut to: Pages<Vertex> = Pages::scratch(targets.len())?;
    targets.read(&mut to).map_err(lift)?;
    Ok(Csr::new(as_offsets(from.into()), to.into(), "a renumbered graph")?)
}

/// Returns the weights in the new order of arcs.
fn weights(old: &Weights, numbers: &Array<u32>) -> Result<Weights> {
    if matches!(old, Weights::None) {
        return Ok(Weights::None);
    }
    let mut order: Pages<u32> = Pages::scratch(numbers.len())?;
    numbers.read(&mut order).map_err(lift)?;
    Ok(match old {
        Weights::None => Weights::None,
        Weights::U32(w) => Weights::U32(picked(w, &order)?),
        Weights::I32(w) => Weights::I32(picked(w, &order)?),
        Weights::F32(w) => Weights::F32(picked(w, &order)?),
        Weights::F64(w) => Weights::F64(picked(w, &order)?),
    })
}

fn picked<T: Pod + Send + Sync>(values: &[T], order: &[u32]) -> Result<Buffer<T>> {
    let mut picked: Pages<T> = Pages::scratch(order.len())?;
    par::parts_mut(&mut picked, par::FINE, |first, part| {
        part.iter_mut().zip(&order[first..]).for_each(|(to, &from)| *to = values[from as usize]);
    });
    Ok(picked.into())
}
