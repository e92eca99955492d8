//! Parses `name(key=value,key=value)`, the syntax of options in plans and orders.

use std::ops::RangeInclusive;

/// What is wrong with a text, and how to correct it.
pub(crate) type Wrong = (String, String);

/// The options in brackets after a name.
pub(crate) struct Brackets<'t> {
    name: &'t str,
    pairs: Vec<(&'t str, &'t str)>,
    /// Keys that the caller has asked for.
    known: Vec<&'static str>,
}

impl<'t> Brackets<'t> {
    /// Parses a text such as `name(key=value)`. Returns its name and its options.
    pub(crate) fn of(text: &'t str) -> Result<(&'t str, Self), Wrong> {
        let Some((name, rest)) = text.split_once('(') else {
            return Ok((text, Self { name: text, pairs: Vec::new(), known: Vec::new() }));
        };
        let broken = |what: String| (what, "options stand in brackets: name(key=value,key=value)".to_owned());
        let Some(inside) = rest.strip_suffix(')') else {
            return Err(broken(format!("{text:?} does not end with a closing bracket")));
        };
        let mut pairs = Vec::new();
        for option in inside.split(',') {
            let pair = option.split_once('=');
            pairs.push(pair.ok_or_else(|| broken(format!("expected key=value, got {option:?}")))?);
        }
        Ok((name, Self { name, pairs, known: Vec::new() }))
    }

    /// Returns the value of a key. Refuses a key that is given twice.
    fn take(&mut self, key: &'static str) -> Result<Option<&'t str>, Wrong> {
        self.known.push(key);
        let mut values = self.pairs.iter().filter(|(k, _)| *k == key).map(|&(_, value)| value);
        let first = values.next();
        match values.next() {
            None => Ok(first),
            Some(_) => Err((format!("{key:?} stands twice"), "give each key once".to_owned())),
        }
    }

    /// Returns true unless the key is `off`.
    pub(crate) fn switch(&mut self, key: &'static str) -> Result<bool, Wrong> {
        match self.take(key)? {
            None | Some("on") => Ok(true),
            Some("off") => Ok(false),
            Some(other) => {
                Err((format!("{key} is on or off, got {other:?}"), format!("{}({key}=off)", self.name)))
            }
        }
    }

    /// Returns the value of a key that takes one of these words; the first if the key is not given.
    pub(crate) fn one_of(
        &mut self,
        key: &'static str,
        words: &[&'static str],
    ) -> Result<&'static str, Wrong> {
        let Some(value) = self.take(key)? else { return Ok(words[0]) };
        words.iter().find(|&&word| word == value).copied().ok_or_else(|| {
            let what = format!("{key} is one of {}, got {value:?}", words.join(", "));
            (what, format!("{}({key}={})", self.name, words[words.len() - 1]))
        })
    }

    /// Returns an integer within limits; `example` is a valid value for the error message.
    pub(crate) fn number(
        &mut self,
        key: &'static str,
        limits: RangeInclusive<u32>,
        example: u32,
    ) -> Result<Option<u32>, Wrong> {
        let Some(value) = self.take(key)? else { return Ok(None) };
        value.parse().ok().filter(|number| limits.contains(number)).map(Some).ok_or_else(|| {
            let (least, most) = limits.into_inner();
            let what = format!("{key} is a whole number from {least} to {most}, got {value:?}");
            (what, format!("{}({key}={example})", self.name))
        })
    }

    /// Returns the value of a key as it is written.
    pub(crate) fn text(&mut self, key: &'static str) -> Result<Option<&'t str>, Wrong> {
        self.take(key)
    }

    /// Refuses keys that the caller has not asked for.
    pub(crate) fn end(&self) -> Result<(), Wrong> {
        match self.pairs.iter().find(|(key, _)| !self.known.contains(key)) {
            None => Ok(()),
            Some((key, _)) => {
                let help = match &self.known[..] {
                    [] => format!("{} takes none", self.name),
                    known => format!("{} takes: {}", self.name, known.join(", ")),
                };
                Err((format!("unknown key {key:?}"), help))
            }
        }
    }
}
