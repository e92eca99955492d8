//! Generates `grid:WIDTHxHEIGHT`: a lattice in which each vertex is joined to its right and its lower neighbour.
//!
//! Ids are row-major (x + WIDTH * y), or shuffled. `drop` is the share of edges left out; a hash of the item's number
//! decides which. Item 2v is the edge from place v to the right, and item 2v + 1 the edge downwards. In the directed
//! graph all arcs lead right or down, so it has no cycle.

use super::{
    Edges,
    keys::Keys,
    random::{Draws, Permutation, Purpose, threshold},
};
use crate::{csr::Vertex, error::Result};
use std::{fmt, ops::Range};

/// The parameters of the generator.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grid {
    width: u64,
    height: u64,
    drop: f64,
    shuffle: bool,
}

impl Grid {
    pub(super) const KEYS: &[&str] = &["drop", "shuffle", "seed", "w", "directed"];

    pub(super) fn read(keys: &Keys<'_>) -> Result<Self> {
        let (width, height) = keys.rectangle()?;
        Ok(Self {
            width,
            height,
            drop: keys.number("drop", 0.0, 0.0..=1.0)?,
            shuffle: keys.flag("shuffle", false)?,
        })
    }

    pub(super) fn vertices(&self) -> u64 {
        self.width * self.height
    }

    pub(super) fn expected_edges(&self) -> f64 {
        let all = self.width * self.height * 2 - self.width - self.height;
        all as f64 * (1.0 - self.drop)
    }

    pub(super) fn edges(&self, seed: u64) -> GridEdges {
        let shuffle = Permutation::new(self.vertices(), Draws::new(seed, Purpose::Order).at(0));
        GridEdges {
            width: self.width,
            height: self.height,
            dropped: threshold(self.drop),
            draws: Draws::new(seed, Purpose::Edges),
            shuffle: self.shuffle.then_some(shuffle),
        }
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)?;
        if self.drop != 0.0 {
            write!(f, ",drop={}", self.drop)?;
        }
        if self.shuffle { f.write_str(",shuffle") } else { Ok(()) }
    }
}

/// The prepared generator.
pub(super) struct GridEdges {
    width: u64,
    height: u64,
    dropped: u128,
    draws: Draws,
    shuffle: Option<Permutation>,
}

impl GridEdges {
    #[inline(always)]
    fn stays(&self, item: u64) -> bool {
        self.dropped == 0 || u128::from(self.draws.at(item)) >= self.dropped
    }

    fn id(&self, place: u64) -> Vertex {
        self.shuffle.map_or(place, |s| s.apply(place)) as Vertex
    }
}

impl Edges for GridEdges {
    fn items(&self) -> u64 {
        2 * self.width * self.height
    }

    fn fill(&self, items: Range<u64>, pairs: &mut Vec<[Vertex; 2]>) {
        let mut place = items.start / 2;
        let (mut x, mut y) = (place % self.width, place / self.width);
        for item in items {
            let down = item % 2 == 1;
            let (inside, other) = if down {
                (y + 1 < self.height, place + self.width)
            } else {
                (x + 1 < self.width, place + 1)
            };
            if inside && self.stays(item) {
                pairs.push([self.id(place), self.id(other)]);
            }
            if down {
                place += 1;
                x += 1;
                if x == self.width {
                    (x, y) = (0, y + 1);
                }
            }
        }
    }
}
