//! The text form of a run's report: aligned, within 80 columns.

use super::{
    approximate,
    report::{Reorder, Report},
    transfer::Crossed,
};
use crate::{
    console::{BAD, GOOD, LABEL, Rows, bytes, count, number, seconds},
    table::{Side, Table},
};
use serde_json::Value;
use warpgraph::{
    Accuracy, Choice, Halted, InParts, Order, Partitions, PathUse, Run, Step, TileUse, Word,
    measure::Measured,
};

/// The number of path vertices shown in text; JSON has them all.
const PATH_SHOWN: usize = 12;

/// Returns what was found, how long it took and how it ran.
pub(super) fn report(report: &Report, measured: &Measured, written: Option<&str>) -> String {
    let mut rows = Rows::default();
    rows.add(report.algorithm, how(report));
    figures(&mut rows, &report.result);
    if let Some(accuracy) = &report.accuracy {
        rows.add_wrapped("error", &error(accuracy));
    }
    if let Some(choice) = measured.figures.choice.as_ref().filter(|choice| choice.had_gpu()) {
        rows.add("chosen", choice.to_string());
    }
    if let Some(why) = &report.stored {
        rows.add_wrapped("stored", why);
    }
    if let Some(cost) = report.deterministic {
        rows.add("same bits", format!("for {cost}"));
    }
    if let Some(exactness) = &report.exactness {
        approximate::tell(&mut rows, exactness);
    }
    rows.add("time", time(&report.seconds.runs, report.seconds.median));
    if let Some(compared) = &report.compare {
        compared.tell(&mut rows);
    }
    if let Some((kernel, overhead)) =
        report.seconds.kernel.zip(report.seconds.overhead).filter(|(k, _)| *k > 0.0)
    {
        let (kernel, overhead) = (seconds(kernel), seconds(overhead));
        rows.add("of which", format!("{kernel} in kernels that expand, {overhead} beside"));
    }
    if let Some(reorder) = report.seconds.reorder {
        let when =
            if report.reorder.is_some() { "over all runs, sampling included" } else { "before the runs" };
        rows.add("reordered", format!("in {}, {when}", seconds(reorder)));
    }
    if let Some(reorder) = &report.reorder {
        rounds(&mut rows, reorder);
    }
    if let Some(transfer) = report.seconds.transfer.filter(|&transfer| transfer > 0.0) {
        rows.add("copied", format!("in {} to {}, kept for later runs", seconds(transfer), report.device));
    }
    if let Some(crossed) = &report.transfer {
        bus(&mut rows, crossed);
    }
    if let Some(compile) = report.seconds.compile.filter(|&compile| compile > 0.0) {
        rows.add("kernels", format!("compiled or found in {}, kept for later runs", seconds(compile)));
    }
    if let Some(fetch) = report.seconds.fetch.filter(|&fetch| fetch > 1e-3) {
        rows.add("fetched", format!("in {}, back {}", seconds(fetch), from(report)));
    }
    if report.seconds.prepare > 1e-3 {
        rows.add("prepared", format!("in {}, kept for later runs", seconds(report.seconds.prepare)));
    }
    if let Some(tiles) = report.tiles {
        rows.add("tiles", tiles_of(tiles));
    }
    if let Some(partitions) = report.partitions {
        rows.add("partitions", partitions_of(partitions));
    }
    if let Some(parts) = report.parts {
        rows.add("parts", parts_of(parts));
    }
    if let Some(paths) = &report.paths {
        walked(&mut rows, paths);
    }
    if let Some(work) = report.work {
        let [updates, merges, edges] = [work.updates, work.merges, work.edges].map(count);
        rows.add(
            "work",
            format!("{updates} updates, {merges} merges, {edges} edges, {} read", bytes(work.bytes)),
        );
    }
    if let Some(mteps) = report.mteps {
        rows.add("rate", format!("{} million edges per second", number(three_digits(mteps))));
    }
    rows.add("rounds", format!("{}, {}", count(report.rounds), halt(report.halt)));
    rows.add("memory", memory(report));
    if let Some(verdict) = verdict(report, measured) {
        rows.add("verified", verdict);
    }
    if let Some(written) = written {
        rows.add("written", written);
    }
    rows.text()
}

