//! The density prefetcher: chooses the pages to fetch for the faults of a region.
//!
//! Every faulted page stands for its aligned 64 KiB. A binary tree lies over the pages of a region; a subtree is
//! *dense* if more than [`THRESHOLD`] percent of its pages are on the device or stand for a fault of this batch. For
//! every fault the prefetcher fetches the largest dense subtree that contains it, even if a smaller one around the
//! fault is not dense, and always at least the 64 KiB. Prefetched pages make other subtrees dense only in the next
//! batch. The last region of the array is a tree with fewer leaves.

use super::mask::{GROUP, Mask, PAGES};

/// Pages in 64 KiB, the least that is fetched.
const LEAST: usize = GROUP;
/// The percentage of present pages above which a subtree is dense.
const THRESHOLD: u64 = 51;

/// Returns the pages to fetch, some of which may be `resident`; no page of `faults` is. The region has `pages` pages.
pub(super) fn widened(faults: Mask, resident: Mask, pages: usize) -> Mask {
    let is_faulted = |group: usize| faults.sixteen(group) != 0;
    let mut present = resident;
    for group in (0..PAGES / LEAST).filter(|&group| is_faulted(group)) {
        present = present.union(subtree(group * LEAST, LEAST, pages));
    }
    let mut fetched = Mask::default();
    for group in (0..PAGES / LEAST).filter(|&group| is_faulted(group)) {
        if fetched.sixteen(group) == 0 {
            fetched = fetched.union(largest_dense(present, group * LEAST, pages));
        }
    }
    fetched
}

/// Returns the largest dense subtree that contains a page.
fn largest_dense(present: Mask, page: usize, pages: usize) -> Mask {
    let sizes = std::iter::successors(Some(PAGES), |size| Some(size / 2)).take_while(|&size| size > LEAST);
    let is_dense = |tree: &Mask| {
        let absent = tree.without(present).count();
        (tree.count() - absent) * 100 > tree.count() * THRESHOLD
    };
    let dense = sizes.map(|size| subtree(page, size, pages)).find(is_dense);
    dense.unwrap_or_else(|| subtree(page, LEAST, pages))
}

/// Returns the pages of the aligned subtree of this size that contains a page.
fn subtree(page: usize, size: usize, pages: usize) -> Mask {
    let first = page / size * size;
    Mask::of(first..pages.min(first + size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widened(faults: &[usize], resident: Mask, pages: usize) -> Mask {
        let mut mask = Mask::default();
        faults.iter().for_each(|&page| mask.insert(page));
        super::widened(mask, resident, pages)
    }

    #[test]
    fn a_lone_fault_brings_its_64_kib() {
        assert_eq!(widened(&[35], Mask::default(), 512), Mask::of(32..48));
        assert_eq!(widened(&[511], Mask::default(), 512), Mask::of(496..512));
        // Half of a subtree is not more than 51 %.
        assert_eq!(widened(&[0, 40], Mask::default(), 512), Mask::of(0..16).union(Mask::of(32..48)));
    }

    #[test]
    fn faults_that_fill_more_than_51_percent_of_a_subtree_bring_all_of_it() {
        // 3 of 4 groups, then 5 of 8.
        assert_eq!(widened(&[0, 20, 40], Mask::default(), 512), Mask::of(0..64));
        assert_eq!(widened(&[0, 20, 40, 64, 80], Mask::default(), 512), Mask::of(0..128));
        // 17 of 32 groups, spread evenly over the region: 53 %.
        let even: Vec<usize> = (0..16).map(|i| 32 * i).chain([16]).collect();
        assert_eq!(widened(&even, Mask::default(), 512), Mask::of(0..512));
        assert_eq!(widened(&even[..16], Mask::default(), 512).count(), 256);
    }

    #[test]
    fn resident_pages_make_a_subtree_dense_though_a_smaller_one_is_not() {
        // 0..32 is half present, 0..64 three quarters.
        assert_eq!(widened(&[0], Mask::of(32..64), 512), Mask::of(0..64));
        // 16 + 250 of 512: 51.95 %; with 245, 50.98 %.
        assert_eq!(widened(&[0], Mask::of(256..506), 512), Mask::of(0..512));
        assert_eq!(widened(&[0], Mask::of(256..501), 512), Mask::of(0..16));
    }

    #[test]
    fn prefetched_pages_count_only_in_the_next_batch() {
        // 0..64 is dense by its faults; with all of it 0..128 would be: 64 + 16 of 128.
        assert_eq!(
            widened(&[0, 20, 40, 100], Mask::default(), 512),
            Mask::of(0..64).union(Mask::of(96..112))
        );
        assert_eq!(widened(&[100], Mask::of(0..64), 512), Mask::of(0..128));
    }

    #[test]
    fn the_last_region_has_fewer_leaves() {
        assert_eq!(widened(&[35], Mask::default(), 36), Mask::of(32..36));
        // 4 + 16 of the 36 pages that exist.
        assert_eq!(widened(&[0, 35], Mask::default(), 36), Mask::of(0..36));
        assert_eq!(widened(&[0], Mask::default(), 1), Mask::of(0..1));
    }
}
