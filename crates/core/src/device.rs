//! [`Device`]: where a run executes, as a value with a text form.

use crate::{Error, Result};
use serde::Serialize;
use std::{fmt, str::FromStr};
use warpgraph_graph::suggest::did_you_mean;

/// The devices, for error messages.
const DEVICES: &str =
    "devices: auto, cpu, cuda, cuda:N (the N-th GPU, from 0), simt; several GPUs: cuda:0,cuda:1 or simt:4";

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
    /// Several GPUs, each with a part of the graph.
    Several(Group),
}

/// Several GPUs of one kind. The same GPU may occur more than once: each time it has another part of the graph. Displays as
/// `cuda:0,cuda:1` or `simt:4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Group {
    len: u8,
    /// The numbers of NVIDIA GPUs; `None` if all are simulated.
    numbers: Option<[u8; Self::MOST]>,
}

impl Group {
    /// The most GPUs of a group.
    pub const MOST: usize = 16;

    /// Returns a group of this many simulated GPUs; `None` if there are fewer than two or too many.
    pub fn simulated(len: usize) -> Option<Self> {
        (2..=Self::MOST).contains(&len).then_some(Self { len: len as u8, numbers: None })
    }

    /// Returns a group of NVIDIA GPUs by their numbers; `None` if there are fewer than two, too many, or if a number is
    /// above 255.
    pub fn cuda(of: &[u32]) -> Option<Self> {
        let mut numbers = [0; Self::MOST];
        for (to, &number) in numbers.iter_mut().zip(of) {
            *to = u8::try_from(number).ok()?;
        }
        (2..=Self::MOST).contains(&of.len()).then_some(Self { len: of.len() as u8, numbers: Some(numbers) })
    }

    /// Returns how many GPUs there are.
    pub const fn count(self) -> usize {
        self.len as usize
    }

    /// Returns the GPU that has a part, the parts counted from 0.
    pub fn member(self, part: usize) -> Device {
        self.numbers.map_or(Device::Simt, |numbers| Device::Cuda(numbers[part].into()))
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.numbers.is_none() {
            return write!(f, "{}:{}", Device::Simt, self.len);
        }
        for part in 0..self.count() {
            let comma = if part > 0 { "," } else { "" };
            write!(f, "{comma}{}", self.member(part))?;
        }
        Ok(())
    }
}

impl Device {
    /// The GPU that [`Device::Auto`] uses.
    pub const FIRST_GPU: Self = Self::Cuda(0);

    /// Returns true for a GPU, real or simulated.
    pub const fn is_gpu(self) -> bool {
        matches!(self, Self::Cuda(_) | Self::Simt | Self::Several(_))
    }

    /// Returns the group, if these are several GPUs.
    pub const fn several(self) -> Option<Group> {
        match self {
            Self::Several(group) => Some(group),
            _ => None,
        }
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
            Self::Several(group) => group.fmt(f),
        }
    }
}

/// Parses `auto`, `cpu`, `cuda` (the first GPU), `cuda:N` or `simt`; several GPUs as `cuda:0,cuda:1` or `simt:N`.
impl FromStr for Device {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(0)),
            "simt" | "simt:1" => Ok(Self::Simt),
            _ if text.contains(',') => listed(text),
            _ => match (text.strip_prefix("cuda:"), text.strip_prefix("simt:")) {
                (Some(number), _) => number.parse().map(Self::Cuda).map_err(|_| no_number(text, number)),
                (_, Some(count)) => count
                    .parse()
                    .ok()
                    .and_then(Group::simulated)
                    .map(Self::Several)
                    .ok_or_else(|| no_group(text, &format!("a number from 1 to {}", Group::MOST))),
                _ => Err(unknown(text)),
            },
        }
    }
}

/// Parses a list of GPUs.
fn listed(text: &str) -> Result<Device> {
    let members: Vec<Device> = text.split(',').map(str::parse).collect::<Result<_>>()?;
    let numbers: Vec<u32> = members
        .iter()
        .filter_map(|member| match member {
            Device::Cuda(number) => Some(*number),
            _ => None,
        })
        .collect();
    let group = match numbers.len() == members.len() {
        true => Group::cuda(&numbers),
        false if members.iter().all(|member| *member == Device::Simt) => Group::simulated(members.len()),
        false => None,
    };
    let wanted = format!("2 to {} GPUs of one kind, as cuda:0,cuda:1", Group::MOST);
    group.map(Device::Several).ok_or_else(|| no_group(text, &wanted))
}

fn no_group(text: &str, wanted: &str) -> Error {
    Error::Refused { what: format!("device {text:?}: expected {wanted}"), help: DEVICES.to_owned() }
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
    fn several_gpus_are_listed_or_counted() {
        let simulated = |count| Device::Several(Group::simulated(count).unwrap());
        let listed = |numbers: &[u32]| Device::Several(Group::cuda(numbers).unwrap());
        for device in [simulated(2), simulated(16), listed(&[0, 1]), listed(&[0, 0, 7])] {
            assert_eq!(device.to_string().parse::<Device>().unwrap(), device, "{device}");
        }
        assert_eq!("simt:1".parse::<Device>().unwrap(), Device::Simt);
        assert_eq!("simt,simt,simt".parse::<Device>().unwrap(), simulated(3));
        assert_eq!("cuda,cuda:1".parse::<Device>().unwrap(), listed(&[0, 1]));
        assert_eq!(listed(&[0, 7]).several().unwrap().member(1), Device::Cuda(7));
        let many = ["cuda:0"; 17].join(",");
        for text in ["simt:0", "simt:17", "simt:x", "cuda:0,simt", "cpu,cpu", "cuda:0,cuda:256", &many] {
            let error = text.parse::<Device>().unwrap_err().to_string();
            assert!(error.contains("expected"), "{text}: {error}");
        }
        assert!("cuda:0,".parse::<Device>().is_err());
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
