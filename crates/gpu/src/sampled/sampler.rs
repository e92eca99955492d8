//! [`Sampler`]: how far the sampling of a graph has come, over any number of runs.

use super::{RenumberArgs, SECTOR};
use crate::{
    Resident,
    advance::{Expand, Expansion, Scheme},
    arguments::Along,
    error::lift,
    machine::{Account, Grid, Launch, Machine},
    variants,
};
use bytemuck::Zeroable;
use std::{
    cell::Cell,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use warpgraph_core::{Balance, Result};
use warpgraph_device::{Address, Array, arguments};
use warpgraph_graph::Graph;

arguments! {
    /// Of the kernel that samples.
    pub(crate) struct SampleArgs {
        /// What the run's own kernel goes along.
        pub(crate) along: Along,
        /// Counts mates, for each vertex.
        pub(crate) tally: Address<i32>,
        /// The sector or interval in which they count; null: the vertex's own sector.
        pub(crate) candidates: Address<u32>,
        /// Count accesses and their sectors; null: nobody asks.
        pub(crate) counters: Address<u64>,
        /// Are candidates intervals, of which halves of 2^shift sectors are told apart?
        pub(crate) halves: u32,
        pub(crate) shift: u32,
    }
}

impl Expand for SampleArgs {
    fn along(&mut self) -> &mut Along {
        &mut self.along
    }
}

/// What is being found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Locality,
    /// Halves of 2^shift sectors.
    Halving(u32),
    Gain,
    /// All is known that a round needs.
    Ready,
}

/// Arrays on the device, an entry a vertex, and counters.
#[derive(Debug)]
pub(super) struct Tallies {
    pub(super) locality: Array<i32>,
    /// Votes for a half, then mates in the candidate.
    pub(super) gain: Array<i32>,
    pub(super) candidates: Array<u32>,
    /// Accesses and their sectors, of stage 1 and of stage 3.
    counters: Array<u64>,
}

impl Tallies {
    fn new(machine: &Machine<'_>, n: usize) -> Result<Self> {
        Ok(Self {
            locality: machine.zeros(n, "counts of tile-mates")?,
            gain: machine.zeros(n, "votes of tile-mates")?,
            candidates: machine.zeros(n, "candidate sectors")?,
            counters: machine.zeros(4, "counters of accesses")?,
        })
    }
}

#[derive(Debug)]
struct State {
    stage: Stage,
    /// Arcs served of the sample that is being taken, and samples that are done.
    served: u64,
    samples: u32,
    tallies: Option<Arc<Tallies>>,
    why_not: Option<String>,
    arcs: u64,
    kernel_seconds: f64,
    sampling_seconds: f64,
}

/// Samples the accesses to a graph in its present order.
#[derive(Debug)]
pub(crate) struct Sampler {
    vertices: usize,
    /// Arcs of a sample.
    enough: u64,
    state: Mutex<State>,
}

/// How far sampling has come.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    /// Samples that were taken in this order.
    pub samples: u32,
    /// Is all known that a round needs?
    pub is_ready: bool,
    /// Distinct sectors that an access touches on average in this order; `None` before the first sample is over.
    pub sectors: Option<f64>,
    /// Arcs that kernels went along in this order, and the seconds of device time that took.
    pub arcs: u64,
    /// Seconds for them.
    pub kernel_seconds: f64,
    /// Seconds of device time that sampling took.
    pub sampling_seconds: f64,
    /// Why nothing is sampled any more.
    pub why_not: Option<String>,
}

