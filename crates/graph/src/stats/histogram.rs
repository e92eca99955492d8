//! Provides a histogram over powers of two and renders it for a terminal.

use serde::Serialize;
use std::fmt::Write;

/// The number of vertices of degree 0, 1, 2-3, 4-7, ...: bin 0 holds degree 0, bin b the degrees of b bits.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Histogram {
    bins: Vec<u64>,
}

/// The characters that bars consist of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    /// Block elements, with a resolution of an eighth of a cell.
    Unicode,
    /// `#`, with a resolution of one cell.
    Ascii,
}

impl Histogram {
    /// Sorts (degree, vertices) pairs into bins.
    pub(super) fn of(counts: &[(u64, u64)]) -> Self {
        let mut bins = Vec::new();
        for &(degree, count) in counts {
            let bin = (u64::BITS - degree.leading_zeros()) as usize;
            bins.resize(bins.len().max(bin + 1), 0);
            bins[bin] += count;
        }
        Self { bins }
    }

    /// Returns the bins, from degree 0 to the largest degree that occurs.
    pub fn bins(&self) -> &[u64] {
        &self.bins
    }

    /// Returns the smallest and the largest degree of a bin.
    pub fn bounds(bin: usize) -> (u64, u64) {
        match bin {
            0 => (0, 0),
            1..64 => (1 << (bin - 1), (1 << bin) - 1),
            _ => (1 << 63, u64::MAX),
        }
    }

    /// Renders one line per bin: `degrees  bar  vertices`, at most `width` characters wide, but with bars of 8 cells or
    /// more.
    ///
    /// A bin that is not empty shows at least the smallest mark. Bins below the smallest and above the largest degree
    /// are left out.
    pub fn render(&self, width: usize, blocks: Blocks) -> String {
        let first = self.bins.iter().position(|&b| b > 0).unwrap_or(self.bins.len());
        let rows: Vec<(String, u64)> =
            self.bins.iter().enumerate().skip(first).map(|(bin, &count)| (label(bin), count)).collect();
        let most = rows.iter().map(|r| r.1).max().unwrap_or(0);
        let labels = rows.iter().map(|r| r.0.len()).max().unwrap_or(0);
        let room = width.saturating_sub(labels + most.to_string().len() + 4).max(8);
        rows.iter().fold(String::new(), |mut text, (label, count)| {
            // Writing to a String does not fail.
            let _ = writeln!(text, "{label:>labels$}  {}  {count}", bar(*count, most, room, blocks));
            text
        })
    }
}

fn label(bin: usize) -> String {
    match Histogram::bounds(bin) {
        (least, greatest) if least == greatest => least.to_string(),
        (least, greatest) => format!("{least}-{greatest}"),
    }
}

/// Returns a bar of `room` cells, filled in the ratio of `count` to `most`.
fn bar(count: u64, most: u64, room: usize, blocks: Blocks) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let steps = if blocks == Blocks::Unicode { 8 } else { 1 };
    let share = if most == 0 { 0.0 } else { count as f64 / most as f64 };
    let filled = ((share * (room * steps) as f64).round() as usize).max(usize::from(count > 0));
    let (whole, part) = (filled / steps, filled % steps);
    let bar = match blocks {
        Blocks::Unicode => "█".repeat(whole) + EIGHTHS[part],
        Blocks::Ascii => "#".repeat(whole),
    };
    format!("{bar:<room$}")
}
