//! [`Approximation`]: how the graph is changed before a run, so that a GPU answers faster and nearly right \[1\].
//! [`Exactness`] says what was changed, and [`Inaccuracy`] what that did to an answer.
//!
//! Text: `none`, or techniques joined by `+`, each with its knob: `coalesce(threshold=0.6)`, `latency+divergence`. A knob has
//! an end at which nothing is changed, so that the answer is exact: `coalesce(threshold=1)`, `latency(threshold=1)`,
//! `divergence(share=0)`.
//!
//! \[1\] S. Singh, R. Nasre, Optimizing graph processing on GPUs using approximate computing, PPoPP 2019 (Graffix).

mod chunks;
mod inaccuracy;

pub use chunks::Chunks;
pub use inaccuracy::{Inaccuracy, Judged};

use crate::{
    brackets::{Brackets, Wrong},
    error::Error,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use warpgraph_graph::suggest;

/// Which techniques change the graph, each with its knob. The default changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Approximation {
    /// Renumbers vertices by a forest of searches and fills holes with replicas of vertices that have more than this share of
    /// a chunk's vertices as neighbours.
    pub coalesce: Option<Knob>,
    /// Adds edges among the neighbours of vertices whose clustering coefficient is at least this, and iterates such chunks in
    /// shared memory.
    pub latency: Option<Knob>,
    /// Moves degrees inside a warp towards their mean by this share of the difference.
    pub divergence: Option<Knob>,
}

/// A number from 0 to 1, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Knob(u32);

/// A technique: its name, its knob, and what it does.
struct Technique {
    name: &'static str,
    key: &'static str,
    default: Knob,
    help: &'static str,
    /// The knob of an approximation.
    knob: fn(&mut Approximation) -> &mut Option<Knob>,
}

/// The table of techniques.
const TABLE: [Technique; 3] = [
    Technique {
        name: "coalesce",
        key: "threshold",
        default: Knob::of(0.6),
        help: "renumbers vertices so that warps read neighbours together, and fills holes with replicas of vertices that have \
               more than this share of a chunk as neighbours",
        knob: |all| &mut all.coalesce,
    },
    Technique {
        name: "latency",
        key: "threshold",
        default: Knob::of(0.5),
        help: "joins the neighbours of vertices whose clustering coefficient is at least this, and iterates each such group \
               in shared memory",
        knob: |all| &mut all.latency,
    },
    Technique {
        name: "divergence",
        key: "share",
        default: Knob::of(0.5),
        help: "moves the degrees of a warp this far towards their mean, by edges to neighbours of neighbours and by \
               dropping edges",
        knob: |all| &mut all.divergence,
    },
];

impl Knob {
    /// One million.
    const WHOLE: u32 = 1_000_000;
    /// The end at which everything counts.
    pub const ONE: Self = Self(Self::WHOLE);
    /// The other end.
    pub const ZERO: Self = Self(0);

    /// Returns a number from 0 to 1, rounded to millionths.
    pub const fn of(number: f64) -> Self {
        let rounded = (number * Self::WHOLE as f64 + 0.5) as u32;
        Self(if rounded > Self::WHOLE { Self::WHOLE } else { rounded })
    }

    /// Returns the number.
    pub fn value(self) -> f64 {
        f64::from(self.0) / f64::from(Self::WHOLE)
    }
}

impl fmt::Display for Knob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value())
    }
}

impl Approximation {
    /// Changes nothing.
    pub const NONE: Self = Self { coalesce: None, latency: None, divergence: None };

    /// Returns each technique alone, with its knob at the default.
    pub fn all() -> [Self; 3] {
        TABLE.map(|technique| {
            let mut one = Self::NONE;
            *(technique.knob)(&mut one) = Some(technique.default);
            one
        })
    }

    /// Returns true if it changes nothing.
    pub fn is_none(&self) -> bool {
        *self == Self::NONE
    }

    /// Returns true if it renumbers the vertices, so that no order can.
    pub fn renumbers(&self) -> bool {
        self.coalesce.is_some() || self.divergence.is_some()
    }

    /// Returns every technique with its knob at the default and its help, a sentence each.
    pub fn help() -> String {
        let sentence = |Technique { name, key, default, help, .. }: &Technique| {
            format!("{name}({key}={default}): {help}.")
        };
        TABLE.iter().map(sentence).collect::<Vec<_>>().join(" ")
    }

