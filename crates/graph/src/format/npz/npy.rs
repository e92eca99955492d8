//! Reads one array of a NumPy file: its type, its shape and its bytes.

use super::zip::Unpacked;
use crate::error::{Error, Position, Result, quote};

/// A NumPy array whose length matches its type and shape.
#[derive(Debug)]
pub(super) struct Array<'a> {
    /// The names of the file and the member, for error messages.
    place: String,
    /// The type as NumPy writes it, e.g. `<i4`.
    pub(super) kind: String,
    pub(super) shape: Vec<u64>,
    bytes: Unpacked<'a>,
    start: usize,
}

impl<'a> Array<'a> {
    /// Reads the header of an `.npy` file (magic, version and a Python dictionary) and checks the length of the data.
    pub(super) fn new(file: &str, member: &str, bytes: Unpacked<'a>) -> Result<Self> {
        let place = format!("{file}: {member}");
        let (header, start) = header(&bytes).ok_or_else(|| {
            problem(&place, "this is no NumPy array of version 1 to 3, or its header is cut short")
        })?;
        let (Some(kind), Some(shape)) = (quoted(field(header, "descr")), tuple(field(header, "shape")))
        else {
            let header = quote(header.as_bytes());
            return Err(problem(&place, format!("expected a plain array, got one described as {header}")));
        };
        let array = Self { place, kind: kind.to_owned(), shape, bytes, start };
        array.check_len()?;
        Ok(array)
    }

    /// Returns an error if the number of bytes differs from what the type and the shape require.
    fn check_len(&self) -> Result<()> {
        let digits = self.kind.trim_start_matches(|c: char| !c.is_ascii_digit());
        let width = if self.kind.ends_with('?') { Some(1) } else { digits.parse::<u64>().ok() };
        // NumPy stores each character of a text in four bytes.
        let width = width.map(|w| if self.kind.contains('U') { w.saturating_mul(4) } else { w });
        let len = self.shape.iter().try_fold(width.unwrap_or(0), |len, &n| len.checked_mul(n));
        let got = (self.bytes.len() - self.start) as u64;
        if width.is_some() && len == Some(got) {
            return Ok(());
        }
        let (kind, shape) = (&self.kind, &self.shape);
        Err(self.wrong(format!("{got} bytes for an array of type {kind} and shape {shape:?}")))
    }

    /// Returns the elements as bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Returns the number of elements, or an error if the array does not have exactly one dimension.
    pub(super) fn len(&self) -> Result<usize> {
        match self.shape[..] {
            [len] => Ok(len as usize),
            _ => Err(self.wrong(format!("expected an array with one dimension, got shape {:?}", self.shape))),
        }
    }

    /// Makes an error about this array.
    pub(super) fn wrong(&self, what: impl Into<String>) -> Error {
        problem(&self.place, what)
    }

    /// Returns the first 40 characters of a text, stored as bytes or as 32-bit characters.
    pub(super) fn text(&self) -> String {
        let bytes = self.bytes();
        let units: Vec<u32> = match self.kind.as_str() {
            kind if kind.contains('U') => {
                bytes.as_chunks::<4>().0.iter().map(|unit| u32::from_le_bytes(*unit)).collect()
            }
            _ => bytes.iter().map(|&byte| byte.into()).collect(),
        };
        units.into_iter().take(40).take_while(|&u| u != 0).filter_map(char::from_u32).collect()
    }
}

fn problem(place: &str, what: impl Into<String>) -> Error {
    let help = "the file is damaged, or not written by scipy.sparse.save_npz; make it anew";
    Error::format(Position::file(place), what, help)
}

/// Returns the dictionary of the header and the index of the first byte of data.
fn header(bytes: &[u8]) -> Option<(&str, usize)> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (len, start) = match rest.first()? {
        1 => (u16::from_le_bytes(bytes.get(8..10)?.try_into().ok()?).into(), 10),
        2 | 3 => (u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?) as usize, 12),
        _ => return None,
    };
    let header = std::str::from_utf8(bytes.get(start..start + len)?).ok()?;
    Some((header, start + len))
}

/// Returns the text that follows the name of a field, or the empty string if the field is missing.
fn field<'t>(header: &'t str, name: &str) -> &'t str {
    let rest = header.split_once(&format!("'{name}':")).map_or("", |(_, rest)| rest);
    rest.trim_ascii_start()
}

/// Returns the text in single quotes at the start of `text`.
fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('\'')?.split_once('\'').map(|(text, _)| text)
}

/// Returns the integers in parentheses at the start of `text`.
fn tuple(text: &str) -> Option<Vec<u64>> {
    let (inside, _) = text.strip_prefix('(')?.split_once(')')?;
    let numbers = inside.split(',').map(str::trim_ascii).filter(|n| !n.is_empty());
    numbers.map(|n| n.parse().ok()).collect()
}
