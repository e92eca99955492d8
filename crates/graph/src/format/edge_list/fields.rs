//! Splits lines into fields.

use crate::{
    error::{Error, quote},
    format::lex,
};
use std::{borrow::Cow, ops::Range};

/// The separator between two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::format) enum Separator {
    /// Blanks, or one of `,` `;` `|` with or without blanks around it. Numbers contain none of them.
    Any,
    /// Blanks.
    Blanks,
    /// This byte. Blanks around a field are not part of it.
    Byte(u8),
}

impl Separator {
    /// Returns the separator of the names in a line: the first of tab, `;`, `,` and `|` that occurs outside quotes, or
    /// blanks.
    pub(in crate::format) fn of(line: &[u8]) -> Self {
        let mut quoted = false;
        let is_outside = |&b: &u8| {
            quoted ^= b == b'"';
            !quoted
        };
        let outside: Vec<u8> = line.iter().copied().filter(is_outside).collect();
        let found = [b'\t', b';', b',', b'|'].into_iter().find(|b| outside.trim_ascii().contains(b));
        found.map_or(Self::Blanks, Self::Byte)
    }

    fn ends(self, byte: u8) -> bool {
        match self {
            Self::Any => is_blank(byte) || is_mark(byte),
            Self::Blanks => is_blank(byte),
            Self::Byte(separator) => byte == separator,
        }
    }
}

/// Returns true for each byte that `trim_ascii` removes, except LF. If `trim_ascii` removed a byte that is not blank
/// here, a field could shrink to nothing, and the iteration over fields would never end.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\x0c')
}

fn is_mark(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'|')
}

/// One field of a line.
#[derive(Debug, Clone)]
pub(in crate::format) struct Field<'a> {
    /// The offset in the file where the field starts.
    pub(in crate::format) start: usize,
    /// The field as the file writes it.
    pub(in crate::format) raw: &'a [u8],
    /// The text of the field without quotes.
    pub(in crate::format) text: Cow<'a, [u8]>,
}

impl Field<'_> {
    /// Returns the field as an unsigned number of 64 bits, or `None` if it is none. A sign `+` is not allowed.
    pub(in crate::format) fn number(&self) -> Option<u64> {
        if self.text.first() == Some(&b'+') {
            return None;
        }
        lexical_core::parse(&self.text).ok()
    }
}

/// An iterator over the fields of a line, from the left.
#[derive(Debug, Clone)]
pub(in crate::format) struct Fields<'a> {
    data: &'a [u8],
    /// The offset where the next field, or the blanks before it, start.
    at: usize,
    /// The end of the line, before trailing blanks and the line end.
    end: usize,
    separator: Separator,
    /// True if a separator byte followed the last field, so that another field follows, possibly an empty one.
    owed: bool,
}

impl<'a> Fields<'a> {
    pub(in crate::format) fn new(data: &'a [u8], line: Range<usize>, separator: Separator) -> Self {
        let mut end = line.end;
        while end > line.start && (data[end - 1] == b'\n' || is_blank(data[end - 1])) {
            end -= 1;
        }
        Self { data, at: line.start, end, separator, owed: false }
    }

    /// Returns true for a blank line or a comment.
    pub(in crate::format) fn is_no_data(&self) -> bool {
        let line = self.data[self.at..self.end].trim_ascii_start();
        line.is_empty() || matches!(line[0], b'#' | b'%') || line.starts_with(b"//")
    }

