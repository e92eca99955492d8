//! [`Frontiers`]: the vertices of a breadth-first search, level by level.
//!
//! A counting sort of the vertices by level; within a level they are in increasing order. O(n) work, 4 bytes per
//! reached vertex and 8 per level.

use warpgraph_graph::{Control, Csr, Error, NodeMap, Pages, Result, Vertex, par};

/// The level of a vertex that was not reached.
pub const UNREACHED: u32 = u32::MAX;

/// Vertices processed between two checks of the control.
const STRETCH: usize = 1 << 18;

/// The vertices of every level, in increasing order.
///
/// ```
/// use warpgraph_graph::Control;
/// use warpgraph_transform::levels::{Frontiers, UNREACHED};
///
/// # fn main() -> warpgraph_graph::Result<()> {
/// let frontiers = Frontiers::of(&[1, 0, UNREACHED, 1], &Control::new())?;
/// assert_eq!(frontiers.iter().collect::<Vec<_>>(), [&[1][..], &[0, 3]]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Frontiers {
    /// Level `l` is `reached[starts[l]..starts[l + 1]]`.
    starts: Pages<u32>,
    reached: Pages<Vertex>,
    vertices: usize,
}

impl Frontiers {
    /// Builds the frontiers from the level of every vertex; [`UNREACHED`] marks vertices without a level.
    ///
    /// # Errors
    /// [`Error::Invalid`] if a level is not smaller than the number of vertices, which no search yields; if memory is
    /// short; if `control` stops the work.
    pub fn of(levels: &[u32], control: &Control) -> Result<Self> {
        let vertices = levels.len();
        let deepest = levels.iter().copied().filter(|&level| level != UNREACHED).max();
        let count = deepest.map_or(0, |level| level as usize + 1);
        if count > vertices {
            return Err(Error::invalid(
                format!("level {} in a search of {vertices} vertices", count - 1),
                "give the levels of a breadth-first search",
            ));
        }
        let starts = starts(levels, count, control)?;
        let reached = placed(levels, &starts, control)?;
        Ok(Self { starts, reached, vertices })
    }

    /// Builds the frontiers as they lie in an order, from the level of every original vertex.
    ///
    /// # Errors
    /// As [`Frontiers::of`].
    pub fn in_order(levels: &[u32], map: Option<&NodeMap>, control: &Control) -> Result<Self> {
        match map {
            Some(map) => Self::of(&in_order(levels, map)?, control),
            None => Self::of(levels, control),
        }
    }

    /// Builds the one frontier of these vertices, each of which must be greater than the one before, in a graph of so many
    /// vertices.
    ///
    /// # Errors
    /// If memory is short.
    pub fn of_level(level: &[Vertex], vertices: usize) -> Result<Self> {
        debug_assert!(level.is_sorted_by(|u, v| u < v), "a level in increasing order");
        let (mut starts, mut reached) = (Pages::zeroed(2)?, Pages::scratch(level.len())?);
        starts[1] = level.len() as u32;
        par::parts_mut(&mut reached, par::FINE, |first, part| {
            part.copy_from_slice(&level[first..first + part.len()]);
        });
        Ok(Self { starts, reached, vertices })
    }

    /// Returns the number of levels, including that of the source.
    pub fn levels(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the vertices of a level. Panics if there is no such level.
    pub fn level(&self, level: usize) -> &[Vertex] {
        &self.reached[self.start(level)..self.start(level + 1)]
    }

    /// Iterates over the vertices of every level, beginning with the source.
    pub fn iter(&self) -> impl Iterator<Item = &[Vertex]> {
        (0..self.levels()).map(|level| self.level(level))
    }

    /// Returns the number of vertices reached.
    pub fn reached(&self) -> usize {
        self.reached.len()
    }

    /// Returns the number of vertices of the graph.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Returns an error if the search is of a graph with another number of vertices.
    pub(crate) fn check(&self, csr: &Csr) -> Result<()> {
        if csr.vertices() == self.vertices {
            return Ok(());
        }
        let what = format!("the levels of {} vertices in a graph of {}", self.vertices, csr.vertices());
        Err(Error::invalid(what, "give the levels of a search of this graph"))
    }

    /// Returns how many vertices are in the levels before this one.
    pub(super) fn start(&self, level: usize) -> usize {
        self.starts[level] as usize
    }

    /// Returns the level of the vertex at a position of the sorted vertices.
    pub(super) fn level_at(&self, place: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= place) - 1
    }
}

