//! Every file of every fuzzing corpus, and thousands of damaged copies, through the fuzz targets.

// Helpers outside of #[test] functions unwrap too: a failure there is a failed test.
#![allow(clippy::unwrap_used)]

#[allow(unreachable_pub, reason = "the targets of another crate")]
#[path = "../../../../fuzz/src/graph.rs"]
mod fuzzed;
mod replay;

use replay::{corpus, folder, replay};

/// Targets whose functions are tested elsewhere.
const OTHERS: &[&str] = &["plan"];

macro_rules! targets {
    ($($target:ident)+) => {
        /// Targets with a test.
        const TESTED: &[&str] = &[$(stringify!($target)),+];
        $(#[test]
        fn $target() {
            replay(stringify!($target), fuzzed::$target);
        })+
    };
}

targets! { any edge_list matrix_market dimacs metis gap wg webgraph graph500 graph500_64 graphml npz parquet generator }

#[test]
fn every_target_has_a_test_and_every_folder_a_target() {
    let targets: Vec<&str> = fuzzed::TARGETS.iter().map(|target| target.0).collect();
    assert_eq!(targets, TESTED);
    for entry in folder().read_dir().unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(TESTED.contains(&&*name) || OTHERS.contains(&&*name), "fuzz/corpus/{name} has no target");
    }
}

#[test]
fn a_missing_or_empty_corpus_is_an_error() {
    assert!(corpus("no-such-target").is_err());
    assert!(corpus("edge_list").unwrap().len() > 5);
}
