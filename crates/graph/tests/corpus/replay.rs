//! Runs a fuzz target over its corpus: each file, then copies damaged in ways that follow from a seed.

use std::{
    fs,
    path::PathBuf,
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

/// Damaged copies of each file.
const COPIES: u64 = 120;

/// How long one input may take: three orders of magnitude more than it does.
const LIMIT: Duration = Duration::from_secs(20);

/// `fuzz/corpus`.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

/// Names and contents of a target's files, sorted; an error if there are none.
pub(crate) fn corpus(target: &str) -> Result<Vec<(String, Vec<u8>)>, String> {
    let folder = folder().join(target);
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<(String, Vec<u8>)> = entries
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    if files.is_empty() { Err(format!("{}: no files", folder.display())) } else { Ok(files) }
}

/// Runs the target in a thread of its own, which must not panic and must come to an end with each input in time.
pub(crate) fn replay(target: &str, run: fn(&[u8])) {
    let files = corpus(target).unwrap_or_else(|problem| panic!("{problem}"));
    let (started, watch) = channel();
    let worker = thread::spawn(move || {
        for (name, file) in files {
            for copy in 0..=COPIES {
                let input = if copy == 0 { file.clone() } else { damaged(&file, copy) };
                // The watcher may have given up.
                let _ = started.send(format!("{name}, copy {copy}: b\"{}\"", input.escape_ascii()));
                run(&input);
            }
        }
    });
    let mut last = String::new();
    loop {
        match watch.recv_timeout(LIMIT) {
            Ok(input) => last = input,
            Err(RecvTimeoutError::Timeout) => panic!("{target}: no end within {LIMIT:?} of {last}"),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    assert!(worker.join().is_ok(), "{target}: a panic (above) with {last}");
}

/// A copy with one to four changes.
fn damaged(file: &[u8], seed: u64) -> Vec<u8> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ file.len() as u64 | 1);
    let mut copy = file.to_vec();
    for _ in 0..1 + dice.below(4) {
        change(&mut copy, &mut dice);
    }
    copy
}

fn change(data: &mut Vec<u8>, dice: &mut Dice) {
    // Bytes that mean something to a parser.
    const SIGNS: &[u8] = b" \n\t\r,;|\"%#-+.:=x019ea\0\xff\x80\x0c";
    let sign = SIGNS[dice.below(SIGNS.len())];
    if data.is_empty() {
        return data.push(sign);
    }
    let at = dice.below(data.len());
    let end = (at + 1 + dice.below(8)).min(data.len());
    match dice.below(8) {
        0 => data[at] ^= 1 << dice.below(8),
        1 => data[at] = sign,
        2 => data[at] = dice.next() as u8,
        3 => data.insert(at, sign),
        4 => data.truncate(at),
        5 => drop(data.drain(at..end)),
        6 => {
            let section = data[at..end].to_vec();
            data.splice(at..at, section);
        }
        _ => data[at..end].reverse(),
    }
}

/// Numbers that follow from a seed (xorshift).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 16) % end as u64) as usize
    }
}
