//! The set of vertices that a vertex reaches: a search without levels.
//!
//! The set is one bitmap. Small frontiers push: every member of the team processes its own queue for a while, to any
//! depth, before the queues are balanced, so that a long thin graph does not cost one round per level. When the arcs of
//! the frontier exceed a share of the unexplored arcs, every vertex outside instead searches for a neighbour among all
//! vertices reached so far. The vertices found in a sweep are the next frontier: any vertex that the sweep missed has
//! one of them as neighbour, since all others were in the set when it searched.
//!
//! On a graph with copies, a copy is reached with its master along outgoing arcs, and a master with any of its copies along
//! incoming ones ([`Together`]).

use crate::parts::{Bitmap, Team, atomics, prefetch};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_core::{Result, program::Copies};
use warpgraph_graph::{Control, NO_VERTEX, NodeMap, Offset, Vertex, View};

/// The search pulls if the frontier has more arcs than the unexplored arcs divided by this number.
const PULL_SHARE: usize = 15;
/// The search switches back to push if a sweep found fewer vertices than n divided by this number.
const PUSH_SHARE: usize = 18;
/// Arcs that a member processes before the queues are balanced.
const WALK: usize = 1 << 14;
/// Arcs per member: below this, another member does not pay off.
const SHARE: usize = 1 << 10;
/// Words of the bitmap that a thread takes at a time, while pulling.
const WORDS: usize = 64;
/// How many vertices ahead arcs are prefetched.
const AHEAD: usize = 4;

/// The part of the frontier of one member.
#[derive(Default)]
struct Piece {
    queue: Vec<Vertex>,
    next: Vec<Vertex>,
    /// Arcs of the vertices in the queue.
    arcs: usize,
    /// Arcs processed so far.
    seen: usize,
}

/// The vertices that are reached together with a vertex, on a graph with copies.
#[derive(Debug, Clone, Copy)]
pub(super) enum Together<'a> {
    /// None: the graph has no copies.
    Nothing,
    /// Along outgoing arcs, the copies of a master, whose rows go on from its own.
    Copies(&'a Copies),
    /// Along incoming arcs, the master of a copy, to which all arcs lead.
    Masters(&'a Copies, &'a NodeMap),
}

impl Together<'_> {
    /// Calls `visit` with these vertices.
    #[inline(always)]
    fn with(self, v: Vertex, visit: impl FnMut(Vertex)) {
        match self {
            Self::Nothing => {}
            Self::Copies(copies) => copies.of_master(v).iter().copied().for_each(visit),
            Self::Masters(copies, _) if copies.is_master(v) => {}
            Self::Masters(_, map) => {
                // A hole has no arcs, but may be where a search begins.
                let original = Some(map.original(v)).filter(|&original| original != NO_VERTEX);
                original.map(|original| map.inner(original)).into_iter().for_each(visit);
            }
        }
    }
}

/// Returns the vertices reachable from `source`, including itself. `against` is the transpose of `along`.
///
/// # Errors
/// If interrupted, or if memory is short.
pub(super) fn reach<O: Offset, I: Offset>(
    team: &Team,
    (along, against): (View<'_, O>, View<'_, I>),
    together: Together<'_>,
    source: Vertex,
    control: &Control,
) -> Result<Bitmap> {
    let n = along.vertices();
    let mut reached = Bitmap::empty(n)?;
    let mut queue = vec![source];
    together.with(source, |v| queue.push(v));
    queue.iter().for_each(|&v| reached.insert(v));
    let arcs = queue.iter().map(|&v| along.degree(v)).sum();
    let search = Search { along, against, together, reached: atomics(reached.words_mut()) };
    let mut pieces = vec![Piece { queue, arcs, ..Piece::default() }];
    loop {
        control.check("searching components")?;
        let arcs: usize = pieces.iter().map(|piece| piece.arcs).sum();
        let seen: usize = pieces.iter().map(|piece| piece.seen).sum();
        if pieces.iter().all(|piece| piece.queue.is_empty()) {
            break;
        }
        if arcs > (along.arcs() - seen.min(along.arcs())) / PULL_SHARE {
            search.pull_all(team, &mut pieces, control)?;
        } else {
            deal(&mut pieces, (arcs / SHARE).clamp(1, team.members()), along);
            team.each(&mut pieces, |_, piece| search.walk(piece));
        }
    }
    Ok(reached)
}

/// Deals the queues out to `wanted` pieces, unless they are roughly even.
fn deal<O: Offset>(pieces: &mut Vec<Piece>, wanted: usize, along: View<'_, O>) {
    let total: usize = pieces.iter().map(|piece| piece.arcs).sum();
    let most = pieces.iter().map(|piece| piece.arcs).max().unwrap_or(0);
    if pieces.len() >= wanted && (wanted == 1 || 2 * most * wanted <= 3 * total) {
        return;
    }
    let all: Vec<Vertex> = pieces.iter_mut().flat_map(|piece| std::mem::take(&mut piece.queue)).collect();
    pieces.resize_with(wanted.max(pieces.len()), Piece::default);
    pieces.iter_mut().for_each(|piece| piece.arcs = 0);
    let share = all.len().div_ceil(wanted).max(1);
    for (piece, part) in pieces.iter_mut().zip(all.chunks(share)) {
        piece.queue.extend_from_slice(part);
        piece.arcs = part.iter().map(|&v| along.degree(v)).sum();
    }
}

