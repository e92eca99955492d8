//! The listening side of a meeting: accepts connections until every process with a larger number has made both of its own.

use super::{
    hello::{Hello, Identity, Kind, Refusal},
    shake,
};
use crate::secret::Secret;
use std::{
    io,
    net::{TcpListener, TcpStream},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// How often the listener is asked for connections.
const ASK: Duration = Duration::from_millis(5);
/// At most so many handshakes go on at once.
const AT_ONCE: usize = 64;
/// At most so many refused connections are remembered.
const REMEMBERED: usize = 5;

/// A process that came: its part, its process number, and its connections for values and for watching.
pub(super) type Served = (usize, u32, TcpStream, TcpStream);

/// Why not all came.
pub(super) enum Unserved {
    /// Connections cannot be accepted.
    Io(io::Error),
    /// A process did not come; what was refused meanwhile.
    Absent { part: usize, refused: Vec<String> },
}

/// What is known of the processes that are to come.
pub(super) struct Door<'a> {
    identity: &'a Identity,
    secret: &'a Secret,
    state: Mutex<State>,
    /// How many handshakes go on.
    busy: AtomicUsize,
    closed: AtomicBool,
}

struct State {
    /// Of each part, its process and its connections by kind.
    came: Vec<[Option<(u32, TcpStream)>; 2]>,
    refused: Vec<String>,
}

fn place(kind: Kind) -> usize {
    usize::from(kind == Kind::Watch)
}

impl<'a> Door<'a> {
    pub(super) fn new(identity: &'a Identity, secret: &'a Secret, parts: usize) -> Self {
        let came = (0..parts).map(|_| [None, None]).collect();
        let state = Mutex::new(State { came, refused: Vec::new() });
        Self { identity, secret, state, busy: AtomicUsize::new(0), closed: AtomicBool::new(false) }
    }

    /// Ends [`Door::serve`].
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the parts that still have to come.
    fn missing(&self) -> Option<usize> {
        let first = self.identity.part as usize + 1;
        let came = &self.state().came;
        (first..came.len()).find(|part| came[*part].iter().any(Option::is_none))
    }

    /// Accepts connections until all have come.
    pub(super) fn serve(&self, listener: &TcpListener, end: Instant) -> Result<Vec<Served>, Unserved> {
        listener.set_nonblocking(true).map_err(Unserved::Io)?;
        thread::scope(|scope| {
            while let Some(part) = self.missing() {
                if self.closed.load(Ordering::Acquire) || Instant::now() > end {
                    let refused = std::mem::take(&mut self.state().refused);
                    return Err(Unserved::Absent { part, refused });
                }
                match listener.accept() {
                    Ok(_) if self.busy.load(Ordering::Acquire) >= AT_ONCE => {}
                    Ok((stream, address)) => {
                        self.busy.fetch_add(1, Ordering::AcqRel);
                        scope.spawn(move || self.admit(stream, &address.to_string()));
                    }
                    Err(error) if passing(&error) => thread::sleep(ASK),
                    Err(error) => return Err(Unserved::Io(error)),
                }
            }
            Ok(self.all())
        })
    }

    fn all(&self) -> Vec<Served> {
        let mut state = self.state();
        let parts = state.came.iter_mut().enumerate().skip(self.identity.part as usize + 1);
        let both = |(part, came): (usize, &mut [Option<(u32, TcpStream)>; 2])| {
            let ((process, data), (_, watch)) = (came[0].take()?, came[1].take()?);
            Some((part, process, data, watch))
        };
        parts.filter_map(both).collect()
    }

    /// Shakes hands with a caller that has connected.
    fn admit(&self, stream: TcpStream, address: &str) {
        let greeted = stream
            .set_nonblocking(false)
            .map_err(shake::Failed::Io)
            .and_then(|()| shake::answer(&stream, self.identity, self.secret, |hello| self.free(hello)));
        let mut state = self.state();
        match greeted {
            Ok(hello) => {
                state.came[hello.from as usize][place(hello.kind)] = Some((hello.process, stream));
            }
            Err(failed) if state.refused.len() < REMEMBERED => {
                state.refused.push(format!("refused a connection from {address}: {failed}"));
            }
            Err(_) => {}
        }
        drop(state);
        self.busy.fetch_sub(1, Ordering::AcqRel);
    }

    /// Refuses a part that has come already, or that this process calls itself.
    fn free(&self, hello: &Hello) -> Result<(), Refusal> {
        if hello.from <= self.identity.part {
            return Err(Refusal::Place);
        }
        let came = &self.state().came[hello.from as usize];
        let other = came.iter().flatten().any(|(process, _)| *process != hello.process);
        if other || came[place(hello.kind)].is_some() { Err(Refusal::Twice) } else { Ok(()) }
    }
}

/// True for errors of one connection, or for none at all.
fn passing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted, WouldBlock};
    matches!(error.kind(), WouldBlock | Interrupted | ConnectionAborted | ConnectionReset)
}
