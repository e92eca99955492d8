//! [`Device`]: where a run executes, as a value with a text form.

use crate::{Error, Result};
use serde::Serialize;
use std::{fmt, str::FromStr};
use warpgraph_graph::suggest::did_you_mean;

/// The devices, for error messages.
const DEVICES: &str = "devices: auto, cpu, cuda, cuda:N (the N-th GPU, from 0), simt";

/// A device to run on. Displays as the label that its runs report, and parses from that label.
///
/// ```
/// use warpgraph_core::Device;
///
/// # fn main() -> Result<(), warpgraph_core::Error> {
/// assert_eq!("cuda".parse::<Device>()?, Device::Cuda(0));
/// assert_eq!(Device::Cuda(1).to_string(), "cuda:1");
/// assert_eq!("gpu".parse::<Device>().unwrap_err().to_string(), "there is no device \"gpu\"");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Device {
    /// The first NVIDIA GPU for runs large enough to gain from it, the CPU for all others. The engine decides per run
    /// and reports the reason. Never fails because a GPU is missing. A finished run never reports this device.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// An NVIDIA GPU by its number.
    Cuda(u32),
    /// A GPU simulated on the CPU: slow, and strict about what kernels do. For tests.
    Simt,
}

impl Device {
    /// The GPU that [`Device::Auto`] uses.
    pub const FIRST_GPU: Self = Self::Cuda(0);

    /// Returns true for a GPU, real or simulated.
    pub const fn is_gpu(self) -> bool {
        matches!(self, Self::Cuda(_) | Self::Simt)
    }
}

impl Serialize for Device {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(index) => write!(f, "cuda:{index}"),
            Self::Simt => f.write_str("simt"),
        }
    }
}

/// Parses `auto`, `cpu`, `cuda` (the first GPU), `cuda:N` or `simt`.
impl FromStr for Device {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(0)),
            "simt" => Ok(Self::Simt),
            _ => match text.strip_prefix("cuda:") {
                Some(number) => number.parse().map(Self::Cuda).map_err(|_| no_number(text, number)),
                None => Err(unknown(text)),
            },
        }
    }
}

fn no_number(text: &str, number: &str) -> Error {
    Error::Refused {
        what: format!("device {text:?}: expected the number of a GPU after `cuda:`, got {number:?}"),
        help: "GPUs are numbered from 0, as cuda:0; warpgraph doctor lists them".to_owned(),
    }
}

fn unknown(text: &str) -> Error {
    let word = text.to_lowercase();
    // By spelling, `gpu` is nearer to `cpu` than to `cuda`, which the user means.
    let word = if ["gpu", "nvidia"].contains(&word.as_str()) { "cuda" } else { &word };
    Error::Refused {
        what: format!("there is no device {text:?}"),
        help: did_you_mean(word, &["auto", "cpu", "cuda", "simt"], DEVICES),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;

    #[test]
    fn every_device_reads_back_as_it_prints() {
        for device in [Device::Auto, Device::Cpu, Device::Cuda(0), Device::Cuda(12), Device::Simt] {
            assert_eq!(device.to_string().parse::<Device>().unwrap(), device);
        }
        assert_eq!("cuda".parse::<Device>().unwrap(), Device::Cuda(0));
    }

    #[test]
    fn what_is_no_device_is_refused_with_the_one_that_was_meant() {
        let refusal = |text: &str| {
            let error = text.parse::<Device>().unwrap_err();
            (error.to_string(), error.help().unwrap())
        };
        assert_eq!(refusal("warp"), ("there is no device \"warp\"".to_owned(), DEVICES.to_owned()));
        for (text, meant) in
            [("gpu", "cuda"), ("GPU", "cuda"), ("cude", "cuda"), ("CPU", "cpu"), ("simd", "simt")]
        {
            assert_eq!(refusal(text).1, format!("did you mean {meant}? {DEVICES}"), "{text}");
        }
        for text in ["cuda:", "cuda:x", "cuda:-1", "cuda:99999999999999999999"] {
            assert!(refusal(text).0.contains("expected the number of a GPU"), "{text}");
        }
    }
}
