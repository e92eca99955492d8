//! Names in text files: quotes them, and refuses those that a file cannot hold.

use crate::{
    error::{Error, Result, quote},
    graph::Graph,
    ids::{Ids, VertexId},
    par,
};

const HELP: &str = "write .wg or .parquet, which hold every name, or .mtx, which numbers the vertices";

/// Appends a name as a field of a line. Quotes it, and doubles its quotes (RFC 4180), unless it is a plain word: quotes
/// keep blanks and separators, and a quoted field is neither a comment nor punctuation of another format.
pub(super) fn push_field(text: &mut Vec<u8>, name: &str) {
    if is_plain(name.as_bytes()) {
        return text.extend_from_slice(name.as_bytes());
    }
    text.push(b'"');
    for &byte in name.as_bytes() {
        if byte == b'"' {
            text.push(b'"');
        }
        text.push(byte);
    }
    text.push(b'"');
}

/// Returns true if the name starts with a letter or digit, and has only letters, digits and marks without a meaning in
/// a text file. Bytes of characters beyond ASCII count as letters.
fn is_plain(name: &[u8]) -> bool {
    let is_letter = |b: &u8| b.is_ascii_alphanumeric() || !b.is_ascii();
    let is_fit = |b: &u8| is_letter(b) || b"_-.:/@+~".contains(b);
    name.first().is_some_and(is_letter) && name.iter().all(is_fit)
}

/// Returns true if a reader of lines may take the name for a number: digits, also with a sign before them.
pub(super) fn is_number(name: &str) -> bool {
    let digits = name.strip_prefix(['+', '-']).unwrap_or(name);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Pairs of names for the columns of sources and targets, all of which readers know.
const COLUMNS: [[&str; 2]; 4] = [["source", "target"], ["src", "dst"], ["from", "to"], ["SOURCE", "TARGET"]];

/// Returns names for the columns of sources and targets that are no ids of the graph: a reader may take a line that
/// names the columns for an edge if one of its words is an id elsewhere. The error is such an id, if every pair has one.
fn free_columns(graph: &Graph) -> Result<[&'static str; 2], &'static str> {
    let is_id = |word: &&str| graph.ids().find(&VertexId::Name((*word).to_owned())).is_some();
    let mut taken = COLUMNS.map(|words| (words, words.into_iter().find(is_id))).into_iter();
    let free = taken.clone().find(|(_, id)| id.is_none()).map(|(words, _)| words);
    free.ok_or_else(|| taken.find_map(|(_, id)| id).unwrap_or_default())
}

/// Returns the names of the columns: of sources, of targets and, if `weighted`, of weights.
pub(super) fn columns(graph: &Graph, weighted: bool) -> Vec<&'static str> {
    let mut columns = free_columns(graph).unwrap_or(COLUMNS[0]).to_vec();
    columns.extend(weighted.then_some("weight"));
    columns
}

/// Returns an error if the ids are names and one of them cannot be a field of a line.
pub(super) fn refuse_no_field(graph: &Graph, format: &str) -> Result<()> {
    if let Err(id) = free_columns(graph) {
        let what =
            format!("the name {id:?} is one for a column of a .{format} file, as are others of this graph");
        return Err(Error::invalid(what, HELP));
    }
    refuse(graph, format, &|name| {
        if name.is_empty() {
            Some("it is empty")
        } else if name.contains(['\n', '\r']) {
            Some("it has a line end")
        } else {
            name.contains('\0').then_some("it has a zero byte, so that the file would not be text")
        }
    })
}

/// Returns an error for the first name for which `fault` returns a reason.
pub(super) fn refuse(
    graph: &Graph,
    format: &str,
    fault: &(dyn Fn(&str) -> Option<&'static str> + Sync),
) -> Result<()> {
    let Ids::Names(names) = graph.ids() else { return Ok(()) };
    let first = |mut range: std::ops::Range<usize>| range.find(|&i| fault(names.get(i)).is_some());
    let found = par::find_first(names.len(), par::FINE, first).map(|i| names.get(i));
    match found.and_then(|name| Some((name, fault(name)?))) {
        None => Ok(()),
        Some((name, why)) => Err(Error::invalid(
            format!("the name {} cannot stand in a .{format} file: {why}", quote(name.as_bytes())),
            HELP,
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_be_misread_is_quoted() {
        let field = |name: &str| {
            let mut text = Vec::new();
            push_field(&mut text, name);
            String::from_utf8(text).unwrap()
        };
        for plain in ["ann", "007", "libc6:amd64", "a/b", "Zoë", "1e5", "日本"] {
            assert_eq!(field(plain), plain);
        }
        for odd in ["#1", "%", "//x", "a b", "a,b", "a;b", "a|b", "a\tb", " a", "->", "{", "'a'", "-1", ""] {
            assert_eq!(field(odd), format!("\"{odd}\""));
        }
        assert_eq!(field("say \"hi\""), "\"say \"\"hi\"\"\"");
    }
}
