//! Opening files: mapped, compressed, empty, missing, special.

#![allow(clippy::unwrap_used, reason = "a test may panic in its helpers too")]

use std::{fs, io::Write, path::Path};
use warpgraph_graph::{Control, Error, Input, Result};

const TEXT: &[u8] = b"0 1\n1 2\n";

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn zstd(data: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(data, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Two xz streams, of `0 1\n` and of `1 2\n`.
const XZ: &[u8] =
    b"\xfd\x37\x7a\x58\x5a\x00\x00\x01\x69\x22\xde\x36\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f\xe5\xa3\
    \x01\x00\x03\x30\x20\x31\x0a\x00\xf1\x8f\xaa\xcf\x00\x01\x18\x04\x6b\xe9\xf0\xa5\x90\x42\x99\x0d\
    \x01\x00\x00\x00\x00\x01\x59\x5a\xfd\x37\x7a\x58\x5a\x00\x00\x01\x69\x22\xde\x36\x02\x00\x21\x01\
    \x16\x00\x00\x00\x74\x2f\xe5\xa3\x01\x00\x03\x31\x20\x32\x0a\x00\x57\xbb\x3b\x5c\x00\x01\x18\x04\
    \x6b\xe9\xf0\xa5\x90\x42\x99\x0d\x01\x00\x00\x00\x00\x01\x59\x5a";

fn bzip2(data: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn open(data: &[u8]) -> Result<Input> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(data).unwrap();
    Input::open(file.path(), &Control::new())
}

#[test]
fn compressed_files_are_unpacked_to_their_last_member() {
    let gz = [gzip(&TEXT[..4]), gzip(&TEXT[4..])].concat();
    let skipped = [&[0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9][..], &zstd(&TEXT[4..])].concat();
    let zst = [zstd(&TEXT[..4]), skipped].concat();
    let bz2 = [bzip2(&TEXT[..4]), bzip2(&TEXT[4..])].concat();
    for data in [TEXT, &gz, &zst, XZ, &bz2] {
        assert_eq!(&open(data).unwrap()[..], TEXT);
    }
}

#[test]
fn compressed_files_that_end_early_are_refused_at_every_length() {
    let long: Vec<u8> = (0..3000).flat_map(|i: u32| format!("{i} {}\n", i * 7 % 3001).into_bytes()).collect();
    let files = [
        ("gzip", gzip(&long), 2),
        ("zstd", zstd(&long), 4),
        ("xz", XZ.to_vec(), 6),
        ("bzip2", bzip2(&long), 10),
    ];
    for (name, whole, first) in files {
        // Half of the two xz streams is a whole file.
        let halves = if name == "xz" { vec![XZ.len() / 2] } else { Vec::new() };
        for len in (first..whole.len()).step_by(whole.len() / 60 + 1).filter(|len| !halves.contains(len)) {
            let error = open(&whole[..len]).unwrap_err();
            assert_eq!(error.kind(), "format", "{name} {len}: {error}");
            assert!(
                error.to_string().contains(&format!("the {name} data ends early, after ")),
                "{len}: {error}"
            );
        }
    }
}

#[test]
fn compressed_files_that_are_damaged_are_refused() {
    let mut gz = gzip(TEXT);
    let checksum = gz.len() - 8;
    gz[checksum] ^= 1;
    let mut xz = XZ.to_vec();
    xz[30] ^= 1;
    let mut bz2 = bzip2(TEXT);
    bz2[12] ^= 1;
    for (name, data) in [("gzip", gz), ("xz", xz), ("bzip2", bz2)] {
        let error = open(&data).unwrap_err();
        assert!(error.to_string().contains(&format!("the {name} data is damaged")), "{error}");
    }
}

#[test]
fn an_empty_file_has_no_bytes() {
    assert!(open(b"").unwrap().is_empty());
}

#[test]
fn a_missing_file_and_a_directory_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let error = Input::open(folder.path(), &Control::new()).unwrap_err();
    let name = folder.path().display();
    assert_eq!(error.to_string(), format!("{name}: cannot open: it is a directory"));
    assert_eq!(error.help().unwrap(), "name a file in it");
    let error = Input::open(Path::new("no/such/file.el"), &Control::new()).unwrap_err();
    assert!(matches!(error, Error::Io { .. }));
    assert!(error.to_string().starts_with("no/such/file.el: cannot open: "), "{error}");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::write(pipe, gzip(TEXT)).unwrap()
    });
    assert_eq!(&Input::open(&pipe, &Control::new()).unwrap()[..], TEXT);
    writer.join().unwrap();
}

#[cfg(unix)]
#[test]
fn a_pipe_that_never_sends_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let limit = Control::new().with_time_limit(std::time::Duration::from_millis(100));
    assert_eq!(Input::open(&pipe, &limit).unwrap_err().kind(), "deadline");
    // The same while a writer holds the pipe open and has sent some bytes.
    let writer = fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    (&writer).write_all(b"0 1\n").unwrap();
    let limit = Control::new().with_time_limit(std::time::Duration::from_millis(100));
    assert_eq!(Input::open(&pipe, &limit).unwrap_err().kind(), "deadline");
}
