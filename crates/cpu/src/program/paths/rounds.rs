//! [`Rounds`]: when rounds end, and what happens then.
//!
//! A round ends when every chunk that was queued or running when it began has been handled since. Workers do not wait for
//! that: they take chunks of the next round while others of this one are still handled. Rounds may be short, as few chunks
//! have something to send. So a limit of supersteps allows a sum as many messages as so many supersteps over all arcs.

use super::{
    schedule::Schedule,
    tally::{Done, Tally},
};
use crate::Recorder;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_core::{Direction, Halt, Result, program::Watch};
use warpgraph_graph::Control;

/// The watch sees what so many rounds have sent together, because threads make single ones differ.
const WATCHED: u64 = 16;

/// What was queued when the round began: the tickets at the ends of both queues. What was running is in the tallies.
#[derive(Default)]
pub(super) struct Marks {
    hot: AtomicU64,
    cold: AtomicU64,
}

impl Marks {
    /// Begins a round with all that is queued or running now.
    pub(super) fn set(&self, schedule: &Schedule<'_>, tallies: &[Tally]) {
        tallies.iter().for_each(Tally::mark);
        self.hot.store(schedule.hot.span().1, Relaxed);
        self.cold.store(schedule.cold.span().1, Relaxed);
    }

    /// Returns true if hub chunks of this round are still queued.
    pub(super) fn has_hot(&self, schedule: &Schedule<'_>) -> bool {
        schedule.hot.span().0 < self.hot.load(Relaxed)
    }

    /// Returns true if a worker that has just taken a chunk has taken the first one of the next round.
    pub(super) fn are_passed(&self, schedule: &Schedule<'_>, tallies: &[Tally]) -> bool {
        // The chunk that was just taken is not in its queue any more, hence the strict comparison of one of them.
        let ((hot, _), (cold, _)) = (schedule.hot.span(), schedule.cold.span());
        let (hot_end, cold_end) = (self.hot.load(Relaxed), self.cold.load(Relaxed));
        hot >= hot_end
            && cold >= cold_end
            && (hot > hot_end || cold > cold_end)
            && tallies.iter().all(Tally::is_past_mark)
    }
}

/// The rounds of a run. Workers take turns with it.
pub(super) struct Rounds<'a> {
    recorder: &'a mut Recorder,
    control: &'a Control,
    name: &'static str,
    halt: Halt,
    /// Messages after which the run ends.
    allowed: Option<u64>,
    /// All that was done when the last round ended.
    before: Done,
    /// Sees that a sum sends less and less; others are not watched.
    watched: Option<Watched>,
}

struct Watched {
    watch: Watch,
    rounds: u64,
    /// What was sent since the watch last saw anything.
    sent: f64,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(
        recorder: &'a mut Recorder,
        control: &'a Control,
        name: &'static str,
        (halt, arcs): (Halt, u64),
    ) -> Self {
        let allowed = halt.limit().map(|limit| limit.saturating_mul(arcs.max(1)));
        Self { recorder, control, name, halt, allowed, before: Done::default(), watched: None }
    }

    /// Watches from now on, with fresh patience, that a sum sends less and less.
    pub(super) fn watch(&mut self) {
        self.watched = Some(Watched { watch: Watch::new(self.name, self.halt), rounds: 0, sent: 0.0 });
    }

    /// Returns true if a limit of supersteps allows no more messages.
    pub(super) fn is_spent(&self) -> bool {
        self.allowed.is_some_and(|allowed| self.before.work.edges >= allowed)
    }

    /// Returns true if chunks were handled since the last round ended.
    pub(super) fn has_begun(&self, all: &Done) -> bool {
        all.handled > self.before.handled
    }

    /// Ends a round, given all that was done so far. Returns true if the limit is reached.
    ///
    /// # Errors
    /// When a sum without a limit of rounds does not send less any more.
    pub(super) fn end(&mut self, all: Done) -> Result<bool> {
        let round = all - self.before;
        self.before = all;
        let note = || match &self.watched {
            None => format!("{} updates so far", all.work.updates),
            Some(_) => format!("{} updates so far, {:.3e} sent", all.work.updates, round.sent),
        };
        let (chunks, edges) = (round.handled as usize, Some(round.work.edges));
        self.recorder.step_by(chunks, edges, Direction::Push, None, note);
        self.control.report(self.name, self.recorder.rounds(), None);
        if let Some(watched) = &mut self.watched {
            watched.see(round.sent)?;
        }
        Ok(self.is_spent())
    }

    /// Returns the recorder.
    pub(super) fn into_recorder(self) -> &'a mut Recorder {
        self.recorder
    }
}

impl Watched {
    fn see(&mut self, sent: f64) -> Result<()> {
        self.sent += sent;
        self.rounds += 1;
        if self.rounds.is_multiple_of(WATCHED) {
            self.watch.see(self.rounds / WATCHED, std::mem::take(&mut self.sent))?;
        }
        Ok(())
    }
}
