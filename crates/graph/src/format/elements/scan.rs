//! Reads the tokens of a text from its start to its end, and looks at [`Control`] on the way.

use super::Place;
use crate::{
    control::Control,
    error::{Error, Result},
    format::claim::Meter,
};

/// The number of bytes between two reports to the meter, which also checks whether the work must stop.
pub(in crate::format) const STRIDE: usize = 1 << 20;

/// A text and the offset of the next byte to read.
pub(in crate::format) struct Scan<'i, 'c> {
    pub(in crate::format) place: Place<'i>,
    pub(in crate::format) text: &'i str,
    pub(in crate::format) at: usize,
    meter: Meter<'c>,
    /// The offset up to which the scan has reported progress.
    told: usize,
}

impl<'i, 'c> Scan<'i, 'c> {
    pub(in crate::format) fn new(place: Place<'i>, text: &'i str, control: &'c Control) -> Self {
        Self { place, text, at: 0, meter: Meter::new(control, text.len()), told: 0 }
    }

    /// Reports progress, at most once per [`STRIDE`] bytes. Fails if the [`Control`] stops the work.
    #[inline]
    pub(in crate::format) fn tick(&mut self) -> Result<()> {
        if self.at - self.told < STRIDE {
            return Ok(());
        }
        self.meter.advance(self.at - self.told)?;
        self.told = self.at;
        Ok(())
    }

    /// Returns the next byte without moving, or `None` at the end.
    #[inline]
    pub(in crate::format) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Returns the text from the next byte on.
    pub(in crate::format) fn rest(&self) -> &'i str {
        &self.text[self.at..]
    }

    /// Moves behind `byte` and returns true if it is the next byte. `byte` must be ASCII.
    pub(in crate::format) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Moves over white space, line ends included.
    #[inline]
    pub(in crate::format) fn skip_space(&mut self) {
        self.skip_while(|b| b.is_ascii_whitespace());
    }

    /// Moves over the bytes that `is_in` accepts, and returns them. It must accept all bytes from 128 on, or none of
    /// them.
    #[inline]
    pub(in crate::format) fn skip_while(&mut self, is_in: impl Fn(u8) -> bool) -> &'i str {
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest.iter().position(|&b| !is_in(b)).unwrap_or(rest.len());
        let start = self.at;
        self.at += len;
        &self.text[start..self.at]
    }

    /// Moves to the end of the line, in front of its LF, or to the end of the text. Returns what it passed.
    pub(in crate::format) fn skip_line(&mut self) -> &'i str {
        let start = self.at;
        self.at =
            memchr::memchr(b'\n', &self.text.as_bytes()[start..]).map_or(self.text.len(), |i| start + i);
        &self.text[start..self.at]
    }

    /// Returns the word at `offset` for a message: up to the next white space, or one mark.
    pub(in crate::format) fn shown(&self, offset: usize) -> &'i str {
        let rest = &self.text[offset..];
        let end = rest.find(|c: char| c.is_ascii_whitespace() || "[]{},;".contains(c));
        let one = rest.chars().next().map_or(0, char::len_utf8);
        rest.get(..end.unwrap_or(rest.len()).max(one)).unwrap_or_default()
    }

    /// Returns the error for a text in which `expected` should come next.
    #[cold]
    pub(in crate::format) fn expected(&self, expected: &str, help: &str) -> Error {
        if self.at < self.text.len() {
            return self.place.expected(self.at, expected, self.shown(self.at), help);
        }
        let (at, got) = (self.place.position(self.at), "the end of the file".to_owned());
        Error::Parse { at, expected: expected.to_owned(), got, help: help.to_owned() }
    }
}
