//! The handshake: both sides say who they are, then both prove that they know the secret.
//!
//! | caller | listener |
//! | --- | --- |
//! | hello | |
//! | | one byte: 0, or why it refuses; its own hello |
//! | code over both hellos | |
//! | | one byte; code over both hellos |
//!
//! Both codes cover the numbers that both sides drew, so a recorded handshake proves nothing later. Every read has a
//! fixed length, and the whole handshake one deadline, so a caller that sends nothing or anything else does no harm.

use super::hello::{Hello, Identity, Kind, Refusal, SIZE};
use crate::secret::{Secret, same};
use std::{
    io::{self, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

/// How long a whole handshake may take.
pub(super) const DEADLINE: Duration = Duration::from_secs(5);

/// Why a handshake failed.
#[derive(Debug)]
pub(super) enum Failed {
    /// The connection failed, or one side was silent.
    Io(io::Error),
    /// This side refuses the other.
    Refused(Refusal),
    /// The other side refuses this one.
    RefusedUs(Refusal),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                f.write_str("it closed the connection during the handshake")
            }
            Self::Io(error)
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) =>
            {
                write!(f, "it did not complete the handshake within {} s", DEADLINE.as_secs())
            }
            Self::Io(error) => error.fmt(f),
            Self::Refused(refusal) | Self::RefusedUs(refusal) => f.write_str(refusal.what()),
        }
    }
}

/// A connection whose reads and writes together have one deadline.
struct Timed<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl<'a> Timed<'a> {
    fn new(stream: &'a TcpStream) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self { stream, end: Instant::now() + DEADLINE })
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }

    fn read<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let (mut bytes, mut there) = ([0; N], 0);
        while there < N {
            self.stream.set_read_timeout(self.left()?)?;
            match self.stream.read(&mut bytes[there..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(more) => there += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(bytes)
    }

    fn write(&mut self, pieces: &[&[u8]]) -> io::Result<()> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write_all(&pieces.concat())
    }

    fn end(self) -> io::Result<()> {
        self.stream.set_read_timeout(None)?;
        self.stream.set_write_timeout(None)
    }
}

/// Returns the code of one side.
fn code(secret: &Secret, side: &[u8], caller: &Hello, listener: &Hello) -> [u8; 32] {
    secret.vouch(&[side, &caller.bytes(), &listener.bytes()])
}

/// Greets the part that a connection was made to. Returns its hello.
pub(super) fn call(
    stream: &TcpStream,
    identity: &Identity,
    secret: &Secret,
    to: u32,
    kind: Kind,
) -> Result<Hello, Failed> {
    let mut timed = Timed::new(stream)?;
    let own = identity.hello(to, kind).map_err(|error| Failed::Io(io::Error::other(error.to_string())))?;
    timed.write(&[&own.bytes()])?;
    accepted(timed.read()?)?;
    let other = Hello::read(&timed.read::<SIZE>()?)?;
    identity.accept(&other)?;
    if other.from != to || other.kind != kind {
        return Err(Refusal::Place.into());
    }
    timed.write(&[&code(secret, b"caller", &own, &other)])?;
    accepted(timed.read()?)?;
    if !same(&timed.read()?, &code(secret, b"listener", &own, &other)) {
        return Err(Refusal::Secret.into());
    }
    timed.end()?;
    Ok(other)
}

fn accepted(byte: [u8; 1]) -> Result<(), Failed> {
    match byte[0] {
        0 => Ok(()),
        byte => Err(Refusal::of_byte(byte).map_or(Failed::Refused(Refusal::NoHello), Failed::RefusedUs)),
    }
}

/// Answers a caller. Returns its hello, unless `free` refuses it.
pub(super) fn answer(
    stream: &TcpStream,
    identity: &Identity,
    secret: &Secret,
    free: impl Fn(&Hello) -> Result<(), Refusal>,
) -> Result<Hello, Failed> {
    let mut timed = Timed::new(stream)?;
    let greeting = Hello::read(&timed.read::<SIZE>()?);
    let checked = greeting.and_then(|hello| identity.accept(&hello).map(|()| hello));
    let other = told(&mut timed, checked)?;
    let own = identity
        .hello(other.from, other.kind)
        .map_err(|error| Failed::Io(io::Error::other(error.to_string())))?;
    timed.write(&[&[0], &own.bytes()])?;
    let theirs = timed.read()?;
    let known = same(&theirs, &code(secret, b"caller", &other, &own));
    let checked = if known { free(&other) } else { Err(Refusal::Secret) };
    told(&mut timed, checked)?;
    timed.write(&[&[0], &code(secret, b"listener", &other, &own)])?;
    timed.end()?;
    Ok(other)
}

/// Sends a refusal, if it is one.
fn told<T>(timed: &mut Timed<'_>, checked: Result<T, Refusal>) -> Result<T, Failed> {
    if let Err(refusal) = &checked {
        // A caller that has gone misses only the reason.
        let _ = timed.write(&[&[refusal.byte()]]);
    }
    Ok(checked?)
}
