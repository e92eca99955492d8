//! Parses the text after a generator's name: a size, then `key=value` pairs, each checked against its range.

use crate::{
    csr::MAX_VERTICES,
    error::{Error, Result, quote},
    suggest::did_you_mean,
};
use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

/// The largest scale: 2^31 is at most [`MAX_VERTICES`], and 2^32 is more.
pub(super) const MAX_SCALE: u32 = 31;

/// The parts of a description such as `kron:20,seed=3,directed`.
pub(super) struct Keys<'a> {
    /// The whole text, for error messages.
    text: &'a str,
    size: &'a str,
    pairs: Vec<(&'a str, Option<&'a str>)>,
}

impl<'a> Keys<'a> {
    /// Splits `rest`, the text after `name:`, into the size and the keys.
    ///
    /// # Errors
    /// Returns [`Error::Invalid`] for a key that is not in `known` or occurs twice.
    pub(super) fn split(text: &'a str, name: &str, rest: &'a str, known: &[&str]) -> Result<Self> {
        let mut parts = rest.split(',');
        let size = parts.next().unwrap_or_default();
        let mut pairs: Vec<(&str, Option<&str>)> = Vec::new();
        for part in parts {
            let (key, value) = part.split_once('=').map_or((part, None), |(k, v)| (k, Some(v)));
            if !known.contains(&key) {
                return Err(unknown_key(text, name, key, known));
            }
            if pairs.iter().any(|p| p.0 == key) {
                return Err(Error::invalid(
                    format!("{text}: {key} is given twice"),
                    format!("leave one {key} out"),
                ));
            }
            pairs.push((key, value));
        }
        Ok(Self { text, size, pairs })
    }

    /// Parses the size as a scale of at least `least`: the graph has 2^scale vertices.
    pub(super) fn scale(&self, least: u32) -> Result<u32> {
        let expected = format!("a scale from {least} to {MAX_SCALE} (the graph has 2^scale vertices)");
        self.require_digits(self.size, &expected)?;
        match self.size.parse::<u32>() {
            Ok(scale) if scale < least => Err(self.expected(&expected, self.size)),
            Ok(scale) if scale <= MAX_SCALE => Ok(scale),
            _ => Err(self.too_many(format!("2^{}", self.size.trim_start_matches('0')))),
        }
    }

    /// Parses the size as a number of vertices.
    pub(super) fn vertices(&self) -> Result<u64> {
        self.count(self.size, "a number of vertices, at least 1")
    }

    /// Parses the size as `WIDTHxHEIGHT`.
    pub(super) fn rectangle(&self) -> Result<(u64, u64)> {
        let expected = "a width and a height, such as 1024x1024";
        let (width, height) = self.size.split_once('x').ok_or_else(|| self.expected(expected, self.size))?;
        let (width, height) = (self.count(width, expected)?, self.count(height, expected)?);
        match width * height {
            n if n <= MAX_VERTICES => Ok((width, height)),
            n => Err(self.too_many(n.to_string())),
        }
    }

    /// Parses a number from 1 to [`MAX_VERTICES`].
    fn count(&self, text: &str, expected: &str) -> Result<u64> {
        self.require_digits(text, expected)?;
        match text.parse::<u64>() {
            Ok(0) => Err(self.expected(expected, self.size)),
            Ok(n) if n <= MAX_VERTICES => Ok(n),
            _ => Err(self.too_many(text.trim_start_matches('0').to_owned())),
        }
    }

    fn require_digits(&self, text: &str, expected: &str) -> Result<()> {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if digits { Ok(()) } else { Err(self.expected(expected, self.size)) }
    }

    /// Returns the value of `key`, or `None` if the key is not given. The value is empty for a key without `=`.
    pub(super) fn value(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().find(|p| p.0 == key).map(|p| p.1.unwrap_or_default())
    }

    /// Parses the value of `key` as a number in `range`; returns `default` if the key is not given.
    pub(super) fn number<T>(&self, key: &str, default: T, range: RangeInclusive<T>) -> Result<T>
    where
        T: FromStr + PartialOrd + Display,
    {
        let Some(value) = self.value(key) else { return Ok(default) };
        match value.parse::<T>() {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => {
                let bounds = format!("from {} to {}", range.start(), range.end());
                let what = format!("{}: {key} must be {bounds}, got {}", self.text, quote(value.as_bytes()));
                Err(Error::invalid(what, format!("leave {key} out for its default, {default}")))
            }
        }
    }

    /// Parses a switch, `key`, `key=true` or `key=false`; returns `default` if the key is not given.
    pub(super) fn flag(&self, key: &str, default: bool) -> Result<bool> {
        match self.pairs.iter().find(|p| p.0 == key).map(|p| p.1) {
            None => Ok(default),
            Some(None | Some("true")) => Ok(true),
            Some(Some("false")) => Ok(false),
            Some(Some(other)) => {
                let got = quote(other.as_bytes());
                let what = format!("{}: {key} must be true or false, got {got}", self.text);
                Err(Error::invalid(what, format!("write {key}, {key}=true or {key}=false")))
            }
        }
    }

    /// Returns the error for a value of `key` that is not what `expected` describes.
    pub(super) fn refuse(&self, key: &str, expected: &str, help: &str) -> Error {
        let got = quote(self.value(key).unwrap_or_default().as_bytes());
        Error::invalid(format!("{}: {key} must be {expected}, got {got}", self.text), help)
    }

    fn expected(&self, expected: &str, got: &str) -> Error {
        Error::invalid(
            format!("{}: expected {expected}, got {}", self.text, quote(got.as_bytes())),
            "a generator is name:size, such as kron:20, grid:1024x1024 or powerlaw:1000000",
        )
    }

    fn too_many(&self, vertices: String) -> Error {
        Error::TooLarge {
            what: self.text.to_owned(),
            needed: format!("{vertices} vertices"),
            limit: format!("{MAX_VERTICES}"),
            help: format!("choose a smaller graph; the largest scale is {MAX_SCALE}"),
        }
    }
}

fn unknown_key(text: &str, name: &str, key: &str, known: &[&str]) -> Error {
    let list = known.join(", ");
    Error::invalid(
        format!("{text}: {name} has no key {}", quote(key.as_bytes())),
        did_you_mean(key, known, &format!("its keys are {list}")),
    )
}
