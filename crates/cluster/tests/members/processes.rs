//! Members in processes of their own: killed and stopped ones end all others, which name them.

use crate::common::meeting;
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};
use warpgraph_cluster::{Member, listen};
use warpgraph_parts::exchange::Exchange;

/// Started by the other tests here: says its address, reads all addresses, and makes rounds until an error ends them.
#[test]
#[ignore = "the other tests of this file start it in processes of its own"]
fn process() {
    let part: usize = std::env::var("WARPGRAPH_TEST_PART").unwrap().parse().unwrap();
    let listener = listen("127.0.0.1:0").unwrap();
    println!("address {}", listener.local_addr().unwrap());
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let hosts: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let mut member = Member::join(&meeting(part, &hosts), listener).unwrap();
    for round in 0.. {
        let to = (part + round) % hosts.len();
        let sent = member.send(to, vec![7; 10_000]);
        if let Err(error) = sent.and_then(|()| member.flush(&mut |_, _| Ok(()))) {
            println!("error {error}");
            return;
        }
        if round == 20 {
            println!("running");
        }
    }
}

struct Process {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    fn start(part: usize) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "processes::process", "--ignored", "--nocapture"])
            .env("WARPGRAPH_TEST_PART", part.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (send, lines) = mpsc::channel();
        thread::spawn(move || {
            BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|l| send.send(l))
        });
        Self { child, stdin, lines }
    }

    /// Returns the rest of the next line that starts with a word.
    fn says(&self, word: &str) -> String {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("no line {word}"));
            if let Some((_, rest)) = line.split_once(word) {
                return rest.trim().to_owned();
            }
        }
    }

    fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([format!("-{name}"), pid]).status().unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs four processes, sends one of them a signal, and returns what the others said about it.
fn after(signal: &str) -> Vec<String> {
    let mut processes: Vec<_> = (0..4).map(Process::start).collect();
    let hosts: Vec<_> = processes.iter().map(|process| process.says("address")).collect();
    processes.iter_mut().for_each(|process| writeln!(process.stdin, "{}", hosts.join(" ")).unwrap());
    processes.iter().for_each(|process| drop(process.says("running")));
    let lost = processes.remove(1);
    let start = Instant::now();
    lost.signal(signal);
    let ends: Vec<_> = processes.iter().map(|process| process.says("error")).collect();
    for process in &mut processes {
        process.child.wait().unwrap();
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let name = format!("part 1 ({}, process {}) was lost", hosts[1], lost.child.id());
    assert!(ends.iter().all(|end| end.starts_with(&name)), "expected {name}, got {ends:#?}");
    ends
}

#[test]
fn a_killed_process_ends_all_others_with_its_name() {
    let start = Instant::now();
    after("KILL");
    // Its connections close, so no process has to wait for silence.
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_stopped_process_ends_all_others_with_its_name() {
    for end in after("STOP") {
        assert!(end.ends_with("it gave no sign of life for 5 s"), "{end}");
    }
}
