//! Pushing from small frontiers: the thread that finds a vertex claims its bit in the bitmap of done vertices.
//!
//! On meshes the processor cannot predict whether a neighbour is new, so the code does not branch on it: it filters
//! neighbours into a small buffer by counting, and claims only those that passed.

use super::{
    Frontier, Search, Tree,
    push::{Candidate, Exchange},
};
use crate::parts::{Team, atomics, prefetch};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use warpgraph_graph::{Offset, Vertex, View};

/// Arcs per piece: below this, another thread does not pay off.
const PIECE: usize = 1 << 10;
/// Entries of the buffer; a power of two.
const FOUND: usize = 1024;
/// Neighbours filtered at a time.
const ROW: usize = 256;

/// A piece of the frontier. The same thread processes it superstep after superstep, so that its data stays in that
/// thread's cache.
#[derive(Default)]
pub(super) struct Piece {
    queue: Vec<Vertex>,
    next: Vec<Vertex>,
    found: Vec<Candidate>,
    /// Outgoing arcs of the vertices in the queue.
    arcs: usize,
}

impl Exchange {
    /// Deals the frontier out to `wanted` pieces, unless it is already there in roughly even shares.
    fn deal(&mut self, wanted: usize) {
        let pieces = &mut self.pieces[..self.dealt];
        let arcs = pieces.iter_mut().map(|piece| own(piece).arcs);
        let (total, most) = arcs.fold((0, 0), |(total, most), arcs| (total + arcs, most.max(arcs)));
        if self.dealt == wanted && 2 * most * wanted <= 3 * total {
            return;
        }
        self.gather();
        let share = self.queue.len().div_ceil(wanted).max(1);
        self.dealt = self.queue.len().div_ceil(share);
        self.pieces.resize_with(self.dealt.max(self.pieces.len()), Mutex::default);
        for (piece, part) in self.pieces.iter_mut().zip(self.queue.chunks(share)) {
            let piece = own(piece);
            piece.queue.clear();
            piece.queue.extend_from_slice(part);
        }
    }

    /// Collects the pieces of the frontier in the queue again.
    pub(super) fn gather(&mut self) {
        if self.dealt > 0 {
            self.queue.clear();
            for piece in &mut self.pieces[..self.dealt] {
                self.queue.extend_from_slice(&own(piece).queue);
            }
            self.dealt = 0;
        }
    }
}

fn own(piece: &mut Mutex<Piece>) -> &mut Piece {
    piece.get_mut().unwrap_or_else(PoisonError::into_inner)
}

impl<O: Offset, I: Offset> Search<'_, O, I> {
    /// Pushes from the frontier, which has `arcs` outgoing arcs.
    pub(super) fn push_claiming(&mut self, team: &Team, distance: u32, arcs: usize) -> Frontier {
        self.exchange.deal((arcs / PIECE).clamp(1, team.members()));
        let pieces = &mut self.exchange.pieces[..self.exchange.dealt];
        let done = atomics(self.done.words_mut());
        let step = Step { out: self.out, tree: self.tree, done, distance };
        let alone = pieces.len() == 1 || team.members() == 1;
        team.round(pieces.len(), &|_, number| {
            let mut piece = pieces[number].lock().unwrap_or_else(PoisonError::into_inner);
            if alone {
                step.walk::<true>(&mut piece);
            } else {
                step.walk::<false>(&mut piece);
            }
        });
        pieces.iter_mut().map(own).fold(Frontier { vertices: 0, arcs: 0 }, |sum, piece| Frontier {
            vertices: sum.vertices + piece.queue.len(),
            arcs: sum.arcs + piece.arcs,
        })
    }
}

/// What the threads of one superstep share.
struct Step<'a, O> {
    out: View<'a, O>,
    tree: Tree<'a>,
    done: &'a [AtomicU64],
    distance: u32,
}

impl<O: Offset> Step<'_, O> {
    /// Processes a piece of the frontier and replaces it by the next one. `ALONE` means that no other thread is
    /// working.
    fn walk<const ALONE: bool>(&self, piece: &mut Piece) {
        let Piece { queue, next, found, arcs } = piece;
        found.resize(FOUND, (0, 0));
        next.clear();
        *arcs = 0;
        let mut passed = 0;
        for &u in &*queue {
            for row in self.out.neighbors(u).chunks(ROW) {
                for &v in row {
                    found[passed % FOUND] = (v, u);
                    passed += usize::from(self.word(v).load(Relaxed) >> (v % 64) & 1 == 0);
                }
                if passed > FOUND - ROW {
                    *arcs += self.hang::<ALONE>(&mut found[..passed], next);
                    passed = 0;
                }
            }
        }
        *arcs += self.hang::<ALONE>(&mut found[..passed], next);
        std::mem::swap(queue, next);
    }

    /// Adds the candidates that no other thread has claimed to the tree, and returns the number of their arcs. Claims
    /// all of them before it adds any: an atomic instruction waits for the stores before it, and those to the tree are
    /// slow.
    #[inline(always)]
    fn hang<const ALONE: bool>(&self, found: &mut [Candidate], next: &mut Vec<Vertex>) -> usize {
        let mut won = 0;
        for i in 0..found.len() {
            let candidate = found[i];
            found[won] = candidate;
            if self.claim::<ALONE>(candidate.0) {
                won += 1;
            }
        }
        let mut arcs = 0;
        for &(v, u) in &found[..won] {
            self.tree.hang(v, u, self.distance);
            let row = self.out.arcs_of(v);
            prefetch(self.out.targets(), row.start);
            arcs += row.len();
            next.push(v);
        }
        arcs
    }

    /// Sets the bit of `v`. Returns true for the one caller that set it.
    #[inline(always)]
    fn claim<const ALONE: bool>(&self, v: Vertex) -> bool {
        let (word, bit) = (self.word(v), 1u64 << (v & 63));
        if ALONE {
            let old = word.load(Relaxed);
            word.store(old | bit, Relaxed);
            old & bit == 0
        } else {
            word.fetch_or(bit, Relaxed) & bit == 0
        }
    }

    #[inline(always)]
    fn word(&self, v: Vertex) -> &AtomicU64 {
        debug_assert!((v as usize) / 64 < self.done.len());
        // SAFETY: v is a target of a checked CSR, and the bitmap has a bit for each of its vertices.
        unsafe { self.done.get_unchecked(v as usize / 64) }
    }
}