    fn read(text: &str) -> Result<Self, Wrong> {
        let mut all = Self::NONE;
        if text == "none" {
            return Ok(all);
        }
        for part in text.split('+') {
            let (name, mut options) = Brackets::of(part)?;
            let names = || TABLE.map(|technique| technique.name);
            let unknown = || {
                let list = format!("approximations: none, {}", names().join(", "));
                (format!("there is no approximation {name:?}"), suggest::did_you_mean(name, &names(), &list))
            };
            let Technique { key, default, knob, .. } =
                TABLE.iter().find(|technique| technique.name == name).ok_or_else(unknown)?;
            let value = options.text(key)?.map_or(Ok(*default), |text| {
                let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
                let wrong = || {
                    (
                        format!("{key} is a number from 0 to 1, got {text:?}"),
                        format!("{name}({key}={default})"),
                    )
                };
                number.map(Knob::of).ok_or_else(wrong)
            })?;
            options.end()?;
            if knob(&mut all).replace(value).is_some() {
                return Err((format!("{name:?} stands twice"), "name each technique once".to_owned()));
            }
        }
        if all.coalesce.is_some() && all.divergence.is_some() {
            let what = "coalesce and divergence cannot be combined: both renumber the vertices".to_owned();
            return Err((what, "use one of them, alone or with latency".to_owned()));
        }
        Ok(all)
    }
}

/// Displays techniques in the order of the table, each with its knob.
impl fmt::Display for Approximation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = *self;
        let written = TABLE.iter().filter_map(|technique| {
            let knob = (*(technique.knob)(&mut all))?;
            Some(format!("{}({}={knob})", technique.name, technique.key))
        });
        let written: Vec<String> = written.collect();
        f.write_str(if written.is_empty() { "none" } else { "" })?;
        f.write_str(&written.join("+"))
    }
}

/// Parses `none`, or techniques joined by `+`.
impl FromStr for Approximation {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::read(text).map_err(|(what, help)| Error::Refused { what, help })
    }
}

impl Serialize for Approximation {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Approximation {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What an approximation changed, and what it cost.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Exactness {
    /// The approximation.
    pub approximation: Approximation,
    /// Vertices that have replicas.
    pub replicated: u64,
    /// Replicas of them, in holes of the numbering.
    pub replicas: u64,
    /// Holes that stay empty.
    pub holes: u64,
    /// Edges added; an undirected edge counts once.
    pub added: u64,
    /// Edges dropped; an undirected edge counts once.
    pub dropped: u64,
    /// Edges of the graph before; an undirected edge counts once.
    pub edges: u64,
    /// Groups of vertices that are iterated together.
    pub chunks: u64,
    /// Seconds that changing the graph took.
    pub seconds: f64,
    /// How far this answer is from the exact one, if the exact one was computed too.
    pub inaccuracy: Option<Inaccuracy>,
}

impl Exactness {
    /// Returns true if nothing was changed, so that answers are exact.
    pub fn is_exact(&self) -> bool {
        self.added == 0 && self.dropped == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (String, String) {
        let error = text.parse::<Approximation>().unwrap_err();
        (error.to_string(), error.help().unwrap())
    }

    #[test]
    fn every_approximation_reads_back_as_it_prints() {
        let more = ["none", "coalesce(threshold=1)", "latency(threshold=0.25)+divergence(share=0)"]
            .map(|text| text.parse::<Approximation>().unwrap());
        for one in Approximation::all().into_iter().chain(more) {
            assert_eq!(one.to_string().parse::<Approximation>().unwrap(), one);
            assert_eq!(serde_json::from_value::<Approximation>(one.to_string().into()).unwrap(), one);
        }
        assert_eq!(more.map(|one| one.is_none()), [true, false, false]);
        assert_eq!("coalesce".parse::<Approximation>().unwrap().to_string(), "coalesce(threshold=0.6)");
        assert_eq!(more[2].to_string(), "latency(threshold=0.25)+divergence(share=0)");
    }

    #[test]
    fn slips_are_answered_with_what_is_right() {
        let (what, help) = refused("coalesc");
        assert_eq!(what, "there is no approximation \"coalesc\"");
        assert!(help.starts_with("did you mean coalesce?"), "{help}");
        assert_eq!(refused("latency(threshold=2)").0, "threshold is a number from 0 to 1, got \"2\"");
        assert_eq!(refused("latency(threshold=nan)").1, "latency(threshold=0.5)");
        assert_eq!(refused("divergence(threshold=0.1)").1, "divergence takes: share");
        assert_eq!(refused("latency+latency").0, "\"latency\" stands twice");
        assert!(refused("coalesce+divergence").0.contains("both renumber"));
    }
}
