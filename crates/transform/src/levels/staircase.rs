//! [`Staircase`]: which vertices are active in which level, as in figure 8 of HALO.

use super::Frontiers;
use serde::Serialize;
use warpgraph_graph::Vertex;

/// The most rows. In deeper searches a row covers several levels.
pub const MOST_ROWS: usize = 512;
/// The most bins.
pub const MOST_BINS: usize = 4096;

/// Numbers of active vertices, by level from top to bottom and by vertex number from left to right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Staircase {
    /// Number of vertices of the graph.
    pub vertices: usize,
    /// Number of levels of the search.
    pub levels: usize,
    /// Levels per row; the last row may have fewer.
    pub levels_per_row: usize,
    /// Per row and bin, the number of active vertices. The bins are equal ranges of vertex numbers.
    pub rows: Vec<Vec<u32>>,
}

impl Staircase {
    /// Counts the vertices of a search in 1 to [`MOST_BINS`] bins. O(n).
    pub fn of(frontiers: &Frontiers, bins: usize) -> Self {
        let (levels, vertices) = (frontiers.levels(), frontiers.vertices());
        let levels_per_row = levels.div_ceil(MOST_ROWS).max(1);
        let bins = bins.clamp(1, MOST_BINS);
        let row = |first: usize| {
            let mut row = vec![0; bins];
            let merged = first..levels.min(first + levels_per_row);
            let active = merged.flat_map(|level| frontiers.level(level));
            active.for_each(|&v| row[bin(v, vertices, bins)] += 1);
            row
        };
        let rows = (0..levels).step_by(levels_per_row).map(row).collect();
        Self { vertices, levels, levels_per_row, rows }
    }
}

fn bin(v: Vertex, vertices: usize, bins: usize) -> usize {
    (u64::from(v) * bins as u64 / vertices as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::super::UNREACHED;
    use super::*;
    use warpgraph_graph::Control;

    fn of(levels: &[u32], bins: usize) -> Staircase {
        Staircase::of(&Frontiers::of(levels, &Control::new()).unwrap(), bins)
    }

    #[test]
    fn a_row_counts_the_active_vertices_of_equal_ranges() {
        let stairs = of(&[0, 1, 1, 2, 1, 2, UNREACHED, 2, 2], 3);
        assert_eq!(stairs.rows, [[1, 0, 0], [2, 1, 0], [0, 2, 2]]);
        assert_eq!((stairs.vertices, stairs.levels, stairs.levels_per_row), (9, 3, 1));
        // Ranges of 2 or 1 numbers where they cannot be equal: 0-1, 2-3, 4.
        assert_eq!(of(&[0, 1, 1, 1, 1], 3).rows, [[1, 0, 0], [1, 2, 1]]);
    }

    #[test]
    fn deep_searches_have_several_levels_in_a_row() {
        let path: Vec<u32> = (0..1300).collect();
        let stairs = of(&path, 13);
        assert_eq!((stairs.levels, stairs.levels_per_row, stairs.rows.len()), (1300, 3, 434));
        let active = |row: &Vec<u32>| row.iter().sum::<u32>();
        assert!(stairs.rows[..433].iter().all(|row| active(row) == 3));
        assert_eq!((active(&stairs.rows[433]), stairs.rows[433][12]), (1, 1));
        assert_eq!(stairs.rows[0][0], 3);
    }

    #[test]
    fn any_number_of_bins_and_vertices_is_taken() {
        assert!(of(&[], 10).rows.is_empty());
        assert_eq!(of(&[0], 0).rows, [[1]]);
        let many = of(&[0, 1], usize::MAX);
        assert_eq!(many.rows[1].len(), MOST_BINS);
        assert_eq!(many.rows[1][MOST_BINS / 2], 1);
    }
}
