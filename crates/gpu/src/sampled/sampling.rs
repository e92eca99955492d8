//! [`Sampling`]: the sampling of one run, on behalf of a [`Sampler`].

use super::sampler::{Sampler, Stage, Tallies};
use crate::{
    DeviceGraph,
    advance::{Expand, Expansion, Scheme},
    arguments::Along,
    machine::{Account, Grid, Launch, Machine},
    renumber::RenumberArgs,
    variants,
};
use bytemuck::Zeroable;
use std::{cell::Cell, sync::Arc};
use warpgraph_core::{Balance, Result};
use warpgraph_device::{Address, arguments};

arguments! {
    /// The arguments of the kernel that samples.
    pub(crate) struct SampleArgs {
        /// The work of the run's own kernel.
        pub(crate) along: Along,
        /// Counts mates per vertex.
        pub(crate) tally: Address<i32>,
        /// The sector or interval whose mates count; null if it is the vertex's own sector.
        pub(crate) candidates: Address<u32>,
        /// Count accesses and their sectors; null if the caller does not want them.
        pub(crate) counters: Address<u64>,
        /// 1 if candidates are intervals, and mates vote for one of their halves of 2^shift sectors.
        pub(crate) halves: u32,
        pub(crate) shift: u32,
    }
}

impl Expand for SampleArgs {
    fn along(&mut self) -> &mut Along {
        &mut self.along
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
    /// Starts sampling if the graph is sampled and the balance has tiles; `schemes` are those whose kernels it starts.
    ///
    /// # Errors
    /// When compilation fails.
    pub(crate) fn of(
        machine: &Machine<'_>,
        device_graph: &DeviceGraph,
        asked: Option<Balance>,
        schemes: &[Scheme],
    ) -> Result<Option<Self>> {
        let tiled = asked.filter(Balance::has_tiles);
        let (Some(sampler), Some(_)) = (device_graph.sampler(), tiled) else { return Ok(None) };
        let Some(tallies) = sampler.tallies(machine) else { return Ok(None) };
        let wide = device_graph.is_wide();
        let mut kernels = Vec::new();
        for &scheme in schemes {
            if let Some(source) = variants::sample(wide, scheme) {
                let shared = scheme.host().shared();
                kernels.push((scheme, machine.sharing(&*source?, "sample_tiles", shared)?));
            }
        }
        let halve = machine.kernel(&*variants::renumber(wide)?, "renumber_halve")?;
        let arcs = Cell::new(0);
        Ok(Some(Self { sampler, tallies, kernels: Expansion::new(kernels), halve, arcs }))
    }

    /// Samples the work of a kernel that is about to be launched.
    ///
    /// # Safety
    /// `along` and `own` must be valid for that kernel, and their memory must live until the next wait.
    pub(crate) unsafe fn start(
        &self,
        machine: &Machine<'_>,
        scheme: Scheme,
        grid: Grid,
        along: Along,
        own: &[u8],
    ) -> Result<()> {
        if !self.sampler.is_active() {
            return Ok(());
        }
        let args = self.args(along);
        // SAFETY: the caller's promise covers `along` and `own`; every target is a vertex, for which all arrays have an entry,
        // and they live as long as the run.
        unsafe { self.kernels.start(machine, scheme, grid, &args, own, Account::Sampling) }
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
            Stage::Gain | Stage::Ready => {
                SampleArgs { tally: gain.address(), candidates: candidates.address(), ..args }
            }
        }
    }

    /// Adds this many arcs to the current sample, and moves on to the next sample if this one is complete.
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
        // SAFETY: all arrays have an entry per vertex, and live as long as the run.
        unsafe { machine.start_timed(&self.halve, Grid::For(args.vertices), &args, Account::Sampling) }
    }

    /// Adds the times of the run's kernels to the sampler, at the end of the run.
    pub(crate) fn note(&self, machine: &Machine<'_>) {
        let mut state = self.sampler.state();
        state.arcs += self.arcs.replace(0);
        state.kernel_seconds += machine.kernel_seconds();
        state.sampling_seconds += machine.seconds_of(Account::Sampling);
    }
}
