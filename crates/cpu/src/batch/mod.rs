//! Breadth-first search from many sources at once [1].
//!
//! Every vertex has three sets of sources with one bit per source: those that have *seen* it, those whose *front*
//! contains it, and those whose front will contain it *next*. Processing an arc moves all sources across it, so 64
//! searches (256 with wide sets) share one read of the graph. Where distances are short, the searches of a batch soon
//! overlap; where they are long, it pays off to batch sources that are close together.
//!
//! Small fronts push along their arcs with atomic ors, whose order does not matter. For large fronts, every vertex that
//! some source has not seen pulls, until it has all sources. The caller gets every vertex with the sources that newly
//! reach it, level by level, and can collect a value per thread ([`Batch::run`]).
//!
//! Work O(n + m) per level that pulls and the arcs of the front per level that pushes; at most `64 * words` times O(n +
//! m) in total. Memory: three sets, 24 bytes per vertex with one word, and 8 bytes per vertex for lists.
//!
//! [1] M. Then et al., The more the merrier: efficient multi-source graph traversal, VLDB 2015.

mod lanes;

pub(crate) use lanes::{Lanes, Tally};

use crate::parts::{Bitmap, Team, atomics};
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering::Relaxed},
};
use warpgraph_core::Result;
use warpgraph_graph::{Control, Offset, Pages, Vertex, View};

/// Vertices of the front that a thread takes at a time.
const PIECE: usize = 256;
/// Pulling vertices that a thread takes at a time.
const PART: usize = 1 << 12;
/// The cost of pushing along an arc, relative to pulling.
const PUSH_COST: usize = 2;

/// A batch in progress. `ahead` are the arcs that searches follow, `behind` the transpose.
pub(crate) struct Batch<'a, A, B, L: Lanes> {
    ahead: View<'a, A>,
    behind: View<'a, B>,
    seen: Pages<L>,
    /// Non-empty only for the vertices of `list`.
    front: Pages<L>,
    /// All empty between levels.
    next: Pages<L>,
    /// The vertices on some thread's list of finds; empty between levels.
    marks: Bitmap,
    list: Vec<Vertex>,
    /// All sources of the batch.
    full: L,
    /// Arcs into vertices that some source has not seen.
    open: usize,
}

/// What one thread found in a level.
struct Finds<T> {
    list: Vec<Vertex>,
    /// Outgoing arcs of these vertices, and incoming arcs of those that all sources have seen now.
    ahead: usize,
    finished: usize,
    gathered: T,
}

impl<'a, A: Offset, B: Offset, L: Lanes> Batch<'a, A, B, L> {
    pub(crate) fn new(ahead: View<'a, A>, behind: View<'a, B>) -> Result<Self> {
        let n = ahead.vertices();
        Ok(Self {
            ahead,
            behind,
            seen: Pages::zeroed(n)?,
            front: Pages::zeroed(n)?,
            next: Pages::zeroed(n)?,
            marks: Bitmap::empty(n)?,
            list: Vec::new(),
            full: L::NONE,
            open: 0,
        })
    }

    /// Returns the bytes of the arrays.
    pub(crate) fn bytes(&self) -> u64 {
        (self.seen.len() * (3 * size_of::<L>() + 2 * size_of::<Vertex>())) as u64
    }

