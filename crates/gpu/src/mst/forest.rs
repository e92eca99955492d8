//! Turns the edges along which vertices were hooked into the columns of the answer: edges in increasing order of
//! (smaller end, larger end).

use super::{
    MstArgs,
    rounds::{Rounds, State},
    weight_kind,
};
use crate::{
    DeviceGraph,
    machine::{Grid, Launch, Machine},
    program::width,
    sort::{DIGIT_BITS, Pairs, Sort},
    variants,
};
use bytemuck::{Pod, Zeroable};
use warpgraph_core::{Result, program::ScalarType};
use warpgraph_device::{Address, Array};
use warpgraph_graph::{Pages, Vertex, Weights};

/// The kernels.
pub(super) struct Finish {
    list: Launch<MstArgs>,
    pair: Launch<MstArgs>,
    columns: Launch<MstArgs>,
    sort: Sort,
    kind: ScalarType,
}

/// The columns on the device.
pub(super) struct Columns {
    sources: Array<Vertex>,
    targets: Array<Vertex>,
    /// `None` if each weight counts as 1.
    weights: Option<(ScalarType, Array<u8>)>,
}

impl Finish {
    /// Compiles the kernels.
    pub(super) fn new(device_graph: &DeviceGraph, machine: &Machine<'_>) -> Result<Self> {
        let kind = weight_kind(device_graph.graph().weight_type());
        let source = variants::spanning(device_graph.is_wide(), kind)?;
        let kernel = |name| machine.kernel(&source, name);
        Ok(Self {
            list: kernel("mst_list")?,
            pair: kernel("mst_pair")?,
            columns: kernel("mst_columns")?,
            sort: Sort::new(machine)?,
            kind,
        })
    }

    /// Returns the columns of a forest of this many edges, when the device is idle.
    pub(super) fn columns(&self, rounds: &mut Rounds<'_, '_>, state: State, edges: usize) -> Result<Columns> {
        let (machine, count) = (rounds.machine, edges as u64);
        let slots = machine.array(edges, "who was hooked")?;
        rounds.clear()?;
        let args = MstArgs { slots: slots.address(), count, ..rounds.args(&state) };
        // SAFETY: as many vertices are not roots as there are edges; all arrays live until the wait.
        unsafe { machine.start(&self.list, Grid::For(args.vertices), &args)? };
        machine.wait()?;

        let State { keys, ends, alive, roots, links, inner } = state;
        drop((alive, roots, links, inner));
        let mut pairs = Pairs { keys: machine.array(edges, "edges to sort")?, values: slots };
        let mut spare = Pairs::new(machine, edges)?;
        let args = MstArgs {
            weights: args.weights,
            keys: keys.address().cast(),
            ends: ends.address(),
            slots: pairs.values.address(),
            count,
            sorted: pairs.keys.address(),
            ..MstArgs::zeroed()
        };
        // SAFETY: slots are vertices, each of which has an edge; all arrays live until the sort has waited.
        unsafe { machine.start(&self.pair, Grid::For(count), &args)? };
        self.sort.run(machine, &mut pairs, &mut spare, shifts(rounds.vertices))?;
        drop(spare);

        let weights = match &rounds.weights {
            None => None,
            Some(_) => Some((self.kind, machine.array(edges * width(self.kind), "weights of the forest")?)),
        };
        let columns = Columns {
            sources: machine.array(edges, "sources of the forest")?,
            targets: machine.array(edges, "targets of the forest")?,
            weights,
        };
        let args = MstArgs {
            slots: pairs.values.address(),
            sorted: pairs.keys.address(),
            sources: columns.sources.address(),
            others: columns.targets.address(),
            column: columns.weights.as_ref().map_or(Address::NULL, |(_, weights)| weights.address().cast()),
            ..args
        };
        // SAFETY: as above; the columns have an entry per edge.
        unsafe { machine.start(&self.columns, Grid::For(count), &args)? };
        machine.wait()?;
        Ok(columns)
    }
}

/// Returns the digits of pairs of vertices that can differ from 0: those of the larger end, then those of the smaller
/// one.
fn shifts(vertices: usize) -> impl Iterator<Item = u32> {
    let digits = (usize::BITS - vertices.saturating_sub(1).leading_zeros()).div_ceil(DIGIT_BITS);
    [0, 32].into_iter().flat_map(move |end| (0..digits).map(move |digit| end + digit * DIGIT_BITS))
}

impl Columns {
    /// Copies the columns to the host.
    pub(super) fn read(&self) -> Result<(Pages<Vertex>, Pages<Vertex>, Weights)> {
        let weights = match &self.weights {
            None => Weights::None,
            Some((ScalarType::I32, weights)) => Weights::I32(self.column(weights)?.into()),
            Some((ScalarType::F32, weights)) => Weights::F32(self.column(weights)?.into()),
            Some((ScalarType::F64, weights)) => Weights::F64(self.column(weights)?.into()),
            Some((_, weights)) => Weights::U32(self.column(weights)?.into()),
        };
        Ok((self.column(&self.sources)?, self.column(&self.targets)?, weights))
    }

    fn column<T: Pod, U: Pod>(&self, array: &Array<U>) -> Result<Pages<T>> {
        let mut column = Pages::<T>::scratch(self.sources.len())?;
        array.read(bytemuck::cast_slice_mut(&mut column)).map_err(crate::lift)?;
        Ok(column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_that_vertices_have_are_sorted_by() {
        let of = |vertices| shifts(vertices).collect::<Vec<_>>();
        assert_eq!((of(0), of(1)), (vec![], vec![]));
        assert_eq!((of(2), of(256)), (vec![0, 32], vec![0, 32]));
        assert_eq!(of(257), [0, 8, 32, 40]);
        assert_eq!(of(u32::MAX as usize), [0, 8, 16, 24, 32, 40, 48, 56]);
    }
}
