//! One start tag and its attributes.

use super::Place;
use crate::error::{Result, quote};
use quick_xml::{XmlVersion, events::attributes::Attributes};
use std::borrow::Cow;

/// A start tag, or that of an empty element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag<'i> {
    pub(super) place: Place<'i>,
    /// Where its `<` stands.
    pub(super) start: usize,
    /// What stands between `<` and `>`.
    body: &'i str,
    /// The length of its name, prefix included.
    name: usize,
}

/// The value of an attribute, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Value<'i> {
    pub(super) text: Cow<'i, str>,
    pub(super) at: usize,
}

impl<'i> Tag<'i> {
    /// The tag that is `text[start..end]`.
    pub(super) fn new(place: Place<'i>, text: &'i str, start: usize, end: usize) -> Self {
        let tag = text.get(start..end).unwrap_or_default();
        let body = tag.trim_start_matches('<').trim_end_matches('>');
        let body = body.strip_suffix('/').unwrap_or(body);
        let name = body.find(|c: char| c.is_ascii_whitespace()).unwrap_or(body.len());
        Self { place, start, body, name }
    }

    /// Its name without a prefix.
    pub(super) fn name(&self) -> &'i str {
        let name = &self.body[..self.name];
        name.rsplit_once(':').map_or(name, |(_, local)| local)
    }

    /// The values of these attributes, where they are given.
    pub(super) fn attributes<const N: usize>(&self, names: [&str; N]) -> Result<[Option<Value<'i>>; N]> {
        let mut values = [const { None }; N];
        let mut attributes = Attributes::new(self.body, self.name);
        // The check compares every attribute with every other; those that are asked for are checked here.
        attributes.with_checks(false);
        for attribute in attributes {
            let attribute = attribute.map_err(|e| self.malformed(&e))?;
            let name = attribute.key.into_inner();
            let Some(which) = names.iter().position(|&n| n == name) else { continue };
            if values[which].is_some() {
                return Err(self.malformed(&format!("the attribute {name} is given twice")));
            }
            let raw: &str = &attribute.value;
            let offset = (raw.as_ptr() as usize).wrapping_sub(self.place.data.as_ptr() as usize);
            let at = offset.saturating_sub(self.place.skipped);
            let text = attribute.normalized_value(XmlVersion::Implicit1_0);
            let text = text.map_err(|_| self.no_entities(at, raw))?;
            values[which] = Some(Value { text, at });
        }
        Ok(values)
    }

    /// The value of an attribute that must be there.
    pub(super) fn required(&self, value: Option<Value<'i>>, name: &str) -> Result<Value<'i>> {
        value.ok_or_else(|| {
            let problem = format!("<{}> has no attribute {name}", self.name());
            self.place.error(self.start, problem, "add it, or make the file anew")
        })
    }

    fn malformed(&self, problem: &dyn std::fmt::Display) -> crate::Error {
        let problem = format!("the tag <{}> is no well-formed XML: {problem}", self.name());
        self.place.error(self.start, problem, "correct the tag, or make the file anew")
    }

    fn no_entities(&self, at: usize, raw: &str) -> crate::Error {
        let problem = format!("an entity that is not one of XML's own in {}", quote(raw.as_bytes()));
        let help = "write the character itself, or as &#number;";
        self.place.error(at, problem, help)
    }
}