/// Returns the level of every vertex in an order, from those of the original vertices.
///
/// # Errors
/// If memory is short.
pub fn in_order(levels: &[u32], map: &NodeMap) -> Result<Pages<u32>> {
    let originals = map.originals();
    let mut moved: Pages<u32> = Pages::scratch(originals.len())?;
    par::parts_mut(&mut moved, par::FINE, |first, part| {
        part.iter_mut().zip(&originals[first..]).for_each(|(level, &v)| *level = levels[v as usize]);
    });
    Ok(moved)
}

/// Returns where each level starts among the vertices sorted by level.
fn starts(levels: &[u32], count: usize, control: &Control) -> Result<Pages<u32>> {
    let mut starts = Pages::zeroed(count + 1)?;
    for stretch in levels.chunks(STRETCH) {
        control.check("sorting vertices by level")?;
        let reached = stretch.iter().filter(|&&level| level != UNREACHED);
        reached.for_each(|&level| starts[level as usize + 1] += 1);
    }
    let mut sum = 0;
    for start in &mut starts[..] {
        sum += *start;
        *start = sum;
    }
    Ok(starts)
}

/// Returns the vertices sorted by level.
fn placed(levels: &[u32], starts: &[u32], control: &Control) -> Result<Pages<Vertex>> {
    let mut next = Pages::scratch(starts.len())?;
    next.copy_from_slice(starts);
    let mut placed = Pages::scratch(starts.last().map_or(0, |&all| all as usize))?;
    for (stretch, first) in levels.chunks(STRETCH).zip((0..).step_by(STRETCH)) {
        control.check("sorting vertices by level")?;
        let reached = (first..).zip(stretch).filter(|&(_, &level)| level != UNREACHED);
        for (v, &level) in reached {
            let place = &mut next[level as usize];
            placed[*place as usize] = v;
            *place += 1;
        }
    }
    Ok(placed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(levels: &[u32]) -> Result<Frontiers> {
        Frontiers::of(levels, &Control::new())
    }

    #[test]
    fn vertices_are_sorted_by_level_and_then_by_number() {
        let frontiers = of(&[2, 0, 1, UNREACHED, 1, 2, 2]).unwrap();
        assert_eq!(frontiers.iter().collect::<Vec<_>>(), [&[1][..], &[2, 4], &[0, 5, 6]]);
        assert_eq!((frontiers.levels(), frontiers.reached(), frontiers.vertices()), (3, 6, 7));
        let level_at: Vec<usize> = (0..6).map(|place| frontiers.level_at(place)).collect();
        assert_eq!(level_at, [0, 1, 1, 2, 2, 2]);
    }

    #[test]
    fn nothing_reached_has_no_levels_and_a_gap_in_them_is_an_empty_one() {
        for levels in [&[][..], &[UNREACHED; 3]] {
            let frontiers = of(levels).unwrap();
            assert_eq!((frontiers.levels(), frontiers.reached()), (0, 0));
        }
        let frontiers = of(&[0, 2, UNREACHED]).unwrap();
        assert_eq!(frontiers.iter().collect::<Vec<_>>(), [&[0][..], &[], &[1]]);
        assert_eq!((frontiers.level_at(0), frontiers.level_at(1)), (0, 2));
    }

    #[test]
    fn a_search_in_an_order_has_the_same_levels_in_other_places() {
        let levels = [2, 0, 1, UNREACHED, 1];
        let map = NodeMap::of_order(vec![4, 1, 0, 2, 3]).unwrap();
        let frontiers = Frontiers::in_order(&levels, Some(&map), &Control::new()).unwrap();
        assert_eq!(frontiers.iter().collect::<Vec<_>>(), [&[1][..], &[0, 3], &[2]]);
        let natural = Frontiers::in_order(&levels, None, &Control::new()).unwrap();
        assert_eq!(natural.iter().collect::<Vec<_>>(), [&[1][..], &[2, 4], &[0]]);
    }

    #[test]
    fn one_level_is_that_of_the_search() {
        let frontiers = of(&[2, 0, 1, UNREACHED, 1, 2, 2]).unwrap();
        for level in frontiers.iter() {
            let one = Frontiers::of_level(level, frontiers.vertices()).unwrap();
            assert_eq!((one.iter().collect::<Vec<_>>(), one.vertices()), (vec![level], 7));
        }
    }

    #[test]
    fn levels_that_no_search_has_and_cancelled_controls_are_refused() {
        let error = of(&[0, 3, 1]).unwrap_err();
        assert_eq!(error.to_string(), "level 3 in a search of 3 vertices");
        let control = Control::new();
        control.cancel();
        let error = Frontiers::of(&[0, 1], &control).unwrap_err();
        assert_eq!(error.to_string(), "interrupted while sorting vertices by level");
    }
}
