//! What tests of several members share.

use std::{net::TcpListener, sync::Arc, thread, time::Duration};
use warpgraph_cluster::{Error, Meeting, Member, Secret, listen};

/// Returns a listener per process, on ports of loopback that the system chose, and their addresses.
pub(crate) fn listeners(parts: usize) -> (Vec<TcpListener>, Vec<String>) {
    let listeners: Vec<_> = (0..parts).map(|_| listen("127.0.0.1:0").unwrap()).collect();
    let hosts = listeners.iter().map(|listener| listener.local_addr().unwrap().to_string()).collect();
    (listeners, hosts)
}

/// Returns the meeting of one process.
pub(crate) fn meeting(part: usize, hosts: &[String]) -> Meeting {
    Meeting {
        part,
        hosts: hosts.to_vec(),
        run: "test".to_owned(),
        question: "what?".to_owned(),
        secret: Secret::default(),
        wait: Duration::from_secs(20),
    }
}

/// Runs a function as every member of a run, each on a thread of its own. Returns what each returned.
pub(crate) fn on_each<T: Send + 'static>(
    parts: usize,
    run: impl Fn(Result<Member, Error>) -> T + Send + Sync + 'static,
) -> Vec<T> {
    let (listeners, hosts) = listeners(parts);
    let run = Arc::new(run);
    let threads: Vec<_> = listeners
        .into_iter()
        .enumerate()
        .map(|(part, listener)| {
            let (meeting, run) = (meeting(part, &hosts), run.clone());
            thread::spawn(move || run(Member::join(&meeting, listener)))
        })
        .collect();
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}
