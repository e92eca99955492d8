//! The vertices that send in a superstep: pieces of a queue while pushing, a bitmap while pulling. No vertex is in it
//! twice.

use crate::parts::{Bitmap, Team, atomics};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use warpgraph_core::Result;
use warpgraph_graph::{Offset, Vertex, View};

/// Arcs per piece: below this, another thread does not pay off.
const PIECE: usize = 1 << 10;
/// Frontiers with more arcs are cut into more pieces than there are threads, so that uneven ones balance out.
const LARGE: usize = 1 << 16;
/// Pieces per thread of a large frontier.
const PIECES_PER_THREAD: usize = 8;
/// Words of a bitmap per piece.
const WORDS: usize = 1 << 10;

/// A piece of the queue. The same thread processes it superstep after superstep, so that its data stays in that
/// thread's cache.
#[derive(Default)]
pub(super) struct Piece<T> {
    pub(super) queue: Vec<Vertex>,
    pub(super) next: Vec<Vertex>,
    /// A buffer of messages, of fixed length.
    pub(super) found: Vec<(Vertex, T)>,
    /// Outgoing arcs of the vertices in `next`.
    pub(super) arcs: usize,
}

/// The frontier.
pub(super) struct Frontier<T> {
    /// Number of vertices.
    pub(super) vertices: usize,
    /// Number of their outgoing arcs, while pushing.
    pub(super) arcs: usize,
    pieces: Vec<Mutex<Piece<T>>>,
    /// Number of pieces that hold it now.
    dealt: usize,
    /// The frontier as a bitmap, while pulling.
    pub(super) front: Bitmap,
    pub(super) next_front: Bitmap,
    /// The vertices that are in the next queue already.
    claimed: Bitmap,
    /// The vertices of this queue; cleared as the queue is processed.
    stale: Bitmap,
}

/// Decides which caller may put a vertex in the next queue.
#[derive(Clone, Copy)]
pub(super) struct Claims<'a> {
    claimed: &'a [AtomicU64],
    stale: &'a [AtomicU64],
    /// Whether no other thread is working.
    pub(super) alone: bool,
}

impl Claims<'_> {
    /// Returns true for the one caller that may put `v` in the next queue. `v` must be a vertex.
    #[inline(always)]
    pub(super) fn claim(&self, v: Vertex) -> bool {
        set(self.claimed, v, self.alone)
    }

    /// Allows `u`, which is about to send, to be claimed again in a later superstep.
    #[inline(always)]
    pub(super) fn release(&self, u: Vertex) {
        // All vertices of this word that are in the set belong to this superstep, and all of them are released.
        word(self.stale, u).store(0, Relaxed);
    }
}

/// Sets the bit of `v`, which must be a vertex. Returns true if it was not set.
#[inline(always)]
pub(super) fn set(words: &[AtomicU64], v: Vertex, alone: bool) -> bool {
    let (word, bit) = (word(words, v), 1u64 << (v & 63));
    if alone {
        let old = word.load(Relaxed);
        word.store(old | bit, Relaxed);
        old & bit == 0
    } else {
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }
}

/// Returns the word of a bitmap that holds the bit of `v`, which must be a vertex.
#[inline(always)]
pub(super) fn word(words: &[AtomicU64], v: Vertex) -> &AtomicU64 {
    debug_assert!((v as usize) / 64 < words.len());
    // SAFETY: callers pass vertices of the graph, and the bitmap has a bit for each.
    unsafe { words.get_unchecked(v as usize / 64) }
}

impl<T: Default + Send> Frontier<T> {
    pub(super) fn empty(vertices: usize) -> Result<Self> {
        Ok(Self {
            vertices: 0,
            arcs: 0,
            pieces: Vec::new(),
            dealt: 0,
            front: Bitmap::empty(vertices)?,
            next_front: Bitmap::empty(vertices)?,
            claimed: Bitmap::empty(vertices)?,
            stale: Bitmap::empty(vertices)?,
        })
    }

    /// Makes these vertices the frontier, as a queue.
    pub(super) fn start<O: Offset>(&mut self, queue: Vec<Vertex>, out: View<'_, O>) {
        self.vertices = queue.len();
        self.arcs = queue.iter().map(|&v| out.degree(v)).sum();
        self.deal(queue, 1, out);
    }

    /// Makes all vertices the frontier, as a bitmap.
    pub(super) fn start_all<O: Offset>(&mut self, out: View<'_, O>) {
        let n = out.vertices();
        self.front.words_mut().fill(u64::MAX);
        if let Some(last) = self.front.words_mut().last_mut().filter(|_| !n.is_multiple_of(64)) {
            *last = (1 << (n % 64)) - 1;
        }
        (self.vertices, self.arcs) = (n, out.arcs());
    }

