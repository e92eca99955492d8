//! Tables with an entry for each query of a block, kept from block to block.

use std::sync::{Mutex, PoisonError};
use warpgraph_core::Result;
use warpgraph_graph::Pages;

/// Room for the tables of one block.
pub(super) struct Tables {
    words: Pages<u32>,
    queries: usize,
}

/// The tables of a block that is swept.
pub(super) struct Parts<'a> {
    /// Members of each query in the first half.
    pub(super) firsts: &'a mut [u32],
    /// What each query gives when a member leaves the first half, and the second.
    pub(super) leaving: [&'a mut [f32]; 2],
    /// More tables of any content, one after the other.
    pub(super) more: &'a mut [u32],
}

impl Tables {
    /// The members of each query in the first half, when the block has been swept.
    pub(super) fn firsts(&mut self) -> &mut [u32] {
        &mut self.words[..self.queries]
    }

    /// All tables, with so many more than always; members are 0.
    pub(super) fn parts(&mut self, more: usize) -> Parts<'_> {
        let (firsts, rest) = self.words.split_at_mut(self.queries);
        let (one, rest) = rest.split_at_mut(self.queries);
        let (other, rest) = rest.split_at_mut(self.queries);
        firsts.fill(0);
        let leaving = [bytemuck::cast_slice_mut(one), bytemuck::cast_slice_mut(other)];
        Parts { firsts, leaving, more: &mut rest[..more * self.queries] }
    }
}

/// Tables that no block uses at present: never more than there are threads, as large as the blocks they were for.
#[derive(Default)]
pub(super) struct Shelf(Mutex<Vec<Pages<u32>>>);

impl Shelf {
    /// Tables for so many queries, and so many more than always.
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
