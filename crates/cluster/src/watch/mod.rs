//! The watch: connections by which the processes of a run tell one another that they live, and why they end.
//!
//! Each process sends a sign of life every second to each other one. A process that sends nothing for [`PATIENCE`] is
//! lost: it was stopped, its machine hangs, or the network is cut. A connection that closes without a farewell is a
//! process that ended. Signs come from a thread of their own, so a process that computes for hours is never lost.
//!
//! A process that ends with an error says which; the others then report that error, not that the process is gone.

mod message;

use crate::{connect::Peer, error::Error, trouble::Trouble};
use message::Message;
use std::{
    io::{self, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use warpgraph_parts::exchange::ExchangeError;

/// How often a sign of life is sent.
const BEAT: Duration = Duration::from_secs(1);
/// After this time without a sign of life a process is lost.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// How long an ending process waits for the others to close their ends.
const FAREWELL: Duration = Duration::from_millis(500);

/// The watch over all other processes. Ends when it is dropped.
pub(crate) struct Watch {
    lines: Arc<Vec<Line>>,
    stop: Option<mpsc::Sender<()>>,
    beating: Option<JoinHandle<()>>,
    reading: Vec<JoinHandle<()>>,
    trouble: Arc<Trouble>,
}

/// The connection to one process.
struct Line {
    part: usize,
    name: String,
    writer: Mutex<TcpStream>,
}

impl Line {
    /// Sends a message. If that fails, the thread that reads the connection notices.
    fn send(&self, message: &Message) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writer.write_all(&message.bytes());
    }

    fn lost(&self, what: impl Into<String>) -> ExchangeError {
        ExchangeError::Lost { part: self.part, name: self.name.clone(), what: what.into() }
    }

    fn invalid(&self, what: impl Into<String>) -> ExchangeError {
        ExchangeError::Invalid { part: self.part, name: self.name.clone(), what: what.into() }
    }

    /// Reads until the process says farewell, or something is wrong.
    fn read(&self, stream: &TcpStream, names: &[String], trouble: &Trouble) -> Result<(), ExchangeError> {
        let mut seen = Instant::now();
        let mut reader = BufReader::new(stream);
        loop {
            match Message::read(&mut reader) {
                Ok(Message::Alive) => seen = Instant::now(),
                Ok(Message::Farewell) => return Ok(()),
                Ok(Message::Failed(failure)) => {
                    let unknown = || self.invalid("the watch: an error of a part that does not exist");
                    return Err(failure.error(names).unwrap_or_else(unknown));
                }
                Err(message::Unread::Silence) if seen.elapsed() > PATIENCE => {
                    let what = format!("it gave no sign of life for {} s", PATIENCE.as_secs());
                    return Err(self.lost(what));
                }
                Err(message::Unread::Silence) => trouble.check()?,
                Err(message::Unread::Closed) => return Err(self.lost("it closed its connections")),
                Err(message::Unread::Io(error)) => return Err(self.lost(error.to_string())),
                Err(message::Unread::Invalid(what)) => return Err(self.invalid(format!("the watch: {what}"))),
            }
        }
    }
}

impl Watch {
    /// Starts to watch. `trouble` gets the first error, and all others are told when it has one.
    pub(crate) fn start(
        part: usize,
        names: &Arc<Vec<String>>,
        peers: &[Option<Peer>],
        trouble: &Arc<Trouble>,
    ) -> Result<Self, Error> {
        let mut lines = Vec::new();
        for (part, peer) in peers.iter().enumerate() {
            let Some(peer) = peer else { continue };
            let writer = peer.watch.try_clone().map_err(unwatched)?;
            writer.set_write_timeout(Some(BEAT)).map_err(unwatched)?;
            lines.push(Line { part, name: peer.name.clone(), writer: Mutex::new(writer) });
        }
        let (lines, (stop, stopped)) = (Arc::new(lines), mpsc::channel());
        let mut watch =
            Self { lines, stop: Some(stop), beating: None, reading: Vec::new(), trouble: trouble.clone() };
        for (place, peer) in peers.iter().flatten().enumerate() {
            let stream = peer.watch.try_clone().map_err(unwatched)?;
            watch.reading.push(watch.reader(place, stream, names.clone())?);
        }
        let lines = watch.lines.clone();
        watch.beating = Some(spawn("warpgraph:beat", move || beat(&lines, &stopped))?);
        let lines = watch.lines.clone();
        trouble.when_raised(move |error| {
            let message = Message::Failed(message::Failure::of(error, part));
            lines.iter().for_each(|line| line.send(&message));
        });
        Ok(watch)
    }

    fn reader(
        &self,
        place: usize,
        stream: TcpStream,
        names: Arc<Vec<String>>,
    ) -> Result<JoinHandle<()>, Error> {
        stream.set_read_timeout(Some(BEAT)).map_err(unwatched)?;
        let (lines, trouble) = (self.lines.clone(), self.trouble.clone());
        spawn("warpgraph:watch", move || {
            let line = &lines[place];
            if let Err(error) = line.read(&stream, &names, &trouble) {
                trouble.raise(error);
            }
            // Keeps the connection readable, so that what was sent last is not thrown away by a reset.
            drain(&stream);
        })
    }
}

fn unwatched(source: io::Error) -> Error {
    Error::Listen { address: "the connections of the watch".to_owned(), source }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(run)
        .map_err(|_| Error::Thread("the watch could not be started"))
}

/// Sends signs of life until it is told to stop.
fn beat(lines: &[Line], stopped: &mpsc::Receiver<()>) {
    while stopped.recv_timeout(BEAT) == Err(mpsc::RecvTimeoutError::Timeout) {
        lines.iter().for_each(|line| line.send(&Message::Alive));
    }
}

/// Reads to the end, for a moment.
fn drain(mut stream: &TcpStream) {
    let (end, mut buffer) = (Instant::now() + FAREWELL, [0; 1_024]);
    let _ = stream.set_read_timeout(Some(FAREWELL));
    while Instant::now() < end && matches!(stream.read(&mut buffer), Ok(1..)) {}
}

impl Watch {
    /// Closes the connections, one way or both.
    fn shut(&self, how: Shutdown) {
        for line in self.lines.iter() {
            let writer = line.writer.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = writer.shutdown(how);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let failed = self.trouble.get().is_some();
        if !failed {
            self.lines.iter().for_each(|line| line.send(&Message::Farewell));
        }
        self.stop = None;
        self.shut(Shutdown::Write);
        if failed {
            // The others get a moment to read why. A process that was stopped never closes its end.
            let end = Instant::now() + FAREWELL;
            while Instant::now() < end && !self.reading.iter().all(JoinHandle::is_finished) {
                thread::sleep(FAREWELL / 50);
            }
            self.shut(Shutdown::Both);
        }
        let threads = self.beating.take().into_iter().chain(self.reading.drain(..));
        for thread in threads {
            // It reported its end through the trouble.
            let _ = thread.join();
        }
    }
}
