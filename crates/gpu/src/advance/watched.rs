//! Shows frontiers to what watches a run.

use crate::{device_graph::Side, edges::streamed::Reader, error::lift, frontier::Members, machine::Machine};
use warpgraph_core::{Result, Rows, Watch};
use warpgraph_graph::{Pages, Vertex};

/// Shows the rows that are about to be expanded, of a graph of so many vertices. Waits for the kernels that list them.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails; those of the watcher.
pub(super) fn show(
    watch: &dyn Watch,
    machine: &Machine<'_>,
    side: Side,
    members: Members,
    vertices: u64,
) -> Result<()> {
    let rows = if side == Side::Out { Rows::Out } else { Rows::In };
    if members.is_all() {
        return watch.reads(rows, None);
    }
    machine.wait()?;
    let members = Reader::counted(machine, members)?;
    let mut list = Pages::<Vertex>::scratch(members.count as usize)?;
    // SAFETY: the list of the frontier has that many entries, and its kernels have ended.
    unsafe { machine.gpu().read_from(members.items, &mut list) }.map_err(lift)?;
    watch.reads(rows, Some(distinct(&mut list, vertices)))
}

/// Returns the different vertices of a list in increasing order. Those of copies of the graph have the rows of the first.
fn distinct(list: &mut [Vertex], vertices: u64) -> &[Vertex] {
    list.iter_mut().for_each(|v| *v = (u64::from(*v) % vertices.max(1)) as Vertex);
    list.sort_unstable();
    let mut len = 0;
    for at in 0..list.len() {
        if len == 0 || list[at] != list[len - 1] {
            list[len] = list[at];
            len += 1;
        }
    }
    &list[..len]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_is_shown_once_whatever_copies_of_it_are_listed() {
        assert_eq!(distinct(&mut [7, 2, 12, 2, 9, 22, 4], 10), [2, 4, 7, 9]);
        assert!(distinct(&mut [], 0).is_empty());
    }
}
