//! Refines the order so far by one more layer.

use super::{DURING, bits::Bits};
use warpgraph_graph::{Control, Pages, Result, Vertex};

/// Vertices processed between two checks of the control.
const PATIENCE: usize = 1 << 16;

/// Sorts `order` by label, and labels by their first vertex; vertices of one label keep their order. `volumes` holds
/// how many vertices carry each label. O(n).
pub(super) fn by_label(
    order: &mut Pages<Vertex>,
    labels: &[Vertex],
    volumes: Pages<u32>,
    control: &Control,
) -> Result<()> {
    let mut regrouped: Pages<Vertex> = Pages::scratch(order.len())?;
    let met = Bits::new(order.len(), false);
    // For labels met so far: the position of their next vertex.
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
