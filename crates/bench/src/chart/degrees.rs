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
    /// Returns degrees that vertices have, from the least, and how many vertices have each.
    fn sorted(&self) -> BTreeMap<u64, u64> {
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        for (degree, count) in self.counts.iter().filter(|(_, count)| *count > 0) {
            let sum = counts.entry(*degree).or_default();
            *sum = sum.saturating_add(*count);
        }
        counts
    }

    /// Returns degrees above 0, and how many vertices have at least so many.
    pub(super) fn falling(&self) -> BTreeMap<u64, u64> {
        let (mut counts, mut above) = (self.sorted(), 0u64);
        counts.remove(&0);
        for count in counts.values_mut().rev() {
            above = above.saturating_add(*count);
            *count = above;
        }
        counts
    }

    pub(super) fn label(&self, is_falling: bool) -> String {
        match self.sorted().get(&0) {
            Some(zeros) if is_falling => format!("{}; {} of degree 0", self.name, count(*zeros)),
            _ => self.name.clone(),
        }
    }
}

/// Draws the degrees of some series under a title.
pub fn figure(title: &str, all: &[Series]) -> Figure {
    let is_falling = all.iter().flat_map(Series::sorted).any(|(degree, _)| degree > FEW);
    let points = |one: &Series| {
        let counts = if is_falling { one.falling() } else { one.sorted() };
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
