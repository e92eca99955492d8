//! Reads JSON piece by piece, without a tree and without recursion.

use crate::{error::Result, format::elements::Scan};
use std::borrow::Cow;

pub(super) const HELP: &str =
    "this is no valid JSON; the file is cut short or damaged, fetch or make it anew";

/// A value that is no list and no object.
#[derive(Debug, Clone)]
pub(super) enum Scalar<'i> {
    Text(Cow<'i, str>),
    /// A number as the file writes it; also `NaN` and `Infinity`, which Python writes.
    Number(&'i str),
    /// `true`, `false` or `null`.
    Word(&'i str),
}

impl Scalar<'_> {
    /// Returns the text of a value, for messages.
    pub(super) fn shown(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Number(text) | Self::Word(text) => text,
        }
    }
}

/// Opens an object or a list, whose mark is `open`, and returns true; returns false if another value follows.
pub(super) fn opens(scan: &mut Scan<'_, '_>, open: u8) -> bool {
    scan.skip_space();
    scan.take(open)
}

/// Moves to the next item of an open object or list and returns true, or behind its mark `close` and returns false.
/// `first` is true before the first item.
pub(super) fn next(scan: &mut Scan<'_, '_>, first: &mut bool, close: u8) -> Result<bool> {
    scan.tick()?;
    scan.skip_space();
    let is_first = std::mem::take(first);
    if scan.take(close) {
        return Ok(false);
    }
    if !is_first && !scan.take(b',') {
        return Err(scan.expected(if close == b'}' { "`,` or `}`" } else { "`,` or `]`" }, HELP));
    }
    scan.skip_space();
    Ok(true)
}

/// Reads the next key of an open object and its `:`, or returns `None` behind its `}`.
pub(super) fn key<'i>(scan: &mut Scan<'i, '_>, first: &mut bool) -> Result<Option<Cow<'i, str>>> {
    if !next(scan, first, b'}')? {
        return Ok(None);
    }
    let key = string(scan)?;
    scan.skip_space();
    if !scan.take(b':') {
        return Err(scan.expected("`:`", HELP));
    }
    scan.skip_space();
    Ok(Some(key))
}

/// Reads a value that is no list and no object; returns `None` without moving in front of one that is.
pub(super) fn scalar<'i>(scan: &mut Scan<'i, '_>) -> Result<Option<Scalar<'i>>> {
    scan.skip_space();
    match scan.peek() {
        Some(b'{' | b'[') => return Ok(None),
        Some(b'"') => return Ok(Some(Scalar::Text(string(scan)?))),
        _ => {}
    }
    let start = scan.at;
    let word = scan.skip_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.'));
    match word {
        "true" | "false" | "null" => Ok(Some(Scalar::Word(word))),
        "NaN" | "Infinity" | "-Infinity" => Ok(Some(Scalar::Number(word))),
        _ if word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) && word.parse::<f64>().is_ok() => {
            Ok(Some(Scalar::Number(word)))
        }
        _ => {
            scan.at = start;
            Err(scan.expected("a value", HELP))
        }
    }
}

/// Moves over a value, with all that it contains.
pub(super) fn skip(scan: &mut Scan<'_, '_>) -> Result<()> {
    let mut open = Vec::new();
    loop {
        scan.tick()?;
        scan.skip_space();
        match scan.peek() {
            Some(mark @ (b'{' | b'[')) => {
                scan.at += 1;
                open.push(if mark == b'{' { b'}' } else { b']' });
            }
            Some(mark @ (b'}' | b']')) if open.last() == Some(&mark) => {
                scan.at += 1;
                open.pop();
            }
            Some(b',' | b':') if !open.is_empty() => scan.at += 1,
            _ => drop(scalar(scan)?),
        }
        if open.is_empty() {
            return Ok(());
        }
    }
}

/// Reads a string and decodes it.
fn string<'i>(scan: &mut Scan<'i, '_>) -> Result<Cow<'i, str>> {
    if !scan.take(b'"') {
        return Err(scan.expected("a string", HELP));
    }
    let (first, mut start) = (scan.at, scan.at);
    let mut decoded = String::new();
    loop {
        let rest = &scan.text.as_bytes()[scan.at..];
        let Some(len) = memchr::memchr2(b'"', b'\\', rest) else {
            return Err(scan.place.error(first - 1, "this string has no end", HELP));
        };
        scan.at += len + 1;
        let section = &scan.text[start..scan.at - 1];
        if rest[len] == b'"' {
            if start == first {
                return Ok(Cow::Borrowed(section));
            }
            decoded.push_str(section);
            return Ok(Cow::Owned(decoded));
        }
        decoded.push_str(section);
        decoded.push(escape(scan)?);
        start = scan.at;
    }
}

/// Reads what follows a `\` and returns its character.
fn escape(scan: &mut Scan<'_, '_>) -> Result<char> {
    let at = scan.at - 1;
    let wrong = |scan: &Scan<'_, '_>| scan.place.error(at, "a `\\` that stands for no character", HELP);
    let Some(letter) = scan.peek() else { return Err(wrong(scan)) };
    let plain = match letter {
        b'"' | b'\\' | b'/' => Some(char::from(letter)),
        b'b' => Some('\u{8}'),
        b'f' => Some('\u{c}'),
        b'n' => Some('\n'),
        b'r' => Some('\r'),
        b't' => Some('\t'),
        b'u' => None,
        _ => return Err(wrong(scan)),
    };
    scan.at += 1;
    if let Some(plain) = plain {
        return Ok(plain);
    }
    let high = unit(scan).ok_or_else(|| wrong(scan))?;
    if let Some(c) = char::from_u32(high.into()) {
        return Ok(c);
    }
    // A character beyond 16 bits is written as two units.
    let low = if scan.take(b'\\') && scan.take(b'u') { unit(scan) } else { None };
    let mut pair = char::decode_utf16([high, low.unwrap_or(0)]);
    pair.next().and_then(|c| c.ok()).ok_or_else(|| wrong(scan))
}

/// Reads four hexadecimal digits.
fn unit(scan: &mut Scan<'_, '_>) -> Option<u16> {
    let digits = scan.text.get(scan.at..scan.at + 4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
    scan.at += 4;
    u16::from_str_radix(digits, 16).ok()
}
