//! Recursive bisection over levels of sampled searches, BFS-BP of HALO \[1\], section 8: places vertices close together
//! that searches reach at the same depth.
//!
//! The queries are the levels of breadth-first searches from the samples, along outgoing arcs: the row of a vertex
//! holds one query per sample that reaches it. This lowers the cost of equation (1), MinIntraBFS, for the sampled
//! searches; searches from elsewhere in the graph have similar levels. Vertices that no sample reaches come last, by
//! number.
//!
//! Work, memory and departures from the paper are those of [`bisection`], with one entry per vertex and sample that
//! reaches it; while the searches run, 4 bytes per vertex and sample.
//!
//! \[1\] P. Gera, H. Kim, P. Sao, H. Kim, D. Bader. Traversing Large Graphs on GPUs with Unified Memory. PVLDB 13(7),
//! 2020.

use super::bisection::{self, CHECK, DURING, Rows};
use crate::Traverse;
use std::sync::atomic::Ordering;
use warpgraph_core::Result;
use warpgraph_graph::{Control, Graph, Pages, Vertex, atomics::atomics};

/// Samples searched from at the same time.
const AT_ONCE: usize = 64;

/// Returns all vertices in an order with small gaps within the levels of searches from `samples`, which must differ.
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
    let (rows, queries) = levels.into_rows(control)?;
    bisection::order(rows, queries, control)
}

/// One more than the depth at which each sample reaches each vertex, vertex by vertex; 0 if it does not.
struct Levels {
    levels: Pages<u32>,
    vertices: usize,
    samples: usize,
}

impl Levels {
    fn new(vertices: usize, samples: usize) -> Result<Self> {
        Ok(Self { levels: Pages::zeroed(vertices.saturating_mul(samples))?, vertices, samples })
    }

    /// Searches from the samples `sources`, whose numbers begin at `first`.
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

