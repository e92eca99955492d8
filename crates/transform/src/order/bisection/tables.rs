//! Tables with one entry per query of a block, reused from block to block.

use std::sync::{Mutex, PoisonError};
use warpgraph_core::Result;
use warpgraph_graph::Pages;

/// Space for the tables of one block.
pub(super) struct Tables {
    words: Pages<u32>,
    queries: usize,
}

/// The tables of a block during its sweeps.
pub(super) struct Parts<'a> {
    /// Members of each query in the first half.
    pub(super) firsts: &'a mut [u32],
    /// By how much the cost of each query drops when a member leaves the first half, and the second.
    pub(super) leaving: [&'a mut [f32]; 2],
    /// Further tables with undefined contents, one after the other.
    pub(super) more: &'a mut [u32],
}

impl Tables {
    /// Returns the number of members of each query in the first half, after the sweeps.
    pub(super) fn firsts(&mut self) -> &mut [u32] {
        &mut self.words[..self.queries]
    }

    /// Returns all tables, with `more` further ones. The numbers of members are 0.
    pub(super) fn parts(&mut self, more: usize) -> Parts<'_> {
        let (firsts, rest) = self.words.split_at_mut(self.queries);
        let (one, rest) = rest.split_at_mut(self.queries);
        let (other, rest) = rest.split_at_mut(self.queries);
        firsts.fill(0);
        let leaving = [bytemuck::cast_slice_mut(one), bytemuck::cast_slice_mut(other)];
        Parts { firsts, leaving, more: &mut rest[..more * self.queries] }
    }
}

/// Tables that no block uses now: at most one per thread, each as large as the block it was for.
#[derive(Default)]
pub(super) struct Shelf(Mutex<Vec<Pages<u32>>>);

impl Shelf {
    /// Returns tables for this many queries, with `more` further ones.
    pub(super) fn take(&self, queries: usize, more: usize) -> Result<Tables> {
        let len = queries * (3 + more);
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let words = match spare {
            Some(words) if words.len() >= len => words,
            _ => Pages::scratch(len)?,
        };
        Ok(Tables { words, queries })
    }

    pub(super) fn put(&self, tables: Tables) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(tables.words);
    }
}
