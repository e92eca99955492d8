//! A team of threads for many short rounds.
//!
//! Waking sleeping threads takes about ten microseconds, more than a whole superstep of a mesh or a road network. A
//! team keeps the other threads of the pool awake for the length of one run: the leader publishes a round, the members
//! that are present help, and the leader continues when all work that was begun has ended. The leader does not wait for
//! members that never come, because the pool is busy elsewhere, so a team cannot deadlock.

use std::{
    cell::UnsafeCell,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// The work of a round: called with a member and a piece.
type Work<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// The leader's handle.
pub(crate) struct Team {
    members: usize,
    /// The work of the round. The leader writes it while the round is closed; members read it while it is open.
    work: UnsafeCell<Option<Work<'static>>>,
    pieces: AtomicUsize,
    /// The next piece to take; in a round of few pieces, the set of those taken.
    next: AtomicUsize,
    /// Whether there is a round to help with.
    open: AtomicBool,
    /// Members inside the round.
    inside: AtomicUsize,
    /// Whether the run is over.
    over: AtomicBool,
}

// SAFETY: `work` is the only field that is not Sync by itself. The leader writes it only while `open` is false and
// `inside` is 0. A member reads it only after it has raised `inside` and then seen `open` true. All of these are
// SeqCst, so either the member sees the round closed, or the leader sees the member inside and waits for it.
unsafe impl Sync for Team {}

/// Rounds of at most this many pieces use a set of the pieces taken; others use a counter.
const FEW: usize = usize::BITS as usize;
/// Spins before a waiting thread yields.
const SPINS: u32 = 2_000;

/// Runs `lead` with a team of all threads of the current pool.
pub(crate) fn team<R: Send>(lead: impl FnOnce(&Team) -> R + Send) -> R {
    let team = Team {
        members: rayon::current_num_threads(),
        work: UnsafeCell::new(None),
        pieces: AtomicUsize::new(0),
        next: AtomicUsize::new(0),
        open: AtomicBool::new(false),
        inside: AtomicUsize::new(0),
        over: AtomicBool::new(false),
    };
    /// Releases the members, even if the leader panics.
    struct Over<'a>(&'a Team);
    impl Drop for Over<'_> {
        fn drop(&mut self) {
            self.0.over.store(true, Ordering::SeqCst);
        }
    }
    /// Compiled once, and not for every `lead`.
    fn gather(team: &Team, lead: &mut (dyn FnMut() + Send)) {
        rayon::in_place_scope(|scope| {
            let _over = Over(team);
            for member in 1..team.members {
                scope.spawn(move |_| team.help(member));
            }
            lead();
        });
    }
    let (mut lead, mut led) = (Some(lead), None);
    gather(&team, &mut || led = lead.take().map(|lead| lead(&team)));
    match led {
        Some(led) => led,
        None => unreachable!("gather calls the leader once"),
    }
}

impl Team {
    /// Returns how many threads may take part. Members are numbered from 0, the leader.
    pub(crate) fn members(&self) -> usize {
        self.members
    }

    /// Calls `work(member, piece)` once for every piece, on the members that are present. Returns when all pieces are
    /// done.
    pub(crate) fn round(&self, pieces: usize, work: Work<'_>) {
        if pieces <= 1 || self.members == 1 {
            (0..pieces).for_each(|piece| work(0, piece));
            return;
        }
        // SAFETY: only the lifetime changes. Only members inside the round read the reference, and `Close` waits for
        // the last of them before `work` can go out of scope.
        let forever = unsafe { std::mem::transmute::<Work<'_>, Work<'static>>(work) };
        // SAFETY: the round is closed and no member is inside; see the proof of Sync.
        unsafe { *self.work.get() = Some(forever) };
        self.pieces.store(pieces, Ordering::Relaxed);
        self.next.store(0, Ordering::Relaxed);
        self.open.store(true, Ordering::SeqCst);
        let _close = Close(self);
        self.take_pieces(0, work);
    }

