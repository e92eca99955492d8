//! The unit heap: finds the greatest of scores that change by one.
//!
//! Every rank that is not placed has a score and a *bound* that is at least as large. Only the difference, the slack,
//! is stored where scores change. Ranks with the same bound above 0 form a doubly linked list. When a score passes its
//! bound, the bound rises by one. The bound falls only when the rank comes to the top without having that score, by
//! half of its slack, so that scores that go up and down rarely move. A rank on top with slack 0 has the greatest score
//! of all.
//!
//! A change takes O(1), and taking the top is amortised over the rises.

use super::changes::Change;
use warpgraph_graph::{NO_VERTEX, Pages, Result, Vertex};

/// The slack of ranks that were taken.
const PLACED: u32 = u32::MAX;

/// All ranks by score.
pub(super) struct UnitHeap {
    slack: Pages<u32>,
    bounds: Pages<u32>,
    /// The ranks before and after each rank in the list of its bound.
    links: Pages<[Vertex; 2]>,
    /// One more than the first rank of each bound's list; 0 if the list is empty.
    heads: Pages<u32>,
    /// The lists of all larger bounds are empty.
    top: usize,
    /// All smaller ranks are placed.
    first: usize,
}

impl UnitHeap {
    /// Creates a heap of `n` ranks with score 0. No score may exceed `most`.
    pub(super) fn new(n: usize, most: u64) -> Result<Self> {
        Ok(Self {
            slack: Pages::zeroed(n)?,
            bounds: Pages::zeroed(n)?,
            links: Pages::scratch(n)?,
            // Lazily zeroed: it takes memory only up to the greatest score that occurs.
            heads: Pages::zeroed_lazily(most.min(u64::from(PLACED - 1)) as usize + 1)?,
            top: 0,
            first: 0,
        })
    }

    /// Changes the score of a rank by one, unless it is placed.
    #[inline(always)]
    pub(super) fn shift(&mut self, change: Change, rank: Vertex) {
        self.shift_all(change, &mut [rank]);
    }

    /// Changes the scores of all `ranks` by one, moves the placed ones to the end, and returns how many are not placed.
    #[inline(always)]
    pub(super) fn shift_all(&mut self, change: Change, ranks: &mut [Vertex]) -> usize {
        let (mut left, mut i) = (ranks.len(), 0);
        while i < left {
            let rank = ranks[i];
            let slack = &mut self.slack[rank as usize];
            match (*slack, change) {
                (PLACED, _) => {
                    left -= 1;
                    ranks[i] = ranks[left];
                    continue;
                }
                (0, Change::Up) => self.raise(rank),
                (_, Change::Up) => *slack -= 1,
                (_, Change::Down) => *slack += 1,
            }
            i += 1;
        }
        left
    }

    /// Takes out a rank with the greatest score; if that is 0, the smallest rank. Requires that one is left.
    pub(super) fn take(&mut self) -> Vertex {
        loop {
            while self.top > 0 && self.heads[self.top] == 0 {
                self.top -= 1;
            }
            if self.top == 0 {
                return self.take_first();
            }
            let rank = self.heads[self.top] - 1;
            self.unlink(rank);
            let slack = &mut self.slack[rank as usize];
            if *slack == 0 {
                *slack = PLACED;
                return rank;
            }
            let down = slack.div_ceil(2);
            *slack -= down;
            self.link(rank, self.top - down as usize);
        }
    }

    fn take_first(&mut self) -> Vertex {
        while self.slack[self.first] == PLACED {
            self.first += 1;
        }
        self.slack[self.first] = PLACED;
        self.first as Vertex
    }

    /// Raises the bound of a rank without slack, and with it its score.
    #[cold]
    #[inline(never)]
    fn raise(&mut self, rank: Vertex) {
        let bound = self.bounds[rank as usize] as usize + 1;
        // The bound exceeds the list only on graphs whose scores exceed 32 bits.
        if bound < self.heads.len() {
            self.unlink(rank);
            self.link(rank, bound);
            self.top = self.top.max(bound);
        }
    }

    /// Puts a rank at the head of a bound's list.
    fn link(&mut self, rank: Vertex, bound: usize) {
        self.bounds[rank as usize] = bound as u32;
        if bound == 0 {
            return;
        }
        let after = std::mem::replace(&mut self.heads[bound], rank + 1).wrapping_sub(1);
        self.links[rank as usize] = [NO_VERTEX, after];
        if after != NO_VERTEX {
            self.links[after as usize][0] = rank;
        }
    }

    /// Takes a rank out of its list, if it is in one.
    fn unlink(&mut self, rank: Vertex) {
        let bound = self.bounds[rank as usize] as usize;
        if bound == 0 {
            return;
        }
        let [before, after] = self.links[rank as usize];
        if before == NO_VERTEX {
            self.heads[bound] = after.wrapping_add(1);
        } else {
            self.links[before as usize][1] = after;
        }
        if after != NO_VERTEX {
            self.links[after as usize][0] = before;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::vec, prelude::*};

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Compares with scores as plain numbers and a linear search.
        #[test]
        fn the_top_has_the_greatest_score(changes in vec((0..20u32, 0..3u8), 0..2000)) {
            let mut heap = UnitHeap::new(20, 2000).unwrap();
            let mut scores = [Some(0u32); 20];
            for (rank, what) in changes {
                let (left, score) = (scores.iter().flatten().count(), scores[rank as usize]);
                match what {
                    0 if score > Some(0) => {
                        scores[rank as usize] = score.map(|score| score - 1);
                        heap.shift(Change::Down, rank);
                    }
                    1 if left > 10 => {
                        let taken = heap.take() as usize;
                        let greatest = scores.iter().flatten().max().copied();
                        prop_assert_eq!(scores[taken], greatest);
                        if greatest == Some(0) {
                            prop_assert_eq!(scores.iter().position(Option::is_some), Some(taken));
                        }
                        scores[taken] = None;
                    }
                    _ => {
                        scores[rank as usize] = score.map(|score| score + 1);
                        heap.shift(Change::Up, rank);
                    }
                }
            }
        }
    }

    #[test]
    fn those_that_are_placed_are_moved_to_the_end() {
        let mut heap = UnitHeap::new(5, 10).unwrap();
        assert_eq!([heap.take(), heap.take()], [0, 1]);
        let mut ranks = [0, 4, 1, 2];
        let left = heap.shift_all(Change::Up, &mut ranks);
        assert_eq!(ranks[..left], [2, 4]);
        assert_eq!(heap.shift_all(Change::Down, &mut ranks[..1]), 1);
        assert_eq!(heap.take(), 4);
        assert_eq!([heap.take(), heap.take()], [2, 3]);
    }
}
