//! Triangles: counts equal the oracle's, in all and at every vertex.

use super::{Case, Draw, Subject, answer, assert_same, named, place};
use crate::oracle;
use crate::{Backend, fixtures::Fixture};
use warpgraph::{
    Answer as _, Graph, Plan, Question, Triangles, TrianglesAnswer, triangles::TrianglesSummary,
};

/// Triangles under test.
pub(super) const SUBJECT: Subject = Subject {
    name: "triangles",
    cases: named!(Case, equals_the_oracle, is_within_the_error),
    holds: holds_by_default,
    holds_drawn,
    questions,
    wrong: wrong::ALL,
};

/// On every fixture, by every plan.
fn equals_the_oracle(backend: &Backend) {
    for fixture in backend.fixtures() {
        holds(backend, fixture, &backend.plans::<Triangles>(fixture));
    }
}

/// On every fixture, estimated or exact, within the error that it reports.
fn is_within_the_error(backend: &Backend) {
    for fixture in backend.fixtures() {
        let at = place::<Triangles>(backend, fixture, Plan::AUTO);
        let (counts, degrees) = oracle::triangles(&fixture.graph);
        let config = Triangles::default().max_error(0.05).confidence(0.9999);
        let answer = answer(backend, fixture, &config, Plan::AUTO);
        let accuracy = answer.run().accuracy.as_ref().unwrap_or_else(|| panic!("{at}: no report"));
        assert!(accuracy.achieved <= 0.05 + 1e-12, "{at}: {accuracy:?}");
        let thirds: f64 = degrees.iter().map(|&d| f64::from(d) * (f64::from(d) - 1.0) / 6.0).sum();
        let off = answer.triangles().abs_diff(counts.iter().sum::<u64>() / 3) as f64;
        // The estimate is rounded to a whole number.
        assert!(off <= accuracy.achieved * thirds + 0.5, "{at}: {off} triangles off, {accuracy:?}");
    }
}

/// One run by each plan, of each kind, is right in all it says.
///
/// # Panics
/// When it is not.
pub fn holds(backend: &Backend, fixture: &Fixture, plans: &[Plan]) {
    let (counts, degrees) = oracle::triangles(&fixture.graph);
    let total = counts.iter().sum::<u64>() / 3;
    for &plan in plans {
        let at = place::<Triangles>(backend, fixture, plan);
        let alone = answer(backend, fixture, &Triangles::default(), plan);
        let figures = TrianglesSummary {
            triangles: total,
            at_least: None,
            at_most: None,
            transitivity: None,
            average_clustering: None,
        };
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

fn holds_by_default(backend: &Backend, fixture: &Fixture) {
    holds(backend, fixture, &[Plan::AUTO]);
}

fn holds_drawn(backend: &Backend, fixture: &Fixture, _: &mut Draw) {
    holds(backend, fixture, &backend.plans::<Triangles>(fixture));
}

fn questions(_: &Graph) -> Vec<Box<dyn Question>> {
    vec![Box::new(Triangles::default()), Box::new(Triangles::local())]
}

/// Wrong answers.
mod wrong {
    use super::*;
    use crate::{
        cases::Wrong,
        fixtures::Edges,
        wrong::{broken, run},
    };
    use warpgraph::{Halted, triangles::Local};

    pub(super) const ALL: &[Wrong] = named!(Wrong, every_damage_is_named, a_total_alone_is_recounted);

    /// Two triangles that share an edge, 0 1 2 and 1 2 3, an arm 3 - 4, and 5 alone; one edge has both directions, one is
    /// there twice, and there is a loop.
    fn graph() -> Graph {
        Edges::new(6, [(0, 1), (1, 0), (1, 2), (2, 0), (2, 3), (2, 3), (3, 1), (3, 4), (4, 4)]).build(true)
    }

    const COUNTS: [u64; 6] = [1, 2, 2, 1, 0, 0];
    const DEGREES: [u32; 6] = [2, 3, 3, 3, 1, 0];

    fn verdict(total: u64, counts: &[u64], degrees: &[u32]) -> &'static str {
        let local = Local { triangles: counts.to_vec().into(), degrees: degrees.to_vec().into() };
        broken(&TrianglesAnswer::new(&graph(), total, Some(local), run(Halted::Converged)), &graph())
    }

    fn total(total: u64) -> &'static str {
        broken(&TrianglesAnswer::new(&graph(), total, None, run(Halted::Converged)), &graph())
    }

    fn every_damage_is_named() {
        assert_eq!(verdict(2, &COUNTS, &DEGREES), "");
        assert_eq!(verdict(2, &COUNTS, &[2, 3, 3, 4, 1, 0]), "a degree counts every other vertex once");
        assert_eq!(verdict(2, &COUNTS, &[3, 3, 3, 3, 1, 0]), "a degree counts every other vertex once");
        assert_eq!(verdict(2, &[1, 2, 2, 0, 1, 0], &DEGREES), "no more triangles than pairs of neighbours");
        assert_eq!(verdict(2, &[1, 2, 2, 2, 0, 0], &DEGREES), "every triangle has three vertices");
        let at_every = "a recount finds as many triangles at every vertex";
        assert_eq!(verdict(2, &[1, 3, 1, 1, 0, 0], &DEGREES), at_every, "one moved");
        assert_eq!(verdict(3, &[1, 3, 3, 2, 0, 0], &DEGREES), "a recount finds as many triangles");
        assert_eq!(verdict(2, &[2], &DEGREES), "one value per vertex");
    }

    fn a_total_alone_is_recounted() {
        assert_eq!(total(2), "");
        assert_eq!(total(1), "a recount finds as many triangles");
        assert_eq!(total(12), "a recount finds as many triangles", "each counted six times");
    }
}
