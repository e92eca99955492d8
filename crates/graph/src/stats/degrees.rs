//! Computes the statistics of one degree distribution.

use super::{Histogram, distribution::Distribution};
use crate::{csr::Vertex, error::Result, graph::Graph, par};
use serde::Serialize;
use std::sync::atomic::{AtomicU32, Ordering};

/// The degrees of one direction: size, spread and skew.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DegreeStats {
    /// The smallest degree.
    pub min: u64,
    /// The mean degree; 0 if there are no vertices.
    pub mean: f64,
    /// The largest degree.
    pub max: u64,
    /// The median: at least half of the vertices have at most this degree.
    pub p50: u64,
    /// The 90th percentile: at least 90 % of the vertices have at most this degree.
    pub p90: u64,
    /// The 99th percentile: at least 99 % of the vertices have at most this degree.
    pub p99: u64,
    /// The Gini coefficient: 0 if all degrees are equal, near 1 if a few vertices have almost all arcs.
    pub gini: f64,
    /// The share of arcs that belong to the 1 % of vertices (rounded up) with the largest degrees.
    pub top_share: f64,
    /// The exponent of a power law fitted to the tail: Clauset's discrete maximum likelihood estimate
    /// `1 + k / sum ln(d / (x - 1/2))` over the k vertices of degree d >= x, where x is the 90th percentile but at
    /// least 6. `None` if the tail rules out a power law: fewer than 50 vertices, or no degree of at least 10 x.
    pub exponent: Option<f64>,
    /// The number of vertices per power-of-two range of degrees.
    pub histogram: Histogram,
}

impl DegreeStats {
    pub(super) fn of(degrees: &Distribution) -> Self {
        let (vertices, arcs) = (degrees.vertices(), degrees.arcs());
        Self {
            min: degrees.counts.first().map_or(0, |c| c.0),
            mean: if vertices == 0 { 0.0 } else { arcs as f64 / vertices as f64 },
            max: degrees.counts.last().map_or(0, |c| c.0),
            p50: degrees.percentile(0.5),
            p90: degrees.percentile(0.9),
            p99: degrees.percentile(0.99),
            gini: gini(degrees),
            top_share: top_share(degrees),
            exponent: exponent(degrees),
            histogram: Histogram::of(&degrees.counts),
        }
    }
}

/// Counts the in-degrees, from the transpose only if it exists already.
pub(super) fn incoming(graph: &Graph) -> Result<Distribution> {
    if graph.has_incoming() {
        let csr = &graph.incoming()?.csr;
        return Ok(Distribution::of(graph.vertices(), |v| csr.degree(v) as u64));
    }
    let counts: Vec<AtomicU32> = (0..graph.vertices()).map(|_| AtomicU32::new(0)).collect();
    let targets = graph.out().csr.targets();
    par::ranges(targets.len(), 1 << 14, |range| {
        for &v in &targets[range] {
            counts[v as usize].fetch_add(1, Ordering::Relaxed);
        }
    });
    Ok(Distribution::of(graph.vertices(), |v: Vertex| counts[v as usize].load(Ordering::Relaxed).into()))
}

/// Returns the Gini coefficient, sum_i (2 i - n - 1) d_i / (n sum d) over the degrees in increasing order, i from 1.
/// Adds each run of equal degrees at once.
fn gini(degrees: &Distribution) -> f64 {
    let (n, arcs) = (i128::from(degrees.vertices()), i128::from(degrees.arcs()));
    if arcs == 0 {
        return 0.0;
    }
    let (mut before, mut sum) = (0i128, 0i128);
    for &(degree, count) in &degrees.counts {
        let count = i128::from(count);
        // The sum of 2 i - n - 1 over i from before + 1 to before + count is count * (2 * before + count - n).
        sum += i128::from(degree) * count * (2 * before + count - n);
        before += count;
    }
    sum as f64 / (n * arcs) as f64
}

fn top_share(degrees: &Distribution) -> f64 {
    let arcs = degrees.arcs();
    if arcs == 0 {
        return 0.0;
    }
    let mut left = degrees.vertices().div_ceil(100);
    let mut held = 0;
    for &(degree, count) in degrees.counts.iter().rev() {
        let taken = count.min(left);
        held += degree * taken;
        left -= taken;
    }
    held as f64 / arcs as f64
}

fn exponent(degrees: &Distribution) -> Option<f64> {
    const LEAST: u64 = 6;
    let least = degrees.percentile(0.9).max(LEAST);
    let tail = &degrees.counts[degrees.counts.partition_point(|c| c.0 < least)..];
    let vertices: u64 = tail.iter().map(|c| c.1).sum();
    if vertices < 50 || tail.last()?.0 < 10 * least {
        return None;
    }
    let logs: f64 = tail.iter().map(|&(d, c)| c as f64 * (d as f64 / (least as f64 - 0.5)).ln()).sum();
    Some(1.0 + vertices as f64 / logs)
}
