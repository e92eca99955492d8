//! Processes that shake hands as they should and then lie, fall silent or vanish: every such end is an error that names
//! them, soon, and never a panic, a hang or a huge allocation.

use crate::{
    Meeting, Member, Secret,
    connect::{Peer, listen},
};
use std::{
    io::{Read, Write},
    net::Shutdown,
    thread,
    time::{Duration, Instant},
};
use warpgraph_parts::exchange::{Exchange, ExchangeError};

/// Lets a member run rounds with a process that does as it likes. Returns the member's error.
fn against(liar: impl FnOnce(Peer) + Send + 'static) -> ExchangeError {
    let listeners = [listen("127.0.0.1:0").unwrap(), listen("127.0.0.1:0").unwrap()];
    let hosts: Vec<_> = listeners.iter().map(|listener| listener.local_addr().unwrap().to_string()).collect();
    let meeting = |part| Meeting {
        part,
        hosts: hosts.clone(),
        run: "liars".to_owned(),
        question: String::new(),
        secret: Secret::new(*b"0123456789abcdef"),
        wait: Duration::from_secs(20),
    };
    let [honest, other] = listeners;
    let (own, others) = (meeting(0), meeting(1));
    let lying = thread::spawn(move || {
        let mut peers = others.meet(other).unwrap();
        liar(peers.swap_remove(0).unwrap());
    });
    let start = Instant::now();
    let mut member = Member::join(&own, honest).unwrap();
    member.limit(1 << 24);
    let error = (0..).find_map(|_| member.barrier().err()).unwrap();
    drop(member);
    assert!(start.elapsed() < Duration::from_secs(10), "{error} after {:?}", start.elapsed());
    lying.join().unwrap();
    error
}

/// Sends some bytes as the data of an honest process, and signs of life.
fn says(bytes: Vec<u8>) -> ExchangeError {
    against(move |peer| {
        let _ = (&peer.data).write_all(&bytes);
        alive(&peer);
    })
}

/// Sends signs of life until the other process is gone.
fn alive(peer: &Peer) {
    peer.watch.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    while (&peer.watch).write_all(&[1]).is_ok() {
        match (&peer.watch).read(&mut [0; 64]) {
            Ok(0) => break,
            Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => break,
            _ => {}
        }
    }
}

fn frame(header: [u64; 6], body: &[u64]) -> Vec<u8> {
    let header = header.iter().flat_map(|word| word.to_be_bytes());
    header.chain(body.iter().flat_map(|word| word.to_le_bytes())).collect()
}

/// A parcel of part 1 to part 0, with these words and sixteen bytes.
fn parcel(from: u64, round: u64, word: u64) -> Vec<u8> {
    frame([3, 1, 0, 1, 48, 0], &[from, 0, round, word, 7, 7])
}

/// Progress of part 1 with one change.
fn progress(from: u64, operator: u64, round: u64, difference: i64) -> Vec<u8> {
    let mut bytes = frame([4, 1, 0, 1, 72, 0], &[from, 0, 1, operator]);
    bytes.extend_from_slice(&1_u32.to_le_bytes());
    for word in [0, round, difference as u64, 1] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes.extend_from_slice(&[0; 4]);
    bytes
}

#[test]
fn frames_that_no_honest_process_sends_are_refused() {
    let one = 1_u64 << 32;
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (frame([77, 1, 0, 1, 48, 0], &[0; 6]), "channel 77"),
        (frame([3, 0, 0, 1, 48, 0], &[0; 6]), "a frame of part 0"),
        (frame([3, 1, 1, 2, 48, 0], &[0; 6]), "for parts 1 to 2 of 2"),
        (frame([3, 1, 0, 5, 48, 0], &[0; 6]), "for parts 0 to 5 of 2"),
        (frame([3, 1, 0, 1, 1 << 60, 0], &[0; 6]), "a frame of 1152921504606846976 bytes"),
        (frame([4, 1, 0, 1, 1 << 20, 0], &[0; 6]), "a frame of 1048576 bytes"),
        (frame([3, 1, 0, 1, 8, 0], &[0; 6]), "a frame of 8 bytes"),
        (frame([3, 1, 0, 1, 0, 0], &[]), "a frame without bytes"),
        (vec![0xab; 1_000], "a frame of part"),
        (parcel(0, 0, one), "a parcel of parts 0 and 1"),
        (parcel(1, 0, 0), "a parcel of parts 1 and 0"),
        (parcel(1, 0, one | 9), "a parcel of an unknown kind"),
        (parcel(1, 9, one), "a parcel of round 9"),
        (progress(0, 1, 0, 1), "1 changes of part 0"),
        (progress(1, 99, 0, 1), "operator 99"),
        (progress(1, 1, 1 << 50, 1), "in round 1125899906842624"),
        (progress(1, 1, 0, i64::MIN), "progress of -9223372036854775808"),
        (frame([4, 1, 0, 1, 48, 0], &[1, 0, u64::MAX, 0, 0, 0]), "18446744073709551615 changes"),
        (frame([4, 1, 0, 1, 32, 0], &[1, 0, 0, 8]), "8 sorted changes of 0"),
    ];
    let ends: Vec<_> =
        cases.into_iter().map(|(bytes, words)| (thread::spawn(move || says(bytes)), words)).collect();
    for (end, words) in ends {
        let end = end.join().unwrap();
        assert!(matches!(end, ExchangeError::Invalid { part: 1, .. }), "{end}");
        assert!(end.to_string().contains(words), "expected {words:?}, got {end}");
    }
}

#[test]
fn a_watch_that_lies_is_refused() {
    let cases: [(&[u8], &str); 3] = [
        (b"GET / HTTP/1.1\r\n\r\n", "expected a message, got byte 71"),
        (&[3, 0, 9, 0, 0, 0, 0, 0], "an error of a part that does not exist"),
        (&[3, 0, 1, 0, 0, 0, 0xff, 0xff], "an error of 65535 bytes"),
    ];
    for (bytes, words) in cases {
        let end = against(move |peer| {
            let _ = (&peer.watch).write_all(bytes);
            let _ = (&peer.watch).read(&mut [0; 64]);
        });
        assert!(matches!(end, ExchangeError::Invalid { part: 1, .. }), "{end}");
        assert!(end.to_string().contains(words), "expected {words:?}, got {end}");
    }
}

#[test]
fn a_process_that_vanishes_or_falls_silent_is_lost() {
    let vanishes = |peer| drop::<Peer>(peer);
    let halves = |peer: Peer| {
        // In the middle of a parcel.
        let _ = (&peer.data).write_all(&parcel(1, 0, 1 << 32)[..90]);
        let _ = peer.data.shutdown(Shutdown::Both);
        alive(&peer);
    };
    let silent = |peer: Peer| {
        let _ = (&peer.watch).read(&mut [0; 1]);
        // Reads, but says nothing, until the other process is gone.
        while matches!((&peer.watch).read(&mut [0; 64]), Ok(1..)) {}
    };
    let ends = [
        (thread::spawn(move || against(vanishes)), "closed"),
        (thread::spawn(move || against(halves)), "closed"),
        (thread::spawn(move || against(silent)), "no sign of life for 5 s"),
    ];
    for (end, words) in ends {
        let end = end.join().unwrap();
        assert!(matches!(end, ExchangeError::Lost { part: 1, .. }), "{end}");
        assert!(end.to_string().contains(words), "expected {words:?}, got {end}");
    }
}
