//! The statements of the paper, in the order of its figures.

use super::{
    ALGORITHMS, NO_BACKWARD, NO_SKETCH, PARTS, PATHS, PUSH,
    at::{At, Of, options},
    choice::WALKS,
};
use crate::evaluation::{
    Cell,
    statements::{Case, Statement, Unit, View},
    tables::{name, over},
};
use warpgraph::{PathPlan, Share};

/// Which graphs a statement is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum On {
    Every,
    Directed,
    Undirected,
    /// Those with paths to hubs.
    Sketched,
}
use On::{Directed, Every, Sketched, Undirected};

/// pagerank and sssp, which most figures are about, and algorithms that walk backward on undirected graphs only.
const BOTH: [&str; 2] = ["pagerank", "sssp"];
const ONE_WAY: [&str; 3] = ["pagerank", "adsorption", "sssp"];
const RANKS: [&str; 1] = ["pagerank"];
/// Plans of the figures of importance.
const BY_DEGREE: &str = "paths(importance=degree)";
const BY_OTHERS: [&str; 2] = ["paths(importance=closeness)", "paths(importance=betweenness)"];
/// A diameter is longer if it is so many times another.
const LONGER: u64 = 2;

/// A row per statement: figure, unit and words; the graphs and algorithms it is about; its figure, and when it holds.
macro_rules! statements {
    ($($nr:literal $unit:ident $says:literal: $on:expr, $algorithms:expr, $value:expr, $holds:expr;)*) => {
        [$(Statement {
            figure: $nr,
            says: $says,
            unit: Unit::$unit,
            cases: |view| cases(view, ($on, &$algorithms), $value, $holds),
        }),*]
    };
}

/// All statements.
pub(super) static ALL: &[Statement] = &statements! {
    "7" Less "fewer updates than by supersteps":
        Every, ALGORITHMS, |at| at.saved(Of::Updates, PATHS, PUSH), |saved| saved > 0.0;
    "7" Times "graphs with a longer diameter save more updates":
        Every, ALGORITHMS, longer, |times| times > 1.0;
    "8" Times "faster than by supersteps, 3.06 to 11.52 times":
        Every, ALGORITHMS, |at| at.ratio(Of::Time, PUSH, PATHS), |times| times > 1.0;
    "10" Less "pagerank and sssp load fewer bytes than by supersteps":
        Every, BOTH, |at| at.saved(Of::Bytes, PATHS, PUSH), |saved| saved > 0.0;
    "11" Times "the sketch makes runs faster":
        Sketched, ALGORITHMS, |at| at.ratio(Of::Time, NO_SKETCH, PATHS), |times| times > 1.0;
    "11" Less "the sketch saves updates":
        Sketched, ALGORITHMS, |at| at.saved(Of::Updates, PATHS, NO_SKETCH), |saved| saved > 0.0;
    "11" Times "backward walks make runs faster on undirected graphs":
        Undirected, ALGORITHMS, |at| at.ratio(Of::Time, NO_BACKWARD, PATHS), |times| times > 1.0;
    "11" Less "backward walks save updates on undirected graphs":
        Undirected, ALGORITHMS, |at| at.saved(Of::Updates, PATHS, NO_BACKWARD), |saved| saved > 0.0;
    "11" Times "backward walks gain nothing (here: 5 % at most) on directed graphs, except in wcc":
        Directed, ONE_WAY, |at| at.ratio(Of::Time, NO_BACKWARD, PATHS), |times| times <= 1.05;
    "12" Less "backward walks load fewer bytes on undirected graphs":
        Undirected, ALGORITHMS, |at| at.saved(Of::Bytes, PATHS, NO_BACKWARD), |saved| saved > 0.0;
    "14" Times "pagerank gains more over supersteps where alpha is lower":
        Every, RANKS, lower_alpha, |times| times > 1.0;
    "15" Number "a larger Np first gains, then loses: the best is neither 1 nor 6":
        Sketched, BOTH, best_walks, |np| np > f64::from(WALKS[0]) && np < f64::from(WALKS[WALKS.len() - 1]);
    "tables 4, 5" Share "the best lambda is from 0.5 to 2.5 %":
        Every, BOTH, |at| best_share(at, |plan| plan.lambda, |plan| plan.beta), |share| (0.005..=0.025).contains(&share);
    "tables 4, 5" Share "the best beta is at most 1 %":
        Every, BOTH, |at| best_share(at, |plan| plan.beta, |plan| plan.lambda), |share| share <= 0.01;
    "16" Times "with preparation, degree is the best importance":
        Every, RANKS, by_degree, |times| times > 1.0;
};

