//! The cases of a bench: every graph in every order under every algorithm.

use super::Bench;
use crate::{failure::Result, load, parse, run::start, session::Session};
use std::time::Duration;
use warpgraph::{Approximation, DEFAULT_SEED, Entry, Order, Plan, graph::suggest, measure::Repeats};
use warpgraph_bench::{
    Yardsticks,
    case::{Case, SUITE, Subject},
    result::CaseReport,
};

/// What is to be measured.
pub(super) struct Suite<'a> {
    args: &'a Bench,
    graphs: Vec<&'a str>,
    entries: Vec<&'static Entry>,
    /// `None`: as the file holds it.
    orders: Vec<Option<Order>>,
    approximations: Vec<Approximation>,
    plan: Plan,
}

impl<'a> Suite<'a> {
    /// Refuses names of files, generators, algorithms and orders that do not exist, before anything is measured.
    pub(super) fn new(args: &'a Bench) -> Result<Self> {
        let graphs: Vec<&str> = args.graphs.iter().map(String::as_str).collect();
        graphs.iter().try_for_each(|name| check_graph(name))?;
        let entries = args.algorithms.iter().map(|name| warpgraph::find(name)).collect::<Result<_, _>>()?;
        let orders = args.order.iter().map(|order| order.parse().map(Some)).collect::<Result<_, _>>()?;
        let approximations = args.approx.iter().map(|text| text.parse()).collect::<Result<Vec<_>, _>>()?;
        let plan = args.plan.parse()?;
        args.device.check_plan(plan)?;
        Ok(Self {
            args,
            graphs: or(graphs, SUITE),
            entries: or(entries, warpgraph::algorithms()),
            orders: or(orders, [None]),
            approximations: or(approximations, [Approximation::NONE]),
            plan,
        })
    }

    /// Runs every case. Errors only when all must stop.
    pub(super) fn run(&self, session: &Session, limits: &mut Yardsticks) -> Result<Vec<CaseReport>> {
        let changes = self.orders.len() * self.approximations.len();
        let total = self.graphs.len() * changes * self.entries.len();
        let (repeats, mut reports) = (self.repeats(), Vec::with_capacity(total));
        for &name in &self.graphs {
            session.say(&format!("loading {name}\n"));
            let loaded = load::load(session, name, &self.args.reading);
            session.control.check("measuring")?;
            for (order, approx) in self.changes() {
                let subject = match &loaded {
                    Ok(loaded) => subject(session, loaded, order, approx).map_err(|failure| failure.value()),
                    Err(failure) => Err(failure.value()),
                };
                let order = subject.as_ref().map_or(order.unwrap_or_default(), |s| s.loaded.order());
                for &entry in &self.entries {
                    let case = Case { entry, name, plan: self.plan, order, approx };
                    session.say(&format!("[{}/{total}] {} on {name}\n", reports.len() + 1, entry.name));
                    reports.push(match &subject {
                        Ok(subject) => {
                            session.work(|control| case.run(subject, &repeats, limits, control))?
                        }
                        Err(failure) => case.failed(&session.engine, failure.clone()),
                    });
                }
            }
        }
        Ok(reports)
    }

    /// Returns every order with every approximation.
    fn changes(&self) -> impl Iterator<Item = (Option<Order>, Approximation)> + '_ {
        let with = |&order: &Option<Order>| self.approximations.iter().map(move |&approx| (order, approx));
        self.orders.iter().flat_map(with)
    }

    fn repeats(&self) -> Repeats {
        let &Bench { runs, warmup, verify, case_limit, .. } = self.args;
        Repeats { runs, warmup, verify, limit: Some(Duration::from_secs(case_limit)) }
    }
}

/// Refuses a graph that does not exist. A word that is nearly a subcommand of `bench` gets that as a suggestion.
fn check_graph(name: &str) -> Result<()> {
    let command = parse::named(&["", "bench"].map(Into::into));
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    match (load::find_source(name), suggest::nearest(name, &names)) {
        (Ok(_), _) => Ok(()),
        (Err(failure), Some(word)) => {
            Err(failure.with_help(format!("did you mean `warpgraph bench {word}`?")))
        }
        (Err(failure), None) => Err(failure),
    }
}

/// Returns what was asked for, or the usual if nothing was.
fn or<T>(asked: Vec<T>, usual: impl IntoIterator<Item = T>) -> Vec<T> {
    if asked.is_empty() { usual.into_iter().collect() } else { asked }
}

/// Makes a graph ready in an order, changed by an approximation.
fn subject(
    session: &Session,
    loaded: &load::ReadGraph,
    order: Option<Order>,
    approx: Approximation,
) -> Result<Subject> {
    let ready = session.work(|control| {
        let ready = match start(approx, order) {
            Some(order) => session.engine.load_with(&loaded.graph, order, DEFAULT_SEED, control),
            None => session.engine.load_as_stored(&loaded.graph),
        }?;
        ready.approximated(approx, DEFAULT_SEED, control)
    })?;
    Ok(session.work(|_| Subject::new(ready, &loaded.graph, loaded.seconds)))
}
