//! Reads the attributes that NetworkX's `write_edgelist` writes after the ids of an edge: a Python dictionary such as
//! `{'weight': 4, 'color': 'red'}`.
//!
//! The key that is a word for weights holds the weight; the caller may name another one. The reader ignores all other
//! keys. It reads values as Python prints them: numbers, texts, `np.float64(0.5)`, and lists and dictionaries of those.

use super::{
    fields::{Fields, Separator},
    weights::Weight,
};
use crate::format::columns;
use std::ops::Range;

/// The attributes of a file.
#[derive(Debug)]
pub(super) struct Attributes {
    /// The key of the weights.
    pub(super) weight: Option<String>,
    /// The other keys of the first lines.
    pub(super) ignored: Vec<String>,
}

/// The keys and the values of a dictionary.
type Entries<'a> = Vec<(&'a str, &'a str)>;

/// Returns the separator of the ids if the line is an edge with attributes.
pub(super) fn separator(data: &[u8], line: &Range<usize>) -> Option<Separator> {
    let text = &data[line.clone()];
    let start = memchr::memchr(b'{', text)?;
    let separator = Separator::of(&text[..start]);
    entries_of(data, line, separator).map(|_| separator)
}

/// Returns the attributes of an edge, or `None` if there are no two ids or no dictionary after them.
fn entries_of<'a>(data: &'a [u8], line: &Range<usize>, separator: Separator) -> Option<Entries<'a>> {
    let mut fields = Fields::new(data, line.clone(), separator);
    let has_ids = fields.by_ref().take(2).filter(|id| !id.text.is_empty()).count() == 2;
    if has_ids { entries(fields.rest()) } else { None }
}

/// Returns the keys that occur in the lines, in the order of their first occurrence.
pub(super) fn keys(data: &[u8], lines: &[Range<usize>], separator: Separator) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    for (key, _) in lines.iter().filter_map(|line| entries_of(data, line, separator)).flatten() {
        if !keys.iter().any(|known| known == key) {
            keys.push(key.to_owned());
        }
    }
    keys
}

impl Attributes {
    /// Reads the weight of an edge from its dictionary. The error says what was expected.
    pub(super) fn read(&self, text: &[u8], no_weights: bool) -> Result<Option<Weight>, &'static str> {
        let entries = entries(text).ok_or("attributes such as {'weight': 4}")?;
        let Some(weight) = &self.weight else {
            let is_new = |key: &str| columns::is_weight(key) && !self.ignored.iter().any(|k| k == key);
            return match entries.iter().any(|(key, _)| is_new(key)) && !no_weights {
                true => Err("no weight, as in the first edges"),
                false => Ok(None),
            };
        };
        match entries.iter().rev().find(|(key, _)| key == weight) {
            Some((_, value)) => Weight::read(number(value).as_bytes()).map(Some),
            None => Err("a weight among the attributes, as in other edges"),
        }
    }
}

/// Returns the number in a value such as `4` or `np.float64(4.5)`.
fn number(value: &str) -> &str {
    let inner = value.strip_suffix(')').and_then(|rest| rest.split_once('(')).map(|(_, inner)| inner);
    inner.unwrap_or(value).trim()
}

/// Returns the entries of a dictionary, or `None` if the text is none. Of a key written twice, both are there.
fn entries(text: &[u8]) -> Option<Entries<'_>> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let mut rest = text.strip_prefix('{')?.strip_suffix('}')?.trim();
    let mut entries = Vec::new();
    while !rest.is_empty() {
        let (key, value) = rest.split_at(end_of(rest, b':')?);
        let value = value.strip_prefix(':')?;
        let (value, others) = value.split_at(end_of(value, b',')?);
        entries.push((unquoted(key.trim()), value.trim()));
        rest = others.strip_prefix(',').unwrap_or(others).trim();
    }
    entries.iter().all(|(_, value)| !value.is_empty()).then_some(entries)
}

/// Returns the text inside quotes, or the text itself. Escapes stay as they are.
fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('\'').or_else(|| inside('"')).unwrap_or(text)
}

/// Returns the place of the first byte `wanted` outside quotes and brackets, or the length of the text if there is none.
/// Returns `None` if a quote or a bracket has no counterpart.
fn end_of(text: &str, wanted: u8) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), b'\\') => escaped = true,
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, _) if byte == wanted && depth == 0 => return Some(at),
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            (None, _) => {}
        }
    }
    (depth == 0 && quote.is_none()).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_are_read_as_python_prints_them() {
        let read = |text: &str| entries(text.as_bytes()).map(|e| format!("{e:?}"));
        assert_eq!(read("{}").unwrap(), "[]");
        assert_eq!(read("{'weight': 4}").unwrap(), r#"[("weight", "4")]"#);
        assert_eq!(
            read(r#"{'a': 'x, y: }', "b": [1, {'c': 2}], 3: None}"#).unwrap(),
            r#"[("a", "'x, y: }'"), ("b", "[1, {'c': 2}]"), ("3", "None")]"#
        );
        assert_eq!(read(r"{'a': 'it\'s', 'w': 1}").unwrap(), r#"[("a", "'it\\'s'"), ("w", "1")]"#);
        for text in ["", "{", "4", "{a}", "{'a': }", "{'a' 1}", "{'a': 1]}"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_of_numpy_are_numbers() {
        assert_eq!(["4", "np.float64(0.5)", "numpy.int64(7)"].map(number), ["4", "0.5", "7"]);
    }
}
