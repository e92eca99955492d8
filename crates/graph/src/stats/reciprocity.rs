//! Counts the arcs of a directed graph whose reverse is also an arc.

use crate::{
    control::Control,
    csr::{Csr, Offset, Vertex, View},
    error::Result,
    par, with_view,
};

/// The number of vertices between two checks of the control.
const BLOCK: usize = 1 << 12;

/// Returns the share of arcs u -> v, with u and v different, for which v -> u is an arc; `None` if there are no such
/// arcs. One binary search in the adjacency list of v per arc, so no transpose is needed.
pub(super) fn reciprocity(csr: &Csr, control: &Control) -> Result<Option<f64>> {
    let (mutual, all) = with_view!(csr, |view| count(view, control)?);
    Ok((all > 0).then(|| mutual as f64 / all as f64))
}

fn count<O: Offset>(view: View<'_, O>, control: &Control) -> Result<(u64, u64)> {
    let n = view.vertices();
    let block = |b: usize| -> Result<(u64, u64)> {
        control.check("looking for reverse arcs")?;
        let vertices = (b * BLOCK) as Vertex..((b + 1) * BLOCK).min(n) as Vertex;
        Ok(vertices.fold((0, 0), |sum, u| add(sum, mutual(view, u))))
    };
    Ok(par::try_map(n.div_ceil(BLOCK), block)?.into_iter().fold((0, 0), add))
}

/// Returns the number of arcs from `u` to other vertices that have a reverse, and the number of all arcs to other
/// vertices.
fn mutual<O: Offset>(view: View<'_, O>, u: Vertex) -> (u64, u64) {
    let others = view.neighbors(u).iter().filter(|&&v| v != u);
    others.fold((0, 0), |sum, &v| add(sum, (u64::from(view.neighbors(v).binary_search(&u).is_ok()), 1)))
}

fn add(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    (a.0 + b.0, a.1 + b.1)
}
