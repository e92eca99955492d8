//! Betweenness within an error, by sampled shortest paths.

mod sampler;
#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;

pub(crate) use sampler::{BcPathsArgs, DEFINES};
