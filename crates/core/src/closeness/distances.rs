//! Sums of distances, from which closeness, harmonic centrality and eccentricity follow.

use crate::Result;
use warpgraph_graph::{NodeMap, Pages, Vertex};

/// For each vertex asked about: how many vertices reach it, and the sums of their distances.
#[derive(Debug)]
pub struct Distances {
    pub(super) reached: Pages<u32>,
    pub(super) total: Pages<u64>,
    pub(super) harmonic: Pages<f64>,
    pub(super) eccentricity: Pages<u32>,
}

/// The eccentricity of a vertex that was not asked about.
pub(super) const NOT_ASKED: u32 = u32::MAX;

impl Distances {
    /// Returns sums for this many vertices, none of them asked about yet.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn none(vertices: usize) -> Result<Self> {
        let mut none = Self {
            reached: Pages::zeroed(vertices)?,
            total: Pages::zeroed(vertices)?,
            harmonic: Pages::scratch(vertices)?,
            eccentricity: Pages::scratch(vertices)?,
        };
        none.harmonic.fill(f64::NAN);
        none.eccentricity.fill(NOT_ASKED);
        Ok(none)
    }

    /// Returns sums over the vertices that were searched from: how many of them reach each vertex, the sums of their
    /// distances and of the inverses, and the greatest distance (0 if none).
    pub fn of(
        reached: Pages<u32>,
        total: Pages<u64>,
        harmonic: Pages<f64>,
        eccentricity: Pages<u32>,
    ) -> Self {
        Self { reached, total, harmonic, eccentricity }
    }

    /// Marks `v` as asked about, and adds `count` vertices that reach it at `distance`. Distances must come in
    /// ascending order.
    pub fn add(&mut self, v: Vertex, distance: u32, count: u64) {
        let v = v as usize;
        if self.eccentricity[v] == NOT_ASKED {
            (self.harmonic[v], self.eccentricity[v]) = (0.0, 0);
        }
        if count > 0 {
            self.reached[v] += count as u32;
            self.total[v] += u64::from(distance) * count;
            self.harmonic[v] += count as f64 / f64::from(distance);
            self.eccentricity[v] = distance;
        }
    }

    /// Returns the closeness of `v` if `others` other vertices were searched from; NaN if it was not asked about.
    pub(super) fn closeness(&self, v: usize, others: f64) -> f64 {
        let reached = f64::from(self.reached[v]);
        match self.eccentricity[v] {
            NOT_ASKED => f64::NAN,
            0 => 0.0,
            _ => reached / self.total[v] as f64 * (reached / others),
        }
    }

    pub(super) fn restore(&self, map: &NodeMap) -> Result<Self> {
        Ok(Self {
            reached: map.restore(&self.reached)?,
            total: map.restore(&self.total)?,
            harmonic: map.restore(&self.harmonic)?,
            eccentricity: map.restore(&self.eccentricity)?,
        })
    }
}
