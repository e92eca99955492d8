//! Connections that do not belong to a run: they are refused without harm, and the run goes on.

use crate::common::{listeners, meeting};
use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};
use warpgraph_cluster::{Error, Meeting, Member, Secret};
use warpgraph_parts::exchange::Exchange;

/// Lets two members meet; the second comes only after strangers have been there.
fn meet_after(strangers: impl FnOnce(&str)) {
    let (mut listeners, hosts) = listeners(2);
    let (second, first) = (listeners.pop().unwrap(), listeners.pop().unwrap());
    let meetings = [meeting(0, &hosts), meeting(1, &hosts)];
    let [own, other] = meetings;
    let waiting = thread::spawn(move || Member::join(&own, first).unwrap().leave().unwrap());
    strangers(&hosts[0]);
    Member::join(&other, second).unwrap().leave().unwrap();
    waiting.join().unwrap();
}

#[test]
fn strangers_are_refused_and_the_run_goes_on() {
    meet_after(|address| {
        let mut answers = Vec::new();
        let random: Vec<u8> = (0..4_096_u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for bytes in [b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20), random, vec![0; 128]] {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(&bytes).unwrap();
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            answers.push(answer.len());
        }
        // At most the byte that says why.
        assert!(answers.iter().all(|length| *length <= 1), "{answers:?}");
        // Half a handshake, and none at all.
        let mut half = TcpStream::connect(address).unwrap();
        half.write_all(b"WGCLUSTR").unwrap();
        let idle: Vec<_> = (0..10).map(|_| TcpStream::connect(address).unwrap()).collect();
        thread::sleep(Duration::from_millis(50));
        drop((half, idle));
    });
}

#[test]
fn a_connection_that_drips_does_not_hold_up_a_run() {
    meet_after(|address| {
        let mut slow = TcpStream::connect(address).unwrap();
        thread::spawn(move || {
            while slow.write_all(b"W").is_ok() {
                thread::sleep(Duration::from_millis(300));
            }
        });
    });
}

/// Returns the errors of two processes that do not belong together.
fn apart(change: impl FnOnce(&mut Meeting)) -> (Error, Error) {
    let (mut listeners, hosts) = listeners(2);
    let (second, first) = (listeners.pop().unwrap(), listeners.pop().unwrap());
    let (mut own, mut other) = (meeting(0, &hosts), meeting(1, &hosts));
    own.secret = Secret::new(*b"0123456789abcdef");
    own.wait = Duration::from_millis(700);
    other.secret = own.secret.clone();
    change(&mut other);
    let waiting = thread::spawn(move || Member::join(&own, first).unwrap_err());
    let refused = Member::join(&other, second).unwrap_err();
    (waiting.join().unwrap(), refused)
}

#[test]
fn processes_that_do_not_belong_together_say_why() {
    type Change = fn(&mut Meeting);
    let cases: [(Change, &str); 5] = [
        (|other| other.run = "another".into(), "belongs to another run (--run-id)"),
        (|other| other.question = "else?".into(), "another question, graph or flags"),
        (|other| other.secret = Secret::new(*b"fedcba9876543210"), "the secrets differ"),
        (|other| other.secret = Secret::default(), "the secrets differ"),
        (|other| other.hosts.push("127.0.0.1:9".into()), "another number of processes"),
    ];
    for (change, words) in cases {
        let start = Instant::now();
        let (absent, refused) = apart(change);
        assert!(matches!(refused, Error::Refused { part: 0, .. }), "{refused}");
        assert!(refused.to_string().contains(words), "{refused}");
        assert!(matches!(absent, Error::Absent { part: 1, .. }), "{absent}");
        assert!(absent.to_string().contains(words), "{absent}");
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn a_process_that_does_not_come_is_named() {
    let (mut listeners, hosts) = listeners(2);
    let mut own = meeting(0, &hosts);
    own.wait = Duration::from_millis(300);
    let second = listeners.pop().unwrap();
    let absent = Member::join(&own, listeners.pop().unwrap()).unwrap_err();
    assert_eq!(absent.to_string(), format!("process 1 ({}) did not come within 0 s", hosts[1]));
    // No process listens at the address of process 0 any more.
    let mut other = meeting(1, &hosts);
    other.wait = Duration::from_millis(300);
    let absent = Member::join(&other, second).unwrap_err().to_string();
    assert!(absent.contains("process 0") && absent.contains("refused"), "{absent}");
}

#[test]
fn two_processes_with_one_number_are_told() {
    let (mut listeners, hosts) = listeners(3);
    let rest = listeners.split_off(1);
    let (first, mut twice) = (meeting(0, &hosts), Vec::new());
    let waiting = thread::spawn(move || {
        let mut first = first;
        first.wait = Duration::from_secs(8);
        Member::join(&first, listeners.pop().unwrap()).map(|mut member| member.barrier().is_ok())
    });
    for listener in rest {
        let mut other = meeting(1, &hosts);
        other.wait = Duration::from_secs(5);
        twice.push(thread::spawn(move || Member::join(&other, listener).unwrap_err()));
    }
    let ends: Vec<_> = twice.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert!(waiting.join().unwrap().is_err());
    // One of them came first, and waits for the third process; the other has no place. Both come from this process, whose
    // number does not tell them apart, so each may have lost one of its connections.
    assert!(
        ends.iter().any(|end| end.to_string().contains("two processes have the same number")),
        "{ends:?}"
    );
}
