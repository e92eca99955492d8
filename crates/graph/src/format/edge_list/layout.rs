//! Describes where the ids and the weight of a line stand.

use super::{
    attributes::Attributes,
    fields::{Field, Fields, Separator},
};
use crate::format::columns::Chosen;
use std::ops::Range;

/// The columns of a file, counted from 0, and how weights are written.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// The columns of sources and targets.
    pub(super) ids: [usize; 2],
    pub(super) weight: Option<usize>,
    /// The number of columns.
    pub(super) count: usize,
    /// True if weights have a decimal comma.
    pub(super) commas: bool,
    /// The attributes of edges, if NetworkX wrote them after the ids.
    pub(super) attributes: Option<Attributes>,
}

impl Layout {
    /// Returns the layout of lines `source target`, with a weight if `weighted`.
    pub(super) fn plain(weighted: bool) -> Self {
        let count = if weighted { 3 } else { 2 };
        Self { ids: [0, 1], weight: weighted.then_some(2), count, ..Self::default() }
    }

    pub(super) fn new(chosen: &Chosen, count: usize) -> Self {
        Self { ids: chosen.ids, weight: chosen.weight, count, ..Self::default() }
    }

    /// Returns true if the first two columns are the ids, and a third one, if there is one, the weight.
    pub(super) fn is_in_order(&self) -> bool {
        self.ids == [0, 1]
            && self.attributes.is_none()
            && self.count == if self.weight == Some(2) { 3 } else { 2 }
    }

    /// Returns true if the ids and the weights stand in the same columns.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let shape =
            |layout: &Self| (layout.ids, layout.weight, layout.is_weighted(), layout.attributes.is_some());
        shape(self) == shape(other)
    }

    /// Returns true if the fast path reads the same as the general one.
    pub(super) fn is_fast(&self) -> bool {
        self.is_in_order() && !self.commas
    }

    /// Returns true if the file says a weight for each edge.
    pub(super) fn is_weighted(&self) -> bool {
        self.weight.is_some() || self.attributes.as_ref().is_some_and(|a| a.weight.is_some())
    }

    /// Returns the fields of the ids and of the weight, in this order, as far as the line has them.
    pub(super) fn pick<'a>(&self, fields: Fields<'a>) -> [Option<Field<'a>>; 3] {
        let mut picked = [None, None, None];
        for (column, field) in fields.take(self.count).enumerate() {
            if let Some(slot) =
                [Some(self.ids[0]), Some(self.ids[1]), self.weight].iter().position(|&c| c == Some(column))
            {
                picked[slot] = Some(field);
            }
        }
        picked
    }

    /// Returns how many of the two ids of a line are numbers.
    pub(super) fn numbers_in(&self, data: &[u8], line: &Range<usize>, separator: Separator) -> usize {
        let [source, target, _] = self.pick(Fields::new(data, line.clone(), separator));
        [source, target].into_iter().flatten().filter(|id| id.number().is_some()).count()
    }
}

/// Returns the fields of a line without empty ones at its end.
pub(super) fn fields_of<'a>(data: &'a [u8], line: &Range<usize>, separator: Separator) -> Vec<Field<'a>> {
    let mut fields: Vec<_> = Fields::new(data, line.clone(), separator).collect();
    while fields.last().is_some_and(|field| field.text.is_empty()) {
        fields.pop();
    }
    fields
}

/// Returns true if the text is a number, whole or decimal.
pub(super) fn is_number(text: &[u8]) -> bool {
    lexical_core::parse::<f64>(text).is_ok()
}

/// Returns true if the text is a number with a decimal comma.
pub(super) fn is_with_comma(text: &[u8]) -> bool {
    with_point(text).is_some_and(|text| is_number(&text))
}

/// Returns the text with its only comma replaced by a point, or `None` if it has no comma or several, or points.
pub(super) fn with_point(text: &[u8]) -> Option<Vec<u8>> {
    let is_odd = |text: &[u8]| text.contains(&b'.') || memchr::memchr_iter(b',', text).count() != 1;
    (!is_odd(text)).then(|| text.iter().map(|&b| if b == b',' { b'.' } else { b }).collect())
}
