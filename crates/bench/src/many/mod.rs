//! A graph in many parts: `bench many` measures what parts exchange, what processes gain, and what cuts into up to 1,024 parts
//! would send.
//!
//! - [`devices`]: SAGE's figure 9 on virtual devices. Members of one process take turns, so that each computes as if it were
//!   alone ([`meter`]); what the run would take over links is modelled ([`model`]) and labelled so.
//! - [`processes`]: processes of this machine, beside one process on as many threads.
//! - [`cuts`]: cuts that are simulated, without running them.

mod clock;
pub mod cuts;
pub mod devices;
pub mod meter;
pub mod model;
pub mod processes;
mod tables;

use crate::{evaluation::statements::Verdict, machine::Machine};
use model::Setting;
use serde::Serialize;

/// The version of the JSON.
pub const SCHEMA: u32 = 1;
/// The algorithms that run in parts.
pub const ALGORITHMS: [&str; 4] = ["bfs", "sssp", "pagerank", "wcc"];
/// Numbers of virtual devices, of processes, and of simulated parts.
pub const DEVICES: [usize; 4] = [1, 2, 4, 8];
/// Numbers of processes.
pub const PROCESSES: [usize; 3] = [1, 2, 4];
/// Numbers of simulated parts.
pub const PARTS: [usize; 5] = [4, 16, 64, 256, 1024];
/// Links, in 10^9 bytes per second: NVLink of an H200, PCIe 5.0, and Ethernet of 100 and 10 Gb/s.
pub const LINKS: [f64; 4] = [450.0, 55.0, 12.5, 1.25];

/// What was measured and simulated.
#[derive(Debug, Clone, Default, Serialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Report {
    pub schema: u32,
    pub version: String,
    pub command: String,
    pub machine: Machine,
    /// Threads of a member and of a process; timed runs of each case.
    pub threads: usize,
    pub runs: usize,
    /// The links and speeds that runs are modelled for.
    pub settings: Vec<Setting>,
    pub devices: Vec<devices::Row>,
    pub processes: Vec<processes::Row>,
    pub cuts: Vec<cuts::Row>,
    pub statements: Vec<Verdict>,
}

/// Returns every link with every speed of a member.
pub fn settings(links: &[f64], microseconds: f64, speeds: &[f64]) -> Vec<Setting> {
    let setting =
        |&link: &f64, &faster: &f64| Setting { bandwidth: link * 1e9, latency: microseconds * 1e-6, faster };
    speeds.iter().flat_map(|faster| links.iter().map(move |link| setting(link, faster))).collect()
}

/// Returns graphs of so many vertices, as powers of two: skewed, even, clustered, and road-like.
pub fn graphs(scale: u32) -> Vec<String> {
    let (high, low) = (1u64 << scale.div_ceil(2), 1u64 << (scale / 2));
    vec![
        format!("kron:{scale},w=1..255"),
        format!("uniform:{scale},w=1..255"),
        format!("community:{scale},w=1..255"),
        format!("grid:{high}x{low},w=1..255"),
    ]
}

impl Report {
    /// Returns 1 if an answer in parts is another one, 2 if nothing was measured, and 0 otherwise.
    pub fn exit_code(&self) -> u8 {
        let is_empty = self.devices.is_empty()
            && self.cuts.is_empty()
            && self.processes.iter().all(|row| row.error.is_some());
        match self.devices.iter().any(|row| row.same == Some(false)) {
            true => 1,
            false if is_empty => 2,
            false => 0,
        }
    }
}
