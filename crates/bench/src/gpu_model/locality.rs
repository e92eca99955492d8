//! Where the vertices that arcs lead to lie: what makes a gather cheaper than a read at a random place.
//!
//! Two things do. Arcs that a warp reads together may lead to one sector of 32 bytes, which is read once ([`Locality::apart`]). And some
//! sectors are read so often that they stay near: a perfect cache holds the hottest, so that they are read at the rate of a footprint of their
//! own size ([`Locality::bands`]).

use warpgraph::{DEFAULT_SEED, Graph, Order, graph::hash};

/// Values of 4 bytes in a sector.
const VALUES: usize = 8;
/// Arcs that a warp reads together.
const TOGETHER: usize = 32;
/// Such groups of arcs that are looked at.
const SAMPLES: usize = 1 << 14;
/// Bytes of values that a multiprocessor can keep in its shared memory: reading these costs no gather.
const KEPT: u64 = 192 << 10;
/// Ends of bands, in bytes.
const ENDS: [u64; 9] = [KEPT, 1 << 20, 16 << 20, 32 << 20, 64 << 20, 128 << 20, 256 << 20, 1 << 30, 4 << 30];

/// Of 4-byte values of a graph's vertices, gathered along its arcs.
#[derive(Debug, Clone, PartialEq)]
pub struct Locality {
    /// Sectors over arcs, among arcs that are read together: 1 if no two share one.
    pub apart: f64,
    /// Shares of all arcs that lead to the hottest bytes, band after band: the end of a band, and its share.
    pub bands: Vec<(u64, f64)>,
}

impl Locality {
    /// Of a graph, given in any order, in one of its orders; in a random one about, and in any but that and
    /// the natural one as if the hottest lay together.
    pub fn of(graph: &Graph, order: Order) -> Self {
        let csr = &graph.out().csr;
        let n = graph.vertices();
        // Arcs that come in, which are as many as go out where that is the same.
        let mut hits = vec![0_u32; n];
        if graph.is_directed() {
            csr.targets().iter().for_each(|&v| hits[v as usize] += 1);
        } else {
            hits.iter_mut().enumerate().for_each(|(v, hits)| *hits = csr.degree(v as u32) as u32);
        }
        match order {
            Order::Natural => (),
            Order::Random => {
                let mut places: Vec<usize> = (0..n).collect();
                places.sort_by_cached_key(|v| hash::mix(*v as u64, DEFAULT_SEED));
                hits = places.into_iter().map(|v| hits[v]).collect();
            }
            _ => hits.sort_unstable_by(|a, b| b.cmp(a)),
        }
        // In a random order only arcs to the same vertex share a sector.
        let beside = if order == Order::Random { 1 } else { VALUES as u32 };
        let of_sector = |sector: &[u32]| sector.iter().copied().map(u64::from).sum();
        let mut sectors: Vec<u64> = hits.chunks(VALUES).map(of_sector).collect();
        sectors.sort_unstable_by(|a, b| b.cmp(a));
        Self { apart: apart(csr.targets(), beside), bands: bands(&sectors) }
    }

    /// The time of so many gathers, at rates by footprint.
    pub fn seconds(&self, gathers: f64, rate: impl Fn(u64) -> f64) -> f64 {
        let cost = |&(end, share): &(u64, f64)| if end <= KEPT { 0.0 } else { share / rate(end) };
        gathers * self.apart * self.bands.iter().map(cost).sum::<f64>()
    }
}

/// The mean of different sectors in groups of arcs, over arcs; so many vertices lie in one.
fn apart(targets: &[u32], beside: u32) -> f64 {
    let step = (targets.len() / TOGETHER).div_ceil(SAMPLES).max(1);
    let different = |group: &[u32]| {
        let mut sectors: Vec<u32> = group.iter().map(|v| v / beside).collect();
        sectors.sort_unstable();
        sectors.dedup();
        sectors.len()
    };
    let looked: Vec<usize> = targets.chunks_exact(TOGETHER).step_by(step).map(different).collect();
    let arcs = TOGETHER * looked.len();
    if arcs == 0 { 1.0 } else { looked.iter().sum::<usize>() as f64 / arcs as f64 }
}

/// Hits of sectors, the hottest first, as shares by band.
fn bands(sectors: &[u64]) -> Vec<(u64, f64)> {
    let all: u64 = sectors.iter().sum();
    let (mut bands, mut begin) = (Vec::new(), 0);
    for end in ENDS.into_iter().chain([u64::MAX]) {
        let upto = sectors.len().min((end / (4 * VALUES as u64)) as usize);
        let hits: u64 = sectors[begin..upto].iter().sum();
        if hits > 0 {
            bands.push((end.min((upto * 4 * VALUES) as u64), hits as f64 / all as f64));
        }
        begin = upto;
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_that_lie_side_by_side_share_sectors_and_hubs_stay_near() {
        let chain: Vec<(u32, u32)> = (0..20_000).map(|v| (v, v + 1)).collect();
        let graph = Graph::from_edges(20_001, &chain, false).unwrap();
        let chain = Locality::of(&graph, Order::Natural);
        assert!(chain.apart < 0.2, "{chain:?}");
        let apart = Locality::of(&graph, Order::Random).apart;
        assert!((0.5..=0.6).contains(&apart), "each vertex is led to twice, and beside no other: {apart}");
        let star: Vec<(u32, u32)> = (1..100_000).map(|v| (0, v * 13 % 1_000_003)).collect();
        let star = Graph::from_edges(1_000_003, &star, false).unwrap();
        let near = Locality::of(&star, Order::Degree);
        // Half of all arcs lead to the hub, the others to vertices of one arc, of which so many fit.
        let kept = 0.5 + 0.5 * f64::from(KEPT as u32 / 4 - 1) / 99_999.0;
        assert!((near.bands[0].1 - kept).abs() < 1e-3 && near.bands[0].0 == KEPT, "{near:?} {kept}");
        let shares: f64 = near.bands.iter().map(|(_, share)| share).sum();
        assert!((shares - 1.0).abs() < 1e-12, "{near:?}");
    }

    #[test]
    fn what_is_kept_costs_nothing_and_even_gathers_cost_their_rate() {
        let even = Locality { apart: 1.0, bands: vec![(1 << 24, 1.0)] };
        assert!((even.seconds(1e9, |bytes| bytes as f64) - 1e9 / f64::from(1 << 24)).abs() < 1e-9);
        let kept = Locality { apart: 0.5, bands: vec![(KEPT, 0.5), (1 << 20, 0.5)] };
        assert!((kept.seconds(1e9, |_| 1e9) - 0.25).abs() < 1e-12);
        assert_eq!(Locality::of(&Graph::from_edges(0, &[], false).unwrap(), Order::Natural).bands, []);
    }
}
