//! Figure 11: two bars a graph, times as fast with work chunking as without, before the paper's range.

use super::colors::{BAND, KERNELS, OVERHEAD};
use crate::{
    balance::{report::Report, tables::name},
    plot::{
        Figure,
        axis::Axis,
        colors::{FAINT, INK, RULE},
    },
};

const WIDTH: i32 = 900;
const TOP: i32 = 92;
const FOOT: i32 = 50;
const GROUP: i32 = 52;
const BAR: i32 = 16;
const LEFT: i32 = 310;
const RIGHT: i32 = 80;
/// Of the paper: from, to, on average.
const PAPER: (f64, f64, f64) = (1.11, 3.125, 1.82);

pub(super) fn figure(report: &Report) -> Figure<'_> {
    let gain = |graph: &str, algorithm: &str| {
        let found = report.chunking.iter().find(|gain| gain.graph == graph && gain.algorithm == algorithm);
        found.map(|gain| gain.speedup)
    };
    let groups = report.graphs.iter().map(|graph| {
        (name(graph), [("bfs", KERNELS), ("sssp", OVERHEAD)].map(|(a, color)| (gain(&graph.name, a), color)))
    });
    let groups: Vec<_> = groups.filter(|(_, gains)| gains.iter().any(|(gain, _)| gain.is_some())).collect();
    let most = report.chunking.iter().map(|gain| gain.speedup).fold(PAPER.1, f64::max);
    let across = Axis::linear((0.0, 1.05 * most), (LEFT, WIDTH - RIGHT));
    let bottom = TOP + groups.len() as i32 * GROUP;
    Figure::new((WIDTH, bottom + FOOT), move |canvas| {
        canvas.title(&format!("Figure 11: edge with work chunking, on {}", report.device.name))?;
        let next = canvas.key((16, 48), KERNELS, "bfs")?;
        let next = canvas.key((next, 48), OVERHEAD, "sssp")?;
        let range = format!("the paper's range, {} to {}, and its average, {}", PAPER.0, PAPER.1, PAPER.2);
        canvas.key((next, 48), BAND, &range)?;
        canvas.bar((across.at(PAPER.0), TOP - 12), (across.at(PAPER.1), bottom), BAND)?;
        for mark in across.marks() {
            let x = across.at(mark);
            canvas.line(vec![(x, TOP - 12), (x, bottom)], RULE, 1)?;
            canvas.middle(&mark.to_string(), (x, bottom + 12), FAINT)?;
        }
        canvas.middle("times as fast as without", ((LEFT + WIDTH - RIGHT) / 2, bottom + 30), FAINT)?;
        for (nth, (name, gains)) in groups.iter().enumerate() {
            let top = TOP + nth as i32 * GROUP;
            canvas.end(name, (LEFT - 10, top + BAR), INK)?;
            for (bar, (gain, color)) in gains.iter().enumerate() {
                let high = top + bar as i32 * (BAR + 2);
                let Some(gain) = gain else {
                    canvas.begin("did not run", (LEFT + 6, high + BAR / 2), FAINT)?;
                    continue;
                };
                canvas.bar((LEFT, high), (across.at(*gain), high + BAR), *color)?;
                canvas.begin(&format!("{gain:.2}"), (across.at(*gain) + 6, high + BAR / 2), INK)?;
            }
        }
        canvas.dashed(across.at(PAPER.2), TOP - 12, bottom, FAINT)?;
        canvas.line(vec![(across.at(1.0), TOP - 12), (across.at(1.0), bottom)], INK, 1)
    })
}
