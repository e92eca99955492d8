//! Stores a graph as CSR (compressed sparse rows), the only layout that engines read.
//!
//! The neighbours of vertex `v` are `targets[offsets[v] .. offsets[v + 1]]`, in increasing order. The builder uses
//! 32-bit offsets whenever the number of arcs fits, which saves memory and bandwidth. Vertices always have 32 bits.
//!
//! [`Csr::new`] checks these invariants once, and unchecked access elsewhere relies on them: offsets start at 0, never
//! decrease and end at `targets.len()`; every target is a vertex; every adjacency list is sorted.

use crate::{
    error::{Error, Position, Result},
    memory::{Buffer, Pages},
    par,
};

/// A vertex number as engines use it, in `0..n`.
pub type Vertex = u32;

/// The largest number of vertices of a graph; the largest `u32` stays reserved for [`NO_VERTEX`].
pub const MAX_VERTICES: u64 = u32::MAX as u64;

/// Stands for "no vertex", for example as the parent of an unreached vertex.
pub const NO_VERTEX: Vertex = Vertex::MAX;

/// An integer type for the entries of an offset array.
pub trait Offset: bytemuck::Pod + Copy + Ord + Send + Sync + std::fmt::Debug + 'static {
    /// Returns the offset as an index.
    fn index(self) -> usize;
    /// Converts an index that is known to fit.
    fn from_index(index: usize) -> Self;
}

impl Offset for u32 {
    #[inline(always)]
    fn index(self) -> usize {
        self as usize
    }
    #[inline(always)]
    fn from_index(index: usize) -> Self {
        debug_assert!(u32::try_from(index).is_ok());
        index as u32
    }
}

impl Offset for u64 {
    #[inline(always)]
    fn index(self) -> usize {
        self as usize
    }
    #[inline(always)]
    fn from_index(index: usize) -> Self {
        index as u64
    }
}

/// The start of each adjacency list; one more entry than there are vertices.
#[derive(Debug, Clone)]
pub enum Offsets {
    /// 32-bit offsets, for up to 2^32-1 arcs.
    Narrow(Buffer<u32>),
    /// 64-bit offsets, for any number of arcs.
    Wide(Buffer<u64>),
}

impl Offsets {
    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(o) => o.len(),
            Self::Wide(o) => o.len(),
        }
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns entry `v`. Panics if there is no such entry.
    #[inline]
    pub fn get(&self, v: usize) -> usize {
        match self {
            Self::Narrow(o) => o[v].index(),
            Self::Wide(o) => o[v].index(),
        }
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Narrow(o) => o.bytes(),
            Self::Wide(o) => o.bytes(),
        }
    }
}

/// A graph structure whose invariants hold; cheap to clone.
#[derive(Debug, Clone)]
pub struct Csr {
    offsets: Offsets,
    targets: Buffer<Vertex>,
}

/// Evaluates an expression with a [`View`] of a CSR, compiled for both offset widths: `with_view!(csr, |g| expr)`.
#[macro_export]
macro_rules! with_view {
    ($csr:expr, |$view:ident| $body:expr) => {
        match $csr.views() {
            $crate::Views::Narrow($view) => $body,
            $crate::Views::Wide($view) => $body,
        }
    };
}

/// Evaluates an expression with [`View`]s of two CSRs of the same offset width, for example of outgoing and incoming
/// arcs: `with_views!(out, incoming, |o, i| expr)`. The expression is compiled for two cases instead of four. The
/// enclosing function must return a `Result`, since [`same_width`](crate::csr::same_width) may run out of memory.
#[macro_export]
macro_rules! with_views {
    ($out:expr, $incoming:expr, |$o:ident, $i:ident| $body:expr) => {{
        let (out, incoming) = $crate::csr::same_width(&$out, &$incoming)?;
        match (out.views(), incoming.views()) {
            ($crate::Views::Narrow($o), $crate::Views::Narrow($i)) => $body,
            ($crate::Views::Wide($o), $crate::Views::Wide($i)) => $body,
            _ => unreachable!("same_width returns offsets of one width"),
        }
    }};
}

