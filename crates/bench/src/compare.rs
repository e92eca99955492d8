//! Two measurements side by side: a ratio a case, and whether it is more than noise.
//!
//! Cases are the same when algorithm, graph, device, plan, order and approximation are. The ratio is the old median over the new one, so above 1
//! is faster. A change counts when the middle halves of the runs of both have nothing in common; the rest is spread.

use crate::{
    result::{CaseReport, Report},
    statistics,
};
use serde::Serialize;

/// What changed from an old report to a new one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Comparison {
    /// The version the old one was measured with.
    pub version: String,
    /// The cases both have.
    pub cases: Vec<Change>,
    /// Of their ratios.
    pub geometric_mean: Option<f64>,
    /// Cases only the old one has figures for.
    pub only_old: Vec<String>,
    pub only_new: Vec<String>,
    /// What makes the two hard to compare, a sentence each.
    pub warnings: Vec<String>,
}

/// A case in both, with both medians.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Change {
    /// `bfs on kron:18`, with a device other than the processor, and plan, order and approximation where they were asked for.
    pub case: String,
    pub old: f64,
    pub new: f64,
    /// Old over new: above 1 is faster.
    pub ratio: f64,
    pub change: Verdict,
}

/// What a ratio is worth: a change beyond the spread, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Verdict {
    Faster,
    Slower,
    Same,
}

/// Compares two reports.
pub fn compare(old: &Report, new: &Report) -> Comparison {
    let pairs: Vec<(&CaseReport, &CaseReport)> =
        timed(new).filter_map(|n| Some((timed(old).find(|o| key(o) == key(n))?, n))).collect();
    let cases: Vec<Change> = pairs.iter().filter_map(|(o, n)| change(o, n)).collect();
    let ratios: Vec<f64> = cases.iter().map(|c| c.ratio).collect();
    let (version, geometric_mean) = (old.version.clone(), statistics::geometric_mean(&ratios));
    let (only_old, only_new) = (missing(old, new), missing(new, old));
    Comparison { version, cases, geometric_mean, only_old, only_new, warnings: warnings(old, new, &pairs) }
}

fn change(old: &CaseReport, new: &CaseReport) -> Option<Change> {
    let (before, after) = (&old.timing.seconds.as_ref()?.spread, &new.timing.seconds.as_ref()?.spread);
    let ratio = before.median / after.median.max(1e-12);
    let change = match (before.is_apart(after), ratio > 1.0) {
        (true, true) => Verdict::Faster,
        (true, false) => Verdict::Slower,
        _ => Verdict::Same,
    };
    Some(Change { case: key(new), old: before.median, new: after.median, ratio, change })
}

/// What makes a case the same case.
fn key(case: &CaseReport) -> String {
    let mut text = format!("{} on {}", case.algorithm, case.name);
    let [plan, order, approx] =
        [case.plan_asked.to_string(), case.order.to_string(), case.approx.to_string()];
    for (value, usual) in [(&case.device, "cpu"), (&plan, "auto"), (&order, "natural"), (&approx, "none")] {
        if value != usual {
            text += &format!(", {value}");
        }
    }
    text
}

fn timed(report: &Report) -> impl Iterator<Item = &CaseReport> {
    report.cases.iter().filter(|case| case.timing.seconds.is_some())
}

/// The timed cases of `here` that `there` has not.
fn missing(here: &Report, there: &Report) -> Vec<String> {
    timed(here).map(key).filter(|k| timed(there).all(|other| key(other) != *k)).collect()
}

