//! Sums over a stretch of a search's vertices, sorted by level. The sums of all stretches add up to those of the
//! search.

use super::Frontiers;
use crate::unified::pages_of;
use std::ops::Range;
use warpgraph_graph::{Offset, Vertex, View};

/// How many factors below 2^32 have a finite product.
const FACTORS: u32 = 31;

/// A sum of logarithms and the number of its terms.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct LogSum {
    bits: f64,
    terms: u64,
}

impl LogSum {
    pub(super) fn plus(self, other: Self) -> Self {
        Self { bits: self.bits + other.bits, terms: self.terms + other.terms }
    }

    pub(super) fn mean(self) -> Option<f64> {
        (self.terms > 0).then(|| self.bits / self.terms as f64)
    }
}

/// Sums logarithms as the logarithm of a product: one call of `log2` for many gaps.
struct Product {
    sum: LogSum,
    product: f64,
    factors: u32,
}

impl Product {
    fn of(sum: LogSum) -> Self {
        Self { sum, product: 1.0, factors: 0 }
    }

    fn add(&mut self, gap: u32) {
        self.product *= f64::from(gap);
        self.factors += 1;
        if self.factors == FACTORS {
            *self = Self::of(self.sum());
        }
    }

    fn sum(&self) -> LogSum {
        self.sum.plus(LogSum { bits: self.product.log2(), terms: self.factors.into() })
    }
}

/// The pages touched, counted again in every level. Levels increase, and so do pages within a level, so two consecutive
/// stretches can share a page only at their common end.
#[derive(Debug, Default)]
pub(super) struct Touched {
    pub(super) pages: u64,
    /// Level and page of the first and last touch.
    first: Option<(usize, u64)>,
    last: Option<(usize, u64)>,
}

impl Touched {
    fn touch(&mut self, level: usize, pages: Range<u64>) {
        let (first, last) = ((level, pages.start), (level, pages.end - 1));
        self.pages += pages.end - pages.start - u64::from(self.last == Some(first));
        self.first = self.first.or(Some(first));
        self.last = Some(last);
    }

    fn plus(self, after: Self) -> Self {
        let shared = after.first.is_some() && self.last == after.first;
        Self {
            pages: self.pages + after.pages - u64::from(shared),
            first: self.first.or(after.first),
            last: after.last.or(self.last),
        }
    }
}

/// The sums of one stretch of vertices.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) intra: LogSum,
    pub(super) inter: LogSum,
    pub(super) edges: u64,
    pub(super) touched: Touched,
}

impl Sums {
    /// Sums over the vertices at these positions.
    pub(super) fn of<O: Offset>(
        g: View<'_, O>,
        frontiers: &Frontiers,
        places: Range<usize>,
        edge_bytes: u32,
    ) -> Self {
        let mut sums = Self::default();
        let mut place = places.start;
        while place < places.end {
            let level = frontiers.level_at(place);
            let (start, end) = (frontiers.start(level), frontiers.start(level + 1).min(places.end));
            let (all, part) = (frontiers.level(level), place - start..end - start);
            sums.within(all, part.clone());
            if let Some(before) = level.checked_sub(1) {
                sums.between(frontiers.level(before), &all[part.clone()]);
            }
            sums.rows(g, level, &all[part], edge_bytes);
            place = end;
        }
        sums
    }

    pub(super) fn plus(self, after: Self) -> Self {
        Self {
            intra: self.intra.plus(after.intra),
            inter: self.inter.plus(after.inter),
            edges: self.edges + after.edges,
            touched: self.touched.plus(after.touched),
        }
    }

    /// Adds the gaps that end in a part of a level.
    fn within(&mut self, level: &[Vertex], part: Range<usize>) {
        let mut gaps = Product::of(self.intra);
        let pairs = level[part.start.saturating_sub(1)..part.end].windows(2);
        pairs.for_each(|pair| gaps.add(pair[1] - pair[0]));
        self.intra = gaps.sum();
    }

    /// Adds the distance from each vertex to the nearest one of the level before. The two levels share no vertex.
    fn between(&mut self, before: &[Vertex], vertices: &[Vertex]) {
        let (Some(&first), false) = (vertices.first(), before.is_empty()) else { return };
        let mut gaps = Product::of(self.inter);
        let mut above = before.partition_point(|&u| u < first);
        for &v in vertices {
            while above < before.len() && before[above] < v {
                above += 1;
            }
            let up = before.get(above).map(|&u| u - v);
            let down = above.checked_sub(1).map(|i| v - before[i]);
            up.into_iter().chain(down).min().into_iter().for_each(|gap| gaps.add(gap));
        }
        self.inter = gaps.sum();
    }

    fn rows<O: Offset>(&mut self, g: View<'_, O>, level: usize, vertices: &[Vertex], edge_bytes: u32) {
        for &v in vertices {
            let arcs = g.arcs_of(v);
            self.edges += arcs.len() as u64;
            if !arcs.is_empty() {
                self.touched.touch(level, pages_of(arcs, edge_bytes));
            }
        }
    }
}
