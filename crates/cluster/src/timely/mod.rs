//! [`Timely`]: an [`Exchange`] over Timely Dataflow. Nothing outside of this module knows Timely.
//!
//! Timely gets connections that are made and checked already, wrapped in [guards](guard). It runs on a thread of its own
//! ([`post`]), because what belongs to it must not change threads. Its version is fixed, because the guards know how it
//! lays out what it sends ([`frame`]); a test sends through every kind of frame.
//!
//! Rounds are times of Timely, and its progress tracking says when a round has ended everywhere.

mod frame;
mod guard;
mod parcel;
mod post;
mod quiet;

use crate::{connect::Peer, error::Error, trouble::Trouble};
use frame::PARCEL;
use guard::{Guard, Shared};
use parcel::{Body, Kind, Parcel};
use post::{Arrived, Order};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{self, Receiver, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};
use timely::communication::{
    Hooks,
    allocator::{
        ProcessBuilder,
        zero_copy::{
            allocator::TcpBuilder,
            initialize::{CommsGuard, initialize_networking_from_sockets},
        },
    },
};
use warpgraph_parts::exchange::{Exchange, ExchangeError, Reduce};

/// While more bytes than this wait to be sent, a sender waits.
const BACKLOG: u64 = 64 << 20;
/// Buffers of 1 MiB that Timely keeps per connection.
const KEPT: usize = 4;

/// The connection of one part to all others.
pub(crate) struct Timely {
    shared: Arc<Shared>,
    orders: Option<Sender<Order>>,
    answers: Receiver<Vec<Arrived>>,
    thread: Option<JoinHandle<()>>,
    /// Bytes given to send in this round, and bytes sent before it.
    given: u64,
    sent_before: u64,
    /// What this part sent to itself.
    own: Vec<Vec<u8>>,
    /// What arrived in rounds that reductions ended.
    early: Vec<Arrived>,
    /// Of each part, the pieces so far of what it sends.
    pieces: Vec<Vec<u8>>,
}

impl Timely {
    /// Starts Timely on the data connections of all peers.
    pub(crate) fn start(
        part: usize,
        names: &Arc<Vec<String>>,
        peers: Vec<Option<Peer>>,
        trouble: &Arc<Trouble>,
    ) -> Result<Self, Error> {
        quiet::threads_of_timely();
        let parts = peers.len();
        let shared = Arc::new(Shared::new(part, names.clone(), trouble.clone()));
        let mut sockets = Vec::with_capacity(parts);
        let mut guards = Vec::with_capacity(parts);
        for (other, peer) in peers.into_iter().enumerate() {
            let guard = peer.map(|Peer { name, data, .. }| {
                sockets.push(data.try_clone()?);
                Guard::new(data, (other, name), &shared)
            });
            guards.push(guard.transpose().map_err(unconnected)?);
        }
        trouble.when_raised(move |_| {
            for socket in &sockets {
                let _ = socket.shutdown(std::net::Shutdown::Both);
            }
        });
        let (builder, comms) = network(guards, part)?;
        let ((orders, ordered), (answer, answers)) = (mpsc::channel(), mpsc::channel());
        let thread = {
            let shared = shared.clone();
            let run = move || run(builder, comms, &ordered, answer, &shared);
            let thread = thread::Builder::new().name(quiet::NAME.to_owned()).spawn(run);
            thread.map_err(|_| Error::Thread("the one that exchanges values"))?
        };
        let woken = thread.thread().clone();
        trouble.when_raised(move |_| woken.unpark());
        Ok(Self {
            shared,
            orders: Some(orders),
            answers,
            thread: Some(thread),
            given: 0,
            sent_before: 0,
            own: Vec::new(),
            early: Vec::new(),
            pieces: vec![Vec::new(); parts],
        })
    }

    /// Sets how many bytes a part may send to this one in one round.
    pub(crate) fn limit(&self, bytes: u64) {
        self.shared.most.store(bytes, Ordering::Release);
    }

    fn order(&self, order: Order) -> Result<(), ExchangeError> {
        let sent = self.orders.as_ref().is_some_and(|orders| orders.send(order).is_ok());
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
        if sent { self.shared.trouble.check() } else { Err(self.ended()) }
    }

    /// Returns why the thread of Timely has ended.
    fn ended(&self) -> ExchangeError {
        post::fail(&self.shared, "the exchange has ended");
        self.shared.trouble.get().unwrap_or_else(|| self.invalid(self.shared.own, "nothing".to_owned()))
    }

    fn invalid(&self, part: usize, what: String) -> ExchangeError {
        let name = self.shared.names[part].clone();
        self.shared.trouble.raise(ExchangeError::Invalid { part, name, what })
    }

    /// Ends the round. Returns what arrived in it.
    fn end(&mut self) -> Result<Vec<Arrived>, ExchangeError> {
        self.order(Order::End)?;
        let arrived = self.answers.recv().map_err(|_| self.ended())?;
        self.shared.trouble.check()?;
        (self.given, self.sent_before) = (0, self.shared.sent.load(Ordering::Acquire));
        Ok(arrived)
    }

