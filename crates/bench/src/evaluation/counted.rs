//! What a run that counts did: its work, and how far it was after each round.

use serde::{Deserialize, Serialize};
use warpgraph::{Run, Step, Work};

/// The most points of a curve; a run of more rounds has as many points, evenly chosen, the last round among them.
const POINTS: usize = 32;

/// What a run counted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Counted {
    /// All of it.
    pub work: Work,
    /// Supersteps, or rounds along paths.
    pub rounds: u64,
    /// How far it was after some of its rounds, if rounds were recorded.
    pub curve: Vec<Point>,
}

/// How far a run was after a round.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Point {
    /// The number of the round, from 1.
    pub round: u64,
    /// Edges that messages went along so far.
    pub edges: u64,
    /// Messages that changed a value so far, if the run tells.
    pub updates: Option<u64>,
    /// In a sum, the changes that the round sent (along paths), or that the next one is to send (by supersteps).
    pub sent: Option<f64>,
}

impl Counted {
    /// Returns what a run counted; `None` if it did not count.
    pub fn of(run: &Run) -> Option<Self> {
        Some(Self { work: run.work?, rounds: run.rounds, curve: thinned(&curve(&run.trace)) })
    }
}

fn curve(trace: &[Step]) -> Vec<Point> {
    let mut edges = 0;
    let point = |step: &Step| {
        edges += step.edges.unwrap_or(0);
        let updates = before(&step.note, " updates so far");
        let sent = before(&step.note, " sent").or_else(|| before(&step.note, " to be told"));
        Point { round: step.round + 1, edges, updates: updates.map(|updates| updates as u64), sent }
    };
    trace.iter().map(point).collect()
}

/// Returns the number that stands before some words of a note.
fn before(note: &str, words: &str) -> Option<f64> {
    let (number, _) = note.split_once(words)?;
    number.rsplit([' ', ',']).next()?.parse().ok()
}

fn thinned(points: &[Point]) -> Vec<Point> {
    let last = points.len().saturating_sub(1);
    match points.len() {
        0..=POINTS => points.to_vec(),
        _ => (0..POINTS).map(|nth| points[nth * last / (POINTS - 1)]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpgraph::Direction;

    fn step(round: u64, note: &str) -> Step {
        let (note, direction) = (note.to_owned(), Direction::Push);
        Step { round, frontier: 2, edges: Some(10), direction, balance: None, seconds: 0.1, note }
    }

    #[test]
    fn a_curve_is_read_from_the_notes_of_both_models() {
        let notes =
            ["7 updates so far", "9 updates so far, 2.070e-3 sent", "1.500e1 to be told, tiled", "pull"];
        let steps: Vec<Step> = (0..).zip(notes).map(|(round, note)| step(round, note)).collect();
        let seen: Vec<_> = curve(&steps).into_iter().map(|p| (p.edges, p.updates, p.sent)).collect();
        let expected =
            [(10, Some(7), None), (20, Some(9), Some(2.07e-3)), (30, None, Some(15.0)), (40, None, None)];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_long_curve_keeps_its_ends_and_a_short_one_everything() {
        let points = |count: u64| -> Vec<Point> {
            (1..=count).map(|round| Point { round, ..Point::default() }).collect()
        };
        let long = thinned(&points(5_000));
        assert_eq!((long.len(), long[0].round, long[POINTS - 1].round), (POINTS, 1, 5_000));
        assert!(long.windows(2).all(|pair| pair[0].round < pair[1].round));
        for count in [0, 1, POINTS as u64] {
            assert_eq!(thinned(&points(count)), points(count));
        }
    }
}
