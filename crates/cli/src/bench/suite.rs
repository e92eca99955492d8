//! The cases of a bench: every graph in every order under every algorithm.

use super::Bench;
use crate::{failure::Result, load, parse, session::Session};
use std::time::Duration;
use warpgraph::{DEFAULT_SEED, Entry, Order, Plan, graph::suggest, measure::Repeats};
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
    plan: Plan,
}

impl<'a> Suite<'a> {
    /// Refuses names of files, generators, algorithms and orders that do not exist, before anything is measured.
    pub(super) fn new(args: &'a Bench) -> Result<Self> {
        let graphs: Vec<&str> = args.graphs.iter().map(String::as_str).collect();
        graphs.iter().try_for_each(|name| check_graph(name))?;
        let entries = args.algorithms.iter().map(|name| warpgraph::find(name)).collect::<Result<_, _>>()?;
        let orders = args.order.iter().map(|order| order.parse().map(Some)).collect::<Result<_, _>>()?;
        let plan = args.plan.parse()?;
        args.device.check_plan(plan)?;
        Ok(Self {
            args,
            graphs: or(graphs, SUITE),
            entries: or(entries, warpgraph::algorithms()),
            orders: or(orders, [None]),
            plan,
        })
    }

    /// Runs every case. Errors only when all must stop.
    pub(super) fn run(&self, session: &Session, limits: &mut Yardsticks) -> Result<Vec<CaseReport>> {
        let total = self.graphs.len() * self.orders.len() * self.entries.len();
        let (repeats, mut reports) = (self.repeats(), Vec::with_capacity(total));
        for &name in &self.graphs {
            session.say(&format!("loading {name}\n"));
            let loaded = load::load(session, name, &self.args.reading);
            session.control.check("measuring")?;
            for &order in &self.orders {
                let subject = match &loaded {
                    Ok(loaded) => subject(session, loaded, order).map_err(|failure| failure.value()),
                    Err(failure) => Err(failure.value()),
                };
                let order = subject.as_ref().map_or(order.unwrap_or_default(), |s| s.loaded.order());
                for &entry in &self.entries {
                    let case = Case { entry, name, plan: self.plan, order };
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

/// Makes a graph ready in an order.
fn subject(session: &Session, loaded: &load::ReadGraph, order: Option<Order>) -> Result<Subject> {
    let ready = session.work(|control| match order {
        Some(order) => session.engine.load_with(&loaded.graph, order, DEFAULT_SEED, control),
        None => session.engine.load_as_stored(&loaded.graph),
    })?;
    Ok(session.work(|_| Subject::new(ready, &loaded.graph, loaded.seconds)))
}
