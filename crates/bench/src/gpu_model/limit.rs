//! The least time of a run by what the device was measured to do: a lower bound.
//!
//! An algorithm's model ([`Cost::on_gpu`](warpgraph::cost::Cost::on_gpu)) has up to four kinds of terms, each a time on its
//! own: bytes that must be moved over the bandwidth, reads at random places over their rate at the footprint of what is
//! read, atomics likewise, and supersteps that cannot overlap times a barrier over the grid (or a launch, where that is
//! less). The limit is the largest of them, since a perfect program would overlap the others; a run's share is that over
//! its own time. Gathers along all arcs cost what the graph's [`Locality`] says.
//!
//! A share above 1 means that something was cheaper than its model: what is streamed fits the cache, or supersteps are so
//! small that one block does them and no barrier over the grid is needed.

use super::Locality;
use crate::{GpuLimits, units};
use serde::{Deserialize, Serialize};
use std::fmt;
use warpgraph::cost;

/// What binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// Bytes in order.
    Bandwidth,
    /// Reads at random places, or along arcs.
    Gather,
    /// Atomics at random places.
    Atomic,
    /// Supersteps.
    Barrier,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{self:?}").to_lowercase())
    }
}

/// A term of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// What it is of.
    pub bound: Bound,
    /// How many: bytes, accesses or barriers.
    pub amount: f64,
    /// Bytes that accesses are spread over; 0 for others.
    pub footprint: u64,
    /// Seconds this takes at least.
    pub seconds: f64,
}

impl Term {
    fn of(term: &cost::Term, locality: &Locality, limits: &GpuLimits) -> Self {
        let cost::Term { amount, footprint, .. } = *term;
        let (bound, rate) = match term.bound {
            cost::Bound::Bandwidth => (Bound::Bandwidth, limits.bandwidth()),
            cost::Bound::Gather => (Bound::Gather, limits.gather_rate(footprint)),
            cost::Bound::Along => {
                (Bound::Gather, 1.0 / locality.seconds(1.0, |bytes| limits.gather_rate(bytes)))
            }
            cost::Bound::Atomic => (Bound::Atomic, limits.atomic_rate(footprint)),
            cost::Bound::Barrier => (Bound::Barrier, 1.0 / limits.superstep_seconds()),
        };
        Self { bound, amount, footprint, seconds: amount / rate }
    }
}

/// The least time of a run, or of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// What binds.
    pub bound: Bound,
    /// The time.
    pub seconds: f64,
    /// All terms.
    pub terms: Vec<Term>,
}

impl Limit {
    /// Returns the limit of a model's terms. `None` if there is nothing to do.
    pub(super) fn of(terms: &[cost::Term], locality: &Locality, limits: &GpuLimits) -> Option<Self> {
        let terms = terms.iter().filter(|term| term.amount > 0.0);
        let terms: Vec<Term> = terms.map(|term| Term::of(term, locality, limits)).collect();
        let most = terms.iter().copied().max_by(|a, b| a.seconds.total_cmp(&b.seconds))?;
        Some(Self { bound: most.bound, seconds: most.seconds, terms })
    }

    /// Returns the limit of so many times as much.
    pub fn times(mut self, by: f64) -> Self {
        self.seconds *= by;
        for term in &mut self.terms {
            (term.amount, term.seconds) = (by * term.amount, by * term.seconds);
        }
        self
    }
}

/// What binds and its time, as in a table: `gather 250 us`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.bound, units::seconds(self.seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_limits::tests::limits;
    use warpgraph::{Order, cost::GpuWork};

    /// Returns the limit of a run that reaches half of the vertices, which have all arcs, in 16 MiB of values.
    fn limit(algorithm: &str, vertices: u64, arcs: u64, rounds: u64, apart: f64) -> Option<Limit> {
        let (half, order) = (vertices / 2, Order::Natural);
        let (with_arcs, reached, arcs_reached, levels) = (half, half, arcs, (arcs > 0).then_some(7));
        let work = GpuWork { vertices, with_arcs, arcs, reached, arcs_reached, rounds, levels, order };
        let model = warpgraph::find(algorithm).unwrap().cost.on_gpu?;
        Limit::of(&model(&work), &Locality { apart, bands: vec![(16 << 20, 1.0)] }, &limits())
    }

    fn usual(algorithm: &str) -> Option<Limit> {
        limit(algorithm, 1 << 22, 128_000_000, 7, 1.0)
    }

    #[test]
    fn sweeps_are_bound_by_gathers_long_searches_by_barriers_and_kcore_by_atomics() {
        let sweep = usual("pagerank").unwrap();
        let search = limit("bfs", 1 << 22, 128_000_000, 5_680, 1.0).unwrap();
        for (limit, bound, seconds) in [
            (&sweep, Bound::Gather, 128e6 / limits().gather_rate(16 << 20)),
            (&search, Bound::Barrier, 5_680.0 * 1e-6),
        ] {
            assert!(limit.bound == bound && (limit.seconds - seconds).abs() < 1e-12, "{limit:?}");
        }
        assert_eq!((sweep.terms.len(), usual("kcore").unwrap().bound), (3, Bound::Atomic));
        let closer = limit("pagerank", 1 << 22, 128_000_000, 7, 0.5).unwrap();
        assert!(closer.seconds < sweep.seconds, "fewer sectors to gather");
    }

    #[test]
    fn limits_are_of_a_sound_size_and_an_empty_graph_has_none() {
        for entry in warpgraph::algorithms().iter().filter(|entry| entry.cost.on_gpu.is_some()) {
            let limit = usual(entry.name).unwrap();
            assert!(limit.seconds > 1e-6 && limit.seconds < 1e-2, "{}: {limit:?}", entry.name);
        }
        assert_eq!(limit("wcc", 0, 0, 0, 1.0), None);
    }
}
