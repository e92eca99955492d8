//! Members of one run exchange values over loopback.

use crate::common::on_each;
use warpgraph_cluster::Member;
use warpgraph_parts::exchange::{Exchange, ExchangeError, Reduce};

/// Sends some bytes to every part in every round, and checks that everything arrives: whole, once, in order, and from
/// the part that sent it.
fn rounds(member: &mut Member, rounds: u32, sizes: impl Fn(u32) -> usize) {
    let (own, parts) = (member.part(), member.parts());
    let message = |round: u32, from: usize, to: usize, k: u8| {
        let seed = (round as usize * 31 + from * 7 + to * 3 + usize::from(k)) as u8;
        let mut bytes: Vec<u8> = (0..sizes(round)).map(|at| (at as u8).wrapping_mul(3) ^ seed).collect();
        bytes.push(k);
        bytes
    };
    for round in 0..rounds {
        for to in 0..parts {
            for k in 0..3 {
                member.send(to, message(round, own, to, k)).unwrap();
            }
        }
        let mut seen = vec![0; parts];
        let mut receive = |from: usize, bytes: &[u8]| {
            assert!(bytes == message(round, from, own, seen[from]), "round {round}, from {from}");
            seen[from] += 1;
            Ok(())
        };
        member.flush(&mut receive).unwrap();
        assert_eq!(seen, vec![3; parts], "round {round}");
    }
}

#[test]
fn every_part_gets_what_was_sent_to_it_in_the_order_of_each_sender() {
    for parts in [1, 2, 3, 7] {
        on_each(parts, |member| {
            let mut member = member.unwrap();
            rounds(&mut member, 50, |round| (round % 5) as usize * 100);
            member.leave().unwrap();
        });
    }
}

#[test]
fn many_rounds_without_a_message_end_too() {
    on_each(3, |member| {
        let mut member = member.unwrap();
        for round in 0..1_000_u64 {
            let own = member.part();
            if round % 3 == own as u64 {
                member.send((own + 1) % 3, Vec::new()).unwrap();
            }
            let mut got = Vec::new();
            let receive = &mut |from, bytes: &[u8]| {
                assert!(bytes.is_empty());
                got.push(from);
                Ok(())
            };
            member.flush(receive).unwrap();
            let wanted = if round % 3 == (own + 2) as u64 % 3 { vec![(own + 2) % 3] } else { vec![] };
            assert_eq!(got, wanted);
        }
        member.leave().unwrap();
    });
}

#[test]
fn big_messages_arrive_whole_and_cost_little_more_than_their_bytes() {
    let traffic = on_each(2, |member| {
        let mut member = member.unwrap();
        rounds(&mut member, 3, |round| [0, 3_000_000, 20_000_001][round as usize]);
        let traffic = member.traffic();
        member.leave().unwrap();
        traffic
    });
    let payload = 3 * (3 + 3_000_000 + 20_000_001) as u64;
    for (sent, received) in traffic {
        assert!((payload..payload + payload / 500).contains(&sent), "{sent} bytes sent for {payload}");
        assert!((payload..payload + payload / 500).contains(&received), "{received} bytes for {payload}");
    }
}

#[test]
fn reductions_and_rounds_may_take_turns() {
    let results = on_each(4, |member| {
        let mut member = member.unwrap();
        let own = member.part() as u64;
        let mut all = Vec::new();
        for round in 0..30 {
            // Sent before a reduction, delivered by the next flush.
            member.send((own as usize + 1) % 4, vec![round]).unwrap();
            let mut words = [own, 1 << own, u64::from(round)];
            member.all_reduce(&mut words, Reduce::Sum).unwrap();
            let mut floats = [(own as f64 / 2.0).to_bits()];
            member.all_reduce(&mut floats, Reduce::SumF64).unwrap();
            let mut got = Vec::new();
            member
                .flush(&mut |from, bytes| {
                    got.push((from as u64, bytes.to_vec()));
                    Ok(())
                })
                .unwrap();
            assert_eq!(got, [((own + 3) % 4, vec![round])]);
            all.push((words, f64::from_bits(floats[0])));
        }
        member.leave().unwrap();
        all
    });
    let wanted: Vec<_> = (0..30_u64).map(|round| ([6, 15, 4 * round], 3.0)).collect();
    assert_eq!(results, vec![wanted; 4]);
}

