//! Recursive bisection over levels of sampled searches, BFS-BP of HALO \[1\], section 8: vertices that are reached at the
//! same time are to lie close together.
//!
//! The queries are the levels of breadth-first searches from the samples, along outgoing arcs: the row of a vertex holds one
//! for each sample that reaches it. This lowers the cost of equation (1), MinIntraBFS, of the sampled searches; others from
//! elsewhere in the graph look alike. Vertices that no sample reaches go last by number.
//!
//! Work, memory and departures from the paper are those of [`bisection`](super::bisection), with an entry for each vertex
//! and sample that reaches it; while the searches run, 4 bytes for every vertex and sample.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7), 2020.

use super::bisection::{self, Rows};
use crate::Traverse;
use std::sync::atomic::{AtomicU32, Ordering};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, Pages, Vertex};

/// Samples that are searched from at once.
const AT_ONCE: usize = 64;

/// All vertices in an order of small gaps within levels of searches from `samples`, which differ.
pub(super) fn order(
    graph: &Graph,
    samples: &[Vertex],
    traverse: &dyn Traverse,
    control: &Control,
) -> Result<Pages<Vertex>> {
    let mut levels = Levels::new(graph.vertices(), samples.len())?;
    for (first, samples) in samples.chunks(AT_ONCE).enumerate() {
        levels.search(graph, samples, first * AT_ONCE, traverse, control)?;
    }
    let (rows, queries) = levels.into_rows()?;
    bisection::order(rows, queries, control)
}

/// One more than the depth at which each sample reaches each vertex, vertex by vertex; 0 where it does not.
struct Levels {
    levels: Pages<u32>,
    vertices: usize,
    samples: usize,
}

impl Levels {
    fn new(vertices: usize, samples: usize) -> Result<Self> {
        Ok(Self { levels: Pages::zeroed(vertices.saturating_mul(samples))?, vertices, samples })
    }

    /// Searches from some of the samples, which are those from number `first` on.
    fn search(
        &mut self,
        graph: &Graph,
        sources: &[Vertex],
        first: usize,
        traverse: &dyn Traverse,
        control: &Control,
    ) -> Result<()> {
        let samples = self.samples;
        for (i, &source) in sources.iter().enumerate() {
            self.levels[source as usize * samples + first + i] = 1;
        }
        let levels = atomics(&mut self.levels);
        traverse.traverse(graph, sources, control, &|v, depth, mut new| {
            let row = &levels[v as usize * samples + first..];
            while new != 0 {
                row[new.trailing_zeros() as usize].store(depth.saturating_add(1), Ordering::Relaxed);
                new &= new - 1;
            }
        })
    }

    /// The rows, and a number above all queries; query `depth * samples + i` is what sample `i` reaches at a depth.
    fn into_rows(self) -> Result<(Rows, usize)> {
        let Self { mut levels, vertices, samples } = self;
        // Depths that would not fit are taken for the last that does.
        let deepest = u32::MAX / (samples as u32).max(1) - 1;
        let mut lengths = Pages::scratch(vertices)?;
        let (mut end, mut depths) = (0, 0);
        for (v, length) in lengths.iter_mut().enumerate() {
            let start = end;
            for i in 0..samples {
                let level = levels[v * samples + i];
                if level > 0 {
                    let depth = (level - 1).min(deepest);
                    depths = depths.max(depth as usize + 1);
                    levels[end] = depth * samples as u32 + i as u32;
                    end += 1;
                }
            }
            *length = (end - start) as u32;
        }
        levels.truncate(end);
        Ok((Rows { lengths, queries: levels }, depths * samples))
    }
}

/// Views an exclusively borrowed array as atomics, so that any thread may write an element.
fn atomics(array: &mut [u32]) -> &[AtomicU32] {
    const { assert!(align_of::<AtomicU32>() == align_of::<u32>()) };
    let array: *mut [u32] = array;
    // SAFETY: AtomicU32 has the size and the values of u32, and its alignment as asserted; the exclusive borrow lasts as
    // long as the view, so that the atomics are the only way to the memory.
    unsafe { &*(array as *const [AtomicU32]) }
}
