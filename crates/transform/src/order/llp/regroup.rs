//! How the order so far becomes that of one layer more.

use super::{DURING, bits::Bits};
use warpgraph_graph::{Control, Pages, Result, Vertex};

/// Vertices between two looks at the control.
const PATIENCE: usize = 1 << 16;

/// Sorts `order` by label, labels by their first vertex; vertices of one label stay in their order. `volumes` says how many
/// vertices each label has. O(n).
pub(super) fn by_label(
    order: &mut Pages<Vertex>,
    labels: &[Vertex],
    volumes: Pages<u32>,
    control: &Control,
) -> Result<()> {
    let mut regrouped: Pages<Vertex> = Pages::scratch(order.len())?;
    let met = Bits::new(order.len(), false);
    // For labels that were met: where their next vertex goes.
    let mut places = volumes;
    let mut free = 0;
    for part in order.chunks(PATIENCE) {
        control.check(DURING)?;
        for &v in part {
            let label = labels[v as usize];
            let place = &mut places[label as usize];
            if met.insert(label) {
                free += std::mem::replace(place, free);
            }
            regrouped[*place as usize] = v;
            *place += 1;
        }
    }
    *order = regrouped;
    Ok(())
}
