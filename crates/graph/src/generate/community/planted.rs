//! Computes where communities begin by a closed form: the b-th of c begins at b n / c, shifted by up to a quarter of
//! the size.

use super::super::random::{Draws, below};

/// The bounds of all communities.
pub(in crate::generate) struct Planted {
    vertices: u64,
    communities: u64,
    /// The largest shift of a bound. It is a quarter of the size, so bounds keep their order and every community has at
    /// least two members.
    shift: u64,
    draws: Draws,
}

/// The place of a vertex in its community, and the distances at which its neighbours lie.
pub(super) struct Home {
    first: u64,
    members: u64,
    place: u64,
    /// The first bucket holds the distances in [1, narrowest). Each further bucket doubles the largest distance, up to
    /// the number of members.
    narrowest: u64,
    buckets: u64,
}

impl Planted {
    pub(in crate::generate) fn new(vertices: u64, size: u64, draws: Draws) -> Self {
        Self { vertices, communities: (vertices / size).max(1), shift: size / 4, draws }
    }

    /// Returns the number of the community that `v` belongs to, where `v` counts in planted order.
    pub(in crate::generate) fn community(&self, v: u64) -> u64 {
        let near = (u128::from(v) * u128::from(self.communities) / u128::from(self.vertices)) as u64;
        if v < self.bound(near) {
            near - 1
        } else if near + 1 < self.communities && v >= self.bound(near + 1) {
            near + 1
        } else {
            near
        }
    }

    /// Returns the first vertex of community `b`, or the number of vertices if `b` is not below the number of
    /// communities.
    fn bound(&self, b: u64) -> u64 {
        if b == 0 || b >= self.communities {
            return if b == 0 { 0 } else { self.vertices };
        }
        let even = (u128::from(b) * u128::from(self.vertices) / u128::from(self.communities)) as u64;
        even - self.shift + below(self.draws.at(b), 2 * self.shift + 1)
    }

    /// Returns the place and the distances of `v`, which lists `degree` edges.
    pub(super) fn home(&self, v: u64, degree: u64) -> Home {
        let community = self.community(v);
        let first = self.bound(community);
        let members = self.bound(community + 1) - first;
        let widest = members.ilog2();
        let narrowest = degree.max(2).next_power_of_two().ilog2().min(widest);
        Home {
            first,
            members,
            place: v - first,
            narrowest: 1 << narrowest,
            buckets: u64::from(widest - narrowest) + 1,
        }
    }
}

impl Home {
    /// Draws another member of the community, as the target of the vertex's edge number `edge`. In half of all cases
    /// the member is near: the number of the edge sets the distance, so that near targets differ. In the other half the
    /// logarithm of the distance is uniform: the upper bits of the word select a bucket, the lower ones a place in it.
    #[inline]
    pub(super) fn member(&self, word: u64, edge: u64) -> u64 {
        if word >> 63 == 0 {
            return self.at(1 + edge % (self.narrowest - 1));
        }
        let bucket = ((word >> 32 & 0x7fff_ffff) * self.buckets) >> 31;
        let (least, width) = match bucket {
            0 => (1, self.narrowest - 1),
            b => (self.narrowest << (b - 1), self.narrowest << (b - 1)),
        };
        self.at(least + (((word & 0xffff_ffff) * width) >> 32))
    }

    /// Returns the member at `distance`, where the first member follows the last. `distance` is below the number of
    /// members.
    #[inline(always)]
    fn at(&self, distance: u64) -> u64 {
        let place = self.place + distance;
        self.first + if place < self.members { place } else { place - self.members }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::random::Purpose;
    use super::*;

    #[test]
    fn communities_are_consecutive_and_half_to_one_and_a_half_sizes() {
        for (vertices, size) in [(1 << 14, 100), (1 << 10, 2), (1 << 10, 5), (64, 64), (1 << 12, 1000)] {
            let planted = Planted::new(vertices, size, Draws::new(3, Purpose::Bounds));
            let of: Vec<u64> = (0..vertices).map(|v| planted.community(v)).collect();
            assert!(of.windows(2).all(|w| w[1] == w[0] || w[1] == w[0] + 1));
            let mean = vertices as f64 / planted.communities as f64;
            for run in of.chunk_by(|a, b| a == b) {
                // Bounds are rounded, so the size of a community may exceed the limits by one.
                let expected = 0.5 * mean - 1.0..=1.5 * mean + 1.0;
                assert!(expected.contains(&(run.len() as f64)) && run.len() >= 2, "{} of {mean}", run.len());
            }
        }
    }

    #[test]
    fn members_are_others_of_the_same_community() {
        let planted = Planted::new(1 << 10, 30, Draws::new(1, Purpose::Bounds));
        let words = Draws::new(1, Purpose::Edges);
        for v in 0..1 << 10 {
            let home = planted.home(v, v % 20);
            for word in (0..50).map(|i| words.at(v * 50 + i)).chain([0, u64::MAX]) {
                let other = home.member(word, word % 20);
                assert!(other != v && planted.community(other) == planted.community(v), "{v} -> {other}");
            }
        }
    }
}
