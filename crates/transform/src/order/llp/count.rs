//! Counts how many neighbours carry each label.

use warpgraph_graph::{NO_VERTEX, Vertex};

/// The tables of a thread, reused from vertex to vertex.
#[derive(Default)]
pub(super) struct Counter {
    /// The labels to count, gathered first, so that their loads do not wait for the counting.
    labels: Vec<Vertex>,
    /// Labels and their counts, by hash; [`NO_VERTEX`] marks a free slot.
    table: Vec<(Vertex, u32)>,
    /// The used slots, in the order in which they were taken.
    taken: Vec<u32>,
}

impl Counter {
    /// Adds the labels of every `stride`-th vertex of a row, except for `v`.
    #[inline(always)]
    pub(super) fn gather(&mut self, row: &[Vertex], v: Vertex, stride: usize, labels: &[Vertex]) {
        let others = |&u: &Vertex| (u != v).then(|| labels[u as usize]);
        if stride == 1 {
            self.labels.extend(row.iter().filter_map(others));
        } else {
            self.labels.extend(row.iter().step_by(stride).filter_map(others));
        }
    }

    /// Calls `visit` once per label that was added, with its count, and clears the counter.
    #[inline(always)]
    pub(super) fn count(&mut self, mut visit: impl FnMut(Vertex, u32)) {
        let most = self.labels.len();
        let bits = (2 * most.max(4) - 1).ilog2() + 1;
        let mask = (1 << bits) - 1;
        if self.table.len() <= mask {
            self.table.resize(mask + 1, (NO_VERTEX, 0));
            self.taken.resize(mask + 1, 0);
        }
        let (table, taken) = (&mut self.table[..=mask], &mut self.taken[..=mask]);
        let mut distinct = 0;
        for label in self.labels.drain(..) {
            let mut at = (label.wrapping_mul(0x9e37_79b9) >> (32 - bits)) as usize & mask;
            while table[at].0 != label && table[at].0 != NO_VERTEX {
                at = (at + 1) & mask;
            }
            // Without a branch: the processor cannot predict whether a label is new.
            taken[distinct] = at as u32;
            distinct += usize::from(table[at].1 == 0);
            table[at] = (label, table[at].1 + 1);
        }
        for &at in &taken[..distinct] {
            let (label, count) = std::mem::replace(&mut table[at as usize], (NO_VERTEX, 0));
            visit(label, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn counts(counter: &mut Counter, labels: &[Vertex]) -> BTreeMap<Vertex, u32> {
        let mut counts = BTreeMap::new();
        let row: Vec<Vertex> = (0..labels.len() as Vertex).collect();
        counter.gather(&row, NO_VERTEX, 1, labels);
        counter.count(|label, count| assert!(counts.insert(label, count).is_none(), "{label} comes twice"));
        counts
    }

    #[test]
    fn every_label_comes_once_with_its_count_and_nothing_is_left() {
        let mut counter = Counter::default();
        let many: Vec<Vertex> = (0..1000).map(|i| i * i % 77).collect();
        for labels in
            [&many[..], &[7], &[9, 3, 9, 3, 9], &[], &[NO_VERTEX - 1, 0, NO_VERTEX - 1], &many[..40]]
        {
            let mut want = BTreeMap::new();
            labels.iter().for_each(|&label| *want.entry(label).or_insert(0) += 1);
            assert_eq!(counts(&mut counter, labels), want);
        }
    }

    #[test]
    fn the_vertex_itself_does_not_count_and_strides_skip() {
        let (mut counter, mut got) = (Counter::default(), Vec::new());
        let labels = [5, 6, 7, 8, 9, 5];
        counter.gather(&[0, 1, 1, 2, 5], 2, 1, &labels);
        counter.gather(&[1, 2, 3, 4, 5], 3, 2, &labels);
        counter.count(|label, count| got.push((label, count)));
        assert_eq!(got, [(5, 3), (6, 3)]);
    }
}
