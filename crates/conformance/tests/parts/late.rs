//! Members that come late.

use std::{thread::sleep, time::Duration};
use warpgraph::graph::hash;
use warpgraph_parts::{Exchange, Reduce, exchange::ExchangeError};

/// An exchange whose calls come at random times.
pub(crate) struct Late<E> {
    inner: E,
    calls: u64,
}

impl<E: Exchange> Late<E> {
    pub(crate) fn new(inner: E) -> Self {
        Self { inner, calls: 0 }
    }

    /// Returns the exchange without delays.
    pub(crate) fn inner_mut(&mut self) -> &mut E {
        &mut self.inner
    }

    /// Gives the exchange back.
    pub(crate) fn inner(self) -> E {
        self.inner
    }

    fn wait(&mut self) {
        self.calls += 1;
        let micros = hash::mix(self.inner.part() as u64, self.calls) % 400;
        sleep(Duration::from_micros(if micros < 200 { 0 } else { micros }));
    }
}

impl<E: Exchange> Exchange for Late<E> {
    fn part(&self) -> usize {
        self.inner.part()
    }
    fn parts(&self) -> usize {
        self.inner.parts()
    }
    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), ExchangeError> {
        self.wait();
        self.inner.send(to, bytes)
    }
    fn flush(
        &mut self,
        receive: &mut dyn FnMut(usize, &[u8]) -> Result<(), String>,
    ) -> Result<(), ExchangeError> {
        self.wait();
        self.inner.flush(receive)
    }
    fn all_reduce(&mut self, words: &mut [u64], reduce: Reduce) -> Result<(), ExchangeError> {
        self.wait();
        self.inner.all_reduce(words, reduce)
    }
    fn fail(&mut self, what: &str) {
        self.inner.fail(what);
    }
    fn traffic(&self) -> (u64, u64) {
        self.inner.traffic()
    }
}
