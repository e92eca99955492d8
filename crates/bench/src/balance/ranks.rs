//! Figures 9 and 11: strategies ranked by time and memory, and what work chunking gains.

use super::{
    report::{Cell, Clock, Report},
    strategy::{EDGE, EDGE_WITHOUT_CHUNKING, NODE, in_the_paper},
};
use crate::statistics::geometric_mean;
use serde::Serialize;

/// A strategy among the others.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rank {
    /// The strategy.
    pub strategy: String,
    /// What the paper calls it.
    pub in_the_paper: &'static str,
    /// Geometric mean of its times over those of `node`, where both ran.
    pub time: Option<f64>,
    /// Its place by that, from 1.
    pub time_rank: Option<usize>,
    /// The same for bytes on the device.
    pub memory: Option<f64>,
    /// Its place by that, from 1; those that take the same share a place.
    pub memory_rank: Option<usize>,
    /// Cells that ran.
    pub ran: usize,
    /// Cells that did not.
    pub failed: usize,
}

/// What one atomic for all arcs of a vertex gains over one for each.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chunking {
    /// The graph.
    pub graph: String,
    /// The algorithm.
    pub algorithm: String,
    /// Time without chunking over time with it.
    pub speedup: f64,
}

/// All strategies, the fastest first, then those without figures.
pub fn ranks(report: &Report) -> Vec<Rank> {
    let mut ranks: Vec<Rank> = report.labels().into_iter().map(|label| rank(report, label)).collect();
    let times: Vec<f64> = ranks.iter().filter_map(|rank| rank.time).collect();
    let sizes: Vec<f64> = ranks.iter().filter_map(|rank| rank.memory).collect();
    for rank in &mut ranks {
        rank.time_rank = rank.time.map(|time| place(time, &times));
        rank.memory_rank = rank.memory.map(|size| place(size, &sizes));
    }
    ranks.sort_by_key(|rank| rank.time_rank.unwrap_or(usize::MAX));
    ranks
}

fn rank(report: &Report, label: &str) -> Rank {
    let cells: Vec<&Cell> = report.cells.iter().filter(|cell| cell.label() == label).collect();
    let mean = |figure: &dyn Fn(&Cell) -> Option<f64>| {
        let ratio = |cell: &&Cell| {
            let node = report.cell(&cell.graph, &cell.algorithm, NODE)?;
            Some(figure(cell)? / figure(node)?).filter(|ratio| ratio.is_finite() && *ratio > 0.0)
        };
        geometric_mean(&cells.iter().filter_map(ratio).collect::<Vec<_>>())
    };
    let ran = cells.iter().filter(|cell| cell.seconds.is_some()).count();
    Rank {
        strategy: label.to_owned(),
        in_the_paper: in_the_paper(label),
        time: mean(&|cell| cell.time(Clock::Run)),
        time_rank: None,
        memory: mean(&|cell| cell.memory.map(|memory| memory.total() as f64)),
        memory_rank: None,
        ran,
        failed: cells.len() - ran,
    }
}

/// One more than how many are less.
fn place(value: f64, all: &[f64]) -> usize {
    1 + all.iter().filter(|&&other| other < value).count()
}

/// One entry for each graph and algorithm where both forms of `edge` ran.
pub fn chunking(report: &Report) -> Vec<Chunking> {
    let entry = |cell: &Cell| {
        let without = report.cell(&cell.graph, &cell.algorithm, EDGE_WITHOUT_CHUNKING)?;
        let speedup = without.time(Clock::Run)? / cell.time(Clock::Run)?;
        let (graph, algorithm) = (cell.graph.clone(), cell.algorithm.clone());
        speedup.is_finite().then_some(Chunking { graph, algorithm, speedup })
    };
    report.cells.iter().filter(|cell| cell.label() == EDGE).filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::balance::testing::{Made, as_in_the_paper, report};

    #[test]
    fn strategies_are_ranked_by_their_mean_over_the_baseline() {
        let ranks = as_in_the_paper().ranks;
        let named = |label: &str| ranks.iter().find(|rank| rank.strategy == label).unwrap();
        assert_eq!(ranks[0].strategy, "edge", "{ranks:?}");
        assert_eq!((named("node").time, named("node").memory_rank), (Some(1.0), Some(1)));
        assert!(named("edge").memory_rank > named("split").memory_rank);
        assert_eq!((named("edge").ran, named("edge").failed), (6, 2), "it does not fit on the large graph");
    }

    #[test]
    fn equal_sizes_share_a_place() {
        assert_eq!([1.0, 2.0, 2.0, 3.0].map(|x| place(x, &[1.0, 2.0, 2.0, 3.0])), [1, 2, 2, 4]);
    }

    #[test]
    fn without_the_baseline_there_are_no_ranks() {
        let ranks = report(vec![Made::on("g", "bfs", "edge").seconds(1.0)]).ranks;
        assert_eq!((ranks[0].time, ranks[0].time_rank, ranks[0].ran), (None, None, 1));
    }

    #[test]
    fn chunking_is_the_time_without_over_the_time_with() {
        let gains = report(vec![
            Made::on("g", "bfs", "edge").seconds(2.0),
            Made::on("g", "bfs", "edge(chunking=off)").seconds(3.0),
            Made::on("g", "sssp", "edge").seconds(2.0),
            Made::on("h", "bfs", "edge").refused("device-memory"),
            Made::on("h", "bfs", "edge(chunking=off)").seconds(3.0),
        ])
        .chunking;
        assert_eq!(gains, [Chunking { graph: "g".to_owned(), algorithm: "bfs".to_owned(), speedup: 1.5 }]);
    }
}
