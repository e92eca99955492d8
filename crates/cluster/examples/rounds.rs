//! Measures rounds between members over loopback: how long an empty one takes, and how many bytes per second travel.
//!
//! `cargo run --release -p warpgraph-cluster --example rounds -- 3 1000 100000` runs 3 members for 1,000 empty rounds, and
//! then rounds in which each sends 100,000 bytes to each other.

use std::{error::Error, net::TcpListener, thread, time::Duration, time::Instant};
use warpgraph_cluster::{Meeting, Member, Secret, listen};
use warpgraph_parts::exchange::{Exchange, ExchangeError};

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<usize> = std::env::args().skip(1).map(|arg| arg.parse()).collect::<Result<_, _>>()?;
    let (parts, rounds, bytes) = match numbers[..] {
        [parts, rounds, bytes] => (parts, rounds, bytes),
        _ => return Err("usage: rounds PARTS ROUNDS BYTES".into()),
    };
    let listeners: Vec<TcpListener> = (0..parts).map(|_| listen("127.0.0.1:0")).collect::<Result<_, _>>()?;
    let addresses = listeners.iter().map(|listener| Ok(listener.local_addr()?.to_string()));
    let hosts: Vec<String> = addresses.collect::<Result<_, std::io::Error>>()?;
    thread::scope(|scope| {
        for (part, listener) in listeners.into_iter().enumerate() {
            let (run, question) = ("rounds".to_owned(), "none".to_owned());
            let (secret, wait) = (Secret::default(), Duration::from_secs(10));
            let meeting = Meeting { part, hosts: hosts.clone(), run, question, secret, wait };
            scope.spawn(move || {
                let member = Member::join(&meeting, listener).map_err(|error| error.to_string());
                let measured =
                    member.and_then(|member| measure(member, rounds, bytes).map_err(|e| e.to_string()));
                if let Err(error) = measured {
                    eprintln!("part {part}: {error}");
                }
            });
        }
    });
    Ok(())
}

fn measure(mut member: Member, rounds: usize, bytes: usize) -> Result<(), ExchangeError> {
    let empty = times(&mut member, rounds, 0)?;
    let full = times(&mut member, rounds, bytes)?;
    if member.part() == 0 {
        for (what, mut times) in [("empty", empty), ("full", full)] {
            times.sort_by(f64::total_cmp);
            let at = |share: f64| {
                times.get((times.len() as f64 * share) as usize).copied().unwrap_or(f64::NAN) * 1e6
            };
            println!(
                "{what}: {:.0} us at the median, {:.0} at 90 %, {:.0} at 99 %",
                at(0.5),
                at(0.9),
                at(0.99)
            );
        }
    }
    member.leave()
}

/// Returns the seconds of each round.
fn times(member: &mut Member, rounds: usize, bytes: usize) -> Result<Vec<f64>, ExchangeError> {
    let own = member.part();
    let round = |_| {
        let start = Instant::now();
        for to in (0..member.parts()).filter(|to| *to != own && bytes > 0) {
            member.send(to, vec![1; bytes])?;
        }
        member.flush(&mut |_, _| Ok(()))?;
        Ok(start.elapsed().as_secs_f64())
    };
    (0..rounds).map(round).collect()
}
