//! Parses and displays plans.

use super::{Balance, Direction, Model, PathPlan, Plan, Residency};
use crate::{
    brackets::{Brackets, Wrong},
    error::Error,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Names of models and directions.
const WORDS: [&str; 4] = ["bsp", PathPlan::NAME, "push", "pull"];

/// Returns all names that a plan may contain.
fn names() -> impl Iterator<Item = &'static str> {
    let residencies = Residency::ALL.map(|residency| residency.name());
    WORDS.into_iter().chain(Balance::ALL.map(|balance| balance.name())).chain(residencies)
}

/// Returns the syntax of a plan, for error messages.
fn grammar() -> String {
    format!("plan = auto, or names joined by +: {}", names().collect::<Vec<_>>().join(" "))
}

/// Returns the axes of a plan with their names, for error messages.
fn axes() -> String {
    let names = Balance::ALL.map(|balance| balance.name());
    let [before @ .., last] = &names;
    let balances = format!("{} or {last}", before.join(", "));
    let [first @ .., other] = &Residency::ALL.map(|residency| residency.name());
    let residencies = format!("{} or {other}", first.join(", "));
    format!(
        "name each axis once: a model (bsp or paths), a direction (push or pull), a balance ({balances}), a residency ({residencies})"
    )
}

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
        let options = self.written();
        f.write_str(self.name())?;
        if options.is_empty() { Ok(()) } else { write!(f, "({})", options.join(",")) }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = Vec::new();
        match self.model {
            None => {}
            Some(Model::Bsp { direction, balance }) => {
                names.push("bsp".to_owned());
                names.extend(direction.map(|direction| direction.to_string()));
                names.extend(balance.map(|balance| balance.to_string()));
            }
            Some(Model::Paths(paths)) => names.push(paths.to_string()),
        }
        names.extend(self.residency.map(|residency| residency.to_string()));
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
    let (mut bsp, mut paths, mut direction, mut balance, mut residency) = (false, None, None, None, None);
    for part in text.split('+') {
        let (name, mut options) = Brackets::of(part)?;
        let twice = match name {
            "bsp" => std::mem::replace(&mut bsp, true) || paths.is_some(),
            PathPlan::NAME => paths.replace(PathPlan::read(&mut options)?).is_some() || bsp,
            "push" => direction.replace(Direction::Push).is_some(),
            "pull" => direction.replace(Direction::Pull).is_some(),
            _ => match (Balance::named(name, &mut options), Residency::named(name, &mut options)) {
                (Some(named), _) => balance.replace(named?).is_some(),
                (None, Some(named)) => residency.replace(named?).is_some(),
                (None, None) => return Err((unknown(name), grammar())),
            },
        };
        if twice {
            return Err((format!("{name:?} names an axis that was named before"), axes()));
        }
        options.end()?;
    }
    let model = match (paths, direction, balance) {
        (Some(paths), None, None) => Some(Model::Paths(paths)),
        (Some(_), ..) => {
            let what = "paths fixes direction and balance, and the plan names one of them".to_owned();
            return Err((what, "leave out paths, or the direction and the balance".to_owned()));
        }
        (None, None, None) if !bsp => None,
        (None, ..) => Some(Model::Bsp { direction, balance }),
    };
    Ok(Plan { model, residency })
}

fn unknown(name: &str) -> String {
    let close = ["auto"].into_iter().chain(names()).find(|known| {
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
            ("zero-copy(code=ef,heads=4,hot=auto)", "zero-copy(heads=4,code=ef)"),
            ("unified(advice=off)+push", "bsp+push+unified(advice=off)"),
            ("device(code=ef)+tiled", "bsp+tiled+device(code=ef)"),
            ("zero-copy(heads=off,hot=off)", "zero-copy(hot=off,heads=off)"),
            ("zero-copy(ahead=off,staging=auto)", "zero-copy"),
            ("push+zero-copy(staging=auto,ahead=auto)", "bsp+push+zero-copy(ahead=auto)"),
            ("zero-copy(staging=50,heads=off,ahead=all)", "zero-copy(ahead=all,staging=50,heads=off)"),
            ("zero-copy(ahead=auto,hot=off)", "zero-copy(hot=off,ahead=auto)"),
            ("paths(np=3)", "paths"),
            ("paths(beta=0.01,lambda=0.005,np=4)", "paths(np=4,lambda=0.005,beta=0.01)"),
            ("paths(backward=off,sketch=off)+device", "paths(sketch=off,backward=off)+device"),
            ("paths(importance=betweenness)", "paths(importance=betweenness)"),
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
            ("zero-copy(heads=5)", r#"heads is one of auto, off, 4, 6, 8, 12, 16, got "5""#),
            ("zero-copy(ahead=on)", r#"ahead is one of off, auto, all, got "on""#),
            (
                "zero-copy(staging=50)",
                "staging is the size of what ahead=auto or ahead=all needs, and ahead is off",
            ),
            ("zero-copy(ahead=all,staging=5)", r#"staging is one of auto, 10, 25, 50, 75, 100, got "5""#),
            (
                "zero-copy(ahead=auto,code=ef)",
                "ahead copies partitions of plain targets, and code=ef stores blocks of many lengths",
            ),
            ("device(code=lz)", r#"code is one of off, ef, got "lz""#),
            ("streamed(hot=off)", r#"unknown key "hot""#),
            ("paths(np=0)", r#"np is a whole number from 1 to 64, got "0""#),
            ("paths(lambda=2)", r#"lambda is a share from 0.000001 to 1, got "2""#),
            ("paths(sketch=off,np=2)", "lambda and np are about the sketch, and sketch=off leaves it out"),
            ("paths+push", "paths fixes direction and balance, and the plan names one of them"),
            ("tiled+paths", "paths fixes direction and balance, and the plan names one of them"),
            ("bsp+paths", r#""paths" names an axis that was named before"#),
            ("paths+bsp", r#""bsp" names an axis that was named before"#),
        ] {
            assert_eq!(message(text), format!("plan {text:?}: {what}"));
        }
    }

    #[test]
    fn help_names_every_balance_and_residency() {
        let help = |text: &str| match text.parse::<Plan>().unwrap_err() {
            Error::Plan { help, .. } => help,
            other => panic!("{other}"),
        };
        let (grammar, axes) = (help("warp"), help("node+edge"));
        assert!(
            grammar.starts_with("plan = auto, or names joined by +: bsp paths push pull node edge workload ")
        );
        let begins = "name each axis once: a model (bsp or paths), a direction (push or pull), a balance (node, edge, ";
        assert!(axes.starts_with(begins), "{axes}");
        let names = Balance::ALL.map(|balance| balance.name());
        let residencies = Residency::ALL.map(|residency| residency.name());
        assert!(grammar.ends_with(&[&names[..], &residencies].concat().join(" ")), "{grammar}");
        let [.., before, last] = names;
        assert!(
            axes.ends_with(&format!(
                "{before} or {last}), a residency (device, zero-copy, unified or streamed)"
            )),
            "{axes}"
        );
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
