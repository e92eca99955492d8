//! [`Learning`]: a graph whose order improves while it serves runs (the order `sampled`).
//!
//! After each run, it reads the accesses that were sampled. When they are enough for a round, the GPU renumbers the
//! graph, and later runs use the new order; a run that started earlier keeps the old one. Rounds end when they no
//! longer pay off. A round that made accesses worse is undone.

use crate::view::View;
use std::sync::{Mutex, MutexGuard, PoisonError};
use warpgraph_core::{Options, Result, Round};
use warpgraph_gpu::{DeviceGraph, Sampled};
use warpgraph_graph::Control;

/// A round pays off if the sectors per access fall by at least this fraction.
const PAYS: f64 = 0.01;
/// Rounds end after this many in a row that do not pay off.
const PATIENCE: usize = 2;
/// A round is the last if it moves fewer than 1 in this many vertices.
const FEW: u64 = 1000;
/// The reason when a limit ends the rounds. A higher limit resumes them; after any other reason they stay ended.
const ENOUGH: &str = "no more were asked for";

/// The current order, and the rounds that led to it.
#[derive(Debug)]
pub(crate) struct Learning {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    view: View,
    /// The view before the last round, kept until the effect of that round is known.
    before: Option<View>,
    rounds: Vec<Round>,
    /// The largest number of rounds; `None` for as many as pay off.
    most: Option<usize>,
    /// Why the rounds have ended; `None` while they go on.
    settled: Option<String>,
    /// Seconds of sampling not yet counted in a round, and (`lost_seconds`) of samples that were discarded.
    sampling_seconds: f64,
    lost_seconds: f64,
    /// True while a thread reads the samples or makes a round.
    is_busy: bool,
}

/// What to do after a round whose effect is known.
#[derive(Debug, PartialEq)]
enum Verdict {
    GoOn,
    Settle(String),
    GoBack(String),
}

