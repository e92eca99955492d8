//! Members in processes of their own: killed, stopped and lying ones end all others, which name them.

use crate::common::meeting;
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc,
        mpsc::{self, Receiver},
    },
    thread,
    time::{Duration, Instant},
};
use warpgraph_cluster::{Member, listen};
use warpgraph_graph::{Control, generate::Spec};
use warpgraph_parts::{
    Cut, Part, Question,
    exchange::{Exchange, ExchangeError, Reduce},
    run,
};

/// Started by the other tests here: says its address, reads all addresses, and makes rounds until an error ends them, or runs
/// the algorithm that it was told.
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
    if let Ok(asked) = std::env::var("WARPGRAPH_TEST_ASK") {
        println!("error {}", ask_until_an_error(&asked, member));
        return;
    }
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

/// A member that changes one of its messages to others.
struct Liar {
    inner: Member,
    lie: fn(&mut Vec<u8>),
    sent: u64,
}

/// The message that is a lie: in the midst of the first runs, when all are connected and have their lists.
const LIE: u64 = 60;

impl Exchange for Liar {
    fn part(&self) -> usize {
        self.inner.part()
    }
    fn parts(&self) -> usize {
        self.inner.parts()
    }
    fn send(&mut self, to: usize, mut bytes: Vec<u8>) -> Result<(), ExchangeError> {
        if to != self.part() {
            self.sent += 1;
            if self.sent == LIE {
                (self.lie)(&mut bytes);
                println!("running");
            }
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

/// Runs an algorithm again and again; part 1 lies once. `asked` is the algorithm and the kind of lie.
fn ask_until_an_error(asked: &str, member: Member) -> String {
    let (algorithm, lie) = asked.split_once(' ').unwrap();
    let lie: fn(&mut Vec<u8>) = match lie {
        "short" => |bytes| bytes.truncate(bytes.len() - 1),
        "long" => |bytes| bytes.push(7),
        "form" => |bytes| bytes.fill(200),
        _ => |bytes| bytes.clear(),
    };
    let control = Control::new();
    let spec: Spec = "kron:10".parse().unwrap();
    let cut = Cut::of_spec(&spec, member.parts(), &control).unwrap();
    let part = Arc::new(Part::generate(&spec, &cut, member.part(), &control).unwrap());
    let question = Question { algorithm: algorithm.to_owned(), ..Question::default() };
    let lies = if member.part() == 1 { lie } else { |_: &mut Vec<u8>| () };
    let mut member = Liar { inner: member, lie: lies, sent: 0 };
    loop {
        if let Err(error) = run(&question, &part, &mut member, &control) {
            return error.to_string();
        }
    }
}

struct Process {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Process {
    fn start(part: usize, asked: Option<&str>) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "processes::process", "--ignored", "--nocapture"])
            .env("WARPGRAPH_TEST_PART", part.to_string())
            .envs(asked.map(|asked| ("WARPGRAPH_TEST_ASK", asked)))
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

/// Starts four processes and tells each where the others are. Returns their addresses, too.
fn four(asked: Option<&str>) -> (Vec<Process>, Vec<String>) {
    let mut processes: Vec<_> = (0..4).map(|part| Process::start(part, asked)).collect();
    let hosts: Vec<_> = processes.iter().map(|process| process.says("address")).collect();
    processes.iter_mut().for_each(|process| writeln!(process.stdin, "{}", hosts.join(" ")).unwrap());
    (processes, hosts)
}

/// Runs four processes, sends one of them a signal, and returns what the others said about it.
fn after(signal: &str) -> Vec<String> {
    let (mut processes, hosts) = four(None);
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

#[test]
fn a_lying_process_ends_all_others_with_its_name() {
    for asked in ["wcc short", "wcc form", "pagerank long", "pagerank nothing"] {
        let (mut processes, hosts) = four(Some(asked));
        processes[1].says("running");
        let start = Instant::now();
        let name =
            format!("part 1 ({}, process {}) sent what it must not: ", hosts[1], processes[1].child.id());
        for process in [&processes[0], &processes[2], &processes[3]] {
            let end = process.says("error");
            assert!(end.starts_with(&name) && end.len() > name.len(), "{asked}: expected {name}, got {end}");
        }
        for process in &mut processes {
            process.child.wait().unwrap();
        }
        assert!(start.elapsed() < Duration::from_secs(10), "{asked}: {:?}", start.elapsed());
    }
}
