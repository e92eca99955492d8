//! The GPU engine on the simulator: what it does beside giving the right answer, which the conformance tests see to.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod ahead;
mod at_once;
mod balances;
mod bc_sampled;
mod filters;
mod memory;
mod open_plans;
mod overlap;
mod residency;
mod staged;
mod streamed;
mod tiles;
mod traces;
mod traverse;
mod walkers;
mod watched;
