//! Compiling ahead: background threads make code before a caller asks for it.
//!
//! [`Gpu::compile_ahead`](crate::Gpu::compile_ahead) works on an open device. [`cuda::compile_ahead`](crate::cuda::compile_ahead)
//! needs no context: it makes cubins while the driver still creates one, and leaves them in [`Settings::cubins`], where
//! the GPU that is opened with the same settings finds them. In both cases a caller that asks for a module in the making
//! waits for it, a caller that asks for one that no thread has begun makes it itself, and errors show only when a caller
//! asks: the threads drop them.
//!
//! The threads belong to an [`Ahead`]. Dropping it joins them: modules in the making are finished, which takes up to a
//! second each, and no other is begun. So no thread is inside of NVRTC when the process ends, unless the process calls
//! `exit` or leaks the handle.
//!
//! [`Settings::cubins`]: crate::Settings::cubins

use std::{
    cell::Cell,
    collections::HashMap,
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

thread_local! {
    static IS_AHEAD: Cell<bool> = const { Cell::new(false) };
}

/// Returns true on a thread that compiles ahead: what it does is beside the work that a caller waits for.
pub fn is_ahead() -> bool {
    IS_AHEAD.get()
}

/// The most threads that compile. More than a few modules at once are rare.
const MOST_THREADS: usize = 8;

/// Background threads that compile. Dropping it begins no further module and waits for those in the making.
#[must_use = "dropping it stops compiling ahead"]
pub struct Ahead {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Ahead {
    /// Starts threads that call `work` on all items, in their order: one per item, up to the number of processors.
    pub(crate) fn start<T, F>(items: Vec<T>, work: F) -> Self
    where
        T: Send + 'static,
        F: Fn(T) + Send + Sync + 'static,
    {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let count = items.len().min(processors).min(MOST_THREADS);
        let (is_over, work) = (Arc::new(AtomicBool::new(false)), Arc::new(work));
        let queue = Arc::new(Mutex::new(items.into_iter()));
        let start = |_| {
            let (is_over, queue, work) = (Arc::clone(&is_over), Arc::clone(&queue), Arc::clone(&work));
            let body = move || {
                IS_AHEAD.set(true);
                let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let (false, Some(item)) = (is_over.load(Ordering::Relaxed), next()) {
                    work(item);
                }
            };
            // Without a thread, callers make what they ask for themselves.
            thread::Builder::new().name("compile ahead".to_owned()).spawn(body).ok()
        };
        let threads = (0..count).filter_map(start).collect();
        Self { is_over, threads }
    }

    /// Returns whether all modules are made, or failed.
    pub fn is_finished(&self) -> bool {
        self.threads.iter().all(JoinHandle::is_finished)
    }

    /// Waits until all modules are made, or failed.
    pub fn wait(mut self) {
        self.join();
    }

    fn join(&mut self) {
        for thread in self.threads.drain(..) {
            // A thread that panicked left its module to the caller that asks for it.
            let _ = thread.join();
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.join();
    }
}

impl fmt::Debug for Ahead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ahead").field("is_finished", &self.is_finished()).finish_non_exhaustive()
    }
}

/// One value per key, made once: the first caller makes it, and all others wait for it. Clones share the values.
pub(crate) struct Once<T> {
    slots: Arc<Mutex<HashMap<u128, Slot<T>>>>,
}

/// A value, or a place for it. Its maker holds the lock.
type Slot<T> = Arc<Mutex<Option<T>>>;

impl<T> Once<T> {
    /// Returns the value of a key if it is made, without a wait.
    pub(crate) fn get(&self, key: u128) -> Option<T>
    where
        T: Copy,
    {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.get(&key)?.try_lock().ok().and_then(|slot| *slot)
    }

    /// Calls `with` with the slot of a key, which no other caller has at the same time.
    pub(crate) fn with<R>(&self, key: u128, with: impl FnOnce(&mut Option<T>) -> R) -> R {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry(key).or_default())
        };
        // A caller that panicked left its slot as it was.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        with(&mut slot)
    }
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self { slots: Arc::default() }
    }
}

impl<T> Clone for Once<T> {
    fn clone(&self) -> Self {
        Self { slots: Arc::clone(&self.slots) }
    }
}

impl<T> fmt::Debug for Once<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner).len();
        f.debug_struct("Once").field("slots", &slots).finish()
    }
}

/// Cubins that background threads make for a GPU that is not open yet. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Cubins(pub(crate) Once<crate::cuda::Cubin>);

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

    use super::*;
    use std::sync::{atomic::AtomicUsize, mpsc};

    #[test]
    fn dropping_waits_for_what_was_begun_and_begins_nothing_else() {
        let (begun, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (at_work, is_at_work) = mpsc::channel();
        let (count, ended) = (Arc::clone(&begun), Arc::clone(&done));
        let ahead = Ahead::start((0..1000).collect(), move |_: i32| {
            count.fetch_add(1, Ordering::SeqCst);
            let _ = at_work.send(());
            thread::sleep(std::time::Duration::from_millis(20));
            ended.fetch_add(1, Ordering::SeqCst);
        });
        is_at_work.recv().unwrap();
        drop(ahead);
        let begun = begun.load(Ordering::SeqCst);
        assert_eq!(done.load(Ordering::SeqCst), begun, "all that was begun is done");
        assert!((1..100).contains(&begun), "{begun}");
    }

    #[test]
    fn waiting_ends_when_all_items_are_done_also_after_a_panic() {
        let done = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&done);
        let ahead = Ahead::start((0..4).collect(), move |item: i32| {
            count.fetch_add(1, Ordering::SeqCst);
            assert!(item != 3, "the last one panics");
        });
        ahead.wait();
        assert_eq!(done.load(Ordering::SeqCst), 4);
    }

    #[test]
    fn a_value_is_made_once_by_many_callers() {
        let (once, made) = (Once::<u32>::default(), AtomicUsize::new(0));
        let ask = || {
            once.with(7, |slot| {
                *slot.get_or_insert_with(|| {
                    made.fetch_add(1, Ordering::SeqCst);
                    42
                })
            })
        };
        thread::scope(|scope| {
            let asked: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
            asked.into_iter().for_each(|asked| assert_eq!(asked.join().unwrap(), 42));
        });
        assert_eq!(made.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn different_keys_do_not_wait_for_each_other() {
        let (once, barrier) = (&Once::<u32>::default(), &std::sync::Barrier::new(2));
        thread::scope(|scope| {
            for key in 0..2 {
                // Each waits for the other while it holds its slot.
                scope.spawn(move || once.with(key, |_| barrier.wait()));
            }
        });
    }
}
