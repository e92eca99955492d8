//! A bound on the hops of any shortest path, from few searches.
//!
//! In a component of an undirected graph, any path over its root is at most twice as long as the search from the root is
//! deep. In a strong component of a directed graph, the search along the arcs and the one against them add up. A shortest
//! path of a directed graph goes through strong components along a path of the graph of components, so the longest such
//! path, with these bounds for components and 1 per arc between two, bounds all. No bound exceeds the number of vertices
//! less 1.
//!
//! O(n + m) work on one thread, after the strong components of a directed graph. Memory: 4 bytes and 1 bit per vertex;
//! 28 bytes if the graph is directed.

use crate::{Options, parts::Bitmap};
use warpgraph_core::{Answer as _, Result, scc::Scc};
use warpgraph_graph::{Control, Graph, Offset, Vertex, View, with_view, with_views};

/// Vertices between two checks of the control.
const CHECK: usize = 1 << 16;

/// Returns a number of hops that no shortest path exceeds.
///
/// # Errors
/// If interrupted, or if memory is short.
pub(super) fn bound(graph: &Graph, options: &Options) -> Result<u64> {
    let bound = match graph.is_directed() {
        true => directed(graph, options)?,
        false => with_view!(graph.out().csr, |out| undirected(out, &options.control)?),
    };
    Ok(bound.min(graph.vertices().saturating_sub(1) as u64))
}

/// The vertices that a search has reached.
struct Search {
    seen: Bitmap,
    queue: Vec<Vertex>,
}

impl Search {
    fn new(vertices: usize) -> Result<Self> {
        Ok(Self { seen: Bitmap::empty(vertices)?, queue: Vec::new() })
    }

    /// Searches from a root through vertices for which `is_inside` holds, and returns the greatest distance.
    fn depth<O: Offset>(
        &mut self,
        along: View<'_, O>,
        root: Vertex,
        is_inside: impl Fn(Vertex) -> bool,
        control: &Control,
    ) -> Result<u64> {
        self.queue.clear();
        self.queue.push(root);
        self.seen.insert(root);
        let (mut depth, mut place, mut end) = (0, 0, 1);
        while place < self.queue.len() {
            if place == end {
                (depth, end) = (depth + 1, self.queue.len());
            }
            if place.is_multiple_of(CHECK) {
                control.check("bounding the diameter")?;
            }
            for &v in along.neighbors(self.queue[place]) {
                if !self.seen.contains(v) && is_inside(v) {
                    self.seen.insert(v);
                    self.queue.push(v);
                }
            }
            place += 1;
        }
        Ok(depth)
    }
}

/// Returns the bound for the component of the vertex with the most arcs, and for every other one from its first vertex.
fn undirected<O: Offset>(out: View<'_, O>, control: &Control) -> Result<u64> {
    let n = out.vertices() as Vertex;
    let Some(hub) = (0..n).max_by_key(|&v| out.degree(v)) else { return Ok(0) };
    let mut search = Search::new(n as usize)?;
    let mut bound = 0;
    for root in std::iter::once(hub).chain(0..n) {
        if !search.seen.contains(root) && out.degree(root) > 0 {
            let depth = search.depth(out, root, |_| true, control)?;
            bound = bound.max((2 * depth).min(search.queue.len() as u64 - 1));
        }
    }
    Ok(bound)
}

fn directed(graph: &Graph, options: &Options) -> Result<u64> {
    let quiet = Options { control: options.control.clone(), ..Options::default() };
    let answer = crate::scc(graph, &Scc::default(), &quiet)?;
    debug_assert!(answer.run().accuracy.is_none());
    let components = answer.components();
    let incoming = graph.incoming()?;
    with_views!(graph.out().csr, incoming.csr, |out, incoming| {
        let inside = within(out, incoming, components, &options.control)?;
        longest(out, components, &inside, &options.control)
    })
}

