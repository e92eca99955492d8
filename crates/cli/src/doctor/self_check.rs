//! Runs every algorithm on small graphs and verifies its answers, on the CPU and on each GPU.

use crate::{
    console::{BAD, GOOD, NOTE},
    failure::Result,
    session::Session,
};
use serde::Serialize;
use warpgraph::{
    Control, DeviceTrouble, Engine, Entry, Error, Graph, Options, Order,
    graph::generate::Spec,
    measure::{Repeats, measure},
};

/// A skewed graph with weights, a long one, and a directed one with sinks.
const GRAPHS: [&str; 3] = ["kron:8,w=1..9", "grid:40x5,drop=0.1,w=1..9", "powerlaw:300,w=1..9"];

/// The outcome of one algorithm.
#[derive(Serialize)]
pub(super) struct Check {
    pub(super) algorithm: &'static str,
    pub(super) device: String,
    status: Status,
    /// On how many graphs it was right, or what was wrong.
    pub(super) what: String,
}

#[derive(Serialize, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
enum Status {
    Passed,
    Failed,
    /// The algorithm refuses such graphs without more configuration, or the device lacks something.
    Skipped,
}

impl Check {
    pub(super) fn is_good(&self) -> bool {
        self.status != Status::Failed
    }

    /// Returns `passed`, `FAILED` or `skipped`, coloured.
    pub(super) fn word(&self) -> String {
        match self.status {
            Status::Passed => format!("{GOOD}passed{GOOD:#}"),
            Status::Failed => format!("{BAD}FAILED{BAD:#}"),
            Status::Skipped => format!("{NOTE}skipped{NOTE:#}"),
        }
    }

    /// Summarises the verdicts of all graphs: right, wrong or refused.
    fn of(algorithm: &'static str, device: &str, answers: &[Verdict]) -> Self {
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
        Self { algorithm, device: device.to_owned(), status, what }
    }
}

/// Runs everything on the CPU and on the GPUs. Returns an error only if it was stopped or a graph cannot be generated.
pub(super) fn run(session: &Session, gpus: &[Engine]) -> Result<Vec<Check>> {
    let generate = |spec: &&str| session.work(|control| spec.parse::<Spec>()?.generate(control));
    let graphs = GRAPHS.iter().map(generate).collect::<Result<Vec<Graph>, _>>()?;
    let mut checks = Vec::new();
    for engine in std::iter::once(&session.engine).chain(gpus) {
        let device = engine.device();
        session.say(&format!("checking algorithms on {device}\n"));
        for entry in warpgraph::algorithms() {
            let ask = |graph| session.work(|control| ask(engine, control, entry, graph));
            let answers: Vec<Verdict> = graphs.iter().map(ask).collect();
            session.control.check("checking algorithms")?;
            checks.push(Check::of(entry.name, &device.to_string(), &answers));
        }
    }
    Ok(checks)
}

/// The verdict on one graph.
enum Verdict {
    Right,
    Wrong(String),
    Refused(String),
}

/// Runs and verifies one algorithm on one graph.
fn ask(engine: &Engine, control: &Control, entry: &Entry, graph: &Graph) -> Verdict {
    let name = &graph.origin().name;
    let options = Options { control: control.clone(), ..Options::default() };
    let repeats = Repeats { verify: true, ..Repeats::ONCE };
    let measured = engine
        .load(graph, Order::Natural)
        .and_then(|ready| measure(&ready, &*entry.usual(), &options, &repeats));
    match measured {
        Ok(measured) => match measured.figures.violation {
            None => Verdict::Right,
            Some(violation) => Verdict::Wrong(format!("on {name}: {violation}")),
        },
        Err(error @ (Error::Config { .. } | Error::Refused { .. })) => Verdict::Refused(error.to_string()),
        // The findings report a missing compiler; and another process may have filled the device's memory.
        Err(error @ Error::Device { kind: DeviceTrouble::NoCompiler | DeviceTrouble::Memory, .. }) => {
            Verdict::Refused(error.to_string())
        }
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
        assert_eq!(Check::of("bfs", "cpu", &[Right, refused()]).what, "on 1 of 2 small graphs");
        let wrong = Check::of("bfs", "cpu", &[Right, Wrong("on kron:8: too far".to_owned()), refused()]);
        assert_eq!((wrong.is_good(), wrong.what.as_str()), (false, "on kron:8: too far"));
        let skipped = Check::of("bfs", "cpu", &[refused()]);
        assert_eq!((skipped.status, skipped.what.as_str()), (Status::Skipped, "needs labels"));
        assert!(!Check::of("bfs", "cpu", &[]).is_good());
    }
}