/// A [`View`] of either offset width; see [`with_view!`].
#[derive(Debug, Clone, Copy)]
pub enum Views<'a> {
    /// 32-bit offsets.
    Narrow(View<'a, u32>),
    /// 64-bit offsets.
    Wide(View<'a, u64>),
}

impl Csr {
    /// Checks the invariants in parallel and takes the arrays.
    ///
    /// # Errors
    /// [`Error::Format`] naming the first vertex that breaks an invariant; `origin` names the file or generator.
    pub fn new(offsets: Offsets, targets: Buffer<Vertex>, origin: &str) -> Result<Self> {
        let csr = Self { offsets, targets };
        match &csr.offsets {
            Offsets::Narrow(o) => check(o, &csr.targets, origin)?,
            Offsets::Wide(o) => check(o, &csr.targets, origin)?,
        }
        Ok(csr)
    }

    /// Takes arrays without checking them.
    ///
    /// # Safety
    /// The invariants of the module documentation hold. Engines index without bounds checks because of them.
    pub unsafe fn new_unchecked(offsets: Offsets, targets: Buffer<Vertex>) -> Self {
        Self { offsets, targets }
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of arcs; an undirected edge counts as two, an undirected self-loop as one.
    pub fn arcs(&self) -> usize {
        self.targets.len()
    }

    /// Returns the offsets.
    pub fn offsets(&self) -> &Offsets {
        &self.offsets
    }

    /// Returns the targets of all arcs.
    pub fn targets(&self) -> &Buffer<Vertex> {
        &self.targets
    }

    /// Returns the neighbours of `v` in increasing order. Panics if `v` is not a vertex.
    pub fn neighbors(&self, v: Vertex) -> &[Vertex] {
        &self.targets[self.arcs_of(v)]
    }

    /// Returns the range of the arcs of `v`. Panics if `v` is not a vertex.
    pub fn arcs_of(&self, v: Vertex) -> std::ops::Range<usize> {
        self.offsets.get(v as usize)..self.offsets.get(v as usize + 1)
    }

    /// Returns the number of arcs of `v`. Panics if `v` is not a vertex.
    pub fn degree(&self, v: Vertex) -> usize {
        self.arcs_of(v).len()
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> u64 {
        self.offsets.bytes() + self.targets.bytes()
    }

    /// Returns a view for inner loops; see [`with_view!`].
    pub fn views(&self) -> Views<'_> {
        match &self.offsets {
            Offsets::Narrow(o) => Views::Narrow(View { offsets: o, targets: &self.targets }),
            Offsets::Wide(o) => Views::Wide(View { offsets: o, targets: &self.targets }),
        }
    }
}

/// A borrowed CSR whose offset width is known at compile time, for inner loops.
#[derive(Debug, Clone, Copy)]
pub struct View<'a, O> {
    offsets: &'a [O],
    targets: &'a [Vertex],
}

impl<'a, O: Offset> View<'a, O> {
    /// Returns the number of vertices.
    #[inline(always)]
    pub fn vertices(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of arcs.
    #[inline(always)]
    pub fn arcs(&self) -> usize {
        self.targets.len()
    }

    /// Returns all offsets.
    #[inline(always)]
    pub fn offsets(&self) -> &'a [O] {
        self.offsets
    }

    /// Returns all targets.
    #[inline(always)]
    pub fn targets(&self) -> &'a [Vertex] {
        self.targets
    }

    /// Returns the range of the arcs of `v`. Panics if `v` is not a vertex: one check per vertex, none per arc.
    #[inline(always)]
    pub fn arcs_of(&self, v: Vertex) -> std::ops::Range<usize> {
        let pair = &self.offsets[v as usize..v as usize + 2];
        pair[0].index()..pair[1].index()
    }

    /// Returns the number of arcs of `v`. Panics if `v` is not a vertex.
    #[inline(always)]
    pub fn degree(&self, v: Vertex) -> usize {
        let arcs = self.arcs_of(v);
        arcs.end - arcs.start
    }

    /// Returns the neighbours of `v`. Panics if `v` is not a vertex.
    #[inline(always)]
    pub fn neighbors(&self, v: Vertex) -> &'a [Vertex] {
        let arcs = self.arcs_of(v);
        // SAFETY: offsets never decrease and end at targets.len() (Csr::new).
        unsafe { self.targets.get_unchecked(arcs) }
    }
}

