//! Members that lie or end early: every member ends, with an error and without a panic.

use crate::common::{cuts, on_each, question};
use serde_json::json;
use std::sync::Arc;
use warpgraph::graph::{Control, hash};
use warpgraph_conformance::fixtures;
use warpgraph_parts::{Cut, Exchange, Part, Reduce, exchange::ExchangeError, run};

/// An exchange that changes one of the messages to others.
struct Liar<E, F> {
    inner: E,
    sent: u64,
    change: F,
}

impl<E: Exchange, F: FnMut(u64, &mut Vec<u8>) + Send> Exchange for Liar<E, F> {
    fn part(&self) -> usize {
        self.inner.part()
    }
    fn parts(&self) -> usize {
        self.inner.parts()
    }
    fn send(&mut self, to: usize, mut bytes: Vec<u8>) -> Result<(), ExchangeError> {
        if to != self.part() {
            (self.change)(self.sent, &mut bytes);
            self.sent += 1;
        }
        self.inner.send(to, bytes)
    }
    fn flush(
        &mut self,
        receive: &mut dyn FnMut(usize, &[u8]) -> Result<(), String>,
    ) -> Result<(), ExchangeError> {
        self.inner.flush(receive)
    }
    fn all_reduce(&mut self, words: &mut [u64], reduce: Reduce) -> Result<(), ExchangeError> {
        self.inner.all_reduce(words, reduce)
    }
    fn fail(&mut self, what: &str) {
        self.inner.fail(what);
    }
    fn traffic(&self) -> (u64, u64) {
        self.inner.traffic()
    }
}

const ALGORITHMS: [&str; 4] = ["bfs", "sssp", "wcc", "pagerank"];

pub(crate) fn messages_of_another_length_end_every_member() {
    for algorithm in ALGORITHMS {
        for which in 0..6 {
            for longer in [false, true] {
                // Parts that have met before would send less.
                let parted = &cuts(fixtures::named("weighted random 2000, undirected"))[2];
                let ends = on_each(&parted.parts, |part, member| {
                    let change = |number: u64, bytes: &mut Vec<u8>| {
                        if number == which && member_lies(part) {
                            if longer { bytes.push(1) } else { bytes.truncate(bytes.len() - 1) }
                        }
                    };
                    let mut liar = Liar { inner: member, sent: 0, change };
                    run(&question(algorithm, json!(null)), part, &mut liar, &Control::new())
                });
                for end in ends {
                    let error = end.expect_err("every member ends");
                    let text = error.to_string();
                    assert_eq!(error.kind(), "member-invalid", "{algorithm}, message {which}: {text}");
                    assert!(text.starts_with("part 1 sent what it must not: "), "{text}");
                }
            }
        }
    }
}

fn member_lies(part: &Part) -> bool {
    part.number() == 1
}

/// Some lies cannot be seen: a distance that is too small. What counts is that every member ends.
pub(crate) fn random_bytes_end_without_a_panic() {
    for algorithm in ALGORITHMS {
        let mut refused = 0;
        for seed in 0..40u64 {
            let parted = &cuts(fixtures::named("weighted random 2000, undirected"))[2];
            let ends = on_each(&parted.parts, |part, member| {
                let change = |number: u64, bytes: &mut Vec<u8>| {
                    if number == seed % 8 && member_lies(part) {
                        let at = hash::mix(seed, 1) as usize % bytes.len().min(24);
                        bytes[at] = hash::mix(seed, 2) as u8;
                    }
                };
                let mut liar = Liar { inner: member, sent: 0, change };
                let control = Control::new().with_time_limit(std::time::Duration::from_secs(20));
                run(&question(algorithm, json!(null)), part, &mut liar, &control)
            });
            refused += u32::from(ends.iter().any(Result::is_err));
            assert!(
                ends.iter().all(Result::is_err) || ends.iter().all(Result::is_ok),
                "{algorithm}, seed {seed}: all members end alike"
            );
        }
        assert!(refused >= 5, "{algorithm}: {refused} of 40 lies were seen");
    }
}

pub(crate) fn a_member_that_is_cancelled_ends_the_others() {
    let parted = &cuts(fixtures::named("weighted random 2000, undirected"))[3];
    for algorithm in ALGORITHMS {
        let ends = on_each(&parted.parts, |part, mut member| {
            let control = Control::new();
            if part.number() == 2 {
                control.cancel();
            }
            run(&question(algorithm, json!(null)), part, &mut member, &control)
        });
        for (number, end) in ends.into_iter().enumerate() {
            let error = end.expect_err("every member ends");
            assert_eq!(error.kind(), if number == 2 { "interrupted" } else { "member-failed" }, "{error}");
            assert!(number == 2 || error.to_string().starts_with("part 2 ended with an error: "), "{error}");
        }
    }
}

pub(crate) fn members_of_another_cut_are_refused() {
    let graph = &fixtures::named("cycle, undirected").graph;
    let cut = Cut::even(&graph.out().csr, 3).unwrap();
    let parts: Vec<_> = [0, 1].map(|number| Arc::new(Part::of(graph, &cut, number).unwrap())).into();
    for end in on_each(&parts, |part, mut member| {
        run(&question("wcc", json!(null)), part, &mut member, &Control::new())
    }) {
        let text = end.expect_err("two members cannot run three parts").to_string();
        assert!(text.contains("of 2 cannot run part"), "{text}");
    }
    assert!(Part::of(graph, &cut, 3).is_err());
    assert!(Part::of(&fixtures::named("weighted grid, undirected").graph, &cut, 0).is_err());
}
