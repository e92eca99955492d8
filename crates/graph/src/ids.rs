//! Maps original ids, by which the user knows the vertices, to the numbers `0..n` of the engines and back.
//!
//! Inner numbers follow the order of the original ids (numeric, or bytewise for names), so the smallest inner number
//! has the smallest original id.

use crate::{
    csr::Vertex,
    error::{Error, Position, Result},
    memory::Buffer,
};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// An original id: an integer or a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VertexId {
    /// A number, as in most edge lists.
    Number(u64),
    /// A name: any text that is not a number.
    Name(String),
}

impl fmt::Display for VertexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(n) => n.fmt(f),
            Self::Name(s) => s.fmt(f),
        }
    }
}

impl Serialize for VertexId {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Number(n) => serializer.serialize_u64(*n),
            Self::Name(s) => serializer.serialize_str(s),
        }
    }
}

impl<'de> Deserialize<'de> for VertexId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(u64),
            Text(String),
        }
        Ok(match Form::deserialize(deserializer)? {
            Form::Number(n) => Self::Number(n),
            Form::Text(text) => text.into(),
        })
    }
}

impl From<u64> for VertexId {
    fn from(n: u64) -> Self {
        Self::Number(n)
    }
}

impl From<u32> for VertexId {
    fn from(n: u32) -> Self {
        Self::Number(n.into())
    }
}

/// Converts literals such as in `Bfs::from(17)`; a negative number becomes the name it prints as.
impl From<i32> for VertexId {
    fn from(n: i32) -> Self {
        u64::try_from(n).map_or_else(|_| Self::Name(n.to_string()), Self::Number)
    }
}

/// Converts text that parses as a number to that number, so `"17"` and `17` are the same id.
impl From<&str> for VertexId {
    fn from(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Name(text.to_owned()), Self::Number)
    }
}

impl From<String> for VertexId {
    fn from(text: String) -> Self {
        text.parse().map_or(Self::Name(text), Self::Number)
    }
}

/// The original ids of a graph's vertices, in increasing order; cheap to clone.
#[derive(Debug, Clone)]
pub enum Ids {
    /// Consecutive numbers `first`, `first + 1`, ...
    Range {
        /// The id of inner vertex 0; 0 or 1 for most files.
        first: u64,
        /// The number of ids.
        len: usize,
    },
    /// Numbers with gaps, strictly increasing.
    Numbers(Buffer<u64>),
    /// Names, strictly increasing.
    Names(Names),
}

/// Names stored end to end: name `i` is `text[starts[i] .. starts[i + 1]]`.
#[derive(Debug, Clone)]
pub struct Names {
    starts: Buffer<u64>,
    text: Buffer<u8>,
}

