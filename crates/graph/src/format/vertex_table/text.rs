//! Reads a vertex table from text: an id per line, and a label if there are more fields.

use super::{Columns, VertexTable};
use crate::{
    error::{Error, Result},
    format::{
        Input,
        edge_list::fields::{Fields, Separator},
        lex,
    },
    labels::Texts,
};
use std::ops::Range;

/// Reads a text file. The first line is a header if one of its fields names a column of ids or labels.
pub(super) fn read(input: &Input) -> Result<VertexTable> {
    let mut lines = lines(input);
    let first = lines.next();
    let separator = first.clone().map_or(Separator::Blanks, |line| Separator::of(&input[line]));
    let fields = |line: Range<usize>| -> Vec<String> {
        let fields = Fields::new(input, line, separator);
        fields.map(|field| String::from_utf8_lossy(&field.text).into_owned()).collect()
    };
    let names = first.clone().map(fields).unwrap_or_default();
    let has_header = Columns::are_names(&names);
    let columns = match has_header {
        true => Columns::by_name(&names),
        false => Columns { id: 0, label: (names.len() > 1).then_some(1), warning: None },
    };
    let (mut ids, mut labels) = (Texts::new(), columns.label.map(|_| Texts::new()));
    let rows = first.filter(|_| !has_header).into_iter().chain(lines);
    for line in rows {
        let text = |field: &[u8], at: usize| match std::str::from_utf8(field) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(Error::Parse {
                at: lex::position(input.name(), input, at),
                expected: "text in UTF-8".to_owned(),
                got: crate::error::quote(field),
                help: "convert the file, e.g. with `iconv -f latin1 -t utf8`".to_owned(),
            }),
        };
        let mut row = Fields::new(input, line.clone(), separator);
        let row: Vec<_> = row.by_ref().collect();
        let id = row.get(columns.id).filter(|id| !id.text.is_empty());
        let Some(id) = id else {
            let fields = Fields::new(input, line, separator);
            let help = "a vertex table has an id in every line";
            return Err(fields.expected(input.name(), row.get(columns.id), "the id of a vertex", help));
        };
        ids.push(&text(&id.text, id.start)?);
        if let (Some(labels), Some(place)) = (&mut labels, columns.label) {
            let label = match (row.get(place), separator) {
                // Blanks separate the id from the label, which may have blanks itself.
                (Some(label), Separator::Blanks) if !has_header => {
                    text(input[label.start..line.end].trim_ascii_end(), label.start)?
                }
                (Some(label), _) => text(&label.text, label.start)?,
                (None, _) => String::new(),
            };
            labels.push(&label);
        }
    }
    let warnings = columns.warning.into_iter().collect();
    Ok(VertexTable { file: input.name().to_owned(), ids, labels, warnings })
}

/// Returns the lines that are neither blank nor comments.
fn lines(data: &[u8]) -> impl Iterator<Item = Range<usize>> + Clone {
    let mut at = if data.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let next = move || {
        let start = at;
        (start < data.len()).then(|| {
            at = memchr::memchr(b'\n', &data[start..]).map_or(data.len(), |i| start + i + 1);
            start..at
        })
    };
    std::iter::from_fn(next).filter(|line| !Fields::new(data, line.clone(), Separator::Any).is_no_data())
}