/// Returns for the root of each strong component the bound within it; components are named by their first vertex.
fn within<O: Offset, I: Offset>(
    out: View<'_, O>,
    incoming: View<'_, I>,
    components: &[Vertex],
    control: &Control,
) -> Result<Vec<u64>> {
    let n = components.len();
    let (mut ahead, mut behind) = (Search::new(n)?, Search::new(n)?);
    let mut bounds = vec![0; n];
    for (v, &name) in components.iter().enumerate() {
        if v as Vertex == name {
            let is_inside = |u: Vertex| components[u as usize] == name;
            let depth = ahead.depth(out, name, is_inside, control)?;
            if ahead.queue.len() > 1 {
                let back = behind.depth(incoming, name, is_inside, control)?;
                bounds[v] = (depth + back).min(ahead.queue.len() as u64 - 1);
            }
        }
    }
    Ok(bounds)
}

/// Returns the length of the longest path in the graph of components, each of which adds what is `inside`.
fn longest<O: Offset>(
    out: View<'_, O>,
    components: &[Vertex],
    inside: &[u64],
    control: &Control,
) -> Result<u64> {
    let n = components.len();
    // Arcs into a component from others that are not done, its vertices as a list, and the longest path into it.
    let (mut open, mut next, mut before) = (vec![0u64; n], vec![Vertex::MAX; n], vec![0u64; n]);
    for (v, &name) in components.iter().enumerate() {
        for &u in out.neighbors(v as Vertex) {
            let other = components[u as usize];
            open[other as usize] += u64::from(other != name);
        }
        if v as Vertex != name {
            next[v] = std::mem::replace(&mut next[name as usize], v as Vertex);
        }
    }
    let is_first = |&(v, &name): &(usize, &Vertex)| v as Vertex == name && open[v] == 0;
    let mut ready: Vec<Vertex> =
        components.iter().enumerate().filter(is_first).map(|(v, _)| v as Vertex).collect();
    let (mut most, mut done) = (0, 0usize);
    while let Some(name) = ready.pop() {
        let reach = before[name as usize] + inside[name as usize];
        most = most.max(reach);
        let mut v = name;
        while v != Vertex::MAX {
            if done.is_multiple_of(CHECK) {
                control.check("bounding the diameter")?;
            }
            done += 1;
            for &u in out.neighbors(v) {
                let other = components[u as usize] as usize;
                if other as Vertex != name {
                    before[other] = before[other].max(reach + 1);
                    open[other] -= 1;
                    if open[other] == 0 {
                        ready.push(other as Vertex);
                    }
                }
            }
            v = next[v as usize];
        }
    }
    Ok(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(n: usize, edges: &[(u32, u32)], directed: bool) -> u64 {
        let graph = Graph::from_edges(n, edges, directed).expect("a small graph");
        bound(&graph, &Options::default()).expect("a bound")
    }

    #[test]
    fn paths_cycles_stars_and_pieces_are_bounded_well() {
        let path: Vec<_> = (0..9).map(|v| (v, v + 1)).collect();
        assert_eq!((of(10, &path, false), of(10, &path, true)), (9, 9));
        let star: Vec<_> = (1..9).map(|v| (0, v)).collect();
        assert_eq!((of(9, &star, false), of(9, &star, true)), (2, 1));
        let ring: Vec<_> = (0..8).map(|v| (v, (v + 1) % 8)).collect();
        assert_eq!((of(8, &ring, false), of(8, &ring, true)), (7, 7));
        assert_eq!((of(5, &[(0, 1), (3, 4)], false), of(3, &[], false), of(0, &[], true)), (1, 0, 0));
    }

    #[test]
    fn strong_components_in_a_row_add_up() {
        // Two rings of three, joined by an arc, and a tail of two: 2 + 1 + 2 + 2.
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6), (6, 7)];
        assert_eq!(of(8, &edges, true), 7);
    }
}