impl Sampler {
    /// Of a graph whose order is not known.
    pub(crate) fn new(graph: &Graph) -> Self {
        let (vertices, arcs) = (graph.vertices(), graph.arcs() as u64);
        let why_not = if vertices <= SECTOR as usize || arcs == 0 {
            Some("the values of all vertices that are read lie in one sector".to_owned())
        } else if u32::try_from(arcs).is_err() {
            Some(format!("{arcs} arcs cannot be numbered by 32 bits, which sorting them takes"))
        } else {
            None
        };
        let state = State {
            stage: Stage::Locality,
            served: 0,
            samples: 0,
            tallies: None,
            why_not,
            arcs: 0,
            kernel_seconds: 0.0,
            sampling_seconds: 0.0,
        };
        Self { vertices, enough: arcs.max(1), state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Samples no more, and gives its memory back.
    pub(crate) fn stop(&self, why: &str) {
        let mut state = self.state();
        state.tallies = None;
        state.why_not.get_or_insert_with(|| why.to_owned());
    }

    fn is_active(&self) -> bool {
        let state = self.state();
        state.why_not.is_none() && state.stage != Stage::Ready
    }

    /// How far it has come; nothing may be under way on the device.
    pub(crate) fn sampled(&self) -> Result<Sampled> {
        let state = self.state();
        let mut sectors = None;
        if let Some(tallies) = state.tallies.as_ref().filter(|_| state.stage != Stage::Locality) {
            let mut counts = [0; 4];
            tallies.counters.read(&mut counts).map_err(lift)?;
            sectors = (counts[0] > 0).then(|| counts[1] as f64 / counts[0] as f64);
        }
        Ok(Sampled {
            samples: state.samples,
            is_ready: state.stage == Stage::Ready && state.why_not.is_none(),
            sectors,
            arcs: state.arcs,
            kernel_seconds: state.kernel_seconds,
            sampling_seconds: state.sampling_seconds,
            why_not: state.why_not.clone(),
        })
    }

    /// What a round is made from, once all is known.
    pub(super) fn ready(&self) -> Option<Arc<Tallies>> {
        let state = self.state();
        state.tallies.clone().filter(|_| state.stage == Stage::Ready)
    }

    /// The arrays; sampling ends where there is no memory for them.
    fn tallies(&self, machine: &Machine<'_>) -> Option<Arc<Tallies>> {
        let mut state = self.state();
        if state.tallies.is_none() && state.why_not.is_none() {
            match Tallies::new(machine, self.vertices) {
                Ok(tallies) => state.tallies = Some(Arc::new(tallies)),
                Err(error) => state.why_not = Some(error.to_string()),
            }
        }
        state.tallies.clone()
    }

    fn first_stage_of_halving(&self) -> Stage {
        let sectors = (self.vertices as u64).div_ceil(u64::from(SECTOR));
        let bits = u64::BITS - (sectors - 1).leading_zeros();
        // More vertices than a sector has: one bit at least.
        Stage::Halving(bits.max(1) - 1)
    }
}

/// A sampler at work in a run.
pub(crate) struct Sampling {
    sampler: Arc<Sampler>,
    tallies: Arc<Tallies>,
    kernels: Expansion<SampleArgs>,
    halve: Launch<RenumberArgs>,
    /// Arcs that this run went along.
    arcs: Cell<u64>,
}

impl Sampling {
    /// Where the graph is sampled and the balance has tiles.
    ///
    /// # Errors
    /// Those of compiling.
    pub(crate) fn of(
        machine: &Machine<'_>,
        resident: &Resident,
        asked: Option<Balance>,
    ) -> Result<Option<Self>> {
        let tiled = asked.filter(Balance::has_tiles);
        let (Some(sampler), Some(_)) = (resident.sampler(), tiled) else { return Ok(None) };
        let Some(tallies) = sampler.tallies(machine) else { return Ok(None) };
        let wide = resident.is_wide();
        let mut kernels = Vec::new();
        for &scheme in Scheme::of(asked, false) {
            if let Some(source) = variants::sample(wide, scheme) {
                kernels.push((scheme, machine.sharing(&*source?, "sample_tiles", scheme.shared())?));
            }
        }
        let halve = machine.kernel(&*variants::renumber(wide)?, "renumber_halve")?;
        let arcs = Cell::new(0);
        Ok(Some(Self { sampler, tallies, kernels: Expansion::new(kernels), halve, arcs }))
    }

    /// Samples what a kernel goes along that is about to be started.
    ///
    /// # Safety
    /// `along` is good for that kernel, and what is there lives until the next wait.
    pub(crate) unsafe fn start(
        &self,
        machine: &Machine<'_>,
        scheme: Scheme,
        grid: Grid,
        along: Along,
    ) -> Result<()> {
        if !self.sampler.is_active() {
            return Ok(());
        }
        let args = self.args(along);
        // SAFETY: the caller's promise for what is gone along; every target is a vertex, for which all arrays have an entry, and they live as
        // long as the run.
        unsafe { self.kernels.start_on(machine, scheme, grid, &args, Account::Sampling) }
    }

    fn args(&self, along: Along) -> SampleArgs {
        let Tallies { locality, gain, candidates, counters } = &*self.tallies;
        let args = SampleArgs { along, ..SampleArgs::zeroed() };
        match self.sampler.state().stage {
            Stage::Locality => SampleArgs { tally: locality.address(), counters: counters.address(), ..args },
            Stage::Halving(shift) => SampleArgs {
                tally: gain.address(),
                candidates: candidates.address(),
                halves: 1,
                shift,
                ..args
            },
            Stage::Gain | Stage::Ready => SampleArgs {
                tally: gain.address(),
                candidates: candidates.address(),
                counters: Address::new(counters.address().raw() + 16),
                ..args
            },
        }
    }

    /// So many arcs were gone along: goes on to the next sample if that makes this one complete.
    pub(crate) fn served(&self, machine: &Machine<'_>, arcs: u64) -> Result<()> {
        self.arcs.set(self.arcs.get() + arcs);
        let mut state = self.sampler.state();
        state.served += arcs;
        if state.served < self.sampler.enough || state.stage == Stage::Ready || state.why_not.is_some() {
            return Ok(());
        }
        let next = match state.stage {
            Stage::Locality => self.sampler.first_stage_of_halving(),
            Stage::Halving(shift) => {
                self.halve(machine, shift)?;
                shift.checked_sub(1).map_or(Stage::Gain, Stage::Halving)
            }
            Stage::Gain | Stage::Ready => Stage::Ready,
        };
        (state.stage, state.served, state.samples) = (next, 0, state.samples + 1);
        Ok(())
    }

    fn halve(&self, machine: &Machine<'_>, shift: u32) -> Result<()> {
        let args = RenumberArgs {
            vertices: self.sampler.vertices as u64,
            gain: self.tallies.gain.address(),
            candidates: self.tallies.candidates.address(),
            shift: u64::from(shift),
            ..RenumberArgs::zeroed()
        };
        // SAFETY: all arrays have an entry for each vertex, and live as long as the run.
        unsafe { machine.start_timed(&self.halve, Grid::For(args.vertices), &args, Account::Sampling) }
    }

    /// Notes what the run's kernels took; at its end.
    pub(crate) fn note(&self, machine: &Machine<'_>) {
        let mut state = self.sampler.state();
        state.arcs += self.arcs.replace(0);
        state.kernel_seconds += machine.kernel_seconds();
        state.sampling_seconds += machine.seconds_of(Account::Sampling);
    }
}
