//! Splits text into pieces at line ends, reads tokens and numbers, and finds positions for error messages. All text
//! formats share it.

use crate::error::{Error, Position, quote};
use std::ops::Range;

/// Cuts `range` of `data` into about `pieces` ranges, each of which ends after a line end or at the end of `range`.
pub(crate) fn split_lines(data: &[u8], range: Range<usize>, pieces: usize) -> Vec<Range<usize>> {
    let step = (range.len() / pieces.max(1)).max(1);
    let mut ranges = Vec::with_capacity(pieces);
    let mut start = range.start;
    while start < range.end {
        let aim = (start + step).min(range.end);
        let end = memchr::memchr(b'\n', &data[aim..range.end]).map_or(range.end, |i| aim + i + 1);
        ranges.push(start..end);
        start = end;
    }
    ranges
}

/// Returns the line and the column of a byte, both from 1. It counts all line ends before the byte, so only error
/// messages should use it.
pub(crate) fn position(file: &str, data: &[u8], offset: usize) -> Position {
    let before = &data[..offset.min(data.len())];
    let line = memchr::memchr_iter(b'\n', before).count() as u64 + 1;
    let column = before.len() - memchr::memrchr(b'\n', before).map_or(0, |i| i + 1) + 1;
    Position::column(file, line, column as u64)
}

/// Reads tokens line by line. `at` and `end` are offsets into `data`.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    pub(crate) data: &'a [u8],
    pub(crate) at: usize,
    pub(crate) end: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(data: &'a [u8], range: Range<usize>) -> Self {
        Self { data, at: range.start, end: range.end }
    }

    /// Returns the byte at the cursor, or a line end at the end of the range.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u8 {
        if self.at < self.end { self.data[self.at] } else { b'\n' }
    }

    /// Returns true if the cursor is at the end of the range.
    #[inline(always)]
    pub(crate) fn is_done(&self) -> bool {
        self.at >= self.end
    }

    /// Skips spaces, tabs and carriage returns.
    #[inline(always)]
    pub(crate) fn skip_blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r') {
            self.at += 1;
        }
    }

    /// Returns true if the cursor is at the end of a line or of the range.
    #[inline(always)]
    pub(crate) fn at_line_end(&self) -> bool {
        self.peek() == b'\n'
    }

    /// Moves to the start of the next line.
    #[inline(always)]
    pub(crate) fn next_line(&mut self) {
        self.at = memchr::memchr(b'\n', &self.data[self.at..self.end]).map_or(self.end, |i| self.at + i + 1);
    }

    /// Returns the token at the cursor, up to the next blank or line end, without moving the cursor.
    pub(crate) fn token(&self) -> &'a [u8] {
        let rest = &self.data[self.at..self.end];
        let len = rest.iter().position(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).unwrap_or(rest.len());
        &rest[..len]
    }

    /// Reads an unsigned number of at most 64 bits that ends at a blank, a line end or the end of the range. If there
    /// is none, returns `None` and does not move the cursor.
    #[inline(always)]
    pub(crate) fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0u64;
        let mut at = self.at;
        while at < self.end {
            let digit = self.data[at].wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
            at += 1;
        }
        let ends = at == self.end || matches!(self.data[at], b' ' | b'\t' | b'\r' | b'\n');
        if at == self.at || !ends {
            return None;
        }
        self.at = at;
        Some(value)
    }

    /// Returns an [`Error::Parse`] for the token at the cursor.
    pub(crate) fn expected(&self, file: &str, expected: impl Into<String>, help: impl Into<String>) -> Error {
        let got = match self.token() {
            _ if self.is_done() => "the end of the file".to_owned(),
            [] => "the end of the line".to_owned(),
            token => quote(token),
        };
        Error::Parse {
            at: position(file, self.data, self.at),
            expected: expected.into(),
            got,
            help: help.into(),
        }
    }
}
