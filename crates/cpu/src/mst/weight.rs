//! Weights as keys of the same order, and edges in the order that the forest needs.

use warpgraph_graph::{Vertex, Weights};

/// The weights of a graph's arcs.
pub(super) trait Weighing: Copy + Send + Sync {
    /// The key, with the order of the weights.
    type Key: Ord + Copy + Send + Sync + 'static;

    /// Returns the key of an arc.
    fn key(&self, arc: usize) -> Self::Key;
    /// Turns keys into weights again.
    fn weights(keys: impl Iterator<Item = Self::Key>) -> Weights;
}

/// Weight 1 for every arc.
#[derive(Clone, Copy)]
pub(super) struct Unit;

impl Weighing for Unit {
    type Key = ();

    #[inline(always)]
    fn key(&self, _: usize) {}

    fn weights(_: impl Iterator<Item = ()>) -> Weights {
        Weights::None
    }
}

macro_rules! weighing {
    ($($weight:ty, $key:ty, $variant:ident, |$x:ident| $to:expr, |$k:ident| $from:expr;)+) => {$(
        impl Weighing for &[$weight] {
            type Key = $key;

            #[inline(always)]
            fn key(&self, arc: usize) -> $key {
                let $x = self[arc];
                $to
            }

            fn weights(keys: impl Iterator<Item = $key>) -> Weights {
                Weights::$variant(keys.map(|$k| -> $weight { $from }).collect::<Vec<_>>().into())
            }
        }
    )+};
}

const TOP32: u32 = 1 << 31;
const TOP64: u64 = 1 << 63;

weighing! {
    u32, u32, U32, |x| x, |k| k;
    i32, u32, I32, |x| x as u32 ^ TOP32, |k| (k ^ TOP32) as i32;
    f32, u32, F32, |x| ordered32(x), |k| f32::from_bits(if k & TOP32 == 0 { !k } else { k ^ TOP32 });
    f64, u64, F64, |x| ordered64(x), |k| f64::from_bits(if k & TOP64 == 0 { !k } else { k ^ TOP64 });
}

/// Returns bits with the order of the numbers: negative numbers are inverted, others put above them. Adding 0 turns -0
/// into 0.
#[inline(always)]
fn ordered32(x: f32) -> u32 {
    let bits = (x + 0.0).to_bits();
    if bits & TOP32 == 0 { bits | TOP32 } else { !bits }
}

#[inline(always)]
fn ordered64(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits & TOP64 == 0 { bits | TOP64 } else { !bits }
}

/// An edge by its original ends. Ordered by weight, then smaller end, then larger end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge<K> {
    pub(super) key: K,
    pub(super) low: Vertex,
    pub(super) high: Vertex,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_order_as_weights_and_come_back() {
        let wide = [f64::MIN, -2.5, -f64::MIN_POSITIVE, 0.0, f64::MIN_POSITIVE, 0.1, f64::MAX];
        let narrow = wide.map(|x| x.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32);
        let whole = [i32::MIN, -7, 0, 1, i32::MAX];
        let (a, b, c) = (&wide[..], &narrow[..], &whole[..]);
        assert!((1..a.len()).all(|i| a.key(i - 1) < a.key(i)));
        assert!((1..b.len()).all(|i| b.key(i - 1) <= b.key(i)) && b.key(1) < b.key(5));
        assert!((1..c.len()).all(|i| c.key(i - 1) < c.key(i)));
        let Weights::F64(back) = <&[f64]>::weights((0..a.len()).map(|i| a.key(i))) else { panic!() };
        assert_eq!(&back[..], a);
        let Weights::F32(back) = <&[f32]>::weights((0..b.len()).map(|i| b.key(i))) else { panic!() };
        assert_eq!(&back[..], b);
        let Weights::I32(back) = <&[i32]>::weights((0..c.len()).map(|i| c.key(i))) else { panic!() };
        assert_eq!(&back[..], c);
        assert_eq!((&[0.0, -0.0][..]).key(0), (&[0.0, -0.0][..]).key(1));
    }
}
