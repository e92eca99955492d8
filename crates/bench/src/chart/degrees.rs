//! The degrees of a graph: how many vertices have at least a degree, both axes logarithmic. Unlike the number of vertices per
//! degree this line needs no bins and has no noise where vertices are few. Degree 0 has no logarithm, so the legend says
//! how many vertices have it.
//!
//! Where no degree is above [`FEW`], as in road networks, that line would be level; there the figure shows the number of
//! vertices of each degree, over a linear axis.

use super::{Figure, Lines, Unit, lines::Panel};
use crate::units::count;
use std::collections::BTreeMap;

/// The largest degree up to which degrees are shown one by one.
pub const FEW: u64 = 24;

/// Degrees of one kind: out, in, or of another graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Degrees and how many vertices have each, in any order.
    pub counts: Vec<(u64, u64)>,
}

impl Series {
    /// Degrees that vertices have, from the least, and how many vertices have each.
    fn sorted(&self) -> BTreeMap<u64, u64> {
        let mut counts = BTreeMap::new();
        for (degree, count) in self.counts.iter().filter(|(_, count)| *count > 0) {
            let sum: &mut u64 = counts.entry(*degree).or_default();
            *sum = sum.saturating_add(*count);
        }
        counts
    }

    /// Degrees above 0, and how many vertices have at least so many.
    fn falling(&self) -> Vec<(u64, u64)> {
        let mut above = 0u64;
        let mut counts: Vec<(u64, u64)> = self.sorted().into_iter().filter(|(d, _)| *d > 0).collect();
        for (_, count) in counts.iter_mut().rev() {
            above = above.saturating_add(*count);
            *count = above;
        }
        counts
    }

    fn label(&self, is_falling: bool) -> String {
        match self.sorted().get(&0) {
            Some(zeros) if is_falling => format!("{}; {} of degree 0", self.name, count(*zeros)),
            _ => self.name.clone(),
        }
    }
}

/// Draws the degrees of some series under a title.
pub fn figure(title: &str, all: &[Series]) -> Figure {
    let most = all.iter().filter_map(|one| one.sorted().into_keys().next_back()).max().unwrap_or(0);
    let is_falling = most > FEW;
    let points = |one: &Series| -> Vec<(f64, f64)> {
        let counts = if is_falling { one.falling() } else { one.sorted().into_iter().collect() };
        counts.into_iter().map(|(degree, count)| (degree as f64, count as f64)).collect()
    };
    let up = if is_falling { "vertices of at least this degree" } else { "vertices of this degree" };
    Lines {
        title: title.to_owned(),
        across: ("degree".to_owned(), is_falling),
        up: (up.to_owned(), true),
        unit: Unit::Number,
        marks_points: !is_falling,
        series: all.iter().map(|one| one.label(is_falling)).collect(),
        panels: vec![Panel { lines: all.iter().map(points).collect(), ..Panel::default() }],
    }
    .figure()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(name: &str, counts: &[(u64, u64)]) -> Series {
        Series { name: name.to_owned(), counts: counts.to_vec() }
    }

    #[test]
    fn a_degree_has_all_vertices_of_at_least_as_much() {
        let series = made("out", &[(3, 1), (0, 5), (1, 10), (2, 4), (7, 0)]);
        assert_eq!(series.falling(), [(1, 15), (2, 5), (3, 1)]);
        assert_eq!(
            (series.label(true).as_str(), series.label(false).as_str()),
            ("out; 5 of degree 0", "out")
        );
        assert_eq!(made("in", &[(2, 3), (2, 4)]).falling(), [(2, 7)]);
        assert_eq!(made("in", &[(1, u64::MAX), (2, u64::MAX)]).falling()[0], (1, u64::MAX));
    }

    #[test]
    fn series_and_axes_are_named() {
        let all = [made("out <b>", &[(1, 100), (10, 10)]), made("in", &[(1, 50), (1000, 1)])];
        let figure = figure("degrees of kron:14", &all);
        for word in ["degrees of kron:14", "out &lt;b&gt;", "in", "vertices of at least this degree", "1,000"]
        {
            assert!(figure.svg().contains(word), "{word}\n{}", figure.svg());
        }
    }

    #[test]
    fn few_degrees_are_shown_one_by_one() {
        let figure = figure("grid", &[made("out", &[(2, 4), (3, 3000), (4, 500_000)])]);
        assert!(figure.svg().contains("vertices of this degree") && figure.svg().contains(">3<"));
        assert_eq!(figure.svg().matches("<circle").count(), 3);
    }

    #[test]
    fn figures_of_nothing_are_drawn_too() {
        for all in [&[][..], &[made("out", &[])], &[made("out", &[(3, 0)])]] {
            assert!(figure("t", all).svg().contains("nothing was measured"));
        }
        figure("t", &[made("out", &[(u64::MAX, u64::MAX)])]);
    }
}
