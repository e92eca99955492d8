//! Plans as text.

use super::{Balance, Direction, Plan};
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// All names, for suggestions.
const NAMES: [&str; 6] = ["auto", "bsp", "push", "pull", "node", "workload"];

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Push => "push",
            Self::Pull => "pull",
        })
    }
}

impl fmt::Display for Balance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Node => "node",
            Self::Workload => "workload",
        })
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Bsp { direction, balance } = self else { return f.write_str("auto") };
        f.write_str("bsp")?;
        direction.map_or(Ok(()), |direction| write!(f, "+{direction}"))?;
        balance.map_or(Ok(()), |balance| write!(f, "+{balance}"))
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
        let (mut model, mut direction, mut balance) = (false, None, None);
        for name in text.split('+') {
            let twice = match name {
                "bsp" => std::mem::replace(&mut model, true),
                "push" => direction.replace(Direction::Push).is_some(),
                "pull" => direction.replace(Direction::Pull).is_some(),
                "node" => balance.replace(Balance::Node).is_some(),
                "workload" => balance.replace(Balance::Workload).is_some(),
                _ => {
                    let help = "plan = auto, or names joined by +: bsp push pull node workload";
                    return Err(wrong(unknown(name), help));
                }
            };
            if twice {
                return Err(wrong(
                    format!("{name:?} names an axis that was named before"),
                    "name each axis once: a model (bsp), a direction (push or pull), a balance (node or workload)",
                ));
            }
        }
        Ok(Self::Bsp { direction, balance })
    }
}

fn unknown(name: &str) -> String {
    let close = NAMES.into_iter().find(|known| {
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

    #[test]
    fn every_plan_reads_back_as_it_prints() {
        for plan in Plan::ALL {
            assert_eq!(plan.to_string().parse::<Plan>().unwrap(), plan);
        }
    }

    #[test]
    fn no_plan_is_listed_twice() {
        let texts: std::collections::BTreeSet<_> = Plan::ALL.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), Plan::ALL.len());
    }

    #[test]
    fn names_may_stand_in_any_order_and_imply_their_model() {
        let plan: Plan = "push+bsp".parse().unwrap();
        assert_eq!(plan.to_string(), "bsp+push");
        assert_eq!("push".parse::<Plan>().unwrap(), plan);
        assert_eq!("workload+pull".parse::<Plan>().unwrap().to_string(), "bsp+pull+workload");
        assert_eq!("node".parse::<Plan>().unwrap().to_string(), "bsp+node");
    }

    #[test]
    fn wrong_plans_say_what_is_wrong() {
        let message = |text: &str| text.parse::<Plan>().unwrap_err().to_string();
        assert_eq!(message("bsp+pus"), r#"plan "bsp+pus": unknown name "pus", did you mean "push"?"#);
        assert_eq!(message("warp"), r#"plan "warp": unknown name "warp""#);
        assert_eq!(
            message("workloat"),
            r#"plan "workloat": unknown name "workloat", did you mean "workload"?"#
        );
        assert_eq!(message("push+pull"), r#"plan "push+pull": "pull" names an axis that was named before"#);
        assert_eq!(
            message("node+workload"),
            r#"plan "node+workload": "workload" names an axis that was named before"#
        );
        assert_eq!(message(""), r#"plan "": unknown name """#);
    }
}
