//! [`Timeline`]: what a user waits for, as named spans of time.
//!
//! Its clock starts when the program does, at the first line of `main`. The system knows when the process started, but
//! only to a hundredth of a second; `warpgraph bench wait` measures from outside what comes before `main` and after the
//! last line. A [`Span`] records one [`Phase`] from its creation to its drop, on the [`Lane`] of
//! the thread that created it. Spans may nest: the own time of a span is what the spans within it leave. On each lane
//! the own times and the time without a span add up to the whole.
//!
//! Recording costs well under a microsecond per span. A timeline keeps the first 256 spans per phase; the time of later
//! ones counts as that of the span around them.

mod phase;
mod shares;

pub use phase::{Entered, Lane, Phase};

use serde::Serialize;
use shares::{Interval, Share};
use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// The most spans that a timeline keeps per phase.
const MOST: usize = 256;

/// Records spans. Clones share what they record.
///
/// ```
/// use warpgraph_graph::{Control, timeline::{Phase, Timeline}};
/// let timeline = Timeline::start();
/// let control = Control::new().with_timeline(&timeline);
/// {
///     let _span = control.span(Phase::Reading);
/// }
/// let seen = timeline.snapshot();
/// assert_eq!((seen.spans.len(), seen.spans[0].phase), (1, Phase::Reading));
/// ```
#[derive(Debug, Clone)]
pub struct Timeline {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    start: Instant,
    /// The same instant by the clock of the system.
    began: SystemTime,
    ended: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    spans: Vec<Ended>,
    /// By phase: the number of spans kept, and when the last span ended, kept or not.
    phases: HashMap<Phase, (usize, u64)>,
}

#[derive(Debug, Clone)]
struct Ended {
    phase: Phase,
    what: Option<String>,
    lane: Lane,
    interval: Interval,
}

impl Timeline {
    /// Returns a timeline whose clock starts now.
    pub fn start() -> Self {
        let (start, began, ended) = (Instant::now(), SystemTime::now(), Mutex::default());
        Self { shared: Arc::new(Shared { start, began, ended }) }
    }

    /// Starts a span on the lane of this thread.
    pub fn span(&self, phase: Phase) -> Span {
        Span::begun(Some(self), phase)
    }

    /// Records a span that has ended, on the lane of this thread. `what` says more than the phase does, such as the name
    /// of a module.
    pub fn record(&self, phase: Phase, what: Option<String>, start: Instant, end: Instant) {
        let interval = Interval { start: self.at(start), end: self.at(end) };
        self.add(Ended { phase, what, lane: Lane::current(), interval });
    }

    /// Records a span from the end of the last span of the phase `after` until now. Does nothing if there is none.
    pub fn record_since(&self, after: Phase, phase: Phase) {
        let now = self.at(Instant::now());
        let last = self.ended().phases.get(&after).map(|&(_, end)| end);
        if let Some(start) = last {
            let interval = Interval { start, end: now };
            self.add(Ended { phase, what: None, lane: Lane::current(), interval });
        }
    }

    /// Returns everything that has ended, until now.
    pub fn snapshot(&self) -> Snapshot {
        let total = self.at(Instant::now());
        let mut ended = self.ended().spans.clone();
        ended.sort_by_key(|span| (span.interval.start, Reverse(span.interval.end)));
        let began = self.shared.began.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let (mut spans, mut other) = (Vec::with_capacity(ended.len()), 0);
        for &lane in Lane::ALL {
            let of_lane: Vec<Ended> = ended.iter().filter(|span| span.lane == lane).cloned().collect();
            let intervals: Vec<Interval> = of_lane.iter().map(|span| span.interval).collect();
            let (shares, none) = shares::of(&intervals, total);
            if lane == Lane::Main {
                other = none;
            }
            spans.extend(of_lane.into_iter().zip(shares).map(|(span, share)| Recorded::new(span, share)));
        }
        Snapshot { began, total: seconds(total), other: seconds(other), spans }
    }

    /// Returns the nanoseconds from the start to an instant; 0 for one before the start.
    fn at(&self, instant: Instant) -> u64 {
        instant.saturating_duration_since(self.shared.start).as_nanos() as u64
    }

    fn add(&self, span: Ended) {
        let mut ended = self.ended();
        let (kept, last) = ended.phases.entry(span.phase).or_default();
        *last = span.interval.end;
        if *kept < MOST {
            *kept += 1;
            ended.spans.push(span);
        }
    }

    fn ended(&self) -> MutexGuard<'_, Kept> {
        self.shared.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn seconds(nanoseconds: u64) -> f64 {
    Duration::from_nanos(nanoseconds).as_secs_f64()
}

/// Records a phase from its creation to its drop; does nothing without a timeline.
#[derive(Debug)]
#[must_use = "a span ends when it is dropped"]
pub struct Span(Option<Open>);

#[derive(Debug)]
struct Open {
    timeline: Timeline,
    phase: Phase,
    lane: Lane,
    start: u64,
}

impl Span {
    pub(crate) fn begun(timeline: Option<&Timeline>, phase: Phase) -> Self {
        Self(timeline.map(|timeline| {
            let start = timeline.at(Instant::now());
            Open { timeline: timeline.clone(), phase, lane: Lane::current(), start }
        }))
    }