/// What the threads share.
struct Search<'a, O, I> {
    along: View<'a, O>,
    against: View<'a, I>,
    together: Together<'a>,
    reached: &'a [AtomicU64],
}

impl<O: Offset, I: Offset> Search<'_, O, I> {
    #[inline(always)]
    fn word(&self, v: Vertex) -> &AtomicU64 {
        debug_assert!((v as usize) / 64 < self.reached.len());
        // SAFETY: v is a target of a checked CSR, and the bitmap has a bit for each of its vertices.
        unsafe { self.reached.get_unchecked(v as usize / 64) }
    }

    #[inline(always)]
    fn has(&self, v: Vertex) -> bool {
        self.word(v).load(Relaxed) >> (v % 64) & 1 != 0
    }

    /// Adds a vertex to the set. Returns false if it was there.
    #[inline(always)]
    fn join(&self, v: Vertex) -> bool {
        !self.has(v) && self.word(v).fetch_or(1 << (v % 64), Relaxed) >> (v % 64) & 1 == 0
    }

    /// Searches from a piece of the frontier until enough arcs were processed. Leaves the rest in the queue.
    fn walk(&self, piece: &mut Piece) {
        let Piece { queue, next, arcs, seen } = piece;
        let stop = *seen + WALK;
        while !queue.is_empty() {
            for at in 0..queue.len() {
                if *seen >= stop {
                    next.extend_from_slice(&queue[at..]);
                    break;
                }
                if let Some(&soon) = queue.get(at + AHEAD) {
                    prefetch(self.along.targets(), self.along.arcs_of(soon).start);
                }
                let row = self.along.neighbors(queue[at]);
                *seen += row.len() + 1;
                *arcs -= row.len();
                for &v in row {
                    if self.join(v) {
                        next.push(v);
                        *arcs += self.along.degree(v);
                        self.together.with(v, |also| {
                            if self.join(also) {
                                next.push(also);
                                *arcs += self.along.degree(also);
                            }
                        });
                    }
                }
            }
            queue.clear();
            std::mem::swap(queue, next);
            if *seen >= stop {
                break;
            }
        }
    }

    /// Sweeps over all vertices that were not reached until a sweep finds few. These are the new frontier.
    fn pull_all(&self, team: &Team, pieces: &mut Vec<Piece>, control: &Control) -> Result<()> {
        let seen = pieces.iter().map(|piece| piece.seen + piece.arcs).sum();
        loop {
            control.check("searching components")?;
            let mut parts: Vec<_> = self.reached.chunks(WORDS).map(|words| (words, Vec::new(), 0)).collect();
            team.each(&mut parts, |part, (words, found, arcs)| {
                *arcs = self.sweep(words, part * WORDS * 64, found);
            });
            parts.iter_mut().for_each(|(_, found, arcs)| *arcs += self.take_along(found));
            let found: usize = parts.iter().map(|(_, found, _)| found.len()).sum();
            if found >= self.along.vertices() / PUSH_SHARE && found > 0 {
                continue;
            }
            let queue = parts.iter().flat_map(|(_, found, _)| found).copied().collect();
            let arcs = parts.iter().map(|(_, _, arcs)| arcs).sum();
            *pieces = vec![Piece { queue, arcs, seen, ..Piece::default() }];
            return Ok(());
        }
    }

    /// Adds what is reached together with vertices that a sweep found. Returns the number of their arcs.
    fn take_along(&self, found: &mut Vec<Vertex>) -> usize {
        let (mut arcs, all) = (0, found.len());
        if matches!(self.together, Together::Nothing) {
            return arcs;
        }
        for at in 0..all {
            self.together.with(found[at], |also| {
                if self.join(also) {
                    found.push(also);
                    arcs += self.along.degree(also);
                }
            });
        }
        arcs
    }

    /// Searches for a reached neighbour of every unreached vertex in some words. Returns the number of arcs of the
    /// vertices that found one.
    fn sweep(&self, words: &[AtomicU64], base: usize, found: &mut Vec<Vertex>) -> usize {
        let n = self.along.vertices();
        let mut arcs = 0;
        for (w, word) in words.iter().enumerate() {
            let first = base + 64 * w;
            let mut left = !word.load(Relaxed) & u64::MAX >> (64 - (n - first).min(64));
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let v = first as Vertex + bit;
                if self.against.neighbors(v).iter().any(|&u| self.has(u)) {
                    // No other thread writes this word in a sweep.
                    word.store(word.load(Relaxed) | 1 << bit, Relaxed);
                    found.push(v);
                    arcs += self.along.degree(v);
                }
            }
        }
        arcs
    }
}
