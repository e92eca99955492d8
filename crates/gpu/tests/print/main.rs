//! Printed programs: their text, word for word; and that, through the host's C++ compiler, they compute the bits that the
//! interpreter does, and the words they are printed in those that core does.
#![allow(clippy::unwrap_used, reason = "tests")]

mod agreement;
mod draw;
mod host;
mod programs;
mod random;
mod rules;
mod snapshots;
mod words;
