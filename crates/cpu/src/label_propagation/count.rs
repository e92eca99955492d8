//! Finds the most frequent label around a vertex.

use super::{Around, Side};
use warpgraph_graph::{NO_VERTEX, Offset, Vertex};

/// The tables of a thread, reused from vertex to vertex.
#[derive(Default)]
pub(super) struct Counter {
    /// Labels and their counts, by hash; [`NO_VERTEX`] marks a free slot.
    table: Vec<(Vertex, u32)>,
    /// Labels and weights, to sum.
    weighed: Vec<(Vertex, f64)>,
}

impl<O: Offset, I: Offset> Around<'_, O, I> {
    /// Returns the most frequent label around `v`, the smallest on ties; its own if `v` has no neighbours.
    #[inline(always)]
    pub(super) fn majority(&self, v: Vertex, labels: &[Vertex], counter: &mut Counter) -> Vertex {
        let row = self.out.view.neighbors(v);
        let other = self.other.as_ref().map_or(&[][..], |other| other.view.neighbors(v));
        if self.out.weights.is_some() {
            return self.heaviest(v, labels, counter).unwrap_or(labels[v as usize]);
        }
        let all = || row.iter().chain(other).map(|&u| labels[u as usize]);
        match row.len() + other.len() {
            0 => labels[v as usize],
            // With two labels the smaller one wins, whether they are equal or not.
            1 | 2 => all().fold(NO_VERTEX, Vertex::min),
            degree => counter.most(degree, all()),
        }
    }

    /// Returns the label with the greatest sum of weights.
    fn heaviest(&self, v: Vertex, labels: &[Vertex], counter: &mut Counter) -> Option<Vertex> {
        counter.weighed.clear();
        self.out.weigh(v, labels, &mut counter.weighed);
        if let Some(other) = &self.other {
            other.weigh(v, labels, &mut counter.weighed);
        }
        // Puts equal labels side by side, and their weights in an order that does not depend on that of the vertices.
        counter.weighed.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let groups = counter.weighed.chunk_by(|a, b| a.0 == b.0);
        let mut best: Option<(Vertex, f64)> = None;
        for group in groups {
            let sum: f64 = group.iter().map(|(_, weight)| weight).sum();
            if best.is_none_or(|(_, most)| sum > most) {
                best = Some((group[0].0, sum));
            }
        }
        best.map(|(label, _)| label)
    }
}

impl<O: Offset> Side<'_, O> {
    fn weigh(&self, v: Vertex, labels: &[Vertex], weighed: &mut Vec<(Vertex, f64)>) {
        let Some(weights) = self.weights else { return };
        let label = |arc: usize| labels[self.view.targets()[arc] as usize];
        weighed.extend(self.view.arcs_of(v).map(|arc| (label(arc), weights.get(arc))));
    }
}

impl Counter {
    /// Returns the most frequent of `degree` labels, the smallest on ties. `degree` is at least 1.
    #[inline(always)]
    fn most(&mut self, degree: usize, labels: impl Iterator<Item = Vertex>) -> Vertex {
        let bits = (2 * degree - 1).ilog2() + 1;
        let size = 1 << bits;
        if self.table.len() < size {
            self.table.resize(size, (NO_VERTEX, 0));
        }
        let table = &mut self.table[..size];
        table.fill((NO_VERTEX, 0));
        let (mut best, mut most) = (NO_VERTEX, 0);
        for label in labels {
            let mut at = (label.wrapping_mul(0x9e37_79b9) >> (32 - bits.min(32))) as usize & (size - 1);
            while table[at].0 != label && table[at].0 != NO_VERTEX {
                at = (at + 1) & (size - 1);
            }
            let count = table[at].1 + 1;
            table[at] = (label, count);
            // The last label to reach the greatest count is compared with all that reached it before.
            if count > most || count == most && label < best {
                (best, most) = (label, count);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_label_wins_and_the_smallest_of_several() {
        let mut counter = Counter::default();
        let mut most = |labels: &[Vertex]| counter.most(labels.len(), labels.iter().copied());
        assert_eq!(most(&[7]), 7);
        assert_eq!(most(&[9, 3, 9, 3, 5]), 3);
        assert_eq!(most(&[9, 3, 9, 3, 9]), 9);
        assert_eq!(most(&[4, 3, 2, 1]), 1);
        let many: Vec<Vertex> = (0..1000).chain([17, 500, 17, 500]).collect();
        assert_eq!(most(&many), 17);
        assert_eq!(most(&[8, 8, 6]), 8, "nothing is left of the larger table");
    }
}