impl Learning {
    /// Starts with no rounds, in the order of `view`.
    pub(crate) fn from(view: View) -> Self {
        let state = State {
            view,
            before: None,
            rounds: Vec::new(),
            most: None,
            settled: None,
            sampling_seconds: 0.0,
            lost_seconds: 0.0,
            is_busy: false,
        };
        Self { state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the graph in the order that a run starting now uses.
    pub(crate) fn view(&self) -> View {
        self.state().view.clone()
    }

    /// Returns the rounds so far.
    pub(crate) fn rounds(&self) -> Vec<Round> {
        self.state().rounds.clone()
    }

    /// Returns why the rounds have ended; `None` while they go on.
    pub(crate) fn why_settled(&self) -> Option<String> {
        self.state().settled.clone()
    }

    /// Returns the seconds that sampling and renumbering took.
    pub(crate) fn seconds(&self) -> f64 {
        let state = self.state();
        let rounds = state.rounds.iter().map(|round| round.sampling_seconds + round.renumbering_seconds);
        rounds.sum::<f64>() + state.sampling_seconds + state.lost_seconds
    }

    /// Limits the number of rounds to `most`. One more sample then measures the effect of the last round. Resumes the
    /// rounds if a lower limit had ended them.
    pub(crate) fn limit(&self, most: usize) {
        let mut state = self.state();
        state.most = Some(most);
        let before = state.go_on();
        state.settle_at_limit();
        drop(state);
        // Outside the lock: freeing device memory waits for the device.
        drop(before);
    }

    /// Reads the accesses sampled in a run of `view`, and makes a round if they are enough. Nothing else may be on the
    /// GPU. An error does not fail the run: it ends the rounds and becomes the reason.
    pub(crate) fn after_run(&self, view: &View, control: &Control) {
        let Some(device_graph) = view.device_graph() else { return };
        if !self.takes(view) {
            return;
        }
        let next = self.learn(device_graph, control);
        let mut state = self.state();
        state.is_busy = false;
        match next {
            Ok(()) => {}
            // The run was stopped; the round can be made after another run.
            Err(error) if error.is_stop() => {}
            Err(error) => state.settle(&error.to_string()),
        }
        // Another thread may have raised the limit meanwhile.
        let before = state.go_on();
        drop(state);
        drop(before);
    }

    /// Returns true, and marks the state busy, if `view` is the current one, rounds go on and no other thread is busy.
    fn takes(&self, view: &View) -> bool {
        let mut state = self.state();
        let takes = state.settled.is_none() && !state.is_busy && state.view.is(view);
        state.is_busy |= takes;
        takes
    }

    fn learn(&self, device_graph: &DeviceGraph, control: &Control) -> Result<()> {
        let Some(far) = device_graph.how_far()? else { return Ok(()) };
        let is_ready = self.state().look_at(&far);
        let (true, Some(sectors_before)) = (is_ready, far.sectors) else { return Ok(()) };
        // Outside the lock: other threads may start runs meanwhile.
        let options = Options { control: control.clone(), ..Options::default() };
        let renumbered = warpgraph_gpu::renumber(device_graph, &options)?;
        let map = match self.view().renumbered() {
            Some((_, map)) => map.then(&renumbered.map)?,
            None => renumbered.map.clone(),
        };
        let mut state = self.state();
        let round = Round {
            round: state.rounds.len() as u32 + 1,
            samples: far.samples,
            moved: renumbered.moved,
            sectors_before,
            sectors_after: None,
            sampling_seconds: far.sampling_seconds,
            renumbering_seconds: renumbered.seconds,
            speed_before: speed(&far),
            speed_after: None,
        };
        state.rounds.push(round);
        state.sampling_seconds = 0.0;
        state.before = Some(state.view.off_device());
        state.view = View::of(renumbered.device_graph, map);
        if let Some(why) = state.settled.clone() {
            state.settle(&why);
        }
        Ok(())
    }
}

/// Returns the arcs processed per second of kernel time.
fn speed(far: &Sampled) -> Option<f64> {
    (far.kernel_seconds > 0.0).then(|| far.arcs as f64 / far.kernel_seconds)
}

impl State {
    fn settle(&mut self, why: &str) {
        self.settled.get_or_insert_with(|| why.to_owned());
        self.before = None;
        if let Some(device_graph) = self.view.device_graph() {
            device_graph.stop_sampling(why);
        }
    }

    /// Resumes sampling if a limit had ended it, that limit is now higher and no thread is making a round. The copy on
    /// the device has stopped sampling for good, so the next run copies the graph again, and samples since the last
    /// round are lost. Returns the old view for the caller to drop.
    fn go_on(&mut self) -> Option<View> {
        let is_ended = self.settled.as_deref() == Some(ENOUGH);
        let may = is_ended && !self.is_busy && self.most.is_none_or(|most| self.rounds.len() < most);
        may.then(|| {
            self.settled = None;
            self.lost_seconds += std::mem::take(&mut self.sampling_seconds);
            let other = self.view.off_device();
            std::mem::replace(&mut self.view, other)
        })
    }

    /// Records the effect of the last round. Returns true if another round can be made now.
    fn look_at(&mut self, far: &Sampled) -> bool {
        self.sampling_seconds = far.sampling_seconds;
        if let Some(round) = self.rounds.last_mut() {
            round.speed_after = speed(far).or(round.speed_after);
        }
        if let Some(why) = &far.why_not {
            self.settle(why);
        }
        if let (Some(sectors), Some(round)) = (far.sectors, self.rounds.last_mut())
            && round.sectors_after.is_none()
        {
            round.sectors_after = Some(sectors);
            match verdict(&self.rounds, self.view.graph().vertices() as u64) {
                Verdict::GoOn => self.before = None,
                Verdict::Settle(why) => self.settle(&why),
                Verdict::GoBack(why) => {
                    if let Some(before) = self.before.take() {
                        self.view = before;
                    }
                    self.settle(&why);
                }
            }
        }
        self.settle_at_limit();
        far.is_ready && self.settled.is_none()
    }

    fn settle_at_limit(&mut self) {
        let is_known = self.rounds.last().is_none_or(|round| round.sectors_after.is_some());
        if is_known && self.most.is_some_and(|most| self.rounds.len() >= most) {
            self.settle(ENOUGH);
        }
    }
}

/// Judges the last round, whose effect is known.
fn verdict(rounds: &[Round], vertices: u64) -> Verdict {
    let fell =
        |round: &Round| 1.0 - round.sectors_after.unwrap_or(round.sectors_before) / round.sectors_before;
    let Some(last) = rounds.last() else { return Verdict::GoOn };
    if fell(last) < -PAYS {
        return Verdict::GoBack(format!("round {} did harm, and was taken back", last.round));
    }
    if last.moved < vertices.div_ceil(FEW) {
        return Verdict::Settle(format!("round {} moved {} of {vertices} vertices", last.round, last.moved));
    }
    let poor = rounds.iter().rev().take_while(|round| fell(round) < PAYS).count();
    match poor >= PATIENCE {
        true => Verdict::Settle(format!("{PATIENCE} rounds in a row brought less than 1 %")),
        false => Verdict::GoOn,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;

    /// Returns rounds whose sectors per access fell to these values.
    fn rounds(start: f64, sectors: &[f64], moved: u64) -> Vec<Round> {
        let mut before = start;
        let round = |(nth, &after): (usize, &f64)| Round {
            round: nth as u32 + 1,
            samples: 9,
            moved,
            sectors_before: std::mem::replace(&mut before, after),
            sectors_after: Some(after),
            sampling_seconds: 0.0,
            renumbering_seconds: 0.0,
            speed_before: None,
            speed_after: None,
        };
        sectors.iter().enumerate().map(round).collect()
    }

    fn far(sectors: f64) -> Sampled {
        let sectors = Some(sectors);
        Sampled {
            samples: 1,
            is_ready: false,
            sectors,
            arcs: 10,
            kernel_seconds: 2.0,
            sampling_seconds: 3.0,
            why_not: None,
        }
    }

    #[test]
    fn what_a_round_brought_is_filled_in_and_harm_is_undone() {
        let graph = warpgraph_graph::Graph::from_edges(20, &[(0, 1)], false).unwrap();
        let views = [(); 2].map(|()| View::new(&graph, None));
        for (sectors, kept) in [(4.0, 1), (6.0, 0)] {
            let learning = Learning::from(views[1].clone());
            let mut state = learning.state();
            state.before = Some(views[0].clone());
            state.rounds = rounds(5.0, &[4.0], 7);
            state.rounds[0].sectors_after = None;
            state.look_at(&far(sectors));
            assert!(state.view.is(&views[kept]) && state.before.is_none(), "{sectors}");
            assert_eq!(state.settled.is_some(), kept == 0, "{sectors}");
            let round = &state.rounds[0];
            assert_eq!((round.sectors_after, round.speed_after), (Some(sectors), Some(5.0)));
            drop(state);
            assert_eq!(learning.seconds(), 3.0);
        }
    }

    #[test]
    fn a_higher_limit_has_rounds_go_on_unless_they_ended_for_another_reason() {
        let graph = warpgraph_graph::Graph::from_edges(20, &[(0, 1)], false).unwrap();
        for why in [None, Some("2 rounds in a row brought less than 1 %")] {
            let learning = Learning::from(View::new(&graph, None));
            learning.state().rounds = rounds(5.0, &[4.0], 7);
            learning.state().look_at(&far(4.0));
            if let Some(why) = why {
                learning.state().settle(why);
            }
            let view = learning.view();
            learning.limit(1);
            assert_eq!(learning.why_settled().as_deref(), Some(why.unwrap_or(ENOUGH)));
            learning.limit(1);
            assert!(learning.why_settled().is_some() && learning.view().is(&view), "the same limit again");
            learning.limit(2);
            assert_eq!(learning.why_settled().as_deref(), why);
            assert_eq!(learning.view().is(&view), why.is_some(), "sampling starts in a view of its own");
            assert_eq!(learning.seconds(), 3.0, "what was sampled has taken its time");
        }
    }

    #[test]
    fn a_limit_that_is_raised_while_a_round_is_made_waits_for_it() {
        let graph = warpgraph_graph::Graph::from_edges(20, &[(0, 1)], false).unwrap();
        let learning = Learning::from(View::new(&graph, None));
        learning.state().rounds = rounds(5.0, &[4.0], 7);
        let view = learning.view();
        learning.limit(1);
        learning.state().is_busy = true;
        learning.limit(2);
        assert!(learning.why_settled().is_some() && learning.view().is(&view), "somebody is at it");
        learning.state().is_busy = false;
        assert!(learning.state().go_on().is_some_and(|before| before.is(&view)));
        assert!(learning.why_settled().is_none() && learning.state().go_on().is_none(), "once");
    }

    #[test]
    fn rounds_go_on_while_one_of_two_pays() {
        let verdict = |sectors: &[f64]| verdict(&rounds(10.0, sectors, 500), 1000);
        assert_eq!(verdict(&[]), Verdict::GoOn);
        assert_eq!(verdict(&[9.0]), Verdict::GoOn);
        assert_eq!(verdict(&[9.95]), Verdict::GoOn);
        assert_eq!(verdict(&[9.95, 9.0, 8.99]), Verdict::GoOn);
        let why = "2 rounds in a row brought less than 1 %".to_owned();
        assert_eq!(verdict(&[9.0, 8.95, 8.95]), Verdict::Settle(why));
    }

    #[test]
    fn a_round_that_moves_hardly_anyone_is_the_last_and_one_that_does_harm_is_taken_back() {
        let few = verdict(&rounds(10.0, &[9.0], 3), 4000);
        assert_eq!(few, Verdict::Settle("round 1 moved 3 of 4000 vertices".to_owned()));
        let harm = verdict(&rounds(10.0, &[9.0, 9.2], 3), 4000);
        assert_eq!(harm, Verdict::GoBack("round 2 did harm, and was taken back".to_owned()));
    }
}
