//! The GPU engine.

pub mod print;