    /// Searches from at most `64 * WORDS` different sources. Calls `reach(gathered, v, new)` once per vertex and level,
    /// with the sources that reach the vertex there, from any thread. Calls `level(depth, gathered)` after every level
    /// from 1 on, with the values that the threads gathered. Returns the greatest depth.
    ///
    /// # Errors
    /// If interrupted.
    pub(crate) fn run<T: Default + Send>(
        &mut self,
        team: &Team,
        sources: &[Vertex],
        control: &Control,
        reach: impl Fn(&mut T, Vertex, L) + Sync,
        mut level: impl FnMut(u32, &mut dyn Iterator<Item = &mut T>),
    ) -> Result<u32> {
        let mut arcs = self.start(sources);
        let mut finds: Vec<Mutex<Finds<T>>> = (0..team.members()).map(|_| Mutex::default()).collect();
        let mut depth = 0;
        while !self.list.is_empty() {
            control.check("searching")?;
            if arcs * PUSH_COST < self.open + self.seen.len() / 8 {
                self.push(team, &finds, &reach);
            } else {
                self.pull(team, &finds, &reach);
            }
            arcs = self.advance(team, &mut finds);
            if !self.list.is_empty() {
                depth += 1;
                level(depth, &mut finds.iter_mut().map(|finds| &mut own(finds).gathered));
            }
        }
        Ok(depth)
    }

    /// Puts every source on its own vertex and returns the number of their outgoing arcs.
    fn start(&mut self, sources: &[Vertex]) -> usize {
        debug_assert!(sources.len() <= 64 * L::WORDS);
        self.seen.fill(L::NONE);
        self.open = self.behind.arcs();
        self.list.clear();
        self.full = (0..sources.len()).map(L::one).fold(L::NONE, L::or);
        for (number, &s) in sources.iter().enumerate() {
            self.seen[s as usize] = L::one(number);
            self.front[s as usize] = L::one(number);
            self.list.push(s);
        }
        sources.iter().map(|&s| self.ahead.degree(s)).sum()
    }

    fn push<T: Send>(
        &mut self,
        team: &Team,
        finds: &[Mutex<Finds<T>>],
        reach: &(impl Fn(&mut T, Vertex, L) + Sync),
    ) {
        let (ahead, behind, full) = (self.ahead, self.behind, self.full);
        let next = atomics(bytemuck::cast_slice_mut::<L, u64>(&mut self.next));
        let marks = atomics(self.marks.words_mut());
        let (front, seen) = (&self.front[..], &self.seen[..]);
        let pieces: Vec<&[Vertex]> = self.list.chunks(PIECE).collect();
        team.round(pieces.len(), &|member, piece| {
            let mut finds = lock(&finds[member]);
            for &u in pieces[piece] {
                for &v in ahead.neighbors(u) {
                    let new = front[u as usize].without(seen[v as usize]);
                    if new != L::NONE && add(next, v, new) {
                        claim(marks, v, &mut finds.list);
                    }
                }
            }
        });
        let seen = atomics(bytemuck::cast_slice_mut::<L, u64>(&mut self.seen));
        let next = &self.next[..];
        team.round(finds.len(), &|_, number| {
            let Finds { list, ahead: arcs, finished, gathered } = &mut *lock(&finds[number]);
            for &v in &*list {
                let new = next[v as usize];
                marks[v as usize / 64].store(0, Relaxed);
                reach(gathered, v, new);
                *arcs += ahead.degree(v);
                if set(seen, v, new) == full {
                    *finished += behind.degree(v);
                }
            }
        });
    }

    fn pull<T: Send>(
        &mut self,
        team: &Team,
        finds: &[Mutex<Finds<T>>],
        reach: &(impl Fn(&mut T, Vertex, L) + Sync),
    ) {
        let (ahead, behind, full, front) = (self.ahead, self.behind, self.full, &self.front[..]);
        let parts = self.seen.chunks_mut(PART).zip(self.next.chunks_mut(PART));
        let parts: Vec<_> = parts.map(Mutex::new).collect();
        team.round(parts.len(), &|member, number| {
            let mut part = parts[number].lock().unwrap_or_else(PoisonError::into_inner);
            let finds = &mut *lock(&finds[member]);
            let (seen, next) = &mut *part;
            for (i, (seen, next)) in seen.iter_mut().zip(&mut **next).enumerate() {
                if *seen == full {
                    continue;
                }
                let v = (number * PART + i) as Vertex;
                let new = gather(front, behind.neighbors(v), *seen, full).without(*seen);
                if new != L::NONE {
                    *next = new;
                    *seen = seen.or(new);
                    finds.list.push(v);
                    finds.ahead += ahead.degree(v);
                    finds.finished += if *seen == full { behind.degree(v) } else { 0 };
                    reach(&mut finds.gathered, v, new);
                }
            }
        });
    }

