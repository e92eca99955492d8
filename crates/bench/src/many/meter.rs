//! [`Metered`]: an exchange that notes what its member computes and sends between any two meetings of all members.
//!
//! Members of one process are stand-ins for devices or machines of their own, so each must compute as if it were alone. A
//! member computes only while it has the [`Turn`]; it hands the turn on while it waits for the others, and takes it again to
//! read what they sent. So its clock shows neither their work nor that of the exchange.

use super::clock::Clock;
use std::sync::{Condvar, Mutex, PoisonError};
use warpgraph_parts::{Exchange, Reduce, exchange::ExchangeError};

/// What one member did until a meeting of all.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Span {
    /// Seconds that it computed.
    pub seconds: f64,
    /// Bytes that it sent to others.
    pub sent: u64,
    /// Bytes that it received from others.
    pub received: u64,
}

/// The right to compute. One member has it at a time.
#[derive(Debug, Default)]
pub struct Turn {
    taken: Mutex<bool>,
    given: Condvar,
}

impl Turn {
    fn take(&self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while *taken {
            taken = self.given.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken = true;
    }

    fn give(&self) {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.given.notify_one();
    }
}

/// An exchange with a clock.
#[derive(Debug)]
pub struct Metered<'a, E: Exchange> {
    inner: E,
    turn: &'a Turn,
    began: Clock,
    has_turn: bool,
    seen: (u64, u64),
    spans: Vec<Span>,
}

impl<'a, E: Exchange> Metered<'a, E> {
    /// Waits for the turn, and starts the clock.
    pub fn new(inner: E, turn: &'a Turn) -> Self {
        turn.take();
        let seen = inner.traffic();
        Self { inner, turn, began: Clock::now(), has_turn: true, seen, spans: Vec::new() }
    }

    /// Returns the spans since the last call.
    pub fn spans(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.spans)
    }

    /// Stops the clock, and hands the turn on.
    fn pause(&mut self) {
        let seconds = self.began.seconds();
        self.spans.push(Span { seconds, ..Span::default() });
        self.leave();
    }

    /// Waits for the turn, and starts the clock again.
    fn resume(&mut self) {
        let now = self.inner.traffic();
        if let Some(span) = self.spans.last_mut() {
            (span.sent, span.received) = (now.0 - self.seen.0, now.1 - self.seen.1);
        }
        self.seen = now;
        self.turn.take();
        (self.has_turn, self.began) = (true, Clock::now());
    }

    fn leave(&mut self) {
        if std::mem::take(&mut self.has_turn) {
            self.turn.give();
        }
    }
}

impl<E: Exchange> Drop for Metered<'_, E> {
    fn drop(&mut self) {
        self.leave();
    }
}

#[allow(clippy::type_complexity, reason = "the signature of the trait")]
impl<E: Exchange> Exchange for Metered<'_, E> {
    fn part(&self) -> usize {
        self.inner.part()
    }

    fn parts(&self) -> usize {
        self.inner.parts()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), ExchangeError> {
        self.inner.send(to, bytes)
    }

    /// Reads what arrived after all have met, so that reading is work of this member alone.
    fn flush(
        &mut self,
        receive: &mut dyn FnMut(usize, &[u8]) -> Result<(), String>,
    ) -> Result<(), ExchangeError> {
        self.pause();
        let mut mail = Vec::new();
        self.inner.flush(&mut |from, bytes| {
            mail.push((from, bytes.to_vec()));
            Ok(())
        })?;
        self.resume();
        for (part, bytes) in mail {
            if let Err(what) = receive(part, &bytes) {
                let error = ExchangeError::Invalid { part, name: String::new(), what };
                self.inner.fail(&error.to_string());
                return Err(error);
            }
        }
        Ok(())
    }

    fn all_reduce(&mut self, words: &mut [u64], reduce: Reduce) -> Result<(), ExchangeError> {
        self.pause();
        self.inner.all_reduce(words, reduce)?;
        self.resume();
        Ok(())
    }

    fn fail(&mut self, what: &str) {
        self.inner.fail(what);
    }

    fn traffic(&self) -> (u64, u64) {
        self.inner.traffic()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        thread,
        time::{Duration, Instant},
    };
    use warpgraph_parts::together;

    /// Computes for so many milliseconds.
    fn compute(milliseconds: u32) {
        let clock = super::super::clock::Clock::now();
        while clock.seconds() * 1e3 < f64::from(milliseconds) {
            std::hint::black_box(Instant::now());
        }
    }

    #[test]
    fn one_member_computes_at_a_time_and_its_clock_shows_its_own_work_and_bytes() {
        let (turn, busy) = (Turn::default(), AtomicUsize::new(0));
        let spans = together(3, 1, |member| {
            let mut member = Metered::new(member, &turn);
            let part = member.part();
            for _ in 0..3 {
                assert_eq!(busy.fetch_add(1, Ordering::SeqCst), 0, "another member computes");
                compute(if part == 1 { 20 } else { 1 });
                // Sleeping is no work.
                thread::sleep(Duration::from_millis(5));
                busy.fetch_sub(1, Ordering::SeqCst);
                member.send((part + 1) % 3, vec![0; 10 * part]).unwrap();
                member.flush(&mut |_, _| Ok(())).unwrap();
            }
            member.spans()
        });
        for (part, spans) in spans.unwrap().into_iter().enumerate() {
            assert_eq!(spans.len(), 3);
            for span in spans {
                assert_eq!((span.sent, span.received), (10 * part as u64, 10 * ((part as u64 + 2) % 3)));
                let wanted = if part == 1 { 0.02 } else { 0.001 };
                assert!((wanted..wanted + 0.004).contains(&span.seconds), "part {part}: {span:?}");
            }
        }
    }

    #[test]
    fn a_member_that_ends_early_holds_up_no_other() {
        let turn = Turn::default();
        let ends = together(2, 1, |member| {
            let mut member = Metered::new(member, &turn);
            if member.part() == 0 {
                member.fail("no more");
                return None;
            }
            member.barrier().err().map(|error| error.to_string())
        });
        assert_eq!(ends.unwrap()[1].as_deref(), Some("part 0 ended with an error: no more"));
    }
}