    /// Returns the rows, and a number larger than every query. Query `depth * samples + i` is what sample `i` reaches
    /// at a depth.
    fn into_rows(self, control: &Control) -> Result<(Rows, usize)> {
        let Self { mut levels, vertices, samples } = self;
        // Depths too large for a u32 query count as the largest one that fits.
        let deepest = u32::MAX / (samples as u32).max(1) - 1;
        let mut lengths = Pages::scratch(vertices)?;
        let (mut end, mut depths) = (0, 0);
        for (v, length) in lengths.iter_mut().enumerate() {
            if v % CHECK == 0 {
                control.check(DURING)?;
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph_graph::{NO_VERTEX, generate::Spec};

    /// Searches one level after the other, on one thread.
    struct Serial;

    impl Traverse for Serial {
        fn traverse(
            &self,
            graph: &Graph,
            sources: &[Vertex],
            control: &Control,
            reach: &(dyn Fn(Vertex, u32, u64) + Sync),
        ) -> Result<()> {
            assert!(sources.len() <= 64);
            let levels: Vec<Vec<u32>> = sources.iter().map(|&source| depths(graph, source)).collect();
            let deepest = levels.iter().flatten().filter(|&&depth| depth != NO_VERTEX).max();
            for depth in 1..=deepest.copied().unwrap_or(0) {
                control.check("searching")?;
                (0..graph.vertices()).for_each(|v| {
                    let reached = (0..sources.len()).filter(|&i| levels[i][v] == depth);
                    match reached.fold(0, |set, i| set | 1 << i) {
                        0 => {}
                        set => reach(v as Vertex, depth, set),
                    }
                });
            }
            Ok(())
        }
    }

    /// Returns the depth of every vertex from a source.
    fn depths(graph: &Graph, source: Vertex) -> Vec<u32> {
        let mut depths = vec![NO_VERTEX; graph.vertices()];
        let mut queue = vec![source];
        depths[source as usize] = 0;
        for at in 0.. {
            let Some(&v) = queue.get(at) else { break };
            for &u in graph.out().csr.neighbors(v) {
                if depths[u as usize] == NO_VERTEX {
                    depths[u as usize] = depths[v as usize] + 1;
                    queue.push(u);
                }
            }
        }
        depths
    }

    fn generated(text: &str) -> Graph {
        text.parse::<Spec>().unwrap().generate(&Control::new()).unwrap()
    }

    fn order_of(graph: &Graph, samples: &[Vertex]) -> Vec<Vertex> {
        order(graph, samples, &Serial, &Control::new()).unwrap().to_vec()
    }

    /// Returns the mean bits of gaps between vertices of a level, over searches from all of `sources`.
    fn bits_within_levels(graph: &Graph, order: &[Vertex], sources: &[Vertex]) -> f64 {
        let (mut bits, mut gaps) = (0.0, 0.0);
        for &source in sources {
            let depths = depths(graph, source);
            let mut last = vec![None; graph.vertices()];
            for (place, &v) in order.iter().enumerate().filter(|(_, v)| depths[**v as usize] != NO_VERTEX) {
                if let Some(before) = last[depths[v as usize] as usize].replace(place) {
                    bits += f64::log2((place - before) as f64);
                    gaps += 1.0;
                }
            }
        }
        bits / gaps
    }

    #[test]
    fn rows_hold_a_query_for_each_sample_that_reaches_the_vertex() {
        let graph = generated("powerlaw:300,alpha=2.8");
        let samples: Vec<Vertex> = (0..70).map(|i| 4 * i + 1).collect();
        let mut levels = Levels::new(300, 70).unwrap();
        levels.search(&graph, &samples[..64], 0, &Serial, &Control::new()).unwrap();
        levels.search(&graph, &samples[64..], 64, &Serial, &Control::new()).unwrap();
        let (rows, queries) = levels.into_rows(&Control::new()).unwrap();
        let depths: Vec<Vec<u32>> = samples.iter().map(|&sample| depths(&graph, sample)).collect();
        let row = |v: usize| {
            let reached = (0..70).filter(|&i| depths[i][v] != NO_VERTEX);
            reached.map(|i| depths[i][v] * 70 + i as u32).collect::<Vec<u32>>()
        };
        let expected: Vec<Vec<u32>> = (0..300).map(row).collect();
        assert!(expected.iter().map(Vec::len).eq(rows.lengths.iter().map(|&length| length as usize)));
        assert_eq!(rows.queries[..], expected.concat());
        assert!(rows.queries.iter().all(|&q| (q as usize) < queries));
        let order = order_of(&graph, &samples);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..300));
        let reached = expected.iter().filter(|row| !row.is_empty()).count();
        assert!((1..300).contains(&reached) && order[reached..].is_sorted());
        assert!(order[reached..].iter().all(|&v| expected[v as usize].is_empty()));
    }

    #[test]
    fn levels_lie_closer_together_also_those_of_other_searches() {
        let (samples, others) = (Vec::from_iter((0..16).map(|i| 97 * i)), [5, 801, 1303]);
        for text in ["kron:11", "grid:40x50,shuffle"] {
            let graph = generated(text);
            let sources: Vec<Vertex> = others.into_iter().filter(|&v| graph.degree(v) > 0).collect();
            let natural: Vec<Vertex> = (0..graph.vertices() as Vertex).collect();
            let before = bits_within_levels(&graph, &natural, &sources);
            let after = bits_within_levels(&graph, &order_of(&graph, &samples), &sources);
            assert!(after < 0.7 * before, "{text}: {before} to {after}");
        }
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        for text in ["kron:13", "grid:20x200,shuffle"] {
            let graph = generated(text);
            let samples: Vec<Vertex> = (0..20).map(|i| 101 * i).collect();
            let orders = [1, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| order_of(&graph, &samples))
            });
            assert!(orders[0] == orders[1], "{text}");
        }
    }

    #[test]
    fn without_samples_or_arcs_vertices_stay_by_number() {
        let graph = Graph::from_edges(4, &[(2, 1), (1, 3)], true).unwrap();
        assert_eq!(order_of(&graph, &[]), [0, 1, 2, 3]);
        assert_eq!(order_of(&graph, &[1]), [1, 3, 0, 2]);
        assert!(order_of(&Graph::from_edges(0, &[], true).unwrap(), &[]).is_empty());
    }

    #[test]
    fn depths_beyond_all_numbers_are_taken_for_the_last() {
        let mut levels = Levels::new(3, 64).unwrap();
        let row = atomics(&mut levels.levels);
        row[0].store(u32::MAX, Ordering::Relaxed);
        row[64 + 63].store(u32::MAX - 1, Ordering::Relaxed);
        let (rows, queries) = levels.into_rows(&Control::new()).unwrap();
        assert_eq!(
            (&rows.lengths[..], &rows.queries[..]),
            (&[1, 1, 0][..], &[u32::MAX - 127, u32::MAX - 64][..])
        );
        assert_eq!(queries, u32::MAX as usize - 63);
    }

    #[test]
    fn a_cancelled_order_ends() {
        let control = Control::new();
        control.cancel();
        assert_eq!(order(&generated("kron:8"), &[1], &Serial, &control).unwrap_err().kind(), "interrupted");
    }
}