    /// Calls `work(index, item)` once for every item, each on one member.
    pub(crate) fn each<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        let start = Items(items.as_mut_ptr());
        self.round(items.len(), &|_, piece| {
            // SAFETY: piece is below items.len(), and `round` gives every piece to one member once, so this is the only
            // reference to the item; the borrow of `items` lasts until the round is done.
            work(piece, unsafe { &mut *start.get().add(piece) });
        });
    }

    fn take_pieces(&self, member: usize, work: Work<'_>) {
        let pieces = self.pieces.load(Ordering::Relaxed);
        if pieces > FEW {
            while let Some(piece) = Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|&p| p < pieces) {
                work(member, piece);
            }
            return;
        }
        // Each member begins with the piece of its own number, so that data stays in its cache from round to round.
        for piece in (0..pieces).map(|i| (i + member) % pieces) {
            let bit = 1 << piece;
            if self.next.load(Ordering::Relaxed) & bit == 0
                && self.next.fetch_or(bit, Ordering::Relaxed) & bit == 0
            {
                work(member, piece);
            }
        }
    }

    /// Returns whether there may be pieces left to take.
    fn has_more(&self) -> bool {
        let (pieces, next) = (self.pieces.load(Ordering::Relaxed), self.next.load(Ordering::Relaxed));
        if pieces > FEW { next < pieces } else { next != usize::MAX >> (FEW - pieces) }
    }

    /// Helps with rounds until the run is over.
    fn help(&self, member: usize) {
        let mut spins = 0;
        while !self.over.load(Ordering::SeqCst) {
            if self.open.load(Ordering::Relaxed) && self.has_more() {
                let inside = Inside::enter(self);
                if self.open.load(Ordering::SeqCst) {
                    // SAFETY: inside an open round; see the proof of Sync.
                    if let Some(work) = unsafe { *self.work.get() } {
                        self.take_pieces(member, work);
                    }
                }
                drop(inside);
                spins = 0;
            } else if spins < SPINS {
                spins += 1;
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }
}

/// The start of a slice whose items go to different threads.
struct Items<T>(*mut T);

impl<T> Items<T> {
    fn get(&self) -> *mut T {
        self.0
    }
}

// SAFETY: only `Team::each` uses it, which gives every item to one thread; T: Send there.
unsafe impl<T: Send> Sync for Items<T> {}

/// Counts a member in, and out again even if its work panics.
struct Inside<'a>(&'a Team);

impl<'a> Inside<'a> {
    fn enter(team: &'a Team) -> Self {
        team.inside.fetch_add(1, Ordering::SeqCst);
        Self(team)
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.inside.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Closes a round and waits for the members inside.
struct Close<'a>(&'a Team);

impl Drop for Close<'_> {
    fn drop(&mut self) {
        self.0.open.store(false, Ordering::SeqCst);
        let mut spins = 0;
        while self.0.inside.load(Ordering::SeqCst) > 0 {
            if spins < SPINS {
                spins += 1;
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn every_piece_of_every_round_is_done_once_before_the_next() {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let sum = AtomicU64::new(0);
            pool.install(|| {
                team(|team| {
                    for round in 0..2000u64 {
                        let pieces = (round % 7) as usize;
                        let before = sum.load(Ordering::SeqCst);
                        team.round(pieces, &|member, piece| {
                            assert!(member < team.members());
                            sum.fetch_add(piece as u64 + 1, Ordering::SeqCst);
                        });
                        let added = (pieces * (pieces + 1) / 2) as u64;
                        assert_eq!(sum.load(Ordering::SeqCst), before + added);
                    }
                });
            });
        }
    }

    #[test]
    fn every_item_is_met_once() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let mut items: Vec<usize> = (0..1000).collect();
        pool.install(|| team(|team| team.each(&mut items, |i, item| *item += i)));
        assert!(items.iter().enumerate().all(|(i, &item)| item == 2 * i));
    }

    #[test]
    fn teams_on_one_pool_do_not_wait_for_each_other() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let run = || team(|team| (0..100).for_each(|_| team.round(4, &|_, _| std::thread::yield_now())));
        pool.join(run, run);
    }
}
