//! A bound on the hops of any shortest path, from a search along the arcs and one against them.
//!
//! Both searches start at the *hub*, the vertex with the most arcs of the rarer direction. Its *core* is what both reach: its
//! component, or strong component. A path through a vertex of the core is no longer than the way from its start to the
//! hub and on to its end, so no longer than both searches are deep together. Any other path stays in one weak component of
//! what is left without the core, and has fewer hops than that has vertices.
//!
//! The searches run on the device; the host joins what is left, which is little in most graphs. If it has many arcs, all of
//! it counts as one component.

use crate::{DeviceGraph, Outline, ahead, batch::Batch, device_graph::Side, machine::Machine, variants};
use std::sync::Arc;
use warpgraph_core::{Balance, Options, Plan, Result};
use warpgraph_device::Source;
use warpgraph_graph::{Graph, Pages, Vertex, par};

/// The balance of the searches.
const BALANCE: Balance = Balance::Workload;
/// The most arcs of vertices outside the core that the host looks at.
const MOST_ARCS: u64 = 1 << 26;

/// Returns a number of hops that no shortest path exceeds.
///
/// # Errors
/// When interrupted, when memory is short, or when the device fails.
pub(super) fn bound(device_graph: &DeviceGraph, machine: &Machine<'_>) -> Result<u64> {
    let graph = device_graph.graph();
    let n = graph.vertices();
    let Some(hub) = hub(graph)? else { return Ok(0) };
    let sides: &[Side] = if graph.is_directed() { &[Side::Out, Side::In] } else { &[Side::Out] };
    let mut core: Pages<u64> = Pages::scratch(n)?;
    let mut depth = 0;
    for (number, &side) in sides.iter().enumerate() {
        let mut search = Batch::new(device_graph, machine, Some(BALANCE), side, 1)?;
        depth += u64::from(search.run(&[hub], |_| Ok(()))?);
        if number == 0 {
            search.seen(&mut core)?;
            continue;
        }
        let mut seen: Pages<u64> = Pages::scratch(n)?;
        search.seen(&mut seen)?;
        core.iter_mut().zip(seen.iter()).for_each(|(core, seen)| *core &= seen);
    }
    // Back and forth in an undirected graph.
    let depth = if graph.is_directed() { depth } else { 2 * depth };
    let left = Left { graph, core: &core };
    Ok(depth.max(left.largest()?.saturating_sub(1)).min(n as u64 - 1))
}

/// Returns the modules of the searches.
///
/// # Errors
/// None that a user can cause.
pub(in crate::bc) fn ahead(outline: &Outline) -> Result<Vec<Arc<Source>>> {
    let module = |scheme| variants::batch(outline.wide, 1, Some(scheme));
    let options = Options { plan: Plan::bsp(None).by(Some(BALANCE)), ..Options::default() };
    let mut all = vec![variants::batch(outline.wide, 1, None)?];
    all.extend(ahead::expansion(outline, &options, false, |_| true, module)?);
    Ok(all)
}

/// Returns the vertex with the most arcs of the rarer direction; `None` if there are no arcs.
fn hub(graph: &Graph) -> Result<Option<Vertex>> {
    let (out, incoming) = (&graph.out().csr, &graph.incoming()?.csr);
    let of = |v: Vertex| (out.degree(v).min(incoming.degree(v)), out.degree(v), std::cmp::Reverse(v));
    let best = |range: std::ops::Range<usize>| range.map(|v| of(v as Vertex)).max();
    let hub = par::reduce(graph.vertices(), par::FINE, best, std::cmp::max).flatten();
    Ok(hub.filter(|_| graph.arcs() > 0).map(|(_, _, std::cmp::Reverse(v))| v))
}

/// A graph without its core.
struct Left<'a> {
    graph: &'a Graph,
    /// Not 0 for vertices of the core.
    core: &'a [u64],
}

impl Left<'_> {
    /// Returns the vertices of the largest weak component, or a greater number.
    fn largest(&self) -> Result<u64> {
        let n = self.core.len();
        let out = &self.graph.out().csr;
        let is_left = |v: usize| self.core[v] == 0;
        let arcs = |range: std::ops::Range<usize>| {
            range.filter(|&v| is_left(v)).map(|v| out.degree(v as Vertex) as u64).sum()
        };
        if par::sum(n, par::FINE, arcs) > MOST_ARCS {
            return Ok(par::sum(n, par::FINE, |range| range.filter(|&v| is_left(v)).count() as u64));
        }
        let mut parts = Parts::new(n)?;
        for v in (0..n).filter(|&v| is_left(v)) {
            for &u in out.neighbors(v as Vertex).iter().filter(|&&u| is_left(u as usize)) {
                parts.join(v as Vertex, u);
            }
        }
        Ok(parts.largest)
    }
}

/// Sets of vertices that are joined.
struct Parts {
    parents: Pages<Vertex>,
    /// Of the vertex that stands for a set.
    sizes: Pages<u32>,
    largest: u64,
}

impl Parts {
    /// Returns sets of one vertex each.
    fn new(vertices: usize) -> Result<Self> {
        let (mut parents, mut sizes) = (Pages::scratch(vertices)?, Pages::scratch(vertices)?);
        parents.iter_mut().enumerate().for_each(|(v, parent)| *parent = v as Vertex);
        sizes.fill(1);
        Ok(Self { parents, sizes, largest: 1 })
    }

    fn find(&mut self, mut v: Vertex) -> Vertex {
        while self.parents[v as usize] != v {
            // Every other vertex on the way gets its grandparent.
            let parent = self.parents[v as usize];
            self.parents[v as usize] = self.parents[parent as usize];
            v = self.parents[v as usize];
        }
        v
    }

    fn join(&mut self, u: Vertex, v: Vertex) {
        let (u, v) = (self.find(u), self.find(v));
        if u == v {
            return;
        }
        let (small, large) = if self.sizes[u as usize] < self.sizes[v as usize] { (u, v) } else { (v, u) };
        self.parents[small as usize] = large;
        self.sizes[large as usize] += self.sizes[small as usize];
        self.largest = self.largest.max(self.sizes[large as usize].into());
    }
}
