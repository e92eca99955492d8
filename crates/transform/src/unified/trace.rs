//! Turns the bytes that are read into runs of pages.

use super::PAGE;
use std::ops::Range;

/// Returns the pages that hold a range of edges, which must not be empty.
pub(crate) fn pages_of(edges: Range<usize>, edge_bytes: u32) -> Range<u64> {
    let byte = |edge: usize| edge as u64 * u64::from(edge_bytes);
    pages(byte(edges.start)..byte(edges.end))
}

/// Returns the pages that hold a range of bytes, which must not be empty.
pub(super) fn pages(bytes: Range<u64>) -> Range<u64> {
    bytes.start / PAGE..(bytes.end - 1) / PAGE + 1
}

/// Joins ranges of pages that follow each other or share a page into runs, so that adjacent rows are read as one.
#[derive(Debug, Default)]
pub(super) struct Runs {
    run: Range<u64>,
}

impl Runs {
    /// Adds pages. If they do not continue the current run, returns that run and starts a new one.
    pub(super) fn add(&mut self, pages: Range<u64>) -> Option<Range<u64>> {
        let run = &mut self.run;
        if !run.is_empty() && (pages.start == run.end || pages.start + 1 == run.end) {
            run.end = pages.end.max(run.end);
            return None;
        }
        Some(std::mem::replace(run, pages)).filter(|run| !run.is_empty())
    }

    /// Returns the last run; empty if there is none.
    pub(super) fn last(self) -> Range<u64> {
        self.run
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_those_that_hold_a_byte() {
        assert_eq!(pages(0..1), 0..1);
        assert_eq!(pages(4095..4096), 0..1);
        assert_eq!(pages(4095..4097), 0..2);
        assert_eq!(pages(4096..12288), 1..3);
        assert_eq!(pages_of(1023..1025, 4), 0..2);
        assert_eq!(pages_of(512..513, 8), 1..2);
    }

    #[test]
    fn rows_side_by_side_are_one_run() {
        let mut runs = Runs::default();
        let ranges = [2..3, 2..4, 4..5, 6..7, 0..3, 2..3, 1..2];
        let done: Vec<_> = ranges.into_iter().filter_map(|pages| runs.add(pages)).collect();
        assert_eq!(done, [2..5, 6..7, 0..3]);
        assert_eq!(runs.last(), 1..2);
        assert!(Runs::default().last().is_empty());
    }
}
