//! How the processes of a run meet: each listens, calls those with smaller numbers, and waits for those with larger ones.
//!
//! Any two processes have two connections: one for values, one by which they watch one another. A connection counts
//! only after its [handshake](shake). Others are refused, told why, and remembered: an error about a process that did not
//! come lists them.

mod hello;
mod serve;
mod shake;

use crate::{error::Error, secret::Secret};
use hello::{Identity, Kind};
use serve::Door;
use shake::Failed;
use std::{
    io,
    net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs},
    thread,
    time::{Duration, Instant},
};

/// How long a process waits before it calls again.
const AGAIN: Duration = Duration::from_millis(100);
/// How long one call may take.
const CALL: Duration = Duration::from_secs(2);

/// Who meets, and for what.
#[derive(Debug, Clone)]
pub struct Meeting {
    /// The number of this process.
    pub part: usize,
    /// The addresses of all processes, `host:port`.
    pub hosts: Vec<String>,
    /// The name of the run, the same for all processes.
    pub run: String,
    /// What is asked, the same for all processes: version, algorithm, graph, flags.
    pub question: String,
    /// The secret, empty if there is none.
    pub secret: Secret,
    /// How long to wait until all processes are there.
    pub wait: Duration,
}

/// Another process of the run.
#[derive(Debug)]
pub(crate) struct Peer {
    /// Its address and process number.
    pub(crate) name: String,
    pub(crate) data: TcpStream,
    pub(crate) watch: TcpStream,
}

/// Opens the address at which other processes reach this one.
///
/// # Errors
///
/// [`Error::Listen`] if the address is not one of this machine, or taken.
pub fn listen(address: &str) -> Result<TcpListener, Error> {
    TcpListener::bind(address).map_err(|source| Error::Listen { address: address.to_owned(), source })
}

impl Meeting {
    /// Returns the connections to all other processes, by their number; `None` at the own place.
    ///
    /// # Errors
    ///
    /// [`Error::Absent`] if a process did not come in time, [`Error::Refused`] if it belongs to another run or asks
    /// another question.
    pub(crate) fn meet(&self, listener: TcpListener) -> Result<Vec<Option<Peer>>, Error> {
        let identity = Identity::new(self.part, self.hosts.len(), &self.run, &self.question);
        let end = Instant::now() + self.wait;
        let door = Door::new(&identity, &self.secret, self.hosts.len());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| door.serve(&listener, end));
            let mut called = Vec::new();
            let failed = (0..self.part)
                .find_map(|to| self.reach(&identity, to, end).map(|peer| called.push(Some(peer))).err());
            if failed.is_some() {
                door.close();
            }
            let served = waiting.join().map_err(|_| Error::Thread("the one that accepts connections"))?;
            if let Some(error) = failed {
                return Err(error);
            }
            let served = served.map_err(|error| self.unserved(error))?;
            called.push(None);
            called.extend(served.into_iter().map(|(part, process, data, watch)| {
                Some(Peer { name: self.name(part, process), data, watch })
            }));
            Ok(called)
        })
    }

    fn name(&self, part: usize, process: u32) -> String {
        format!("{}, process {process}", self.hosts[part])
    }

    fn unserved(&self, error: serve::Unserved) -> Error {
        match error {
            serve::Unserved::Io(source) => Error::Listen { address: self.hosts[self.part].clone(), source },
            serve::Unserved::Absent { part, refused } => {
                Error::Absent { part, name: self.hosts[part].clone(), wait: self.wait, what: refused }
            }
        }
    }

    /// Returns both connections to a process with a smaller number.
    fn reach(&self, identity: &Identity, to: usize, end: Instant) -> Result<Peer, Error> {
        let (data, _) = self.call(identity, to, Kind::Data, end)?;
        let (watch, process) = self.call(identity, to, Kind::Watch, end)?;
        Ok(Peer { name: self.name(to, process), data, watch })
    }

    /// Calls until a process answers. A refusal ends the calls.
    fn call(
        &self,
        identity: &Identity,
        to: usize,
        kind: Kind,
        end: Instant,
    ) -> Result<(TcpStream, u32), Error> {
        let name = &self.hosts[to];
        loop {
            let greeted = connect(name).map_err(Failed::Io).and_then(|stream| {
                let hello = shake::call(&stream, identity, &self.secret, to as u32, kind)?;
                Ok((stream, hello.process))
            });
            let failed = match greeted {
                Ok(reached) => return Ok(reached),
                Err(failed) => failed,
            };
            if let Failed::Refused(refusal) | Failed::RefusedUs(refusal) = failed {
                return Err(Error::Refused { part: to, name: name.clone(), what: refusal.what().to_owned() });
            }
            if Instant::now() + AGAIN > end {
                let (name, wait) = (name.clone(), self.wait);
                return Err(Error::Absent { part: to, name, wait, what: vec![failed.to_string()] });
            }
            thread::sleep(AGAIN);
        }
    }
}

/// Connects to the first address of a host that answers.
fn connect(host: &str) -> io::Result<TcpStream> {
    let mut error = io::Error::other("the name has no address");
    for address in host.to_socket_addrs()?.collect::<Vec<SocketAddr>>() {
        match TcpStream::connect_timeout(&address, CALL) {
            Ok(stream) => return Ok(stream),
            Err(other) => error = other,
        }
    }
    Err(error)
}
