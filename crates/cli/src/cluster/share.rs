//! The part of the graph that a process loads, and no more than that.
//!
//! A folder of slices (`warpgraph partition`) has the part as a file; a generator makes it. Text edge lists are
//! read in passes that keep the part. Any other file is read whole and then dropped but for the part.

use crate::{
    failure::{Failure, Result},
    load::{self, Source},
    run::InParts,
    session::Session,
};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};
use warpgraph::graph::{Origin, WeightType, format::Streamed};
use warpgraph_parts::{Cut, Exchange, Part, Reduce};

/// A part, and what is known about the whole graph.
pub(super) struct Share {
    pub(super) part: Arc<Part>,
    pub(super) name: String,
    /// What was done to the graph when it was read; null for slices.
    pub(super) origin: Value,
    pub(super) warnings: Vec<String>,
    pub(super) seconds: f64,
    /// The arcs of all parts.
    pub(super) arcs: u64,
    /// 64 bits that all processes must have alike.
    pub(super) identity: String,
}

/// Returns the slice of a part in a folder.
fn slice(folder: &Path, part: usize) -> PathBuf {
    folder.join(format!("part-{part:04}.wg"))
}

/// Refuses a graph that is not there, before any process starts.
pub(super) fn check(name: &str, parts: Option<usize>) -> Result<()> {
    let folder = Path::new(name);
    if folder.is_dir() && slice(folder, 0).is_file() {
        let slices = (0..).take_while(|part| slice(folder, *part).is_file()).count();
        return match parts {
            Some(parts) if parts != slices => Err(Failure::new(
                "invalid",
                format!("{name} has {slices} slices, for {parts} processes"),
                "start as many processes as there are slices, or cut the graph again: warpgraph partition",
            )),
            _ => Ok(()),
        };
    }
    load::find_source(name).map(drop)
}

/// Loads the part of this process; collective.
pub(super) fn load(session: &Session, asked: &InParts<'_>, exchange: &mut dyn Exchange) -> Result<Share> {
    let (number, parts) = (exchange.part(), exchange.parts());
    let (before, folder) = (Instant::now(), Path::new(asked.graph));
    let none = (Value::Null, Vec::new());
    let (part, name, (origin, warnings)) = if folder.is_dir() && slice(folder, 0).is_file() {
        let part = session.work(|control| Part::open(slice(folder, number), control))?;
        (part, asked.graph.to_owned(), none)
    } else if let Source::Generator(spec) = load::find_source(asked.graph)? {
        load::check_generated(&spec, asked.reading)?;
        let make =
            |control: &_| Part::generate(&spec, &Cut::of_spec(&spec, parts, control)?, number, control);
        (session.work(make)?, spec.to_string(), none)
    } else if let Some((part, origin)) = streamed(session, asked, (number, parts))? {
        let mut known = serde_json::to_value(&origin).unwrap_or_default();
        // Each process knows that of its part alone.
        ["merged", "loops_dropped"].into_iter().for_each(|name| known[name] = Value::Null);
        (part, origin.name, (known, origin.warnings))
    } else {
        let read = load::load(session, asked.graph, asked.reading)?;
        let cut = Cut::even(&read.graph.out().csr, parts)?;
        let origin = read.graph.origin().clone();
        let part = session.work(|_| Part::of(&read.graph, &cut, number)?.compacted())?;
        let read = (serde_json::to_value(&origin).unwrap_or_default(), origin.warnings.clone());
        (part, origin.name, read)
    };
    let seconds = before.elapsed().as_secs_f64();
    Share::of(part, name, (origin, warnings), seconds, exchange)
}

/// Reads the part of a file that can be read in passes, and what is known of the file.
fn streamed(
    session: &Session,
    asked: &InParts<'_>,
    (number, parts): (usize, usize),
) -> Result<Option<(Part, Origin)>> {
    let options = asked.reading.options()?;
    session.work(|control| {
        let Some(streamed) = Streamed::open(Path::new(asked.graph), &options, control)? else {
            return Ok(None);
        };
        let cut = Cut::even_by(streamed.vertices(), parts, |v| streamed.arcs_before(v) + v as u64)?;
        let graph = streamed.part(cut.range(number), control)?;
        Ok(Some((Part::of(&graph, &cut, number)?.compacted()?, graph.origin().clone())))
    })
}

impl Share {
    fn of(
        part: Part,
        name: String,
        (origin, warnings): (Value, Vec<String>),
        seconds: f64,
        exchange: &mut dyn Exchange,
    ) -> Result<Self> {
        let mut arcs = [part.out().arcs() as u64];
        exchange.all_reduce(&mut arcs, Reduce::Sum).map_err(warpgraph_parts::Error::from)?;
        let (directed, weights) = (part.whole().directed, part.out().weight_type());
        let identity = format!("{arcs:?} {directed} {weights:?} {:?}", part.cut().starts());
        let share = Self { part: Arc::new(part), name, origin, warnings, seconds, arcs: arcs[0], identity };
        share.agree(exchange)?;
        Ok(share)
    }

    /// Refuses to go on if another process has loaded another graph.
    fn agree(&self, exchange: &mut dyn Exchange) -> Result<(), warpgraph_parts::Error> {
        let own = warpgraph_cluster::fingerprint(&self.identity);
        let (mut least, mut most) = ([own], [own]);
        exchange.all_reduce(&mut least, Reduce::Min)?;
        exchange.all_reduce(&mut most, Reduce::Max)?;
        if least == most {
            return Ok(());
        }
        let what = "the processes have loaded different graphs";
        Err(warpgraph::Error::Refused { what: what.into(), help: "give every process the same file".into() }
            .into())
    }

    /// Returns the type of the weights.
    fn weight_type(&self) -> Option<WeightType> {
        self.part.out().weight_type()
    }

    /// Returns the fields of `graph` in the JSON of `run`; null where only the whole graph would tell.
    pub(super) fn graph(&self) -> Value {
        let (whole, weights) = (self.part.whole(), self.weight_type());
        let edges = if whole.directed { json!(self.arcs) } else { Value::Null };
        json!({
            "name": self.name, "hash": null, "vertices": whole.vertices, "edges": edges, "arcs": self.arcs,
            "directed": whole.directed, "weighted": weights.is_some(), "weight_type": weights,
            "self_loops": null, "merged": self.origin["merged"], "isolated": null
        })
    }
}
