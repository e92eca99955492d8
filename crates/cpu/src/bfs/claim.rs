//! Pushing from small frontiers: whoever finds a vertex claims its bit in the bitmap of done vertices.
//!
//! Whether a neighbour is new is a coin toss on meshes, so it is not branched on: neighbours are filtered into a small
//! buffer by counting, and only what passed is claimed.

use super::{Search, Tree, push::Candidate};
use crate::parts::{Team, atomics, prefetch};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use warpgraph_graph::{Offset, Vertex, View};

/// Arcs for which another thread is worth its while.
const PIECE: usize = 1 << 10;
/// Places of the buffer; a power of two.
const FOUND: usize = 1024;
/// Neighbours filtered in one go.
const ROW: usize = 256;

/// What one piece of the frontier found; kept between supersteps and runs.
#[derive(Default)]
pub(super) struct Piece {
    found: Vec<Candidate>,
    next: Vec<Vertex>,
    arcs: usize,
}

impl<O: Offset, I: Offset> Search<'_, O, I> {
    /// Pushes from the queue, which has `arcs` outgoing arcs, into the next queue; gives the new frontier's arcs.
    pub(super) fn push_claiming(&mut self, team: &Team, distance: u32, arcs: usize) -> usize {
        let wanted = (arcs / PIECE).clamp(1, team.members());
        let share = self.exchange.queue.len().div_ceil(wanted);
        let exchange = &mut self.exchange;
        let parts: Vec<&[Vertex]> = exchange.queue.chunks(share).collect();
        exchange.pieces.resize_with(parts.len().max(exchange.pieces.len()), Mutex::default);
        let pieces = &exchange.pieces[..parts.len()];
        let step = Step { out: self.out, tree: self.tree, done: atomics(self.done.words_mut()), distance };
        let alone = parts.len() == 1 || team.members() == 1;
        team.round(parts.len(), &|_, part| {
            let mut piece = pieces[part].lock().unwrap_or_else(PoisonError::into_inner);
            if alone {
                step.walk::<true>(parts[part], &mut piece);
            } else {
                step.walk::<false>(parts[part], &mut piece);
            }
        });
        exchange.next.clear();
        let mut arcs = 0;
        for piece in &mut exchange.pieces[..parts.len()] {
            let piece = piece.get_mut().unwrap_or_else(PoisonError::into_inner);
            exchange.next.extend_from_slice(&piece.next);
            arcs += piece.arcs;
        }
        arcs
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
    /// Walks a part of the frontier; `ALONE` if no other thread does.
    fn walk<const ALONE: bool>(&self, frontier: &[Vertex], piece: &mut Piece) {
        let Piece { found, next, arcs } = piece;
        found.resize(FOUND, (0, 0));
        next.clear();
        *arcs = 0;
        let mut passed = 0;
        for &u in frontier {
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
    }

    /// Hangs the candidates that nobody else has claimed; gives their arcs. All are claimed before any is hung: a locked
    /// instruction waits for the stores before it, and those of hanging are slow.
    #[inline(always)]
    fn hang<const ALONE: bool>(&self, found: &mut [Candidate], next: &mut Vec<Vertex>) -> usize {
        let mut won = 0;
        for i in 0..found.len() {
            let candidate = found[i];
            found[won] = candidate;
            won += usize::from(self.claim::<ALONE>(candidate.0));
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

    /// Sets the bit of `v`; true for the one caller that did.
    #[inline(always)]
    fn claim<const ALONE: bool>(&self, v: Vertex) -> bool {
        let (word, bit) = (self.word(v), 1 << (v % 64));
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
