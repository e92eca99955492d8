//! Counts shortest paths for the verifier: serial, with exponents so that no count overflows, and independent of the
//! engines.

use std::{cmp::Reverse, collections::BinaryHeap};
use warpgraph_graph::{Graph, Vertex, Weights};

/// A path count: `mantissa * 2^exponent`, the mantissa in `[1, 2)`, or 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Count {
    mantissa: f64,
    exponent: i32,
}

impl Count {
    const ZERO: Self = Self { mantissa: 0.0, exponent: 0 };
    const ONE: Self = Self { mantissa: 1.0, exponent: 0 };

    pub(super) fn is_zero(self) -> bool {
        self.mantissa == 0.0
    }

    fn plus(self, other: Self) -> Self {
        let (more, less) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let mantissa = more.mantissa + less.mantissa * power(less.exponent - more.exponent);
        let carry = i32::from(mantissa >= 2.0);
        Self { mantissa: mantissa * power(-carry), exponent: more.exponent + carry }
    }

    /// Returns `self * other / all`, a share of at most 1.
    pub(super) fn times_over(self, other: Self, all: Self) -> f64 {
        self.mantissa * other.mantissa / all.mantissa * power(self.exponent + other.exponent - all.exponent)
    }
}

/// Returns 2^x, or 0 if that underflows.
fn power(x: i32) -> f64 {
    if x < -1000 { 0.0 } else { 2f64.powi(x) }
}

/// The shortest paths from one source.
pub(super) struct Paths<'a> {
    graph: &'a Graph,
    weighted: bool,
    /// The vertices reached, nearest first.
    pub(super) order: Vec<Vertex>,
    /// Lengths; `u64::MAX` if unreached. Floating-point lengths are stored as their bits, which sort like non-negative
    /// numbers.
    lengths: Vec<u64>,
    /// The number of shortest paths to each vertex.
    pub(super) counts: Vec<Count>,
    /// The mean number of arcs on those paths.
    pub(super) hops: Vec<f64>,
}

impl<'a> Paths<'a> {
    pub(super) fn from(graph: &'a Graph, source: Vertex, weighted: bool) -> Self {
        let n = graph.vertices();
        let mut paths = Self {
            graph,
            weighted,
            order: Vec::new(),
            lengths: vec![u64::MAX; n],
            counts: vec![Count::ZERO; n],
            hops: vec![0.0; n],
        };
        if weighted {
            paths.search(source);
        } else {
            paths.search_by_hops(source);
        }
        paths.count(source);
        paths
    }

    /// Returns `length` extended by one arc.
    fn longer(&self, length: u64, arc: usize) -> u64 {
        if !self.weighted {
            return length + 1;
        }
        match &self.graph.out().weights {
            Weights::F32(_) | Weights::F64(_) => {
                (f64::from_bits(length) + self.graph.out().weights.get(arc)).to_bits()
            }
            weights => length + weights.get(arc) as u64,
        }
    }

    fn search_by_hops(&mut self, source: Vertex) {
        let csr = &self.graph.out().csr;
        self.lengths[source as usize] = 0;
        self.order.push(source);
        let mut at = 0;
        while let Some(&u) = self.order.get(at) {
            let longer = self.lengths[u as usize] + 1;
            for &v in csr.neighbors(u) {
                if self.lengths[v as usize] == u64::MAX {
                    self.lengths[v as usize] = longer;
                    self.order.push(v);
                }
            }
            at += 1;
        }
    }

    /// Settles vertices in Dijkstra's order.
    fn search(&mut self, source: Vertex) {
        let csr = &self.graph.out().csr;
        let far = f64::INFINITY.to_bits();
        self.lengths[source as usize] = 0;
        let mut heap = BinaryHeap::from([Reverse((0, source))]);
        while let Some(Reverse((length, u))) = heap.pop() {
            if self.lengths[u as usize] != length {
                continue;
            }
            self.order.push(u);
            for arc in csr.arcs_of(u) {
                let (v, longer) = (csr.targets()[arc], self.longer(length, arc));
                if longer < self.lengths[v as usize] && longer < far {
                    self.lengths[v as usize] = longer;
                    heap.push(Reverse((longer, v)));
                }
            }
        }
    }

    fn count(&mut self, source: Vertex) {
        let (mut counts, mut hops) = (std::mem::take(&mut self.counts), std::mem::take(&mut self.hops));
        counts[source as usize] = Count::ONE;
        for &u in &self.order {
            let (count, arcs) = (counts[u as usize], hops[u as usize] + 1.0);
            for v in self.successors(u) {
                let to = v as usize;
                let all = counts[to].plus(count);
                hops[to] += (arcs - hops[to]) * count.times_over(Count::ONE, all);
                counts[to] = all;
            }
        }
        (self.counts, self.hops) = (counts, hops);
    }

    /// Iterates over the vertices right after `u` on shortest paths, once per arc.
    fn successors(&self, u: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let csr = &self.graph.out().csr;
        let length = self.lengths[u as usize];
        csr.arcs_of(u).filter_map(move |arc| {
            let v = csr.targets()[arc];
            let next = self.lengths[v as usize];
            (length < next && self.longer(length, arc) == next).then_some(v)
        })
    }

    /// Returns the dependency on `v` by its definition: the share of the paths to each other vertex that pass through
    /// `v`.
    pub(super) fn through(&self, v: Vertex) -> f64 {
        if self.counts[v as usize].is_zero() {
            return 0.0;
        }
        let mut onwards = vec![Count::ZERO; self.counts.len()];
        onwards[v as usize] = Count::ONE;
        let start = self.order.iter().position(|&u| u == v).unwrap_or(0);
        let mut sum = 0.0;
        for &u in &self.order[start..] {
            let count = onwards[u as usize];
            if count.is_zero() {
                continue;
            }
            if u != v {
                sum += count.times_over(self.counts[v as usize], self.counts[u as usize]);
            }
            for w in self.successors(u) {
                onwards[w as usize] = onwards[w as usize].plus(count);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_and_divide_beyond_the_range_of_decimals() {
        let mut huge = Count::ONE;
        (0..5000).for_each(|_| huge = huge.plus(huge));
        assert_eq!(huge, Count { mantissa: 1.0, exponent: 5000 });
        assert_eq!(huge.times_over(Count::ONE, huge.plus(huge)), 0.5);
        assert_eq!(Count::ONE.times_over(Count::ONE, huge), 0.0);
        assert_eq!(huge.plus(Count::ONE), huge);
    }
}
