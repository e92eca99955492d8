//! `--approx` and `--compare`: answers about a changed graph, and how far they are from exact ones.

use crate::{
    console::{Rows, count, counted, number, seconds},
    failure::{Failure, Result},
    load,
    session::Session,
};
use clap::Args;
use serde::Serialize;
use warpgraph::{
    Approximation, Exactness, Inaccuracy, Loaded, Opened, Options, Order, Purpose, Question,
    measure::{self, Measured, Repeats},
};

/// Whether an answer may be approximate.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Approximate {
    /// Change the graph before the runs, so that answers are nearly right: techniques joined by +, such as coalesce
    #[arg(long, value_name = "A", long_help = help())]
    approx: Option<String>,
    /// Also run exactly, and report the error of the approximate answer and both times
    ///
    /// For --approx and --max-error. The exact runs ask the same question, with the same sources, on the same device and by the
    /// same plan, after the others.
    #[arg(long)]
    compare: bool,
}

fn help() -> String {
    format!(
        "\
Change the graph before the runs, so that they are faster on a GPU and answers are nearly right

Techniques stand alone or joined by +, each with its knob in brackets: coalesce(threshold=0.6)+latency. {} At threshold=1 and \
share=0 nothing is changed, and answers are exact. `none` is the default.

The report says what was changed, --compare measures the error, and columns of --out are named approximate_... \
docs/approximation.md says more.",
        Approximation::help()
    )
}

impl Approximate {
    /// Returns true if an approximation or a comparison is asked for.
    #[cfg(feature = "cluster")]
    pub(super) fn is_asked(&self) -> bool {
        self.compare || self.approx.as_deref().is_some_and(|approx| approx != "none")
    }

    /// Returns the approximation; refuses what does not go together with it.
    pub(super) fn asked(&self, question: &dyn Question) -> Result<Approximation> {
        let approximation = match &self.approx {
            Some(text) => text.parse()?,
            None => Approximation::NONE,
        };
        let bound = question.max_error();
        if let (Some(error), false) = (bound, approximation.is_none()) {
            return Err(Failure::new(
                "refused",
                format!(
                    "--max-error {error} does not go with --approx {approximation}: how far the changed graph is off is not known"
                ),
                "leave one of them out; --compare measures the error of an approximation",
            ));
        }
        if self.compare && bound.is_none() && approximation.is_none() {
            let what = "--compare compares an approximate answer with the exact one, and this run is exact";
            return Err(Failure::new("invalid", what, "add --approx or --max-error, or leave --compare out"));
        }
        Ok(approximation)
    }

    /// Asks the same question exactly, if the user wants to compare.
    pub(super) fn compare(
        &self,
        question: &dyn Question,
        (ready, options, repeats): (&Loaded, &Options, Repeats),
        order: Option<Order>,
        approximate: &Measured,
    ) -> warpgraph::Result<Option<Compared>> {
        if !self.compare {
            return Ok(None);
        }
        let options =
            Options { approximation: Approximation::NONE, accepted: None, trace: false, ..options.clone() };
        let original = match ready.exactness() {
            Some(_) => Some(plain(ready, order, &options)?),
            None => None,
        };
        let question = exact(question)?;
        let repeats = Repeats { verify: false, ..repeats };
        let measured = measure::measure(original.as_ref().unwrap_or(ready), &*question, &options, &repeats)?;
        Ok(Some(Compared::of(approximate, &measured)))
    }
}

/// Loads the graph as it was before the approximation.
fn plain(ready: &Loaded, order: Option<Order>, options: &Options) -> warpgraph::Result<Loaded> {
    match order {
        Some(order) => ready.engine().load_with(ready.graph(), order, options.seed, &options.control),
        None => ready.engine().load_as_stored(ready.graph()),
    }
}

/// Returns the same question without a greatest error.
fn exact(question: &dyn Question) -> warpgraph::Result<Box<dyn Question>> {
    let mut config = question.config();
    if let Some(bound) = config.get_mut("max_error") {
        *bound = serde_json::Value::Null;
    }
    question.entry().question(config)
}

