//! The table of evaluations. A new one is one file beside these and one line in the table.

use crate::evaluation::{About, Evaluation};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde::Serialize;
use serde_json::Value;

/// Each line is the module of an evaluation, which has its `ABOUT`, and the type of its flags.
macro_rules! evaluations {
    ($($module:ident: $flags:ident;)*) => {
        $(pub mod $module;)*

        /// All evaluations, in the order of the help text.
        pub const ALL: &[Entry] = &[$(entry::<$module::$flags>(&$module::ABOUT)),*];
    };
}

evaluations! {
    gpu: Gpu;
    approx: Approx;
    asyn: Asyn;
    balance: Balance;
    halo: Halo;
    residency: Residency;
    sage: Sage;
}

/// Reads the flags of an evaluation; also returns them as JSON, for the report.
pub type Read = fn(&ArgMatches) -> Result<(Box<dyn Evaluation>, Value), clap::Error>;

/// An evaluation before its flags are read.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What is known of it.
    pub about: &'static About,
    /// Adds its flags and its help to a command.
    pub flags: fn(Command) -> Command,
    /// Reads its flags.
    pub read: Read,
}

/// The id of the flags that belong to one evaluation alone.
pub const OWN_FLAGS: &str = "own";

const fn entry<E: Evaluation + Args + Serialize + 'static>(about: &'static About) -> Entry {
    Entry {
        about,
        flags: E::augment_args,
        read: |matches| {
            let evaluation = <E as FromArgMatches>::from_arg_matches(matches)?;
            let options = serde_json::to_value(&evaluation).unwrap_or_default();
            Ok((Box::new(evaluation), options))
        },
    }
}

/// Returns an evaluation as a command line gives it; for tests.
#[cfg(test)]
pub(crate) fn of<E: Evaluation + Args>(line: &str) -> E {
    let command = E::augment_args(Command::new("test").no_binary_name(true));
    E::from_arg_matches(&command.try_get_matches_from(line.split_whitespace()).unwrap()).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_evaluation_has_flags_that_can_be_left_out_and_says_which_evaluation_it_is() {
        for entry in ALL {
            let command = (entry.flags)(Command::new("test").no_binary_name(true));
            let (evaluation, options) = (entry.read)(&command.get_matches_from([""; 0])).unwrap();
            assert_eq!(evaluation.about().name, entry.about.name);
            assert!(options.is_object() && !evaluation.graphs(&[]).unwrap().is_empty(), "{options}");
        }
    }
}