    /// Returns the rest of the line as it stands.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.data[self.at..self.end].trim_ascii()
    }

    /// Returns the rest of the line as one field.
    pub(super) fn whole_rest(&self) -> Field<'a> {
        let raw = self.rest();
        Field { start: self.at, raw, text: Cow::Borrowed(raw) }
    }

    /// Returns the next field that is not empty, or an empty one with text after it. Empty fields at the end of the
    /// line do not count.
    pub(super) fn surplus(&mut self) -> Option<Field<'a>> {
        let first = self.next()?;
        let is_empty = |field: &Field<'_>| field.text.is_empty();
        (!is_empty(&first) || !self.clone().all(|field| is_empty(&field))).then_some(first)
    }

    fn skip_blanks(&mut self) {
        while self.at < self.end
            && is_blank(self.data[self.at])
            && self.separator != Separator::Byte(self.data[self.at])
        {
            self.at += 1;
        }
    }

    /// Returns the end of the field that starts here, and its text without quotes.
    fn text(&self) -> (usize, Cow<'a, [u8]>) {
        let rest = &self.data[self.at..self.end];
        if rest.first() == Some(&b'"')
            && let Some((len, text)) = unquote(rest)
            && rest.get(len).is_none_or(|&b| self.separator.ends(b) || is_blank(b))
        {
            return (self.at + len, text);
        }
        let len = rest.iter().position(|&b| self.separator.ends(b)).unwrap_or(rest.len());
        let text = rest[..len].trim_ascii_end();
        (self.at + text.len(), Cow::Borrowed(text))
    }

    /// Returns the error for a line where `expected` should stand in place of `field`, or of the line end if `field` is
    /// `None`.
    pub(in crate::format) fn expected(
        &self,
        file: &str,
        field: Option<&Field<'_>>,
        expected: &str,
        help: &str,
    ) -> Error {
        let (at, got) = match field {
            Some(field) if field.raw.is_empty() => (field.start, "nothing".to_owned()),
            Some(field) => (field.start, quote(field.raw)),
            None if self.end == self.data.len() => (self.end, "the end of the file".to_owned()),
            None => (self.end, "the end of the line".to_owned()),
        };
        Error::Parse {
            at: lex::position(file, self.data, at),
            expected: expected.to_owned(),
            got,
            help: help.to_owned(),
        }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        self.skip_blanks();
        if self.at >= self.end && !self.owed {
            return None;
        }
        let start = self.at;
        let (end, text) = self.text();
        let field = Field { start, raw: &self.data[start..end], text };
        self.at = end;
        self.skip_blanks();
        let is_separator = |byte| match self.separator {
            Separator::Any => is_mark(byte),
            Separator::Blanks => false,
            Separator::Byte(separator) => byte == separator,
        };
        self.owed = self.at < self.end && is_separator(self.data[self.at]);
        self.at += usize::from(self.owed);
        Some(field)
    }
}

/// Returns the length and the text of the quoted field at the start of `rest`, or `None` if the closing quote is
/// missing. In a quoted field, `""` stands for one quote.
fn unquote(rest: &[u8]) -> Option<(usize, Cow<'_, [u8]>)> {
    let mut text = Cow::Borrowed(&rest[..0]);
    let mut start = 1;
    loop {
        let end = start + memchr::memchr(b'"', &rest[start..])?;
        let section = &rest[start..end];
        match &mut text {
            Cow::Borrowed(_) if start == 1 => text = Cow::Borrowed(section),
            text => text.to_mut().extend_from_slice(section),
        }
        if rest.get(end + 1) != Some(&b'"') {
            return Some((end + 1, text));
        }
        text.to_mut().push(b'"');
        start = end + 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(line: &str, separator: Separator) -> Vec<String> {
        let fields = Fields::new(line.as_bytes(), 0..line.len(), separator);
        fields.map(|f| String::from_utf8(f.text.into_owned()).unwrap()).collect()
    }

    #[test]
    fn fields_are_told_apart_by_any_separator() {
        for line in ["1 2 3", "1\t2\t3\r\n", "1 \x0c 2 3\x0c", " 1 , 2;3 ", "1,2|3\n", "\"1\", \"2\", 3"] {
            assert_eq!(fields(line, Separator::Any), ["1", "2", "3"], "{line:?}");
        }
        assert_eq!(fields("1,,3", Separator::Any), ["1", "", "3"]);
        assert_eq!(fields("1,2,", Separator::Any), ["1", "2", ""]);
    }

    #[test]
    fn names_keep_blanks_and_quotes() {
        let comma = Separator::Byte(b',');
        assert_eq!(fields("New York , Rio ,5", comma), ["New York", "Rio", "5"]);
        assert_eq!(fields(r#""a,b","say ""hi""""#, comma), ["a,b", r#"say "hi""#]);
        assert_eq!(fields(r#"5" disk,x"#, comma), [r#"5" disk"#, "x"]);
        assert_eq!(fields("a\t\tb", Separator::Byte(b'\t')), ["a", "", "b"]);
    }

    #[test]
    fn separators_of_names_are_found_outside_quotes() {
        for (line, separator) in [
            ("a b", Separator::Blanks),
            ("a, b", Separator::Byte(b',')),
            ("Doe, J\tRoe, R", Separator::Byte(b'\t')),
            ("\"a,b\" c", Separator::Blanks),
            ("a;b,c", Separator::Byte(b';')),
        ] {
            assert_eq!(Separator::of(line.as_bytes()), separator, "{line:?}");
        }
    }
}