/// Returns how near the answer is to the exact one, and how that is known.
fn error(accuracy: &Accuracy) -> String {
    if accuracy.word == Word::Exact {
        return format!("none, the answer is exact: {}", accuracy.reason);
    }
    let Accuracy { word, achieved, confidence, .. } = accuracy;
    let sure =
        if *confidence < 1.0 { format!(", {} % confidence", 100.0 * confidence) } else { String::new() };
    let drawn = match (accuracy.samples, accuracy.fixed_samples) {
        (Some(samples), Some(fixed)) if samples < fixed => {
            format!("; {} samples of at most {}", count(samples), count(fixed))
        }
        (Some(samples), _) => format!("; {} samples", count(samples)),
        _ => String::new(),
    };
    let exact = accuracy.exact_seconds.map(|exact| format!("; exact would take about {}", seconds(exact)));
    let most = if *word == Word::Measured { "about" } else { "at most" };
    format!(
        "{most} {achieved:.2e} ({word}{sure}) in {}{drawn}{}; {}",
        accuracy.of,
        exact.unwrap_or_default(),
        accuracy.reason
    )
}

/// Adds the rounds of the order `sampled`, up to two lines per round.
fn rounds(rows: &mut Rows, reorder: &Reorder) {
    for round in &reorder.rounds {
        let after = round.sectors_after.map_or_else(String::new, |after| format!(" to {after:.2}"));
        let took = seconds(round.sampling_seconds + round.renumbering_seconds);
        let (samples, moved, before) = (round.samples, count(round.moved), round.sectors_before);
        let line = format!("{samples} samples, {moved} moved, {before:.2}{after} sectors per tile, {took}");
        rows.add(&format!("round {}", round.round), line);
        if let (Some(before), Some(after)) = (round.speed_before, round.speed_after) {
            let [before, after] = [before, after].map(|speed| number(three_digits(speed / 1e6)));
            rows.add("", format!("from {before} to {after} million edges per second of kernels"));
        }
    }
    if let Some(why) = &reorder.settled {
        rows.add("settled", why.clone());
    }
}

/// Adds the paths that a run walked along, and who walked them.
fn walked(rows: &mut Rows, used: &PathUse) {
    let [paths, sketch, hubs] = [used.paths, used.hub_paths, used.hubs].map(count);
    rows.add("paths", format!("{paths}, of which {sketch} in the sketch of {hubs} hubs"));
    let made = match used.making_seconds {
        0.0 => "kept from before".to_owned(),
        took => format!("made in {}", seconds(took)),
    };
    let [chunks, hub_chunks] = [used.chunks, used.hub_chunks].map(count);
    rows.add("", format!("{chunks} chunks, {hub_chunks} of the sketch, {}, {made}", bytes(used.held_bytes)));
    let [handled, stolen, workers, hub_workers] =
        [used.handled, used.stolen, used.workers, used.hub_workers].map(count);
    rows.add(
        "walks",
        format!("{handled} of chunks ({stolen} stolen) by {workers} workers, {hub_workers} for hubs,"),
    );
    rows.add("", format!("busy {:.0} % of the time", 100.0 * used.busy));
}

/// Adds what crossed the bus.
fn bus(rows: &mut Rows, crossed: &Crossed) {
    let Crossed { transfer, amplification, share_of_link, .. } = crossed;
    if transfer.moved == 0 {
        return rows.add("bus", "nothing moved: all arcs that were read are on the device");
    }
    let (moved, ideal, basis) = (bytes(transfer.moved), bytes(transfer.ideal), transfer.basis.name());
    rows.add(
        "bus",
        format!("{moved} moved, {ideal} needed, read amplification {amplification:.2} ({basis})"),
    );
    if let Some(share) = share_of_link {
        rows.add("", format!("{:.0} % of what the link moves in that time", 100.0 * share));
    }
}

fn how(report: &Report) -> String {
    let with = match (is_on_gpu(report), report.threads) {
        (true, _) => format!(" ({})", report.device_name.as_deref().unwrap_or("a GPU")),
        (false, 1) => " with 1 thread".to_owned(),
        (false, threads) => format!(" with {threads} threads"),
    };
    format!("on {}{with}, plan {}, order {}", report.device, report.plan, report.order)
}

