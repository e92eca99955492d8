//! The parts of the evaluation, each of which can be asked for alone.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A figure or a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The ablation.
    Fig10,
    /// Speed by order.
    Fig6,
    /// What orders cost.
    Table2,
    /// Speed by balance.
    Fig7,
    /// The engine's choice of balances.
    Auto,
    /// What electing tiles costs.
    Table3,
    /// Tiles that are met again.
    Tiles,
    /// The first run.
    First,
}

impl Part {
    /// All of them, in the order they are measured.
    pub const ALL: [Self; 8] = [
        Self::Fig10,
        Self::Fig6,
        Self::Table2,
        Self::Fig7,
        Self::Auto,
        Self::Table3,
        Self::Tiles,
        Self::First,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fig10 => "fig10",
            Self::Fig6 => "fig6",
            Self::Table2 => "table2",
            Self::Fig7 => "fig7",
            Self::Auto => "auto",
            Self::Table3 => "table3",
            Self::Tiles => "tiles",
            Self::First => "first",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Part {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|part| part.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("there is no part {text:?}; parts: {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_read_back_as_they_print_in_text_and_in_json() {
        for part in Part::ALL {
            assert_eq!(part.name().parse::<Part>(), Ok(part));
            assert_eq!(serde_json::to_value(part).unwrap(), part.name());
        }
        assert!("fig8".parse::<Part>().unwrap_err().contains("parts: fig10, fig6, table2"));
    }
}