    /// Waits while too much waits to be sent.
    fn hold(&self) -> Result<(), ExchangeError> {
        loop {
            let sent = self.shared.sent.load(Ordering::Acquire) - self.sent_before;
            if self.given.saturating_sub(sent) < BACKLOG {
                return Ok(());
            }
            self.shared.trouble.check()?;
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Hands one arrival to the receiver once it is whole.
    #[allow(clippy::type_complexity, reason = "the signature of the trait")]
    fn deliver(
        &mut self,
        (from, kind, body): Arrived,
        receive: &mut dyn FnMut(usize, &[u8]) -> Result<(), String>,
    ) -> Result<(), ExchangeError> {
        let begun = &mut self.pieces[from];
        let received = match kind {
            Kind::Piece => {
                begun.extend_from_slice(&body);
                return Ok(());
            }
            Kind::Last if begun.is_empty() => receive(from, &body),
            Kind::Last => {
                let mut whole = std::mem::take(begun);
                whole.extend_from_slice(&body);
                receive(from, &whole)
            }
            Kind::Words => Err("words of a reduction that this part does not make".to_owned()),
        };
        received.map_err(|what| self.invalid(from, what))
    }
}

fn unconnected(source: std::io::Error) -> Error {
    Error::Listen { address: "the connections of the run".to_owned(), source }
}

/// Starts Timely's communication threads.
fn network(guards: Vec<Option<Guard>>, part: usize) -> Result<(TcpBuilder, CommsGuard), Error> {
    let mut hooks = Hooks::default();
    hooks.refill.limit = Some(KEPT);
    let process = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
    let (mut builders, comms) =
        initialize_networking_from_sockets(process, guards, part, 1, hooks).map_err(unconnected)?;
    let builder = builders.pop().ok_or(Error::Thread("Timely made none"))?;
    Ok((builder, comms))
}

/// The thread of Timely: works, then ends its communication threads. A panic of Timely is an error of this part.
fn run(
    builder: TcpBuilder,
    comms: CommsGuard,
    orders: &Receiver<Order>,
    answers: Sender<Vec<Arrived>>,
    shared: &Shared,
) {
    let worked = catch_unwind(AssertUnwindSafe(|| post::work(builder, orders, &answers, shared)));
    if worked.is_err() {
        post::fail(shared, "Timely Dataflow panicked");
    }
    drop(answers);
    if catch_unwind(AssertUnwindSafe(|| drop(comms))).is_err() {
        post::fail(shared, "a communication thread of Timely Dataflow panicked");
    }
}

#[allow(clippy::type_complexity, reason = "the signature of the trait")]
impl Exchange for Timely {
    fn part(&self) -> usize {
        self.shared.own
    }

    fn parts(&self) -> usize {
        self.pieces.len()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), ExchangeError> {
        if to == self.shared.own {
            self.own.push(bytes);
            return self.shared.trouble.check();
        }
        self.hold()?;
        self.given += bytes.len() as u64;
        let (from, bytes) = (self.shared.own, Arc::new(bytes));
        let mut start = 0;
        while bytes.len() - start > PARCEL {
            let body = Body::Given(bytes.clone(), start..start + PARCEL);
            self.order(Order::Send(Parcel::new(from, to, Kind::Piece, body)))?;
            start += PARCEL;
        }
        let body = Body::Given(bytes.clone(), start..bytes.len());
        self.order(Order::Send(Parcel::new(from, to, Kind::Last, body)))
    }

    fn flush(
        &mut self,
        receive: &mut dyn FnMut(usize, &[u8]) -> Result<(), String>,
    ) -> Result<(), ExchangeError> {
        let arrived = self.end()?;
        let own = self.shared.own;
        for bytes in std::mem::take(&mut self.own) {
            receive(own, &bytes).map_err(|what| self.invalid(own, what))?;
        }
        for one in std::mem::take(&mut self.early).into_iter().chain(arrived) {
            self.deliver(one, receive)?;
        }
        match self.pieces.iter().position(|begun| !begun.is_empty()) {
            Some(part) => Err(self.invalid(part, "a piece that nothing follows".to_owned())),
            None => Ok(()),
        }
    }

    fn all_reduce(&mut self, words: &mut [u64], reduce: Reduce) -> Result<(), ExchangeError> {
        let (own, parts) = (self.shared.own, self.parts());
        let bytes = Arc::new(words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
        for to in (0..parts).filter(|to| *to != own) {
            let body = Body::Given(bytes.clone(), 0..bytes.len());
            self.order(Order::Send(Parcel::new(own, to, Kind::Words, body)))?;
        }
        let mut all = vec![None; parts];
        all[own] = Some(words.to_vec());
        for (from, kind, body) in self.end()? {
            if kind != Kind::Words {
                self.early.push((from, kind, body));
                continue;
            }
            if body.len() != 8 * words.len() || all[from].is_some() {
                let what = format!("{} bytes for a reduction of {} words", body.len(), words.len());
                return Err(self.invalid(from, what));
            }
            let word = |bytes: &[u8]| bytes.first_chunk().copied().map_or(0, u64::from_le_bytes);
            all[from] = Some(body.chunks_exact(8).map(word).collect());
        }
        let missing = all.iter().position(Option::is_none);
        if let Some(part) = missing {
            return Err(self.invalid(part, "nothing for a reduction that all parts make".to_owned()));
        }
        for (place, word) in words.iter_mut().enumerate() {
            *word = reduce.all(all.iter().flatten().map(|words| words[place]));
        }
        Ok(())
    }

    fn fail(&mut self, what: &str) {
        post::fail(&self.shared, what);
    }

    fn traffic(&self) -> (u64, u64) {
        let Shared { sent, received, .. } = &*self.shared;
        (sent.load(Ordering::Relaxed), received.load(Ordering::Relaxed))
    }
}

impl Drop for Timely {
    fn drop(&mut self) {
        if thread::panicking() {
            post::fail(&self.shared, "its thread panicked");
        }
        self.shared.closing.store(true, Ordering::Release);
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It reported its end through the trouble.
            let _ = thread.join();
        }
    }
}
