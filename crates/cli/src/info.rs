//! `warpgraph info`: what a graph is like, without asking it anything.

use crate::{
    console::{self, Rows, count},
    describe,
    failure::{Failure, Result},
    load::{self, Loaded},
    put_json,
    reading::Reading,
    report::{GraphReport, Memory, SCHEMA, VERSION},
    session::{Session, Working},
};
use clap::Args;
use serde_json::{Value, json};
use warpgraph::{Device, Order, Wcc, wcc::WccSummary};

/// Say what a graph is like: size, direction, ids, weights, degrees, components
#[derive(Args)]
#[command(after_help = "\
Examples:
  warpgraph info kron:14
  warpgraph info community:12 --json")]
pub(crate) struct Info {
    /// The graph: a file, - for standard input, or a generator such as kron:20
    graph: String,
    #[command(flatten)]
    working: Working,
    #[command(flatten)]
    reading: Reading,
}

/// Reads the graph and says what it is like.
pub(crate) fn run(args: &Info) -> Result<u8> {
    let session = Session::start(&args.working, Device::Cpu)?;
    let loaded = load::load(&session, &args.graph, &args.reading)?;
    let ready = session.engine.load(&loaded.graph, Order::Natural)?;
    let components = session.work(|control| ready.wcc(Wcc::default()).control(control).run())?.figures();
    if args.working.json {
        session.work(|_| put_json(&report(&session, &loaded, &components)))?;
        return Ok(0);
    }
    loaded.graph.origin().warnings.iter().for_each(|w| console::warning(w));
    let text = session.work(|_| text(&loaded, &components));
    console::out(&text).map_err(Failure::stdout)?;
    Ok(0)
}

fn report(session: &Session, loaded: &Loaded, components: &WccSummary) -> Value {
    let graph = &loaded.graph;
    json!({
        "schema": SCHEMA, "version": VERSION, "command": "info",
        "graph": GraphReport::new(graph),
        "origin": graph.origin(),
        "ids": graph.ids().describe(),
        "weights": graph.out().weights.range().map(|(least, most)| json!({ "min": least, "max": most })),
        "components": components,
        "threads": session.engine.threads(),
        "seconds": { "load": loaded.seconds },
        "memory": Memory::new(graph, None),
        "warnings": graph.origin().warnings,
    })
}

fn text(loaded: &Loaded, components: &WccSummary) -> String {
    let graph = &loaded.graph;
    let mut rows = Rows::default();
    let share = 100.0 * components.largest as f64 / graph.vertices().max(1) as f64;
    let largest = format!("the largest has {} vertices ({share:.1}%)", count(components.largest));
    rows.add("components", format!("{}, {largest}", count(components.components)));
    describe::describe(graph, loaded.seconds) + &rows.text()
}
