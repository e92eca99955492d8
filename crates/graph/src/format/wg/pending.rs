//! [`Pending`]: a `.wg` file whose arrays are checked elsewhere, by a GPU that receives a copy of them.
//!
//! Two parties share the checks. The threads that copy an array compute its checksum ([`Sums`]), because they read every
//! byte, and so do threads that would only wait for the GPU to be opened. The receiver of the copy checks what the bytes mean. [`Pending::vouch`] compares the checksums, checks ids,
//! the stored order and paths on the processor, and returns the graph.

use super::{
    File, Parts, check,
    layout::{Kind, Section},
    paths,
};
use crate::{
    control::Control,
    csr::{Offsets, Vertex},
    error::Result,
    graph::{Graph, Seen},
    hash,
    weights::{WeightType, Weights},
    with_weights,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// An opened file whose arrays have not been checked.
#[derive(Debug)]
pub struct Pending {
    file: File,
    parts: Parts,
}

/// The hashes of the blocks of the arrays of a file. Any number of threads fill them in; each block is hashed once.
#[derive(Debug)]
pub struct Sums {
    /// Per array of [`Pending::arrays`], one entry per block.
    blocks: Vec<Vec<Block>>,
}

#[derive(Debug, Default)]
struct Block {
    /// Set by the thread that hashes it.
    is_taken: AtomicBool,
    hash: AtomicU64,
}

impl Block {
    /// Hashes the block, unless another thread does so or has done so.
    fn hash(&self, bytes: &[u8]) {
        if !self.is_taken.load(Ordering::Relaxed) && !self.is_taken.swap(true, Ordering::Relaxed) {
            self.hash.store(hash::block_sum(bytes), Ordering::Relaxed);
        }
    }
}

impl Sums {
    /// Hashes bytes of an array that start at byte `start`.
    ///
    /// # Panics
    /// If `start` is not a multiple of 1 MiB, or the bytes go beyond the array.
    pub fn add(&self, array: usize, start: usize, bytes: &[u8]) {
        assert!(start.is_multiple_of(hash::BLOCK), "byte {start} does not start a block");
        let blocks = &self.blocks[array][start / hash::BLOCK..];
        for (slot, block) in blocks[..bytes.len().div_ceil(hash::BLOCK)].iter().zip(bytes.chunks(hash::BLOCK))
        {
            slot.hash(block);
        }
    }

    /// Hashes blocks of the file itself, from its end on, until none is left or `stop` returns true. Threads call it
    /// while there is nothing else to do.
    pub fn add_rest(&self, file: &Pending, stop: impl Fn() -> bool) {
        for (blocks, array) in self.blocks.iter().zip(file.arrays()).rev() {
            for (block, bytes) in blocks.iter().zip(array.chunks(hash::BLOCK)).rev() {
                if stop() {
                    return;
                }
                block.hash(bytes);
            }
        }
    }

    fn of(&self, array: usize) -> u64 {
        let blocks: Vec<u64> =
            self.blocks[array].iter().map(|block| block.hash.load(Ordering::Relaxed)).collect();
        hash::of_blocks(&blocks)
    }
}

impl Pending {
    pub(super) fn new(file: File) -> Result<Self> {
        let parts = file.parts()?;
        Ok(Self { file, parts })
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.file.layout.vertices as usize
    }

    /// Returns true if the graph is directed.
    pub fn is_directed(&self) -> bool {
        self.file.is_directed()
    }

    /// Returns true if the file holds the arcs in another order than that of the ids.
    pub fn is_reordered(&self) -> bool {
        self.file.layout.find(Kind::Order).is_some()
    }

    /// Returns the type of the weights.
    pub fn weight_type(&self) -> Option<WeightType> {
        self.file.weight_type()
    }

    /// Returns the offsets. They may hold anything.
    pub fn offsets(&self) -> &Offsets {
        &self.parts.offsets
    }

    /// Returns the targets. They may hold anything.
    pub fn targets(&self) -> &[Vertex] {
        &self.parts.targets
    }

    /// Returns the bytes of the arrays: offsets, targets, and weights if there are any.
    pub fn arrays(&self) -> Vec<&[u8]> {
        let Parts { offsets, targets, weights } = &self.parts;
        let offsets = match offsets {
            Offsets::Narrow(offsets) => bytemuck::cast_slice(offsets),
            Offsets::Wide(offsets) => bytemuck::cast_slice(offsets),
        };
        let weights = with_weights!(weights, |w| Some(bytemuck::cast_slice(w)), none: None);
        [Some(offsets), Some(bytemuck::cast_slice(targets)), weights].into_iter().flatten().collect()
    }

    /// Returns an empty table for the checksums of [`Pending::arrays`].
    pub fn sums(&self) -> Sums {
        let blocks =
            |array: &[u8]| (0..array.len().div_ceil(hash::BLOCK)).map(|_| Block::default()).collect();
        Sums { blocks: self.arrays().into_iter().map(blocks).collect() }
    }

    /// Does all checks on the processor: see [`File::check`].
    ///
    /// # Errors
    /// Returns the errors of [`File::check`].
    pub fn check(self, control: &Control) -> Result<Graph> {
        self.file.check(control)
    }

    /// Compares the checksums, checks ids, the stored order and paths, and returns the graph.
    ///
    /// # Errors
    /// Returns [`crate::Error::Format`] with the name of the damaged section, and the error of `control` if `control`
    /// stops the work.
    ///
    /// # Safety
    /// The bytes given to `sums` passed these checks: offsets rise from 0 to the number of arcs; every target is a
    /// vertex; targets of a row are sorted; every arc of an undirected graph has its mirror image with the same weight;
    /// weights are finite. `seen` is what [`Graph::counts`] and [`Graph::weight_range`] would find.
    pub unsafe fn vouch(self, sums: &Sums, seen: &Seen, control: &Control) -> Result<Graph> {
        self.mismatch(sums)?;
        let ids = self.file.ids()?;
        check::ids(&self.file, &ids)?;
        check::order(&self.file, control)?;
        check::paths(&self.file, control)?;
        // SAFETY: the caller has checked the bytes that the checksums are of, and they are those of the arrays, as the
        // file states them; ids are checked above.
        let graph = unsafe { self.file.assemble(self.parts, ids) }?;
        paths::check(&self.file, &graph, control)?;
        self.file.tell(&graph, *seen);
        Ok(graph)
    }

    /// Compares the checksums.
    ///
    /// # Errors
    /// Returns [`crate::Error::Format`] with the name of the first section whose checksum is another one.
    pub fn mismatch(&self, sums: &Sums) -> Result<()> {
        let mut sections = self.sections()?.into_iter().enumerate();
        sections.try_for_each(|(array, section)| check::checksum(&self.file, section, sums.of(array)))
    }

    /// Returns the sections of [`Pending::arrays`].
    fn sections(&self) -> Result<Vec<&Section>> {
        let layout = &self.file.layout;
        let offsets = match self.parts.offsets {
            Offsets::Narrow(_) => Kind::Offsets32,
            Offsets::Wide(_) => Kind::Offsets64,
        };
        let mut sections = vec![self.file.required(offsets)?, self.file.required(Kind::Targets)?];
        sections.extend(
            layout.weights().filter(|_| !matches!(self.parts.weights, Weights::None)).map(|(s, _)| s),
        );
        Ok(sections)
    }
}
