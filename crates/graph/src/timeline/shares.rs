//! Says for every instant of a lane which span it belongs to: the one that started last of those under way.
//!
//! So the own times of all spans of a lane, and the time that belongs to no span, add up to the whole exactly, also if
//! spans overlap without one containing the other.

/// A half-open interval of nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) start: u64,
    pub(super) end: u64,
}

/// What [`of`] finds for an interval.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Share {
    /// The nanoseconds that belong to it and to no interval that started later.
    pub(super) own: u64,
    /// How many intervals were under way when it started.
    pub(super) depth: usize,
}

/// Returns the share of every interval, and the nanoseconds below `total` that belong to none. The intervals are sorted
/// by rising start and, for equal starts, by falling end; no end is beyond `total`.
pub(super) fn of(intervals: &[Interval], total: u64) -> (Vec<Share>, u64) {
    let mut shares = vec![Share::default(); intervals.len()];
    let (mut under_way, mut at, mut none) = (Vec::<usize>::new(), 0, 0);
    for (i, interval) in intervals.iter().enumerate() {
        spend(intervals, &mut shares, &mut under_way, &mut none, (at, interval.start));
        at = interval.start;
        shares[i].depth = under_way.len();
        under_way.push(i);
    }
    spend(intervals, &mut shares, &mut under_way, &mut none, (at, total));
    (shares, none)
}

/// Gives the time from `at` to `until` to the intervals under way, and removes those that end meanwhile.
fn spend(
    intervals: &[Interval],
    shares: &mut [Share],
    under_way: &mut Vec<usize>,
    none: &mut u64,
    (mut at, until): (u64, u64),
) {
    while let Some(&last) = under_way.last() {
        let end = intervals[last].end.min(until);
        shares[last].own += end.saturating_sub(at);
        at = at.max(end);
        if intervals[last].end > until {
            break;
        }
        under_way.pop();
    }
    if under_way.is_empty() {
        *none += until.saturating_sub(at);
    }
    // An interval may end while one that started later goes on.
    under_way.retain(|&i| intervals[i].end > until);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shares(intervals: &[(u64, u64)], total: u64) -> (Vec<(u64, usize)>, u64) {
        let intervals: Vec<_> = intervals.iter().map(|&(start, end)| Interval { start, end }).collect();
        let (shares, none) = of(&intervals, total);
        (shares.iter().map(|share| (share.own, share.depth)).collect(), none)
    }

    #[test]
    fn a_parent_keeps_what_its_children_leave() {
        let nested = [(1, 9), (2, 5), (3, 4), (6, 8)];
        assert_eq!(shares(&nested, 12), (vec![(3, 0), (2, 1), (1, 2), (2, 1)], 4));
        assert_eq!(shares(&[(0, 4), (0, 4)], 4), (vec![(0, 0), (4, 1)], 0));
        assert_eq!(shares(&[], 3), (vec![], 3));
    }

    #[test]
    fn spans_that_cross_count_once() {
        assert_eq!(shares(&[(0, 6), (2, 9), (3, 4)], 10), (vec![(2, 0), (6, 1), (1, 2)], 1));
    }

    proptest! {
        #[test]
        fn the_shares_add_up_to_the_whole(
            mut spans in proptest::collection::vec((0u64..50, 0u64..50), 0..40),
        ) {
            spans.iter_mut().for_each(|(a, b)| (*a, *b) = (*a.min(b), *a.max(b)));
            spans.sort_by_key(|&(start, end)| (start, std::cmp::Reverse(end)));
            let (shares, none) = shares(&spans, 60);
            prop_assert_eq!(shares.iter().map(|(own, _)| own).sum::<u64>() + none, 60);
        }
    }
}
