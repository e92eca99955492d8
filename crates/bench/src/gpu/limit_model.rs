//! The least time of a run by what the card was measured to do: simple models, all lower bounds.
//!
//! A model has up to four terms, each a time on its own: bytes that must be moved over the bandwidth, reads at random places
//! over their rate at the footprint of what is read, atomics likewise, and supersteps that cannot overlap times a
//! barrier over the grid (or a launch, where that is less). The limit is the largest of them, since a perfect program would overlap the others; a run's share is that over
//! its own time. Gathers along all arcs cost what the graph's [`Locality`] says: arcs read together that lead to one sector are one, hot
//! sectors are read at the rate of a small footprint, and the hottest from shared memory. A share above 1 means that something was cheaper
//! than its model: what is streamed fits the cache, or supersteps are so small that one block does them and no barrier over the grid is needed.
//!
//! n are vertices, n' those with arcs, m arcs; r and a are the vertices and arcs that a search reaches. F is 4 n bytes, in
//! `degree` order, where vertices without arcs come last, 4 n'; L is where arcs lead to. A row of arcs is read by sectors of 32 bytes, rows that
//! are shorter share them.
//!
//! | | bytes | gathers (over) | atomics (over) | barriers |
//! | --- | --- | --- | --- | --- |
//! | bfs | an offset pair, distance and parent a reached vertex, one sector of its row: 16 r + min(32 r, 4 a) | a look at a bitmap a reached vertex: r (n / 8) | | a superstep |
//! | sssp | target and weight of every reached arc, offsets and distance: 8 a + 12 r | the target's distance: a (L) | | a superstep |
//! | pagerank, a sweep | targets, offsets, rank and share: 4 m + 12 n' | the other end's share: m (L) | | 1 |
//! | wcc | offsets, two arcs and the component: 12 n' + min(32 n', 4 m) | two neighbours' components: min(2 n', m) (F) | | |
//! | bc | targets in the pass out and the pass back, offsets, level, paths, score: 8 a + 24 r | a level an arc in both: 2 a (L) | | 2 a level of bfs |
//! | triangles | every edge once, from one end: 2 m | the offsets of its other end: m / 2 (2 F) | | |
//! | kcore | targets of every vertex once, offsets and degrees: 4 m + 12 n' | | a degree lowered an edge: m / 2 (F) | |
//! | mst | target and weight of every arc in a first pass, offsets: 8 m + 8 n' | the other end's component: m (L) | | |

use super::{Question, locality::Locality};
use crate::{GpuLimits, units};
use serde::{Deserialize, Serialize};
use std::fmt;
use warpgraph::Order;

/// Bytes that memory is read by.
const SECTOR: f64 = 32.0;

/// What a run has to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// Vertices.
    pub vertices: u64,
    /// Those with arcs.
    pub with_arcs: u64,
    /// Arcs.
    pub arcs: u64,
    /// Vertices that a search reaches.
    pub reached: u64,
    /// Arcs of these.
    pub arcs_reached: u64,
    /// Supersteps of the run.
    pub rounds: u64,
    /// Supersteps of bfs on this graph, if it was measured.
    pub levels: Option<u64>,
    /// The order of the vertices.
    pub order: Order,
    /// Where arcs lead to.
    pub locality: Locality,
}

/// What binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// Bytes in order.
    Bandwidth,
    /// Reads at random places.
    Gather,
    /// Reads along arcs; in files they are gathers like others.
    #[serde(rename(serialize = "gather"), skip_deserializing)]
    Along,
    /// Atomics at random places.
    Atomic,
    /// Supersteps.
    Barrier,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Bandwidth => "bandwidth",
            Self::Gather | Self::Along => "gather",
            Self::Atomic => "atomic",
            Self::Barrier => "barrier",
        })
    }
}

/// A term of a model.
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

