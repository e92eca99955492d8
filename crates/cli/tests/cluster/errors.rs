//! What is refused before a process starts, and errors that come from processes.

use crate::common::Bench;

fn fails(bench: &Bench, line: &str, words: &[&str]) {
    let done = bench.run(line);
    assert_eq!(done.code, 2, "{line}: {}{}", done.stdout, done.stderr);
    assert_eq!(done.stdout, "", "{line}");
    for word in words {
        assert!(done.stderr.contains(word), "{line}: expected {word:?}, got {}", done.stderr);
    }
    assert_eq!(done.stderr.matches("warpgraph: ").count(), 1, "{line}: {}", done.stderr);
}

#[test]
fn what_cannot_work_is_refused_before_a_process_starts() {
    let bench = Bench::new();
    bench.file("hosts.txt", "127.0.0.1:1\n").file("wrong.txt", "a:1\n\nb:x\n").file("short", "abc");
    bench.file("file.csv", "");
    let cases: [(&str, &[&str]); 18] = [
        ("cluster run wcc kron:8", &["--hosts <FILE>"]),
        ("cluster --local 0 run wcc kron:8", &["0 is not in 1..=256"]),
        ("cluster --local 2 --hosts hosts.txt --process 0 run wcc kron:8", &["cannot be used with"]),
        ("cluster --hosts hosts.txt run wcc kron:8", &["--process <I>"]),
        ("cluster --hosts none.txt --process 0 run wcc kron:8", &["none.txt: cannot read"]),
        (
            "cluster --hosts wrong.txt --process 0 run wcc kron:8",
            &["wrong.txt:3: expected a port", "\"b:x\""],
        ),
        ("cluster --hosts hosts.txt --process 1 run wcc kron:8", &["--process 1", "lists 1 hosts"]),
        ("cluster --hosts hosts.txt --process 0 --secret-file short run wcc kron:8", &["fewer than 16"]),
        ("cluster --local 2 run wcc none.el", &["none.el: cannot open"]),
        ("cluster --local 2 run wcc -", &["standard input"]),
        ("cluster --local 2 run triangles kron:8", &["triangles does not run in parts"]),
        ("cluster --local 2 run wcc kron:8 --verify", &["does not take --verify"]),
        ("cluster --local 2 run wcc kron:8 --plan push", &["does not take --plan"]),
        ("cluster --local 2 run wcc kron:8 --device simt", &["does not take --device"]),
        ("cluster --local 2 run wcc kron:8 --out x.jpeg", &["cannot tell the form"]),
        ("cluster --local 2 run wcc kron:8 --out file.csv", &["this is a file"]),
        ("cluster --local 2 --resume run wcc kron:8", &["--checkpoint <DIR>"]),
        ("cluster --local 2 --checkpoint c run wcc kron:8 --runs 2", &["--checkpoint is for a single run"]),
    ];
    for (line, words) in cases {
        fails(&bench, line, words);
    }
}

#[test]
fn an_error_of_a_process_is_reported_once_with_its_number() {
    let bench = Bench::new();
    fails(&bench, "cluster --local 3 run bfs kron:8 --source 100000", &["process", "of 3 (pid", "100000"]);
    let json = bench.json("cluster --local 3 run bfs kron:8 --source 100000 --json");
    let message = json["error"]["message"].as_str().unwrap();
    assert!(message.contains("of 3 (pid") && message.contains("100000"), "{message}");
    bench.file("bad.el", "1 2\n3 x y z\n");
    fails(&bench, "cluster --local 2 run wcc bad.el", &["of 2 (pid", "bad.el:2"]);
}

#[test]
fn an_answer_of_another_run_is_not_replaced_without_force() {
    let bench = Bench::new();
    assert_eq!(bench.run("cluster --local 3 run wcc kron:8 --out a.csv").code, 0);
    fails(&bench, "cluster --local 3 run wcc kron:8 --out a.csv", &["exists already"]);
    assert_eq!(bench.run("cluster --local 3 run wcc kron:8 --out a.csv --force").code, 0);
    fails(&bench, "cluster --local 2 run wcc kron:8 --out a.csv --force", &["of a run with more processes"]);
}

#[test]
fn a_process_that_waits_in_vain_says_for_whom() {
    let bench = Bench::new();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    bench.file("hosts.txt", format!("{free}\n127.0.0.1:9\n"));
    let line = "cluster --hosts hosts.txt --process 0 --wait 1 run wcc kron:8";
    fails(&bench, line, &["process 1 (127.0.0.1:9) did not come within 1 s"]);
}
