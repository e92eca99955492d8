//! The changes when one vertex enters the window and another leaves: common neighbours cancel out.

use std::cmp::Ordering;
use warpgraph_graph::{Csr, Vertex};

/// The direction in which a score changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// For a neighbour of the vertex that enters.
    Up,
    /// For a neighbour of the vertex that leaves.
    Down,
}

/// The neighbours that exactly one of two vertices has, each once, in increasing order.
pub(super) struct Changes<'a> {
    enters: &'a [Vertex],
    leaves: &'a [Vertex],
}

impl<'a> Changes<'a> {
    pub(super) fn between(csr: &'a Csr, enters: Vertex, leaves: Option<Vertex>) -> Self {
        let leaves = leaves.map_or(&[][..], |leaves| csr.neighbors(leaves));
        Self { enters: csr.neighbors(enters), leaves }
    }

    /// Replaces the contents of `group` by the next changes, at most `most`. Returns whether there are any.
    #[inline(always)]
    pub(super) fn fill(&mut self, group: &mut Vec<(Change, Vertex)>, most: usize) -> bool {
        group.clear();
        group.extend(self.by_ref().take(most));
        !group.is_empty()
    }
}

impl Iterator for Changes<'_> {
    type Item = (Change, Vertex);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (enters, leaves) = (self.enters.first(), self.leaves.first());
            let order = match (enters, leaves) {
                (Some(a), Some(b)) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return None,
            };
            if order.is_le() {
                self.enters = after_first(self.enters);
            }
            if order.is_ge() {
                self.leaves = after_first(self.leaves);
            }
            match order {
                Ordering::Less => return enters.map(|&u| (Change::Up, u)),
                Ordering::Greater => return leaves.map(|&u| (Change::Down, u)),
                Ordering::Equal => {}
            }
        }
    }
}

/// Returns what follows the first vertex of a sorted row and its repetitions.
#[inline(always)]
fn after_first(row: &[Vertex]) -> &[Vertex] {
    let same = row.iter().take_while(|&&u| u == row[0]).count();
    &row[same..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_neighbours_and_repetitions_are_left_out() {
        let changes = |enters, leaves| Changes { enters, leaves }.collect::<Vec<_>>();
        use Change::{Down, Up};
        assert_eq!(changes(&[1, 1, 3, 4, 4], &[2, 3, 3, 9]), [(Up, 1), (Down, 2), (Up, 4), (Down, 9)]);
        assert_eq!(changes(&[5, 5], &[5]), []);
        assert_eq!(changes(&[], &[0, 7, 7]), [(Down, 0), (Down, 7)]);
        assert_eq!(changes(&[8], &[]), [(Up, 8)]);
    }

    #[test]
    fn groups_follow_each_other() {
        let mut changes = Changes { enters: &[0, 1, 2, 3, 4], leaves: &[1] };
        let mut group = Vec::new();
        let mut lengths = Vec::new();
        while changes.fill(&mut group, 3) {
            lengths.push(group.len());
        }
        assert_eq!(lengths, [3, 1]);
    }
}
