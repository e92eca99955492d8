//! Decodes successor lists one after the other.
//!
//! The list of node `x` consists of:
//!
//! 1. the out-degree `d`; nothing follows if `d` is 0;
//! 2. the distance back to the list it refers to, or 0 for none; absent if the window is 0;
//! 3. if it refers to a list, the lengths of blocks of that list, copied and skipped by turns. The first block may be
//!    empty. After an even number of blocks, the rest of the list is copied too;
//! 4. the successors that are not copied: first intervals of consecutive nodes, then the residuals, which are single
//!    nodes.
//!
//! The start of the first interval and the first residual are stored relative to `x`, with the sign in the lowest bit.
//! Every other one is stored as the gap to its predecessor, less the smallest gap that can occur.

use super::{bits::Bits, properties::Properties};
use crate::{
    csr::Vertex,
    error::{Error, Position, Result},
};
use std::ops::Range;

pub(super) const DAMAGED: &str =
    "the file is damaged, cut short, or does not belong to its .properties; fetch both anew";

/// A decoder of successor lists that reuses its scratch memory from one list to the next.
#[derive(Debug)]
pub(super) struct Lists<'a> {
    pub(super) bits: Bits<'a>,
    name: &'a str,
    properties: &'a Properties,
    /// The ranges copied from the list referred to.
    copied: Vec<Range<usize>>,
    intervals: Vec<Range<Vertex>>,
    /// The successors that are not copied, from intervals and residuals, in ascending order if the file is intact.
    extras: Vec<Vertex>,
}

/// The start of a list: its out-degree and its reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) degree: usize,
    /// The node whose list this list refers to.
    pub(super) reference: Option<usize>,
}

impl<'a> Lists<'a> {
    pub(super) fn new(name: &'a str, data: &'a [u8], properties: &'a Properties) -> Self {
        let (copied, intervals, extras) = Default::default();
        Self { bits: Bits::new(data), name, properties, copied, intervals, extras }
    }

    /// Reads the out-degree of `x`.
    #[inline]
    pub(super) fn degree(&mut self, x: usize) -> Result<usize> {
        let degree = self.bits.read(self.properties.codes.degrees);
        if degree > self.properties.nodes || self.bits.is_broken() {
            let most = self.properties.nodes;
            return Err(self.damaged(x, format!("{degree} successors, expected {most} at most")));
        }
        Ok(degree as usize)
    }

    /// Reads the out-degree of `x` and the reference of its list.
    #[inline]
    pub(super) fn head(&mut self, x: usize) -> Result<Head> {
        let degree = self.degree(x)?;
        if degree == 0 || self.properties.window == 0 {
            return Ok(Head { degree, reference: None });
        }
        let back = self.bits.read(self.properties.codes.references);
        if back > self.properties.window || back > x as u64 {
            let most = self.properties.window.min(x as u64);
            return Err(self.damaged(x, format!("a reference {back} nodes back, expected {most} at most")));
        }
        Ok(Head { degree, reference: (back > 0).then(|| x - back as usize) })
    }

    /// Reads the rest of the list of `x` into `row`, whose length is the out-degree of `x`.
    ///
    /// `reference` is the list that the list of `x` refers to.
    #[inline]
    pub(super) fn body(&mut self, x: usize, reference: Option<&[Vertex]>, row: &mut [Vertex]) -> Result<()> {
        let list = reference.unwrap_or_default();
        self.copied.clear();
        let copied = if reference.is_some() { self.blocks(x, list.len())? } else { 0 };
        let Some(extra) = row.len().checked_sub(copied) else {
            return Err(
                self.damaged(x, format!("{copied} successors copied, expected {} at most", row.len()))
            );
        };
        self.extras.clear();
        if extra > 0 {
            self.read_extras(x, extra)?;
        }
        if self.bits.is_broken() {
            return Err(self.damaged(x, String::new()));
        }
        merge(list, &self.copied, &self.extras, row);
        if !row.is_sorted_by(|a, b| a < b) {
            return Err(self.damaged(x, "a successor is there twice".to_owned()));
        }
        Ok(())
    }

