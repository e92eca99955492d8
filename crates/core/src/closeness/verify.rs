//! Verifies sums of distances:
//!
//! 1. exactly the vertices asked about have values;
//! 2. ranges: r vertices, at least one at each distance from 1 to e, have a sum from e (e + 1) / 2 + (r - e) to e (e +
//!    1) / 2 + (r - e) e, and a harmonic sum from r^2 / sum (Jensen's inequality) to r;
//! 3. in an undirected graph, neighbours are reached by the same number of vertices, their sums differ by at most r -
//!    1, and their eccentricities by at most 1;
//! 4. a search by a queue from some of them ([`BUDGET`]) finds exactly these counts and sums.
//!
//! Estimates are compared with such searches only: harmonic centrality and the share of vertices that reach a vertex must be
//! within the error that the run reports, which fails with the probability that the user allows.

use super::{ClosenessAnswer, Distances, distances::NOT_ASKED};
use crate::{Answer as _, Violation, verify::first};
use std::collections::VecDeque;
use warpgraph_graph::{Csr, Graph, Vertex, par};

/// Arcs and vertices that all searches together may visit.
const BUDGET: u64 = 1 << 30;
/// Relative rounding error allowed in a harmonic sum.
const ROUNDING: f64 = 1e-10;

pub(super) fn verify(answer: &ClosenessAnswer, graph: &Graph) -> Result<(), Violation> {
    let n = graph.vertices();
    let all = &answer.distances;
    if all.eccentricity.len() != n {
        return Err(Violation::new(
            "one value per vertex",
            format!("{} for {n} vertices", all.eccentricity.len()),
        ));
    }
    if answer.drawn().is_none() {
        first(n, |v| check_vertex(answer, graph, v))?;
    }
    let asked: Vec<Vertex> = (0..n as Vertex).filter(|&v| is_asked(all, v)).collect();
    let incoming = graph.incoming().map_err(|e| Violation::new("the search can be made", e.to_string()))?;
    let searches = (BUDGET / (graph.arcs() + n).max(1) as u64).max(1) as usize;
    let some: Vec<Vertex> = asked.iter().copied().step_by(asked.len().div_ceil(searches).max(1)).collect();
    let check = |v: Vertex| match answer.drawn() {
        Some(_) => check_estimate(answer, graph, &incoming.csr, v),
        None => check_search(all, graph, &incoming.csr, v),
    };
    let checks = par::map(some.len(), |i| check(some[i]));
    checks.into_iter().flatten().next().map_or(Ok(()), Err)
}

fn is_asked(all: &Distances, v: Vertex) -> bool {
    all.eccentricity[v as usize] != NOT_ASKED
}

fn check_vertex(answer: &ClosenessAnswer, graph: &Graph, v: Vertex) -> Option<Violation> {
    let (all, i, id) = (&answer.distances, v as usize, graph.ids().id(v));
    let should = answer.sources().is_none_or(|list| list.binary_search(&v).is_ok());
    if should != is_asked(all, v)
        || should == answer.closeness[i].is_nan()
        || should == all.harmonic[i].is_nan()
    {
        let what = format!("vertex {id} has closeness {}", answer.closeness[i]);
        return Some(Violation::new("values for the vertices asked about", what));
    }
    if !should {
        return None;
    }
    if !is_possible(all, i) {
        let (reached, total, far) = (all.reached[i], all.total[i], all.eccentricity[i]);
        let what = format!(
            "vertex {id}: {reached} vertices, sum {total}, harmonic {}, up to {far}",
            all.harmonic[i]
        );
        return Some(Violation::new("sums that distances can have", what));
    }
    if graph.is_directed() {
        return None;
    }
    let mut others = graph.out().csr.neighbors(v).iter().filter(|&&u| u != v && is_asked(all, u));
    others.find(|&&u| !are_neighbours(all, i, u as usize)).map(|&u| {
        let what = format!("vertices {id} and {} are further apart in their sums", graph.ids().id(u));
        Violation::new("neighbours differ by one hop", what)
    })
}

fn is_possible(all: &Distances, i: usize) -> bool {
    let (reached, far) = (u64::from(all.reached[i]), u64::from(all.eccentricity[i]));
    let (total, harmonic) = (all.total[i], all.harmonic[i]);
    if reached == 0 || far == 0 || far > reached {
        return reached == 0 && far == 0 && total == 0 && harmonic == 0.0;
    }
    // At least one vertex is at each distance; the others are all at 1, or all at the largest. Jensen: the mean of 1 /
    // d is at least 1 / mean.
    let fixed = far * (far + 1) / 2;
    let (least, most) = (fixed + (reached - far), fixed + (reached - far) * far);
    let r = reached as f64;
    (least..=most).contains(&total)
        && harmonic >= r * r / total as f64 * (1.0 - ROUNDING)
        && harmonic <= r * (1.0 + ROUNDING)
}

fn are_neighbours(all: &Distances, i: usize, j: usize) -> bool {
    all.reached[i] == all.reached[j]
        && all.total[i].abs_diff(all.total[j]) < u64::from(all.reached[i])
        && all.eccentricity[i].abs_diff(all.eccentricity[j]) <= 1
}

fn check_search(all: &Distances, graph: &Graph, incoming: &Csr, v: Vertex) -> Option<Violation> {
    let (reached, total, harmonic, far) = search(incoming, v);
    let i = v as usize;
    let is_right = (all.reached[i], all.total[i], all.eccentricity[i]) == (reached, total, far)
        && (all.harmonic[i] - harmonic).abs() <= ROUNDING * harmonic;
    (!is_right).then(|| {
        let got = format!("{} {} {} {}", all.reached[i], all.total[i], all.harmonic[i], all.eccentricity[i]);
        let what =
            format!("vertex {}: {got}, a queue finds {reached} {total} {harmonic} {far}", graph.ids().id(v));
        Violation::new("a search finds the same sums", what)
    })
}

fn check_estimate(answer: &ClosenessAnswer, graph: &Graph, incoming: &Csr, v: Vertex) -> Option<Violation> {
    let (reached, _, harmonic, _) = search(incoming, v);
    let (i, others) = (v as usize, graph.vertices() as f64 - 1.0);
    let error = answer.run().accuracy.as_ref().map_or(0.0, |accuracy| accuracy.achieved) * others;
    // Counts are rounded to whole vertices.
    let is_near = (answer.harmonic()[i] - harmonic).abs() <= error * (1.0 + ROUNDING)
        && (f64::from(answer.reached()[i]) - f64::from(reached)).abs() <= error + 0.5;
    (!is_near).then(|| {
        let got = format!("{} and {}", answer.reached()[i], answer.harmonic()[i]);
        let what = format!("vertex {}: {got}, a queue finds {reached} and {harmonic}", graph.ids().id(v));
        Violation::new("a search finds the same sums within the error", what)
    })
}

fn search(incoming: &Csr, source: Vertex) -> (u32, u64, f64, u32) {
    let mut hops = vec![u32::MAX; incoming.vertices()];
    hops[source as usize] = 0;
    let mut queue = VecDeque::from([source]);
    let (mut reached, mut total, mut harmonic, mut far) = (0, 0, 0.0, 0);
    while let Some(v) = queue.pop_front() {
        let d = hops[v as usize];
        if d > 0 {
            (reached, total, far) = (reached + 1, total + u64::from(d), d);
            harmonic += 1.0 / f64::from(d);
        }
        for &u in incoming.neighbors(v) {
            if hops[u as usize] == u32::MAX {
                hops[u as usize] = d + 1;
                queue.push_back(u);
            }
        }
    }
    (reached, total, harmonic, far)
}
