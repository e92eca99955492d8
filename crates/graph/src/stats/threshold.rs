//! Computes the automatic maximum degree threshold (MDT) of Raval et al. \[1\], above which vertices are split.
//!
//! Out-degrees are counted in bins of equal width over `0..=maxDegree`: bin `i`, from 1, holds the degrees above
//! `(i - 1) / bins * maxDegree` up to `i / bins * maxDegree`; the first bin also holds degree 0. The threshold is the
//! upper end of the fullest bin, so that most vertices stay whole: 118 for an RMAT graph of maximum degree 1181 with 10
//! bins.
//!
//! \[1\] A. Raval et al., "Dynamic Load Balancing Strategies for Graph Applications on GPUs", section III-B.

use super::distribution::degree_counts;
use crate::csr::Csr;

/// Returns the largest out-degree that a vertex keeps when vertices are split: `binIndex / bins * maxDegree`, rounded
/// down and at least 1. `binIndex`, from 1, is the index of the fullest bin, the lowest on ties. Zero `bins` count as
/// one, and a threshold that exceeds `u32` becomes `u32::MAX`. O(vertices) on all threads, for any number of `bins`.
///
/// ```
/// use warpgraph_graph::{Control, generate::Spec, stats::degree_threshold};
/// let grid = "grid:10x10".parse::<Spec>()?.generate(&Control::new())?;
/// assert_eq!(degree_threshold(&grid.out().csr, 10), 4);
/// # Ok::<(), warpgraph_graph::Error>(())
/// ```
pub fn degree_threshold(csr: &Csr, bins: u32) -> u32 {
    of_counts(&degree_counts(csr), bins)
}

/// Returns the threshold for degrees in increasing order, each with its number of vertices.
fn of_counts(counts: &[(u64, u64)], bins: u32) -> u32 {
    let (bins, most) = (u128::from(bins.max(1)), counts.last().map_or(0, |c| u128::from(c.0)));
    if most == 0 {
        return 1;
    }
    let bin = |degree: u64| (u128::from(degree) * bins).div_ceil(most).max(1);
    let (mut fullest, mut height) = (1, 0);
    // Degrees increase, so the degrees of a bin are adjacent.
    for same in counts.chunk_by(|a, b| bin(a.0) == bin(b.0)) {
        let vertices: u64 = same.iter().map(|c| c.1).sum();
        if vertices > height {
            (fullest, height) = (bin(same[0].0), vertices);
        }
    }
    u32::try_from(fullest * most / bins).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Control, Offsets, generate::Spec};

    /// Returns the threshold for vertices of these out-degrees, with all arcs to vertex 0.
    fn of(degrees: &[usize], bins: u32) -> u32 {
        let ends = degrees.iter().scan(0, |sum, d| {
            *sum += d;
            Some(*sum as u32)
        });
        let offsets: Vec<u32> = std::iter::once(0).chain(ends).collect();
        let targets = vec![0; degrees.iter().sum()];
        let csr = Csr::new(Offsets::Narrow(Buffer::from(offsets)), Buffer::from(targets), "a test").unwrap();
        degree_threshold(&csr, bins)
    }

    #[test]
    fn the_paper_s_rmat_graph_has_118() {
        let mut degrees: Vec<usize> = (0..=118).collect();
        degrees.extend([119, 119, 400, 1181]);
        assert_eq!(of(&degrees, 10), 118);
    }

    #[test]
    fn the_threshold_is_the_upper_end_of_the_fullest_bin() {
        // Bins for a maximum degree of 20: 0-2, 3-4, 5-6, ... 19-20.
        assert_eq!(of(&[2, 2, 3, 4, 4, 20], 10), 4);
        assert_eq!(of(&[2, 2, 2, 3, 4, 20], 10), 2);
        assert_eq!(of(&[0, 1, 2, 3, 4, 20], 10), 2);
        assert_eq!(of(&[1, 20, 20], 10), 20);
        assert_eq!(of(&[1, 20, 20, 1], 10), 2, "the lowest of two");
    }

    #[test]
    fn no_vertex_of_the_fullest_bin_is_above_the_threshold() {
        for most in 1..40 {
            for degree in 1..=most {
                for bins in [1, 3, 10, 64] {
                    let threshold = of(&[degree, degree, most], bins) as usize;
                    assert!(
                        (degree..=most).contains(&threshold),
                        "{degree} of {most} in {bins}: {threshold}"
                    );
                }
            }
        }
    }

    #[test]
    fn odd_arguments_give_at_least_one() {
        assert_eq!([of(&[], 10), of(&[0], 10), of(&[0, 0, 0, 3], 10), of(&[1], 10)], [1; 4]);
        assert_eq!([of(&[1, 7], 0), of(&[1, 7], 1)], [7; 2], "one bin holds everything");
        assert_eq!(of(&[1, 5, 5, 7], u32::MAX), 5, "a bin a degree");
        assert_eq!(of_counts(&[(3, 1), (1 << 40, 2)], 10), u32::MAX);
        assert_eq!(of_counts(&[(1, 1), (u64::MAX, 2)], u32::MAX), u32::MAX, "nothing overflows");
    }

    #[test]
    fn skewed_graphs_get_a_tenth_of_the_largest_degree() {
        let graph = "kron:12,directed".parse::<Spec>().unwrap().generate(&Control::new()).unwrap();
        let csr = &graph.out().csr;
        let most = (0..csr.vertices() as u32).map(|v| csr.degree(v)).max().unwrap();
        assert_eq!(degree_threshold(csr, 10) as usize, most / 10);
    }
}
