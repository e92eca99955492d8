//! What travels between watches: signs of life, farewells, and errors.
//!
//! A message is one byte; an error adds its kind (one byte), the part that it is about (four), the length of its text
//! (two) and the text.

use std::io::{self, Read};
use warpgraph_parts::exchange::ExchangeError;

const ALIVE: u8 = 1;
const FAREWELL: u8 = 2;
const FAILED: u8 = 3;
/// Longer texts are cut.
const LONGEST: usize = 2_000;

/// One message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message {
    Alive,
    Farewell,
    Failed(Failure),
}

/// An error of the run, without the name of the process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    kind: u8,
    part: u32,
    what: String,
}

/// Why there is no message.
#[derive(Debug)]
pub(super) enum Unread {
    /// Nothing came within the timeout of the connection.
    Silence,
    /// The connection was closed.
    Closed,
    Io(io::Error),
    /// These bytes are no message.
    Invalid(String),
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => Self::Silence,
            io::ErrorKind::UnexpectedEof => Self::Closed,
            _ => Self::Io(error),
        }
    }
}

impl Failure {
    /// Returns an error as it is sent by the process with the number `own`.
    pub(super) fn of(error: &ExchangeError, own: usize) -> Self {
        let (kind, part, what) = match error {
            ExchangeError::Lost { part, what, .. } => (0, *part, what.clone()),
            ExchangeError::Invalid { part, what, .. } => (1, *part, what.clone()),
            ExchangeError::Failed { part, what, .. } => (2, *part, what.clone()),
            other => (2, own, other.to_string()),
        };
        let fits = |(at, letter): &(usize, char)| at + letter.len_utf8() <= LONGEST;
        let what = what.char_indices().take_while(fits).map(|(_, letter)| letter).collect();
        Self { kind, part: part as u32, what }
    }

    /// Returns the error, with the name of its process. `None` if there is no such kind or part.
    pub(super) fn error(self, names: &[String]) -> Option<ExchangeError> {
        let (part, what) = (self.part as usize, self.what);
        let name = names.get(part)?.clone();
        match self.kind {
            0 => Some(ExchangeError::Lost { part, name, what }),
            1 => Some(ExchangeError::Invalid { part, name, what }),
            2 => Some(ExchangeError::Failed { part, name, what }),
            _ => None,
        }
    }
}

impl Message {
    pub(super) fn bytes(&self) -> Vec<u8> {
        let failure = match self {
            Self::Alive => return vec![ALIVE],
            Self::Farewell => return vec![FAREWELL],
            Self::Failed(failure) => failure,
        };
        let mut bytes = vec![FAILED, failure.kind];
        bytes.extend_from_slice(&failure.part.to_le_bytes());
        bytes.extend_from_slice(&(failure.what.len() as u16).to_le_bytes());
        bytes.extend_from_slice(failure.what.as_bytes());
        bytes
    }

    /// Reads the next message. Only its first byte may be late.
    pub(super) fn read(reader: &mut impl Read) -> Result<Self, Unread> {
        let mut kind = [0];
        reader.read_exact(&mut kind)?;
        match kind[0] {
            ALIVE => Ok(Self::Alive),
            FAREWELL => Ok(Self::Farewell),
            FAILED => Self::failed(reader),
            other => Err(Unread::Invalid(format!("expected a message, got byte {other}"))),
        }
    }

    fn failed(reader: &mut impl Read) -> Result<Self, Unread> {
        let mut head = [0; 7];
        whole(reader, &mut head)?;
        let length = usize::from(u16::from_le_bytes([head[5], head[6]]));
        if length > LONGEST {
            return Err(Unread::Invalid(format!("an error of {length} bytes, more than {LONGEST}")));
        }
        let mut text = vec![0; length];
        whole(reader, &mut text)?;
        let part = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
        // What another process says is shown on a terminal.
        let what = String::from_utf8_lossy(&text).chars().filter(|letter| !letter.is_control()).collect();
        Ok(Self::Failed(Failure { kind: head[0], part, what }))
    }
}

/// Reads the rest of a message that has begun. Waits for a few timeouts of the connection.
fn whole(reader: &mut impl Read, bytes: &mut [u8]) -> Result<(), Unread> {
    let (mut there, mut silent) = (0, 0);
    let cut = || Unread::Invalid("an error that was cut off".to_owned());
    while there < bytes.len() {
        match reader.read(&mut bytes[there..]).map_err(Unread::from) {
            Ok(0) => return Err(cut()),
            Ok(more) => there += more,
            Err(Unread::Silence) if silent < 5 => silent += 1,
            Err(Unread::Silence) => return Err(cut()),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failures() -> Vec<ExchangeError> {
        let (part, name) = (1, "b:2".to_owned());
        let what = "réseau coupé".to_owned();
        vec![
            ExchangeError::Lost { part, name: name.clone(), what: what.clone() },
            ExchangeError::Invalid { part, name: name.clone(), what: what.clone() },
            ExchangeError::Failed { part, name, what },
        ]
    }

    #[test]
    fn messages_are_read_as_they_were_written() {
        let names = ["a:1".to_owned(), "b:2".to_owned()];
        for error in failures() {
            let bytes = Message::Failed(Failure::of(&error, 0)).bytes();
            let Message::Failed(read) = Message::read(&mut &bytes[..]).unwrap() else {
                panic!("another message");
            };
            assert_eq!(read.error(&names).unwrap().to_string(), error.to_string());
        }
        for message in [Message::Alive, Message::Farewell] {
            assert_eq!(Message::read(&mut &message.bytes()[..]).unwrap(), message);
        }
    }

    #[test]
    fn long_texts_are_cut_and_longer_ones_refused() {
        let what = "é".repeat(4_000);
        let error = ExchangeError::Failed { part: 0, name: String::new(), what };
        let mut bytes = Message::Failed(Failure::of(&error, 0)).bytes();
        assert!(Message::read(&mut &bytes[..]).is_ok());
        bytes[6..8].copy_from_slice(&u16::MAX.to_le_bytes());
        assert!(matches!(Message::read(&mut &bytes[..]), Err(Unread::Invalid(_))));
    }

    #[test]
    fn other_bytes_are_no_message() {
        assert!(matches!(Message::read(&mut &[9_u8][..]), Err(Unread::Invalid(_))));
        assert!(matches!(Message::read(&mut &[FAILED, 0, 0][..]), Err(Unread::Invalid(_))));
        assert!(matches!(Message::read(&mut &[][..]), Err(Unread::Closed)));
        let failure = Failure { kind: 7, part: 0, what: String::new() };
        assert!(failure.error(&[String::new()]).is_none());
        let failure = Failure { kind: 0, part: 3, what: String::new() };
        assert!(failure.error(&[String::new()]).is_none());
    }
}
