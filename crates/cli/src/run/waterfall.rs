//! The waterfall of `--trace`: one line per span of the timeline, with a bar on a common axis of time, within 80
//! columns.
//!
//! A span within another is indented. More than [`FEW`] spans of the same phases in the same place share a line. The
//! lines of the main line that are not indented, and `other`, add up to the total.

use crate::{
    console::{LABEL, seconds},
    table::{Side, Table},
};
use warpgraph::graph::timeline::{Lane, Phase, Recorded, Snapshot};

/// Up to this many spans of the same phases have a line each.
const FEW: usize = 3;
/// Columns of the bars.
const BAR: usize = 34;
/// Columns of the names at most.
const NAME: usize = 22;

/// Spans on one line.
struct Line<'a> {
    /// The phases of the spans around it, then its own.
    path: Vec<Phase>,
    spans: Vec<&'a Recorded>,
}

/// Returns the waterfall as text.
pub(super) fn waterfall(timeline: &Snapshot) -> String {
    let titles = [("phase", Side::Left), ("start", Side::Right), ("time", Side::Right), ("", Side::Left)];
    let mut table = Table::new(titles);
    let total = timeline.total;
    for line in lines(&timeline.spans) {
        let took: f64 = line.spans.iter().map(|span| span.seconds).sum();
        table.row([line.name(), seconds(line.spans[0].start), seconds(took), line.bar(total)]);
    }
    table.row([Phase::Other.to_string(), String::new(), seconds(timeline.other), String::new()]);
    table.row(["total".to_owned(), String::new(), seconds(total), String::new()]);
    let is_beside = timeline.spans.iter().any(|span| span.lane != Lane::Main);
    let legend = if is_beside { "~ beside the main line, which does not wait for it\n" } else { "" };
    format!("\n{LABEL}what this process waited for{LABEL:#}\n{}{legend}", table.text())
}

/// Returns the lines, each lane by rising start.
fn lines(spans: &[Recorded]) -> Vec<Line<'_>> {
    let mut around: Vec<Phase> = Vec::new();
    let paths: Vec<(Lane, Vec<Phase>)> = spans
        .iter()
        .map(|span| {
            around.truncate(span.depth);
            around.push(span.phase);
            (span.lane, around.clone())
        })
        .collect();
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (span, (lane, path)) in spans.iter().zip(&paths) {
        let is_crowd = paths.iter().filter(|(of, other)| of == lane && other == path).count() > FEW;
        let same = |line: &&mut Line<'_>| line.spans[0].lane == *lane && line.path == *path;
        match lines.iter_mut().find(same).filter(|_| is_crowd) {
            Some(line) => line.spans.push(span),
            None => lines.push(Line { path: path.clone(), spans: vec![span] }),
        }
    }
    lines
}

impl Line<'_> {
    /// Returns its name: indented, marked if it is beside the main line, and with what is known beyond the phase.
    fn name(&self) -> String {
        let span = self.spans[0];
        let mark = if span.lane == Lane::Main { "" } else { "~ " };
        let more = match (self.spans.len(), &span.what) {
            (1, None) => String::new(),
            (1, Some(what)) => format!(" {what}"),
            (many, _) => format!(" x {many}"),
        };
        let name = format!("{mark}{}{}{more}", "  ".repeat(span.depth), span.phase);
        name.chars().take(NAME).collect()
    }

    /// Returns a bar that covers the times of its spans, at least one character each.
    fn bar(&self, total: f64) -> String {
        let column = |at: f64| at / total.max(1e-9) * BAR as f64;
        let mark = if self.spans[0].lane == Lane::Main { '#' } else { '=' };
        let mut bar = [' '; BAR];
        for span in &self.spans {
            let from = (column(span.start) as usize).min(BAR - 1);
            let to = (column(span.start + span.seconds).ceil() as usize).clamp(from + 1, BAR);
            bar[from..to].fill(mark);
        }
        bar.iter().collect::<String>().trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(phase: Phase, lane: Lane, (start, end): (u32, u32), depth: usize) -> Recorded {
        let [start, seconds] = [start, end - start].map(f64::from);
        Recorded { phase, what: None, lane, start, seconds, own: seconds, depth }
    }

    fn text(spans: Vec<Recorded>, total: f64) -> String {
        let timeline = Snapshot { began: 0.0, total, other: 1.0, spans };
        anstream::adapter::strip_str(&waterfall(&timeline)).to_string()
    }

    #[test]
    fn spans_are_indented_and_on_one_axis() {
        let mut module = span(Phase::Compiling, Lane::Kernels, (2, 6), 0);
        module.what = Some("bfs walk with a long name".to_owned());
        let spans = vec![
            span(Phase::Opening, Lane::Main, (1, 4), 0),
            span(Phase::Checking, Lane::Main, (2, 3), 1),
            span(Phase::Running, Lane::Main, (9, 10), 0),
            module,
        ];
        let expected = "
what this process waited for
phase                    start    time
opening                 1.00 s  3.00 s     ###########
  checking              2.00 s  1.00 s        #####
running                 9.00 s  1.00 s                                ####
~ compiling bfs walk w  2.00 s  4.00 s        ===============
other                           1.00 s
total                           10.0 s
~ beside the main line, which does not wait for it
";
        assert_eq!(text(spans, 10.0), expected);
    }

    #[test]
    fn many_spans_of_one_phase_share_a_line_and_all_fits_80_columns() {
        let spans = (0..40).map(|i| span(Phase::Allocating, Lane::Main, (2 * i, 2 * i + 1), 0)).collect();
        let text = text(spans, 80.0);
        assert_eq!(text.lines().filter(|line| line.starts_with("allocating x 40 ")).count(), 1, "{text}");
        assert!(text.contains("40.0 s") && text.lines().all(|line| line.len() <= 80), "{text}");
    }
}