fn check<O: Offset>(offsets: &[O], targets: &[Vertex], origin: &str) -> Result<()> {
    let broken = |problem: String| {
        Err(Error::format(
            Position::file(origin),
            problem,
            "the file is damaged or was not written by the program it claims; make it anew",
        ))
    };
    let Some(n) = offsets.len().checked_sub(1) else {
        return broken("the offsets are empty, expected one more than there are vertices".to_owned());
    };
    if n as u64 > MAX_VERTICES {
        return broken(format!("{n} vertices, the most is {MAX_VERTICES}"));
    }
    if offsets[0].index() != 0 || offsets[n].index() != targets.len() {
        return broken(format!(
            "offsets run from {} to {}, expected 0 to {}",
            offsets[0].index(),
            offsets[n].index(),
            targets.len()
        ));
    }
    if let Some(v) = first_fall(offsets) {
        return broken(format!("the offsets of vertex {v} fall"));
    }
    // The checks above prove that all offsets are in range, so slicing rows cannot panic.
    let is_bad = |&v: &usize| {
        let row = &targets[offsets[v].index()..offsets[v + 1].index()];
        row.last().is_some_and(|&last| last as usize >= n) || !row.is_sorted()
    };
    match par::find_first(n, 1024, |mut range| range.find(is_bad)) {
        None => Ok(()),
        Some(v) => {
            let row = &targets[offsets[v].index()..offsets[v + 1].index()];
            match row.iter().find(|&&t| t as usize >= n) {
                Some(t) => broken(format!("vertex {v} has neighbour {t}, expected one below {n}")),
                None => broken(format!("the neighbours of vertex {v} are not sorted")),
            }
        }
    }
}

/// Returns both graphs with offsets of the same width. Copies offsets only if the widths differ.
///
/// # Errors
/// [`Error::TooLarge`] if memory is short.
pub fn same_width(a: &Csr, b: &Csr) -> Result<(Csr, Csr)> {
    let is_wide = |csr: &Csr| matches!(csr.offsets(), Offsets::Wide(_));
    let wide = is_wide(a) || is_wide(b);
    let widened = |csr: &Csr| -> Result<Csr> {
        let Offsets::Narrow(narrow) = csr.offsets() else { return Ok(csr.clone()) };
        if !wide {
            return Ok(csr.clone());
        }
        let mut offsets = Pages::<u64>::scratch(narrow.len())?;
        offsets.iter_mut().zip(&**narrow).for_each(|(wide, &narrow)| *wide = u64::from(narrow));
        // SAFETY: these are the offsets and targets of a checked CSR.
        Ok(unsafe { Csr::new_unchecked(Offsets::Wide(offsets.into()), csr.targets().clone()) })
    };
    Ok((widened(a)?, widened(b)?))
}

/// Returns the first index whose offset is larger than the next one.
pub(crate) fn first_fall<O: Offset>(offsets: &[O]) -> Option<usize> {
    par::find_first(offsets.len().saturating_sub(1), par::FINE, |range| {
        let fall = offsets[range.start..=range.end].windows(2).position(|w| w[1] < w[0]);
        fall.map(|at| range.start + at)
    })
}
