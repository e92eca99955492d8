//! Orders over all graphs: what one order is worth, in a line.

use super::report::{Cell, Report};
use crate::statistics::geometric_mean;
use serde::Serialize;

/// An order over all graphs it was measured on; `None` where there is nothing to take a mean of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mean {
    /// The order.
    pub order: String,
    /// Graphs it was measured on.
    pub graphs: usize,
    /// The log gap within levels: the arithmetic mean, since it is a mean of logarithms already.
    pub within: Option<f64>,
    /// Bytes moved over ideal: the geometric mean.
    pub amplification: Option<f64>,
    /// Times of searches over those in the natural order: the geometric mean.
    pub bfs: Option<f64>,
    /// The same of PageRank.
    pub pagerank: Option<f64>,
}

/// Of every order.
pub(super) fn means(report: &Report) -> Vec<Mean> {
    report.orders().into_iter().map(|order| mean(report, order)).collect()
}

fn mean(report: &Report, order: &str) -> Mean {
    let cells: Vec<&Cell> =
        report.cells.iter().filter(|cell| cell.order == order && cell.error.is_none()).collect();
    let all = |value: &dyn Fn(&Cell) -> Option<f64>| -> Vec<f64> {
        cells.iter().filter_map(|cell| value(cell)).collect()
    };
    let positive = |value: &dyn Fn(&Cell) -> Option<f64>| -> Option<f64> {
        geometric_mean(&all(value).into_iter().filter(|x| *x > 0.0).collect::<Vec<f64>>())
    };
    let gaps = all(&Cell::within);
    Mean {
        order: order.to_owned(),
        graphs: cells.len(),
        within: (!gaps.is_empty()).then(|| gaps.iter().sum::<f64>() / gaps.len() as f64),
        amplification: positive(&Cell::amplification),
        bfs: positive(&|cell| report.of_natural(cell, Cell::bfs_seconds)),
        pagerank: positive(&|cell| report.of_natural(cell, Cell::pagerank_seconds)),
    }
}

#[cfg(test)]
mod tests {
    use crate::halo::testing::{as_in_the_paper, report};

    #[test]
    fn an_order_is_taken_over_its_graphs() {
        let report = as_in_the_paper();
        let halo = report.means.iter().find(|mean| mean.order == "halo2").unwrap();
        assert_eq!((halo.graphs, halo.within), (2, Some(4.0)), "2 and 6 bits");
        let near = |value: Option<f64>, expected: f64| (value.unwrap() - expected).abs() < 1e-12;
        assert!(near(halo.amplification, 1.5) && near(halo.bfs, 0.5), "{halo:?}");
        let natural = &report.means[0];
        assert!(near(natural.bfs, 1.0) && near(natural.pagerank, 1.0), "{natural:?}");
    }

    #[test]
    fn what_did_not_run_has_no_part() {
        let random = as_in_the_paper().means.into_iter().find(|mean| mean.order == "random").unwrap();
        assert_eq!(random.graphs, 1, "the other has an error");
        assert!(report(vec![]).means.is_empty());
    }
}