    /// Reads the blocks copied from a list of length `len` and returns the number of copied successors.
    fn blocks(&mut self, x: usize, len: usize) -> Result<usize> {
        let codes = &self.properties.codes;
        let count = self.bits.read(codes.block_counts);
        if count > len as u64 + 1 {
            return Err(self.damaged(x, format!("{count} blocks of a list of {len}")));
        }
        let (mut start, mut copied) = (0, 0);
        for i in 0..count {
            let block = self.bits.read(codes.blocks).saturating_add(u64::from(i > 0));
            if block > (len - start) as u64 {
                return Err(self.damaged(x, format!("blocks reach beyond the list of {len} they refer to")));
            }
            let end = start + block as usize;
            if i % 2 == 0 {
                copied += end - start;
                self.copied.push(start..end);
            }
            start = end;
        }
        if count.is_multiple_of(2) {
            copied += len - start;
            self.copied.push(start..len);
        }
        Ok(copied)
    }

    /// Reads the `count` successors that are not copied into `extras`.
    #[inline]
    fn read_extras(&mut self, x: usize, count: usize) -> Result<()> {
        self.intervals.clear();
        let residuals = match self.properties.shortest_interval {
            0 => count,
            shortest => self.read_intervals(x, count, shortest)?,
        };
        let code = self.properties.codes.residuals;
        let mut pending = 0;
        let mut next = None;
        for _ in 0..residuals {
            let gap = self.bits.read(code);
            let node = self.after(x, next, gap, 1)?;
            next = Some(node as u64 + 1);
            while let Some(interval) = self.intervals.get(pending).filter(|i| i.start < node) {
                self.extras.extend(interval.clone());
                pending += 1;
            }
            self.extras.push(node);
        }
        self.intervals[pending..].iter().for_each(|i| self.extras.extend(i.clone()));
        Ok(())
    }

    /// Reads the intervals among `count` successors and returns the number of residuals that remain.
    fn read_intervals(&mut self, x: usize, count: usize, shortest: u64) -> Result<usize> {
        let mut rest = count as u64;
        let intervals = self.bits.read(super::bits::Code::Gamma);
        if intervals > rest / shortest {
            return Err(self.damaged(x, format!("{intervals} intervals among {rest} successors")));
        }
        let mut next = None;
        for _ in 0..intervals {
            let gap = self.bits.read(super::bits::Code::Gamma);
            let length = self.bits.read(super::bits::Code::Gamma).saturating_add(shortest);
            if length > rest {
                return Err(self.damaged(x, format!("an interval of {length}, expected {rest} at most")));
            }
            let start = self.after(x, next, gap, length)?;
            rest -= length;
            // At least one node that is no successor lies between two intervals.
            next = Some(u64::from(start) + length + 1);
            self.intervals.push(start..start + length as Vertex);
        }
        Ok(rest as usize)
    }

    /// Returns the first of `length` consecutive nodes: `gap` after `next`, or relative to `x` if `next` is `None`.
    ///
    /// Fails if one of them is not a node of the graph.
    #[inline(always)]
    fn after(&self, x: usize, next: Option<u64>, gap: u64, length: u64) -> Result<Vertex> {
        let start = match next {
            Some(next) => next.checked_add(gap),
            None => (x as u64).checked_add_signed((gap >> 1) as i64 ^ -((gap & 1) as i64)),
        };
        let nodes = self.properties.nodes;
        match start {
            // The sum cannot overflow and the node fits 32 bits: the header check bounds the number of nodes, and the
            // callers bound `length` by it.
            Some(start) if start < nodes && start + length <= nodes => Ok(start as Vertex),
            _ => Err(self.damaged(x, format!("a successor that is no node from 0 to {}", nodes - 1))),
        }
    }

    /// Returns the error for a damaged list of `x`.
    #[cold]
    pub(super) fn damaged(&self, x: usize, problem: String) -> Error {
        let bit = self.bits.position();
        let problem = if self.bits.is_broken() {
            format!("node {x}: its list runs past the end of the file, or has a number beyond 64 bits")
        } else {
            format!("node {x}, before bit {bit}: {problem}")
        };
        Error::format(Position::file(self.name), problem, DAMAGED)
    }
}

/// Merges the ranges `copied` of `list` with `extras` into `row`, whose length is the sum of their lengths.
///
/// The row ascends if both inputs ascend.
#[inline]
fn merge(list: &[Vertex], copied: &[Range<usize>], mut extras: &[Vertex], row: &mut [Vertex]) {
    let mut out = row.iter_mut();
    for &node in copied.iter().flat_map(|range| &list[range.clone()]) {
        while let Some((&extra, rest)) = extras.split_first().filter(|(extra, _)| **extra < node) {
            out.next().into_iter().for_each(|place| *place = extra);
            extras = rest;
        }
        out.next().into_iter().for_each(|place| *place = node);
    }
    out.zip(extras).for_each(|(place, &extra)| *place = extra);
}
