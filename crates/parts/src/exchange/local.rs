//! An exchange between the threads of one process, through memory: for parts on several devices of a machine, and for
//! tests of everything that uses an [`Exchange`].
//!
//! All members share one board. A round has two meetings: after the first one everything is on the board, after the second
//! one every member has read it. A member that is dropped or fails leaves its error there, so that no other waits for it.

use super::{Exchange, ExchangeError, Reduce};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A member of a run whose parts are threads of this process. Made by [`local`].
#[derive(Debug)]
pub struct Local {
    part: usize,
    board: Arc<Board>,
    sent: u64,
    received: u64,
}

#[derive(Debug)]
struct Board {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Of each part, what others sent it in this round: the sender and its bytes.
    mail: Vec<Vec<(usize, Vec<u8>)>>,
    /// Of each part, its words for a reduction.
    words: Vec<Vec<u64>>,
    /// How many members wait at the present meeting, and how many meetings have ended.
    waiting: usize,
    meetings: u64,
    trouble: Option<ExchangeError>,
}

/// Returns the members of a run with so many parts, one for each thread.
#[must_use]
pub fn local(parts: usize) -> Vec<Local> {
    let state = State {
        mail: vec![Vec::new(); parts],
        words: vec![Vec::new(); parts],
        waiting: 0,
        meetings: 0,
        trouble: None,
    };
    let board = Arc::new(Board { state: Mutex::new(state), changed: Condvar::new() });
    (0..parts).map(|part| Local { part, board: board.clone(), sent: 0, received: 0 }).collect()
}

impl Board {
    /// A thread that panicked left whole values behind: every change is one assignment or push.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all members meet.
    fn meet(&self) -> Result<(), ExchangeError> {
        let mut state = self.state();
        if let Some(trouble) = &state.trouble {
            // The last to come would end the meeting as if there were none.
            return Err(trouble.clone());
        }
        let meeting = state.meetings;
        state.waiting += 1;
        if state.waiting == state.words.len() {
            state.waiting = 0;
            state.meetings += 1;
            self.changed.notify_all();
        }
        while state.meetings == meeting && state.trouble.is_none() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        // Trouble that a member has after a meeting that all came to is for the next one.
        match &state.trouble {
            Some(trouble) if state.meetings == meeting => Err(trouble.clone()),
            _ => Ok(()),
        }
    }

    /// Leaves an error for all members. The first one stays.
    fn leave(&self, trouble: ExchangeError) -> ExchangeError {
        let first = self.state().trouble.get_or_insert(trouble).clone();
        self.changed.notify_all();
        first
    }
}

impl Exchange for Local {
    fn part(&self) -> usize {
        self.part
    }

    fn parts(&self) -> usize {
        self.board.state().words.len()
    }

    fn send(&mut self, to: usize, bytes: Vec<u8>) -> Result<(), ExchangeError> {
        if to != self.part {
            self.sent += bytes.len() as u64;
        }
        self.board.state().mail[to].push((self.part, bytes));
        Ok(())
    }

    fn flush(
        &mut self,
        receive: &mut dyn FnMut(usize, &[u8]) -> Result<(), String>,
    ) -> Result<(), ExchangeError> {
        self.board.meet()?;
        let mail = std::mem::take(&mut self.board.state().mail[self.part]);
        for (from, bytes) in &mail {
            if *from != self.part {
                self.received += bytes.len() as u64;
            }
            if let Err(what) = receive(*from, bytes) {
                return Err(self.board.leave(ExchangeError::Invalid {
                    part: *from,
                    name: String::new(),
                    what,
                }));
            }
        }
        self.board.meet()
    }

    fn all_reduce(&mut self, words: &mut [u64], reduce: Reduce) -> Result<(), ExchangeError> {
        self.board.state().words[self.part] = words.to_vec();
        self.board.meet()?;
        {
            let state = self.board.state();
            for (place, word) in words.iter_mut().enumerate() {
                let of_all = state.words.iter().map(|words| words.get(place).copied().unwrap_or_default());
                *word = reduce.all(of_all);
            }
        }
        self.board.meet()
    }

    fn fail(&mut self, what: &str) {
        self.board.leave(ExchangeError::Failed {
            part: self.part,
            name: String::new(),
            what: what.to_owned(),
        });
    }

    fn traffic(&self) -> (u64, u64) {
        (self.sent, self.received)
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        // A member that panics can no longer say so.
        if std::thread::panicking() {
            self.fail("its thread panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    /// Runs a function as every part of a run, and returns what each returned.
    fn on_each<T: Send>(parts: usize, run: impl Fn(Local) -> T + Sync) -> Vec<T> {
        let run = &run;
        thread::scope(|scope| {
            let threads: Vec<_> =
                local(parts).into_iter().map(|member| scope.spawn(move || run(member))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn every_part_gets_what_was_sent_to_it_in_the_order_of_each_sender() {
        for parts in [1, 2, 5] {
            on_each(parts, |mut member| {
                for round in 0..20_u8 {
                    for to in 0..parts {
                        for k in 0..3 {
                            member.send(to, vec![round, member.part as u8, to as u8, k]).unwrap();
                        }
                    }
                    let (part, mut seen) = (member.part, vec![0; parts]);
                    let mut receive = |from: usize, bytes: &[u8]| {
                        assert_eq!(bytes, [round, from as u8, part as u8, seen[from]]);
                        seen[from] += 1;
                        Ok(())
                    };
                    member.flush(&mut receive).unwrap();
                    assert_eq!(seen, vec![3; parts]);
                }
            });
        }
    }

    #[test]
    fn words_are_combined_place_by_place() {
        let sums = on_each(4, |mut member| {
            let part = member.part as u64;
            let mut words = [part, 1 << part];
            member.all_reduce(&mut words, Reduce::Sum).unwrap();
            let mut least = [part + 3, 9 - part];
            member.all_reduce(&mut least, Reduce::Min).unwrap();
            let mut floats = [(part as f64 / 2.0).to_bits()];
            member.all_reduce(&mut floats, Reduce::SumF64).unwrap();
            (words, least, f64::from_bits(floats[0]))
        });
        assert_eq!(sums, vec![([6, 15], [3, 6], 3.0); 4]);
    }

    #[test]
    fn a_part_that_fails_or_panics_ends_all_others() {
        for panics in [false, true] {
            let members = local(3);
            let ends: Vec<_> = thread::scope(|scope| {
                let threads: Vec<_> = members
                    .into_iter()
                    .map(|mut member| {
                        scope.spawn(move || {
                            if member.part == 1 && panics {
                                panic!("on purpose");
                            } else if member.part == 1 {
                                member.fail("out of memory");
                            }
                            member.barrier()
                        })
                    })
                    .collect();
                threads.into_iter().map(|thread| thread.join().ok()).collect()
            });
            let word = if panics { "panicked" } else { "out of memory" };
            for end in ends.into_iter().flatten() {
                assert!(end.unwrap_err().to_string().contains(word));
            }
        }
    }

    #[test]
    fn bytes_that_a_part_must_not_send_end_the_round_for_everybody() {
        let ends = on_each(2, |mut member| {
            member.send(1, vec![member.part as u8]).unwrap();
            member.flush(&mut |_, bytes| if bytes == [0] { Err("expected 1, got 0".into()) } else { Ok(()) })
        });
        for end in ends {
            assert_eq!(end.unwrap_err().to_string(), "part 0 sent what it must not: expected 1, got 0");
        }
    }
}
