//! Finds the weight among the attributes of an edge, by the usual names.

use super::{Place, expected_weight};
use crate::{
    error::{Result, quote},
    format::edge_list::weights::Weight,
};

/// The names of the attribute that is the weight, the most telling first.
const KEYS: [&str; 6] = ["weight", "w", "value", "cost", "distance", "amount"];

/// The attribute that is the weight of every edge. The first edge decides which one it is.
#[derive(Debug)]
pub(in crate::format) struct WeightKeys {
    /// The index in [`KEYS`] of the weight; `None` before the first edge has ended, and if that edge has none.
    chosen: Option<usize>,
    decided: bool,
    /// The best weight of the current edge, with its index.
    current: Option<(usize, Weight)>,
    /// True to leave all weights out.
    ignore: bool,
}

impl WeightKeys {
    pub(in crate::format) fn new(ignore: bool) -> Self {
        Self { chosen: None, decided: false, current: None, ignore }
    }

    /// Returns the rank of an attribute of an edge if its value matters, so that the caller reads it and calls
    /// [`WeightKeys::put`]. Names match in upper and lower case.
    pub(in crate::format) fn rank(&self, key: &str) -> Option<usize> {
        let rank = KEYS.iter().position(|k| key.eq_ignore_ascii_case(k))?;
        let is_wanted = !self.ignore && (!self.decided || self.chosen.is_none_or(|chosen| chosen == rank));
        is_wanted.then_some(rank)
    }

    /// Takes the value of the attribute of this rank for the current edge. Fails if the text at `at` is no number.
    pub(in crate::format) fn put(
        &mut self,
        rank: usize,
        text: &str,
        at: usize,
        place: &Place<'_>,
    ) -> Result<()> {
        let weight = Weight::read(text.trim_ascii().as_bytes()).map_err(|expected| {
            let got = if text.is_empty() { "nothing".to_owned() } else { quote(text.as_bytes()) };
            expected_weight(place.position(at), expected, got)
        })?;
        if self.current.is_none_or(|(best, _)| rank <= best) {
            self.current = Some((rank, weight));
        }
        Ok(())
    }

    /// Returns the weight of the current edge, or none, with its rank, before the edge ends.
    pub(in crate::format) fn take(&mut self) -> Option<(usize, Weight)> {
        self.current.take()
    }

    /// Returns the weight of the current edge, and makes the next edge the current one.
    pub(in crate::format) fn end(&mut self) -> Option<Weight> {
        self.end_or(None)
    }

    /// Returns the weight of the current edge, or else `default`, and makes the next edge the current one.
    pub(in crate::format) fn end_or(&mut self, default: Option<(usize, Weight)>) -> Option<Weight> {
        let current = self.current.take().or(default);
        if !self.decided {
            self.decided = true;
            self.chosen = current.map(|(rank, _)| rank);
        }
        current.map(|(_, weight)| weight)
    }

    /// Returns a warning if the weight has another name than `weight`.
    pub(in crate::format) fn warning(&self) -> Option<String> {
        let key = KEYS[self.chosen.filter(|&rank| rank > 0)?];
        Some(format!("the weights are the values of {key:?}; --no-weights leaves them out"))
    }
}
