//! What a suite prints and returns, seen from outside: this program starts itself again as a suite of three tests.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use std::process::{Command, ExitCode};
use warpgraph_testing::{Suite, tests};

const INSIDE: &str = "WARPGRAPH_SUITE_INSIDE";

fn main() -> ExitCode {
    if std::env::var_os(INSIDE).is_some() {
        let need = Err("no such thing here".to_owned());
        return Suite::default().tests(tests![passes, inner::passes]).needing(&need, tests![lacks]).run();
    }
    Suite::default()
        .tests(tests![
            a_test_without_its_need_is_ignored_with_the_reason,
            a_test_that_is_insisted_on_fails_with_the_reason,
            any_number_of_filters_is_taken,
            all_tests_are_listed,
        ])
        .run()
}

fn passes() {}

fn lacks() {
    unreachable!("its need is not met");
}

mod inner {
    pub(super) fn passes() {}
}

/// Runs the inner suite; the exit code and what it printed.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let mut again = Command::new(std::env::current_exe().unwrap());
    let output = again.args(arguments).env(INSIDE, "1").output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

fn a_test_without_its_need_is_ignored_with_the_reason() {
    let (code, text) = run(&[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("... ignored (no such thing here)"), "{text}");
    assert!(text.contains("2 passed; 0 failed; 1 ignored"), "{text}");
}

fn a_test_that_is_insisted_on_fails_with_the_reason() {
    let (code, text) = run(&["--include-ignored"]);
    assert_eq!(code, Some(101), "{text}");
    assert!(text.contains("---- lacks ----\nno such thing here"), "{text}");
    assert!(text.contains("2 passed; 1 failed; 0 ignored"), "{text}");
    let (code, text) = run(&["--ignored"]);
    assert_eq!(code, Some(101), "{text}");
    assert!(text.contains("0 passed; 1 failed; 0 ignored"), "{text}");
}

fn any_number_of_filters_is_taken() {
    assert!(run(&["inner", "--test-threads", "1"]).1.contains("1 passed; 0 failed; 0 ignored"));
    assert!(run(&["inner", "lacks", "--nocapture"]).1.contains("1 passed; 0 failed; 1 ignored"));
    assert!(run(&["--exact", "passes"]).1.contains("1 passed; 0 failed; 0 ignored"));
    assert!(run(&["--skip", "passes"]).1.contains("0 passed; 0 failed; 1 ignored"));
}

fn all_tests_are_listed() {
    assert_eq!(run(&["--list"]), (Some(0), "passes: test\ninner::passes: test\nlacks: test\n".to_owned()));
}
