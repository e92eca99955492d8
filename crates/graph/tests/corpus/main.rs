//! Every file of every fuzzing corpus, and thousands of damaged copies, through the fuzz targets.

// Helpers outside of #[test] functions unwrap too: a failure there is a failed test.
#![allow(clippy::unwrap_used)]

#[macro_use]
#[allow(unreachable_pub, reason = "the targets of another crate")]
#[path = "../../../../fuzz/src/graph.rs"]
mod fuzzed;
mod replay;

use replay::{corpus, folder, replay};

/// Targets whose functions are tested elsewhere.
const OTHERS: &[&str] = &["plan"];

macro_rules! tests {
    ($($target:ident)+) => {
        $(#[test]
        fn $target() {
            replay(stringify!($target), fuzzed::$target);
        })+
    };
}

for_each_target!(tests);

#[test]
fn every_folder_has_a_target() {
    let targets: Vec<&str> = fuzzed::TARGETS.iter().map(|target| target.0).collect();
    for entry in folder().read_dir().unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(targets.contains(&&*name) || OTHERS.contains(&&*name), "fuzz/corpus/{name} has no target");
    }
}

#[test]
fn a_missing_or_empty_corpus_is_an_error() {
    assert!(corpus("no-such-target").is_err());
    assert!(corpus("edge_list").unwrap().len() > 5);
}
