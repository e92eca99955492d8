//! Algorithms that are no programs answer on graphs with copies and holes as on the graphs in which the copies are merged.

use crate::{
    Options,
    program::tests::{Random, Sample, built, each_sample},
};
use warpgraph_core::{Algorithm, Answer, Result, bc::Bc, mst::Mst, scc::Scc};
use warpgraph_graph::{Graph, Vertex, VertexId};

impl Sample {
    /// Returns the answers on the merged graph and on the one with copies.
    fn asked<A: Algorithm>(
        &self,
        config: &A,
        answer: fn(&Graph, &A, &Options) -> Result<A::Answer>,
    ) -> [A::Answer; 2] {
        let expected = answer(&self.merged, config, &Options::default()).unwrap();
        let (map, merged) = (Some(self.map.clone()), Some(self.merged.clone()));
        let asked = config.renumbered(&self.merged, &self.map, 0, 0).unwrap();
        let found = answer(&self.copied, &asked, &Options { map, merged, ..Options::default() }).unwrap();
        let found = config.restore(found, &self.merged, &self.map).unwrap();
        found.verify(&self.merged).unwrap_or_else(|wrong| panic!("{} on {}: {wrong}", A::NAME, self.seed));
        [expected, found]
    }

    /// Checks that scores are within the rounding of sums of positive numbers.
    fn scores(&self, config: &Bc) {
        let [expected, found] = self.asked(config, crate::bc);
        assert_eq!(found.arcs_reached(), expected.arcs_reached(), "sample {}", self.seed);
        assert_eq!(found.sources(), expected.sources());
        for (v, (&e, &f)) in expected.scores().iter().zip(found.scores()).enumerate() {
            let is_near = (e - f).abs() <= 1e-9 * e.abs().max(1.0) || e.is_nan() && f.is_nan();
            assert!(is_near, "sample {}, vertex {v}: {f}, not {e}", self.seed);
        }
    }
}

#[test]
fn forests_do_not_notice_copies_and_holes() {
    each_sample(|sample, _| {
        let [expected, found] = sample.asked(&Mst::default(), crate::mst);
        let edges = |answer: &warpgraph_core::mst::MstAnswer| answer.edges().collect::<Vec<_>>();
        assert_eq!(edges(&found), edges(&expected), "sample {}", sample.seed);
        assert_eq!(found.figures(), expected.figures());
    });
}

#[test]
fn strong_components_do_not_notice_copies_and_holes() {
    each_sample(|sample, _| {
        let [expected, found] = sample.asked(&Scc::default(), crate::scc);
        assert_eq!(found.components(), expected.components(), "sample {}", sample.seed);
    });
}

#[test]
fn betweenness_does_not_notice_copies_and_holes() {
    each_sample(|sample, random| {
        let some = Bc::default().sources(1 + random.below(sample.merged.vertices()) as u64);
        sample.scores(&some);
        sample.scores(&some.clone().endpoints());
        sample.scores(&some.weighted());
        if sample.merged.is_directed() {
            sample.scores(&Bc::default());
        }
    });
}

/// Returns a long path with this many parallel arcs per step.
fn braid(steps: u32, arcs: usize) -> Sample {
    let pairs: Vec<[Vertex; 2]> = (0..steps).flat_map(|v| vec![[v, v + 1]; arcs]).collect();
    let weights = vec![2; pairs.len()];
    Sample::of(built(steps as usize + 1, pairs, weights, true), 7, &mut Random(7))
}

#[test]
fn walks_and_numbers_of_paths_beyond_the_range_of_f64_do_not_notice_copies() {
    // Deep and narrow, so walks take over from sweeps; then 2^(7 * 200) paths.
    for sample in [braid(400, 3), braid(200, 128)] {
        let ends = Bc::default().source(VertexId::from(0u64)).source(VertexId::from(3u64));
        sample.scores(&ends);
        sample.scores(&ends.clone().endpoints());
        sample.scores(&ends.weighted());
    }
}
