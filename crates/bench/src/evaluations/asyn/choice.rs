//! The cells of every part.

use super::{
    Asyn, IN_PLACE, LARGE_FIRST, NO_BACKWARD, NO_SKETCH, OPEN, PATHS, PUSH, THRESHOLDS, graphs::alpha,
};
use crate::evaluation::{Asked, Counts, Handle, Starts, Wanted};
use serde_json::json;
use warpgraph::{Importance, Plan};

/// Np of figure 15.
pub(super) const WALKS: [u32; 6] = [1, 2, 3, 4, 5, 6];
/// Shares of hubs and of the sample in tables 4 and 5; those in the middle unless all are asked for.
const LAMBDAS: [&str; 6] = ["0.0002", "0.001", "0.005", "0.025", "0.125", "0.625"];
const BETAS: [&str; 5] = ["0.00001", "0.0001", "0.001", "0.01", "0.1"];
const FEW_LAMBDAS: std::ops::Range<usize> = 1..4;
const FEW_BETAS: std::ops::Range<usize> = 2..5;
/// Algorithms of the parameters, and that of importance and exponents.
const SWEPT: [&str; 2] = ["pagerank", "sssp"];
const SUMS: [&str; 2] = ["pagerank", "adsorption"];
const RANKS: &str = "pagerank";
/// More rounds than any sum takes.
const ROUNDS: u64 = 1_000_000_000;

impl Asyn {
    /// Returns the cells of a graph with their parts. A handle keeps one set of paths, so a plan with other paths has a handle
    /// of its own. The cells of one algorithm in `main`, `fig11` and `fig15` are timed in turn. Those of the other parts are too
    /// many to be on a device at once, and are timed one after the other.
    pub(super) fn parts_of(&self, asked: &Asked) -> Vec<(&'static str, Wanted)> {
        let is_only_of_series = self.is_only_of_series(&asked.source);
        let of = |algorithm: &&str| match is_only_of_series {
            true => Vec::new(),
            false => self.shared(algorithm).into_iter().chain(self.apart(algorithm)).collect(),
        };
        let exponents = alpha(&asked.source).filter(|_| self.algorithms().contains(&RANKS));
        let exponents = exponents.into_iter().flat_map(|_| [PATHS, PUSH, OPEN]);
        let series: Vec<_> = exponents.map(|plan| ("fig14", self.cell(RANKS, plan))).collect();
        series.into_iter().chain(self.algorithms().iter().flat_map(of)).collect()
    }

    fn shared(&self, algorithm: &str) -> Vec<(&'static str, Wanted)> {
        let main = [PATHS, PUSH, OPEN].map(|plan| ("main", self.cell(algorithm, plan)));
        let walks = WALKS.map(|np| ("fig15", self.cell(algorithm, &format!("paths(np={np})"))));
        let sums = [PATHS, PUSH, LARGE_FIRST, IN_PLACE].map(|plan| (THRESHOLDS, self.cell(algorithm, plan)));
        let (is_swept, is_sum) = (SWEPT.contains(&algorithm), SUMS.contains(&algorithm));
        let walks = walks.into_iter().filter(|_| is_swept);
        main.into_iter().chain(walks).chain(sums.into_iter().filter(|_| is_sum)).collect()
    }

    fn apart(&self, algorithm: &str) -> Vec<(&'static str, Wanted)> {
        let own = |plan: &str| Wanted { handle: Handle::Own, ..self.cell(algorithm, plan) };
        let fresh = |plan: &str| Wanted { handle: Handle::Fresh, ..self.cell(algorithm, plan) };
        let mut all: Vec<_> = [NO_SKETCH, NO_BACKWARD].map(|plan| ("fig11", own(plan))).to_vec();
        if SWEPT.contains(&algorithm) {
            let (lambdas, betas) = self.grid();
            let pairs = lambdas.iter().flat_map(|lambda| betas.iter().map(move |beta| (lambda, beta)));
            let plans = pairs.map(|(lambda, beta)| format!("paths(lambda={lambda},beta={beta})"));
            all.extend(plans.map(|plan| ("table4", fresh(&plan))));
        }
        if algorithm == RANKS {
            let plan = |importance: Importance| format!("paths(importance={})", importance.name());
            all.extend(Importance::ALL.map(|importance| ("fig16", fresh(&plan(importance)))));
        }
        all
    }

    /// Returns the values of lambda and beta.
    pub(super) fn grid(&self) -> (&'static [&'static str], &'static [&'static str]) {
        match self.full_grid {
            true => (&LAMBDAS, &BETAS),
            false => (&LAMBDAS[FEW_LAMBDAS], &BETAS[FEW_BETAS]),
        }
    }

    /// Returns a cell that is counted too. The plan is written as it prints, so that one plan is one cell.
    fn cell(&self, algorithm: &str, plan: &str) -> Wanted {
        let plan = plan.parse::<Plan>().map_or_else(|_| plan.to_owned(), |plan| plan.to_string());
        let config = match SUMS.contains(&algorithm) {
            true => json!({ "tolerance": self.tolerance, "max_iterations": ROUNDS }),
            false => json!({}),
        };
        let starts = if algorithm == "sssp" { Starts::LargestOnce } else { Starts::Configured };
        let counts = if [PATHS, PUSH].contains(&plan.as_str()) { Counts::Rounds } else { Counts::Work };
        Wanted { config, starts, counts, ..Wanted::new(algorithm, plan) }
    }
}
