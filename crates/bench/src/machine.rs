//! What this machine and this process are, as far as the system tells. Elsewhere than on Linux most is unknown: `None`.

use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};
use warpgraph::graph::memory;

/// The machine a measurement was made on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/cli.md has the fields")]
pub struct Machine {
    pub processor: Option<String>,
    /// Logical processors that this process may use.
    pub cores: usize,
    /// Bytes.
    pub memory: Option<u64>,
    pub os: String,
    pub arch: String,
}

impl Machine {
    /// This one.
    pub fn this() -> Self {
        let (os, arch) = (std::env::consts::OS.to_owned(), std::env::consts::ARCH.to_owned());
        Self { processor: processor(), cores: cores(), memory: memory::physical(), os, arch }
    }
}

/// A cache of the first processor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cache {
    /// 1, 2, 3.
    pub level: u32,
    /// `data`, `instruction` or `unified`.
    pub kind: String,
    /// Its size.
    pub bytes: u64,
    /// The processors that share it, e.g. `0-3`.
    pub shared_by: String,
}

/// The processor's name, e.g. `AMD EPYC 9654 96-Core Processor`.
pub fn processor() -> Option<String> {
    field("/proc/cpuinfo", "model name")
}

/// Logical processors that this process may use; 1 if the system does not tell.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The vector instructions of the processor that are worth knowing.
pub fn simd() -> Vec<String> {
    const WORTH: [&str; 8] = ["sse4_2", "avx", "avx2", "bmi2", "avx512f", "avx512vl", "asimd", "sve"];
    let [flags, features] = ["flags", "Features"].map(|name| field("/proc/cpuinfo", name));
    let flags = flags.or(features).unwrap_or_default();
    let has = |name: &&str| flags.split_ascii_whitespace().any(|flag| flag == *name);
    WORTH.iter().filter(|name| has(name)).map(|name| (*name).to_owned()).collect()
}

/// The caches of the first processor; empty if the system does not tell.
pub fn caches() -> Vec<Cache> {
    let folder = Path::new("/sys/devices/system/cpu/cpu0/cache");
    (0..8).map_while(|i| cache(&folder.join(format!("index{i}")))).collect()
}

fn cache(folder: &Path) -> Option<Cache> {
    let read = |name: &str| Some(fs::read_to_string(folder.join(name)).ok()?.trim().to_owned());
    Some(Cache {
        level: read("level")?.parse().ok()?,
        kind: read("type")?.to_ascii_lowercase(),
        bytes: size(&read("size")?)?,
        shared_by: read("shared_cpu_list").unwrap_or_default(),
    })
}

/// `48K`, `2M`, `123 kB`, `512` as bytes.
fn size(text: &str) -> Option<u64> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let unit = match unit.trim() {
        "" => 1,
        "K" | "kB" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// Memory that can be had without swapping, within the limits of containers and of this process.
pub fn available_memory() -> Option<u64> {
    memory::available().map(|left| left.bytes)
}

/// The most memory this process has held, in bytes.
pub fn peak_memory() -> Option<u64> {
    let now = status("VmHWM")?;
    Some(now.max(EARLIER_PEAK.load(Ordering::Relaxed)))
}

/// The memory this process holds now, in bytes, file pages included.
pub fn resident_memory() -> Option<u64> {
    status("VmRSS")
}

/// The peak before the system was last asked to forget it.
static EARLIER_PEAK: AtomicU64 = AtomicU64::new(0);

/// Does some work; says by how much the most memory this process held meanwhile was above what it held before. Where the
/// system does not tell, or other work goes on, the figure is none, or not of this work alone.
pub fn with_peak<T>(work: impl FnOnce() -> T) -> (T, Option<u64>) {
    EARLIER_PEAK.fetch_max(peak_memory().unwrap_or(0), Ordering::Relaxed);
    // Linux: forget the peak.
    let can_tell = fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = status("VmRSS");
    let done = work();
    let above = status("VmHWM").zip(before).map(|(peak, before)| peak.saturating_sub(before));
    (done, above.filter(|_| can_tell))
}

/// The kernel's rule for huge pages: `always`, `madvise` or `never`.
pub fn huge_pages() -> Option<String> {
    chosen(&fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").ok()?)
}

/// The word in brackets: `always [madvise] never`.
fn chosen(text: &str) -> Option<String> {
    Some(text.split_once('[')?.1.split_once(']')?.0.to_owned())
}

/// Bytes of this process.
fn status(name: &str) -> Option<u64> {
    size(&field("/proc/self/status", name)?)
}

/// The value of the first `name : value` line of a file.
fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_writes_is_read() {
        let sizes = ["48K", "2M", "512", "24 kB", "x"].map(size);
        assert_eq!(sizes, [Some(49152), Some(2 << 20), Some(512), Some(24576), None]);
        assert_eq!(chosen("always [madvise] never\n").as_deref(), Some("madvise"));
        assert_eq!(chosen("always"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_tells_the_memory_and_the_peak_of_some_work_is_what_it_took_and_is_not_forgotten() {
        let (available, all) = (available_memory().unwrap(), memory::physical().unwrap());
        assert!(0 < available && available <= all && peak_memory().unwrap() > 0 && cores() > 0);
        let large = 64 << 20;
        let (sum, took) = with_peak(|| vec![1u8; large as usize].iter().map(|&x| u64::from(x)).sum::<u64>());
        let took = took.unwrap();
        assert!(sum == large && took >= large / 2, "{took:?}");
        assert!(with_peak(|| ()).1.unwrap() < took && peak_memory().unwrap() >= took);
    }
}