fn is_on_gpu(report: &Report) -> bool {
    report.memory.device_peak.is_some()
}

/// Returns where the answer was copied or mapped from.
fn from(report: &Report) -> String {
    match (is_on_gpu(report), report.order) {
        (false, _) => "into the order of the ids".to_owned(),
        (true, Order::Natural) => format!("from {}", report.device),
        (true, _) => format!("from {} and into the order of the ids", report.device),
    }
}

/// Adds the summary of any answer.
pub(crate) fn figures(rows: &mut Rows, result: &Value) {
    for (name, value) in result.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            ("top", Value::Array(top)) => ranking(rows, top),
            ("path", path) => rows.add("path", way(path)),
            ("source" | "target", vertex) => rows.add(name, id(vertex)),
            _ => rows.add(name, plain(value)),
        }
    }
}

fn ranking(rows: &mut Rows, top: &[Value]) {
    for (place, ranked) in top.iter().enumerate() {
        let label = if place == 0 { "top" } else { "" };
        // Takes the one value beside the vertex: a rank, a score.
        let value = ranked.as_object().and_then(|row| row.iter().find(|(name, _)| *name != "vertex"));
        let value = value.and_then(|(_, value)| value.as_f64());
        let rank = value.map_or_else(|| "?".to_owned(), |r| format!("{r:.6e}"));
        rows.add(label, format!("{rank}  {}", id(&ranked["vertex"])));
    }
}

fn way(path: &Value) -> String {
    let Some(vertices) = path["vertices"].as_array() else { return "none: not reached".to_owned() };
    let mut shown: Vec<String> = vertices.iter().take(PATH_SHOWN).map(id).collect();
    if vertices.len() > PATH_SHOWN {
        shown.push(format!("... ({} more, --json has all)", count((vertices.len() - PATH_SHOWN) as u64)));
    }
    format!("length {}: {}", plain(&path["length"]), shown.join(" "))
}

/// Formats an id without digit grouping, because ids are names even when they are numbers.
fn id(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn plain(value: &Value) -> String {
    match value {
        Value::Number(n) => match (n.as_u64(), n.as_f64()) {
            (Some(whole), _) => count(whole),
            (None, Some(x)) => number(x),
            _ => n.to_string(),
        },
        Value::Null => "none".to_owned(),
        other => id(other),
    }
}

fn time(runs: &[f64], median: f64) -> String {
    let least = runs.iter().copied().fold(f64::INFINITY, f64::min);
    let most = runs.iter().copied().fold(0.0, f64::max);
    match runs.len() {
        1 => seconds(median),
        n => format!("{} (median of {n} runs, {} to {})", seconds(median), seconds(least), seconds(most)),
    }
}

/// Returns how many tiles `resident` made and reused.
fn tiles_of(tiles: TileUse) -> String {
    let TileUse { made, reused, held, held_bytes } = tiles;
    let share = 100.0 * tiles.reuse_rate();
    format!(
        "{} made, {} met again ({share:.0} %); {} kept in {}",
        count(made),
        count(reused),
        count(held),
        bytes(held_bytes)
    )
}

/// Returns how several GPUs shared the run.
fn parts_of(parts: InParts) -> String {
    let moved = if parts.moved { ", the cut moved since the last run" } else { "" };
    let InParts { parts, sent, imbalance, .. } = parts;
    format!(
        "{parts}, sent one another {}, the slowest took {imbalance:.2} times the mean{moved}",
        bytes(sent)
    )
}

/// Returns how supersteps read the partitions of edges in host memory.
fn partitions_of(partitions: Partitions) -> String {
    let [copied, found, in_place] = [partitions.copied, partitions.found, partitions.in_place].map(count);
    format!("{copied} copied ahead ({}), {found} found, {in_place} read in place", bytes(partitions.bytes))
}

fn three_digits(x: f64) -> f64 {
    let unit = 10f64.powf(x.log10().floor() - 2.0);
    if unit >= 1.0 { x.round() } else { (x / unit).round() * unit }
}

pub(crate) fn halt(halt: Halted) -> &'static str {
    match halt {
        Halted::Converged => "nothing left to do",
        Halted::Tolerance => "tolerance met",
        Halted::MaxIterations => "not settled within the limit",
        Halted::Alternates => "alternating for ever",
    }
}

