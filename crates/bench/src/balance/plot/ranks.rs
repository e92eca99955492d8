//! Figure 9: strategies by time on the left, by memory on the right, a line from one place to the other.

use super::colors::{AFTER, KERNELS};
use crate::{
    balance::{ranks::Rank, report::Report},
    plot::{
        Figure,
        colors::{BAD, FAINT, INK, RGBColor},
    },
};

const SIZE: (i32, i32) = (860, 110);
const TOP: i32 = 92;
const ROW: i32 = 30;
/// Where lines begin and end.
const LEFT: i32 = 330;
const RIGHT: i32 = 530;
/// Lines that cross must be told apart.
const COLORS: [RGBColor; 7] = [
    KERNELS,
    RGBColor(183, 121, 31),
    AFTER,
    RGBColor(128, 90, 213),
    BAD,
    RGBColor(74, 85, 104),
    RGBColor(213, 63, 140),
];

pub(super) fn figure(report: &Report) -> Figure<'_> {
    let by_time: Vec<&Rank> = report.ranks.iter().filter(|rank| rank.time.is_some()).collect();
    let mut by_memory: Vec<&Rank> = by_time.iter().copied().filter(|rank| rank.memory.is_some()).collect();
    by_memory.sort_by_key(|rank| rank.memory_rank);
    Figure::new((SIZE.0, SIZE.1 + by_time.len() as i32 * ROW), move |canvas| {
        canvas.title(&format!("Figure 9: strategies by time and by memory, on {}", report.device.name))?;
        let note = "geometric means over all graphs, bfs and sssp, as multiples of node; the best is on top";
        canvas.begin(note, (16, 46), FAINT)?;
        canvas.end("time", (LEFT - 10, TOP - 22), INK)?;
        canvas.begin("memory", (RIGHT + 10, TOP - 22), INK)?;
        for (nth, rank) in by_time.iter().enumerate() {
            let y = TOP + nth as i32 * ROW;
            let color = COLORS[nth % COLORS.len()];
            canvas.end(&words(rank, rank.time_rank, rank.time), (LEFT - 10, y), INK)?;
            canvas.dot((LEFT, y), color, 3)?;
            if let Some(place) = by_memory.iter().position(|other| other.strategy == rank.strategy) {
                let end = TOP + place as i32 * ROW;
                canvas.line(vec![(LEFT, y), (RIGHT, end)], color, 2)?;
                canvas.dot((RIGHT, end), color, 3)?;
                let words = words(rank, rank.memory_rank, rank.memory);
                canvas.begin(&words, (RIGHT + 10, end), INK)?;
            }
        }
        Ok(())
    })
}

/// `3. node (BS): 1.00`.
fn words(rank: &Rank, place: Option<usize>, mean: Option<f64>) -> String {
    let name = match rank.in_the_paper {
        "-" => rank.strategy.clone(),
        letters => format!("{} ({letters})", rank.strategy),
    };
    let place = place.map_or_else(String::new, |place| format!("{place}. "));
    let mean = mean.map_or_else(String::new, |mean| format!(": {mean:.2}"));
    format!("{place}{name}{mean}")
}