/// The least time of a run, or of sweeps of pagerank.
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
    /// That of so many sweeps.
    pub fn times(mut self, sweeps: u64) -> Self {
        let by = sweeps as f64;
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

/// The model of an algorithm. `None` if there is nothing to do.
pub fn limit(question: Question, work: &Work, limits: &GpuLimits) -> Option<Limit> {
    let terms: Vec<Term> = amounts(question, work)
        .into_iter()
        .filter(|(_, amount, _)| *amount > 0.0)
        .map(|(bound, amount, footprint)| {
            let rate = match bound {
                Bound::Bandwidth => limits.bandwidth(),
                Bound::Gather => limits.gather_rate(footprint),
                Bound::Atomic => limits.atomic_rate(footprint),
                Bound::Along => 1.0 / work.locality.seconds(1.0, |bytes| limits.gather_rate(bytes)),
                Bound::Barrier => 1.0 / limits.superstep_seconds(),
            };
            Term { bound, amount, footprint, seconds: amount / rate }
        })
        .collect();
    let most = terms.iter().copied().max_by(|a, b| a.seconds.total_cmp(&b.seconds))?;
    Some(Limit { bound: most.bound, seconds: most.seconds, terms })
}

/// The table above.
fn amounts(question: Question, work: &Work) -> Vec<(Bound, f64, u64)> {
    use Bound::{Along, Atomic, Bandwidth, Barrier, Gather};
    let of = |count: u64| count as f64;
    let (with_arcs, m) = (of(work.with_arcs), of(work.arcs));
    let (r, a, rounds) = (of(work.reached), of(work.arcs_reached), of(work.rounds));
    let values = 4 * if work.order == Order::Degree { work.with_arcs } else { work.vertices };
    match question {
        Question::Bfs => vec![
            (Bandwidth, 16.0 * r + (SECTOR * r).min(4.0 * a), 0),
            (Gather, r, work.vertices.div_ceil(8)),
            (Barrier, rounds, 0),
        ],
        Question::Sssp => {
            vec![(Bandwidth, 8.0 * a + 12.0 * r, 0), (Along, a, values), (Barrier, rounds, 0)]
        }
        Question::PageRank => {
            vec![(Bandwidth, 4.0 * m + 12.0 * with_arcs, 0), (Along, m, values), (Barrier, 1.0, 0)]
        }
        Question::Wcc => vec![
            (Bandwidth, 12.0 * with_arcs + (SECTOR * with_arcs).min(4.0 * m), 0),
            (Gather, (2.0 * with_arcs).min(m), values),
        ],
        Question::Bc => vec![
            (Bandwidth, 8.0 * a + 24.0 * r, 0),
            (Along, 2.0 * a, values),
            (Barrier, 2.0 * of(work.levels.unwrap_or(0)), 0),
        ],
        Question::Triangles => vec![(Bandwidth, 2.0 * m, 0), (Gather, m / 2.0, 2 * values)],
        Question::Kcore => vec![(Bandwidth, 4.0 * m + 12.0 * with_arcs, 0), (Atomic, m / 2.0, values)],
        Question::Mst => vec![(Bandwidth, 8.0 * m + 8.0 * with_arcs, 0), (Along, m, values)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_limits::tests::limits;

    fn work() -> Work {
        Work {
            vertices: 1 << 22,
            with_arcs: 1 << 21,
            arcs: 128_000_000,
            reached: 1 << 21,
            arcs_reached: 128_000_000,
            rounds: 7,
            levels: Some(7),
            order: Order::Natural,
            locality: Locality::even(16 << 20),
        }
    }

    #[test]
    fn a_sweep_of_pagerank_is_bound_by_its_gathers() {
        let limit = limit(Question::PageRank, &work(), &limits()).unwrap();
        assert_eq!((limit.bound, limit.terms.len()), (Bound::Along, 3));
        let expected = 128e6 / limits().gather_rate(16 << 20);
        assert!((limit.seconds - expected).abs() < 1e-12, "{limit:?}");
        let locality = Locality { apart: 0.5, ..work().locality };
        let closer = super::limit(Question::PageRank, &Work { locality, ..work() }, &limits());
        assert!(closer.unwrap().seconds < limit.seconds, "fewer sectors to gather");
    }

    #[test]
    fn a_search_of_many_supersteps_is_bound_by_barriers_and_counts_of_atomics_by_those() {
        let deep = Work { rounds: 5_680, ..work() };
        let limit = |question, work: &Work| super::limit(question, work, &limits()).unwrap();
        let barriers = limit(Question::Bfs, &deep);
        assert_eq!(barriers.bound, Bound::Barrier);
        assert!((barriers.seconds - 5_680.0 * 1e-6).abs() < 1e-12);
        assert_eq!(limit(Question::Kcore, &work()).bound, Bound::Atomic);
    }

    #[test]
    fn every_algorithm_has_a_model_and_an_empty_graph_none() {
        for question in Question::ALL {
            let limit = limit(question, &work(), &limits()).unwrap();
            assert!(limit.seconds > 1e-6 && limit.seconds < 1e-2, "{question}: {limit:?}");
        }
        let empty = Work {
            vertices: 0,
            with_arcs: 0,
            arcs: 0,
            reached: 0,
            arcs_reached: 0,
            rounds: 0,
            levels: None,
            order: Order::Natural,
            locality: Locality::even(0),
        };
        assert_eq!(limit(Question::Wcc, &empty, &limits()), None);
    }
}