fn memory(report: &Report) -> String {
    let peak =
        report.memory.host_peak.map_or(String::new(), |peak| format!(", {} at most in all", bytes(peak)));
    let device = report.memory.device_peak.map(|peak| format!(", {} on {}", bytes(peak), report.device));
    format!(
        "{} graph, {} state{peak}{}",
        bytes(report.memory.graph),
        bytes(report.memory.state.unwrap_or(0)),
        device.unwrap_or_default()
    )
}

fn verdict(report: &Report, measured: &Measured) -> Option<String> {
    let took = seconds(report.seconds.verify?);
    let of = if report.exactness.is_some() { " on the changed graph" } else { "" };
    Some(match &measured.figures.violation {
        None => format!("{GOOD}passed{GOOD:#}{of} in {took}"),
        Some(violation) => format!("{BAD}FAILED{BAD:#}{of} in {took}: {violation}"),
    })
}

/// Returns one line per superstep, after the device and the place of the edges with the reasons for both, where the
/// engine chose them. Figures that were not counted, and a missing balance, show as a dash.
pub(super) fn trace(run: &Run, choice: Option<&Choice>) -> String {
    let chosen = choice.map_or_else(String::new, |choice| format!("{LABEL}chosen{LABEL:#}  {choice}\n"));
    let residency = run.plan.residency.map_or_else(String::new, |residency| format!("{residency}: "));
    let stored = run
        .stored
        .as_ref()
        .map_or_else(String::new, |why| format!("{LABEL}stored{LABEL:#}  {residency}{why}\n"));
    let steps = if run.paths.is_some() { rounds_of(&run.trace) } else { supersteps(&run.trace) };
    chosen + &stored + &steps
}

/// Returns one line per round along paths: the convergence of the run.
fn rounds_of(steps: &[Step]) -> String {
    let right = ["round", "chunks", "edges", "time"].map(|title| (title, Side::Right));
    let mut table = Table::new(right.into_iter().chain([("reached", Side::Left)]));
    for step in steps {
        let edges = step.edges.map_or_else(|| "-".to_owned(), count);
        table.row([
            step.round.to_string(),
            count(step.frontier),
            edges,
            seconds(step.seconds),
            step.note.clone(),
        ]);
    }
    table.text()
}

fn supersteps(steps: &[Step]) -> String {
    let right = ["round", "frontier", "edges"].map(|title| (title, Side::Right));
    let left = ["direction", "balance"].map(|title| (title, Side::Left));
    let rest = [("time", Side::Right), ("why", Side::Left)];
    let mut table = Table::new(right.into_iter().chain(left).chain(rest));
    let dash = || "-".to_owned();
    for step in steps {
        table.row([
            step.round.to_string(),
            count(step.frontier),
            step.edges.map_or_else(dash, count),
            step.direction.to_string(),
            step.balance.map_or_else(dash, str::to_owned),
            seconds(step.seconds),
            step.note.clone(),
        ]);
    }
    table.text()
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::Direction;

    fn step(edges: Option<u64>, balance: Option<&'static str>) -> Step {
        Step {
            round: 12,
            frontier: 1_048_576,
            edges,
            direction: Direction::Push,
            balance,
            seconds: 31.2e-6,
            note: "tiled 31 us".to_owned(),
        }
    }

    #[test]
    fn a_trace_has_a_column_for_everything_and_fits_80() {
        let steps = [step(Some(16_777_216), Some("hierarchical")), step(None, None)];
        let text = anstream::adapter::strip_str(&supersteps(&steps)).to_string();
        let expected = "\
round   frontier       edges  direction  balance          time  why
   12  1,048,576  16,777,216  push       hierarchical  31.2 us  tiled 31 us
   12  1,048,576           -  push       -             31.2 us  tiled 31 us
";
        assert_eq!(text, expected);
        assert!(text.lines().all(|line| line.len() <= 80));
    }
}
