//! The hubs of a graph: the vertices whose importance is above a threshold `T` (section 3.1).
//!
//! `T` is the importance of the (lambda s)-th of s sampled vertices, the most important first. A sample has beta n vertices,
//! at least 100 / lambda, and at most n. A hub is *above* `T`: where many vertices tie with the threshold, as all do in a
//! regular graph, there are fewer hubs than lambda n, or none.

use super::{
    importance::{self, Scores},
    set::Set,
};
use crate::Means;
use warpgraph_core::{Result, Share, draw};
use warpgraph_graph::{Graph, Pages, Vertex, hash, par, paths::Recipe};

/// Separates these draws from others with the same seed.
const SALT: u64 = 0x0070_6174_6873;
/// The least number of sampled vertices that are above the threshold, where the graph has as many.
const ABOVE: u64 = 100;

/// The hubs of a graph.
pub(super) struct Hubs {
    set: Set,
    count: u64,
}

impl Hubs {
    /// Finds the hubs.
    pub(super) fn of(
        graph: &Graph,
        recipe: &Recipe,
        importance: Option<&[f64]>,
        means: &Means<'_>,
    ) -> Result<Self> {
        let n = graph.vertices();
        importance.map_or(Ok(()), |given| importance::check(given, n))?;
        if n == 0 || recipe.lambda == 0 {
            return Ok(Self::new(Set::of(n, |_| false)?));
        }
        let scores = Scores::of(graph, recipe, importance, means)?;
        means.control.check(super::DURING)?;
        let threshold = threshold(n, recipe, means.seed, |v| scores.get(v))?;
        Ok(Self::new(Set::of(n, |v| scores.get(v) > threshold)?))
    }

    /// Returns these vertices as hubs.
    pub(super) fn new(set: Set) -> Self {
        let count = set.len();
        Self { set, count }
    }

    /// Returns whether `v` is a hub.
    #[inline(always)]
    pub(super) fn has(&self, v: Vertex) -> bool {
        self.set.has(v)
    }

    /// Returns the number of hubs.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}

/// Returns the importance that hubs exceed.
fn threshold(n: usize, recipe: &Recipe, seed: u64, score: impl Fn(Vertex) -> f64 + Sync) -> Result<f64> {
    let whole = u64::from(Share::WHOLE);
    let (lambda, beta) = (u64::from(recipe.lambda), u64::from(recipe.beta));
    let wanted = (n as u64 * beta).div_ceil(whole).max((ABOVE * whole).div_ceil(lambda));
    let mut sample = sample(n, wanted, seed, score)?;
    let place = (sample.len() as u64 * lambda).div_ceil(whole).clamp(1, sample.len() as u64);
    let (_, threshold, _) = sample.select_nth_unstable_by(place as usize - 1, |a, b| b.total_cmp(a));
    Ok(*threshold)
}

/// Returns the importance of `wanted` different vertices, drawn uniformly. Takes all if a quarter or more is wanted: to
/// draw so many would cost more.
fn sample(n: usize, wanted: u64, seed: u64, score: impl Fn(Vertex) -> f64 + Sync) -> Result<Pages<f64>> {
    let drawn = match wanted < n as u64 / 4 {
        true => Some(draw(n, wanted, hash::mix(seed, SALT))),
        false => None,
    };
    let mut sample = Pages::scratch(drawn.as_ref().map_or(n, Vec::len))?;
    par::parts_mut(&mut sample, par::FINE, |first, part| {
        for (i, slot) in (first..).zip(part) {
            *slot = score(drawn.as_ref().map_or(i as Vertex, |drawn| drawn[i]));
        }
    });
    Ok(sample)
}
