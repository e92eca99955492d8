//! Reads one start tag and its attributes.

use crate::{
    error::{Result, quote},
    format::elements::Place,
};
use quick_xml::{XmlVersion, events::attributes::Attributes};
use std::borrow::Cow;

/// A start tag, or the tag of an empty element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag<'i> {
    pub(super) place: Place<'i>,
    /// The offset of its `<`.
    pub(super) start: usize,
    /// The text between `<` and `>`, without the `/` of an empty element.
    body: &'i str,
    /// The length of its name, with the prefix.
    name: usize,
}

/// The value of an attribute, and its offset in the text.
#[derive(Debug, Clone)]
pub(super) struct Value<'i> {
    pub(super) text: Cow<'i, str>,
    pub(super) at: usize,
}

impl<'i> Tag<'i> {
    /// Returns the tag at `text[start..end]`.
    pub(super) fn new(place: Place<'i>, text: &'i str, start: usize, end: usize) -> Self {
        let tag = text.get(start..end).unwrap_or_default();
        let body = tag.trim_start_matches('<').trim_end_matches('>');
        let body = body.strip_suffix('/').unwrap_or(body);
        let name = body.find(|c: char| c.is_ascii_whitespace()).unwrap_or(body.len());
        Self { place, start, body, name }
    }

    /// Returns its name without the prefix.
    pub(super) fn name(&self) -> &'i str {
        let name = &self.body[..self.name];
        name.rsplit_once(':').map_or(name, |(_, local)| local)
    }

    /// Returns the values of the attributes with these names, `None` for each that is absent.
    pub(super) fn attributes<const N: usize>(&self, names: [&str; N]) -> Result<[Option<Value<'i>>; N]> {
        let mut values = [const { None }; N];
        let mut attributes = Attributes::new(self.body, self.name);
        // The library's check for duplicates compares every attribute with every other. The loop checks only those in
        // `names`.
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

    /// Returns the value of a required attribute. Fails if it is absent.
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
