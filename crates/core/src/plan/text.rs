//! Plans as text.

use super::{Balance, Direction, Model, Plan, Residency, Threshold, Tiles};
use crate::{
    brackets::{Brackets, Wrong},
    error::Error,
};
use serde::{Deserialize, Serialize};
use std::{fmt, num::NonZeroU32, str::FromStr};

/// All names, for suggestions.
const NAMES: [&str; 12] = [
    "auto",
    "bsp",
    "push",
    "pull",
    "node",
    "edge",
    "workload",
    "split",
    "hierarchical",
    "tiled",
    "resident",
    "device",
];
const GRAMMAR: &str = "plan = auto, or names joined by +: bsp push pull node edge workload split hierarchical tiled resident device";
const AXES: &str = "name each axis once: a model (bsp), a direction (push or pull), a balance (node, edge, workload, split, hierarchical, tiled or resident), a residency (device)";

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
        let mut options: Vec<String> = Vec::new();
        match self {
            Self::Node | Self::Workload => {}
            Self::Edge { chunking, condensing } => {
                let off = [("chunking", chunking), ("condensing", condensing)];
                options.extend(off.iter().filter(|(_, on)| !**on).map(|(key, _)| format!("{key}=off")));
            }
            Self::Split(threshold) | Self::Hierarchical(threshold) => {
                options.extend(threshold.mdt.map(|mdt| format!("mdt={mdt}")));
                if threshold.bins != Threshold::AUTOMATIC.bins {
                    options.push(format!("bins={}", threshold.bins));
                }
            }
            Self::Tiled(tiles) | Self::Resident(tiles) => {
                if tiles.min != Tiles::DEFAULT.min {
                    options.push(format!("min={}", tiles.min));
                }
                if !tiles.align {
                    options.push("align=off".to_owned());
                }
            }
        }
        f.write_str(self.name())?;
        if options.is_empty() { Ok(()) } else { write!(f, "({})", options.join(",")) }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = Vec::new();
        if let Some(Model::Bsp { direction, balance }) = self.model {
            names.push("bsp".to_owned());
            names.extend(direction.map(|direction| direction.to_string()));
            names.extend(balance.map(|balance| balance.to_string()));
        }
        names.extend(self.residency.map(|residency| residency.name().to_owned()));
        f.write_str(if names.is_empty() { "auto" } else { "" })?;
        f.write_str(&names.join("+"))
    }
}

impl FromStr for Plan {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text == "auto" {
            return Ok(Self::AUTO);
        }
        parse(text).map_err(|(what, help)| Error::Plan { text: text.to_owned(), what, help })
    }
}

fn parse(text: &str) -> Result<Plan, Wrong> {
    let (mut model, mut direction, mut balance, mut residency) = (false, None, None, None);
    for part in text.split('+') {
        let (name, mut options) = Brackets::of(part)?;
        let twice = match name {
            "bsp" => std::mem::replace(&mut model, true),
            "push" => direction.replace(Direction::Push).is_some(),
            "pull" => direction.replace(Direction::Pull).is_some(),
            "node" => balance.replace(Balance::Node).is_some(),
            "edge" => {
                let (chunking, condensing) = (options.switch("chunking")?, options.switch("condensing")?);
                balance.replace(Balance::Edge { chunking, condensing }).is_some()
            }
            "workload" => balance.replace(Balance::Workload).is_some(),
            "split" => balance.replace(Balance::Split(threshold(&mut options)?)).is_some(),
            "hierarchical" => balance.replace(Balance::Hierarchical(threshold(&mut options)?)).is_some(),
            "tiled" => balance.replace(Balance::Tiled(tiles(&mut options)?)).is_some(),
            "resident" => balance.replace(Balance::Resident(tiles(&mut options)?)).is_some(),
            "device" => residency.replace(Residency::Device).is_some(),
            _ => return Err((unknown(name), GRAMMAR.to_owned())),
        };
        if twice {
            return Err((format!("{name:?} names an axis that was named before"), AXES.to_owned()));
        }
        options.end()?;
    }
    let is_open = !model && direction.is_none() && balance.is_none();
    let model = (!is_open).then_some(Model::Bsp { direction, balance });
    Ok(Plan { model, residency })
}

fn threshold(options: &mut Brackets<'_>) -> Result<Threshold, Wrong> {
    let mut number = |key| options.number(key, 1..=u32::MAX, 64).map(|n| n.and_then(NonZeroU32::new));
    let mdt = number("mdt")?;
    let bins = number("bins")?.unwrap_or(Threshold::AUTOMATIC.bins);
    Ok(Threshold { mdt, bins })
}

fn tiles(options: &mut Brackets<'_>) -> Result<Tiles, Wrong> {
    let min = options.number("min", Tiles::LEAST..=Tiles::MOST, 8)?.unwrap_or(Tiles::DEFAULT.min);
    if !min.is_power_of_two() {
        let what = format!("min is a power of two from {} to {}, got \"{min}\"", Tiles::LEAST, Tiles::MOST);
        return Err((what, format!("min={} is one", min.next_power_of_two())));
    }
    Ok(Tiles { min, align: options.switch("align")? })
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
    fn options_print_unless_they_are_the_default() {
        for (text, printed) in [
            ("edge(chunking=off)", "bsp+edge(chunking=off)"),
            ("edge(condensing=off,chunking=on)+push", "bsp+push+edge(condensing=off)"),
            ("edge(condensing=off,chunking=off)", "bsp+edge(chunking=off,condensing=off)"),
            ("split(mdt=64)", "bsp+split(mdt=64)"),
            ("hierarchical(bins=10)", "bsp+hierarchical"),
            ("hierarchical(bins=20,mdt=7)", "bsp+hierarchical(mdt=7,bins=20)"),
            ("tiled(min=32,align=on)", "bsp+tiled"),
            ("push+tiled(align=off,min=8)", "bsp+push+tiled(min=8,align=off)"),
            ("resident(align=off)", "bsp+resident(align=off)"),
        ] {
            let plan: Plan = text.parse().unwrap();
            assert_eq!(plan.to_string(), printed);
            assert_eq!(printed.parse::<Plan>().unwrap(), plan);
        }
    }

    #[test]
    fn wrong_options_say_what_is_wrong() {
        let message = |text: &str| text.parse::<Plan>().unwrap_err().to_string();
        for (text, what) in [
            ("edge(chunks=off)", r#"unknown key "chunks""#),
            ("node(mdt=3)", r#"unknown key "mdt""#),
            ("edge(chunking=no)", r#"chunking is on or off, got "no""#),
            ("split(mdt=0)", r#"mdt is a whole number from 1 to 4294967295, got "0""#),
            ("split(mdt=3,mdt=4)", r#""mdt" stands twice"#),
            ("split(mdt)", r#"expected key=value, got "mdt""#),
            ("split(", r#""split(" does not end with a closing bracket"#),
            ("split()", r#"expected key=value, got """#),
            ("tiled(min=4)", r#"min is a whole number from 8 to 256, got "4""#),
            ("resident(min=24)", r#"min is a power of two from 8 to 256, got "24""#),
            ("tiled(mdt=4)", r#"unknown key "mdt""#),
        ] {
            assert_eq!(message(text), format!("plan {text:?}: {what}"));
        }
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
