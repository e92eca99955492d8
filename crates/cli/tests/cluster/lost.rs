//! Processes of a run that are killed or stopped: the others end within ten seconds and name them.

use crate::common::Bench;
use std::{
    io::Read,
    net::TcpListener,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A run that goes on until something ends it.
const LONG: &str = "run pagerank kron:12 --tolerance 0 --max-iterations 100000000 --threads 1";

pub(crate) fn signal(name: &str, process: u32) {
    assert!(Command::new("kill").args([format!("-{name}"), process.to_string()]).status().unwrap().success());
}

pub(crate) fn start(bench: &Bench, line: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_warpgraph"))
        .args(line.split_whitespace())
        .current_dir(bench.folder())
        .env("NO_COLOR", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for the end of a process; returns exit code, standard output and error.
pub(crate) fn end(mut child: Child) -> (i32, String, String) {
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    (child.wait().unwrap().code().unwrap_or(-1), out, err)
}

/// Returns the processes that another one started, once there are so many.
pub(crate) fn children(parent: u32, many: usize) -> Vec<u32> {
    let end = Instant::now() + Duration::from_secs(20);
    while Instant::now() < end {
        let path = format!("/proc/{parent}/task/{parent}/children");
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let found: Vec<u32> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
        if found.len() == many {
            return found;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{parent} did not start {many} processes");
}

/// Three processes with addresses of their own, which run until something ends them.
fn on_hosts(bench: &Bench, flags: &str) -> Vec<Child> {
    let ports: Vec<_> = (0..3).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let hosts: Vec<_> = ports.iter().map(|port| port.local_addr().unwrap().to_string()).collect();
    drop(ports);
    bench.file("hosts.txt", hosts.join("\n"));
    let line = |part| format!("cluster --hosts hosts.txt --process {part} {flags} {LONG}");
    (0..3).map(|part| start(bench, &line(part))).collect()
}

#[test]
fn a_host_that_is_killed_ends_the_others_with_its_name() {
    let bench = Bench::new();
    bench.file("secret", "a secret of twenty-one bytes\n");
    let mut hosts = on_hosts(&bench, "--secret-file secret");
    thread::sleep(Duration::from_millis(1_500));
    let mut killed = hosts.remove(2);
    let before = Instant::now();
    signal("KILL", killed.id());
    let name = format!("process {}) was lost: it closed its connections", killed.id());
    killed.wait().unwrap();
    for host in hosts {
        let (code, out, err) = end(host);
        assert_eq!((code, &*out), (2, ""), "{err}");
        assert!(err.contains("warpgraph: part 2 (127.0.0.1:") && err.contains(&name), "{err}");
    }
    assert!(before.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_host_that_is_stopped_ends_the_others_with_its_name() {
    let bench = Bench::new();
    let mut hosts = on_hosts(&bench, "");
    thread::sleep(Duration::from_millis(1_500));
    let mut stopped = hosts.remove(0);
    let before = Instant::now();
    signal("STOP", stopped.id());
    for host in hosts {
        let (code, _, err) = end(host);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("part 0 (127.0.0.1:") && err.contains("no sign of life for 5 s"), "{err}");
    }
    assert!(before.elapsed() < Duration::from_secs(10), "{:?}", before.elapsed());
    stopped.kill().unwrap();
    stopped.wait().unwrap();
}

#[test]
fn the_launcher_names_a_process_that_was_killed() {
    let bench = Bench::new();
    let launcher = start(&bench, &format!("cluster --local 3 {LONG} --json"));
    let processes = children(launcher.id(), 3);
    thread::sleep(Duration::from_millis(700));
    let before = Instant::now();
    signal("KILL", processes[1]);
    let (code, out, err) = end(launcher);
    assert_eq!(code, 2, "{out}{err}");
    let error: serde_json::Value = serde_json::from_str(&out).unwrap();
    let message = error["error"]["message"].as_str().unwrap();
    let wanted = format!("process 1 of 3 (pid {}) was ended by signal 9", processes[1]);
    assert!(message.starts_with(&wanted), "{message}");
    assert!(before.elapsed() < Duration::from_secs(10));
}

#[test]
fn the_launcher_ends_within_ten_seconds_of_a_stopped_process_and_names_it() {
    let bench = Bench::new();
    let launcher = start(&bench, &format!("cluster --local 3 {LONG} --json"));
    let processes = children(launcher.id(), 3);
    thread::sleep(Duration::from_millis(700));
    let before = Instant::now();
    signal("STOP", processes[1]);
    let (code, out, err) = end(launcher);
    assert!(before.elapsed() < Duration::from_secs(10), "{:?}", before.elapsed());
    assert_eq!(code, 2, "{out}{err}");
    let error: serde_json::Value = serde_json::from_str(&out).unwrap();
    let message = error["error"]["message"].as_str().unwrap();
    let wanted = format!("process 1 of 3 (pid {}) did not answer, and was killed", processes[1]);
    assert!(message.starts_with(&wanted), "{message}");
}

#[test]
fn processes_end_when_their_launcher_is_killed() {
    let bench = Bench::new();
    let mut launcher = start(&bench, &format!("cluster --local 2 {LONG}"));
    let processes = children(launcher.id(), 2);
    thread::sleep(Duration::from_millis(500));
    launcher.kill().unwrap();
    launcher.wait().unwrap();
    let end = Instant::now() + Duration::from_secs(10);
    let alive = |process: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z ")
    };
    while processes.iter().any(alive) {
        assert!(Instant::now() < end, "a process outlived its launcher");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn processes_with_another_question_do_not_take_part() {
    let bench = Bench::new();
    let ports: Vec<_> = (0..2).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let hosts: Vec<_> = ports.iter().map(|port| port.local_addr().unwrap().to_string()).collect();
    drop(ports);
    bench.file("hosts.txt", hosts.join("\n"));
    let first = start(&bench, "cluster --hosts hosts.txt --process 0 --wait 2 run wcc kron:8");
    let second = start(&bench, "cluster --hosts hosts.txt --process 1 --wait 2 run wcc kron:9");
    let (code, _, err) = end(second);
    assert_eq!(code, 2);
    assert!(err.contains("was started with another question, graph or flags"), "{err}");
    let (code, _, err) = end(first);
    assert_eq!(code, 2);
    assert!(err.contains("process 1") && err.contains("another question, graph or flags"), "{err}");
}
