//! The cases of a bench: every graph in every order under every algorithm.

use super::Bench;
use crate::{failure::Result, load, session::Session};
use std::time::Duration;
use warpgraph::{DEFAULT_SEED, Entry, Order, Plan, cost::Shape, measure::Repeats};
use warpgraph_bench::{
    GraphReport, Yardsticks,
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
    /// Refuses names that there are none of.
    pub(super) fn new(args: &'a Bench) -> Result<Self> {
        let named: Vec<&str> = args.graphs.iter().map(String::as_str).collect();
        let orders = args.order.iter().map(|order| order.parse().map(Some));
        let orders = orders.collect::<Result<Vec<_>, warpgraph::Error>>()?;
        Ok(Self {
            args,
            graphs: if named.is_empty() { SUITE.to_vec() } else { named },
            entries: entries(&args.algorithms)?,
            orders: if orders.is_empty() { vec![None] } else { orders },
            plan: args.plan.parse()?,
        })
    }

    /// Runs every case. Errors only when all must stop.
    pub(super) fn run(&self, session: &Session, limits: &mut Yardsticks) -> Result<Vec<CaseReport>> {
        let total = self.graphs.len() * self.orders.len() * self.entries.len();
        let mut reports = Vec::with_capacity(total);
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
                        Ok(subject) => self.case(session, &case, subject, limits)?,
                        Err(failure) => case.failed(&session.engine, failure.clone()),
                    });
                }
            }
        }
        Ok(reports)
    }

    fn case(
        &self,
        session: &Session,
        case: &Case<'_>,
        subject: &Subject,
        limits: &mut Yardsticks,
    ) -> Result<CaseReport> {
        let repeats = Repeats {
            runs: self.args.runs,
            warmup: self.args.warmup,
            verify: self.args.verify,
            limit: Some(Duration::from_secs(self.args.case_limit)),
        };
        Ok(session.work(|control| case.run(subject, &repeats, limits, control))?)
    }
}

/// Returns the algorithms of those names; all if there are none.
fn entries(names: &[String]) -> Result<Vec<&'static Entry>> {
    if names.is_empty() {
        return Ok(warpgraph::algorithms().iter().collect());
    }
    names.iter().map(|name| Ok(warpgraph::find(name)?)).collect()
}

/// Makes a graph ready in an order.
fn subject(session: &Session, loaded: &load::ReadGraph, order: Option<Order>) -> Result<Subject> {
    let ready = session.work(|control| match order {
        Some(order) => session.engine.load_with(&loaded.graph, order, DEFAULT_SEED, control),
        None => session.engine.load_as_stored(&loaded.graph),
    })?;
    let (graph, shape) = session.work(|_| (GraphReport::new(&loaded.graph), Shape::of(&loaded.graph)));
    Ok(Subject::new(ready, graph, shape, loaded.seconds))
}
