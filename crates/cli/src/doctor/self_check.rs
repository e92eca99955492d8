//! Every algorithm on small graphs, its answers verified.

use crate::{
    console::{BAD, GOOD, NOTE},
    failure::Result,
    session::Session,
};
use serde::Serialize;
use warpgraph::{Error, Graph, Order, graph::generate::Spec};
use warpgraph_bench::{Entry, algorithms};

/// A skewed graph with weights, a long one, a directed one with sinks.
const GRAPHS: [&str; 3] = ["kron:8,w=1..9", "grid:40x5,drop=0.1,w=1..9", "powerlaw:300,w=1..9"];

/// What came of an algorithm.
#[derive(Serialize)]
pub(super) struct Check {
    pub(super) algorithm: &'static str,
    status: Status,
    /// On how many graphs it was right, or what went wrong.
    pub(super) what: String,
}

#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
enum Status {
    Passed,
    Failed,
    /// It takes no such graph without more configuration.
    Skipped,
}

impl Check {
    pub(super) fn is_good(&self) -> bool {
        self.status != Status::Failed
    }

    /// `passed`, `FAILED` or `skipped`, in its colour.
    pub(super) fn word(&self) -> String {
        match self.status {
            Status::Passed => format!("{GOOD}passed{GOOD:#}"),
            Status::Failed => format!("{BAD}FAILED{BAD:#}"),
            Status::Skipped => format!("{NOTE}skipped{NOTE:#}"),
        }
    }

    /// From what each graph gave: that it is right, that it is not, or that the algorithm does not take it.
    fn of(algorithm: &'static str, answers: &[Verdict]) -> Self {
        let wrong = answers.iter().find_map(|a| if let Verdict::Wrong(what) = a { Some(what) } else { None });
        let refused =
            answers.iter().find_map(|a| if let Verdict::Refused(why) = a { Some(why) } else { None });
        let right = answers.iter().filter(|a| matches!(a, Verdict::Right)).count();
        let (status, what) = match (wrong, right, refused) {
            (Some(what), ..) => (Status::Failed, what.clone()),
            (None, 0, Some(why)) => (Status::Skipped, why.clone()),
            (None, 0, None) => (Status::Failed, "it was asked nothing".to_owned()),
            (None, right, _) => (Status::Passed, format!("on {right} of {} small graphs", answers.len())),
        };
        Self { algorithm, status, what }
    }
}

/// Runs everything; errors only when it must stop.
pub(super) fn run(session: &Session) -> Result<Vec<Check>> {
    let generate = |spec: &&str| session.work(|control| spec.parse::<Spec>()?.generate(control));
    let graphs = GRAPHS.iter().map(generate).collect::<Result<Vec<Graph>, _>>()?;
    let mut checks = Vec::new();
    for entry in algorithms::ALL {
        let answers: Vec<Verdict> = graphs.iter().map(|graph| ask(session, entry, graph)).collect();
        session.control.check("checking algorithms")?;
        checks.push(Check::of(entry.name, &answers));
    }
    Ok(checks)
}

/// What a graph gave.
enum Verdict {
    Right,
    Wrong(String),
    Refused(String),
}

/// Is the answer right?
fn ask(session: &Session, entry: &Entry, graph: &Graph) -> Verdict {
    let name = &graph.origin().name;
    let outcome = session.work(|control| {
        let ready = session.engine.load(graph, Order::Natural)?;
        entry.once(&ready, control)
    });
    match outcome {
        Ok(outcome) => match outcome.figures.violation {
            None => Verdict::Right,
            Some(violation) => Verdict::Wrong(format!("on {name}: {violation}")),
        },
        Err(error @ (Error::Config { .. } | Error::Refused { .. })) => Verdict::Refused(error.to_string()),
        Err(error) => Verdict::Wrong(format!("on {name}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_answer_fails_and_so_does_none_at_all() {
        use Verdict::{Refused, Right, Wrong};
        let refused = || Refused("needs labels".to_owned());
        assert_eq!(Check::of("bfs", &[Right, refused()]).what, "on 1 of 2 small graphs");
        let wrong = Check::of("bfs", &[Right, Wrong("on kron:8: too far".to_owned()), refused()]);
        assert_eq!((wrong.is_good(), wrong.what.as_str()), (false, "on kron:8: too far"));
        let skipped = Check::of("bfs", &[refused()]);
        assert_eq!((skipped.status, skipped.what.as_str()), (Status::Skipped, "needs labels"));
        assert!(!Check::of("bfs", &[]).is_good());
    }
}
