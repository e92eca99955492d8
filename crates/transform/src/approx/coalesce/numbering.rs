//! [`Numbering`]: gives every level a start at a multiple of the warp's width.
//!
//! The *rank* of a vertex is its place in the order of the forest, which has no holes. Its *number* is its rank plus the holes
//! before its level. Both rise together.

use super::WIDTH;
use std::ops::Range;
use warpgraph_core::Result;
use warpgraph_graph::{Error, MAX_VERTICES, NO_VERTEX, Pages, Vertex, par};

/// The numbers of all ranks, and the tails: the chunks with holes.
pub(super) struct Numbering {
    /// The number of every rank.
    pub(super) numbers: Pages<Vertex>,
    /// The number of numbers, holes included.
    pub(super) len: usize,
    /// The tails, in order.
    pub(super) tails: Vec<Tail>,
}

/// A chunk that ends with holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tail {
    /// The first rank in it.
    first: Vertex,
    /// The number of ranks in it.
    pub(super) len: u32,
    /// The number of its first vertex, a multiple of the warp's width.
    pub(super) start: Vertex,
}

impl Tail {
    /// Returns the ranks in the tail.
    pub(super) fn ranks(&self) -> Range<Vertex> {
        self.first..self.first + self.len
    }

    /// Returns the numbers of its holes.
    pub(super) fn holes(&self) -> Range<Vertex> {
        self.start + self.len..self.start + WIDTH
    }
}

impl Numbering {
    /// Numbers levels of these sizes.
    ///
    /// # Errors
    /// If the numbers do not fit 32 bits, or if memory is short.
    pub(super) fn of(levels: &[usize]) -> Result<Self> {
        let width = u64::from(WIDTH);
        let len = levels.iter().map(|&level| (level as u64).next_multiple_of(width)).sum::<u64>();
        if len > MAX_VERTICES {
            return Err(too_many(len, levels.len()).into());
        }
        let mut numbers: Pages<Vertex> = Pages::scratch(levels.iter().sum())?;
        let (mut rank, mut number, mut tails) = (0, 0, Vec::new());
        for &level in levels {
            for (slot, number) in numbers[rank..rank + level].iter_mut().zip(number..) {
                *slot = number;
            }
            rank += level;
            number += level as Vertex;
            let len = number % WIDTH;
            if len > 0 {
                tails.push(Tail { first: rank as Vertex - len, len, start: number - len });
                number += WIDTH - len;
            }
        }
        Ok(Self { numbers, len: len as usize, tails })
    }

    /// Returns the rank of every number; [`NO_VERTEX`] for holes.
    pub(super) fn ranks(&self) -> Result<Pages<Vertex>> {
        let mut ranks: Pages<Vertex> = Pages::scratch(self.len)?;
        par::parts_mut(&mut ranks, par::FINE, |_, part| part.fill(NO_VERTEX));
        for (rank, &number) in self.numbers.iter().enumerate() {
            ranks[number as usize] = rank as Vertex;
        }
        Ok(ranks)
    }

    /// Returns the tail with this rank in it.
    pub(super) fn tail_of_rank(&self, rank: Vertex) -> Option<usize> {
        let place = self.tails.partition_point(|tail| tail.ranks().end <= rank);
        self.tails.get(place).is_some_and(|tail| tail.first <= rank).then_some(place)
    }

    /// Returns the tail with this number in it, be it a hole or not.
    pub(super) fn tail_of_number(&self, number: Vertex) -> Option<usize> {
        self.tails.binary_search_by_key(&(number / WIDTH * WIDTH), |tail| tail.start).ok()
    }
}

fn too_many(numbers: u64, levels: usize) -> Error {
    Error::TooLarge {
        what: format!("coalescing a graph of {levels} levels"),
        needed: format!("{numbers} numbers, since every level starts at a multiple of {WIDTH}"),
        limit: format!("{MAX_VERTICES}"),
        help: "use latency or divergence for a graph of this depth".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_start_at_multiples_of_32() {
        let numbering = Numbering::of(&[1, 32, 33, 2]).unwrap();
        assert_eq!(numbering.len, 32 + 32 + 64 + 32);
        assert_eq!((numbering.numbers[0], numbering.numbers[1], numbering.numbers[33]), (0, 32, 64));
        assert_eq!((numbering.numbers[65], numbering.numbers[66], numbering.numbers[67]), (96, 128, 129));
        let tails: Vec<_> = numbering.tails.iter().map(|tail| (tail.ranks(), tail.holes())).collect();
        assert_eq!(tails, [(0..1, 1..32), (65..66, 97..128), (66..68, 130..160)]);
        assert_eq!(
            [0, 1, 64, 65, 67].map(|rank| numbering.tail_of_rank(rank)),
            [Some(0), None, None, Some(1), Some(2)]
        );
        assert_eq!(
            [31, 32, 64, 127, 128].map(|number| numbering.tail_of_number(number)),
            [Some(0), None, None, Some(1), Some(2)]
        );
        let ranks = numbering.ranks().unwrap();
        assert_eq!(
            (ranks[0], ranks[1], ranks[96], ranks[128], ranks[130]),
            (0, NO_VERTEX, 65, 66, NO_VERTEX)
        );
    }

    #[test]
    fn a_path_of_a_billion_vertices_has_too_many_holes() {
        let levels = vec![1; 1 << 27];
        let error = Numbering::of(&levels).err().unwrap().to_string();
        assert!(error.contains("coalescing a graph of 134217728 levels"), "{error}");
        assert!(Numbering::of(&[]).unwrap().tails.is_empty());
    }
}
