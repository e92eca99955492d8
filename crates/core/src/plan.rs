//! The plan: how a run is carried out, as a value with a text form.
//!
//! ```text
//! plan = "auto" | name { "+" name }        name = bsp | push | pull
//! ```
//! Names are unique over all axes, so their order is free; an axis not named is decided by the engine. A plan prints as
//! model, then direction, and `parse(print(p)) == p`.

use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Which way values travel in a superstep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From the frontier along outgoing arcs.
    Push,
    /// To every vertex from its incoming arcs.
    Pull,
}

/// How to run: `auto`, or a model with what it leaves to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Plan {
    /// The engine decides everything.
    #[default]
    Auto,
    /// Supersteps over a frontier.
    Bsp {
        /// One direction for the whole run; decided per superstep if `None`.
        direction: Option<Direction>,
    },
}

/// The directions an algorithm can be held to, and why not the others.
struct Directions {
    algorithm: &'static str,
    allowed: &'static [Direction],
    why: &'static str,
}

/// Algorithms that take one direction at most; all others take both.
const DIRECTIONS: [Directions; 11] = {
    const fn row(algorithm: &'static str, allowed: &'static [Direction], why: &'static str) -> Directions {
        Directions { algorithm, allowed, why }
    }
    [
        row("sssp", &[Direction::Push], "delta-stepping relaxes outgoing arcs"),
        row("pagerank", &[Direction::Pull], "ranks are summed over incoming arcs without atomics"),
        row("adsorption", &[Direction::Pull], "values are summed over incoming arcs without atomics"),
        row(
            "label-propagation",
            &[Direction::Pull],
            "a vertex needs the labels of all its neighbours at once",
        ),
        row("wcc", &[], "it hooks trees along arcs of either direction"),
        row("scc", &[], "it searches along arcs of both directions"),
        row("mst", &[], "it hooks trees along the lightest arc of each"),
        row("bc", &[], "it goes forward and back, each way in its own direction"),
        row("closeness", &[], "a batch of searches chooses its direction by the level"),
        row("triangles", &[], "it intersects lists of neighbours"),
        row("kcore", &[], "it peels vertices by degree"),
    ]
};

impl Plan {
    /// Refuses what does not go together: the only place that does.
    ///
    /// # Errors
    /// [`Error::Refused`] naming the pair and why.
    pub fn check(&self, algorithm: &str, device: &str) -> Result<(), Error> {
        let Self::Bsp { direction: Some(direction) } = self else { return Ok(()) };
        let Some(row) = DIRECTIONS.iter().find(|row| row.algorithm == algorithm) else { return Ok(()) };
        if row.allowed.contains(direction) {
            return Ok(());
        }
        let why = row.why;
        let other = row.allowed.first().map_or_else(|| "auto".to_owned(), ToString::to_string);
        Err(Error::Refused {
            what: format!("{algorithm} on {device} cannot run with `{direction}`: {why}"),
            help: format!("use --plan {other}, or leave --plan out"),
        })
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Push => "push",
            Self::Pull => "pull",
        })
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Bsp { direction: None } => f.write_str("bsp"),
            Self::Bsp { direction: Some(direction) } => write!(f, "bsp+{direction}"),
        }
    }
}

impl FromStr for Plan {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let wrong =
            |what: String, help: &str| Error::Plan { text: text.to_owned(), what, help: help.to_owned() };
        let (mut model, mut direction) = (false, None);
        for name in text.split('+') {
            let twice = match name {
                "bsp" => std::mem::replace(&mut model, true),
                "push" => direction.replace(Direction::Push).is_some(),
                "pull" => direction.replace(Direction::Pull).is_some(),
                _ => return Err(wrong(unknown(name), "plan = auto, or names joined by +: bsp push pull")),
            };
            if twice {
                return Err(wrong(
                    format!("{name:?} names an axis that was named before"),
                    "name each axis once: a model (bsp), a direction (push or pull)",
                ));
            }
        }
        Ok(Self::Bsp { direction })
    }
}

fn unknown(name: &str) -> String {
    let close = ["auto", "bsp", "push", "pull"].into_iter().find(|known| {
        let same = known.bytes().zip(name.bytes()).filter(|(a, b)| a == b).count();
        name.len().abs_diff(known.len()) <= 1 && same + 1 >= known.len() && same > 0
    });
    match close {
        Some(known) => format!("unknown name {name:?}, did you mean {known:?}?"),
        None => format!("unknown name {name:?}"),
    }
}

impl Serialize for Plan {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Plan {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Plan; 4] = [
        Plan::Auto,
        Plan::Bsp { direction: None },
        Plan::Bsp { direction: Some(Direction::Push) },
        Plan::Bsp { direction: Some(Direction::Pull) },
    ];

    #[test]
    fn every_plan_reads_back_as_it_prints() {
        for plan in ALL {
            assert_eq!(plan.to_string().parse::<Plan>().unwrap(), plan);
        }
    }

    #[test]
    fn names_may_stand_in_any_order_and_imply_their_model() {
        let plan: Plan = "push+bsp".parse().unwrap();
        assert_eq!(plan.to_string(), "bsp+push");
        assert_eq!("push".parse::<Plan>().unwrap(), plan);
    }

    #[test]
    fn wrong_plans_say_what_is_wrong() {
        let message = |text: &str| text.parse::<Plan>().unwrap_err().to_string();
        assert_eq!(message("bsp+pus"), r#"plan "bsp+pus": unknown name "pus", did you mean "push"?"#);
        assert_eq!(message("warp"), r#"plan "warp": unknown name "warp""#);
        assert_eq!(message("push+pull"), r#"plan "push+pull": "pull" names an axis that was named before"#);
        assert_eq!(message(""), r#"plan "": unknown name """#);
    }

    #[test]
    fn the_whole_product_runs_or_gives_its_exact_refusal() {
        let expected = [
            ("bfs", ["", "", "", ""]),
            (
                "sssp",
                ["", "", "", "sssp on cpu cannot run with `pull`: delta-stepping relaxes outgoing arcs"],
            ),
            (
                "pagerank",
                [
                    "",
                    "",
                    "pagerank on cpu cannot run with `push`: ranks are summed over incoming arcs without atomics",
                    "",
                ],
            ),
            (
                "wcc",
                [
                    "",
                    "",
                    "wcc on cpu cannot run with `push`: it hooks trees along arcs of either direction",
                    "wcc on cpu cannot run with `pull`: it hooks trees along arcs of either direction",
                ],
            ),
            (
                "bc",
                [
                    "",
                    "",
                    "bc on cpu cannot run with `push`: it goes forward and back, each way in its own direction",
                    "bc on cpu cannot run with `pull`: it goes forward and back, each way in its own direction",
                ],
            ),
            (
                "closeness",
                [
                    "",
                    "",
                    "closeness on cpu cannot run with `push`: a batch of searches chooses its direction by the level",
                    "closeness on cpu cannot run with `pull`: a batch of searches chooses its direction by the level",
                ],
            ),
        ];
        for (algorithm, row) in expected {
            for (plan, refusal) in ALL.iter().zip(row) {
                let got = plan.check(algorithm, "cpu").map_or_else(|e| e.to_string(), |()| String::new());
                assert_eq!(got, refusal, "{algorithm} {plan}");
            }
        }
    }
}
