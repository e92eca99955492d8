//! Texts that users give vertices beside their ids, such as titles or names of people.

use crate::{csr::Vertex, memory::Buffer};

/// A text per vertex, in the order of the ids; a vertex without one has the empty text. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Labels(Texts<Buffer<u64>, Buffer<u8>>);

/// Texts stored end to end: text `i` is `text[starts[i] .. starts[i + 1]]`.
#[derive(Debug, Clone)]
pub(crate) struct Texts<S = Vec<u64>, T = Vec<u8>> {
    starts: S,
    text: T,
}

impl Texts {
    pub(crate) fn new() -> Self {
        Self { starts: vec![0], text: Vec::new() }
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
        self.starts.push(self.text.len() as u64);
    }

    /// Returns the starts and the text.
    pub(crate) fn into_parts(self) -> (Vec<u64>, Vec<u8>) {
        (self.starts, self.text)
    }

    pub(crate) fn append(&mut self, other: &Self) {
        let end = self.text.len() as u64;
        self.text.extend_from_slice(&other.text);
        self.starts.extend(other.starts[1..].iter().map(|start| end + start));
    }
}

impl<S: std::ops::Deref<Target = [u64]>, T: std::ops::Deref<Target = [u8]>> Texts<S, T> {
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn get(&self, i: usize) -> &str {
        let bytes = &self.text[self.starts[i] as usize..self.starts[i + 1] as usize];
        // `push` takes whole strings only.
        std::str::from_utf8(bytes).unwrap_or_default()
    }
}

impl Labels {
    /// Keeps the texts in the order in which the iterator gives them, that of the ids.
    pub fn new<'a>(labels: impl IntoIterator<Item = &'a str>) -> Self {
        let mut texts = Texts::new();
        labels.into_iter().for_each(|label| texts.push(label));
        Self(Texts { starts: texts.starts.into(), text: texts.text.into() })
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text of vertex `v`, counted in the order of the ids. Panics if there is no such vertex.
    pub fn get(&self, v: Vertex) -> &str {
        self.0.get(v as usize)
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.starts.bytes() + self.0.text.bytes()
    }
}