/// Opens a graph that an approximation will change: no GPU needs it as it is.
pub(super) fn open(
    session: &Session,
    name: &str,
    reading: &crate::reading::Reading,
) -> Result<(Opened, f64)> {
    let load::ReadGraph { graph, seconds } = load::load(session, name, reading)?;
    session.engine.ready()?;
    Ok((session.engine.adopt(graph, Purpose::default())?, seconds))
}

/// Returns the order to load in: techniques that renumber start from the natural one.
pub(crate) fn start(approximation: Approximation, order: Option<Order>) -> Option<Order> {
    order.or(approximation.renumbers().then_some(Order::Natural))
}

/// An exact run beside the approximate one.
#[derive(Debug, Serialize)]
pub(super) struct Compared {
    /// Seconds of every exact run.
    runs: Vec<f64>,
    /// Their median.
    median: f64,
    /// The median of the exact runs over that of the approximate ones.
    speedup: f64,
    /// How far the answer is from the exact one.
    pub(super) inaccuracy: Option<Inaccuracy>,
}

impl Compared {
    fn of(approximate: &Measured, exact: &Measured) -> Self {
        let judged = approximate.answer.judged().zip(exact.answer.judged());
        let median = exact.figures.median();
        Self {
            runs: exact.figures.runs.clone(),
            median,
            speedup: median / approximate.figures.median(),
            inaccuracy: judged.and_then(|(answer, exact)| Inaccuracy::of(&answer, &exact)),
        }
    }

    /// Adds the error and both times.
    pub(super) fn tell(&self, rows: &mut Rows) {
        let times = match self.speedup {
            times if times >= 1.0 => format!("{times:.2} times as fast"),
            times => format!("{:.2} times slower", 1.0 / times),
        };
        rows.add("exact", format!("in {}; approximate runs are {times}", seconds(self.median)));
        let Some(off) = &self.inaccuracy else { return };
        let unmatched = off.unmatched;
        let [mean, median, most, worst] = [off.mean, off.median, off.percentile_95, off.worst]
            .map(|error| format!("{} %", number(percent(error))));
        let off = format!("{mean} on average, median {median}, 95 % within {most}, worst {worst}");
        rows.add_wrapped("compared", &off);
        if unmatched > 0 {
            let left_out = counted(unmatched, "vertex has", "vertices have");
            rows.add("", format!("{left_out} a value in one answer only"));
        }
    }
}

/// Returns a share in percent, rounded to three digits.
fn percent(share: f64) -> f64 {
    let unit = 10f64.powf((100.0 * share).abs().max(f64::MIN_POSITIVE).log10().floor() - 2.0);
    if share == 0.0 { 0.0 } else { (100.0 * share / unit).round() * unit }
}

/// Adds what was changed in the graph.
pub(super) fn tell(rows: &mut Rows, exactness: &Exactness) {
    let Exactness { approximation, replicated, replicas, added, dropped, edges, chunks, .. } = exactness;
    let mut what = vec![format!("{approximation}:")];
    if *replicas > 0 {
        let have = counted(*replicated, "vertex has", "vertices have");
        what.push(format!("{have} {},", counted(*replicas, "replica", "replicas")));
    }
    if *chunks > 0 {
        what.push(format!("{},", counted(*chunks, "chunk", "chunks")));
    }
    let share = number(percent(*added as f64 / (*edges).max(1) as f64));
    let edges = counted(*added, "edge", "edges");
    what.push(format!(
        "{edges} added ({share} %), {} dropped, {}",
        count(*dropped),
        seconds(exactness.seconds)
    ));
    rows.add_wrapped("approx", &what.join(" "));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_in_words() {
        let exactness = Exactness {
            approximation: "coalesce".parse().unwrap(),
            replicated: 1204,
            replicas: 1377,
            added: 40_311,
            edges: 13_437_000,
            seconds: 0.8,
            ..Exactness::default()
        };
        let mut rows = Rows::default();
        tell(&mut rows, &exactness);
        let text = anstream::adapter::strip_str(&rows.text()).to_string();
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = "approx coalesce(threshold=0.6): 1,204 vertices have 1,377 replicas, 40,311 edges added \
                        (0.3 %), 0 dropped, 800 ms";
        assert_eq!(words, expected);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}
