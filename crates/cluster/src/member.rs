//! [`Member`]: one process of a run, connected to all others.

use crate::{
    connect::{Meeting, listen},
    error::Error,
    timely::Timely,
    trouble::Trouble,
    watch::Watch,
};
use std::{net::TcpListener, sync::Arc};
use warpgraph_parts::exchange::{Exchange, ExchangeError, Reduce};

/// One process of a run. It exchanges values through Timely Dataflow, and watches the other processes.
///
/// The error of a process that is lost, that was stopped, or that sends what it must not comes from every collective
/// call, in every process, within ten seconds.
pub struct Member {
    /// Dropped before the watch, which tells the others why.
    timely: Timely,
    _watch: Watch,
    names: Arc<Vec<String>>,
    trouble: Arc<Trouble>,
}

impl std::fmt::Debug for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Member").field("part", &self.part()).field("names", &self.names).finish()
    }
}

impl Member {
    /// Listens at the own address of the meeting and joins it.
    ///
    /// # Errors
    ///
    /// As [`listen`] and [`Member::join`].
    pub fn start(meeting: &Meeting) -> Result<Self, Error> {
        Self::join(meeting, listen(&meeting.hosts[meeting.part])?)
    }

    /// Waits until all processes are connected.
    ///
    /// # Errors
    ///
    /// [`Error::Absent`] if a process does not come in time, [`Error::Refused`] if one belongs to another run.
    pub fn join(meeting: &Meeting, listener: TcpListener) -> Result<Self, Error> {
        let peers = meeting.meet(listener)?;
        let own = format!("{}, process {}", meeting.hosts[meeting.part], std::process::id());
        let name = |peer: &Option<crate::connect::Peer>| {
            peer.as_ref().map_or_else(|| own.clone(), |peer| peer.name.clone())
        };
        let names: Arc<Vec<String>> = Arc::new(peers.iter().map(name).collect());
        let trouble = Arc::new(Trouble::default());
        let watch = Watch::start(meeting.part, &names, &peers, &trouble)?;
        let timely = Timely::start(meeting.part, &names, peers, &trouble)?;
        Ok(Self { timely, _watch: watch, names, trouble })
    }

    /// Sets how many bytes another process may send to this one between two rounds. A process that sends more is taken for
    /// broken.
    pub fn limit(&self, bytes: u64) {
        self.timely.limit(bytes);
    }

    /// Returns address and process number of a part.
    #[must_use]
    pub fn name(&self, part: usize) -> &str {
        &self.names[part]
    }

    /// Calls a function once, when another process is lost, lies or fails, or when this one does.
    pub fn when_lost(&self, call: impl Fn(&ExchangeError) + Send + 'static) {
        self.trouble.when_raised(call);
    }

    /// Returns the error that ended the run of another process, if one has.
    #[must_use]
    pub fn trouble(&self) -> Option<ExchangeError> {
        let own = self.part();
        self.trouble.get().filter(|error| match error {
            ExchangeError::Lost { part, .. }
            | ExchangeError::Invalid { part, .. }
            | ExchangeError::Failed { part, .. } => *part != own,
            _ => true,
        })
    }

    /// Leaves when all others do. Until then, the end of a process is an error.
    ///
    /// # Errors
    ///
    /// [`ExchangeError`] if a process was lost or failed before.
    pub fn leave(mut self) -> Result<(), ExchangeError> {
        self.barrier()
    }
}

#[allow(clippy::type_complexity, reason = "the signature of the trait")]
impl Exchange for Member {
    fn part(&self) -> usize {
        self.timely.part()
    }

    fn parts(&self) -> usize {
        self.timely.parts()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), ExchangeError> {
        self.timely.send(to, bytes)
    }

    fn flush(
        &mut self,
        receive: &mut dyn FnMut(usize, &[u8]) -> Result<(), String>,
    ) -> Result<(), ExchangeError> {
        self.timely.flush(receive)
    }

    fn all_reduce(&mut self, words: &mut [u64], reduce: Reduce) -> Result<(), ExchangeError> {
        self.timely.all_reduce(words, reduce)
    }

    fn fail(&mut self, what: &str) {
        self.timely.fail(what);
    }

    fn traffic(&self) -> (u64, u64) {
        self.timely.traffic()
    }
}
