//! Printed programs: their text, word for word; and that they compute, through the host's C++ compiler, the bits that the interpreter
//! does, as do the words they are printed in.
#![allow(clippy::unwrap_used, reason = "tests")]

mod agreement;
mod draw;
mod host;
mod programs;
mod random;
mod rules;
mod snapshots;
mod words;
