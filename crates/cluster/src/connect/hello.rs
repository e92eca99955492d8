//! The first bytes on a connection: who calls whom, for which run, and whether both ask the same question.
//!
//! A hello has 128 bytes: magic, version of the protocol, what the connection is for, how many parts there are, the part
//! that speaks, the part that it wants to reach, its process number, digests of the run's name and of the question, and
//! a number that is drawn anew for each connection.

use crate::secret::digest;
use warpgraph_graph as graph;

/// Bytes of a hello.
pub(super) const SIZE: usize = 128;
const MAGIC: [u8; 8] = *b"WGCLUSTR";
/// Raised with every change of what members send to one another.
const VERSION: u32 = 1;

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Values, between the communication threads.
    Data,
    /// Signs of life and reasons of ends.
    Watch,
}

impl Kind {
    pub(super) const ALL: [Self; 2] = [Self::Data, Self::Watch];

    fn number(self) -> u32 {
        match self {
            Self::Data => 1,
            Self::Watch => 2,
        }
    }
}

/// What one side says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hello {
    pub(super) kind: Kind,
    pub(super) parts: u32,
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) process: u32,
    pub(super) run: [u8; 32],
    pub(super) question: [u8; 32],
    nonce: [u8; 32],
}

/// Why a connection is refused; sent as one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    NoHello,
    Version,
    Parts,
    Run,
    Question,
    Place,
    Secret,
    Twice,
}

impl Refusal {
    const ALL: [Self; 8] = [
        Self::NoHello,
        Self::Version,
        Self::Parts,
        Self::Run,
        Self::Question,
        Self::Place,
        Self::Secret,
        Self::Twice,
    ];

    /// Returns the byte that is sent. Zero means that a connection is accepted.
    pub(super) fn byte(self) -> u8 {
        Self::ALL.iter().position(|other| *other == self).map_or(u8::MAX, |place| place as u8 + 1)
    }

    pub(super) fn of_byte(byte: u8) -> Option<Self> {
        Self::ALL.get(usize::from(byte).checked_sub(1)?).copied()
    }

    /// Says what is wrong, in words that fit either side.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::NoHello => "what was sent is no greeting of warpgraph",
            Self::Version => "the other process is another version of warpgraph",
            Self::Parts => "the other process expects another number of processes",
            Self::Run => "the other process belongs to another run (--run-id)",
            Self::Question => "the other process was started with another question, graph or flags",
            Self::Place => "the other process has another number: the lists of hosts differ",
            Self::Secret => "the secrets differ",
            Self::Twice => "two processes have the same number",
        }
    }
}

/// Which run a process belongs to: what a hello says beside the two parts.
#[derive(Debug, Clone)]
pub(super) struct Identity {
    pub(super) parts: u32,
    pub(super) part: u32,
    pub(super) run: [u8; 32],
    pub(super) question: [u8; 32],
}

impl Identity {
    pub(super) fn new(part: usize, parts: usize, run: &str, question: &str) -> Self {
        let run = digest(&[b"run:", run.as_bytes()]);
        let question = digest(&[b"question:", question.as_bytes()]);
        Self { parts: parts as u32, part: part as u32, run, question }
    }

    /// Returns a hello to another part.
    pub(super) fn hello(&self, to: u32, kind: Kind) -> graph::Result<Hello> {
        let mut nonce = [0; 32];
        getrandom::fill(&mut nonce).map_err(|error| {
            graph::Error::io("random numbers of the system", "read", std::io::Error::other(error.to_string()))
        })?;
        let Self { parts, part: from, run, question } = self.clone();
        Ok(Hello { kind, parts, from, to, process: std::process::id(), run, question, nonce })
    }

    /// Checks the hello of another process of this run.
    pub(super) fn accept(&self, hello: &Hello) -> Result<(), Refusal> {
        let checks = [
            (hello.parts == self.parts, Refusal::Parts),
            (hello.run == self.run, Refusal::Run),
            (hello.to == self.part && hello.from < self.parts, Refusal::Place),
            (hello.from != self.part, Refusal::Place),
            (hello.question == self.question, Refusal::Question),
        ];
        checks.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, refusal)| Err(*refusal))
    }
}

impl Hello {
    pub(super) fn bytes(&self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        let words = [VERSION, self.kind.number(), self.parts, self.from, self.to, self.process];
        bytes[..8].copy_from_slice(&MAGIC);
        for (place, word) in bytes[8..32].chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        for (place, part) in bytes[32..].chunks_exact_mut(32).zip([self.run, self.question, self.nonce]) {
            place.copy_from_slice(&part);
        }
        bytes
    }

    pub(super) fn read(bytes: &[u8; SIZE]) -> Result<Self, Refusal> {
        let word = |place: usize| {
            let bytes = &bytes[8 + 4 * place..];
            u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        };
        let part = |place: usize| {
            let mut part = [0; 32];
            part.copy_from_slice(&bytes[32 * (place + 1)..][..32]);
            part
        };
        if bytes[..8] != MAGIC {
            return Err(Refusal::NoHello);
        }
        if word(0) != VERSION {
            return Err(Refusal::Version);
        }
        let kind = Kind::ALL.into_iter().find(|kind| kind.number() == word(1)).ok_or(Refusal::NoHello)?;
        let (parts, from, to, process) = (word(2), word(3), word(4), word(5));
        let (run, question, nonce) = (part(0), part(1), part(2));
        Ok(Self { kind, parts, from, to, process, run, question, nonce })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hello_is_read_as_it_was_written() {
        for kind in Kind::ALL {
            let hello = Identity::new(2, 5, "run", "question").hello(3, kind).unwrap();
            assert_eq!(Hello::read(&hello.bytes()).unwrap(), hello);
        }
    }

    #[test]
    fn every_refusal_has_a_byte_of_its_own() {
        for refusal in Refusal::ALL {
            assert_ne!(refusal.byte(), 0);
            assert_eq!(Refusal::of_byte(refusal.byte()), Some(refusal));
        }
        assert_eq!(Refusal::of_byte(0), None);
        assert_eq!(Refusal::of_byte(200), None);
    }

    #[test]
    fn a_process_of_another_run_place_or_question_is_refused() {
        let own = Identity::new(1, 3, "run", "question");
        let refused = |part, parts, run, question, to| {
            let other = Identity::new(part, parts, run, question);
            own.accept(&other.hello(to, Kind::Data).unwrap()).err()
        };
        assert_eq!(refused(2, 3, "run", "question", 1), None);
        assert_eq!(refused(2, 4, "run", "question", 1), Some(Refusal::Parts));
        assert_eq!(refused(2, 3, "other", "question", 1), Some(Refusal::Run));
        assert_eq!(refused(2, 3, "run", "question", 0), Some(Refusal::Place));
        assert_eq!(refused(3, 3, "run", "question", 1), Some(Refusal::Place));
        assert_eq!(refused(1, 3, "run", "question", 1), Some(Refusal::Place));
        assert_eq!(refused(2, 3, "run", "other", 1), Some(Refusal::Question));
    }

    #[test]
    fn other_bytes_are_no_hello() {
        let hello = Identity::new(2, 5, "run", "question").hello(3, Kind::Data).unwrap();
        for (place, refusal) in [(0, Refusal::NoHello), (8, Refusal::Version), (12, Refusal::NoHello)] {
            let mut bytes = hello.bytes();
            bytes[place] ^= 0x40;
            assert_eq!(Hello::read(&bytes), Err(refusal));
        }
    }
}
