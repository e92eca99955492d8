//! Turns the numbers that the runtime reports about a failed kernel into text.

use std::fmt::Write as _;

/// Where a thread waits: the same struct as `wg::Waiting`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    block: u32,
    thread: u32,
    op: u32,
    line: u32,
    mask: u32,
}

/// The same struct as `wg::Report`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(super) struct Report {
    failure: u32,
    lane: u32,
    at: Waiting,
    other: Waiting,
    count: u32,
    listed: u32,
    list: [Waiting; 10],
}

/// Names of the functions that threads wait in, in the order of `wg::Op`.
const WORDS: [&str; 11] = [
    "warp_sync",
    "warp_ballot",
    "warp_any",
    "warp_all",
    "warp_shuffle",
    "warp_shuffle_up",
    "warp_shuffle_down",
    "warp_shuffle_xor",
    "block_sync",
    "block_any",
    "wait_until",
];
const LANES: u32 = 32;

/// The name of a kernel for messages, and the file that its line numbers refer to.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) kernel: &'static str,
    pub(super) file: String,
}

impl Waiting {
    fn word(&self) -> &'static str {
        WORDS.get(self.op as usize).copied().unwrap_or("an unknown word")
    }

    fn thread(&self) -> String {
        format!("thread {} of block {}", self.thread, self.block)
    }

    /// Returns the function's name, its mask if it has one, and its line.
    fn call(&self, place: &Place) -> String {
        let (word, file, line) = (self.word(), &place.file, self.line);
        if self.mask == 0 {
            format!("{word} at {file}:{line}")
        } else {
            format!("{word} of mask {:#010x} at {file}:{line}", self.mask)
        }
    }
}

impl Report {
    /// Describes the failure. The cases are in the order of `wg::Failure`.
    pub(super) fn text(&self, place: &Place) -> String {
        let (kernel, at, other, lane) = (place.kernel, &self.at, &self.other, self.lane);
        let who = format!("kernel {kernel}: {}", at.thread());
        let does = format!("{who} calls {}", at.call(place));
        let line = format!("{}:{}", place.file, at.line);
        let named = (at.thread & !(LANES - 1)) + lane;
        match self.failure {
            0 => format!("{who} trapped at {line}"),
            1 => format!("{does}, which does not name its own lane {}", at.thread % LANES),
            2 => format!("{does}, which names lane {lane}, and thread {named} has exited"),
            3 => format!("{does}, which names lane {lane}, and the block has no thread {named}"),
            4 => format!("{does}, while {} of the same mask waits in {}", other.thread(), other.call(place)),
            5 => {
                let other = format!("{} waits in {}", other.thread(), other.call(place));
                format!("{does}, while {other}: they name each other in different masks")
            }
            6 => format!("{does} and reads from lane {lane}, which the mask does not name"),
            7 => format!("{does}, while {} waits in {}", other.thread(), other.call(place)),
            8 => format!("{who} uses dynamic shared memory at {line}, and the launch has none"),
            9 => format!("kernel {kernel}: deadlock, {}", self.waiting(place)),
            unknown => format!("{who} failed in an unknown way ({unknown})"),
        }
    }

    /// Lists the threads that wait, and where.
    pub(super) fn waiting(&self, place: &Place) -> String {
        let mut text = format!("{} thread{} wait", self.count, if self.count == 1 { "" } else { "s" });
        let listed = self.list.iter().take(self.listed as usize);
        for (i, waiting) in listed.enumerate() {
            let joint = if i == 0 { ": " } else { "; " };
            let _ = write!(text, "{joint}{} in {}", waiting.thread(), waiting.call(place));
        }
        if self.count > self.listed {
            let _ = write!(text, "; and {} more", self.count - self.listed);
        }
        text
    }
}
