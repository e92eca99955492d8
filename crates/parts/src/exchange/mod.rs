//! [`Exchange`]: how the parts of a run reach one another.
//!
//! A run has `parts()` members, one per part of the graph, and each holds an exchange of its own. Members work in *rounds*:
//! between two rounds a member queues bytes for others ([`Exchange::send`]), then all of them end the round together
//! ([`Exchange::flush`]), and each gets what the others queued for it. Every member must make the same collective calls
//! (`flush`, `all_reduce`, `barrier`) in the same order.
//!
//! Bytes that arrive were made by another process, which may be broken or hostile: the reader checks lengths and
//! ids. An exchange promises only that they arrive whole, once, in the order of their sender, and attributed to it.

mod local;

pub use local::{Local, local};

/// How [`Exchange::all_reduce`] combines the words of all parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduce {
    /// The sum, modulo 2^64.
    Sum,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The bits that any part has set.
    Or,
    /// The sum of `f64`s, given and returned by their bits, added in the order of the parts.
    SumF64,
}

impl Reduce {
    /// Returns the words of all parts combined, given in the order of the parts.
    pub fn all(self, words: impl Iterator<Item = u64>) -> u64 {
        match self {
            Self::Sum => words.fold(0, u64::wrapping_add),
            Self::Min => words.min().unwrap_or(u64::MAX),
            Self::Max => words.max().unwrap_or(0),
            Self::Or => words.fold(0, |all, word| all | word),
            Self::SumF64 => words.map(f64::from_bits).sum::<f64>().to_bits(),
        }
    }
}

/// Why an exchange failed. A member that gets one must end its run; the others get one as well, within ten seconds.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// A member ended, or can no longer be reached.
    #[error("part {part}{} was lost: {what}", named(.name))]
    Lost {
        /// The part that the member had.
        part: usize,
        /// Its address or process, empty if it has none.
        name: String,
        /// What was seen.
        what: String,
    },
    /// A member sent what no honest member sends.
    #[error("part {part}{} sent what it must not: {what}", named(.name))]
    Invalid {
        /// The part that the member had.
        part: usize,
        /// Its address or process, empty if it has none.
        name: String,
        /// What was expected, and what arrived.
        what: String,
    },
    /// Another member ended its run with an error of its own.
    #[error("part {part}{} ended with an error: {what}", named(.name))]
    Failed {
        /// The part that the member had.
        part: usize,
        /// Its address or process, empty if it has none.
        name: String,
        /// Its error.
        what: String,
    },
}

fn named(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" ({name})") }
}

/// One member's connection to all members of a run, itself included.
pub trait Exchange: Send {
    /// The number of this member, below [`parts`](Exchange::parts).
    fn part(&self) -> usize;

    /// How many members there are.
    fn parts(&self) -> usize;

    /// Queues bytes for a part, to be delivered when the round ends. It may send them at once, so that they travel while
    /// the member computes. Bytes for the own part are delivered like all others.
    ///
    /// # Errors
    ///
    /// [`ExchangeError`] if a member was lost.
    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), ExchangeError>;

    /// Ends a round: delivers everything that was sent in it. `receive` gets the sender and the bytes of each call of
    /// `send`, in the order of their sender; the senders may be mixed. It returns what is wrong with the bytes, if
    /// anything is, and the round then ends as [`ExchangeError::Invalid`] for every member.
    ///
    /// # Errors
    ///
    /// [`ExchangeError`] if a member was lost, failed, or sent what it must not.
    #[allow(clippy::type_complexity, reason = "named, it would say less")]
    fn flush(
        &mut self,
        receive: &mut dyn FnMut(usize, &[u8]) -> Result<(), String>,
    ) -> Result<(), ExchangeError>;

    /// Combines the words of all members place by place, and gives every member the result. All members must give equally
    /// many.
    ///
    /// # Errors
    ///
    /// As [`Exchange::flush`].
    fn all_reduce(&mut self, words: &mut [u64], reduce: Reduce) -> Result<(), ExchangeError>;

    /// Waits until every member has called it.
    ///
    /// # Errors
    ///
    /// As [`Exchange::flush`].
    fn barrier(&mut self) -> Result<(), ExchangeError> {
        self.all_reduce(&mut [0], Reduce::Sum)
    }

    /// Tells all other members that this one ends with an error, so that they end, too. Never fails: those that cannot be
    /// told notice by themselves.
    fn fail(&mut self, what: &str);

    /// Bytes that this member has sent to others so far, as they crossed the wire, and those that it received.
    fn traffic(&self) -> (u64, u64);
}
