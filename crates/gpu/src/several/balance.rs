//! [`Balance`]: moves the cut of a graph between runs if one device takes longer than the others.
//!
//! A part takes a time per unit of its work, which is the number of its vertices and arcs, as in [`Cut::even`]. The next cut
//! gives every device an equal share of the time that the last run would take by these rates. The cut moves at most
//! [`MOST`] times, and back to the best one if a move made it worse, so it settles.

use warpgraph_core::Result;
use warpgraph_graph::Graph;
use warpgraph_parts::Cut;

/// The cut moves if the slowest device took so many times the mean.
const UNEVEN: f64 = 1.2;
/// Runs with less computing per device say nothing: seconds.
const SHORT: f64 = 1e-3;
/// How often the cut may move.
const MOST: u32 = 4;

/// What is known about the balance of a cut.
#[derive(Debug, Default)]
pub(super) struct Balance {
    /// How long each device computed in the last run.
    busy: Vec<f64>,
    moves: u32,
    /// The time of the slowest device under the best cut so far, and that cut.
    best: Option<(f64, Cut)>,
    settled: bool,
}

impl Balance {
    /// Takes how long each device computed; returns the longest time over the mean.
    pub(super) fn note(&mut self, busy: &[f64]) -> f64 {
        self.busy = busy.to_vec();
        imbalance(busy)
    }

    /// Returns a better cut for the next run than `cut`, that of the last one; `None` if it should stay.
    ///
    /// # Errors
    /// Never in practice: the cut has as many parts as the last one.
    pub(super) fn better(&mut self, graph: &Graph, cut: &Cut) -> Result<Option<Cut>> {
        let busy = std::mem::take(&mut self.busy);
        if self.settled || busy.len() != cut.parts() {
            return Ok(None);
        }
        let slowest = busy.iter().copied().fold(0.0, f64::max);
        match &self.best {
            // The last move made it worse.
            Some((least, best)) if slowest > *least => {
                self.settled = true;
                return Ok(Some(best.clone()).filter(|best| best != cut));
            }
            _ => self.best = Some((slowest, cut.clone())),
        }
        if self.moves >= MOST || imbalance(&busy) < UNEVEN || mean(&busy) < SHORT {
            return Ok(None);
        }
        self.moves += 1;
        let moved = by_rates(graph, cut, &busy)?;
        Ok(Some(moved).filter(|moved| moved != cut))
    }
}

fn mean(busy: &[f64]) -> f64 {
    busy.iter().sum::<f64>() / busy.len().max(1) as f64
}

fn imbalance(busy: &[f64]) -> f64 {
    let mean = mean(busy);
    if mean > 0.0 { busy.iter().copied().fold(0.0, f64::max) / mean } else { 1.0 }
}

/// Returns the cut into parts of equal time, if each vertex and arc takes the time that those of its part took.
fn by_rates(graph: &Graph, cut: &Cut, busy: &[f64]) -> Result<Cut> {
    let (offsets, starts) = (graph.out().csr.offsets(), cut.starts());
    let work = |v: usize| offsets.get(v) as u64 + v as u64;
    let nanos: Vec<u64> = busy.iter().map(|seconds| (seconds * 1e9) as u64 + 1).collect();
    let before: Vec<u64> = std::iter::once(0)
        .chain(nanos.iter().scan(0, |sum, nanos| {
            *sum += nanos;
            Some(*sum)
        }))
        .collect();
    let spent = |v: usize| {
        let part = starts.partition_point(|&start| start as usize <= v).saturating_sub(1).min(busy.len() - 1);
        let (first, end) = (work(starts[part] as usize), work(starts[part + 1] as usize));
        let share = (work(v) - first) as f64 / (end - first).max(1) as f64;
        before[part] + (nanos[part] as f64 * share) as u64
    };
    Cut::even_by(graph.vertices(), cut.parts(), spent).map_err(super::core_error)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use warpgraph_graph::generate::Spec;

    fn grid() -> Graph {
        "grid:100x100".parse::<Spec>().unwrap().generate(&Default::default()).unwrap()
    }

    #[test]
    fn a_device_of_half_the_speed_gets_half_the_work() {
        let graph = grid();
        let cut = Cut::even(&graph.out().csr, 2).unwrap();
        let mut balance = Balance::default();
        assert!(balance.note(&[0.2, 0.1]) > 1.3);
        let moved = balance.better(&graph, &cut).unwrap().unwrap();
        // The first device does half of its old work in 0.1 s; 3/8 of the whole take both 0.15 s.
        let share = f64::from(moved.starts()[1]) / f64::from(moved.starts()[2]);
        assert!((share - 0.375).abs() < 0.01, "{share}");
        balance.note(&[0.15, 0.15]);
        assert!(balance.better(&graph, &moved).unwrap().is_none(), "it is even now");
    }

    #[test]
    fn a_move_that_made_it_worse_is_taken_back_once() {
        let graph = grid();
        let cut = Cut::even(&graph.out().csr, 3).unwrap();
        let mut balance = Balance::default();
        balance.note(&[0.2, 0.1, 0.1]);
        let moved = balance.better(&graph, &cut).unwrap().unwrap();
        balance.note(&[0.1, 0.1, 0.3]);
        assert_eq!(balance.better(&graph, &moved).unwrap().unwrap(), cut);
        balance.note(&[0.4, 0.1, 0.1]);
        assert!(balance.better(&graph, &cut).unwrap().is_none(), "it has settled");
    }

    #[test]
    fn even_and_short_runs_move_nothing() {
        let graph = grid();
        let cut = Cut::even(&graph.out().csr, 2).unwrap();
        for busy in [vec![0.1, 0.11], vec![1e-6, 1e-5], vec![]] {
            let mut balance = Balance::default();
            balance.note(&busy);
            assert!(balance.better(&graph, &cut).unwrap().is_none(), "{busy:?}");
        }
    }

    #[test]
    fn every_vertex_stays_in_the_cut_whatever_the_times() {
        let graph = grid();
        let cut = Cut::new(vec![0, 0, 10, 10_000, 10_000]).unwrap();
        let moved = by_rates(&graph, &cut, &[0.0, 5.0, 1e-9, 0.0]).unwrap();
        assert_eq!((moved.parts(), moved.vertices()), (4, 10_000));
    }
}
