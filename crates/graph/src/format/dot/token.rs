//! Reads the tokens of DOT.

use crate::{error::Result, format::elements::Scan};
use std::borrow::Cow;

pub(super) const HELP: &str =
    "DOT is `digraph { a -> b [weight=3]; }` or `graph { a -- b; }`; correct the file, or make it anew";

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'i> {
    /// A name, a number or a string, and true if it was a bare word, which may be a keyword.
    Id(Cow<'i, str>, bool),
    /// One of `{ } [ ] ; , : =`.
    Mark(u8),
    /// `->` or `--`; true for the first.
    Edge(bool),
    /// A string in `<...>`. The reader does not keep it.
    Html,
    End,
}

impl Token<'_> {
    /// Returns true for this keyword, in upper or lower case.
    pub(super) fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Id(id, true) if id.eq_ignore_ascii_case(keyword))
    }
}

/// Reads the next token, and returns the offset where it starts too.
pub(super) fn token<'i>(scan: &mut Scan<'i, '_>) -> Result<(usize, Token<'i>)> {
    scan.tick()?;
    skip_blanks(scan)?;
    Ok((scan.at, one(scan)?))
}

fn one<'i>(scan: &mut Scan<'i, '_>) -> Result<Token<'i>> {
    let Some(byte) = scan.peek() else { return Ok(Token::End) };
    match byte {
        b'{' | b'}' | b'[' | b']' | b';' | b',' | b':' | b'=' => {
            scan.at += 1;
            Ok(Token::Mark(byte))
        }
        b'"' => Ok(Token::Id(strings(scan)?, false)),
        b'<' => html(scan),
        b'-' if scan.rest().starts_with("->") => Ok(edge(scan, true)),
        b'-' if scan.rest().starts_with("--") => Ok(edge(scan, false)),
        b'-' | b'.' | b'0'..=b'9' => number(scan),
        b'_' | b'a'..=b'z' | b'A'..=b'Z' | 128.. => {
            let word = scan.skip_while(|b| b == b'_' || b.is_ascii_alphanumeric() || b >= 128);
            Ok(Token::Id(Cow::Borrowed(word), true))
        }
        _ => Err(scan.expected("a name, a string or a mark of DOT", HELP)),
    }
}

fn edge<'i>(scan: &mut Scan<'i, '_>, directed: bool) -> Token<'i> {
    scan.at += 2;
    Token::Edge(directed)
}

/// Reads a number. Fails if it touches a name, as in `1a`, `a-1` and `2020-01-01`: Graphviz reads these as two nodes,
/// which the author of a file hardly means.
fn number<'i>(scan: &mut Scan<'i, '_>) -> Result<Token<'i>> {
    let start = scan.at;
    let bytes = scan.text.as_bytes();
    let touches = |byte: Option<&u8>| {
        byte.is_some_and(|&b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.') || b >= 128)
    };
    scan.take(b'-');
    scan.skip_while(|b| b.is_ascii_digit() || b == b'.');
    let text = &scan.text[start..scan.at];
    let digits = text.trim_start_matches('-');
    if digits.matches('.').count() > 1 || !digits.contains(|c: char| c.is_ascii_digit()) {
        scan.at = start;
        return Err(scan.expected("a number", HELP));
    }
    let is_minus =
        scan.peek() == Some(b'-') && !scan.rest().starts_with("->") && !scan.rest().starts_with("--");
    if is_minus || touches(bytes.get(scan.at)) || (start > 0 && touches(bytes.get(start - 1))) {
        let help = "put names of letters, digits and other characters in quotes, e.g. \"2020-01-01\"";
        return Err(scan.place.error(start, "a number touches a name or another number", help));
    }
    Ok(Token::Id(Cow::Borrowed(text), false))
}

/// Moves over white space, `/* */`, `//`, and lines that start with `#`.
fn skip_blanks(scan: &mut Scan<'_, '_>) -> Result<()> {
    loop {
        scan.skip_space();
        let rest = scan.rest();
        if rest.starts_with("//") || (rest.starts_with('#') && at_line_start(scan)) {
            scan.skip_line();
        } else if rest.starts_with("/*") {
            let Some(len) = memchr::memmem::find(&rest.as_bytes()[2..], b"*/") else {
                return Err(scan.place.error(scan.at, "this comment has no end", HELP));
            };
            scan.at += len + 4;
        } else {
            return Ok(());
        }
    }
}

fn at_line_start(scan: &Scan<'_, '_>) -> bool {
    let before =
        scan.text.as_bytes()[..scan.at].iter().rev().find(|&&b| b == b'\n' || !b.is_ascii_whitespace());
    before.is_none_or(|&b| b == b'\n')
}

/// Reads a quoted string, and those that `+` joins to it.
fn strings<'i>(scan: &mut Scan<'i, '_>) -> Result<Cow<'i, str>> {
    let mut all = string(scan)?;
    loop {
        let end = scan.at;
        skip_blanks(scan)?;
        if !scan.take(b'+') {
            scan.at = end;
            return Ok(all);
        }
        skip_blanks(scan)?;
        if scan.peek() != Some(b'"') {
            return Err(scan.expected("a string behind `+`", HELP));
        }
        let more = string(scan)?;
        all.to_mut().push_str(&more);
    }
}

/// Reads one quoted string. `\"` stands for a quote, and `\` at the end of a line joins it to the next one; every other
/// `\` stays, as in Graphviz.
fn string<'i>(scan: &mut Scan<'i, '_>) -> Result<Cow<'i, str>> {
    let first = scan.at + 1;
    let mut at = first;
    let mut escaped = false;
    loop {
        let rest = scan.text.as_bytes().get(at..).unwrap_or_default();
        match memchr::memchr2(b'"', b'\\', rest) {
            Some(len) if rest[len] == b'"' => {
                at += len;
                break;
            }
            Some(len) => {
                escaped = true;
                at += len + 2;
            }
            None => return Err(scan.place.error(first - 1, "this string has no end", HELP)),
        }
    }
    scan.at = at + 1;
    let raw = &scan.text[first..at];
    match escaped {
        true => Ok(Cow::Owned(raw.replace("\\\"", "\"").replace("\\\r\n", "").replace("\\\n", ""))),
        false => Ok(Cow::Borrowed(raw)),
    }
}

/// Moves behind a string in `<...>`, in which `<` and `>` are balanced.
fn html<'i>(scan: &mut Scan<'i, '_>) -> Result<Token<'i>> {
    let start = scan.at;
    let mut open = 0usize;
    for at in memchr::memchr2_iter(b'<', b'>', &scan.text.as_bytes()[start..]) {
        match scan.text.as_bytes()[start + at] {
            b'<' => open += 1,
            _ => open -= 1,
        }
        if open == 0 {
            scan.at = start + at + 1;
            return Ok(Token::Html);
        }
    }
    Err(scan.place.error(start, "this string in `<...>` has no end", HELP))
}