    /// Makes the next front the current one and returns the number of its outgoing arcs.
    fn advance<T>(&mut self, team: &Team, finds: &mut [Mutex<Finds<T>>]) -> usize {
        let front = atomics(bytemuck::cast_slice_mut::<L, u64>(&mut self.front));
        let pieces: Vec<&[Vertex]> = self.list.chunks(PART).collect();
        team.round(pieces.len(), &|_, piece| {
            for &v in pieces[piece] {
                words::<L>(front, v).iter().for_each(|word| word.store(0, Relaxed));
            }
        });
        std::mem::swap(&mut self.front, &mut self.next);
        self.list.clear();
        let mut arcs = 0;
        for finds in finds {
            let finds = own(finds);
            self.list.append(&mut finds.list);
            arcs += std::mem::take(&mut finds.ahead);
            self.open -= std::mem::take(&mut finds.finished).min(self.open);
        }
        arcs
    }
}

/// Returns the union of `seen` and of the fronts at some vertices; stops early once it is `full`.
#[inline(always)]
fn gather<L: Lanes>(front: &[L], vertices: &[Vertex], seen: L, full: L) -> L {
    let mut all = seen;
    for &u in vertices {
        debug_assert!((u as usize) < front.len());
        // SAFETY: u is a target of a checked CSR over as many vertices as there are sets.
        all = all.or(unsafe { *front.get_unchecked(u as usize) });
        if all == full {
            break;
        }
    }
    all
}

/// Returns the words of a vertex's set.
#[inline(always)]
fn words<L: Lanes>(sets: &[AtomicU64], v: Vertex) -> &[AtomicU64] {
    &sets[v as usize * L::WORDS..][..L::WORDS]
}

/// Adds to a vertex's set and returns whether any source was new to it.
#[inline(always)]
fn add<L: Lanes>(sets: &[AtomicU64], v: Vertex, new: L) -> bool {
    let mut changed = false;
    for (i, word) in words::<L>(sets, v).iter().enumerate() {
        let new = new.word(i);
        if new & !word.load(Relaxed) != 0 {
            changed |= new & !word.fetch_or(new, Relaxed) != 0;
        }
    }
    changed
}

/// Adds to a set that no other thread writes, and returns the result.
#[inline(always)]
fn set<L: Lanes>(sets: &[AtomicU64], v: Vertex, new: L) -> L {
    let mut all = L::NONE;
    for (i, (word, all)) in
        words::<L>(sets, v).iter().zip(bytemuck::cast_slice_mut(std::slice::from_mut(&mut all))).enumerate()
    {
        *all = word.load(Relaxed) | new.word(i);
        word.store(*all, Relaxed);
    }
    all
}

/// Puts a vertex on the list of the first thread that finds it.
#[inline(always)]
fn claim(marks: &[AtomicU64], v: Vertex, list: &mut Vec<Vertex>) {
    let (word, bit) = (&marks[v as usize / 64], 1u64 << (v % 64));
    if word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0 {
        list.push(v);
    }
}

impl<T: Default> Default for Finds<T> {
    fn default() -> Self {
        Self { list: Vec::new(), ahead: 0, finished: 0, gathered: T::default() }
    }
}

/// Locks the finds of a thread. The lock is always free, and a poisoned lock means that the run is panicking anyway.
fn lock<T>(finds: &Mutex<Finds<T>>) -> std::sync::MutexGuard<'_, Finds<T>> {
    finds.lock().unwrap_or_else(PoisonError::into_inner)
}

fn own<T>(finds: &mut Mutex<Finds<T>>) -> &mut Finds<T> {
    finds.get_mut().unwrap_or_else(PoisonError::into_inner)
}
