//! [`Cut`]: which part owns which vertices.

use crate::{Error, Result};
use std::ops::Range;
use warpgraph_graph::{Control, Csr, Vertex, generate::Spec};

/// The owner of every vertex: part `p` owns the vertices `starts[p] .. starts[p + 1]`. Parts may be empty, and there may be
/// more parts than vertices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    starts: Vec<Vertex>,
}

/// The most parts of a cut.
pub const MAX_PARTS: usize = 1 << 16;

impl Cut {
    /// Takes the first vertex of every part, and the number of vertices at the end.
    ///
    /// # Errors
    /// [`Error::Run`] if there is no part, if there are too many, or if the starts do not rise from 0.
    pub fn new(starts: Vec<Vertex>) -> Result<Self> {
        let refuse = |what: String| {
            let help = "a cut lists the first vertex of every part, from 0, and then the number of vertices";
            Err(warpgraph_graph::Error::invalid(what, help).into())
        };
        let parts = starts.len().saturating_sub(1);
        if parts == 0 || parts > MAX_PARTS {
            return refuse(format!("a cut into {parts} parts, expected 1 to {MAX_PARTS}"));
        }
        if starts[0] != 0 {
            return refuse(format!("a cut that starts at vertex {}, expected 0", starts[0]));
        }
        match starts.windows(2).position(|pair| pair[0] > pair[1]) {
            None => Ok(Self { starts }),
            Some(part) => refuse(format!(
                "part {part} of a cut starts at vertex {} and ends before vertex {}",
                starts[part],
                starts[part + 1]
            )),
        }
    }

    /// Returns the cut of a graph into parts with about equally many arcs and vertices, counted together.
    ///
    /// # Errors
    /// [`Error::Run`] if there is no part, or if there are too many.
    pub fn even(csr: &Csr, parts: usize) -> Result<Self> {
        Self::even_by(csr.vertices(), parts, |v| csr.offsets().get(v) as u64 + v as u64)
    }

    /// Returns the cut of so many vertices into parts of about equal work; `before(v)` is the work of all vertices before
    /// `v`, and `before(vertices)` that of all.
    ///
    /// # Errors
    /// As [`Cut::even`].
    pub fn even_by(vertices: usize, parts: usize, before: impl Fn(usize) -> u64) -> Result<Self> {
        let all = u128::from(before(vertices));
        let start = |part: usize| {
            let wanted = (all * part as u128 / parts.max(1) as u128) as u64;
            let (mut low, mut high) = (0, vertices);
            while low < high {
                let middle = low + (high - low) / 2;
                if before(middle) < wanted { low = middle + 1 } else { high = middle }
            }
            low as Vertex
        };
        if parts == 0 || parts > MAX_PARTS {
            return Self::new(vec![0; (parts + 1).min(MAX_PARTS + 2)]);
        }
        Self::new((0..parts).map(start).chain([vertices as Vertex]).collect())
    }

    /// Returns the cut of a generated graph, without generating it: by the arcs that the generator lists for blocks of
    /// vertices. Every process that calls it gets the same cut.
    ///
    /// # Errors
    /// As [`Cut::even`], and the error of `control` if it stops the work.
    pub fn of_spec(spec: &Spec, parts: usize, control: &Control) -> Result<Self> {
        let n = spec.estimate().vertices;
        let (block, arcs) = spec.arcs_by_block(control)?;
        let mut before = vec![0];
        for arcs in arcs {
            before.push(before[before.len() - 1] + arcs + block);
        }
        let blocks = Self::even_by(before.len() - 1, parts, |at| before[at])?;
        Self::new(blocks.starts.iter().map(|&at| (u64::from(at) * block).min(n) as Vertex).collect())
    }

    /// Returns the number of parts.
    pub fn parts(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the number of vertices of the whole.
    pub fn vertices(&self) -> usize {
        self.starts[self.parts()] as usize
    }

    /// Returns the first vertex of every part, and the number of vertices at the end.
    pub fn starts(&self) -> &[Vertex] {
        &self.starts
    }

    /// Returns the vertices of a part. Panics if there is no such part.
    pub fn range(&self, part: usize) -> Range<Vertex> {
        self.starts[part]..self.starts[part + 1]
    }

    /// Returns the part that owns a vertex. Panics if there is no such vertex.
    pub fn owner(&self, v: Vertex) -> usize {
        assert!((v as usize) < self.vertices(), "vertex {v} of {}", self.vertices());
        self.starts.partition_point(|&start| start <= v) - 1
    }

    /// Refuses a part that does not exist.
    ///
    /// # Errors
    /// [`Error::Run`].
    pub fn check(&self, part: usize) -> Result<()> {
        if part < self.parts() {
            return Ok(());
        }
        let what = format!("part {part} of a cut into {}", self.parts());
        Err(Error::from(warpgraph_graph::Error::invalid(what, "parts are counted from 0")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_vertex_has_one_owner_and_no_part_has_much_more_than_its_share(
            degrees in prop::collection::vec(0u64..50, 0..200), parts in 1usize..40,
        ) {
            let mut before = vec![0];
            degrees.iter().for_each(|d| before.push(before.last().unwrap() + d + 1));
            let cut = Cut::even_by(degrees.len(), parts, |v| before[v]).unwrap();
            prop_assert_eq!(cut.parts(), parts);
            prop_assert_eq!(cut.vertices(), degrees.len());
            let most = degrees.iter().max().map_or(0, |d| d + 1);
            for part in 0..parts {
                let range = cut.range(part);
                range.clone().for_each(|v| assert_eq!(cut.owner(v), part));
                let work = before[range.end as usize] - before[range.start as usize];
                prop_assert!(work <= before[degrees.len()].div_ceil(parts as u64) + most);
            }
        }
    }

    #[test]
    fn starts_that_do_not_rise_from_zero_are_refused() {
        for starts in [vec![], vec![0], vec![1, 2], vec![0, 3, 2]] {
            assert!(Cut::new(starts.clone()).is_err(), "{starts:?}");
        }
        assert!(Cut::even_by(3, 0, |v| v as u64).is_err());
        assert!(Cut::even_by(3, MAX_PARTS + 1, |v| v as u64).is_err());
        assert!(Cut::even_by(3, MAX_PARTS, |v| v as u64).is_ok());
    }
}