    /// Runs one superstep of pushing. `walk` gets a piece, whose `queue` sends, and leaves the vertices that send next
    /// in `next`.
    pub(super) fn push<O: Offset>(
        &mut self,
        team: &Team,
        out: View<'_, O>,
        walk: impl Fn(&mut Piece<T>, Claims<'_>) + Sync,
    ) {
        let most = if self.arcs < LARGE { team.members() } else { team.members() * PIECES_PER_THREAD };
        let wanted = if team.members() == 1 { 1 } else { (self.arcs / PIECE).clamp(1, most) };
        self.deal_out(wanted, out);
        let pieces = &mut self.pieces[..self.dealt];
        let alone = pieces.len() == 1 || team.members() == 1;
        let (claimed, stale) = (atomics(self.claimed.words_mut()), atomics(self.stale.words_mut()));
        let claims = Claims { claimed, stale, alone };
        team.round(pieces.len(), &|_, number| {
            let mut piece = pieces[number].lock().unwrap_or_else(PoisonError::into_inner);
            piece.next.clear();
            piece.arcs = 0;
            walk(&mut piece, claims);
            let Piece { queue, next, .. } = &mut *piece;
            std::mem::swap(queue, next);
        });
        (self.vertices, self.arcs) = (0, 0);
        for piece in pieces.iter_mut().map(own) {
            self.vertices += piece.queue.len();
            self.arcs += piece.arcs;
        }
        std::mem::swap(&mut self.claimed, &mut self.stale);
    }

    /// Deals the frontier out to `wanted` pieces, unless it is already there in roughly even shares.
    fn deal_out<O: Offset>(&mut self, wanted: usize, out: View<'_, O>) {
        let most = self.pieces[..self.dealt].iter_mut().map(|piece| own(piece).arcs).max().unwrap_or(0);
        if self.dealt == wanted && 2 * most * wanted <= 3 * self.arcs {
            return;
        }
        let queue = self.gather();
        self.deal(queue, wanted, out);
    }

    /// Cuts a queue into pieces with about the same number of arcs.
    fn deal<O: Offset>(&mut self, queue: Vec<Vertex>, wanted: usize, out: View<'_, O>) {
        self.pieces.resize_with(wanted.max(self.pieces.len()), Mutex::default);
        let share = (self.arcs + queue.len()).div_ceil(wanted).max(1);
        (self.dealt, self.arcs) = (wanted, 0);
        let mut rest = queue.into_iter();
        for (number, piece) in self.pieces[..wanted].iter_mut().enumerate() {
            let piece = own(piece);
            piece.queue.clear();
            piece.arcs = 0;
            let last = number + 1 == wanted;
            while last || piece.arcs + piece.queue.len() < share {
                let Some(v) = rest.next() else { break };
                piece.queue.push(v);
                piece.arcs += out.degree(v);
            }
            self.arcs += piece.arcs;
        }
    }

    /// Returns the whole queue.
    pub(super) fn gather(&mut self) -> Vec<Vertex> {
        let mut queue = Vec::with_capacity(self.vertices);
        for piece in &mut self.pieces[..self.dealt] {
            queue.extend_from_slice(&own(piece).queue);
        }
        self.dealt = 0;
        queue
    }

    /// Calls `visit` with every vertex; `is_bitmap` says in which form they are.
    pub(super) fn for_each(&mut self, is_bitmap: bool, mut visit: impl FnMut(Vertex)) {
        match is_bitmap {
            true => for_each_member(self.front.words(), 0, visit),
            false => self.pieces[..self.dealt].iter_mut().for_each(|piece| {
                own(piece).queue.iter().for_each(|&v| visit(v));
            }),
        }
    }

    /// Adds vertices. None of them is in the queue if there is one; some may be in the bitmap.
    pub(super) fn add<O: Offset>(&mut self, is_bitmap: bool, vertices: &[Vertex], out: View<'_, O>) {
        let is_new = |&&v: &&Vertex| !is_bitmap || !self.front.contains(v);
        let added: Vec<Vertex> = vertices.iter().filter(is_new).copied().collect();
        let arcs: usize = added.iter().map(|&v| out.degree(v)).sum();
        self.vertices += added.len();
        self.arcs += arcs;
        if is_bitmap {
            added.into_iter().for_each(|v| self.front.insert(v));
        } else if let Some(piece) = self.pieces[..self.dealt].last_mut() {
            let piece = own(piece);
            piece.arcs += arcs;
            piece.queue.extend(added);
        }
    }

    /// Turns the queue into the bitmap.
    pub(super) fn queue_to_front(&mut self) {
        let queue = self.gather();
        self.front.words_mut().fill(0);
        for v in queue {
            self.front.insert(v);
            self.stale.words_mut()[v as usize / 64] = 0;
        }
    }

    /// Turns the bitmap into the queue.
    pub(super) fn front_to_queue<O: Offset>(&mut self, team: &Team, out: View<'_, O>) {
        let words = self.front.words().chunks(WORDS).map(|words| (words, Vec::new(), 0));
        let mut parts: Vec<(&[u64], Vec<Vertex>, usize)> = words.collect();
        team.each(&mut parts, |part, (words, found, arcs)| {
            for_each_member(words, part * WORDS, |v| found.push(v));
            *arcs = found.iter().map(|&v| out.degree(v)).sum();
        });
        let arcs = parts.iter().map(|(_, _, arcs)| arcs).sum();
        let queue: Vec<Vertex> = parts.iter().flat_map(|(_, found, _)| found).copied().collect();
        (self.vertices, self.arcs) = (queue.len(), arcs);
        let wanted = if arcs < LARGE { 1 } else { team.members() * PIECES_PER_THREAD };
        self.deal(queue, wanted, out);
    }
}

fn own<T>(piece: &mut Mutex<Piece<T>>) -> &mut Piece<T> {
    piece.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `visit` with the vertices in some words of a bitmap, the first of which is word `base`.
pub(super) fn for_each_member(words: &[u64], base: usize, mut visit: impl FnMut(Vertex)) {
    for (i, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            visit(((base + i) * 64) as Vertex + left.trailing_zeros());
            left &= left - 1;
        }
    }
}