#[test]
fn a_part_that_fails_or_panics_ends_all_others_with_its_reason() {
    for panics in [false, true] {
        let ends = on_each(3, move |member| {
            let mut member = member.unwrap();
            // The others may see the end during this one.
            let _ = member.barrier();
            if member.part() == 1 && !panics {
                member.fail("out of memory");
            }
            let end = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
                if member.part() == 1 && panics {
                    std::panic::panic_any(());
                }
                member.barrier().unwrap_err()
            }));
            end.ok()
        });
        let wanted = if panics { "panicked" } else { "out of memory" };
        for end in ends.into_iter().flatten() {
            assert!(
                matches!(&end, ExchangeError::Failed { part: 1, what, .. } if what.contains(wanted)),
                "{end}"
            );
        }
    }
}

#[test]
fn bytes_that_a_part_must_not_send_end_the_round_for_everybody() {
    let ends = on_each(3, |member| {
        let mut member = member.unwrap();
        member.send(1, vec![member.part() as u8]).unwrap();
        let end =
            member.flush(&mut |_, bytes| if bytes == [0] { Err("expected 1, got 0".into()) } else { Ok(()) });
        end.and_then(|()| member.barrier()).unwrap_err()
    });
    for end in ends {
        let text = end.to_string();
        assert!(matches!(end, ExchangeError::Invalid { part: 0, .. }), "{text}");
        assert!(text.contains("expected 1, got 0"), "{text}");
    }
}

#[test]
fn a_part_that_leaves_early_is_lost() {
    let ends = on_each(2, |member| {
        let mut member = member.unwrap();
        member.barrier().unwrap();
        (member.part() == 0).then(|| (0..3).try_for_each(|_| member.barrier()).unwrap_err())
    });
    let end = ends.into_iter().flatten().next().unwrap();
    assert!(matches!(end, ExchangeError::Lost { part: 1, .. }), "{end}");
}

#[test]
fn a_part_that_sends_more_than_the_limit_ends_the_run() {
    let ends = on_each(2, |member| {
        let mut member = member.unwrap();
        member.limit(1 << 20);
        let round = |member: &mut Member, size: usize| {
            let sent = if member.part() == 1 { member.send(0, vec![0; size]) } else { Ok(()) };
            sent.and_then(|()| member.flush(&mut |_, _| Ok(())))
        };
        // As much as is allowed, round after round.
        let sizes = (0..20).map(|_| 1_000_000).chain([2 << 20, 0, 0]);
        let ends: Vec<_> = sizes.map(|size| round(&mut member, size)).collect();
        assert!(ends[..19].iter().all(Result::is_ok), "{ends:?}");
        ends.into_iter().find_map(Result::err).unwrap()
    });
    for end in ends {
        let text = end.to_string();
        assert!(matches!(end, ExchangeError::Invalid { part: 1, .. }), "{text}");
        assert!(text.contains("more than 1048576 bytes"), "{text}");
    }
}

#[test]
fn parts_that_do_not_make_the_same_calls_are_told() {
    let ends = on_each(2, |member| {
        let mut member = member.unwrap();
        let own = member.part();
        let end = member.all_reduce(&mut vec![0; 1 + own], Reduce::Sum);
        end.and_then(|()| member.barrier()).unwrap_err().to_string()
    });
    assert!(ends[0].contains("bytes for a reduction of"), "{ends:?}");
    let ends = on_each(2, |member| {
        let mut member = member.unwrap();
        let end = if member.part() == 0 { member.barrier() } else { member.flush(&mut |_, _| Ok(())) };
        end.and_then(|()| member.barrier()).unwrap_err().to_string()
    });
    assert!(ends[0].contains("reduction"), "{ends:?}");
}
