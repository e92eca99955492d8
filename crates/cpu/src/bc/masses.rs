//! What a vertex stands for: itself, or in a block also the vertices that hang at it outside the block. And where its arcs
//! are: in its row, and on a graph with copies also in those of its copies.

use warpgraph_core::program::Copies;
use warpgraph_graph::{Offset, Vertex, View};

/// The number of vertices that each vertex stands for, as a source and as a target.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Masses<'a>(Option<&'a [f64]>);

impl<'a> Masses<'a> {
    pub(super) fn of_blocks(masses: &'a [f64]) -> Self {
        Self(Some(masses))
    }

    /// Returns what a vertex stands for; 1 unless the graph was folded.
    #[inline(always)]
    pub(super) fn of(self, v: Vertex) -> f64 {
        self.0.map_or(1.0, |masses| masses[v as usize])
    }
}

/// What the vertices of a graph stand for, and their copies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stands<'a> {
    pub(super) masses: Masses<'a>,
    pub(super) copies: Option<&'a Copies>,
}

impl<'a> Stands<'a> {
    /// Returns the rows of a vertex: its own, and those of its copies.
    #[inline(always)]
    pub(super) fn rows(self, v: Vertex) -> impl Iterator<Item = Vertex> + 'a {
        let copies = self.copies.map_or(&[][..], |copies| copies.of_master(v));
        std::iter::once(v).chain(copies.iter().copied())
    }

    /// Returns the number of arcs in all rows of a vertex.
    #[inline(always)]
    pub(super) fn degree<O: Offset>(self, out: View<'_, O>, v: Vertex) -> usize {
        self.copies.map_or_else(|| out.degree(v), |copies| copies.degrees()[v as usize] as usize)
    }
}
