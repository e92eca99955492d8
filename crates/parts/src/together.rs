//! Runs all parts of a run in one process, each on a thread of its own.

use crate::exchange::{Exchange, Local, local};
use std::thread;

/// Calls `run` once per part, each on threads of its own (`threads` of them), and returns the results in the order of the
/// parts. A panic in one of them ends the others with an error, and is then passed on.
///
/// # Errors
/// [`warpgraph_graph::Error::Invalid`] if the system does not give so many threads.
pub fn together<T: Send>(
    parts: usize,
    threads: usize,
    run: impl Fn(Local) -> T + Sync,
) -> warpgraph_graph::Result<Vec<T>> {
    let refused = |what: String| {
        let what = format!("cannot start {threads} threads for each of {parts} parts: {what}");
        warpgraph_graph::Error::invalid(what, "use fewer parts or threads")
    };
    let one = |mut member: Local| {
        // The thread itself is one of the pool.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).use_current_thread().build();
        match pool {
            Ok(pool) => Ok(pool.install(|| run(member))),
            Err(error) => {
                member.fail(&format!("it gets no {threads} threads"));
                Err(refused(error.to_string()))
            }
        }
    };
    let one = &one;
    thread::scope(|scope| {
        let running: Vec<_> =
            local(parts).into_iter().map(|member| scope.spawn(move || one(member))).collect();
        let ends: Vec<_> = running.into_iter().map(thread::ScopedJoinHandle::join).collect();
        ends.into_iter().map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}