    /// Ends the span now.
    pub fn end(self) {}
}

impl Drop for Span {
    fn drop(&mut self) {
        if let Some(Open { timeline, phase, lane, start }) = self.0.take() {
            let interval = Interval { start, end: timeline.at(Instant::now()) };
            timeline.add(Ended { phase, what: None, lane, interval });
        }
    }
}

/// A timeline at one moment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Snapshot {
    /// Seconds since 1970, when the clock started.
    pub began: f64,
    /// Seconds from then until this snapshot. The own times of the main line and `other` add up to it.
    pub total: f64,
    /// Seconds of the main line that belong to no span.
    pub other: f64,
    /// The spans, those of the main line first, each lane by rising start.
    pub spans: Vec<Recorded>,
}

/// A span that has ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recorded {
    /// What happened.
    pub phase: Phase,
    /// More about it, such as the name of a module.
    pub what: Option<String>,
    /// Where it happened.
    pub lane: Lane,
    /// Seconds from the start of the clock to its start.
    pub start: f64,
    /// Seconds that it took.
    pub seconds: f64,
    /// Those of them that no span within it took.
    pub own: f64,
    /// The number of spans of its lane that it lies in.
    pub depth: usize,
}

impl Recorded {
    fn new(span: Ended, Share { own, depth }: Share) -> Self {
        let Ended { phase, what, lane, interval: Interval { start, end } } = span;
        let (start, length, own) = (seconds(start), seconds(end.saturating_sub(start)), seconds(own));
        Self { phase, what, lane, start, seconds: length, own, depth }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use crate::Control;

    fn sum(seen: &Snapshot) -> f64 {
        seen.other
            + seen.spans.iter().filter(|span| span.lane == Lane::Main).map(|span| span.own).sum::<f64>()
    }

    #[test]
    fn nested_spans_and_the_rest_of_the_main_line_add_up_to_the_whole() {
        let timeline = Timeline::start();
        let control = Control::new().with_timeline(&timeline);
        std::thread::sleep(Duration::from_millis(2));
        let outer = control.span(Phase::Opening);
        let inner = control.span(Phase::Checking);
        std::thread::sleep(Duration::from_millis(2));
        inner.end();
        outer.end();
        let seen = timeline.snapshot();
        let [outer, inner] = &seen.spans[..] else { panic!("{seen:?}") };
        assert_eq!([outer.phase, inner.phase], [Phase::Opening, Phase::Checking]);
        assert_eq!([outer.depth, inner.depth], [0, 1]);
        assert!(inner.own >= 2e-3 && outer.own < outer.seconds && seen.other >= 2e-3, "{seen:?}");
        assert!((sum(&seen) - seen.total).abs() < 1e-9, "{seen:?}");
    }

    #[test]
    fn work_beside_the_main_line_takes_nothing_from_it() {
        let timeline = Timeline::start();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _lane = Lane::Kernels.enter();
                let start = Instant::now();
                timeline.record(Phase::Compiling, Some("bfs".to_owned()), start, Instant::now());
            });
        });
        timeline.span(Phase::Opening).end();
        let seen = timeline.snapshot();
        let places: Vec<_> = seen.spans.iter().map(|span| (span.phase, span.lane)).collect();
        assert_eq!(places, [(Phase::Opening, Lane::Main), (Phase::Compiling, Lane::Kernels)]);
        assert!((sum(&seen) - seen.total).abs() < 1e-9, "{seen:?}");
    }

    #[test]
    fn many_spans_of_one_phase_crowd_out_no_other() {
        let timeline = Timeline::start();
        (0..2 * MOST).for_each(|_| timeline.span(Phase::Allocating).end());
        timeline.span(Phase::Running).end();
        timeline.record_since(Phase::Running, Phase::Fetching);
        let seen = timeline.snapshot();
        assert_eq!(seen.spans.len(), MOST + 2);
        assert_eq!(seen.spans.last().unwrap().phase, Phase::Fetching);
        timeline.record_since(Phase::Verifying, Phase::Fetching);
        assert_eq!(timeline.snapshot().spans.len(), MOST + 2, "nothing was verified");
    }

    #[test]
    fn every_word_is_explained_in_one_sentence_and_none_occurs_twice() {
        let names: std::collections::BTreeSet<_> = Phase::ALL.iter().map(|phase| phase.name()).collect();
        assert_eq!(names.len(), Phase::ALL.len());
        let about = Phase::ALL.iter().map(|p| p.about()).chain(Lane::ALL.iter().map(|l| l.about()));
        assert!(about.into_iter().all(|text| text.ends_with('.') && !text.starts_with(' ')));
    }

    #[test]
    fn a_control_without_a_timeline_records_nothing() {
        assert!(Control::new().span(Phase::Running).0.is_none());
    }
}
