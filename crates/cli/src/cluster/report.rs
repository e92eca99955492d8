//! What a run in parts prints: the figures of the whole, with the fields of `run`.

use super::share::Share;
use crate::{
    console::{self, Rows, bytes, count, seconds},
    failure::{Failure, Result},
    machine, put_json,
    report::{SCHEMA, VERSION},
    run::InParts,
    session::Session,
};
use serde_json::{Value, json};
use warpgraph_cluster::Member;
use warpgraph_parts::{Exchange, PartAnswer, Reduce};

/// A report, ready to print.
pub(super) enum Text {
    Json(Value),
    Plain(String),
}

/// Says which graph was loaded.
pub(super) fn introduce(session: &Session, share: &Share, asked: &InParts<'_>, parts: usize) {
    let (vertices, arcs) = (count(share.part.whole().vertices as u64), count(share.arcs));
    session.say(&format!(
        "{}: {vertices} vertices, {arcs} arcs, in {}, loaded in {}\n",
        share.name,
        console::counted(parts as u64, "process", "processes"),
        seconds(share.seconds)
    ));
    if !asked.working.json {
        share.warnings.iter().for_each(|warning| console::warning(warning));
    }
}

/// What all processes together used.
struct Used {
    /// Of the process with the most: memory, bytes of its part, bytes beside it.
    most: [u64; 3],
    /// Of all: memory, bytes of the parts.
    all: [u64; 2],
    sent: u64,
}

impl Used {
    /// Adds up; collective.
    fn of(member: &mut Member, share: &Share, answer: &PartAnswer, sent: u64) -> Result<Self> {
        let memory = machine::peak_memory().unwrap_or_default();
        let part = share.part.bytes();
        let (mut most, mut all) = ([memory, part, answer.report.state_bytes], [memory, part, sent]);
        let reduce = |member: &mut Member, words: &mut [u64], how| {
            member.all_reduce(words, how).map_err(warpgraph_parts::Error::from)
        };
        reduce(member, &mut most, Reduce::Max)?;
        reduce(member, &mut all, Reduce::Sum)?;
        let [memory, part, sent] = all;
        Ok(Self { most, all: [memory, part], sent })
    }
}

/// Builds the report; collective.
pub(super) fn of(
    asked: &InParts<'_>,
    session: &Session,
    member: &mut Member,
    share: &Share,
    (answer, runs, sent): (&PartAnswer, &[f64], u64),
    written: Option<String>,
) -> Result<Text> {
    let used = Used::of(member, share, answer, sent)?;
    match asked.working.json {
        true => Ok(Text::Json(json(asked, session, member, share, (answer, runs), &used)?)),
        false => Ok(Text::Plain(plain(asked, session, member, (answer, runs), &used, written))),
    }
}

/// Prints a report.
pub(super) fn print(text: &Text) -> Result<()> {
    match text {
        Text::Json(value) => put_json(value),
        Text::Plain(text) => console::out(text).map_err(Failure::stdout),
    }
}

fn median(runs: &[f64]) -> f64 {
    let mut sorted = runs.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

/// Returns the fields of `run`; those of stages and devices that took no part are null.
fn json(
    asked: &InParts<'_>,
    session: &Session,
    member: &Member,
    share: &Share,
    (answer, runs): (&PartAnswer, &[f64]),
    used: &Used,
) -> Result<Value> {
    let report = &answer.report;
    let fields = [
        ("schema", json!(SCHEMA)),
        ("version", json!(VERSION)),
        ("command", json!("cluster")),
        ("algorithm", json!(asked.question.entry().name)),
        ("config", asked.question.config()),
        ("graph", share.graph()),
        ("origin", share.origin.clone()),
        ("device", json!("cpu")),
        ("device_name", json!(machine::processor())),
        ("device_because", Value::Null),
        ("form", json!("parts")),
        ("plan", json!("bsp")),
        ("plan_asked", json!("auto")),
        ("stored", Value::Null),
        ("order", json!("natural")),
        ("reorder", Value::Null),
        ("tiles", Value::Null),
        ("partitions", Value::Null),
        ("parts", Value::Null),
        ("work", Value::Null),
        ("paths", Value::Null),
        ("deterministic", Value::Null),
        ("approx", Value::Null),
        ("exactness", Value::Null),
        ("compare", Value::Null),
        ("accuracy", Value::Null),
        ("seed", json!(asked.seed)),
        ("threads", json!(session.engine.threads())),
        ("seconds", stages(share.seconds, runs)),
        ("timeline", Value::Null),
        ("mteps", Value::Null),
        ("rounds", json!(report.supersteps)),
        ("halt", json!(report.halt)),
        ("memory", memory(used)),
        ("transfer", Value::Null),
        ("result", answer.summary.clone()),
        ("verify", Value::Null),
        ("warnings", json!(share.warnings)),
        ("cluster", together(member, used)),
    ];
    Ok(Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()))
}

fn stages(load: f64, runs: &[f64]) -> Value {
    json!({
        "load": load, "reorder": null, "prepare": 0.0, "transfer": null, "compile": null, "runs": runs,
        "median": median(runs), "kernel": null, "overhead": null, "fetch": null, "verify": null
    })
}

/// The process with the most counts.
fn memory(used: &Used) -> Value {
    let [peak, graph, state] = used.most;
    json!({
        "host_peak": peak, "device_peak": null, "graph": graph, "state": state, "extra": null, "budget": null
    })
}

/// What `run` does not have: the processes, and what all of them together used.
fn together(member: &Member, used: &Used) -> Value {
    let hosts: Vec<&str> = (0..member.parts()).map(|part| member.name(part)).collect();
    let [memory, graph] = used.all;
    json!({ "processes": member.parts(), "hosts": hosts, "sent": used.sent, "memory": memory, "graph": graph })
}

fn plain(
    asked: &InParts<'_>,
    session: &Session,
    member: &Member,
    (answer, runs): (&PartAnswer, &[f64]),
    used: &Used,
    written: Option<String>,
) -> String {
    let mut rows = Rows::default();
    let (parts, threads) = (member.parts(), session.engine.threads());
    let threads = console::counted(threads as u64, "thread", "threads");
    let processes = console::counted(parts as u64, "process", "processes");
    rows.add(asked.question.entry().name, format!("on {processes}, {threads} each"));
    crate::run::figures(&mut rows, &answer.summary);
    rows.add(
        "time",
        match runs {
            [one] => seconds(*one),
            runs => format!("{} (median of {})", seconds(median(runs)), runs.len()),
        },
    );
    rows.add(
        "rounds",
        format!("{}, {}", count(answer.report.supersteps), crate::run::halt(answer.report.halt)),
    );
    rows.add("sent", format!("{} by all processes", bytes(used.sent)));
    let [most, graph, _] = used.most.map(bytes);
    rows.add("memory", format!("at most {most} per process; its part of the graph {graph}"));
    if let Some(written) = written {
        rows.add("written", written);
    }
    rows.text()
}
