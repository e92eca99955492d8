//! What a vertex reaches: a search that keeps no levels.
//!
//! The set is one bitmap. Small frontiers push: every member of the team walks its own queue for a while, as deep as it
//! comes, before the queues are evened out, so that a long thin graph does not cost a round a level. When the frontier's
//! arcs outnumber a share of those not yet looked at, every vertex outside looks for a neighbour inside instead, among
//! all that were reached so far. Who was found in a sweep is the next frontier: whatever was missed has one of them as
//! neighbour, since all others were inside when it looked.

use crate::parts::{Bitmap, Team, atomics, prefetch};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Offset, Vertex, View};

/// Pull once the frontier's arcs are more than this share of the arcs not yet looked at.
const PULL_SHARE: usize = 15;
/// Push again once a sweep found less than this share of the vertices.
const PUSH_SHARE: usize = 18;
/// Arcs a member looks at before the queues are evened out.
const WALK: usize = 1 << 14;
/// Arcs from which on another member is worth its while.
const SHARE: usize = 1 << 10;
/// Words of the bitmap a thread takes at a time, while pulling.
const WORDS: usize = 64;
/// How many vertices ahead the memory of arcs is asked for.
const AHEAD: usize = 4;

/// A member's part of the frontier.
#[derive(Default)]
struct Piece {
    queue: Vec<Vertex>,
    next: Vec<Vertex>,
    /// Arcs of the queue's vertices.
    arcs: usize,
    /// Arcs looked at so far.
    seen: usize,
}

/// The vertices that ways from `source` lead to, itself included; `against` has the arcs of `along` turned round.
///
/// # Errors
/// When interrupted or when memory is short.
pub(super) fn reach<O: Offset, I: Offset>(
    team: &Team,
    along: View<'_, O>,
    against: View<'_, I>,
    source: Vertex,
    control: &Control,
) -> Result<Bitmap> {
    let n = along.vertices();
    let mut reached = Bitmap::empty(n)?;
    reached.insert(source);
    let search = Search { along, against, reached: atomics(reached.words_mut()) };
    let mut pieces = vec![Piece { queue: vec![source], arcs: along.degree(source), ..Piece::default() }];
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

/// Deals the queues out to `wanted` pieces, unless they are about even.
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

    /// Walks on from a piece of the frontier until enough arcs were looked at; leaves what is still to be walked.
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
                    if !self.has(v) && self.word(v).fetch_or(1 << (v % 64), Relaxed) >> (v % 64) & 1 == 0 {
                        next.push(v);
                        *arcs += self.along.degree(v);
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

    /// Sweeps over all that was not reached, until a sweep finds little; that is the new frontier.
    fn pull_all(&self, team: &Team, pieces: &mut Vec<Piece>, control: &Control) -> Result<()> {
        let seen = pieces.iter().map(|piece| piece.seen + piece.arcs).sum();
        loop {
            control.check("searching components")?;
            let mut parts: Vec<_> = self.reached.chunks(WORDS).map(|words| (words, Vec::new(), 0)).collect();
            team.each(&mut parts, |part, (words, found, arcs)| {
                *arcs = self.sweep(words, part * WORDS * 64, found);
            });
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

    /// Looks for a neighbour inside, for all vertices of some words that are outside; gives the arcs of those who found
    /// one.
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
