//! What is asked in a cell: an algorithm of the table.

use serde::Serialize;
use std::{fmt, str::FromStr};

/// An algorithm of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "named after the algorithms")]
pub enum Question {
    Bfs,
    Sssp,
    PageRank,
    Wcc,
    Bc,
    Triangles,
    Kcore,
    Mst,
}

impl Question {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 8] =
        [Self::Bfs, Self::Sssp, Self::PageRank, Self::Wcc, Self::Bc, Self::Triangles, Self::Kcore, Self::Mst];

    /// The algorithm's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Sssp => "sssp",
            Self::PageRank => "pagerank",
            Self::Wcc => "wcc",
            Self::Bc => "bc",
            Self::Triangles => "triangles",
            Self::Kcore => "kcore",
            Self::Mst => "mst",
        }
    }

    /// Does it start at a vertex?
    pub fn has_source(self) -> bool {
        matches!(self, Self::Bfs | Self::Sssp | Self::Bc)
    }

    /// What its time is of: sweeps of pagerank differ in number between programs.
    pub fn per(self) -> &'static str {
        if self == Self::PageRank { "sweep" } else { "run" }
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Question {
    type Err = warpgraph::Error;
    fn from_str(text: &str) -> Result<Self, warpgraph::Error> {
        Self::ALL.into_iter().find(|question| question.name() == text).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|question| question.name()).collect();
            let what = match warpgraph::find(text).is_ok() {
                true => format!("{text} is not in the table of `bench gpu`"),
                false => format!("there is no algorithm {text:?}"),
            };
            let help = format!("the table has {}; `bench` measures the others", names.join(", "));
            warpgraph::Error::Refused { what, help }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_algorithms_and_read_back() {
        for question in Question::ALL {
            assert!(warpgraph::find(question.name()).is_ok());
            assert_eq!(question.name().parse::<Question>().unwrap(), question);
        }
        assert_eq!(
            "scc".parse::<Question>().unwrap_err().to_string(),
            "scc is not in the table of `bench gpu`"
        );
        let unknown = "bsf".parse::<Question>().unwrap_err();
        assert_eq!(unknown.to_string(), "there is no algorithm \"bsf\"");
        assert!(unknown.help().unwrap().starts_with("the table has bfs, sssp, "));
    }
}
