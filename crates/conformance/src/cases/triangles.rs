//! Triangles: counts equal the oracle's, in all and at every vertex.

use super::{answer, assert_same, place};
use crate::{
    Backend,
    fixtures::{self, Fixture},
};
use warpgraph::{Plan, Triangles, TrianglesAnswer, oracle, triangles::TrianglesSummary};

/// On every fixture, by every plan.
pub fn equals_the_oracle(backend: &impl Backend) {
    for fixture in backend.fixtures() {
        holds(backend, fixture, &backend.plans::<Triangles>(fixture));
    }
}

/// One run by each plan, of each kind, is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &impl Backend, fixture: &Fixture, plans: &[Plan]) {
    let (counts, degrees) = oracle::triangles(&fixture.graph);
    let total = counts.iter().sum::<u64>() / 3;
    for &plan in plans {
        let at = place::<Triangles>(backend, fixture, plan);
        let alone = answer(backend, fixture, &Triangles::default(), plan);
        let figures = TrianglesSummary { triangles: total, transitivity: None, average_clustering: None };
        assert_eq!(alone.figures(), figures, "{at}");
        assert!(alone.local().is_none() && alone.triangles_at(0).is_none(), "{at}");
        let local = answer(backend, fixture, &Triangles::local(), plan);
        check_local(&local, &counts, &degrees, fixture, &at);
    }
}

fn check_local(answer: &TrianglesAnswer, counts: &[u64], degrees: &[u32], fixture: &Fixture, at: &str) {
    let local = answer.local().unwrap_or_else(|| panic!("{at}: no counts of vertices"));
    assert_same(&local.triangles, counts, &at);
    assert_same(&local.degrees, degrees, &at);
    let pairs: Vec<f64> = degrees.iter().map(|&d| f64::from(d) * (f64::from(d) - 1.0) / 2.0).collect();
    let clustering = |v: usize| if degrees[v] < 2 { 0.0 } else { counts[v] as f64 / pairs[v] };
    let n = counts.len();
    if let Some(last) = n.checked_sub(1) {
        let id = || fixture.graph.ids().id(last as u32);
        assert_eq!(answer.triangles_at(id()), Some(counts[last]), "{at}");
        assert_eq!(answer.clustering(id()), Some(clustering(last)), "{at}");
    }
    let (sum, all) = (counts.iter().sum::<u64>(), pairs.iter().sum::<f64>());
    let average = (0..n).map(clustering).sum::<f64>() / n.max(1) as f64;
    let transitivity = if all == 0.0 { 0.0 } else { sum as f64 / all };
    let figures = answer.figures();
    assert_eq!(figures.triangles, sum / 3, "{at}");
    assert_eq!(
        (figures.transitivity, figures.average_clustering),
        (Some(transitivity), Some(average)),
        "{at}"
    );
}
