//! [`Waiting`]: an exchange that knows how long its member waited for others, and so how long it computed.

use std::time::{Duration, Instant};
use warpgraph_parts::{
    Exchange, Reduce,
    exchange::{ExchangeError, Local},
};

/// An exchange with a stopwatch.
pub(super) struct Waiting<'e> {
    inner: &'e mut Local,
    begun: Instant,
    waited: Duration,
}

impl<'e> Waiting<'e> {
    pub(super) fn new(inner: &'e mut Local) -> Self {
        Self { inner, begun: Instant::now(), waited: Duration::ZERO }
    }

    /// Starts anew.
    pub(super) fn restart(&mut self) {
        (self.begun, self.waited) = (Instant::now(), Duration::ZERO);
    }

    /// Returns the seconds since the start in which the member did not wait.
    pub(super) fn busy(&self) -> f64 {
        self.begun.elapsed().saturating_sub(self.waited).as_secs_f64()
    }

    fn timed<T>(&mut self, call: impl FnOnce(&mut Local) -> T) -> T {
        let start = Instant::now();
        let result = call(self.inner);
        self.waited += start.elapsed();
        result
    }
}

impl Exchange for Waiting<'_> {
    fn part(&self) -> usize {
        self.inner.part()
    }

    fn parts(&self) -> usize {
        self.inner.parts()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), ExchangeError> {
        self.inner.send(to, bytes)
    }

    fn flush(
        &mut self,
        receive: &mut dyn FnMut(usize, &[u8]) -> Result<(), String>,
    ) -> Result<(), ExchangeError> {
        self.timed(|inner| inner.flush(receive))
    }

    fn all_reduce(&mut self, words: &mut [u64], reduce: Reduce) -> Result<(), ExchangeError> {
        self.timed(|inner| inner.all_reduce(words, reduce))
    }

    fn fail(&mut self, what: &str) {
        self.inner.fail(what);
    }

    fn traffic(&self) -> (u64, u64) {
        self.inner.traffic()
    }
}