fn warnings(old: &Report, new: &Report, pairs: &[(&CaseReport, &CaseReport)]) -> Vec<String> {
    let mut warnings = Vec::new();
    if old.machine != new.machine {
        warnings.push("the two were measured on different machines".to_owned());
    }
    let threads = |report: &Report| report.limits.as_ref().map(|limits| limits.threads);
    if let (Some(a), Some(b)) = (threads(old), threads(new))
        && a != b
    {
        warnings.push(format!("the old one was measured with {a} threads, the new one with {b}"));
    }
    let hash = |case: &CaseReport| case.graph.as_ref().map(|g| g.hash.clone());
    let mut changed: Vec<&str> =
        pairs.iter().filter(|(o, n)| hash(o) != hash(n)).map(|(_, n)| n.name.as_str()).collect();
    changed.dedup();
    warnings.extend(changed.iter().map(|name| format!("{name} is another graph than it was")));
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        gpu_limits::tests::limits,
        gpu_model::{Bound, Limit, Term},
        limits::{Limits, Rate},
        machine::Machine,
        result::{SCHEMA, Seconds, Timing, read},
        statistics::Spread,
    };
    use serde_json::{from_value, json, to_value};

    fn case(algorithm: &str, runs: &[f64]) -> CaseReport {
        let seconds =
            Spread::of(runs).map(|spread| Seconds { runs: runs.to_vec(), spread, ..Seconds::default() });
        let (algorithm, name, device) = (algorithm.to_owned(), "kron:4".to_owned(), "cpu".to_owned());
        let timing = Timing { seconds, ..Timing::default() };
        CaseReport { algorithm, name, device, config: json!({}), timing, ..CaseReport::default() }
    }

    fn report<const N: usize>(cases: [CaseReport; N]) -> Report {
        let rate = Rate { footprint: 1, per_second: 1.0 };
        let limits = Limits { threads: 1, copy: 1.0, gather: vec![rate], atomic: rate, ..Limits::default() };
        let (version, command) = ("1".to_owned(), "bench".to_owned());
        let (machine, limits, cases) = (Machine::this(), Some(limits), cases.to_vec());
        Report { schema: SCHEMA, version, command, machine, limits, cases, ..Report::default() }
    }

    #[test]
    fn a_change_counts_only_beyond_the_spread_and_another_device_is_another_case() {
        let old =
            report([case("bfs", &[2.0, 2.1, 1.9]), case("wcc", &[1.0, 1.3, 1.1]), case("sssp", &[1.0])]);
        let on_gpu = CaseReport { device: "cuda:0".to_owned(), ..case("sssp", &[1.0]) };
        let (bfs, wcc) = (case("bfs", &[1.0, 1.1, 0.9]), case("wcc", &[1.2, 1.0, 1.1]));
        let new = report([bfs, wcc, case("pagerank", &[]), on_gpu]);
        let got = compare(&old, &new);
        let verdicts: Vec<_> = got.cases.iter().map(|c| (c.case.as_str(), c.ratio, c.change)).collect();
        let expected = [("bfs on kron:4", 2.0, Verdict::Faster), ("wcc on kron:4", 1.0, Verdict::Same)];
        assert_eq!(verdicts, expected);
        assert!((got.geometric_mean.unwrap() - 2f64.sqrt()).abs() < 1e-12);
        assert_eq!(
            (got.only_old.join(";"), got.only_new.join(";")),
            ("sssp on kron:4".to_owned(), "sssp on kron:4, cuda:0".to_owned())
        );
        assert_eq!(compare(&new, &old).cases[0].change, Verdict::Slower);
    }

    #[test]
    fn a_report_reads_back_as_it_was_written_and_one_of_the_processor_has_no_fields_of_a_gpu() {
        let report = report([case("bfs", &[2.0, 2.1]), case("wcc", &[])]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let reread = |text: &str| std::fs::write(&path, text).map(|()| read(&path)).unwrap();
        let value = to_value(&report).unwrap();
        assert_eq!(to_value(reread(&value.to_string()).unwrap()).unwrap(), value);
        assert!(value.get("limits").is_some() && value.get("gpu_limits").is_none());
        let has = |key: &str| value["cases"][0].get(key).is_some();
        assert!(has("traffic") && !has("limit") && !has("share"), "{value}");
        let error = reread(r#"{"schema":2,"command":"bench"}"#).unwrap_err().to_string();
        assert!(error.ends_with("a.json: schema 2, this build reads 1"), "{error}");
        assert!(reread(r#"{"schema":1,"command":"run"}"#).is_err());
    }

    #[test]
    fn a_report_of_a_gpu_reads_back_and_one_from_before_limits_of_gpus_does_too() {
        let term = Term { bound: Bound::Gather, amount: 8.0, footprint: 64, seconds: 0.5 };
        let limit = Limit { bound: Bound::Gather, seconds: 0.5, terms: vec![term] };
        let mut there = CaseReport { device: "cuda:0".to_owned(), ..case("bfs", &[1.0]) };
        (there.timing.limit, there.timing.share) = (Some(limit), Some(0.5));
        let on_gpu = Report { limits: None, gpu_limits: Some(limits()), ..report([there]) };
        let mut value = to_value(&on_gpu).unwrap();
        let again: Report = from_value(value.clone()).unwrap();
        assert_eq!(to_value(&again).unwrap(), value);
        assert_eq!(value["cases"][0]["limit"]["bound"], "gather");
        // As it was written before: the processor's limits beside a GPU's times.
        value.as_object_mut().unwrap().remove("gpu_limits");
        value["limits"] = to_value(report([]).limits).unwrap();
        let before = value["cases"][0].as_object_mut().unwrap();
        assert!(before.remove("limit").is_some() && before.remove("share").is_some());
        let got = compare(&from_value(value).unwrap(), &on_gpu);
        assert_eq!((got.cases.len(), got.warnings), (1, vec![]));
    }

    #[test]
    fn other_machines_and_graphs_are_warned_of() {
        let new = report([case("bfs", &[1.0])]);
        let mut old = new.clone();
        old.machine.cores += 1;
        old.limits.as_mut().unwrap().threads = 7;
        assert_eq!(compare(&old, &new).warnings.len(), 2);
        assert_eq!(compare(&new, &new).warnings, [""; 0]);
    }
}