/// The best Np.
fn best_walks(at: At<'_>) -> Option<f64> {
    Some(f64::from(options(at.best("fig15", Of::Time)?.0)?.np.get()))
}

/// A share of the plan that takes the least time, preparation included; `None` if other values of it make the same hubs.
fn best_share(at: At<'_>, share: ShareOf, other: ShareOf) -> Option<f64> {
    let (best, _) = at.best("table4", Of::Total)?;
    let is_beside =
        |cell: &&Cell| options(cell).map(|plan| other(&plan)) == options(best).map(|plan| other(&plan));
    let hubs = |cell: &Cell| cell.paths.map(|used| used.hubs);
    let matters = at.cells("table4").into_iter().filter(is_beside).any(|cell| hubs(cell) != hubs(best));
    let best = share(&options(best)?)?;
    matters.then(|| f64::from(best.in_millionths()) / f64::from(Share::WHOLE))
}

type ShareOf = fn(&PathPlan) -> Option<Share>;

/// The least time of the other ways to find hubs over that by degree, preparation included.
fn by_degree(at: At<'_>) -> Option<f64> {
    let others = BY_OTHERS.iter().filter_map(|plan| at.value(Of::Total, plan)).reduce(f64::min);
    over(others, at.value(Of::Total, BY_DEGREE))
}

/// Updates of supersteps per update along paths, over that on the graph with the shortest diameter, where it is much shorter.
fn longer(at: At<'_>) -> Option<f64> {
    let diameter = |at: At<'_>| at.graph().map(|seen| seen.diameter).filter(|hops| *hops > 0);
    let same = At::all(at.report, &PARTS).into_iter().filter(|other| other.algorithm == at.algorithm);
    let shortest = same.filter(|other| diameter(*other).is_some()).min_by_key(|other| diameter(*other))?;
    let gain = |at: At<'_>| at.ratio(Of::Updates, PUSH, PATHS);
    (diameter(at)? >= LONGER * diameter(shortest)?).then(|| over(gain(at), gain(shortest))).flatten()
}

/// The gain on a power-law graph over that on the one with the next greater exponent.
fn lower_alpha(at: At<'_>) -> Option<f64> {
    let alpha = |at: At<'_>| at.graph()?.alpha;
    let own = alpha(at)?;
    let all = At::all(at.report, &["fig14"]).into_iter().filter(|other| other.algorithm == at.algorithm);
    let above = all.filter(|other| alpha(*other).is_some_and(|alpha| alpha > own));
    let next = above.min_by(|a, b| alpha(*a).unwrap_or(own).total_cmp(&alpha(*b).unwrap_or(own)))?;
    let gain = |at: At<'_>| at.ratio(Of::Time, PUSH, PATHS);
    over(gain(at), gain(next))
}

/// Returns the cases that can be judged: graphs, and algorithms where the statement is about several.
fn cases<'a>(
    view: &View<'a>,
    (on, algorithms): (On, &[&str]),
    value: fn(At<'a>) -> Option<f64>,
    holds: fn(f64) -> bool,
) -> Vec<Case> {
    let is_meant = |at: &At<'_>| match on {
        Every => true,
        Directed => at.is_directed(),
        Undirected => !at.is_directed(),
        Sketched => at.paths().is_some_and(|used| used.hub_chunks > 0),
    };
    let all = At::all(view.report, &PARTS).into_iter();
    let meant = all.filter(|at| algorithms.contains(&at.algorithm)).filter(is_meant);
    let case = |at: At<'a>| {
        let graph = name(at.case);
        let on = if algorithms.len() == 1 { graph } else { format!("{graph}: {}", at.algorithm) };
        Some(Case::new(on, value(at.seen_by(view))?, holds))
    };
    meant.filter_map(case).collect()
}
