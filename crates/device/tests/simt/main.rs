//! The simulator: what kernels may do on it, what it refuses, and what the errors say.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used)]

mod common;

mod barriers;
mod carrier;
mod collectives;
mod compile;
mod copies;
mod faults;
mod in_place;
mod managed;
mod memory;
mod order;
mod relay;
mod resident;
mod shared;
mod stacks;
mod stop;
mod streams;
mod strict;
mod unsanitized;
mod words;
