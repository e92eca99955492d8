//! [`Guard`]: a connection between Timely and the network, on which nothing can go wrong.
//!
//! Timely panics when a connection fails, and what it reads it believes. So a guard checks every frame before Timely gets
//! it, and when the other process is lost or lies, it reports that and ends the connection for Timely as a process that
//! has finished ends it. What Timely still writes then is thrown away.

use super::frame::{self, Expected, Frame, HEADER, LABEL};
use crate::trouble::Trouble;
use std::{
    io::{self, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};
use timely::communication::allocator::zero_copy::stream::Stream;
use warpgraph_parts::exchange::ExchangeError;

/// How long the watch may take to say why a connection ended.
const REASON: Duration = Duration::from_millis(1_500);

/// What all connections of a member share.
pub(super) struct Shared {
    /// The own part.
    pub(super) own: usize,
    /// Addresses and process numbers of all parts.
    pub(super) names: Arc<Vec<String>>,
    pub(super) trouble: Arc<Trouble>,
    /// Rounds below this one have ended.
    pub(super) ended: AtomicU64,
    /// The round that is open for sending.
    pub(super) now: AtomicU64,
    /// The most bytes that one part may send in one round.
    pub(super) most: AtomicU64,
    pub(super) sent: AtomicU64,
    pub(super) received: AtomicU64,
    /// True when this member closes its connections.
    pub(super) closing: AtomicBool,
    /// One more than the part that closed its connections last; 0 if none has.
    pub(super) left: AtomicUsize,
}

impl Shared {
    pub(super) fn new(own: usize, names: Arc<Vec<String>>, trouble: Arc<Trouble>) -> Self {
        Self {
            own,
            names,
            trouble,
            ended: AtomicU64::new(0),
            now: AtomicU64::new(0),
            most: AtomicU64::new(u64::MAX),
            sent: AtomicU64::new(0),
            received: AtomicU64::new(0),
            closing: AtomicBool::new(false),
            left: AtomicUsize::new(0),
        }
    }
}

/// A connection to one process.
pub(super) struct Guard {
    socket: TcpStream,
    reader: BufReader<TcpStream>,
    part: usize,
    name: String,
    shared: Arc<Shared>,
    state: State,
    /// Bytes that were checked and that Timely has yet to read.
    checked: Vec<u8>,
    /// How many of them it has read.
    read: usize,
    /// The bytes of the present frame that follow.
    owed: usize,
    /// The round of the last parcel, and the bytes of that round so far.
    allowance: (u64, u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// The end was passed on.
    Ended,
}

impl Guard {
    pub(super) fn new(
        socket: TcpStream,
        (part, name): (usize, String),
        shared: &Arc<Shared>,
    ) -> io::Result<Self> {
        let reader = BufReader::with_capacity(1 << 14, socket.try_clone()?);
        let shared = shared.clone();
        Ok(Self {
            socket,
            reader,
            part,
            name,
            shared,
            state: State::Open,
            checked: Vec::new(),
            read: 0,
            owed: 0,
            allowance: (0, 0),
        })
    }

    fn expected(&self) -> Expected {
        Expected {
            from: self.part,
            to: self.shared.own,
            parts: self.shared.names.len(),
            ended: self.shared.ended.load(Ordering::Acquire),
            now: self.shared.now.load(Ordering::Acquire),
        }
    }

    /// Reports that the connection failed, unless the watch knows a better reason.
    fn lost(&self, what: String) {
        let closing = self.shared.closing.load(Ordering::Acquire);
        if !closing && self.shared.trouble.wait(REASON).is_none() {
            let (part, name) = (self.part, self.name.clone());
            self.shared.trouble.raise(ExchangeError::Lost { part, name, what });
        }
    }

    fn invalid(&self, what: String) {
        let (part, name) = (self.part, self.name.clone());
        self.shared.trouble.raise(ExchangeError::Invalid { part, name, what });
    }

    /// Reads exactly so many bytes. Reports it if they do not come.
    fn exactly(&mut self, bytes: &mut [u8]) -> bool {
        match self.reader.read_exact(bytes) {
            Ok(()) => {
                self.shared.received.fetch_add(bytes.len() as u64, Ordering::Relaxed);
                true
            }
            Err(error) => {
                self.lost(closed(&error));
                false
            }
        }
    }

    /// Reads and checks the head of the next frame. Returns false if the connection has to end.
    fn next(&mut self) -> bool {
        let mut head = [0; HEADER];
        if !self.exactly(&mut head) {
            return false;
        }
        let frame = match frame::header(&head, &self.expected()) {
            Ok(frame) => frame,
            Err(what) => {
                self.invalid(what);
                return false;
            }
        };
        self.read = 0;
        self.checked.clear();
        match frame {
            // Timely wants to see that nothing follows. Nothing does: the guard reads no more.
            Frame::End => {
                self.shared.left.store(self.part + 1, Ordering::Release);
                false
            }
            Frame::Parcel(length) => self.parcel(&head, length),
            Frame::Progress(length) => self.progress(&head, length),
        }
    }

    fn parcel(&mut self, head: &[u8; HEADER], length: usize) -> bool {
        let mut label = [0; LABEL];
        if !self.exactly(&mut label) {
            return false;
        }
        let expected = self.expected();
        let checked = frame::label(&label, &expected).and_then(|round| self.allow(length, round));
        if let Err(what) = checked {
            self.invalid(what);
            return false;
        }
        self.checked.extend_from_slice(head);
        self.checked.extend_from_slice(&label);
        self.owed = length - LABEL;
        true
    }

    /// Counts the bytes of a round.
    fn allow(&mut self, length: usize, round: u64) -> Result<(), String> {
        if self.allowance.0 != round {
            self.allowance = (round, 0);
        }
        self.allowance.1 += length as u64;
        let most = self.shared.most.load(Ordering::Acquire);
        if self.allowance.1 > most {
            return Err(format!("more than {most} bytes in a round"));
        }
        Ok(())
    }

    fn progress(&mut self, head: &[u8; HEADER], length: usize) -> bool {
        let mut bytes = vec![0; length];
        if !self.exactly(&mut bytes) {
            return false;
        }
        if let Err(what) = frame::progress(&bytes, &self.expected()) {
            self.invalid(what);
            return false;
        }
        self.checked.extend_from_slice(head);
        self.checked.extend_from_slice(&bytes);
        true
    }

    /// Hands over the rest of a parcel. Completes it with zeros if the connection fails; the run then ends before it reads them.
    fn body(&mut self, buffer: &mut [u8]) -> usize {
        let most = self.owed.min(buffer.len());
        let got = match self.reader.read(&mut buffer[..most]) {
            Ok(got @ 1..) => {
                self.shared.received.fetch_add(got as u64, Ordering::Relaxed);
                got
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return self.body(buffer),
            end => {
                self.lost(
                    end.map_or_else(|error| closed(&error), |_| closed(&io::ErrorKind::UnexpectedEof.into())),
                );
                buffer[..most].fill(0);
                most
            }
        };
        self.owed -= got;
        got
    }

    fn end(&mut self) {
        self.state = State::Ended;
        self.read = 0;
        self.checked = vec![0; HEADER];
    }
}

fn closed(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => {
            "it closed its connections".to_owned()
        }
        _ => error.to_string(),
    }
}

impl Read for Guard {
    /// Never fails.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = &self.checked[self.read..];
            if !left.is_empty() {
                let some = left.len().min(buffer.len());
                buffer[..some].copy_from_slice(&left[..some]);
                self.read += some;
                return Ok(some);
            }
            if self.state == State::Ended {
                return Ok(0);
            }
            if self.owed > 0 {
                return Ok(self.body(buffer));
            }
            if !self.next() {
                self.end();
            }
        }
    }
}

impl Write for Guard {
    /// Never fails, but may be interrupted.
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.socket.write(buffer) {
            Ok(some @ 1..) => {
                self.shared.sent.fetch_add(some as u64, Ordering::Relaxed);
                return Ok(some);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => self.lost(closed(&error)),
            Ok(_) => self.lost("it takes no more bytes".to_owned()),
        }
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Guard {
    fn try_clone(&self) -> io::Result<Self> {
        let socket = self.socket.try_clone()?;
        Self::new(socket, (self.part, self.name.clone()), &self.shared)
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.socket.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // A connection that is gone is as good as shut down.
        let _ = self.socket.shutdown(how);
        Ok(())
    }
}
