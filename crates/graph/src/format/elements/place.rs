//! The text of a file, and positions in it for error messages.

use crate::{
    error::{Error, Position, Result, quote},
    format::{Input, lex},
};

/// The byte order mark of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the data without a byte order mark.
pub(in crate::format) fn after_mark(data: &[u8]) -> &[u8] {
    data.strip_prefix(BYTE_ORDER_MARK).unwrap_or(data)
}

/// The source of the text, for positions in error messages.
#[derive(Debug, Clone, Copy)]
pub(in crate::format) struct Place<'i> {
    pub(in crate::format) file: &'i str,
    pub(in crate::format) data: &'i [u8],
    /// The number of bytes before the text: those of a byte order mark.
    pub(in crate::format) skipped: usize,
}

impl<'i> Place<'i> {
    /// Returns the place of a file and its text without a byte order mark. Fails if the text is not UTF-8.
    pub(in crate::format) fn of(input: &'i Input) -> Result<(Self, &'i str)> {
        let text = after_mark(input);
        let place = Self { file: input.name(), data: input, skipped: input.len() - text.len() };
        let text = std::str::from_utf8(text).map_err(|e| place.not_utf8(e.valid_up_to()))?;
        Ok((place, text))
    }

    /// Returns the line and column of the byte at `offset` in the text.
    pub(in crate::format) fn position(&self, offset: usize) -> Position {
        lex::position(self.file, self.data, self.skipped + offset)
    }

    pub(in crate::format) fn error(&self, offset: usize, problem: impl Into<String>, help: &str) -> Error {
        Error::format(self.position(offset), problem, help)
    }

    /// Returns the error for `got`, which stands at `offset` in place of `expected`.
    pub(in crate::format) fn expected(&self, offset: usize, expected: &str, got: &str, help: &str) -> Error {
        let got = if got.is_empty() { "nothing".to_owned() } else { quote(got.as_bytes()) };
        let at = self.position(offset);
        Error::Parse { at, expected: expected.to_owned(), got, help: help.to_owned() }
    }

    fn not_utf8(&self, offset: usize) -> Error {
        self.error(offset, "this is no UTF-8", "convert the file, e.g. with `iconv -f latin1 -t utf8`")
    }
}