impl Names {
    /// Takes names after checking that they are UTF-8 and strictly increasing.
    ///
    /// # Errors
    /// [`Error::Format`] describing the first violation; `origin` names the file.
    pub fn new(starts: Buffer<u64>, text: Buffer<u8>, origin: &str) -> Result<Self> {
        let damaged = |what: String| {
            Err(Error::format(Position::file(origin), what, "the file is damaged; make it anew"))
        };
        let ends_right = starts.first() == Some(&0) && starts.last() == Some(&(text.len() as u64));
        if !ends_right || !starts.is_sorted() {
            return damaged("the table of names does not fit the names".to_owned());
        }
        let Ok(all) = std::str::from_utf8(&text) else {
            return damaged("a name is not UTF-8".to_owned());
        };
        if let Some(i) = starts.iter().position(|&s| !all.is_char_boundary(s as usize)) {
            return damaged(format!("name {i} starts inside a character"));
        }
        let names = Self { starts, text };
        match (1..names.len()).find(|&i| names.get(i - 1) >= names.get(i)) {
            Some(i) => damaged(format!("name {i} is not greater than the one before it")),
            None => Ok(names),
        }
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns true if there are no names.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns name `i`. Panics if there is no such name.
    pub fn get(&self, i: usize) -> &str {
        let bytes = &self.text[self.starts[i] as usize..self.starts[i + 1] as usize];
        // `new` has checked UTF-8 and character boundaries.
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// Returns the start of each name in the text; one more entry than there are names.
    pub fn starts(&self) -> &Buffer<u64> {
        &self.starts
    }

    /// Returns the text of all names, end to end.
    pub fn text(&self) -> &Buffer<u8> {
        &self.text
    }
}

impl Ids {
    /// Returns the ids `0..len`.
    pub fn zero_based(len: usize) -> Self {
        Self::Range { first: 0, len }
    }

    /// Returns the number of vertices.
    pub fn len(&self) -> usize {
        match self {
            Self::Range { len, .. } => *len,
            Self::Numbers(ids) => ids.len(),
            Self::Names(names) => names.len(),
        }
    }

    /// Returns true if there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the original id of inner vertex `v`. Panics if there is no such vertex.
    pub fn id(&self, v: Vertex) -> VertexId {
        match self {
            Self::Range { first, len } => {
                assert!((v as usize) < *len, "vertex {v} of {len}");
                VertexId::Number(first + u64::from(v))
            }
            Self::Numbers(ids) => VertexId::Number(ids[v as usize]),
            Self::Names(names) => VertexId::Name(names.get(v as usize).to_owned()),
        }
    }

    /// Returns the ids of some vertices, which must rise, as numbers or names.
    ///
    /// # Errors
    /// [`Error::Format`] if the vertices do not rise.
    pub fn of(&self, vertices: &[Vertex]) -> Result<Self> {
        if let Self::Names(names) = self {
            let (mut starts, mut text) = (vec![0u64], Vec::new());
            for &v in vertices {
                text.extend_from_slice(names.get(v as usize).as_bytes());
                starts.push(text.len() as u64);
            }
            return Ok(Self::Names(Names::new(starts.into(), text.into(), "some vertices")?));
        }
        let number = |&v: &Vertex| match self {
            Self::Range { first, .. } => first + u64::from(v),
            Self::Numbers(ids) => ids[v as usize],
            Self::Names(_) => 0,
        };
        let numbers: Vec<u64> = vertices.iter().map(number).collect();
        match numbers.windows(2).all(|pair| pair[0] < pair[1]) {
            true => Ok(Self::Numbers(numbers.into())),
            false => {
                let at = Position::file("some vertices");
                Err(Error::format(at, "the vertices do not rise", "list them in rising order"))
            }
        }
    }

    /// Returns the inner vertex of an original id.
    ///
    /// # Errors
    /// [`Error::NoSuchVertex`] if the graph has no vertex of this id.
    pub fn vertex(&self, id: &VertexId) -> Result<Vertex> {
        self.find(id).ok_or_else(|| Error::NoSuchVertex { id: id.to_string(), universe: self.describe() })
    }

    /// Returns the inner vertex of an original id, or `None` if the graph has no such vertex.
    pub fn find(&self, id: &VertexId) -> Option<Vertex> {
        let index = match (self, id) {
            (Self::Range { first, len }, VertexId::Number(n)) => {
                n.checked_sub(*first).filter(|&i| i < *len as u64)? as usize
            }
            (Self::Numbers(ids), VertexId::Number(n)) => ids.binary_search(n).ok()?,
            (Self::Names(names), id) => {
                let name = id.to_string();
                let after = partition_point(names.len(), |i| names.get(i) < name.as_str());
                (after < names.len() && names.get(after) == name).then_some(after)?
            }
            (_, VertexId::Name(_)) => return None,
        };
        Some(index as Vertex)
    }

    /// Describes the ids in words: `ids 0 to 4038`, `7115 ids from 3 to 8297`, `57842 names from "0ad" to "zzuf"`.
    pub fn describe(&self) -> String {
        match self {
            _ if self.is_empty() => "no vertices".to_owned(),
            Self::Range { first, len } => format!("ids {first} to {}", first + *len as u64 - 1),
            Self::Numbers(ids) => format!("{} ids from {} to {}", ids.len(), ids[0], ids[ids.len() - 1]),
            Self::Names(names) => {
                format!("{} names from {:?} to {:?}", names.len(), names.get(0), names.get(names.len() - 1))
            }
        }
    }

    /// Returns the kind of the ids: `range`, `numbers` or `names`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Range { .. } => "range",
            Self::Numbers(_) => "numbers",
            Self::Names(_) => "names",
        }
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Range { .. } => 0,
            Self::Numbers(ids) => ids.bytes(),
            Self::Names(names) => names.starts.bytes() + names.text.bytes(),
        }
    }
}

fn partition_point(len: usize, below: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low + (high - low) / 2;
        if below(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Ids {
        let mut starts = vec![0];
        starts.extend(list.iter().scan(0, |end, s| {
            *end += s.len() as u64;
            Some(*end)
        }));
        Ids::Names(Names::new(starts.into(), list.concat().into_bytes().into(), "test").unwrap())
    }

    #[test]
    fn every_id_finds_its_own_vertex_and_others_find_none() {
        let all = [
            Ids::Range { first: 1, len: 3 },
            Ids::Numbers(vec![2, 30, u64::MAX].into()),
            names(&["7", "libc6", "zlib"]),
        ];
        for ids in all {
            for v in 0..3 {
                assert_eq!(ids.find(&ids.id(v)), Some(v), "{ids:?}");
            }
            assert_eq!(ids.find(&"nobody".into()), None);
            assert_eq!(ids.find(&0u64.into()), None);
        }
    }

    #[test]
    fn a_missing_vertex_is_named_with_the_ids_there_are() {
        let error = Ids::Range { first: 1, len: 3 }.vertex(&9.into()).unwrap_err();
        assert_eq!(error.to_string(), "vertex 9 is not in the graph (ids 1 to 3)");
    }

    #[test]
    fn unsorted_names_are_refused() {
        let bad = Names::new(vec![0, 1, 2].into(), b"ba".to_vec().into(), "x.wg");
        assert_eq!(bad.unwrap_err().to_string(), "x.wg: name 1 is not greater than the one before it");
    }
}
