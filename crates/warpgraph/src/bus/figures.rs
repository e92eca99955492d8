//! Makes a [`Trace`] of what a meter has seen.

use super::{
    Bases, Level, Trace, Unified,
    meter::{Meter, Step},
};
use warpgraph_core::{Basis, Code, Direction, Residency, Run};
use warpgraph_transform::{
    Traversal,
    unified::{PAGE, Totals},
};

/// Bytes of a sector.
const SECTOR: u64 = 32;

/// What a meter does not know.
pub(super) struct Context<'a> {
    /// The run that it saw.
    pub(super) run: &'a Run,
    pub(super) residency: Residency,
    /// Bytes that the model of unified memory has for edges; `None` if nothing is modelled.
    pub(super) memory: Option<u64>,
    /// True if it saw the levels of an answer, and not supersteps.
    pub(super) is_search: bool,
}

impl Context<'_> {
    /// Returns all figures. `notes` are those that there are already.
    pub(super) fn trace(&self, meter: &mut Meter, mut notes: Vec<String>) -> Trace {
        self.complete(meter);
        notes.extend(self.notes(meter));
        let levels: Vec<Level> =
            (0..).zip(&meter.steps).map(|(round, step)| self.level(round, step)).collect();
        let mut gaps = Traversal::default();
        meter.steps.iter().for_each(|step| gaps.add(&step.gaps));
        let modelled = meter.totals().zip(self.memory).filter(|_| !levels.is_empty());
        let (gap, sectors) = (gaps.means().intra_gap, self.moved().and_then(|moved| self.sectors(moved)));
        let unified = modelled.map(|(totals, memory)| Unified::new(totals, memory));
        let basis = Bases {
            gap: gap.map(|_| Basis::Exact),
            pages: None,
            sectors: sectors.map(|_| Basis::Counted),
            unified: unified.map(|_| Basis::Modelled),
        };
        let mut trace = Trace { gap, pages: None, sectors, unified, basis, levels, notes };
        let (pages, basis) = self.pages(&trace.levels);
        trace.set_pages(pages, basis);
        trace
    }

    /// Adds what was read after the last superstep. A run that found no memory starts once more and is seen twice, so that
    /// nothing is known of its supersteps.
    fn complete(&self, meter: &mut Meter) {
        match (self.is_search, meter.steps.len() == self.run.trace.len()) {
            (true, _) => (),
            (false, true) if !meter.steps.is_empty() => meter.end_rest(self.run.transfer),
            (false, _) => meter.steps.clear(),
        }
    }

    fn notes(&self, meter: &Meter) -> Vec<String> {
        let mut notes = Vec::new();
        if meter.steps.is_empty() {
            notes.push(format!("the host knows no supersteps of the form {}", self.run.form.name()));
        } else if self.residency.code() == Code::EliasFano {
            notes.push("targets are coded: pages are counted for the whole run".to_owned());
        }
        notes
    }

    fn moved(&self) -> Option<u64> {
        self.run.transfer.map(|transfer| transfer.moved)
    }

    fn sectors(&self, moved: u64) -> Option<u64> {
        matches!(self.residency, Residency::ZeroCopy { .. }).then_some(moved / SECTOR)
    }

    /// Returns the pages of all levels; `None` if they are not known.
    fn pages(&self, levels: &[Level]) -> (Option<u64>, Basis) {
        let has_pulls = levels.iter().any(|level| level.direction == Some(Direction::Pull));
        match self.residency {
            // The driver moves a page when a kernel first touches it.
            Residency::Unified { .. } if levels.is_empty() => {
                (self.moved().map(|moved| moved / PAGE), Basis::Counted)
            }
            _ if levels.is_empty() => (None, Basis::Counted),
            _ => {
                let pages = levels.iter().map(|level| level.pages).sum();
                (pages, if has_pulls { Basis::Modelled } else { Basis::Exact })
            }
        }
    }

    fn level(&self, round: u64, step: &Step) -> Level {
        let reported = self.run.trace.get(round as usize);
        let frontier = reported.filter(|_| !self.is_search).map_or(step.vertices, |step| step.frontier);
        let [moved, ideal] = [0, 1].map(|which| step.crossed.map(|crossed| crossed[which]));
        let modelled = |pages: fn(Totals) -> u64| step.totals.filter(|_| self.memory.is_some()).map(pages);
        Level {
            round,
            direction: reported.map(|step| step.direction),
            frontier,
            gap: step.gaps.means().intra_gap,
            pages: step.totals.map(|totals| totals.touched_pages),
            sectors: moved.and_then(|moved| self.sectors(moved)),
            moved,
            ideal,
            fetched_pages: modelled(|totals| totals.moved_pages),
            evicted_pages: modelled(|totals| totals.evicted_pages),
            refetched_pages: modelled(|totals| totals.refetched_pages),
        }
    }
}

impl Trace {
    pub(super) fn set_pages(&mut self, pages: Option<u64>, basis: Basis) {
        (self.pages, self.basis.pages) = (pages, pages.map(|_| basis));
    }
}

impl Unified {
    pub(super) fn new(totals: Totals, memory: u64) -> Self {
        let Totals { moved_pages, refetched_pages, evicted_regions, evicted_pages, .. } = totals;
        Self { memory, fetched_pages: moved_pages, refetched_pages, evicted_regions, evicted_pages }
    }
}
