//! Decides whether the first line of a file names the columns.
//!
//! It does if its words are known (`source,target`), or if the other lines show it: they have numbers where the first
//! line has none. Two unknown words before a few lines of numbers (`alice bob`, `1 2`) may as well be an edge; they are
//! a header only before [`SURE`] such lines. The reader then adds a warning to the graph.

use super::{
    fields::{Field, Separator},
    layout::{fields_of, is_number},
};
use crate::format::{Header, IdKind, ReadOptions, columns};
use std::ops::Range;

/// The number of lines with two numbers that make a first line of two unknown words a header.
const SURE: usize = 10;

/// A line that names the columns.
#[derive(Debug)]
pub(super) struct Names {
    pub(super) names: Vec<String>,
    /// True if the other lines, and not its words, show that it is a header.
    pub(super) by_numbers: bool,
}

/// Returns the names of the columns if the first line has them.
pub(super) fn find(data: &[u8], lines: &[Range<usize>], options: &ReadOptions) -> Option<Names> {
    let first = lines.first()?;
    let fields = fields_of(data, first, Separator::of(&data[first.clone()]));
    let names: Vec<String> = fields.iter().map(|f| String::from_utf8_lossy(&f.text).into_owned()).collect();
    match options.header {
        Header::No => None,
        Header::Yes => Some(Names { names, by_numbers: false }),
        Header::Auto if options.columns.has_names() => Some(Names { names, by_numbers: false }),
        Header::Auto if names.len() < 2 => None,
        Header::Auto => {
            let others = Others::of(data, &lines[1..]);
            let is_known = others.allow_words(&names);
            let is_shown = others.show_a_header(&names, options.ids);
            (is_known || is_shown).then_some(Names { names, by_numbers: !is_known })
        }
    }
}

/// The fields of the lines after the first one.
struct Others<'a>(Vec<Vec<Field<'a>>>);

impl<'a> Others<'a> {
    fn of(data: &'a [u8], lines: &[Range<usize>]) -> Self {
        let Some(first) = lines.first() else { return Self(Vec::new()) };
        let by = Separator::of(&data[first.clone()]);
        let fields = |line: &Range<usize>| {
            let any = fields_of(data, line, Separator::Any);
            if any.iter().all(|f| is_number(&f.text)) { any } else { fields_of(data, line, by) }
        };
        Self(lines.iter().map(fields).collect())
    }

    /// Returns true if every line has at least two numbers, of one line or more.
    fn are_numbers(&self) -> bool {
        let numbers = |fields: &[Field<'_>]| fields.iter().filter(|f| is_number(&f.text)).count();
        !self.0.is_empty() && self.0.iter().all(|fields| numbers(fields) >= 2)
    }

    /// Returns true if the names are words for source and target, and no id of another line is one of these words.
    fn allow_words(&self, names: &[String]) -> bool {
        let is_edge = |fields: &[Field<'_>]| {
            let texts = fields.iter().zip(names).filter(|(_, name)| columns::is_id(name));
            let is_word = |text: &[u8]| names.iter().any(|n| columns::is_id(n) && n.as_bytes() == text);
            let is_same = fields.iter().map(|f| &*f.text).eq(names.iter().map(|n| n.as_bytes()));
            !is_same && texts.into_iter().any(|(field, _)| is_word(&field.text))
        };
        let has_number = names.iter().any(|name| is_number(name.as_bytes()));
        columns::are_words(names)
            && (!has_number || self.are_numbers())
            && !self.0.iter().any(|fields| is_edge(fields))
    }

    /// Returns true if the first line has no number in places where all other lines have one.
    fn show_a_header(&self, names: &[String], ids: IdKind) -> bool {
        if self.0.is_empty() || names.iter().any(|name| is_number(name.as_bytes())) {
            return false;
        }
        if names.len() == 2 {
            let enough = if columns::has_words(names) { 1 } else { SURE };
            return ids != IdKind::Names && self.are_numbers() && self.0.len() >= enough;
        }
        let is_column_of_numbers =
            |i: usize| self.0.iter().all(|fields| fields.get(i).is_some_and(|f| is_number(&f.text)));
        (0..names.len()).any(is_column_of_numbers)
    }
}
