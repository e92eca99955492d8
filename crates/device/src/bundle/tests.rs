#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

use super::{write::Packed, *};
use std::{collections::BTreeMap, fs};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_128;

/// Bytes before the index, and of the index before its first entry.
const FRONT: usize = 28;
const HEAD: usize = 40;

/// The content of a bundle with a cubin per text and architecture: the text itself, several times.
fn bytes(all: &[(&str, u32)]) -> Vec<u8> {
    let packed: BTreeMap<u128, Packed> = all
        .iter()
        .map(|&(text, sm)| (key(text, sm), Packed::of(key(text, sm), &cubin(text, sm)).unwrap()))
        .collect();
    write::file((12, 9), &packed).unwrap()
}

fn cubin(text: &str, sm: u32) -> Vec<u8> {
    format!("{text} for sm_{sm}; ").repeat(100).into_bytes()
}

fn opened(bytes: &[u8]) -> (TempDir, Bundle) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(FILE);
    fs::write(&path, bytes).unwrap();
    let bundle = Bundle::open(&path);
    (folder, bundle)
}

/// Writes the checksum of a changed index into its file.
fn sealed(mut bytes: Vec<u8>, entries: usize) -> Vec<u8> {
    let sum = xxh3_128(&bytes[FRONT..FRONT + HEAD + 48 * entries]);
    bytes[12..28].copy_from_slice(&sum.to_le_bytes());
    bytes
}

#[track_caller]
fn assert_refused(bytes: &[u8], why: &str) {
    let (_folder, bundle) = opened(bytes);
    assert_eq!((bundle.len(), bundle.nvrtc(), bundle.get("a", 90)), (0, None, None));
    let problem = bundle.problem().unwrap();
    assert!(problem.contains(why) && problem.contains(FILE), "{problem}");
}

#[test]
fn what_is_written_is_read_back_by_text_and_architecture() {
    let (_folder, bundle) = opened(&bytes(&[("a", 90), ("b", 90), ("a", 80)]));
    assert_eq!((bundle.len(), bundle.nvrtc(), bundle.problem()), (3, Some((12, 9)), None));
    for (text, sm) in [("a", 90), ("b", 90), ("a", 80)] {
        assert_eq!(bundle.get(text, sm), Some(cubin(text, sm)));
    }
    assert_eq!((bundle.get("c", 90), bundle.get("b", 80), bundle.problem()), (None, None, None));
}

#[test]
fn a_gpu_takes_code_of_an_earlier_member_of_its_generation_only() {
    let (_folder, bundle) = opened(&bytes(&[("a", 80), ("a", 86), ("a", 90)]));
    assert_eq!(bundle.get("a", 89), Some(cubin("a", 86)), "the latest that it runs");
    assert_eq!(bundle.get("a", 85), Some(cubin("a", 80)));
    assert_eq!((bundle.get("a", 100), bundle.get("a", 75)), (None, None));
}

#[test]
fn any_changed_byte_of_the_index_makes_the_whole_file_unusable() {
    let whole = bytes(&[("a", 90), ("b", 90)]);
    for at in 0..FRONT + HEAD + 2 * 48 {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        let (_folder, bundle) = opened(&bytes);
        assert_eq!((bundle.len(), bundle.get("a", 90)), (0, None), "byte {at}");
        assert!(bundle.problem().is_some(), "byte {at}");
    }
}

#[test]
fn a_file_that_is_cut_off_or_something_else_is_refused_with_the_reason() {
    let whole = bytes(&[("a", 90)]);
    assert_refused(&[], "too short");
    assert_refused(b"#!/bin/sh\nexit 0 # some other file", "no bundle of kernels");
    assert_refused(&whole[..FRONT + HEAD + 20], "index is cut off");
    assert_refused(&whole[..whole.len() - 1], "outside of the file");
    let missing = Bundle::open(Path::new("/nowhere/at/all"));
    assert!(missing.problem().unwrap().contains("/nowhere/at/all"), "{missing:?}");
}

#[test]
fn a_bundle_of_another_version_is_refused_by_its_version() {
    let mut bytes = bytes(&[("a", 90)]);
    bytes[FRONT..FRONT + 6].copy_from_slice(b"99.0.1");
    assert_refused(&sealed(bytes, 1), "of warpgraph 99.0.1, and this is ");
}

#[test]
fn a_damaged_entry_is_ignored_and_the_others_are_used() {
    let whole = bytes(&[("a", 90), ("b", 90)]);
    let (_folder, bundle) = opened(&whole);
    let place = bundle.open.as_ref().unwrap().1.find(key("a", 90)).unwrap();
    for at in [place.at, place.at + u64::from(place.packed) / 2, place.at + u64::from(place.packed) - 1] {
        let mut bytes = whole.clone();
        bytes[at as usize] ^= 0x10;
        let (_folder, bundle) = opened(&bytes);
        assert_eq!(bundle.get("a", 90), None, "byte {at}");
        assert!(bundle.problem().unwrap().contains("is damaged"), "{:?}", bundle.problem());
        assert_eq!(bundle.get("b", 90), Some(cubin("b", 90)));
        assert!(opened(&bytes).1.check().is_some_and(|problem| problem.contains("is damaged")));
    }
    assert_eq!(bundle.check(), None);
}

#[test]
fn an_entry_that_the_index_gives_to_another_text_is_not_taken() {
    let mut bytes = bytes(&[("a", 90), ("b", 90)]);
    let (first, second) = (FRONT + HEAD, FRONT + HEAD + 48);
    for field in 16..48 {
        bytes.swap(first + field, second + field);
    }
    let (_folder, bundle) = opened(&sealed(bytes, 2));
    assert_eq!((bundle.len(), bundle.get("a", 90), bundle.get("b", 90)), (2, None, None));
    assert!(bundle.problem().unwrap().contains("checksum"), "{:?}", bundle.problem());
}

#[test]
fn an_entry_that_unpacks_to_more_than_the_index_says_is_not_taken() {
    let mut bytes = bytes(&[("a", 90)]);
    let length = FRONT + HEAD + 28;
    bytes[length..length + 4].copy_from_slice(&5_u32.to_le_bytes());
    let (_folder, bundle) = opened(&sealed(bytes, 1));
    assert_eq!(bundle.get("a", 90), None);
    assert!(bundle.problem().unwrap().contains("5 bytes"), "{:?}", bundle.problem());
}

#[test]
fn the_named_file_comes_first_and_an_empty_variable_means_none() {
    let folder = tempfile::tempdir().unwrap();
    let (bin, share) = (folder.path().join("bin"), folder.path().join("share/warpgraph"));
    fs::create_dir_all(&bin).unwrap();
    fs::create_dir_all(&share).unwrap();
    let exe = bin.join("warpgraph");
    assert_eq!(place(None, None, Some(&exe)), None, "there is none");
    fs::write(share.join(FILE), "").unwrap();
    assert_eq!(place(None, None, Some(&exe)), Some(share.join(FILE)));
    fs::write(bin.join(FILE), "").unwrap();
    assert_eq!(place(None, None, Some(&exe)), Some(bin.join(FILE)));
    let variable = |value: &str| Some(OsString::from(value));
    assert_eq!(place(None, variable("/a/b"), Some(&exe)), Some("/a/b".into()));
    assert_eq!(place(None, variable(""), Some(&exe)), None);
    assert_eq!(place(Some(Path::new("/c")), variable("/a/b"), Some(&exe)), Some("/c".into()));
}
