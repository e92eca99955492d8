//! The order axis: how vertices are numbered inside an engine. Results always speak original ids.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// How an engine numbers the vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Order {
    /// As in the file: by increasing original id.
    #[default]
    Natural,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Natural => f.write_str("natural"),
        }
    }
}

impl FromStr for Order {
    type Err = crate::Error;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "natural" => Ok(Self::Natural),
            _ => Err(crate::Error::Refused {
                what: format!("there is no order {text:?}"),
                help: "orders: natural".to_owned(),
            }),
        }
    }
}
