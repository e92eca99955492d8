//! A random choice in proportion to numbers of paths, which may exceed the range of f64.

use crate::bc::walk::{TWO_TO_256, add_scaled, shrink};
use warpgraph_core::Draws;

/// Both factors of a product are multiplied by this first, so that it stays in range.
const HALF: f64 = 1.0 / TWO_TO_256;

/// A number of paths: `count * 2^(512 * scale)`, with the count below 2^512.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paths {
    pub(super) count: f64,
    pub(super) scale: u32,
}

impl Paths {
    /// Returns the product, times 2^-512 like every other product.
    fn times(self, other: Self) -> Self {
        Self { count: (self.count * HALF) * (other.count * HALF), scale: self.scale + other.scale }
    }
}

/// Items seen so far, of which one is chosen: each with a probability in proportion to its number of paths.
pub(super) struct Choice<T> {
    total: Paths,
    chosen: Option<T>,
}

impl<T> Choice<T> {
    pub(super) fn new() -> Self {
        Self { total: Paths { count: 0.0, scale: 0 }, chosen: None }
    }

    /// Offers an item that stands for this many paths, more than 0. It replaces the chosen one with the probability of its
    /// share in the total so far, so that in the end every item is chosen with its share in the whole total.
    pub(super) fn offer(&mut self, paths: Paths, item: T, draws: &mut Draws) {
        let Paths { count, scale } = &mut self.total;
        add_scaled(count, scale, paths.count, paths.scale);
        let share = paths.count * shrink(self.total.scale - paths.scale) / self.total.count;
        if self.chosen.is_none() || draws.unit() < share {
            self.chosen = Some(item);
        }
    }

    /// Offers an item that stands for all pairs of one path of each kind.
    pub(super) fn offer_pairs(&mut self, a: Paths, b: Paths, item: T, draws: &mut Draws) {
        self.offer(a.times(b), item, draws);
    }

    pub(super) fn chosen(self) -> Option<T> {
        self.chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bc::walk::CARRY;

    fn paths(count: f64, scale: u32) -> Paths {
        Paths { count, scale }
    }

    #[test]
    fn items_are_chosen_in_proportion_to_their_paths() {
        let mut times = [0; 3];
        for sample in 0..10_000 {
            let (mut choice, mut draws) = (Choice::new(), Draws::of(1, 0, sample));
            for (item, count) in [5.0, 1.0, 4.0].into_iter().enumerate() {
                choice.offer(paths(count, 3), item, &mut draws);
            }
            times[choice.chosen().expect("an item")] += 1;
        }
        assert!((4800..5200).contains(&times[0]) && (900..1100).contains(&times[1]), "{times:?}");
    }

    #[test]
    fn an_item_of_far_more_paths_is_always_chosen() {
        for order in [[0, 1], [1, 0]] {
            for sample in 0..100 {
                let (mut choice, mut draws) = (Choice::new(), Draws::of(2, 0, sample));
                order.iter().for_each(|&scale| choice.offer(paths(3.0, 2 * scale), scale, &mut draws));
                assert_eq!(choice.chosen(), Some(1));
            }
        }
    }

    #[test]
    fn products_stay_in_range() {
        let most = paths(CARRY * (1.0 - f64::EPSILON), 7);
        let mut choice = Choice::new();
        choice.offer_pairs(most, most, 1, &mut Draws::of(0, 0, 0));
        choice.offer_pairs(paths(1.0, 7), paths(1.0, 7), 2, &mut Draws::of(0, 0, 0));
        assert!(choice.total.count.is_finite() && choice.total.count > 0.0);
    }
}
