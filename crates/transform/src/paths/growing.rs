//! An array that grows at its end, and whose growth may fail.

use bytemuck::Pod;
use std::ops::Deref;
use warpgraph_graph::{Pages, Result};

/// The array. It doubles when it is full, so that an element is copied once on average.
#[derive(Debug)]
pub(super) struct Growing<T: Pod> {
    pages: Pages<T>,
    len: usize,
}

/// The least number of elements to make room for.
const LEAST: usize = 64;

impl<T: Pod> Growing<T> {
    /// Returns an empty array.
    pub(super) fn new() -> Self {
        Self { pages: Pages::from(Vec::new()), len: 0 }
    }

    /// Appends an element.
    #[inline(always)]
    pub(super) fn push(&mut self, element: T) -> Result<()> {
        if self.len == self.pages.len() {
            self.grow(1)?;
        }
        self.pages[self.len] = element;
        self.len += 1;
        Ok(())
    }

    /// Appends elements.
    #[inline(always)]
    pub(super) fn extend(&mut self, elements: &[T]) -> Result<()> {
        if self.pages.len() - self.len < elements.len() {
            self.grow(elements.len())?;
        }
        let end = self.len + elements.len();
        self.pages[self.len..end].copy_from_slice(elements);
        self.len = end;
        Ok(())
    }

    /// Drops all elements from `len` on.
    #[inline(always)]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    #[cold]
    fn grow(&mut self, more: usize) -> Result<()> {
        let room = (self.len + more).max(2 * self.pages.len()).max(LEAST);
        let mut pages = Pages::scratch(room)?;
        pages[..self.len].copy_from_slice(&self.pages[..self.len]);
        self.pages = pages;
        Ok(())
    }
}

impl<T: Pod> Deref for Growing<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.pages[..self.len]
    }
}
